"""What a step into the next hex costs Infantry on any terrain of the table, hexsides and beds included."""

from __future__ import annotations

import msgspec

from sandtable.space.cells import opposite
from sandtable.space.facts import HexFacts
from sandtable.space.terrain import terrain_table

PARTY_WALL_MF = 3.0
"""Round the bar between two houses of a row at ground level, 4 uphill (B23.71)."""


class StepCost(msgspec.Struct, frozen=True):
    """Movement Factors of one step; none where Infantry may not go."""

    mf: float | None
    all_mf: bool = False
    """It takes every MF the unit has."""


BARRED = StepCost(None)


def step_cost(here: HexFacts, side: int, there: HexFacts) -> StepCost:
    """The cost of leaving a hex over one of its hexsides into the hex behind it."""
    back = opposite(side)
    hexside = dict(here.sides).get(side) or dict(there.sides).get(back)
    if hexside == "cliff":
        return BARRED
    by_road = side in here.road_sides and back in there.road_sides
    uphill = there.level > here.level
    if side in here.rowhouse or back in there.rowhouse:
        return StepCost(PARTY_WALL_MF + uphill)
    into = _road_cost(there) if by_road else _terrain_cost(there, back)
    if into.mf is None:
        return BARRED
    # a road goes through a gap in a wall or hedge (B9.4)
    extra = 0.0 if hexside is None or by_road else terrain_table()[hexside].mf or 0.0
    if not into.all_mf:
        extra += _abrupt(there.level - here.level)
    # only the cost of the terrain is doubled uphill, never that of the hexside (B9.4, B10.4)
    return StepCost(into.mf * (2 if uphill else 1) + extra, into.all_mf)


def _abrupt(change: int) -> float:
    """MF of the levels between, where more than one is crossed at a hexside: two each up, one each down (B10.51)."""
    between = max(abs(change) - 1, 0)
    return between * (2.0 if change > 0 else 1.0)


def _road_cost(there: HexFacts) -> StepCost:
    """Along the road every hex is Open Ground, but a building keeps its cost."""
    if there.kind.is_building:
        return StepCost(there.kind.mf)
    return StepCost(1.0)


def _terrain_cost(there: HexFacts, back: int) -> StepCost:
    beds = dict(there.bed)
    if there.is_bridge:
        # only its road leads onto a bridge; every other step goes below it (B6.4)
        below = sorted(set(beds.values()))
        return _of(beds.get(back) or below[0]) if below else BARRED
    if not beds or there.terrain in beds.values():
        return _of(there.terrain)
    if beds.get(back, "").endswith("stream") and not there.bridge_rubble:
        return _of(beds[back])
    # woods and the like in the hex of a bed cost both (B19.4), except along a stream (B33); a fallen bridge lies in it
    bed, growth = _of(next(iter(beds.values()))), _of(there.terrain)
    if bed.mf is None or growth.mf is None:
        return BARRED
    return StepCost(bed.mf + (growth.mf if there.terrain != "open" else 0.0), bed.all_mf or growth.all_mf)


def _of(kind: str) -> StepCost:
    found = terrain_table()[kind]
    return StepCost(found.mf, found.all_mf)
