"""Organic outlines: a patch of terrain in one hex, sized to its share and reaching the hexsides it must."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import numpy as np
import shapely
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


class Patch(NamedTuple):
    """The part of a hex that a terrain shall cover: `share` of what is visible of it, less what is carved out.

    It covers the middles of the hexsides in `reach`, and all but touches those in `near`.
    """

    cell: Cell
    reach: Collection[int]
    share: float
    near: Collection[int] = ()
    carve: BaseGeometry | None = None
    corner: float = 0.5
    wobble: float = 0.05
    seed: str = ""


def patches(wanted: Sequence[Patch], visible: Polygon) -> list[BaseGeometry]:
    """The outlines of many patches, worked out side by side."""
    if not wanted:
        return []
    drawing = _Drawing(wanted, visible)
    low, high = np.zeros(len(wanted)), np.ones(len(wanted))
    for _ in range(STEPS):
        size = (low + high) / 2
        small = shapely.area(drawing.figures(size)) < drawing.areas
        low, high = np.where(small, size, low), np.where(small, high, size)
    return list(drawing.figures((low + high) / 2))


class _Drawing:
    """Closed curves in many hexes at once, each growing with its own size from 0 to 1."""

    def __init__(self, wanted: Sequence[Patch], visible: Polygon) -> None:
        self._reach = np.array([[side in one.reach for side in range(6)] for one in wanted])
        self._near = np.array([[side in one.near for side in range(6)] for one in wanted])
        self._corner = np.array([one.corner for one in wanted])[:, None]
        self._inside = shapely.intersection([one.cell.polygon for one in wanted], visible)
        self.areas = np.array([one.share for one in wanted]) * shapely.area(self._inside)
        self._centres = np.array([one.cell.centre for one in wanted])[:, None]
        goals = [
            [point for side in range(6) for point in (one.cell.corners[side], one.cell.side_midpoint(side))]
            for one in wanted
        ]
        self._ways = np.array(goals) - self._centres
        self._uneven = np.array(
            [[1 + one.wobble * (2 * chance(one.seed, one.cell.name, knot) - 1) for knot in range(12)] for one in wanted]
        )
        self._carved = np.array([number for number, one in enumerate(wanted) if one.carve is not None], np.intp)
        # of what is carved out only what lies in the hex matters
        carve = [wanted[number].carve for number in self._carved]
        self._carve = shapely.intersection(carve, self._inside[self._carved])

    def figures(self, size: NDArray[np.float64]) -> NDArray[np.object_]:
        """What each patch covers at its size."""
        factors = self._factors(size[:, None])
        factors = np.where(factors < SHORT, factors * self._uneven, factors)
        curves = shapely.polygons(_SPLINE @ (self._centres + self._ways * factors[:, :, None]))
        faulty = ~shapely.is_valid(curves)
        curves[faulty] = shapely.buffer(curves[faulty], 0)
        drawn: NDArray[np.object_] = shapely.intersection(curves, self._inside)
        drawn[self._carved] = shapely.difference(drawn[self._carved], self._carve)
        return drawn

    def _factors(self, size: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far each curve goes towards corner and middle of each side; `size` moves those not reached."""
        # a side point that is not reached, in parts of the way from the centre to the hexside
        rest = np.minimum(SHORT, 0.12 + size * GROWTH)
        held = self._reach.astype(np.int8) + np.roll(self._reach, 1, axis=1)
        # once the sides are full the patch still grows into the corners
        beyond = np.maximum(0.0, 0.12 + size * GROWTH - SHORT)
        free = np.minimum(SPILL, rest * ROUND + beyond)
        between = np.minimum(SPILL, np.maximum(rest, FILLED + size * 0.6))
        factors = np.empty((len(size), 12))
        factors[:, 0::2] = np.where(held == 2, between, np.where(held == 1, rest + (1.0 - rest) * self._corner, free))
        factors[:, 1::2] = np.where(self._reach, SPILL, np.where(self._near, SHORT, rest))
        return factors


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
