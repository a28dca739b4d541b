"""Hex grids of flat-top hexes in columns, as on ASL boards (A1 ...) and operational maps (1001 ...)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import floor
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sandtable.space.grid import NO_CELL, Grid, GridError, Point, column_letters

STEPS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""What crossing each hexside does to the column and to the half-row, clockwise from the top."""

STANDARD_PITCH = 56.25
STANDARD_HEX_HEIGHT = 64.5


class HexGrid(Grid):
    """Columns of hexes; every second column is raised by half a hex.

    The half-row of a hex counts half hexes downwards, so that a raised hex has an even and its
    neighbours in the next column have odd ones; all hex arithmetic is done on (column, half-row).
    """

    sides = 6

    def __init__(
        self,
        columns: int,
        rows: int,
        *,
        raised: Literal[0, 1] = 1,
        extra_row: bool = True,
        naming: Literal["letters", "digits"] = "letters",
        first: int = 0,
        names: Sequence[str] | None = None,
        pitch: float = STANDARD_PITCH,
        hex_height: float = STANDARD_HEX_HEIGHT,
        origin: Point = (0.0, 0.0),
        size: tuple[float, float] | None = None,
    ) -> None:
        if columns < 1 or rows < 1:
            raise GridError("a grid needs at least one column and one row")
        self.columns, self.rows = columns, rows
        self.raised, self.extra_row = raised, extra_row
        self.naming, self.first = naming, first
        self.pitch, self.hex_height = float(pitch), float(hex_height)
        self.origin = (float(origin[0]), float(origin[1]))
        self.width, self.height = size or ((columns - 1) * pitch, rows * hex_height)
        self.starts: list[int] = [0]
        for column in range(columns):
            self.starts.append(self.starts[-1] + self.rows_of(column))
        self.places: tuple[tuple[int, int], ...] = tuple(
            (column, row) for column in range(columns) for row in range(self.rows_of(column))
        )
        self.axes: tuple[tuple[int, int], ...] = tuple((c, self.half_row(c, r)) for c, r in self.places)
        super().__init__(names or [self._own_name(c, r) for c, r in self.places])

    @property
    def key(self) -> tuple[object, ...]:
        """Everything that tells one grid from another."""
        shape = (self.columns, self.rows, self.raised, self.extra_row, self.pitch, self.hex_height)
        return (*shape, self.origin, self.width, self.height, self.names)

    def __eq__(self, other: object) -> bool:
        return self.key == other.key if isinstance(other, HexGrid) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.key)

    # Columns, rows and names

    def is_raised(self, column: int) -> bool:
        """Whether the column sits half a hex higher than its neighbours."""
        return column % 2 == self.raised

    def rows_of(self, column: int) -> int:
        """How many hexes the column holds."""
        return self.rows + int(self.extra_row and self.is_raised(column))

    def half_row(self, column: int, row: int) -> int:
        """Height of a hex centre below the top of the grid, in half hexes."""
        return 2 * row + int(not self.is_raised(column))

    def at(self, column: int, row: int) -> int:
        """The hex in that column and row, or NO_CELL."""
        if 0 <= column < self.columns and 0 <= row < self.rows_of(column):
            return self.starts[column] + row
        return NO_CELL

    def at_axes(self, column: int, half_row: int) -> int:
        """The hex at that column and half-row, or NO_CELL."""
        return self.at(column, half_row // 2)

    def place(self, cell: int) -> tuple[int, int]:
        """Column and row of a hex."""
        return self.places[self._checked(cell)]

    def _own_name(self, column: int, row: int) -> str:
        if self.naming == "digits":
            return f"{column + self.first:02d}{row + 1:02d}"
        number = row if self.extra_row and self.is_raised(column) else row + 1
        return f"{column_letters(column + self.first)}{number}"

    # Ranges, lines, directions

    def _make_neighbours(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(self.at_axes(c + dc, h + dh) for dc, dh in STEPS) for c, h in self.axes)

    def _make_ranges(self) -> NDArray[np.uint8]:
        axes = np.array(self.axes, dtype=np.int32)
        across = np.abs(axes[:, None, 0] - axes[None, :, 0])
        down = np.abs(axes[:, None, 1] - axes[None, :, 1])
        ranges: NDArray[np.int32] = np.where(down <= across, across, across + (down - across) // 2)
        if ranges.max(initial=0) > 255:
            raise GridError("a grid may not be more than 255 hexes across")
        return ranges.astype(np.uint8)

    def line(self, start: int, end: int) -> list[int]:
        """Hexes on the straight way between two centres; the same hexes in both directions."""
        low, high = sorted((self._checked(start), self._checked(end)))
        steps = self.range(low, high)
        (c0, h0), (c1, h1) = self.axes[low], self.axes[high]
        path = [low]
        for step in range(1, steps):
            t = step / steps
            # a hair to one side, so that a line along a hexside always takes the same hex
            path.append(self._nearest_axes(c0 + (c1 - c0) * t + 1e-6, h0 + (h1 - h0) * t + 2e-6, path[-1]))
        if steps:
            path.append(high)
        return path if low == start else path[::-1]

    def _nearest_axes(self, column: float, half_row: float, last: int) -> int:
        odd = self.raised
        q, r = column, (half_row - column - odd) / 2
        s = -q - r
        rq, rr, rs = round(q), round(r), round(s)
        dq, dr, ds = abs(rq - q), abs(rr - r), abs(rs - s)
        if dq > dr and dq > ds:
            rq = -rr - rs
        elif dr > ds:
            rr = -rq - rs
        cell = self.at_axes(rq, 2 * rr + rq + odd)
        return cell if cell != NO_CELL else self._beside(column, half_row, last)

    def _beside(self, column: float, half_row: float, last: int) -> int:
        """A line along the board edge: of the two hexes it runs between, the one on the board."""

        def distance(cell: int) -> float:
            c, h = self.axes[cell]
            return 3 * (c - column) ** 2 + (h - half_row) ** 2

        return min(self.neighbours(last), key=distance)

    def bearing(self, start: int, end: int) -> int:
        """Direction in twelfths of a circle: even ones cross the middle of hexside b/2, odd ones lie between
        two such grains; exact hexspine directions are odd, too."""
        (c0, h0), (c1, h1) = self.axes[self._checked(start)], self.axes[self._checked(end)]
        for side in range(6):
            ahead, aside = self._components((c1 - c0, h1 - h0), side)
            if ahead > 0 and aside == 0:
                return 2 * side
            if ahead > 0 and aside > 0:
                return 2 * side + 1
        raise GridError("a hex has no direction to itself")

    @staticmethod
    def _components(delta: tuple[int, int], side: int) -> tuple[int, int]:
        """The way as steps through a hexside and through the next one clockwise."""
        (a, b), (c, d) = STEPS[side], STEPS[(side + 1) % 6]
        determinant = a * d - b * c
        x, y = delta
        return (x * d - y * c) // determinant, (a * y - b * x) // determinant

    def direction(self, start: int, end: int) -> int:
        """The hexside that faces another hex; exactly along a hexspine, the one before it clockwise."""
        bearing = self.bearing(start, end)
        if bearing % 2 == 0:
            return bearing // 2
        (c0, h0), (c1, h1) = self.axes[start], self.axes[end]
        side = bearing // 2
        ahead, aside = self._components((c1 - c0, h1 - h0), side)
        return side if ahead >= aside else (side + 1) % 6

    # Hexspines and covered arcs

    def hexspine(self, cell: int, spine: int) -> tuple[int, int]:
        """The two hexes joined by a hexspine; spine 0 is the upper left corner, between sides 5 and 0."""
        if not 0 <= spine < 6:
            raise GridError(f"hexspine {spine} does not exist; hexspines are 0 to 5")
        return self.neighbour(cell, (spine - 1) % 6), self.neighbour(cell, spine)

    def in_covered_arc(self, cell: int, spine: int, target: int) -> bool:
        """Whether a hex lies in the Covered Arc of a Gun that points at a hexspine (3.2.4)."""
        (c0, h0), (c1, h1) = self.axes[self._checked(cell)], self.axes[self._checked(target)]
        ahead, aside = self._components((c1 - c0, h1 - h0), (spine - 1) % 6)
        return cell != target and ahead >= 0 and aside >= 0

    def covered_arc(self, cell: int, spine: int) -> tuple[int, ...]:
        """All hexes of a Covered Arc (3.2.4)."""
        c0, h0 = self.axes[self._checked(cell)]
        (a, b), (c, d) = STEPS[(spine - 1) % 6], STEPS[spine % 6]
        turn = a * d - b * c
        found = []
        for other, (c1, h1) in enumerate(self.axes):
            x, y = c1 - c0, h1 - h0
            if (x * d - y * c) // turn >= 0 and (a * y - b * x) // turn >= 0 and other != cell:
                found.append(other)
        return tuple(found)

    def spine_towards(self, cell: int, target: int) -> tuple[int, ...]:
        """The hexspines whose Covered Arc holds a hex: one, or two when it lies on the hex grain."""
        return tuple(spine for spine in range(6) if self.in_covered_arc(cell, spine, target))

    def along_hexsides(self, start: int, end: int) -> bool:
        """Whether the line between two centres runs exactly along hexsides."""
        (c0, h0), (c1, h1) = self.axes[start], self.axes[end]
        across, down = abs(c1 - c0), abs(h1 - h0)
        return across > 0 and (down == 0 or down == 3 * across)

    # Board edges

    def edges(self, cell: int) -> frozenset[str]:
        column, row = self.place(cell)
        found = set()
        if row == 0:
            found.add("north")
        if row == self.rows_of(column) - 1:
            found.add("south")
        if column == 0:
            found.add("west")
        if column == self.columns - 1:
            found.add("east")
        return frozenset(found)

    def is_half(self, cell: int) -> bool:
        """Whether part of the hex lies beyond the board edge."""
        return any(x < -1 or y < -1 or x > self.width + 1 or y > self.height + 1 for x, y in self.vertices(cell))

    # Pixels

    @property
    def side_length(self) -> float:
        """Length of the top and bottom hexsides."""
        return self.pitch * 2 / 3

    def centre(self, cell: int) -> Point:
        column, half_row = self.axes[self._checked(cell)]
        return self.origin[0] + self.pitch * column, self.origin[1] + self.hex_height / 2 * half_row

    def aim(self, cell: int) -> tuple[int, int]:
        """The pixel at which lines of sight start and end: the centre, kept on the board."""
        x, y = self.centre(cell)
        return (
            max(0, min(floor(x), floor(self.width) - 1)),
            max(0, min(floor(y), floor(self.height) - 1)),
        )

    @property
    def corners(self) -> tuple[Point, ...]:
        """The six corners of a hex, relative to its centre."""
        s, h = self.side_length, self.hex_height / 2
        return (-s / 2, -h), (s / 2, -h), (s, 0.0), (s / 2, h), (-s / 2, h), (-s, 0.0)

    def vertices(self, cell: int) -> tuple[Point, ...]:
        x, y = self.centre(cell)
        return tuple((x + dx, y + dy) for dx, dy in self.corners)

    def cell_at(self, x: float, y: float) -> int:
        column, half_row = self._locate(np.array([x]), np.array([y]))
        return self.at_axes(int(column[0]), int(half_row[0]))

    def _locate(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Column and half-row of the hex around each point: the nearest centre once hexes are regular."""
        u = (x - self.origin[0]) / self.pitch
        v = (y - self.origin[1]) / (self.hex_height / 2)
        left = np.floor(u)
        columns, halves, best = left, v, np.full(np.shape(u), np.inf)
        for column in (left, left + 1):
            odd = 1 - (column % 2 == self.raised)
            half = 2 * np.floor((v - odd + 1) / 2) + odd
            # in units where hexes are regular a column step is sqrt(3) half-rows
            distance = 3 * (u - column) ** 2 + (v - half) ** 2
            nearer = distance < best
            columns = np.where(nearer, column, columns)
            halves = np.where(nearer, half, halves)
            best = np.where(nearer, distance, best)
        return columns.astype(np.intp), halves.astype(np.intp)

    @cached_property
    def pixel_owners(self) -> NDArray[np.int16]:
        """For each pixel of the board, row by row, the hex that contains its middle."""
        return self.owners_at(0.5)

    def owners_at(self, offset: float) -> NDArray[np.int16]:
        """The hex around a point of each pixel, so far from its upper left corner in both directions."""
        u = (np.arange(floor(self.width)) + offset - self.origin[0]) / self.pitch
        v = (np.arange(floor(self.height)) + offset - self.origin[1]) / (self.hex_height / 2)
        halves = np.array([2 * np.floor((v - odd + 1) / 2) + odd for odd in (0, 1)])
        apart = ((v - halves) ** 2).T
        rows = (halves // 2).astype(np.int16).T
        left = np.floor(u).astype(np.intp)
        owners = np.empty((len(v), len(u)), np.int16)
        begins = np.flatnonzero(np.diff(left, prepend=left[0] - 1))
        for begin, end in zip(begins.tolist(), [*begins[1:].tolist(), len(u)], strict=True):
            # all pixels between two columns of hexes at once
            column = int(left[begin])
            near = [self._owners_in(one, rows, apart, u[begin:end] - one) for one in (column, column + 1)]
            owners[:, begin:end] = np.where(near[1][1] < near[0][1], near[1][0], near[0][0])
        return owners

    def _owners_in(
        self, column: int, rows: NDArray[np.int16], apart: NDArray[np.float64], aside: NDArray[np.floating]
    ) -> tuple[NDArray[np.int16], NDArray[np.floating]]:
        """The nearest hexes of a column, one for each row of pixels, and how far each pixel is from them.

        `rows` and `apart` tell hex and distance along columns that are raised by no or half a hex.
        """
        odd = 0 if column % 2 == self.raised else 1
        inside = min(max(column, 0), self.columns - 1)
        hexes = np.clip(rows[:, odd], 0, self.rows_of(inside) - 1) + np.int16(self.starts[inside])
        return hexes[:, None], 3 * aside**2 + apart[:, odd, None]


def standard_grid() -> HexGrid:
    """The geomorphic board: 33 columns A to GG, 346 hexes on 1800 x 645 pixels."""
    return HexGrid(33, 10)


def numbered_grid(
    columns: int, rows: int, *, first_column: int, pitch: float = STANDARD_PITCH, hex_height: float = 64.95
) -> HexGrid:
    """A map with four-digit hex names whose even columns sit half a hex higher, all columns equally long."""
    return HexGrid(
        columns,
        rows,
        raised=0 if first_column % 2 == 0 else 1,
        extra_row=False,
        naming="digits",
        first=first_column,
        pitch=pitch,
        hex_height=hex_height,
        origin=(pitch * 2 / 3, hex_height / 2),
        size=((columns - 1) * pitch + pitch * 4 / 3, (rows + 0.5) * hex_height),
    )
