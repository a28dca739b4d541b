"""How good a position of Soft Underbelly looks for a side, from its view alone: the way north, the beaches, time."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from typing import Any

from sandtable.games.underbelly.atlas import BIT, INDEX, NAPLES, NEAR_NAPLES, PAESTUM, SALERNO, TARANTO, ZONE
from sandtable.games.underbelly.data import ALLIED, GERMAN, LAST_TURN
from sandtable.games.underbelly.model import WAT
from sandtable.games.underbelly.victory import DEADLINE
from sandtable.players.underbelly_ground import FAR, Ground, exit_turns, ground_of_view

ON_THE_MOVE = {1: 6.0, 2: 1.8, 3: 0.4, 4: -0.2, FAR: -0.8}
"""What the Allied player turns to the north edge are worth to them when they are about to move."""
WAITING = {1: 4.5, 2: 1.0, 3: 0.2, 4: -0.3, FAR: -0.8}
"""The same while the Germans can still do something about it."""
STEP = 0.09
"""What one step of strength on the map is worth."""
FEW_STEPS = 2
"""A beach that so few steps hold can be stormed."""


def worth(view: Mapping[str, Any], side: str) -> float:
    """From 0 (lost) to 1 (won)."""
    outcome = view["outcome"]
    if outcome is not None:
        return 0.5 if not outcome["winner"] else float(outcome["winner"] == side)
    here = ground_of_view(view)
    steps = steps_by_hex(view)
    lean = _way_north(view, here) + _strength(view) + _beaches(view, steps) + _clock(view, here)
    allied = 1 / (1 + exp(-lean))
    return allied if side == ALLIED else 1 - allied


def steps_by_hex(view: Mapping[str, Any]) -> dict[tuple[str, str], int]:
    """Steps of each side in each hex; of a hidden unit one knows nothing, so it counts two."""
    found: dict[tuple[str, str], int] = {}
    for piece in view["pieces"]:
        key = piece["side"], piece["at"]
        found[key] = found.get(key, 0) + _steps(piece)
    return found


def _steps(piece: Mapping[str, Any]) -> int:
    facts = piece.get("facts")
    return int(facts[0][1].split("-")[1]) if facts else 2


def _way_north(view: Mapping[str, Any], here: Ground) -> float:
    table = ON_THE_MOVE if view["active"] == ALLIED else WAITING
    return table[exit_turns(here)]


def _strength(view: Mapping[str, Any]) -> float:
    lead = 0
    for piece in view["pieces"]:
        if piece["at"] in INDEX or piece["at"].startswith("battle"):
            lead += _steps(piece) if piece["side"] == ALLIED else -_steps(piece)
    return STEP * (lead - 4)


def _beaches(view: Mapping[str, Any], steps: dict[tuple[str, str], int]) -> float:
    """Salerno and Paestum before the supply switch, Naples and Taranto in Watch on the Tiber (4.1, 4.2)."""
    extra = view["extra"]
    german = {at: n for (side, at), n in steps.items() if side == GERMAN and at in INDEX}
    danger = 0.0
    if not extra["switched"]:
        for post in (SALERNO, PAESTUM):
            attackers = max((n for at, n in german.items() if ZONE[INDEX[post]] & BIT[INDEX[at]]), default=0)
            defenders = steps.get((ALLIED, post), 0)
            if attackers:
                danger -= 0.25 * max(0, attackers - defenders) + (0.8 if defenders <= FEW_STEPS else 0.0)
    if extra["scenario"] == WAT:
        danger += sum(0.3 if extra["control"][at] == ALLIED else -0.3 for at in (NAPLES, TARANTO))
    return danger


def _clock(view: Mapping[str, Any], here: Ground) -> float:
    """Time works for the Germans, most of all while they stand near Naples (4.1, 11.9)."""
    extra = view["extra"]
    late = extra["turn"] / LAST_TURN
    if extra["scenario"] == WAT:
        lean = 0.6 * late if extra["switched"] else 0.0
    else:
        lean = -1.2 * late
    if not extra["switched"] and here.german & NEAR_NAPLES:
        lean -= 2.0 * max(0.0, (extra["turn"] - 8) / (DEADLINE - 8))
    return lean
