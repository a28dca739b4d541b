"""When the Allies have found a way north: which single move of a German division shuts it best (4.1)."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.games.underbelly.atlas import BIT, ZONE, around, hexes_of
from sandtable.games.underbelly.data import GERMAN
from sandtable.games.underbelly.zones import UNITS
from sandtable.players.underbelly_german import GermanPlan
from sandtable.players.underbelly_ground import FAR, Ground, exit_turns, ground_of, runaways

LOSS = {1: 9.0, 2: 3.0, 3: 1.0, 4: 0.4, FAR: 0.0}
"""What an open way north is worth to the Allies, in steps, by their player turns to the edge."""
RUNAWAY = 6.0
"""The same for every stack that can leave at once."""
TRIED = 30
"""Hexes that are tried for one division."""


class Block(NamedTuple):
    """A division that shuts the way."""

    gain: float
    unit: str
    to: int


def peril(here: Ground) -> float:
    """How bad the way north looks for the Germans, in steps."""
    turns = exit_turns(here, 3)
    return LOSS[turns] + (RUNAWAY * runaways(here).bit_count() if turns == 1 else 0.0)


def best_block(plan: GermanPlan) -> Block | None:
    """The move that helps most; None: no danger, or no help."""
    here = ground_of(plan.state)
    before = peril(here)
    if before < LOSS[2]:
        return None
    best: Block | None = None
    region = plan.allied_soon | around(plan.allied_soon)
    for unit in plan.divisions:
        regular, column = plan.ways[unit]
        places = hexes_of((regular | column) & region)
        if not places:
            continue
        german, zone = _others(plan, unit)
        places.sort(key=lambda h: (abs(h - _middle(here)), h))
        for h in places[:TRIED]:
            then = peril(here._replace(german=german | BIT[h], german_zoc=zone | ZONE[h]))
            gain = before - then
            if gain > 0.5 and (best is None or gain > best.gain + 1e-6):
                best = Block(gain, unit, h)
    return best


def _middle(here: Ground) -> int:
    """The Allied hex nearest to the north edge: hexes are numbered from there."""
    return (here.allied & -here.allied).bit_length() - 1


def _others(plan: GermanPlan, unit: str) -> tuple[int, int]:
    """German hexes and zones without one unit."""
    german = zone = 0
    at = plan.state.at[unit]
    for place, bit, _, _, _, stack, exerted in plan.now.forces[GERMAN]:
        if place != at:
            german |= bit
            zone |= exerted
        else:
            rest = [u for u in stack if u != unit]
            if rest:
                german |= bit
            if any(UNITS[u].division for u in rest):
                zone |= exerted
    return german, zone
