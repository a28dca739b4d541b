"""Organic outlines: a patch of terrain in one hex, sized to its share and reaching the hexsides it must."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection

from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from sandtable.space.cells import Cell, chance, toward
from sandtable.space.grid import Point

SPILL = 1.04
"""How far beyond a reached hexside a patch is drawn before it is cut at the hexside."""
SHORT = 0.95
"""How close to a hexside that it does not reach a patch may come; it does where the same terrain lies beyond."""
FILLED = 0.85
"""How far a patch that reaches two neighbouring hexsides goes at least towards the corner between them."""
ROUND = 0.9
"""How far a free corner comes out, compared with the sides beside it."""
GROWTH = 1.15
STEPS = 14


def patch(
    cell: Cell,
    reach: Collection[int],
    share: float,
    *,
    visible: Polygon,
    near: Collection[int] = (),
    carve: BaseGeometry | None = None,
    corner: float = 0.5,
    wobble: float = 0.05,
    seed: str = "",
) -> BaseGeometry:
    """The part of the hex that a terrain covers: `share` of what is visible of it, less what is carved out.

    It covers the middles of the hexsides in `reach`, and all but touches those in `near`.
    """
    inside = cell.polygon.intersection(visible)

    def figure(size: float) -> BaseGeometry:
        drawn = _blob(cell, reach, near, size, corner, wobble, seed).intersection(inside)
        return drawn.difference(carve) if carve is not None else drawn

    return fit(figure, share * inside.area)


def fit(figure: Callable[[float], BaseGeometry], area: float) -> BaseGeometry:
    """The figure, growing with its size from 0 to 1, that has this area."""
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        size = (low + high) / 2
        if figure(size).area < area:
            low = size
        else:
            high = size
    return figure((low + high) / 2)


def _blob(
    cell: Cell,
    reach: Collection[int],
    near: Collection[int],
    size: float,
    corner: float,
    wobble: float,
    seed: str,
) -> Polygon:
    """A closed curve through six side points and six corner points; `size` moves those not reached."""
    knots: list[Point] = []
    rest = _rest(size)
    for side in range(6):
        outward = _corner_factor(side, reach, size, corner)
        knots.append(_knot(cell, outward, cell.corners[side], wobble, seed, side))
        factor = SPILL if side in reach else SHORT if side in near else rest
        knots.append(_knot(cell, factor, cell.side_midpoint(side), wobble, seed, side + 6))
    curve = Polygon(_smooth(knots))
    return curve if curve.is_valid else curve.buffer(0)


def _rest(size: float) -> float:
    """Distance of a side point that is not reached, in parts of the way from the centre to the hexside."""
    return min(SHORT, 0.12 + size * GROWTH)


def _corner_factor(side: int, reach: Collection[int], size: float, corner: float) -> float:
    """How far the patch goes towards the corner between the side before and this side."""
    held = ((side - 1) % 6 in reach) + (side in reach)
    rest = _rest(size)
    if held == 2:
        return min(SPILL, max(rest, FILLED + size * 0.6))
    if held == 1:
        return rest + (1.0 - rest) * corner
    # once the sides are full the patch still grows into the corners
    beyond = max(0.0, 0.12 + size * GROWTH - SHORT)
    return min(SPILL, rest * ROUND + beyond)


def _knot(cell: Cell, factor: float, goal: Point, wobble: float, seed: str, index: int) -> Point:
    if factor < SHORT:
        factor *= 1 + wobble * (2 * chance(seed, cell.name, index) - 1)
    return toward(cell.centre, goal, factor)


def _smooth(knots: list[Point], pieces: int = 4) -> list[Point]:
    """Catmull-Rom curve through the knots."""
    count = len(knots)
    points: list[Point] = []
    for index in range(count):
        a, b, c, d = (knots[(index + step) % count] for step in (-1, 0, 1, 2))
        for piece in range(pieces):
            t = piece / pieces
            points.append((_spline(a[0], b[0], c[0], d[0], t), _spline(a[1], b[1], c[1], d[1], t)))
    return points


def _spline(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * math.pow(t, 3))


def soften(area: BaseGeometry, radius: float, *, smallest_gap: float = 150.0) -> BaseGeometry:
    """Round off notches and points of an area, and close gaps that are too small to see through."""
    smooth = area.buffer(radius).buffer(-2 * radius).buffer(radius)
    return without_gaps(smooth, smallest_gap)


def without_gaps(area: BaseGeometry, smallest: float) -> BaseGeometry:
    """The area without holes below a size."""
    parts = [part for part in getattr(area, "geoms", [area]) if isinstance(part, Polygon) and not part.is_empty]
    return unary_union(
        [Polygon(part.exterior, [hole for hole in part.interiors if Polygon(hole).area >= smallest]) for part in parts]
    )
