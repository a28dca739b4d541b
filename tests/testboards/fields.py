"""Small made-up battlefields for tests of lines of sight: paint terrain and levels hex by hex."""

from __future__ import annotations

import numpy as np

from sandtable.space.hexgrid import HexGrid
from sandtable.space.los import STARTER_KIT, Los, LosEngine, LosRules
from sandtable.space.raster import Raster, blank_raster
from sandtable.space.terrain import code

GRID = HexGrid(13, 8)


class Field:
    """Open ground to be painted on."""

    def __init__(self, grid: HexGrid = GRID) -> None:
        self.grid = grid
        self.raster: Raster = blank_raster(grid)
        self.owners = grid.owners_at(0.0)

    def terrain(self, kind: str, *hexes: str) -> Field:
        """Cover whole hexes with a kind of terrain."""
        for name in hexes:
            self.raster.terrain[self.owners == self.grid.index(name)] = code(kind)
        return self

    def patch(self, kind: str, name: str, radius: int = 15) -> Field:
        """Cover only the middle of a hex."""
        x, y = self.grid.aim(self.grid.index(name))
        self.raster.terrain[y - radius : y + radius, x - radius : x + radius] = code(kind)
        return self

    def level(self, level: int, *hexes: str) -> Field:
        """Raise or sink whole hexes."""
        for name in hexes:
            self.raster.levels[self.owners == self.grid.index(name)] = level
        return self

    def hexside(self, kind: str, name: str, side: int, reach: int = 1) -> Field:
        """Draw a wall or hedge along a hexside, so many pixels to either side of it."""
        (ax, ay), (bx, by) = self.grid.side_points(self.grid.index(name), side)
        for t in np.linspace(0, 1, 80):
            x, y = int(ax + (bx - ax) * t), int(ay + (by - ay) * t)
            self.raster.terrain[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1] = code(kind)
        return self

    def gully(self, *hexes: str) -> Field:
        """A gully bed one level down."""
        return self.terrain("gully", *hexes).level(-1, *hexes)

    def los(self, start: str, end: str, rules: LosRules = STARTER_KIT, **more: tuple[int, int]) -> Los:
        """Judge one line."""
        return LosEngine(self.raster, rules).explain(self.grid.index(start), self.grid.index(end), **more)
