"""One interface for boards of hexes and of squares: cells are dense numbers inside and names outside."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]

NO_CELL = -1
"""Stands for "off the board" wherever a cell number is expected."""


class GridError(ValueError):
    """A cell name, direction or cell number that this grid does not have."""


def column_letters(column: int) -> str:
    """Name of a column as printed on the boards: A to Z, then AA, BB ... (the letter is repeated)."""
    return chr(ord("A") + column % 26) * (column // 26 + 1)


class Grid(ABC):
    """Cells with neighbours, ranges, lines, rings, edges and pixel geometry."""

    word = "hex"
    """What a cell is called."""
    sides: int
    """How many directions lead out of a cell; side 0 points up the board, the others follow clockwise."""
    width: float
    height: float
    """Extent of the board in pixels; the origin is its upper left corner."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self.size = len(self.names)
        self._index = {name: number for number, name in enumerate(self.names)}
        if len(self._index) != self.size:
            raise GridError("two cells of the grid have the same name")
        self.neighbour_table: tuple[tuple[int, ...], ...] = self._make_neighbours()
        """For each cell the cell on each of its sides, NO_CELL where the board ends."""
        self.neighbour_lists = tuple(tuple(cell for cell in row if cell != NO_CELL) for row in self.neighbour_table)

    @abstractmethod
    def _make_neighbours(self) -> tuple[tuple[int, ...], ...]: ...

    @abstractmethod
    def _make_ranges(self) -> NDArray[np.uint8]: ...

    @abstractmethod
    def line(self, start: int, end: int) -> list[int]:
        """Cells on the straight way between two centres, both ends included."""

    @abstractmethod
    def direction(self, start: int, end: int) -> int:
        """The side of the first cell that faces the second one."""

    @abstractmethod
    def edges(self, cell: int) -> frozenset[str]:
        """Board edges the cell lies on: north, east, south, west."""

    @abstractmethod
    def centre(self, cell: int) -> Point:
        """Pixel of the cell's centre."""

    @abstractmethod
    def vertices(self, cell: int) -> tuple[Point, ...]:
        """Pixels of the corners, clockwise from the upper left one."""

    @abstractmethod
    def cell_at(self, x: float, y: float) -> int:
        """The cell that contains a pixel, or NO_CELL."""

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.size))

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def name(self, cell: int) -> str:
        """The name printed in a cell."""
        return self.names[self._checked(cell)]

    def index(self, name: str) -> int:
        """The number of a named cell."""
        try:
            return self._index[name]
        except KeyError:
            raise GridError(
                f"there is no {self.word} {name!r} here; names run from {self.names[0]} to {self.names[-1]}"
            ) from None

    def neighbour(self, cell: int, side: int) -> int:
        """The cell across a side, or NO_CELL at the edge of the board."""
        if not 0 <= side < self.sides:
            raise GridError(f"side {side} does not exist; sides are 0 to {self.sides - 1}")
        return self.neighbour_table[self._checked(cell)][side]

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """All adjacent cells, clockwise from the top."""
        return self.neighbour_lists[self._checked(cell)]

    def adjacent(self, one: int, other: int) -> bool:
        """Whether two cells share a side (or, on squares with diagonals, a corner)."""
        return other in self.neighbour_lists[one]

    def hexside(self, cell: int, towards: int) -> int:
        """The side of a cell that it shares with an adjacent one."""
        for side, other in enumerate(self.neighbour_table[self._checked(cell)]):
            if other == towards and other != NO_CELL:
                return side
        raise GridError(f"{self.name(cell)} and {self.name(towards)} are not adjacent")

    def opposite(self, side: int) -> int:
        """The same side seen from the neighbour."""
        return (side + self.sides // 2) % self.sides

    @cached_property
    def ranges(self) -> NDArray[np.uint8]:
        """Range between every two cells."""
        return self._make_ranges()

    @cached_property
    def range_rows(self) -> tuple[bytes, ...]:
        """The same as bytes, for quick look-ups: `range_rows[one][other]`."""
        return tuple(row.tobytes() for row in self.ranges)

    def range(self, one: int, other: int) -> int:
        """Distance in cells."""
        return self.range_rows[self._checked(one)][self._checked(other)]

    def ring(self, cell: int, radius: int) -> tuple[int, ...]:
        """Cells at exactly that range."""
        return tuple(np.flatnonzero(self.ranges[self._checked(cell)] == radius).tolist())

    def within(self, cell: int, radius: int) -> tuple[int, ...]:
        """Cells at that range or nearer, the cell itself included."""
        return tuple(np.flatnonzero(self.ranges[self._checked(cell)] <= radius).tolist())

    def edge_cells(self, edge: str) -> tuple[int, ...]:
        """Cells along one edge of the board: north, east, south or west."""
        if edge not in ("north", "east", "south", "west"):
            raise GridError(f"{edge!r} is no edge of the board; say north, east, south or west")
        return tuple(cell for cell in self if edge in self.edges(cell))

    def side_points(self, cell: int, side: int) -> tuple[Point, Point]:
        """The two ends of a side, in pixels."""
        corners = self.vertices(cell)
        return corners[side % len(corners)], corners[(side + 1) % len(corners)]

    def side_midpoint(self, cell: int, side: int) -> Point:
        """The pixel half way along a side."""
        (ax, ay), (bx, by) = self.side_points(cell, side)
        return (ax + bx) / 2, (ay + by) / 2

    def _checked(self, cell: int) -> int:
        if not 0 <= cell < self.size:
            raise GridError(f"cell number {cell} is not on this grid of {self.size} cells")
        return cell
