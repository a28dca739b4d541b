"""Where units could march in this phase and the next, for computer players of Soft Underbelly (12.0)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from sandtable.games.underbelly.atlas import BIT, GRID, INDEX, LAND, NORTH_BITS, SIZE, bits_of
from sandtable.games.underbelly.data import OTHER
from sandtable.games.underbelly.model import Moving, UnderbellyState
from sandtable.games.underbelly.movement import movement_tally
from sandtable.games.underbelly.reach import reach
from sandtable.games.underbelly.supply import overland_network
from sandtable.games.underbelly.zones import UNITS, field
from sandtable.players.underbelly_ground import spread

USUAL_DIE = 5
"""What a question mark is taken for before the die is rolled (2.12)."""


@cache
def ranges(h: int) -> tuple[int, ...]:
    """How far every land hex is from a hex, in hexes."""
    found = [99] * SIZE
    for n in LAND:
        found[n] = GRID.range(h, n)
    return tuple(found)


def march(state: UnderbellyState, units: Sequence[str], *, column: bool = False) -> int:
    """Hexes in which the units, moving together, could end a regular move or a column (12.1, 12.7), as bits."""
    first = units[0]
    at, side = state.at[first], UNITS[first].side
    kind = "column" if column else "move"
    now = field(state)
    left = tuple(
        int(movement_tally(state, now, u, kind, USUAL_DIE if not UNITS[u].mf else 0, units).total) for u in units
    )
    return bits_of(reach(state, Moving(side, kind, at, at, tuple(units), left)).stops)


def way_out(state: UnderbellyState, units: Sequence[str], *, column: bool = False) -> int | None:
    """The hex of the north edge by which the units, moving together, could leave the map in this move (8.16, 8.18)."""
    first = units[0]
    at, side = state.at[first], UNITS[first].side
    kind = "column" if column else "move"
    now = field(state)
    left = tuple(
        int(movement_tally(state, now, u, kind, USUAL_DIE if not UNITS[u].mf else 0, units).total) for u in units
    )
    if at in INDEX and NORTH_BITS & BIT[INDEX[at]] and min(left) >= 1:
        return INDEX[at]
    found = reach(state, Moving(side, kind, at, at, tuple(units), left))
    ezoc = now.ezoc(side)
    for h in found.stops:
        if NORTH_BITS & BIT[h] and not ezoc & BIT[h]:
            cost = found.cost(h)
            if all(cost[UNITS[u].mobility] < points for u, points in zip(units, left, strict=True)):
                return h
    return None


def may_column(state: UnderbellyState, unit: str) -> bool:
    """Whether a unit may march in column from where it is (12.7)."""
    at = state.at[unit]
    if at not in INDEX:
        return UNITS[unit].side == "german"
    now, side = field(state), UNITS[unit].side
    bit = BIT[INDEX[at]]
    return bool(overland_network(state, now, side) & bit) and not now.ezoc(side) & bit


def marches(state: UnderbellyState, unit: str) -> tuple[int, int]:
    """Where one unit could be at the end of a regular move, and of a column."""
    return march(state, (unit,)), march(state, (unit,), column=True) if may_column(state, unit) else 0


def next_phase(state: UnderbellyState, unit: str, reached: int) -> int:
    """Where it could be a phase later, roughly."""
    now, side = field(state), UNITS[unit].side
    limit = 16 if UNITS[unit].mobility == "mech" else 5
    return spread(reached, now.occupied(OTHER[side]) | now.ezoc(side), 0, limit)
