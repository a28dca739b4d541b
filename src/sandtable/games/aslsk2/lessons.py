"""The lessons of the Starter Kit: a whole turn in small, then each part of play by itself, and a Gun."""

from __future__ import annotations

from sandtable.engine.tools import Lesson, LessonStep
from sandtable.games.squad.show.lessons import (
    Stage,
    after,
    close_combat_lesson,
    during,
    fire_lesson,
    movement_lesson,
    position,
    rally_lesson,
    unit,
)

GAME, SCENARIO, OWN, ENEMY = "aslsk2", "S15", "american", "german"

MINE, THEIRS = f"active:{OWN}", f"active:{ENEMY}"
ABLE = "at:a1=S8 and not broken:a1"

_UNITS = [
    unit("a1", "american 5-4-6", "S8"),
    unit("a2", "american 8-1", "S8"),
    unit("a3", "american 8-0", "R8"),
    unit("a4", "american 5-4-6", "V8", melee=True),
    unit("a5", "american 5-4-6", "T9"),
    unit("a6", "american 3-4-6", "Q8", broken=True, dm=True),
    unit("g1", "german 4-4-7", "S4"),
    unit("g2", "german 8-0", "S4"),
    unit("g3", "german 4-4-7", "U4"),
    unit("g4", "german 4-4-7", "V8", melee=True),
    unit("g5", "german 4-4-7", "U5"),
]
_WEAPONS = [{"id": "w1", "kind": "american MMG", "owner": "a1"}]

_THEIR_TURN: tuple[LessonStep, ...] = (
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
        f"frame:FireDraft or event:Fired(by={OWN})",
        f"phase:Movement Phase and {THEIRS} and {ABLE}",
    ),
    LessonStep(
        "Add the machine gun and let the 8-1 direct. The preview counts your firepower and every modifier: a unit "
        "that moves in the open is hit at -2. Then fire.",
        ("S8",),
        ("w1", "a2"),
        f"event:Fired(by={OWN})",
        f"phase:Movement Phase and {THEIRS} and {ABLE}",
    ),
    LessonStep(
        "The log tells the dice and what came of them. A unit that has fired may fire again at what is near, at "
        "half strength. Fire or hold as you like, and end your Defensive Fire when the Germans have moved.",
        until="not phase:Movement Phase and not phase:Defensive Fire Phase and not phase:Advancing Fire Phase",
        only=THEIRS,
    ),
    LessonStep(
        "Rout: your broken squad in Q8 cannot stay in the open where Germans see it. Click it, then the stone "
        "house R8, where a leader waits.",
        ("Q8", "R8"),
        ("a6",),
        "event:Routed(units=a6)",
        f"phase:Rout Phase and {THEIRS} and at:a6=Q8",
    ),
    LessonStep(
        "In V8 your squad is at close quarters with a German one. When the Close Combat Phase comes, declare your "
        "attack: the odds of the strengths give a kill number, and both sides roll at the same time.",
        ("V8",),
        ("a4",),
        f"event:CombatResolved(side={OWN},units=a4)",
        f"{THEIRS} and at:a4=V8 and at:g4=V8",
    ),
    LessonStep(
        "Fight the other close combats, if there are any, until your own turn comes.",
        until=f"{MINE} and asked",
        only=THEIRS,
    ),
)

