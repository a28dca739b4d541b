"""The map as the rules ask about it: costs, cover, levels, roads and lines of sight by hex number (1.1.1).

Made once for a map and a season and shared by all matches on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandtable.space.facts import HexFacts
from sandtable.space.grid import NO_CELL
from sandtable.space.hexgrid import HexGrid
from sandtable.space.los import BLOCKED, LosTable
from sandtable.space.loswalk import string_pixels
from sandtable.space.terrain import Season, TerrainKind, terrain_table

__all__ = ["BLOCKED", "Ground", "Way"]


class Way(NamedTuple):
    """Entering one hex from an adjacent one; costs are in half MF."""

    to: int
    side: int
    """The hexside crossed, seen from the hex that is left."""
    cost: int
    """Cost off the road, a crest line included."""
    road: int
    """Cost along the road, 0: no road crosses the hexside."""
    choice: bool
    """Both ways of entering differ in what fire can do to the unit, or in cost."""
    change: int
    """Levels up (positive) or down."""
    paved: bool


class Ground:
    """Static tables of a map, by dense hex number (1.1, G1)."""

    def __init__(
        self,
        grid: HexGrid,
        facts: Sequence[HexFacts],
        los: LosTable,
        season: Season,
        *,
        off_board: Mapping[int, int] | None = None,
    ) -> None:
        self.grid = grid
        self.size = grid.size
        self.names = grid.names
        self.index = grid.index
        self.facts = tuple(facts)
        self.season = season
        self.los = los
        self.los_row = los.row
        """`los_row(a)[b]`: the hindrance of the terrain between two hexes, or BLOCKED (3.2.1)."""
        self.ranges = grid.range_rows
        self.off_board = dict(off_board or {})
        """Half MF of the ground beside edge hexes where it is not Open Ground."""
        self.sides = grid.neighbour_table
        self.near = grid.neighbour_lists
        kinds = [self._kind(fact) for fact in self.facts]
        self.kinds: tuple[TerrainKind, ...] = tuple(kinds)
        self.level = tuple(fact.level for fact in self.facts)
        self.tem = tuple(kind.tem for kind in kinds)
        self.mortar_tem = tuple(kind.tem if kind.mortar_tem is None else kind.mortar_tem for kind in kinds)
        self.woods = tuple(kind.group == "woods" for kind in kinds)
        self.building = tuple(fact.building or "" for fact in self.facts)
        self.in_building = tuple(kind.is_building for kind in kinds)
        self.cover = tuple(kind.rally for kind in kinds)
        """Woods and buildings: rally bonus, rout goals, ambush."""
        self.open = tuple(kind.open for kind in kinds)
        """Open Ground for FFMO and Interdiction, whoever moves there."""
        self.woods_road = tuple(fact.woods_road for fact in self.facts)
        self.orchard_road = tuple(fact.orchard_road for fact in self.facts)
        self.has_road = tuple(fact.has_road for fact in self.facts)
        self.paved = tuple(any(kind == "paved" for _, kind in fact.roads) for fact in self.facts)
        self.buildings = self._buildings()
        self.ways: tuple[tuple[Way, ...], ...] = tuple(self._ways_from(cell) for cell in grid)

    def _kind(self, fact: HexFacts) -> TerrainKind:
        kind = fact.kind
        if kind.season is not None and kind.out is not None and not getattr(self.season, kind.season):
            return terrain_table()[kind.out]
        return kind

    def _buildings(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, list[int]] = {}
        for cell, building in enumerate(self.building):
            if building:
                found.setdefault(building, []).append(cell)
        return {building: tuple(cells) for building, cells in found.items()}

    def entry_cost(self, cell: int) -> int:
        """Half MF to enter a hex over level ground, off the road."""
        return round(2 * (self.kinds[cell].mf or 1))

    def _ways_from(self, cell: int) -> tuple[Way, ...]:
        ways = []
        leaving = dict(self.facts[cell].roads)
        for side, to in enumerate(self.sides[cell]):
            if to == NO_CELL:
                continue
            change = self.level[to] - self.level[cell]
            factor = 2 if change > 0 else 1
            cost = self.entry_cost(to) * factor
            entering = dict(self.facts[to].roads)
            back = (side + 3) % 6
            road, choice = 0, False
            if side in leaving and back in entering:
                # a building hex keeps its cost; every other hex is Open Ground along its road
                road = cost if self.in_building[to] else 2 * factor
                choice = not self.open[to] and not self.in_building[to]
            ways.append(Way(to, side, cost, road, choice, change, entering.get(back) == "paved"))
        return tuple(ways)

    def way(self, start: int, to: int) -> Way | None:
        """The way between two adjacent hexes."""
        for way in self.ways[start]:
            if way.to == to:
                return way
        return None

    def seen_within(self, limit: int) -> tuple[int, ...]:
        """For each hex, how many hexes up to a range it sees."""
        return _seen_within(self, limit)

    def crossed(self, start: int, end: int) -> tuple[int, ...]:
        """Hexes that a line of sight touches between its ends, for Smoke as inherent terrain (1.2.5)."""
        return _crossed(self, min(start, end), max(start, end))

    def entered_through(self, source: int, target: int) -> tuple[int, ...]:
        """Hexsides of the target hex that a line from the source crosses; two along a hexspine."""
        return _entered_through(self, source, target)

    def crosses_woods_in(self, source: int, target: int) -> bool:
        """Whether a line meets a woods symbol inside the target hex (Woods-Road, 1.1.1)."""
        return _crosses(self, source, target, "woods")

    def crosses_orchard_in(self, source: int, target: int) -> bool:
        """Whether a line leaves the road between the trees inside the target hex (Orchard-Road, 1.1.1)."""
        return _crosses(self, source, target, "orchard")


@lru_cache(maxsize=64)
def _seen_within(ground: Ground, limit: int) -> tuple[int, ...]:
    seen = _lines(ground) & (ground.grid.ranges <= limit)
    return tuple(seen.sum(axis=1).tolist())


@lru_cache(maxsize=16)
def _lines(ground: Ground) -> NDArray[np.bool_]:
    """Which pairs of hexes see each other; working all lines out at once is the quickest way."""
    ground.los.complete()
    rows = np.frombuffer(b"".join(ground.los_row(cell) for cell in range(ground.size)), np.uint8)
    lines: NDArray[np.bool_] = rows.reshape(ground.size, ground.size) != BLOCKED
    return lines


@lru_cache(maxsize=20_000)
def _crossed(ground: Ground, low: int, high: int) -> tuple[int, ...]:
    field = ground.los.engine.field
    first, last = int(field.aims[low]), int(field.aims[high])
    width = field.width
    way = string_pixels(last % width - first % width, last // width - first // width, width)
    found = set(np.unique(field.owners.ravel()[first + way]).tolist())
    if ground.grid.along_hexsides(low, high):
        for cell in tuple(found):
            for other in ground.grid.neighbour_lists[cell]:
                between = ground.ranges[low][other] + ground.ranges[high][other] <= ground.ranges[low][high] + 1
                if between and ground.ranges[low][other] % 2 == 1 and _beside(ground, low, high, other):
                    found.add(other)
    return tuple(sorted(found - {low, high}))


def _beside(ground: Ground, low: int, high: int, cell: int) -> bool:
    """Whether a line along hexsides runs along one of this hex."""
    (ax, ay), (bx, by) = ground.grid.centre(low), ground.grid.centre(high)
    cx, cy = ground.grid.centre(cell)
    length = float(np.hypot(bx - ax, by - ay))
    away = abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / length
    along = ((bx - ax) * (cx - ax) + (by - ay) * (cy - ay)) / length
    return 0 < along < length and away < ground.grid.hex_height * 0.6


@lru_cache(maxsize=20_000)
def _entered_through(ground: Ground, source: int, target: int) -> tuple[int, ...]:
    grid = ground.grid
    side = grid.direction(target, source)
    if grid.along_hexsides(target, source):
        return (side, (side + 1) % 6)
    return (side,)


@lru_cache(maxsize=20_000)
def _crosses(ground: Ground, source: int, target: int, group: str) -> bool:
    field = ground.los.engine.field
    first, last = int(field.aims[source]), int(field.aims[target])
    width = field.width
    way = first + string_pixels(last % width - first % width, last // width - first // width, width)
    inside = way[field.owners.ravel()[way] == target]
    codes = field.raster.terrain.ravel()[inside]
    return bool(terrain_table().flags(group)[codes].any())
