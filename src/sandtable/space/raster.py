"""The terrain-and-elevation grid of a board or map: what lines of sight are walked on."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor

import numpy as np
from numpy.typing import NDArray

from sandtable.space.hexgrid import HexGrid
from sandtable.space.terrain import Season, terrain_table


@dataclass(frozen=True, eq=False)
class Raster:
    """One terrain code and one ground level for each pixel, `[y, x]` from the upper left corner."""

    terrain: NDArray[np.uint8]
    levels: NDArray[np.int8]
    grid: HexGrid

    def __post_init__(self) -> None:
        shape = (floor(self.grid.height), floor(self.grid.width))
        if self.terrain.shape != shape or self.levels.shape != shape:
            raise ValueError(f"a raster of this grid must be {shape[1]} x {shape[0]} pixels")
        if self.terrain.dtype != np.uint8 or self.levels.dtype != np.int8:
            raise ValueError("a raster holds uint8 terrain codes and int8 levels")

    @property
    def width(self) -> int:
        """Pixels across."""
        return int(self.terrain.shape[1])

    @property
    def height(self) -> int:
        """Pixels down."""
        return int(self.terrain.shape[0])

    def same_as(self, other: Raster) -> bool:
        """Equal pixel by pixel on equal grids."""
        return (
            self.grid == other.grid
            and np.array_equal(self.terrain, other.terrain)
            and np.array_equal(self.levels, other.levels)
        )

    def in_season(self, season: Season) -> Raster:
        """The same ground with grain and orchards as they stand in that season."""
        codes = terrain_table().season_codes(season)
        return Raster(codes[self.terrain], self.levels, self.grid)

    def turned(self, grid: HexGrid | None = None) -> Raster:
        """The board turned by 180 degrees."""
        return Raster(
            np.ascontiguousarray(self.terrain[::-1, ::-1]),
            np.ascontiguousarray(self.levels[::-1, ::-1]),
            grid or self.grid,
        )


def blank_raster(grid: HexGrid) -> Raster:
    """Open Ground at level 0 everywhere."""
    shape = (floor(grid.height), floor(grid.width))
    return Raster(np.zeros(shape, np.uint8), np.zeros(shape, np.int8), grid)
