"""Pieces of boards, turned and cut, and how their grids join to one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import ceil, floor
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandtable.space.board import Board, BoardError
from sandtable.space.facts import HexFacts
from sandtable.space.grid import column_letters
from sandtable.space.hexgrid import HexGrid
from sandtable.space.terrain import Season, terrain_table


@dataclass(frozen=True, eq=False)
class Piece:
    """A board as it lies on the map: turned or not, its columns first to last counted as it lies."""

    board: Board
    turned: bool
    first: int
    last: int
    left: int = 0
    top: int = 0
    """Where its pixels begin on the map."""
    column: int = 0
    row: int = 0
    """Where its first column and row lie on the map's grid."""

    @property
    def grid(self) -> HexGrid:
        """The board's own grid."""
        return self.board.grid

    @property
    def columns(self) -> int:
        """How many hex columns are left after cutting."""
        return self.last - self.first + 1

    def original(self, column: int) -> int:
        """The board's own column at a column of the piece, before cutting."""
        return self.grid.columns - 1 - column if self.turned else column

    def is_raised(self, column: int) -> bool:
        """Whether a column of the turned board is raised."""
        return self.grid.is_raised(self.original(column))

    @property
    def pixels(self) -> tuple[int, int]:
        """First and last-but-one pixel column that the piece keeps; cut hexes are kept whole."""
        wide = floor(self.grid.width)
        begin, end = 0, wide
        reach = self.grid.side_length
        if self.first > 0:
            begin = max(0, floor(self.first * self.grid.pitch - reach))
        if self.last < self.grid.columns - 1:
            end = min(wide, ceil(self.last * self.grid.pitch + reach))
        return begin, end

    def raster(self, season: Season) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
        """Terrain and levels as they lie on the map."""
        raster = self.board.raster(season)
        if self.turned:
            raster = raster.turned()
        begin, end = self.pixels
        return raster.terrain[:, begin:end], raster.levels[:, begin:end]

    def cells(self, grid: HexGrid) -> Iterator[tuple[int, str]]:
        """Cells of the map's grid that the piece covers, with the hex names printed there."""
        for column in range(self.first, self.last + 1):
            own = self.original(column)
            count = self.grid.rows_of(own)
            for row in range(count):
                printed = self.grid.at(own, count - 1 - row if self.turned else row)
                yield grid.at(self.column + column - self.first, self.row + row), self.grid.names[printed]

    def facts(self, printed: str) -> HexFacts:
        """Facts of a hex, its hexsides turned with the board."""
        facts = self.board[printed]
        return turned_facts(facts) if self.turned else facts


def turned_facts(facts: HexFacts) -> HexFacts:
    """The same hex seen from the other side of the table."""

    def sides(numbers: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted((side + 3) % 6 for side in numbers))

    shape = facts.shape
    angle_kept = msgspec.structs.replace(shape, reach=sides(shape.reach), offset=(-shape.offset[0], -shape.offset[1]))
    return msgspec.structs.replace(
        facts,
        roads=tuple(sorted(((side + 3) % 6, surface) for side, surface in facts.roads)),
        sides=tuple(sorted(((side + 3) % 6, kind) for side, kind in facts.sides)),
        crest=sides(facts.crest),
        shape=angle_kept,
        bed=tuple(sorted(((side + 3) % 6, kind) for side, kind in facts.bed)),
        rowhouse=sides(facts.rowhouse),
    )


def merged(one: HexFacts, other: HexFacts) -> HexFacts:
    """One hex of two halves: what either half shows; where both show something, the stronger terrain."""
    table = terrain_table()
    strong = max((one, other), key=lambda half: _weight(table[half.terrain].group, half))
    weak = other if strong is one else one
    bed = tuple(sorted({**dict(weak.bed), **dict(strong.bed)}.items()))
    ground = max(one.ground, other.ground)
    return msgspec.structs.replace(
        strong,
        level=ground - 1 if bed and not strong.is_bridge else ground,
        roads=tuple(sorted({**dict(weak.roads), **dict(strong.roads)}.items())),
        sides=tuple(sorted({**dict(weak.sides), **dict(strong.sides)}.items())),
        building=strong.building or weak.building,
        bed=bed,
        rowhouse=tuple(sorted({*one.rowhouse, *other.rowhouse})),
        stairs=one.stairs or other.stairs,
    )


def _weight(group: str, facts: HexFacts) -> int:
    if facts.building is not None:
        return 3
    return {"open": 0, "road": 0, "grain": 1}.get(group, 2)


