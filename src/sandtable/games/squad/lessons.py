"""Walkthroughs on small positions: fire, movement under fire, rally and rout, close combat, Guns."""

from __future__ import annotations

from typing import Any

from sandtable.engine.tools import Lesson, LessonStep

SCENARIO = "S15"


def _unit(name: str, kind: str, at: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "kind": kind, "at": at, **more}


def _position(phase: str, attacker: str, units: list[dict[str, Any]], weapons: list[dict[str, Any]]) -> dict[str, Any]:
    state = {"turn": 2, "phase": phase, "attacker": attacker, "units": units, "weapons": weapons}
    return {"game": "aslsk2", "scenario": SCENARIO, "state": state}


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
    return (_fire(), _movement(), _rally(), _close_combat(), _guns())
