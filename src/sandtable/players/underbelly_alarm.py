"""When the Allies have found a way north: which single move of a German division shuts it best (4.1)."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.games.underbelly.atlas import BIT, ZONE, around, hexes_of
from sandtable.games.underbelly.data import GERMAN
from sandtable.games.underbelly.zones import UNITS
from sandtable.players.underbelly_german import GermanPlan
from sandtable.players.underbelly_ground import FAR, Ground, exit_turns, runaways

LOSS = {1: 9.0, 2: 3.0, 3: 1.0, 4: 0.4, FAR: 0.0}
"""What an open way north is worth to the Allies, in steps, by their player turns to the edge."""
RUNAWAY = 6.0
"""The same for every stack that can leave at once."""
TRIED = 12
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
    if plan.turns > 2:
        return None
    here = plan.ground
    before = peril(here)
    ways = (plan.allied_soon & plan.zones[0]) | around(here.allied & plan.zones[1])
    best: Block | None = None
    for unit in plan.divisions:
        regular, column = plan.ways[unit]
        covers = [((ways & (BIT[h] | ZONE[h])).bit_count(), h) for h in hexes_of(regular | column)]
        places = sorted((row for row in covers if row[0]), key=lambda row: (-row[0], row[1]))[:TRIED]
        if not places:
            continue
        german, zone = _others(plan, unit)
        for _, h in places:
            then = peril(here._replace(german=german | BIT[h], german_zoc=zone | ZONE[h]))
            gain = before - then
            if gain > 0.5 and (best is None or gain > best.gain + 1e-6):
                best = Block(gain, unit, h)
    return best


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
