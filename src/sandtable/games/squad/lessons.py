"""Walkthroughs on small positions: a first game with everything in it, then each part by itself."""

from __future__ import annotations

from typing import Any

from sandtable.engine.tools import Lesson, LessonStep

SCENARIO = "S15"


def _unit(name: str, kind: str, at: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "kind": kind, "at": at, **more}


def _position(phase: str, attacker: str, units: list[dict[str, Any]], weapons: list[dict[str, Any]]) -> dict[str, Any]:
    state = {"turn": 2, "phase": phase, "attacker": attacker, "units": units, "weapons": weapons}
    return {"game": "aslsk2", "scenario": SCENARIO, "state": state}


def _first_game() -> Lesson:
    units = [
        _unit("a1", "american 5-4-6", "S8"),
        _unit("a2", "american 8-1", "S8"),
        _unit("a3", "american 8-0", "R8"),
        _unit("a4", "american 5-4-6", "V8", melee=True),
        _unit("a5", "american 5-4-6", "T9"),
        _unit("a6", "american 3-4-6", "Q8", broken=True, dm=True),
        _unit("g1", "german 4-4-7", "S4"),
        _unit("g2", "german 8-0", "S4"),
        _unit("g3", "german 4-4-7", "U4"),
        _unit("g4", "german 4-4-7", "V8", melee=True),
        _unit("g5", "german 4-4-7", "U5"),
    ]
    weapons = [{"id": "w1", "kind": "american MMG", "owner": "a1"}]
    steps = (
        LessonStep(
            "Welcome. You lead a handful of Americans; the computer leads the Germans, and it is their Movement Phase. "
            "Your best position is the stone house S8: a squad, a machine gun and a leader who look over the square.",
            ("S8",),
            ("a1", "a2"),
        ),
        LessonStep(
            "Defensive fire: when a German moves in your sight, a card offers your shots. Choose the squad in S8. "
            "(Hold fire with the space bar if only others are offered, or if he is far away.)",
            ("S8",),
            ("a1",),
            "group:fire",
        ),
        LessonStep(
            "Add the machine gun and let the 8-1 direct. The preview counts your firepower and every modifier: a unit "
            "that moves in the open is hit at -2. Then fire.",
            ("S8",),
            ("w1", "a2"),
            "event:Fired",
        ),
        LessonStep(
            "The log tells the dice and what came of them. A unit that has fired may fire again at what is near, at "
            "half strength. Fire or hold as you like, and end your Defensive Fire when the Germans have moved.",
            until="phase:Rout Phase",
        ),
        LessonStep(
            "Rout: your broken squad in Q8 cannot stay in the open where Germans see it. Click it, then the stone "
            "house R8, where a leader waits.",
            ("Q8", "R8"),
            ("a6",),
            "group:rout",
        ),
        LessonStep(
            "In V8 your squad is at close quarters with a German one. When the Close Combat Phase comes, declare your "
            "attack: the odds of the strengths give a kill number, and both sides roll at the same time.",
            ("V8",),
            ("a4",),
            "event:CombatResolved",
        ),
        LessonStep(
            "Your turn begins with the Rally Phase. Let the 8-0 in R8 try to rally the squad: desperation makes it "
            "hard now, and it comes off at the end of the phase. Then go on.",
            ("R8",),
            ("a6", "a3"),
            "phase:Prep Fire Phase",
        ),
        LessonStep(
            "Fire: pick the squad in S8, aim at Germans whom you see (fire into V8 would hit your own men too), add "
            "the machine gun and the leader, and fire. Leave the squad in T9 alone: who prep fires cannot move.",
            ("S8",),
            ("a1",),
            "event:Fired",
        ),
        LessonStep("End the Prep Fire Phase.", until="phase:Movement Phase"),
        LessonStep(
            "Movement: click the squad in T9 and then U9, beside V8. The way shows its cost, and who may fire at you "
            "on it. Go.",
            ("T9", "U9"),
            ("a5",),
            "group:move",
        ),
        LessonStep(
            "End the move and the phase. The Germans may fire; your units that have not fired may fire at half "
            "strength in the Advancing Fire Phase, or end it.",
            until="phase:Advance Phase",
        ),
        LessonStep(
            "Advance: every unit that is not broken or pinned may go one hex now, also into the enemy's. Send the "
            "squad from U9 into V8 to help; end the phase.",
            ("U9", "V8"),
            ("a5",),
            "phase:Close Combat Phase",
        ),
        LessonStep(
            "Close combat again, if somebody is left in V8: attack with all you have there.",
            ("V8",),
            (),
            "event:CombatResolved",
        ),
    )
    return Lesson(
        "first-game",
        "Your first game",
        "Defensive fire, rout, close combat, rally, fire, movement and advance: one turn of each side.",
        SCENARIO,
        "american",
        steps,
        _position("MPh", "german", units, weapons),
        43,
        "drill",
    )