_OWN_TURN: tuple[LessonStep, ...] = (
    LessonStep(
        "Your turn begins with the Rally Phase. Let the 8-0 in R8 try to rally the squad: desperation makes it "
        "hard now, and it comes off at the end of the phase.",
        ("R8",),
        ("a6", "a3"),
        "event:RallyTried(unit=a6)",
        f"phase:Rally Phase and {MINE} and at:a6=R8 and broken:a6 and at:a3=R8 and not broken:a3",
    ),
    LessonStep(
        "Rally others if you can, then go on to the Prep Fire Phase.",
        until="not phase:Rally Phase",
        only=f"phase:Rally Phase and {MINE}",
    ),
    LessonStep(
        "Fire: click the squad in S8, then Germans whom you see (fire into V8 would hit your own men too). Add "
        "the machine gun and the leader, and fire. Leave the squad in T9 alone: who prep fires cannot move.",
        ("S8",),
        ("a1",),
        f"event:Fired(by={OWN})",
        during("Prep Fire Phase", MINE, ABLE),
    ),
    LessonStep("End the Prep Fire Phase.", until="not phase:Prep Fire Phase", only=during("Prep Fire Phase", MINE)),
    LessonStep(
        "Movement: click the squad in T9 and then U9, beside V8. The way shows its cost, and who may fire at you "
        "on it. Go.",
        ("T9", "U9"),
        ("a5",),
        "event:Moved(units=a5)",
        during("Movement Phase", MINE, "at:a5=T9", "not broken:a5"),
    ),
    LessonStep(
        "End the move and the phase. The Germans may fire; after that your units that have not fired may do so at "
        "half strength.",
        until=after("Movement Phase"),
        only=during("Movement Phase", MINE),
    ),
    LessonStep(
        "Advancing Fire: fire with whom you like, or end the phase.",
        until="not phase:Advancing Fire Phase",
        only=during("Advancing Fire Phase", MINE),
    ),
    LessonStep(
        "Advance: every unit that is not broken or pinned may go one hex now, even into the enemy's. Send the "
        "squad from U9 into V8 to help; then end the phase.",
        ("U9", "V8"),
        ("a5",),
        "event:Advanced(units=a5)",
        during("Advance Phase", MINE, "at:a5=U9", "not broken:a5", "at:a4=V8", "at:g4=V8"),
    ),
    LessonStep("End the Advance Phase.", until="not phase:Advance Phase", only=during("Advance Phase", MINE)),
    LessonStep(
        "Close combat again: attack with everybody you have there.",
        ("V8",),
        (),
        f"event:CombatResolved(side={OWN})",
        during("Close Combat Phase", MINE),
    ),
    LessonStep(
        "That was one turn of each side. Play on here as long as you like, or start a scenario: S9 and S11 are "
        "even fights."
    ),
)


def _first_game() -> Lesson:
    return Lesson(
        "first-game",
        "Your first game",
        "Defensive fire, rout, close combat, rally, fire, movement and advance: one turn of each side.",
        SCENARIO,
        OWN,
        (*_THEIR_TURN, *_OWN_TURN),
        position(GAME, SCENARIO, "MPh", ENEMY, _UNITS, _WEAPONS),
        43,
        "drill",
    )


def _guns() -> Lesson:
    units = [
        unit("g1", "german 2-2-8", "R6"),
        unit("a1", "american 5-4-6", "S8"),
        unit("a2", "american 5-4-6", "T8"),
    ]
    gun = {"id": "w1", "kind": "german 7.5cm PaK 40 AT", "owner": "g1", "facing": 3, "emplaced": True}
    ready = during("Prep Fire Phase", "here:g1", "not broken:g1")
    steps = (
        LessonStep(
            "A Gun must first hit; only then does its fire take effect. Click the PaK in R6, then T8.",
            ("R6", "T8"),
            ("w1",),
            "frame:OrdnanceDraft or event:Shot",
            ready,
        ),
        LessonStep(
            "Choose how to fire. Against the Infantry Target Type the terrain counts for the hit, against the Area "
            "Target Type for the effect. The preview compares them. Then fire.",
            ("T8",),
            ("w1",),
            "event:Shot",
            ready,
        ),
        LessonStep(
            "If the coloured die is not higher than the Gun's Rate of Fire, it may fire again. A target that was fired "
            "at is acquired: the next shot at it has -1, then -2. Fire again if you can, then end the phase.",
            ("R6",),
            ("w1",),
            "not phase:Prep Fire Phase",
        ),
        LessonStep("Guns are strongest where they have waited: in sight of the way the enemy must take."),
    )
    return Lesson(
        "guns",
        "A Gun",
        "To Hit, target types, Rate of Fire and acquisition.",
        SCENARIO,
        "german",
        steps,
        position(GAME, SCENARIO, "PFPh", "german", units, [gun]),
        4,
    )


def lessons() -> tuple[Lesson, ...]:
    """All lessons, from easy to hard."""
    near = Stage(GAME, SCENARIO, "german", "R6", "S8")
    squads, enemy = ("german 4-6-7", "german 4-6-7"), "american 5-4-6"
    return (
        _first_game(),
        fire_lesson(near, squads, "german 9-1", "german MMG", (enemy, "american 8-0"), seed=7),
        movement_lesson(near, squads[0], "german 8-1", enemy, "R7", "Q7", seed=3),
        rally_lesson(near._replace(own="Q6"), ("german 4-6-7", "german 4-4-7"), "german 9-1", enemy, seed=5),
        close_combat_lesson(near._replace(own="S7"), squads, "german 8-1", enemy, ambush=True, seed=2),
        _guns(),
    )
