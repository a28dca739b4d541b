"""How good a position of Soft Underbelly looks for a side, from its view alone: the way north, the beaches, time.

The weights are those of a logistic regression on some two thousand ends of player turns between regulars, drawn
towards what is known of the game; those of strength and of a breach are set by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from typing import Any

from sandtable.games.underbelly.atlas import (
    BIT,
    CITY,
    INDEX,
    MOUNTAIN,
    NAPLES,
    NEAR_NAPLES,
    PAESTUM,
    SALERNO,
    TARANTO,
    TERRAIN,
    ZONE,
    around,
    hexes_of,
)
from sandtable.games.underbelly.data import ALLIED, GERMAN, LAST_TURN
from sandtable.games.underbelly.model import GERMAN_BOX, WAT
from sandtable.games.underbelly.victory import DEADLINE
from sandtable.players.underbelly_conduct import NORTH_LOSS
from sandtable.players.underbelly_ground import FAR, NORTH_DISTANCE, Ground, exit_turns, ground_of_view, runaways

START = 1.17
"""What the Allies have in the balance, before anything is looked at."""
ON_THE_MOVE = {1: 5.3, 2: 1.2, 3: 1.0, 4: 1.0, FAR: 0.3}
"""What the Allied player turns to the north edge are worth to them when they are about to move."""
WAITING = {1: 1.7, 2: 0.5, 3: 0.7, 4: 0.7, FAR: 0.0}
"""The same while the Germans can still do something about it."""
RUNNER = 0.18
"""Every further stack that can leave at once."""
STEP = 0.03
"""One step of strength."""
SPEARHEAD = -0.061
"""Each hex between the foremost Allied unit and the north edge."""
SPEAR = 2
"""Steps of a unit that counts as foremost."""
BREACH = 0.06
"""What the way is worth that opens when the weakest post falls, by the steps that it counts in battle."""
SOON = 3
"""Ways that are longer are not looked for after a breach."""
FEW_STEPS = 2
"""A beach that so few steps hold can be stormed."""
BEACH = 1.17
LATE, VERY_LATE, AUTUMN = -1.83, -4.3, 0.6
"""What the share of the turns that is gone costs the Allies, and what is gone of the last ones, but in Watch on the
Tiber."""
SWITCHED, SWITCHED_LATE = 0.2, 1.5
"""The supply switch, and how much more it is worth late in Watch on the Tiber."""
STUCK = -2.5
"""Germans near Naples when no time is left for the switch."""


def worth(view: Mapping[str, Any], side: str) -> float:
    """From 0 (lost) to 1 (won)."""
    outcome = view["outcome"]
    if outcome is not None:
        return 0.5 if not outcome["winner"] else float(outcome["winner"] == side)
    here = ground_of_view(view)
    steps = steps_by_hex(view)
    lean = START + _way_north(view, here, steps) + _strength(view) + BEACH * _beaches(view, steps) + _clock(view, here)
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


def _way_north(view: Mapping[str, Any], here: Ground, steps: Mapping[tuple[str, str], int]) -> float:
    """How soon somebody can leave the map, how near the Allies are, and what opens when the weakest post falls."""
    turns = exit_turns(here)
    moving = view["active"] == ALLIED
    lean = (ON_THE_MOVE if moving else WAITING)[turns]
    if turns == 1 and not moving:
        lean += RUNNER * (runaways(here).bit_count() - 1)
    allied = {INDEX[at]: n for (side, at), n in steps.items() if side == ALLIED and at in INDEX}
    lean += SPEARHEAD * min((NORTH_DISTANCE[h] for h, n in allied.items() if n >= SPEAR), default=30)
    german = {INDEX[at]: n for (side, at), n in steps.items() if side == GERMAN and at in INDEX}
    pressed, post = max(
        ((_pressure(h, german.get(h, 0), allied), h) for h in hexes_of(around(here.allied) & here.german)),
        default=(0.0, -1),
    )
    if pressed > 0 and turns > 1:
        then = exit_turns(_fallen(view, here, post), SOON)
        lean += BREACH * pressed * max(0.0, NORTH_LOSS[then] - NORTH_LOSS[turns])
    return lean


def _pressure(post: int, held: int, allied: Mapping[int, int]) -> float:
    """How much stronger the strongest stack beside a post is than those who hold it, from 0 to 1."""
    strongest = max((n for h, n in allied.items() if ZONE[post] & BIT[h]), default=0)
    good = 0.8 if TERRAIN[post] == MOUNTAIN or CITY[post] else 0.0
    return min(1.0, max(0.0, (strongest - held - good) / 4))


def _fallen(view: Mapping[str, Any], here: Ground, post: int) -> Ground:
    """The ground when the Allies have taken a post."""
    zone = 0
    for piece in view["pieces"]:
        h = INDEX.get(piece["at"])
        if piece["side"] == GERMAN and h is not None and h != post and "support" not in piece["facts"][1][1]:
            zone |= ZONE[h]
    return here._replace(allied=here.allied | BIT[post], german=here.german & ~BIT[post], german_zoc=zone)


def _strength(view: Mapping[str, Any]) -> float:
    lead = 0
    for piece in view["pieces"]:
        at, allied = piece["at"], piece["side"] == ALLIED
        if at in INDEX or at.startswith("battle") or (at == GERMAN_BOX and not allied):
            lead += _steps(piece) if allied else -_steps(piece)
    return STEP * lead


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
    lean = SWITCHED if extra["switched"] else 0.0
    if extra["scenario"] != WAT:
        lean += LATE * late + VERY_LATE * max(0.0, late - AUTUMN)
    elif extra["switched"]:
        lean += SWITCHED_LATE * late
    if not extra["switched"] and here.german & NEAR_NAPLES:
        lean += STUCK * max(0.0, (extra["turn"] - 8) / (DEADLINE - 8))
    return lean
