"""Organic outlines: a patch of terrain in one hex, sized to its share and reaching the hexsides it must."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from sandtable.space.cells import Cell, chance

SPILL = 1.04
"""How far beyond a reached hexside a patch is drawn before it is cut at the hexside."""
SHORT = 0.95
"""How close to a hexside that it does not reach a patch may come; it does where the same terrain lies beyond."""
FILLED = 0.85
"""How far a patch that reaches two neighbouring hexsides goes at least towards the corner between them."""
ROUND = 0.9
"""How far a free corner comes out, compared with the sides beside it."""
GROWTH = 1.15
STEPS = 10


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
    centre = np.array(cell.centre)
    goals = np.array([point for side in range(6) for point in (cell.corners[side], cell.side_midpoint(side))])
    uneven = np.array([1 + wobble * (2 * chance(seed, cell.name, knot) - 1) for knot in range(12)])

    def figure(size: float) -> BaseGeometry:
        factors = _factors(reach, near, size, corner)
        factors = np.where(factors < SHORT, factors * uneven, factors)
        curve = Polygon(_SPLINE @ (centre + (goals - centre) * factors[:, None]))
        drawn = (curve if curve.is_valid else curve.buffer(0)).intersection(inside)
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


def _factors(reach: Collection[int], near: Collection[int], size: float, corner: float) -> NDArray[np.float64]:
    """How far the closed curve goes towards corner and middle of each side; `size` moves those not reached."""
    factors = np.empty(12)
    rest = _rest(size)
    for side in range(6):
        factors[2 * side] = _corner_factor(side, reach, size, corner)
        factors[2 * side + 1] = SPILL if side in reach else SHORT if side in near else rest
    return factors


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


def _spline_matrix(knots: int = 12, pieces: int = 4) -> NDArray[np.float64]:
    """Weights that turn knots into points of the closed Catmull-Rom curve through them."""
    weights = np.zeros((knots * pieces, knots))
    for knot in range(knots):
        for piece in range(pieces):
            t = piece / pieces
            curve = (-t + 2 * t**2 - t**3, 2 - 5 * t**2 + 3 * t**3, t + 4 * t**2 - 3 * t**3, -(t**2) + t**3)
            for step, weight in zip((-1, 0, 1, 2), curve, strict=True):
                weights[knot * pieces + piece, (knot + step) % knots] += weight / 2
    return weights


_SPLINE = _spline_matrix()


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