def _fire() -> Lesson:
    units = [
        _unit("g1", "german 4-6-7", "R6"),
        _unit("g2", "german 4-6-7", "R6"),
        _unit("g3", "german 9-1", "R6"),
        _unit("a1", "american 5-4-6", "S8"),
        _unit("a2", "american 8-0", "S8"),
    ]
    steps = (
        LessonStep(
            "Your squads in R6 see the Americans in the stone building S8. Pick a squad that fires.",
            ("R6",),
            ("g1",),
            "group:fire",
        ),
        LessonStep("Aim at S8.", ("S8",), until="group:fire"),
        LessonStep(
            "Units of a hex that fire at the same target must fire together. Add the other squad and the machine gun.",
            ("R6",),
            ("g2",),
            "group:group",
        ),
        LessonStep(
            "Let the 9-1 direct: his -1 helps against the +3 of the building, and directed fire never cowers.",
            ("R6",),
            ("g3",),
        ),
        LessonStep(
            "Look at the preview: firepower, every modifier with its rule, and the odds. Then fire.",
            until="event:Rolled",
        ),
        LessonStep(
            "The log tells the roll, the result and each morale check. End the phase when you have seen enough."
        ),
    )
    return Lesson(
        "fire",
        "Fire",
        "A fire group, a leader who directs it, and what its result means.",
        SCENARIO,
        "german",
        steps,
        _position("PFPh", "german", units, [{"id": "w1", "kind": "german MMG", "owner": "g1"}]),
        7,
    )


def _movement() -> Lesson:
    units = [
        _unit("g1", "german 4-6-7", "R6"),
        _unit("g2", "german 8-1", "R6"),
        _unit("a1", "american 5-4-6", "S8"),
    ]
    steps = (
        LessonStep("Move the squad and its leader together: pick the squad.", ("R6",), ("g1",), "group:move"),
        LessonStep(
            "Let the 8-1 move along: a squad has two MF more with a leader. Then start moving step by step.",
            ("R6",),
            ("g2",),
            "group:move",
        ),
        LessonStep(
            "Enter R7. It is Open Ground in sight of S8: the fire at you has -1 for moving and -1 for the open.",
            ("R7",),
            until="group:move",
        ),
        LessonStep(
            "The defender may fire after each expenditure of MF. If you still can, go on towards the woods of Q7.",
            ("Q7",),
            until="turn",
        ),
        LessonStep("End the move; a unit that has stopped does not move again in this phase.", until="group:done"),
    )
    return Lesson(
        "movement",
        "Moving under fire",
        "Stacks, leaders, MF and Defensive First Fire.",
        SCENARIO,
        "german",
        steps,
        _position("MPh", "german", units, []),
        3,
    )


def _rally() -> Lesson:
    units = [
        _unit("g1", "german 4-6-7", "Q6", broken=True),
        _unit("g2", "german 4-4-7", "Q6", broken=True, dm=True),
        _unit("g3", "german 9-1", "Q6"),
        _unit("a1", "american 5-4-6", "S8"),
    ]
    steps = (
        LessonStep(
            "Two squads in the building Q6 are broken; one of them is under Desperation Morale (+4).",
            ("Q6",),
            ("g1", "g2"),
        ),
        LessonStep(
            "Let the leader rally the squad that is not under DM: -1 for the building, -1 for him.",
            ("Q6",),
            ("g1",),
            "event:Rolled",
        ),
        LessonStep(
            "He may try them all, each once in a Player Turn. DM comes off at the end of the phase.", until="turn"
        ),
    )
    return Lesson(
        "rally",
        "Rally",
        "Broken units, leaders and Desperation Morale.",
        SCENARIO,
        "german",
        steps,
        _position("RPh", "german", units, []),
        5,
    )


def _close_combat() -> Lesson:
    units = [
        _unit("g1", "german 4-6-7", "S7"),
        _unit("g2", "german 4-6-7", "S7"),
        _unit("g3", "german 8-1", "S7"),
        _unit("a1", "american 5-4-6", "S8", pinned=True),
    ]
    steps = (
        LessonStep(
            "Advance into the Americans' hex: pick a squad, add the others, and go to S8.",
            ("S7", "S8"),
            ("g1", "g2", "g3"),
            "group:advance",
        ),
        LessonStep(
            "In a building the attacker may be ambushed, or ambush: each side rolls a die.", ("S8",), until="turn"
        ),
        LessonStep(
            "Declare your attack: the units that attack, then whom. The preview shows the odds and the kill number.",
            ("S8",),
        ),
    )
    return Lesson(
        "close-combat",
        "Advance and close combat",
        "Going in, ambush, odds and the kill number.",
        SCENARIO,
        "german",
        steps,
        _position("APh", "german", units, []),
        2,
    )


def _guns() -> Lesson:
    units = [
        _unit("g1", "german 2-2-8", "R6"),
        _unit("a1", "american 5-4-6", "S8"),
        _unit("a2", "american 5-4-6", "T8"),
    ]
    gun = {"id": "w1", "kind": "german 7.5cm PaK 40 AT", "owner": "g1", "facing": 3, "emplaced": True}
    steps = (
        LessonStep("A Gun must hit before its fire takes effect. Pick the PaK and aim at T8.", ("R6", "T8"), ("w1",)),
        LessonStep(
            "On the Infantry Target Type the terrain counts for the hit, on the Area Target Type for the effect.",
            ("T8",),
        ),
        LessonStep(
            "Fire. If the coloured die is not higher than the Rate of Fire, it may fire again.", until="event:Rolled"
        ),
        LessonStep("A missed target is acquired: the next shot at it has -1, then -2."),
    )
    return Lesson(
        "guns",
        "A Gun",
        "To Hit, target types, Rate of Fire and acquisition.",
        SCENARIO,
        "german",
        steps,
        _position("PFPh", "german", units, [gun]),
        4,
    )


def lessons() -> tuple[Lesson, ...]:
    """All walkthroughs, from easy to hard."""
    return (_first_game(), _fire(), _movement(), _rally(), _close_combat(), _guns())
