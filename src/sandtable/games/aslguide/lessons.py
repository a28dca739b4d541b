"""The lessons of the guide: a whole turn in small, then fire, movement, rally and close combat."""

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

GAME, SCENARIO, OWN, ENEMY = "aslguide", "intro", "russian", "german"

MINE = f"active:{OWN}"

_UNITS = [
    unit("r1", "russian 4-4-7", "N2"),
    unit("r2", "russian 4-4-7", "J2"),
    unit("r3", "russian 9-1", "J2"),
    unit("r4", "russian 6-2-8", "J4"),
    unit("r5", "russian 8-0", "J4"),
    unit("r6", "russian 4-4-7", "M2", broken=True),
    unit("r7", "russian 8-0", "M2"),
    unit("g1", "german 4-6-7", "K4"),
    unit("g2", "german 4-6-7", "H5"),
    unit("g3", "german 8-0", "H5"),
    unit("g4", "german 4-6-7", "F5"),
]
_WEAPONS = [{"id": "w1", "kind": "russian MMG", "owner": "r2"}]

_FIRST_HALF: tuple[LessonStep, ...] = (
    LessonStep(
        "Welcome. You lead a few Russians; the computer leads the Germans. It is your Movement Phase. Bring up "
        "the squad in N2: click it, then click the stone building N3, where nobody sees it.",
        ("N2", "N3"),
        ("r1",),
        "event:Moved(units=r1)",
        during("Movement Phase", MINE, "at:r1=N2"),
    ),
    LessonStep(
        "Well done. A move costs Movement Factors (MF): one in the open, two in woods and buildings. Move others "
        "if you like, but leave J2 and J4 where they are: they are needed. Then end the Movement Phase with the "
        "button, or with the space bar.",
        ("J2", "J4"),
        (),
        after("Movement Phase"),
    ),
    LessonStep(
        "Advancing Fire: units that have not fired yet may do so now, at half strength. Click the squad in J2, "
        "then the Germans in K4. Add the machine gun and the 9-1 leader, look at the odds, and fire.",
        ("J2", "K4"),
        ("r2",),
        f"event:Fired(by={OWN})",
        during("Advancing Fire Phase", MINE, "at:r2=J2", "not broken:r2", "here:g1"),
    ),
    LessonStep(
        "The dice and what came of them stand in the log. Fire with others if you can, then end the phase.",
        until=after("Advancing Fire Phase"),
        only=during("Advancing Fire Phase", MINE),
    ),
    LessonStep(
        "Rout Phase: broken units that the enemy threatens run for cover. Click yours, then where it should go, "
        "or end the phase.",
        until=after("Rout Phase"),
        only="phase:Rout Phase and asked",
    ),
    LessonStep(
        "Advance Phase: every unit that is not broken may go one hex, even into the enemy's. Send the squad and "
        "its leader from J4 against the Germans in K4.",
        ("J4", "K4"),
        ("r4", "r5"),
        "event:Advanced(units=r4)",
        during("Advance Phase", MINE, "at:r4=J4", "not broken:r4", "at:g1=K4"),
    ),
    LessonStep(
        "Advance Phase: every unit that is not broken may go one hex. The Germans have left K4: send the squad in "
        "J4 there, and the building is yours.",
        ("J4", "K4"),
        ("r4",),
        "event:Advanced(units=r4)",
        during("Advance Phase", MINE, "at:r4=J4", "not broken:r4", "not at:g1=K4"),
    ),
    LessonStep(
        "End the Advance Phase.",
        until="not phase:Advance Phase",
        only=during("Advance Phase", MINE),
    ),
)

_SECOND_HALF: tuple[LessonStep, ...] = (
    LessonStep(
        "Close combat: declare who attacks whom. Strength against strength gives the odds, the odds give the kill "
        "number, and both sides roll at the same time.",
        ("K4",),
        (),
        f"event:CombatResolved(side={OWN}) or active:{ENEMY}",
        "phase:Close Combat Phase",
    ),
    LessonStep(
        "Now it is the Germans' turn. It begins with the Rally Phase, in which both sides may rally. Let "
        "the leader in M2 try to rally the broken squad beside him: click the squad, look at the chance, and roll.",
        ("M2",),
        ("r6", "r7"),
        "event:RallyTried(unit=r6)",
        "phase:Rally Phase and broken:r6 and here:r7 and not broken:r7",
    ),
    LessonStep(
        "Rally others if you can, then go on.",
        until=after("Rally Phase"),
        only="phase:Rally Phase and active:german",
    ),
    LessonStep(
        "When a German moves in your sight, a card offers you Defensive First "
        "Fire: a unit that moves in the open is hit at -2. Let the squad in J2 fire with its machine gun and its "
        "leader, or hold fire.",
        ("J2",),
        ("r2",),
        f"event:Fired(by={OWN}) or phase:Defensive Fire Phase and asked",
        f"active:{ENEMY} and here:r2 and not broken:r2",
    ),
    LessonStep(
        "Fire or hold as you like, and rout whoever is broken, until your own turn comes.",
        until=f"active:{OWN} and asked",
        only=f"active:{ENEMY}",
    ),
    LessonStep(
        "Your turn again: rally whom you can, then go on to the Prep Fire Phase.",
        until="not phase:Rally Phase",
        only=during("Rally Phase", MINE),
    ),
    LessonStep(
        "Prep Fire: now units fire at full strength, but whoever fires does not move in this turn. Choose a unit "
        "and a target, or end the phase.",
        until=f"event:Fired(by={OWN}) or not phase:Prep Fire Phase",
        only=during("Prep Fire Phase", MINE),
    ),
    LessonStep(
        "That was a whole turn: rally, fire, move, fire again, rout, advance, close combat. A game is a handful of "
        "them. Play on here as long as you like, or start a real game from the first page."
    ),
)


def _first_game() -> Lesson:
    return Lesson(
        "first-game",
        "Your first game",
        "Movement, fire, advance, close combat, the enemy's turn and rally: one turn of each side.",
        SCENARIO,
        OWN,
        (*_FIRST_HALF, *_SECOND_HALF),
        position(GAME, SCENARIO, "MPh", OWN, _UNITS, _WEAPONS),
        12,
        "drill",
    )


def lessons() -> tuple[Lesson, ...]:
    """All lessons, from easy to hard."""
    near = Stage(GAME, SCENARIO, OWN, "J2", "K4")
    squads, leader, enemy = ("russian 4-4-7", "russian 4-4-7"), "russian 9-1", "german 4-6-7"
    return (
        _first_game(),
        fire_lesson(near, squads, leader, "russian MMG", (enemy, "german 8-0"), seed=7),
        movement_lesson(near._replace(own="J2"), squads[0], leader, enemy, "K3", "L2", seed=3),
        rally_lesson(near, squads, "russian 9-1", enemy, seed=5),
        close_combat_lesson(near._replace(own="J4"), squads, leader, enemy, ambush=False, seed=2),
    )
