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


def draw_plan(type: str, dice: Dice) -> Plan:
    """A plan within the spread of the type, leaning towards its middle."""
    hexes = board_grid().size
    shares = ("woods", "orchard", "grain", "rough", "wet", "built", "raised", "roads")
    aims = {name: _aim(dice, *spreads()[type][name]) for name in Plan.__struct_fields__ if name != "type"}
    counts = {name: (value * hexes + 500) // 1000 if name in shares else value for name, value in aims.items()}
    if type == "beach":
        counts["wet"] = dice.between(50, 90)
    if not counts["top"]:
        counts["raised"] = 0
    counts["buildings"] = max(1, min(counts["buildings"], counts["built"]))
    return Plan(type, **counts)


def _aim(dice: Dice, low: int, middle: int, high: int) -> int:
    """A number well inside the spread, as often below its middle value as above it."""
    if high - low < 3:
        return dice.between(low, high)
    if dice.chance(50):
        return dice.between(low + (middle - low + 3) // 4, middle)
    return dice.between(middle, high - (high - middle + 3) // 4)
