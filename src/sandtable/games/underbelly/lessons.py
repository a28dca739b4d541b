"""A first command and a first battle of Soft Underbelly, on turn 3, with the Eighth Army before Cosenza."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from sandtable.engine.tools import Lesson, LessonStep
from sandtable.games.underbelly.data import ALLIED
from sandtable.games.underbelly.model import ASIDE, GONE, HISTORICAL, Opening, UnderbellyState
from sandtable.games.underbelly.setup import start

PLACES = {
    "BR-5": "4721",
    "BR-1C": "4721",
    "BR-XIII": "4721",
    "US-45": "2823",
    "10-16Pz": "2720",
    "10-HG": "2918",
    "10-15PG": "2622",
    "10-26Pz": "4218",
    "10-3PG": "2418",
    "10-2P": "1023",
    "10-11Fl": "1128",
    "BR-52": GONE,
}
"""What has moved since the set-up."""
TOPS = {"2823": "US-45", "4721": "BR-5"}
MINE = "active:allied"
BATTLE = " or ".join(
    f"frame:{name}" for name in ("Barrage", "DefensiveFire", "BreakOffChoice", "OffensiveFire", "RetreatChoice")
)
READY = f"{MINE} and at:10-29PG=4720 and at:BR-1C=4721"


def _position() -> dict[str, Any]:
    state: UnderbellyState = start("historical", {})
    for unit, at in state.at.items():
        if at == ASIDE and unit.startswith(("2SS", "5Pz")):
            state.at[unit] = GONE
    state.at.update(PLACES)
    state.top.update(TOPS)
    state.scenario, state.turn, state.side, state.stack = HISTORICAL, 3, ALLIED, [Opening()]
    state.cp, state.sf, state.airborne = 7, False, "box"
    data: dict[str, Any] = msgspec.to_builtins(state, str_keys=True)
    return {"game": "underbelly", "scenario": "historical", "state": data}


_STEPS: tuple[LessonStep, ...] = (
    LessonStep(
        "Welcome. You lead the Allies in Italy, September 1943. Every command costs command points (CP), and you "
        "have 7. Tactical airpower costs one for the whole phase: activate it.",
        until="not frame:Opening",
        only=f"frame:Opening and {MINE}",
    ),
    LessonStep(
        "Move: click the 36th Infantry in 2921 (Paestum), then 3020 beside it. Moving a stack costs 1 CP, and each "
        "hex its movement points.",
        ("2921", "3020"),
        ("US-36",),
        "event:Moved or event:Appeared",
        f"{MINE} and at:US-36=2921",
    ),
    LessonStep(
        "Go on, or halt here. Keep at least one division in Salerno: if a port of the landing falls, the campaign "
        "may be lost at once.",
        ("2822",),
        (),
        "frame:Commands and asked",
        f"{MINE} and frame:Moving",
    ),
    LessonStep(
        "Attack: click the stack in 4721, then the Germans in 4720 (Cosenza). An attack costs 2 CP.",
        ("4721", "4720"),
        ("BR-5", "BR-1C"),
        "frame:AttackDraft or event:Deployed",
        READY,
    ),
    LessonStep(
        "You may hold units back or add an aircraft, which helps each shot by one. Commit a TAC unit, look at the "
        "odds, and begin the battle.",
        ("4720",),
        (),
        "event:Deployed",
        READY,
    ),
    LessonStep(
        "The Battle Board: first the corps support fires its barrage, then the defenders fire, then you may break "
        "off or press on, and then your divisions fire. A ten-sided die hits with the combat factor or less; each "
        "hit costs a step.",
        ("4720",),
        (),
        "event:BattleEnded",
        BATTLE,
    ),
    LessonStep(
        "If the hex is empty, advance into it: towns and cities decide the game, and a city opens the road.",
        ("4720",),
        (),
        "frame:Commands and asked",
        f"{MINE} and frame:Advancing",
    ),
    LessonStep(
        "Spend the rest of your command points as you like, then end the phase. Points are not kept for later.",
        until="event:PhaseBegan(side=german) or not active:allied",
        only=MINE,
    ),
    LessonStep(
        "The Germans have their phase now; you are asked only if they attack. After it a new turn begins.",
        until="event:PhaseBegan(side=allied) or active:allied",
        only="active:german",
    ),
    LessonStep(
        "That was a turn: command points, movement, a battle. Supply, air drops and replacements come as you need "
        "them; Standing shows what decides the game. Play on here as long as you like."
    ),
)


@cache
def lessons() -> tuple[Lesson, ...]:
    """The lessons of the game."""
    return (
        Lesson(
            "first-turn",
            "A first turn",
            "Command points, a move, an attack on Cosenza and its battle.",
            "historical",
            ALLIED,
            _STEPS,
            _position(),
            seed=6,
        ),
    )
