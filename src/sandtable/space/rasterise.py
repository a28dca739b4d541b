"""From outlines to pixels: the terrain-and-elevation raster of a drawn board."""

from __future__ import annotations

from math import ceil, floor
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from sandtable.space.cells import cells, frame
from sandtable.space.geometry import BoardGeometry, make_geometry
from sandtable.space.hexgrid import HexGrid
from sandtable.space.raster import Raster, blank_raster
from sandtable.space.terrain import code, terrain_table
from sandtable.space.trace import trace

if TYPE_CHECKING:
    from sandtable.space.board import Board

CLOSE = 1e-6
"""Nearer to the middle of a pixel, an outline is looked at exactly."""
HEXSIDE_WIDTH = 3.0
"""Width of walls and hedges in pixels."""


def rasterise(geometry: BoardGeometry, grid: HexGrid) -> Raster:
    """Paint ground, roads, areas, buildings and hexside terrain, each over the ones before."""
    raster = blank_raster(grid)
    terrain, levels = raster.terrain, raster.levels
    if geometry.lowest:
        levels[:] = geometry.lowest
    for level, hill in sorted(geometry.hills.items()):
        _paint(levels, hill, level)
    for surface, area in geometry.paving.items():
        _paint(terrain, area, code(f"{surface}_road"))
    lane = terrain.copy()
    for kind, area in sorted(geometry.areas.items(), key=lambda item: terrain_table()[item[0]].height):
        _paint(terrain, area, code(kind))
    # a road stays a road where it crosses a field
    fields = terrain_table().flags("grain", "open")
    np.copyto(terrain, lane, where=(lane > 0) & fields[terrain])
    for bed in geometry.beds:
        _paint(terrain, bed.area, code(bed.kind))
        _paint(levels, bed.area, bed.level)
    for kind, area in geometry.bridges.items():
        _paint(terrain, area, code(kind))
        if terrain_table()[kind].in_bed:
            continue
        # between its parapets the road goes on
        for surface, road in geometry.paving.items():
            _paint(terrain, road.intersection(area), code(f"{surface}_road"))
        for bed in geometry.beds:
            _paint(levels, area.intersection(bed.area.buffer(1)), bed.level + 1)
    for building in geometry.buildings:
        for part in building.parts:
            _paint(terrain, part, code(building.terrain))
    for kind, area in geometry.party_walls.items():
        _paint(terrain, area, code(kind))
    for kind, line in geometry.hexsides.items():
        _paint(terrain, line.buffer(HEXSIDE_WIDTH / 2, cap_style="flat"), code(kind))
    return raster


def _paint(target: NDArray[np.uint8] | NDArray[np.int8], area: BaseGeometry, value: int) -> None:
    """Set every pixel whose middle lies inside the area."""
    for part in getattr(area, "geoms", [area]):
        if part.is_empty or part.area == 0:
            continue
        left, top, right, bottom = part.bounds
        rows = slice(max(0, floor(top) - 1), min(target.shape[0], ceil(bottom) + 1))
        columns = slice(max(0, floor(left) - 1), min(target.shape[1], ceil(right) + 1))
        if rows.start < rows.stop and columns.start < columns.stop:
            target[rows, columns][_inside(part, columns, rows)] = value


def _inside(part: BaseGeometry, columns: slice, rows: slice) -> NDArray[np.bool_]:
    """Which pixels of a window have their middle inside a polygon: row by row, between the crossings of its outline."""
    wide, high = columns.stop - columns.start, rows.stop - rows.start
    first, second = _edges(part)
    # in units of pixels from the middle of the first one
    corner = np.array([columns.start + 0.5, rows.start + 0.5])
    first, second = first - corner, second - corner
    upper, lower = np.minimum(first[:, 1], second[:, 1]), np.maximum(first[:, 1], second[:, 1])
    begin = np.clip(np.ceil(upper), 0, high).astype(np.intp)
    count = np.clip(np.ceil(lower), 0, high).astype(np.intp) - begin
    edge = np.repeat(np.arange(len(first)), count)
    row = np.arange(len(edge)) - np.repeat(np.cumsum(count) - count, count) + begin[edge]
    slope = (second[:, 0] - first[:, 0])[edge] / (second[:, 1] - first[:, 1])[edge]
    crossing = first[edge, 0] + (row - first[edge, 1]) * slope
    column = np.clip(np.ceil(crossing), 0, wide).astype(np.intp)
    turns = np.bincount(row * (wide + 1) + column, minlength=high * (wide + 1)).reshape(high, wide + 1)
    inside: NDArray[np.bool_] = (np.cumsum(turns[:, :wide], axis=1) & 1).astype(np.bool_)
    _look_closely(part, inside, row, crossing, first[:, 1], corner)
    return inside


def _edges(part: BaseGeometry) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both ends of every edge of a polygon, holes and all."""
    rings = [shapely.get_coordinates(ring) for ring in shapely.get_rings(part)]
    return np.concatenate([ring[:-1] for ring in rings]), np.concatenate([ring[1:] for ring in rings])


def _look_closely(
    part: BaseGeometry,
    inside: NDArray[np.bool_],
    row: NDArray[np.intp],
    crossing: NDArray[np.float64],
    corners: NDArray[np.float64],
    origin: NDArray[np.float64],
) -> None:
    """Where the outline runs through the middle of pixels, which only an exact test can tell, ask it."""
    high, wide = inside.shape
    unsure = np.zeros_like(inside)
    near = np.rint(crossing).astype(np.intp)
    close = (np.abs(crossing - near) < CLOSE) & (near >= 0) & (near < wide)
    unsure[row[close], near[close]] = True
    level = np.rint(corners).astype(np.intp)
    unsure[level[(np.abs(corners - level) < CLOSE) & (level >= 0) & (level < high)]] = True
    ys, xs = np.nonzero(unsure)
    if len(ys):
        shapely.prepare(part)
        inside[ys, xs] = shapely.contains_xy(part, xs + origin[0], ys + origin[1])


def board_geometry(board: Board) -> BoardGeometry:
    """Outlines of a board: made from its hex facts, or traced from the pixels of an imported one."""
    if board.stored is not None:
        return trace(board.stored)
    return make_geometry(board.hexes, cells(board.grid), frame(board.grid))
