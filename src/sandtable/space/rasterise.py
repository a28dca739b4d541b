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
        if part.is_empty:
            continue
        left, top, right, bottom = part.bounds
        rows = slice(max(0, floor(top) - 1), min(target.shape[0], ceil(bottom) + 1))
        columns = slice(max(0, floor(left) - 1), min(target.shape[1], ceil(right) + 1))
        xs, ys = np.meshgrid(np.arange(columns.start, columns.stop) + 0.5, np.arange(rows.start, rows.stop) + 0.5)
        shapely.prepare(part)
        target[rows, columns][shapely.contains_xy(part, xs, ys)] = value


def board_geometry(board: Board) -> BoardGeometry:
    """Outlines of a board: made from its hex facts, or traced from the pixels of an imported one."""
    if board.stored is not None:
        return trace(board.stored)
    return make_geometry(board.hexes, cells(board.grid), frame(board.grid))
