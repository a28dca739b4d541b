"""A first turn of PBI, with the enemy's answer."""

from __future__ import annotations

from functools import cache

from sandtable.engine.tools import Lesson, LessonStep

MINE, THEIRS = "active:attacker", "active:defender"

_STEPS: tuple[LessonStep, ...] = (
    LessonStep(
        "Welcome. You lead the attacker's company: cross the table from below and take the objectives. A turn has "
        "steps. First come assets: you have smoke. Keep it for now: use no asset.",
        until="not frame:Assets",
        only=MINE,
    ),
    LessonStep(
        "Your company commander can do three things: go a square, urge a platoon on, rally pinned men, see to "
        "casualties or call for reinforcements. Urge the first rifle platoon on: its groups are then easier to "
        "get going.",
        (),
        ("a0-1",),
        "event:CommanderActed(side=attacker)",
        f"frame:Commander and {MINE}",
    ),
    LessonStep(
        "Use up what he can do, or let him have done enough.",
        until="not frame:Commander",
        only=f"frame:Commander and {MINE}",
    ),
    LessonStep(
        "Now your units act, one after the other. Begin with the first rifle platoon.",
        ("D7",),
        (),
        "frame:Activation or frame:Acting",
        f"frame:Units and {MINE}",
    ),
    LessonStep(
        "Soldiers must be motivated: a die against the number of squares from the officer to the group, both "
        "counted. Click the group in D7; the preview shows what it needs.",
        ("D7",),
        (),
        "event:Motivated",
        f"frame:Activation and {MINE}",
    ),
    LessonStep(
        "The group has action points. One of them pays for a step into the open, two for leaving difficult "
        "ground, one for a shot. Click C6 or D6 to step towards D5, the nearest objective.",
        ("C6", "D6", "D5"),
        (),
        "event:Moved",
        f"frame:Acting and {MINE}",
    ),
    LessonStep(
        "If the enemy sees you, he may shoot while you move: that is opportunity shooting. Hits fall on bases that "
        "you choose, and each may be saved. Go on moving or shooting with this group until it is done.",
        until="not frame:Acting and not frame:Hits and asked",
        only=MINE,
    ),
    LessonStep(
        "Go on with the other groups of the platoon, then with the other units. What is not spent is lost. When "
        "all are done, the defender has his turn.",
        until=f"event:TurnBegan(side=defender) or {THEIRS}",
        only=MINE,
    ),
    LessonStep(
        "The defender moves. When one of his groups moves in your sight, you are asked: shoot, or hold fire.",
        until=f"event:Shot or event:TurnBegan(side=attacker) or {MINE}",
        only=THEIRS,
    ),
    LessonStep(
        "Shoot or hold as you like until it is your turn again.",
        until=MINE,
        only=THEIRS,
    ),
    LessonStep(
        "That was a turn of each side. Objectives count for whoever entered them last, and the countdown ends the "
        "battle. Play on here as long as you like."
    ),
)


@cache
def lessons() -> tuple[Lesson, ...]:
    """The lessons of the game."""
    return (
        Lesson(
            "first-turn",
            "A first turn",
            "Assets, the commander, motivation, action points and the enemy's reaction.",
            "crossroads",
            "attacker",
            _STEPS,
            seed=4,
        ),
    )
