"""Lines of sight judged pixel by pixel, as the rules are told: slow, plain, and the measure for the quick engine."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

import numpy as np

from sandtable.space.los import BLOCKED
from sandtable.space.losfield import CENTRE, LosField
from sandtable.space.loswalk import string_pixels
from sandtable.space.terrain import TerrainKind, kind, terrain_table


class SlowLos:
    """Hindrance of a line counted one per range, or BLOCKED."""

    def __init__(self, field: LosField) -> None:
        self.field, self.grid = field, field.grid
        self.terrain = field.raster.terrain.ravel()
        self.ground = field.raster.levels.ravel()
        self.owners = field.owners.ravel()

    def value(self, one: int, other: int) -> int:
        """Walk the string from the lower to the higher hex number and look at every pixel."""
        self.start, self.end = sorted((one, other))
        self.levels = {cell: int(self.field.levels[cell]) // 2 for cell in (self.start, self.end)}
        self.high, self.low = max(self.levels.values()), min(self.levels.values())
        self.upper = self.start if self.levels[self.start] >= self.levels[self.end] else self.end
        self.lower = self.end if self.upper == self.start else self.start
        self.full = self.grid.range(self.start, self.end)
        hindered: set[int] = set()
        for pixel in self.pixels():
            for cell, terrain in self.covers(pixel):
                effect = self.effect(pixel, cell, terrain)
                if effect == "blocks":
                    return BLOCKED
                if effect == "hinders":
                    hindered.add(self.grid.range(self.start, cell))
        return BLOCKED if len(hindered) >= 6 else len(hindered)

    def pixels(self) -> Iterator[int]:
        """Pixels of the string outside the outlines of both end hexes."""
        width = self.field.width
        (x0, y0), (x1, y1) = self.grid.aim(self.start), self.grid.aim(self.end)
        for offset in string_pixels(x1 - x0, y1 - y0, width).tolist():
            pixel = y0 * width + x0 + offset
            if not any(self.inside(cell, pixel) for cell in (self.start, self.end)):
                yield pixel

    def inside(self, cell: int, pixel: int) -> bool:
        return bool(self.field.outline_holds(np.array([cell]), np.array([pixel]))[0])

    def covers(self, pixel: int) -> Iterator[tuple[int, TerrainKind]]:
        """The hexes and terrain to reckon with: along a hexside also the inherent terrain on both sides."""
        cell = int(self.owners[pixel])
        yield cell, self.kind_in(cell, int(self.terrain[pixel]))
        if self.grid.along_hexsides(self.start, self.end) and self.grid.range(self.start, cell) % 2 == 1:
            line = (np.array([self.start]), np.array([self.end]), np.array([cell]))
            for beside in {cell, int(self.field.beyond_hexside(*line)[0])} - {-1}:
                if self.field.inherent[self.field.hex_terrain[beside]]:
                    yield beside, terrain_table().by_code[int(self.field.hex_terrain[beside])]

    def kind_in(self, cell: int, code: int) -> TerrainKind:
        found = terrain_table().by_code[code]
        return kind("open") if found.inherent and self.field.hex_terrain[cell] != code else found

    def effect(self, pixel: int, cell: int, terrain: TerrainKind) -> str:
        if self.leaves_depression(pixel, cell):
            return "blocks"
        if terrain.hexside and (effect := self.hexside_effect(pixel, cell, terrain)):
            return effect
        if max(self.grid.range(self.start, cell), self.grid.range(self.end, cell)) >= self.full:
            return ""
        if self.ground_blocks(pixel, cell, terrain):
            return "blocks"
        return self.terrain_effect(pixel, cell, terrain)

    def leaves_depression(self, pixel: int, cell: int) -> bool:
        for own, other in ((self.start, self.end), (self.end, self.start)):
            advantage = self.levels[other] - self.levels[own]
            if self.field.in_depression[own] and self.ground[pixel] > self.levels[own] and advantage > 0:
                distance = self.grid.range(cell, other) + int(not self.field.in_depression[cell])
                if advantage < distance:
                    return True
        return False

    def hexside_effect(self, pixel: int, cell: int, terrain: TerrainKind) -> str:
        side = int(self.field.nearest_side(np.array([pixel]), np.array([cell]))[0])
        ends = (self.start, self.end)
        around = self.grid.neighbour_table[cell]
        if side == CENTRE or any(around[(side + turn) % 6] in ends for turn in (-1, 0, 1)):
            return ""
        if any(self.bends(end, cell, side) for end in ends):
            return ""
        own = self.field.is_hexside[self.field.side_terrain[cell, side]]
        if not own and any(self.grid.range(end, cell) == 1 for end in ends):
            return ""
        level = int(self.ground[pixel])
        if level == self.high == self.low and terrain.same_level == "hindrance":
            return "hinders"
        top = level + terrain.height
        even = level == self.high == self.low
        taller = terrain.height > 0 and (top > self.high or (top == self.high and top > self.low))
        return "blocks" if terrain.los == "obstacle" and (even or taller) else ""

    def bends(self, end: int, cell: int, side: int) -> bool:
        """Along hexsides: the wall on the hexspine of an end hex goes on to one side only where the spine ends."""
        if not self.grid.along_hexsides(self.start, self.end):
            return False
        around = set(self.grid.neighbour_table[cell])
        beyond = self.grid.neighbour_table[cell][side]
        for third in sorted(around & set(self.grid.neighbour_table[beyond]) - {-1} if beyond >= 0 else ()):
            meeting = sorted((cell, beyond, third), key=lambda one: self.grid.range(end, one))
            if [self.grid.range(end, one) for one in meeting] == [1, 1, 2]:
                left, right, ahead = meeting
                return self.wall_between(left, right) and not (
                    self.wall_between(left, ahead) and self.wall_between(right, ahead)
                )
        return False

    def wall_between(self, one: int, other: int) -> bool:
        side = self.grid.neighbour_table[one].index(other)
        seen = (self.field.side_terrain[one, side], self.field.side_terrain[other, (side + 3) % 6])
        return any(bool(self.field.is_hexside[code]) for code in seen)

    def ground_blocks(self, pixel: int, cell: int, terrain: TerrainKind) -> bool:
        level = int(self.ground[pixel])
        if terrain.name == "cliff" and self.cliff_hides(pixel, cell):
            return True
        if level <= self.low:
            return False
        decides = self.along_cliff(cell)
        if level >= self.high and decides is not None and decides < self.high:
            return False
        if level > self.high:
            return True
        if level == self.high:
            other = self.beyond(cell)
            beside = (cell,) if other is None or other in self.ends else (cell, other)
            return not all(self.own_slope(pixel, one, terrain) for one in beside)
        return self.grid.range(cell, self.lower) <= max(self.hidden(level, cell), 0)

    @property
    def ends(self) -> tuple[int, int]:
        return self.start, self.end

    def beyond(self, cell: int) -> int | None:
        """Along hexsides, the hex on the other side of the line."""
        if not self.grid.along_hexsides(self.start, self.end) or self.grid.range(self.start, cell) % 2 == 0:
            return None
        found = int(self.field.beyond_hexside(*(np.array([one]) for one in (self.start, self.end, cell)))[0])
        return None if found < 0 else found

    def along_cliff(self, cell: int) -> int | None:
        """The level that decides where the line runs along a cliff."""
        other = self.beyond(cell)
        if other is None or other not in self.grid.neighbour_table[cell]:
            return None
        side = self.grid.neighbour_table[cell].index(other)
        if int(self.field.side_terrain[cell, side]) != terrain_table()["cliff"].code:
            return None
        beside = (cell,) if other in self.ends else (cell, other)
        return min(int(self.field.levels[one]) // 2 for one in beside)

    def cliff_hides(self, pixel: int, cell: int) -> bool:
        foot, level = int(self.field.levels[cell]) // 2, int(self.ground[pixel])
        along = self.grid.along_hexsides(self.start, self.end)
        if self.high == self.low or (along and self.along_cliff(cell) is not None):
            return False
        top = level if along else max(level, foot)
        hides = self.grid.range(cell, self.lower) <= max(self.hidden(top, cell), 1)
        if along:
            return hides
        seen_over = self.low >= foot and self.high >= foot  # they differ, so one of them is above
        return hides and not (seen_over or self.field.in_depression[cell] or self.cliff_beside_end(pixel, cell))

    def cliff_beside_end(self, pixel: int, cell: int) -> bool:
        side = int(self.field.nearest_side(np.array([pixel]), np.array([cell]))[0])
        if side == CENTRE or int(self.field.side_terrain[cell, side]) != terrain_table()["cliff"].code:
            return False
        below = self.grid.range(self.upper, cell) == 1 and self.nearer(pixel, cell, self.upper)
        far_side = self.grid.range(self.lower, cell) == 1 and not self.nearer(pixel, cell, self.lower)
        return below or far_side

    def nearer(self, pixel: int, cell: int, end: int) -> bool:
        (ux, uy), (cx, cy) = self.grid.centre(end), self.grid.centre(cell)
        x, y = pixel % self.field.width, pixel // self.field.width
        return hypot(x - ux, y - uy) < hypot(cx - ux, cy - uy)

    def own_slope(self, pixel: int, cell: int, terrain: TerrainKind) -> bool:
        lower = int(self.field.levels[cell]) // 2 < self.high and self.nearer(pixel, cell, self.upper)
        shore = bool(self.field.in_water[cell] and self.field.in_water[self.lower])
        return self.grid.range(self.upper, cell) == 1 and (lower or shore) and self.height(terrain) < 2

    def hidden(self, top: int, cell: int) -> int:
        return 2 * top + self.grid.range(self.upper, cell) // 5 - self.high - self.low

    def height(self, terrain: TerrainKind) -> int:
        return terrain.half_levels(one_level_buildings=self.field.one_level_buildings)

    def terrain_effect(self, pixel: int, cell: int, terrain: TerrainKind) -> str:
        level, height = int(self.ground[pixel]), self.height(terrain)
        los = "none" if terrain.hexside else terrain.los
        if terrain.same_level is not None and level == self.high == self.low and not terrain.hexside:
            los = terrain.same_level
        whole = level + height // 2
        matters = 2 * level + height > 2 * self.high
        if not matters and height >= 2 and whole > self.low:
            behind = max(self.hidden(whole, cell) + 1, 1)
            matters = whole == self.high or self.grid.range(cell, self.lower) <= behind
        if not matters:
            return ""
        return {"obstacle": "blocks", "hindrance": "hinders", "none": ""}[los]