def renamed(facts: HexFacts, change: str | Mapping[str, str]) -> HexFacts:
    """The building's id with a board's name before it, or replaced by the one it was joined to."""
    if facts.building is None or not change:
        return facts
    name = change + facts.building if isinstance(change, str) else change.get(facts.building, facts.building)
    return msgspec.structs.replace(facts, building=name)


def whole_piece(board: Board, *, turned: bool) -> Piece:
    """A board with all its columns."""
    return Piece(board, turned, 0, board.grid.columns - 1)


def cut_piece(board: Board, first: str, last: str, *, turned: bool) -> Piece:
    """A board cut to the hexrows between two letters, as printed on it."""
    letters = [column_letters(column) for column in range(board.grid.columns)]
    for letter in (first, last):
        if letter not in letters:
            raise BoardError(f"board {board.name} has no hexrow {letter}; they run from A to {letters[-1]}")
    low, high = sorted((letters.index(first), letters.index(last)))
    if turned:
        low, high = board.grid.columns - 1 - high, board.grid.columns - 1 - low
    return Piece(board, turned, low, high)


def joined_grid(rows: list[list[Piece]]) -> tuple[tuple[Piece, ...], HexGrid]:
    """Put the pieces in their places and make the grid of the whole map."""
    first = rows[0][0]
    several = len(rows) > 1 or len(rows[0]) > 1
    if several:
        for piece in (piece for row in rows for piece in row):
            _check_joinable(piece, first)
    placed: list[Piece] = []
    top = row_number = 0
    widths = []
    for row in rows:
        left = column = 0
        for position, piece in enumerate(row):
            if position:
                _check_side_by_side(row[position - 1], piece)
                column -= 1
            placed.append(replace(piece, left=left, top=top, column=column, row=row_number))
            begin, end = piece.pixels
            left += end - begin
            column += piece.columns
        if row[0].grid.rows != row[-1].grid.rows:
            raise BoardError("boards side by side must have the same number of hexes in a hexrow")
        widths.append((left, column, row[0].is_raised(row[0].first)))
        top += floor(row[0].grid.height)
        row_number += row[0].grid.rows
    if len(set(widths)) > 1:
        raise BoardError("the rows of boards are not equally wide, so their edges do not meet")
    width, columns, raised_first = widths[0]
    origin_x, raised = _origin(first), _parity(raised_first)
    return tuple(placed), HexGrid(
        columns,
        row_number,
        raised=raised,
        extra_row=first.grid.extra_row,
        pitch=first.grid.pitch,
        hex_height=first.grid.hex_height,
        origin=(origin_x, first.grid.origin[1]),
        size=(float(width), float(top)) if several or first.columns < first.grid.columns else _size(first),
    )


def _size(piece: Piece) -> tuple[float, float]:
    return piece.grid.width, piece.grid.height


def _origin(piece: Piece) -> float:
    """Pixel of the first column's centres."""
    grid = piece.grid
    start = grid.origin[0]
    if piece.turned:
        start = floor(grid.width) - (grid.origin[0] + grid.pitch * (grid.columns - 1))
    return start + piece.first * grid.pitch - piece.pixels[0]


def _parity(first_raised: bool) -> Literal[0, 1]:
    return 0 if first_raised else 1


def _check_joinable(piece: Piece, first: Piece) -> None:
    grid, model = piece.grid, first.grid
    if (grid.pitch, grid.hex_height, grid.extra_row) != (model.pitch, model.hex_height, model.extra_row):
        raise BoardError(f"boards {first.board.name} and {piece.board.name} have hexes of different size")
    exact = abs(grid.width - (grid.columns - 1) * grid.pitch) < 1 and abs(grid.height - grid.rows * grid.hex_height) < 1
    if grid.origin != (0.0, 0.0) or not exact or not grid.extra_row:
        raise BoardError(f"board {piece.board.name} does not end in half hexes, so it cannot be joined")


def _check_side_by_side(left: Piece, right: Piece) -> None:
    for piece, column in ((left, left.last), (right, right.first)):
        if column not in (0, piece.grid.columns - 1):
            letter = column_letters(piece.original(column))
            raise BoardError(f"hexrow {letter} is not an edge of board {piece.board.name}, so nothing joins there")
    if left.is_raised(left.last) != right.is_raised(right.first):
        raise BoardError(f"boards {left.board.name} and {right.board.name} do not fit together there")
