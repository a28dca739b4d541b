"""When the Allies have found a way north: which single move of a German division shuts it best (4.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sandtable.games.underbelly.atlas import BIT, INDEX, ZONE, around, hexes_of
from sandtable.games.underbelly.data import GERMAN
from sandtable.games.underbelly.zones import UNITS
from sandtable.players.underbelly_german import GermanPlan
from sandtable.players.underbelly_ground import FAR, Ground, exit_turns, runaways

LOSS = {1: 9.0, 2: 3.0, 3: 1.0, 4: 0.4, FAR: 0.0}
"""What an open way north is worth to the Allies, in steps, by their player turns to the edge."""
RUNAWAY = 6.0
"""The same for every stack that can leave at once."""
ON_THE_WAY = -1
"""Where somebody is who has left and will not arrive in this phase."""
UNLIKELY = 0.04
"""Attacks with less chance are not feared."""
BESIDE = 6
"""To stand beside a stack that can leave at once is as good as to bar so many hexes."""
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


def outlook(plan: GermanPlan, moves: Mapping[str, int]) -> float:
    """How bad things look in steps when units have moved: the way north now, and after the attack to be feared."""
    stacks: dict[int, list[str]] = {}
    for at, _, _, _, _, stack, _ in plan.now.forces[GERMAN]:
        rest = [u for u in stack if u not in moves]
        if rest:
            stacks[INDEX[at]] = rest
    for unit, to in moves.items():
        if to != ON_THE_WAY:
            stacks.setdefault(to, []).append(unit)
    zones = {h: ZONE[h] if any(UNITS[u].division for u in stack) else 0 for h, stack in stacks.items()}
    german = zone = 0
    for h, exerted in zones.items():
        german |= BIT[h]
        zone |= exerted
    here = plan.ground._replace(german=german, german_zoc=zone)
    turns = exit_turns(here)
    worst = total = 0.0
    for h in hexes_of(german & around(here.allied)):
        chance = plan.threats.chance(h, stacks[h])
        if chance < UNLIKELY:
            continue
        left = 0
        for other, exerted in zones.items():
            if other != h:
                left |= exerted
        fallen = here._replace(allied=here.allied | BIT[h], german=german & ~BIT[h], german_zoc=left)
        steps = sum(plan.state.steps[u] for u in stacks[h])
        risk = chance * (LOSS[exit_turns(fallen)] - LOSS[turns] + steps)
        worst, total = max(worst, risk), total + risk
    return LOSS[turns] + (RUNAWAY * runaways(here).bit_count() if turns == 1 else 0.0) + 0.7 * worst + 0.3 * total


def best_block(plan: GermanPlan) -> Block | None:
    """The move that helps most; None: no danger, or no help."""
    if plan.turns > 2:
        return None
    here = plan.ground
    before = peril(here)
    ways = (plan.allied_soon & plan.zones[0]) | around(here.allied & plan.zones[1])
    runners = runaways(here)
    best: Block | None = None
    for unit in plan.divisions:
        regular, column = plan.ways[unit]
        covers = [
            ((ways & (BIT[h] | ZONE[h])).bit_count() + BESIDE * (runners & ZONE[h]).bit_count(), h)
            for h in hexes_of(regular | column)
        ]
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
