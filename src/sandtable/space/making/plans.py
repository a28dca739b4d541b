"""The plan of a board: what it shall have of everything, drawn by lot from the spread of its type."""

from __future__ import annotations

import msgspec

from sandtable.space.making.dice import Dice
from sandtable.space.making.sketch import board_grid
from sandtable.space.making.spread import spreads


class Plan(msgspec.Struct, frozen=True):
    """What the board shall have, in hexes where nothing else is said."""

    type: str
    woods: int
    orchard: int
    grain: int
    rough: int
    wet: int
    built: int
    buildings: int
    largest: int
    stone: int
    """Per mille."""
    storeys: int
    """In hundredths."""
    raised: int
    top: int
    """A level."""
    hexsides: int
    roads: int
    junctions: int


SHARES = ("woods", "orchard", "grain", "rough", "wet", "built", "raised", "roads")
DRAWS = 60
"""Plans that are drawn until one is consistent in itself."""


def draw_plan(type: str, dice: Dice) -> Plan:
    """A plan within the spread of the type, leaning towards its middle."""
    sea = dice.between(60, 90) if type == "beach" else 0
    # a strip of beach lies before the sea
    land = board_grid().size - sea * 3 // 2
    plan = _drawn(type, dice, land, sea)
    for _ in range(DRAWS):
        if _is_consistent(plan, land):
            break
        plan = _drawn(type, dice, land, sea)
    return plan


def _drawn(type: str, dice: Dice, land: int, sea: int) -> Plan:
    aims = {name: _aim(dice, *spreads()[type][name]) for name in Plan.__struct_fields__ if name != "type"}
    counts = {name: (value * land + 500) // 1000 if name in SHARES else value for name, value in aims.items()}
    if sea:
        counts["wet"] = sea
    if not counts["top"]:
        counts["raised"] = 0
    return Plan(type, **counts)


def _is_consistent(plan: Plan, land: int) -> bool:
    """Whether what is left is open ground enough, and houses are neither too small nor too large."""
    bounds = spreads()[plan.type]
    wet = 0 if plan.type == "beach" else plan.wet
    rest = land - plan.woods - plan.orchard - plan.grain - plan.rough - plan.built - wet
    low, _, high = bounds["open"]
    if not low <= 1000 * rest // land <= high - (high - low) // 10:
        return False
    if plan.top and plan.raised < 4 * plan.top:
        return False
    low, _, high = bounds["building_size"]
    return plan.buildings > 0 and max(low, 100) <= 100 * plan.built // plan.buildings <= high


def _aim(dice: Dice, low: int, middle: int, high: int) -> int:
    """A number well inside the spread, as often below its middle value as above it."""
    if high - low < 3:
        return dice.between(low, high)
    if dice.chance(50):
        return dice.between(low + (middle - low + 3) // 4, middle)
    return dice.between(middle, high - (high - middle + 3) // 4)
