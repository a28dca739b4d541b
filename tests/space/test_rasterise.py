"""From outlines to pixels: a pixel belongs to an area when its middle lies inside."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from sandtable.space.hexgrid import HexGrid, numbered_grid, standard_grid
from sandtable.space.los import LosTable
from sandtable.space.rasterise import _paint
from testboards.fields import Field

WIDE, HIGH = 40, 30
HALVES = st.integers(-12, 100).map(lambda number: number / 2)
"""Corners often lie on the middle of a pixel, where only an exact test can tell."""


@st.composite
def areas(draw: st.DrawFn) -> BaseGeometry:
    """Polygons with holes, parts and edges along the middles of pixels."""
    whole: BaseGeometry = Polygon()
    for _ in range(draw(st.integers(1, 4))):
        if draw(st.booleans()):
            left, top = draw(HALVES), draw(HALVES)
            shape = box(left, top, left + draw(st.integers(1, 30)) / 2, top + draw(st.integers(1, 30)) / 2)
        else:
            shape = Point(draw(HALVES), draw(HALVES)).buffer(draw(st.integers(1, 24)) / 2)
        whole = whole.union(shape) if draw(st.booleans()) else whole.symmetric_difference(shape)
    return whole


@settings(max_examples=150, deadline=None)
@given(areas())
def test_the_painted_pixels_are_those_with_their_middle_inside(area: BaseGeometry) -> None:
    target = np.zeros((HIGH, WIDE), np.uint8)
    _paint(target, area, 1)
    xs, ys = np.meshgrid(np.arange(WIDE) + 0.5, np.arange(HIGH) + 0.5)
    inside = np.zeros((HIGH, WIDE), np.bool_)
    for part in getattr(area, "geoms", [area]):
        inside |= shapely.contains_xy(part, xs, ys)
    assert np.array_equal(target == 1, inside)


@pytest.mark.parametrize("grid", [standard_grid(), numbered_grid(9, 7, first_column=2), HexGrid(6, 4)])
def test_every_pixel_belongs_to_the_hex_around_it(grid: HexGrid) -> None:
    for offset in (0.0, 0.5):
        owners = grid.owners_at(offset)
        assert owners.dtype == np.int16
        for y in range(3, owners.shape[0], 41):
            for x in range(5, owners.shape[1], 37):
                there = grid.cell_at(x + offset, y + offset)
                assert there < 0 or there == owners[y, x]


def test_counting_the_hexes_in_sight_needs_no_longer_lines() -> None:
    grid = HexGrid(9, 6)
    field = Field(grid)
    for name in ("C3", "D4", "E2", "G5"):
        field.terrain("woods", name)
    table = LosTable(field.raster)
    seen = table.seen_within(4)
    for cell in grid:
        row = table.row(cell)
        assert seen[cell] == sum(grid.range(cell, other) <= 4 and row[other] != 255 for other in grid)
    some = table.seen_within(4, [3, 17])
    assert [some[3], some[17]] == [seen[3], seen[17]]
