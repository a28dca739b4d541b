"""A raster prepared for judging lines of sight: regions of like ground, hex levels and hex terrain."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, hypot

import numpy as np
from numpy.typing import NDArray

from sandtable.space.grid import NO_CELL
from sandtable.space.hexgrid import HexGrid
from sandtable.space.raster import Raster
from sandtable.space.terrain import Los, terrain_table

CENTRE = 6
"""Stands in place of a hexside for the middle of a hex."""

SHOWN = 0.25
"""Share of a hex that terrain must cover to make the hex one of its kind; less is spill from next door (1.1.1)."""

LOS_CODE: dict[Los, int] = {"none": 0, "hindrance": 1, "obstacle": 2}
NONE, HINDRANCE, OBSTACLE = 0, 1, 2
BRIDGE_PIXELS = 120
"""Pixels of a bridge that make it lead across a hex, though the centre dot may show the road or what runs below."""
BANK_PIXELS = 500
"""Pixels of the banks of a sunken or an elevated road that make a hex such a road."""
DOT, AROUND = 4, 8
"""Half the widths of squares around the centre dot: boards may mark a bridge there, in the middle of its road."""
AS_ABOVE = 3
"""Same-level behaviour of terrain that is the same at every level."""


@dataclass(frozen=True, eq=False)
class Ground:
    """What each class of pixel is; levels and heights are counted in half levels."""

    code: NDArray[np.uint8]
    level: NDArray[np.int16]
    side: NDArray[np.int8]
    top: NDArray[np.int16]
    whole: NDArray[np.int16]
    """Ground and full levels of height, without the half level."""
    half: NDArray[np.bool_]
    los: NDArray[np.int8]
    same_level: NDArray[np.int8]
    hexside: NDArray[np.bool_]
    hindrance: NDArray[np.int8]
    cliff: NDArray[np.bool_]
    deck: NDArray[np.bool_]
    """What the deck of a bridge is shown as, in hexes that a bridge crosses."""


class LosField:
    """The regions of a raster and the facts of its hexes that lines of sight depend on."""

    def __init__(self, raster: Raster, *, one_level_buildings: bool = True, cliffs: bool = True) -> None:
        self.raster = raster
        self.grid: HexGrid = raster.grid
        self.one_level_buildings = one_level_buildings
        self.width = raster.width
        self.owners = self._owners()
        table = terrain_table()
        self.depression_code = table.flags("depression", *[kind.name for kind in table if kind.in_bed])
        self.aims = self._aims()
        self.centres = np.array([self.grid.centre(cell) for cell in self.grid])
        self.outlines = self._outlines()
        self.axes = np.array(self.grid.axes, dtype=np.int32)
        self.levels = (2 * raster.levels.ravel()[self.aims].astype(np.int16)).astype(np.int16)
        """Level of each hex in half levels: that of its centre dot."""
        self._flat_ranges = self.grid.ranges.ravel()
        self.neighbours = np.array(self.grid.neighbour_table, dtype=np.int32)
        self.inherent = np.zeros(256, np.bool_)
        self.is_building = np.zeros(256, np.bool_)
        self.is_hexside = np.zeros(256, np.bool_)
        for kind in table:
            self.inherent[kind.code] = kind.inherent
            self.is_building[kind.code] = kind.is_building
            self.is_hexside[kind.code] = kind.hexside
        self.cliff_code = table["cliff"].code
        self.side_pixels = self._side_pixels()
        self.side_terrain = raster.terrain.ravel()[self.side_pixels]
        self.walled = self._walled()
        self.hex_terrain = self._hex_terrain()
        self.shows = self._shows()
        self.in_depression = self.depression_code[self.hex_terrain] | self._sunken()
        self.in_water = table.flags("water")[self.hex_terrain]
        self.bridged = self._bridged()
        self.has_cliffs = cliffs and bool((raster.terrain == self.cliff_code).any())
        self.regions, self.ground = self._regions()
        self.classes = len(self.ground.code)

    def _aims(self) -> NDArray[np.int32]:
        """The pixel of each hex's centre dot; where a bed surrounds it, that of the bed that is nearest (B19.2)."""
        spots = [self.grid.aim(cell) for cell in self.grid]
        bed = self.depression_code[self.raster.terrain]
        if bed.any():
            spots = [self._into_bed(bed, x, y) for x, y in spots]
        aims = np.array(spots, dtype=np.int32)
        return (aims[:, 1] * self.width + aims[:, 0]).astype(np.int32)

    def _into_bed(self, bed: NDArray[np.bool_], x: int, y: int) -> tuple[int, int]:
        left, top = max(0, x - DOT), max(0, y - DOT)
        around = bed[top : y + DOT + 1, left : x + DOT + 1]
        if bed[y, x] or around.sum() * 2 <= around.size:
            return x, y
        rows, columns = np.nonzero(around)
        nearest = int(((rows + top - y) ** 2 + (columns + left - x) ** 2).argmin())
        return int(columns[nearest]) + left, int(rows[nearest]) + top

    def _sunken(self) -> NDArray[np.bool_]:
        """Hexes of sunken roads: their dots lie on the road, between the banks that show them (B4.2)."""
        banks = self.raster.terrain == terrain_table()["sunken_road"].code
        found: NDArray[np.bool_] = np.bincount(self.owners[banks], minlength=self.grid.size) >= BANK_PIXELS
        return found

    def _owners(self) -> NDArray[np.int16]:
        """The hex around each pixel, taking a pixel as the point at its upper left corner, as `aim` does."""
        return self.grid.owners_at(0.0)

    def _side_pixels(self) -> NDArray[np.int32]:
        """For each hex and side, the pixel one step inside the middle of the side."""
        wide, high = self.raster.width - 1, self.raster.height - 1
        pixels = np.empty((self.grid.size, 6), np.int32)
        for cell in self.grid:
            cx, cy = self.grid.centre(cell)
            corners = self.grid.vertices(cell)
            for side in range(6):
                (ax, ay), (bx, by) = corners[side], corners[(side + 1) % 6]
                mx, my = (ax + bx) / 2, (ay + by) / 2
                away = hypot(mx - cx, my - cy)
                x = min(max(floor(mx + (cx - mx) / away), 0), wide)
                y = min(max(floor(my + (cy - my) / away), 0), high)
                pixels[cell, side] = y * self.width + x
        return pixels

    def _walled(self) -> NDArray[np.bool_]:
        """For each hex and side, whether hexside terrain stands there, seen from either of the two hexes."""
        walled = self.is_hexside[self.side_terrain]
        for side in range(6):
            other = self.neighbours[:, side]
            beyond = self.is_hexside[self.side_terrain[np.maximum(other, 0), (side + 3) % 6]]
            walled[:, side] |= beyond & (other != NO_CELL)
        return walled

    def _hex_terrain(self) -> NDArray[np.uint8]:
        """Terrain of each hex: its centre pixel's, unless a building or inherent terrain claims the hex."""
        terrain = self.raster.terrain
        flat = terrain.ravel()
        codes = flat[self.aims].copy()
        x, y = self.aims % self.width, self.aims // self.width
        wide, high = self.raster.width - 1, self.raster.height - 1
        for dx, dy in ((0, 5), (5, 0), (0, -5), (-5, 0)):
            near = terrain[np.clip(y + dy, 0, high), np.clip(x + dx, 0, wide)]
            codes = np.where(self.is_building[near] & ~self.is_building[codes], near, codes)
        for side in range(6):
            near = self.side_terrain[:, side]
            codes = np.where(self.is_building[near] & ~self.is_building[codes], near, codes)
        pixels = np.flatnonzero(self.inherent[flat])
        owners = self.owners.ravel()[pixels]
        middle = self.nearest_side(pixels, owners) == CENTRE
        codes[owners[middle][::-1]] = flat[pixels[middle]][::-1]
        return codes.astype(np.uint8)

    def _shows(self) -> NDArray[np.bool_]:
        """For each hex, the terrain codes that make it such a hex: at its centre, inherent, or on much of it."""
        keys = self.owners.ravel().astype(np.intp) * 256 + self.raster.terrain.ravel()
        counts = np.bincount(keys, minlength=self.grid.size * 256).reshape(-1, 256)
        shows: NDArray[np.bool_] = counts >= SHOWN * counts.sum(axis=1, keepdims=True)
        shows[np.arange(self.grid.size), self.raster.terrain.ravel()[self.aims]] = True
        shows[np.arange(self.grid.size), self.hex_terrain] = True
        return shows

    def _bridged(self) -> NDArray[np.bool_]:
        """Hexes that a bridge crosses, as far as they are more than the end of one."""
        pixels = terrain_table().flags("bridge")[self.raster.terrain]
        found: NDArray[np.bool_] = np.bincount(self.owners[pixels], minlength=self.grid.size) >= BRIDGE_PIXELS
        return found

    def nearest_side(self, pixels: NDArray[np.integer], owners: NDArray[np.integer]) -> NDArray[np.int8]:
        """Which hexside of its hex a pixel is nearest to, or CENTRE."""
        dx = pixels % self.width - self.centres[owners, 0]
        dy = pixels // self.width - self.centres[owners, 1]
        best = dx * dx + dy * dy
        nearest = np.full(len(pixels), CENTRE, np.int8)
        corners = self.grid.corners
        for side in range(6):
            (ax, ay), (bx, by) = corners[side], corners[(side + 1) % 6]
            distance = (dx - (ax + bx) / 2) ** 2 + (dy - (ay + by) / 2) ** 2
            nearest = np.where(distance < best, side, nearest).astype(np.int8)
            best = np.minimum(best, distance)
        return nearest

    def _clear_roads(self, codes: NDArray[np.uint8]) -> None:
        """Let the road of a bridge run on over its centre dot, where a board marks the bridge."""
        bridge, road = terrain_table().flags("bridge"), terrain_table().flags("road")
        for cell in np.flatnonzero(self.bridged).tolist():
            x, y = self.grid.aim(cell)
            around = codes[max(0, y - AROUND) : y + AROUND + 1, max(0, x - AROUND) : x + AROUND + 1]
            lanes = around[road[around]]
            if len(lanes) > bridge[around].sum():
                dot = codes[max(0, y - DOT) : y + DOT + 1, max(0, x - DOT) : x + DOT + 1]
                dot[bridge[dot]] = np.bincount(lanes).argmax()

    def _regions(self) -> tuple[NDArray[np.integer], Ground]:
        """Number each pixel by hex and class of ground, so that a walk meets few different numbers."""
        codes = self.raster.terrain.ravel().copy()
        owners = self.owners.ravel()
        self._clear_roads(codes.reshape(self.raster.terrain.shape))
        pixels = np.flatnonzero(self.inherent[codes])
        # inherent terrain that spills over from another hex has no effect there
        spilled = self.hex_terrain[owners[pixels]] != codes[pixels]
        codes[pixels[spilled]] = 0
        levels = self.raster.levels.ravel()
        keys = codes.astype(np.int32) * 256 + (levels.astype(np.int32) + 128)
        sides = np.full(len(codes), CENTRE, np.int8)
        walls = np.flatnonzero(self.is_hexside[codes])
        sides[walls] = self.nearest_side(walls, owners[walls])
        keys = keys * 8 + sides
        found = np.bincount(keys, minlength=256 * 256 * 8) > 0
        # lines along hexsides carry the inherent terrain of the hexes beside them over any ground
        for code in np.unique(self.hex_terrain[self.inherent[self.hex_terrain]]):
            for level in np.unique(levels):
                found[(int(code) * 256 + int(level) + 128) * 8 + CENTRE] = True
        present = np.flatnonzero(found)
        self._lookup = np.zeros(len(found), np.int32)
        self._lookup[present] = np.arange(len(present))
        regions = owners.astype(np.int32) * len(present) + self._lookup[keys]
        small = np.uint16 if int(regions.max()) < 65536 else np.int32
        return regions.astype(small).reshape(self.raster.terrain.shape), self._ground(present)

    def _ground(self, keys: NDArray[np.integer]) -> Ground:
        codes = (keys // 2048).astype(np.uint8)
        levels = (2 * ((keys // 8) % 256 - 128)).astype(np.int16)
        known = terrain_table().by_code
        kinds = [known[int(code)] for code in codes]
        height = [kind.half_levels(one_level_buildings=self.one_level_buildings) for kind in kinds]
        tall = np.array(height, dtype=np.int16)
        same = [AS_ABOVE if kind.same_level is None else LOS_CODE[kind.same_level] for kind in kinds]
        return Ground(
            code=codes,
            level=levels,
            side=(keys % 8).astype(np.int8),
            top=(levels + tall).astype(np.int16),
            whole=(levels + tall // 2 * 2).astype(np.int16),
            half=tall % 2 == 1,
            los=np.array([LOS_CODE[kind.los] for kind in kinds], dtype=np.int8),
            same_level=np.array(same, dtype=np.int8),
            hexside=np.array([kind.hexside for kind in kinds], dtype=np.bool_),
            hindrance=np.array([kind.hindrance for kind in kinds], dtype=np.int8),
            cliff=codes == self.cliff_code,
            deck=terrain_table().flags("bridge", "road", "depression")[codes],
        )

    def ranges(self, one: NDArray[np.integer], other: NDArray[np.integer]) -> NDArray[np.uint8]:
        """Ranges between pairs of hexes."""
        return self._flat_ranges.take(one * np.int32(self.grid.size) + other)

    def covered(self, classes: NDArray[np.integer], codes: NDArray[np.integer]) -> NDArray[np.int32]:
        """Classes of the same ground levels under other terrain; such classes exist for inherent terrain."""
        levels = self.ground.level[classes] // 2 + 128
        keys = (codes.astype(np.int32) * 256 + levels) * 8 + CENTRE
        found: NDArray[np.int32] = self._lookup.take(keys)
        return found

    def _outlines(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The top row of each hex outline, and the first and the end pixel of each of its rows.

        The corners are whole pixels, and the outline is one pixel larger all round.
        """
        x, y = (self.centres[:, None, :] + np.array(self.grid.corners)).transpose(2, 0, 1)
        left, right = np.trunc(x) - 1, np.trunc(x) + 1
        rows = np.trunc(y)
        top, middle, bottom = rows[:, 0] - 1, rows[:, 2], rows[:, 3] + 1
        row = top[:, None] + np.arange(int((bottom - top).max()))
        high = np.clip((row - top[:, None]) / (middle - top)[:, None], 0, 1)
        low = np.clip((row - middle[:, None]) / (bottom - middle)[:, None], 0, 1)
        first = left[:, [0]] + (left[:, [5]] - left[:, [0]]) * high + (left[:, [4]] - left[:, [5]]) * low
        end = right[:, [1]] + (right[:, [2]] - right[:, [1]]) * high + (right[:, [3]] - right[:, [2]]) * low
        spans = np.ceil(np.stack([first, end], axis=2)).astype(np.int32)
        spans[row >= bottom[:, None]] = 0
        return top.astype(np.int32), spans

    def outline_holds(self, cells: NDArray[np.integer], pixels: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Whether pixels lie in the outline of a hex or touch it."""
        tops, spans = self.outlines
        down = pixels // self.width - tops[cells]
        across = pixels % self.width
        first, end = spans[cells, np.clip(down, 0, spans.shape[1] - 1)].T
        inside: NDArray[np.bool_] = (down >= 0) & (down < spans.shape[1]) & (first <= across) & (across < end)
        return inside

    def beyond_hexside(
        self, starts: NDArray[np.integer], ends: NDArray[np.integer], cells: NDArray[np.integer]
    ) -> NDArray[np.int32]:
        """For lines along hexsides and hexes beside them, the hex on the other side of the line."""
        columns, halves = (self.axes[ends] - self.axes[starts]).T
        dc, dh = (self.axes[cells] - self.axes[starts]).T
        slope = np.where(halves == 0, 0, np.where((columns > 0) == (halves > 0), 3, -3))
        below = dh - slope * dc > 0
        turn = np.where(slope == 0, 0, np.where(slope > 0, 1, -1))
        # across a level line lies the hex above or below, across a steep one the hex to the side
        step_c = np.where(slope == 0, 0, np.where(below, turn, -turn))
        step_h = np.where(slope == 0, np.where(below, -2, 2), np.where(below, -1, 1))
        column, half = self.axes[cells, 0] + step_c, self.axes[cells, 1] + step_h
        return self._at(column, half)

    def _at(self, columns: NDArray[np.integer], halves: NDArray[np.integer]) -> NDArray[np.int32]:
        grid = self.grid
        counts = np.array([grid.rows_of(column) for column in range(grid.columns)])
        starts = np.array(grid.starts[:-1])
        inside = np.clip(columns, 0, grid.columns - 1)
        rows = halves // 2
        good = (columns == inside) & (rows >= 0) & (rows < counts[inside])
        return np.where(good, starts[inside] + rows, NO_CELL).astype(np.int32)
