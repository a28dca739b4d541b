"""A board in the making: hexes by their number, changed step by step and turned into hex facts at the end."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Collection, Iterator
from functools import cache

from sandtable.space.cells import opposite
from sandtable.space.facts import HexFacts, RoadType, Shape
from sandtable.space.grid import NO_CELL
from sandtable.space.hexgrid import HexGrid, standard_grid
from sandtable.space.making.dice import Dice
from sandtable.space.terrain import terrain_table

DEAR = 1_000_000
"""A step of this cost is not taken."""


@cache
def board_grid() -> HexGrid:
    """The grid of every board that is made."""
    return standard_grid()


@cache
def neighbours() -> tuple[tuple[int, ...], ...]:
    """The hexes next to each hex."""
    return tuple(tuple(other for other in row if other != NO_CELL) for row in board_grid().neighbour_table)


@cache
def ranges() -> tuple[bytes, ...]:
    """Hexes from each hex to every other."""
    return tuple(row.tobytes() for row in board_grid().ranges)


@cache
def edges() -> tuple[frozenset[int], frozenset[int]]:
    """The hexes at the edge of the board, and those of them that are only half on it."""
    grid = board_grid()
    edge = frozenset(cell for cell in range(grid.size) if NO_CELL in grid.neighbour_table[cell])
    return edge, frozenset(cell for cell in edge if grid.is_half(cell))


class Sketch:
    """What stands on the board so far."""

    def __init__(self, dice: Dice, version: int) -> None:
        self.dice = dice
        self.version = version
        """Which version of the maker draws it."""
        self.grid = board_grid()
        self.cells = range(self.grid.size)
        self.beyond = self.grid.neighbour_table
        self.level = [0] * self.grid.size
        self.terrain = ["open"] * self.grid.size
        self.roads: list[set[int]] = [set() for _ in self.cells]
        self.paved: set[int] = set()
        """Hexes between which roads are paved."""
        self.building: dict[int, int] = {}
        """First hex of the building that stands in a hex."""
        self.sides: list[dict[int, str]] = [{} for _ in self.cells]
        self.bed: list[dict[int, str]] = [{} for _ in self.cells]
        self.rowhouse: list[set[int]] = [set() for _ in self.cells]
        self.wings: list[set[int]] = [set() for _ in self.cells]
        """Hexsides over which a building goes on."""
        self.stairs: set[int] = set()
        self.squares: set[int] = set()
        self.parts: dict[int, int] = {}
        self.kept: set[int] = set()
        """Hexes whose terrain is settled and not built or grown over."""
        self.apart: set[int] = set()
        """Hexes that no road from elsewhere may enter."""
        self.centres: list[int] = []
        """Middles of villages and farms, the most important first."""
        self.mouths: list[int] = []
        """Where streams end."""
        self.notable: list[int] = []
        """Hexes worth fighting for, besides buildings."""
        self.edge, self.half = edges()
        self._around, self._ranges = neighbours(), ranges()

    # Places

    def named(self, name: str) -> int:
        """The hex of that name."""
        return self.grid.index(name)

    def around(self, cell: int) -> tuple[int, ...]:
        """The hexes next to a hex."""
        return self._around[cell]

    def range(self, one: int, other: int) -> int:
        """Hexes from one to the other."""
        return self._ranges[one][other]

    def within(self, cell: int, range_: int) -> list[int]:
        """Hexes at most so far away, itself included."""
        row = self._ranges[cell]
        return [other for other in self.cells if row[other] <= range_]

    def distance(self, cell: int, others: Collection[int]) -> int:
        """Hexes to the nearest of some others."""
        row = self._ranges[cell]
        return min([row[other] for other in others]) if others else 99

    def side_to(self, cell: int, other: int) -> int:
        """The hexside between two neighbours."""
        return self.beyond[cell].index(other)

    def column(self, cell: int) -> int:
        """The hexrow, counted from A."""
        return self.grid.place(cell)[0]

    def is_free(self, cell: int) -> bool:
        """Open ground without a road, a bed or a building that may still become something."""
        return (
            self.terrain[cell] == "open"
            and not self.roads[cell]
            and not self.bed[cell]
            and cell not in self.building
            and cell not in self.kept
        )

    def free(self) -> list[int]:
        """All such hexes."""
        return [cell for cell in self.cells if self.is_free(cell)]

    def of_terrain(self, *kinds: str) -> list[int]:
        """Hexes of these kinds."""
        return [cell for cell in self.cells if self.terrain[cell] in kinds]

    def is_wet(self, cell: int) -> bool:
        """Whether water or a gully lies in the hex."""
        return bool(self.bed[cell])

    # Growing and finding ways

    def grow(
        self, seeds: Collection[int], size: int, allowed: Callable[[int], bool], *, compact: int = 2, axis: int = -1
    ) -> list[int]:
        """A patch grown hex by hex; the more compact, the more it prefers hexes that touch it on many sides.

        Along an axis (a hexside) it stretches.
        """
        found = [cell for cell in seeds if allowed(cell)][:size]
        inside = set(found)
        while len(found) < size and found:
            weights: dict[int, int] = {}
            for cell in found:
                for side, other in enumerate(self.beyond[cell]):
                    if other != NO_CELL and other not in inside and allowed(other):
                        along = 4 if axis >= 0 and side % 3 == axis % 3 else 1
                        weights[other] = weights.get(other, 0) + along
            if not weights:
                break
            choice = self.dice.weighted([(cell, weights[cell] ** compact) for cell in sorted(weights)])
            found.append(choice)
            inside.add(choice)
        return found

    def way(self, start: int, goals: Collection[int], cost: Callable[[int, int, int], int]) -> list[int]:
        """The cheapest way to any of the goals; cost(hexside entered by, hex, hexside left by) is asked at each step.

        The hexside entered by is -1 at the start.
        """
        first = (start, -1)
        best = {first: 0}
        came: dict[tuple[int, int], tuple[int, int]] = {}
        queue = [(0, start, -1)]
        while queue:
            spent, cell, entered = heapq.heappop(queue)
            here = (cell, entered)
            if spent > best[here]:
                continue
            if cell in goals:
                path = [cell]
                while here in came:
                    here = came[here]
                    path.append(here[0])
                return path[::-1]
            for side, other in enumerate(self.beyond[cell]):
                if other == NO_CELL:
                    continue
                price = spent + cost(entered, cell, side)
                there = (other, opposite(side))
                if price < min(DEAR, best.get(there, DEAR)):
                    best[there] = price
                    came[there] = here
                    heapq.heappush(queue, (price, *there))
        return []

    def lay_road(self, path: list[int]) -> None:
        """A road from hex to hex."""
        for one, other in itertools.pairwise(path):
            side = self.side_to(one, other)
            self.roads[one].add(side)
            self.roads[other].add(opposite(side))

    def lay_bed(self, path: list[int], kind: str) -> None:
        """A bed from hex to hex."""
        for one, other in itertools.pairwise(path):
            side = self.side_to(one, other)
            self.bed[one][side] = kind
            self.bed[other][opposite(side)] = kind

    def set_side(self, cell: int, side: int, kind: str) -> None:
        """Hexside terrain, on both its hexes."""
        self.sides[cell][side] = kind
        other = self.beyond[cell][side]
        if other != NO_CELL:
            self.sides[other][opposite(side)] = kind

    # The result

    def facts(self) -> dict[str, HexFacts]:
        """The hex facts of the board, as its file will say them."""
        names = self.grid.names
        return {names[cell]: self._facts(cell) for cell in self.cells}

    def _facts(self, cell: int) -> HexFacts:
        terrain = self._terrain(cell)
        bed = tuple(sorted(self.bed[cell].items()))
        below = bool(bed) and not terrain.endswith("_bridge")
        first = self.building.get(cell)
        return HexFacts(
            terrain=terrain,
            level=self.level[cell] - below,
            roads=tuple((side, self._surface(cell, side)) for side in sorted(self.roads[cell])),
            building=self.grid.names[first] if first is not None else None,
            sides=tuple(sorted(self.sides[cell].items())),
            shape=self._shape(cell, terrain),
            bed=bed,
            rowhouse=tuple(sorted(self.rowhouse[cell])),
            stairs=cell in self.stairs,
        )

    def _terrain(self, cell: int) -> str:
        """The kind of the hex; what a bed is made of stands for a hex with nothing else."""
        terrain = self.terrain[cell]
        if self.roads[cell] and terrain in ("woods", "orchard"):
            return f"{terrain}_road"
        if terrain == "open" and self.bed[cell] and not self.roads[cell]:
            return next(iter(self.bed[cell].values()))
        return terrain

    def _surface(self, cell: int, side: int) -> RoadType:
        other = self.beyond[cell][side]
        both = cell in self.paved and (other == NO_CELL or other in self.paved)
        return "paved" if both else "dirt"

    def _shape(self, cell: int, terrain: str) -> Shape:
        kind = terrain_table()[terrain]
        if cell in self.squares:
            return Shape(cover=80)
        if cell in self.building:
            return Shape(parts=self.parts.get(cell, 1), reach=tuple(sorted(self.wings[cell])))
        if terrain == "beach":
            return Shape(cover=92, reach=self._same(cell))
        if kind.inherent or terrain == "open" or self.bed[cell] or kind.group in ("open", "bridge", "water"):
            return Shape()
        same = self._same(cell)
        ragged = (cell * 37 + len(same) * 11) % 13
        cover = min(100, 58 + 7 * len(same) + ragged // 3 if terrain == "grain" else 40 + 10 * len(same) + ragged)
        return Shape(cover=cover, reach=same)

    def _same(self, cell: int) -> tuple[int, ...]:
        """Hexsides beyond which the same terrain goes on."""
        return tuple(
            side
            for side, other in enumerate(self.beyond[cell])
            if (other == NO_CELL and cell in self.half)
            or (other != NO_CELL and self.terrain[other] == self.terrain[cell])
            or (self.terrain[cell] == "beach" and "ocean" in self.bed[other].values())
        )

    def runs(self, cell: int, side: int) -> Iterator[int]:
        """Hexes in a straight line from a hex, without itself."""
        here = self.beyond[cell][side]
        while here != NO_CELL:
            yield here
            here = self.beyond[here][side]
