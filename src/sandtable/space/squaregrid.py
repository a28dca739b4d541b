"""Square grids with names such as C7, for miniatures games played on squares."""

from __future__ import annotations

from math import floor, hypot

import numpy as np
from numpy.typing import NDArray

from sandtable.space.grid import NO_CELL, Grid, GridError, Point, column_letters

STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""Column and row steps in eight directions, clockwise from the top; the odd ones are diagonal."""


class SquareGrid(Grid):
    """Columns A, B, C ... and rows 1, 2, 3 ... of squares; row 1 is at the top.

    With `diagonals` a diagonal step counts as one and corner neighbours are adjacent. `diagonal_limit`
    is how many diagonal steps a range may hold; further ones count as two squares.
    """

    word = "square"
    sides = 8

    def __init__(
        self,
        columns: int,
        rows: int,
        *,
        diagonals: bool = True,
        diagonal_limit: int | None = None,
        square: float = 64.0,
    ) -> None:
        if columns < 1 or rows < 1:
            raise GridError("a grid needs at least one column and one row")
        self.columns, self.rows = columns, rows
        self.diagonals = diagonals
        self.diagonal_limit = diagonal_limit if diagonals else 0
        self.square = float(square)
        self.width, self.height = columns * self.square, rows * self.square
        super().__init__([f"{column_letters(c)}{r + 1}" for c in range(columns) for r in range(rows)])

    @property
    def key(self) -> tuple[object, ...]:
        """Everything that tells one grid from another."""
        return self.columns, self.rows, self.diagonals, self.diagonal_limit, self.square

    def __eq__(self, other: object) -> bool:
        return self.key == other.key if isinstance(other, SquareGrid) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.key)

    def at(self, column: int, row: int) -> int:
        """The square in that column and row, or NO_CELL."""
        if 0 <= column < self.columns and 0 <= row < self.rows:
            return column * self.rows + row
        return NO_CELL

    def place(self, cell: int) -> tuple[int, int]:
        """Column and row of a square."""
        return divmod(self._checked(cell), self.rows)

    def is_diagonal(self, side: int) -> bool:
        """Whether a direction leads across a corner."""
        return side % 2 == 1

    def _make_neighbours(self) -> tuple[tuple[int, ...], ...]:
        return tuple(
            tuple(
                self.at(column + dc, row + dr) if self.diagonals or not self.is_diagonal(side) else NO_CELL
                for side, (dc, dr) in enumerate(STEPS)
            )
            for column in range(self.columns)
            for row in range(self.rows)
        )

    def _make_ranges(self) -> NDArray[np.uint8]:
        cells = np.arange(self.size)
        columns, rows = cells // self.rows, cells % self.rows
        across = np.abs(columns[:, None] - columns[None, :])
        down = np.abs(rows[:, None] - rows[None, :])
        diagonal = np.minimum(across, down)
        if self.diagonal_limit is not None:
            diagonal = np.minimum(diagonal, self.diagonal_limit)
        ranges: NDArray[np.intp] = across + down - diagonal
        if ranges.max(initial=0) > 255:
            raise GridError("a grid may not be more than 255 squares across")
        return ranges.astype(np.uint8)

    def line(self, start: int, end: int) -> list[int]:
        """Squares on the straight way between two centres; the same squares in both directions."""
        low, high = sorted((self._checked(start), self._checked(end)))
        (c0, r0), (c1, r1) = self.place(low), self.place(high)
        steps = max(abs(c1 - c0), abs(r1 - r0))
        path = [low]
        for step in range(1, steps + 1):
            # a hair to one side, so that a line through corners always takes the same squares
            column = c0 + round((c1 - c0) * step / steps + 1e-9)
            row = r0 + round((r1 - r0) * step / steps + 1e-9)
            c, r = self.place(path[-1])
            if not self.diagonals and c != column and r != row:
                path.append(self.at(column, r))
            path.append(self.at(column, row))
        return path if low == start else path[::-1]

    def direction(self, start: int, end: int) -> int:
        """The side or corner that faces another square; halfway between two, the first one clockwise."""
        (c0, r0), (c1, r1) = self.place(start), self.place(end)
        dc, dr = c1 - c0, r1 - r0
        if dc == 0 and dr == 0:
            raise GridError("a square has no direction to itself")
        choices = [side for side in range(8) if self.diagonals or not self.is_diagonal(side)]

        def agreement(side: int) -> float:
            x, y = STEPS[side]
            return round((x * dc + y * dr) / hypot(x, y), 9)

        return max(choices, key=agreement)

    def edges(self, cell: int) -> frozenset[str]:
        column, row = self.place(cell)
        touches = {
            "north": row == 0,
            "south": row == self.rows - 1,
            "west": column == 0,
            "east": column == self.columns - 1,
        }
        return frozenset(edge for edge, here in touches.items() if here)

    def centre(self, cell: int) -> Point:
        column, row = self.place(cell)
        return (column + 0.5) * self.square, (row + 0.5) * self.square

    def vertices(self, cell: int) -> tuple[Point, ...]:
        column, row = self.place(cell)
        left, top = column * self.square, row * self.square
        right, bottom = left + self.square, top + self.square
        return (left, top), (right, top), (right, bottom), (left, bottom)

    def side_points(self, cell: int, side: int) -> tuple[Point, Point]:
        """The two ends of a side; a diagonal direction has only a corner."""
        corners = self.vertices(cell)
        if self.is_diagonal(side):
            corner = corners[(side + 1) // 2 % 4]
            return corner, corner
        return corners[side // 2], corners[(side // 2 + 1) % 4]

    def cell_at(self, x: float, y: float) -> int:
        return self.at(floor(x / self.square), floor(y / self.square))

    def in_covered_arc(self, cell: int, direction: int, target: int) -> bool:
        """Whether a square lies within 45 degrees of a facing direction."""
        (c0, r0), (c1, r1) = self.place(cell), self.place(target)
        dc, dr = c1 - c0, r1 - r0
        x, y = STEPS[direction]
        ahead, aside = x * dc + y * dr, abs(x * dr - y * dc)
        return cell != target and ahead > 0 and aside <= ahead

    def covered_arc(self, cell: int, direction: int) -> tuple[int, ...]:
        """All squares within 45 degrees of a facing direction."""
        return tuple(other for other in self if self.in_covered_arc(cell, direction, other))
