"""The hexes of a board as plane figures: centres, corners, side midpoints and neighbours."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from shapely.geometry import Polygon, box

from sandtable.space.grid import NO_CELL, Point
from sandtable.space.hexgrid import HexGrid
from sandtable.space.remembered import remembered


class Cell(NamedTuple):
    """One hex: corners clockwise from the upper left, sides 0 (top) to 5 clockwise between them."""

    name: str
    centre: Point
    corners: tuple[Point, ...]
    neighbours: tuple[str | None, ...]

    def side_midpoint(self, side: int) -> Point:
        """Middle of a hexside."""
        (ax, ay), (bx, by) = self.corners[side], self.corners[(side + 1) % 6]
        return ((ax + bx) / 2, (ay + by) / 2)

    @property
    def polygon(self) -> Polygon:
        """The whole hex, also where it hangs over the board's edge."""
        return Polygon(self.corners)


def opposite(side: int) -> int:
    """The same hexside seen from the neighbour."""
    return (side + 3) % 6


def toward(start: Point, end: Point, share: float) -> Point:
    """The point that lies this share of the way from start to end."""
    return (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)


def frame(grid: HexGrid) -> Polygon:
    """The board's outline."""
    return box(0, 0, grid.width, grid.height)


@remembered(32)
def cells(grid: HexGrid) -> dict[str, Cell]:
    """All hexes of a grid by name."""
    names = grid.names
    return {
        name: Cell(
            name,
            grid.centre(number),
            grid.vertices(number),
            tuple(names[other] if other != NO_CELL else None for other in grid.neighbour_table[number]),
        )
        for number, name in enumerate(names)
    }


def chance(*key: object) -> float:
    """A number from 0 to 1 that depends on the key alone: the drawing's only variety."""
    digest = hashlib.blake2b("|".join(map(str, key)).encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") / 0xFFFFFFFF
