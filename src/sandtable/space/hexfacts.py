"""Hex facts read off a raster: what each hex is by the rules, from the pixels that depict it."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandtable.space.facts import HexFacts, RoadType
from sandtable.space.losfield import BANK_PIXELS, BRIDGE_PIXELS, LosField
from sandtable.space.raster import Raster
from sandtable.space.terrain import TerrainKind, terrain_table

CENTRE_REACH = 4
"""Half the width of the square around the centre dot that decides what a hex is."""
DOMINANT = 0.5
"""Share of its area that makes terrain dominate a hex whose centre dot lies in the open (1.1.1)."""
BUILDING_PIXELS = 60
"""A depiction of fewer pixels is the corner of a neighbour's building."""
ROAD_PIXELS = 8
"""Road pixels around the middle of a hexside, within four pixels, that make the road cross there."""
CORNER_PIXELS = 40
"""Road pixels around a corner of a hex that make a road run through it."""
BED_PIXELS = 16
"""Pixels of a bed around the middle of a hexside, within four pixels, that make it cross there."""
BANKED = ("sunken_road", "elevated_road")
"""Roads that boards show by their banks."""
PARTY_WALL_PIXELS = 8
"""Pixels of a party wall around the middle of a hexside that make one stand there."""
TOUCHING = 3
"""Building pixels side by side across a hexside that make one building of two hexes."""


def facts_from_raster(raster: Raster) -> dict[str, HexFacts]:
    """Facts of all hexes of an imported board, except crest hexsides and half flags."""
    return _Reader(raster).facts()


class _Reader:
    def __init__(self, raster: Raster) -> None:
        self.raster = raster
        self.grid = raster.grid
        self.table = terrain_table()
        self.field = LosField(raster)
        self.owners = self.grid.pixel_owners
        keys = self.owners.astype(np.int64) * 256 + raster.terrain
        self.counts = np.bincount(keys.ravel(), minlength=self.grid.size * 256).reshape(-1, 256)
        walls = [kind.name for kind in self.table if kind.name.startswith("rowhouse_wall")]
        self.party_walls = self.table.flags(*walls)
        self.buildings = self._building_hexes()
        self.groups = self._building_groups()

    def facts(self) -> dict[str, HexFacts]:
        return {self.grid.names[cell]: self._hex(cell) for cell in self.grid}

    def _hex(self, cell: int) -> HexFacts:
        roads = self._roads(cell)
        bridge = self._bridge(cell) if len(roads) > 1 else None
        kind = bridge or self._kind(cell)
        terrain = kind.name
        if roads and terrain in ("woods", "orchard", "orchard_out"):
            terrain = {"woods": "woods_road", "orchard": "orchard_road", "orchard_out": "orchard_road_out"}[terrain]
        return HexFacts(
            terrain=terrain,
            level=int(self.field.levels[cell]) // 2 if bridge is None else self._level_of(cell, bridge),
            roads=roads,
            building=self.groups[cell] if kind.is_building else None,
            sides=self._sides(cell),
            bed=self._bed(cell),
            rowhouse=self._rowhouse(cell) if kind.is_building else (),
        )

    def _bridge(self, cell: int) -> TerrainKind | None:
        """The bridge that a hex shows, if it is no mere end of one."""
        bridges = np.where(self.table.flags("bridge"), self.counts[cell], 0)
        return self._most(bridges) if bridges.sum() >= BRIDGE_PIXELS else None

    def _level_of(self, cell: int, kind: TerrainKind) -> int:
        """The level of most pixels of a kind in a hex."""
        levels = self.raster.levels[(self.owners == cell) & (self.raster.terrain == kind.code)]
        return int(np.bincount(levels - levels.min()).argmax() + levels.min())

    def _kind(self, cell: int) -> TerrainKind:
        """A banked road (B5.2), a building, else inherent terrain, else what holds the dot or dominates (1.1.1)."""
        counts = self.counts[cell]
        for name in BANKED:
            if counts[self.table[name].code] >= BANK_PIXELS:
                return self.table[name]
        if self.buildings[cell]:
            houses = np.where(self.field.is_building & ~self.party_walls, counts, 0)
            return self._most(houses if houses.any() else np.where(self.field.is_building, counts, 0))
        inherent = self.table.by_code[int(self.field.hex_terrain[cell])]
        if inherent.inherent:
            return inherent
        x, y = self.grid.aim(cell)
        reach = CENTRE_REACH
        around = self.raster.terrain[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
        open_or_road = self.table.flags("open", "road", "hexside")
        middle = np.bincount(around.ravel(), minlength=256)
        if middle[~open_or_road].sum() * 2 > middle.sum():
            return self._most(np.where(open_or_road, 0, middle))
        # a bed dominates no hex whose dot is beside it
        solid = np.where(open_or_road | self.table.flags("depression"), 0, counts)
        # a road may run over the centre dot of a woods or grain hex
        if solid.max() >= DOMINANT * counts.sum() or (
            middle[self.table.flags("road")].sum() * 2 > middle.sum() and solid.max() >= 0.4 * counts.sum()
        ):
            return self._most(solid)
        bare = self._most(np.where(self.table.flags("open"), middle, 0)) if middle.any() else self.table["open"]
        return bare if bare.group == "open" else self.table["open"]

    def _most(self, counts: NDArray[np.integer]) -> TerrainKind:
        return self.table.by_code[int(counts.argmax())]

    def _building_hexes(self) -> NDArray[np.bool_]:
        area = self.counts[:, self.field.is_building].sum(axis=1)
        hex_is = self.field.is_building[self.field.hex_terrain]
        built: NDArray[np.bool_] = (area >= BUILDING_PIXELS) | (hex_is & (area > 0))
        return built

    def _building_groups(self) -> list[str]:
        """The building each hex belongs to, named by its first hex: depictions that run across a hexside."""
        parent = list(range(self.grid.size))

        def root(cell: int) -> int:
            while parent[cell] != cell:
                cell = parent[cell]
            return cell

        built = self.field.is_building[self.raster.terrain]
        for before, after in ((np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1, :], np.s_[1:, :])):
            one, other = self.owners[before], self.owners[after]
            across = built[before] & built[after] & (one != other)
            pairs = np.sort(np.stack([one[across], other[across]]), axis=0)
            touching, counts = np.unique(pairs, axis=1, return_counts=True)
            for first, second in touching[:, counts >= TOUCHING].T.tolist():
                if self.buildings[first] and self.buildings[second]:
                    low, high = sorted((root(first), root(second)))
                    parent[high] = low
        return [self.grid.names[root(cell)] for cell in self.grid]

    def _roads(self, cell: int) -> tuple[tuple[int, RoadType], ...]:
        """Hexsides that a road crosses; a road through a corner crosses both hexsides that meet there."""
        found: dict[int, RoadType] = {}
        for side in range(6):
            for surface, pixels in self._road_pixels(*self.grid.side_midpoint(cell, side)):
                if pixels >= ROAD_PIXELS:
                    found[side] = surface
        for corner, (x, y) in enumerate(self.grid.vertices(cell)):
            for surface, pixels in self._road_pixels(x, y):
                if pixels >= CORNER_PIXELS:
                    found.setdefault(corner, surface)
                    found.setdefault((corner - 1) % 6, surface)
        return tuple(sorted(found.items()))

    def _road_pixels(self, x: float, y: float) -> list[tuple[RoadType, int]]:
        """The more frequent surface around a point of the board, with its pixels."""
        counts = self._around(x, y)
        surfaces: dict[RoadType, int] = {
            "dirt": int(counts[self.table["dirt_road"].code]),
            "paved": int(counts[self.table["paved_road"].code]),
        }
        return [max(surfaces.items(), key=lambda item: item[1])]

    def _bed(self, cell: int) -> tuple[tuple[int, str], ...]:
        """Hexsides that a gully or a stream crosses, where it lies below the ground of the hex."""
        if self.counts[cell][self.table["sunken_road"].code] >= BANK_PIXELS:
            return tuple((side, "sunken_road") for side in range(6) if self._is_sunken(cell, side))
        found = []
        for side in range(6):
            counts = self._around(*self.grid.side_midpoint(cell, side))
            kind = self._most(np.where(self.field.depression_code, counts, 0))
            if kind.group == "depression" and counts[kind.code] >= BED_PIXELS:
                found.append((side, kind.name))
        bridge = self.table.by_code[int(self.field.hex_terrain[cell])].group == "bridge"
        return tuple(found) if bridge or self.field.in_depression[cell] else ()

    def _is_sunken(self, cell: int, side: int) -> bool:
        """Whether a sunken road goes on at its level over the middle of a hexside."""
        x, y = (int(one) for one in self.grid.side_midpoint(cell, side))
        near = np.s_[max(0, y - CENTRE_REACH) : y + CENTRE_REACH + 1, max(0, x - CENTRE_REACH) : x + CENTRE_REACH + 1]
        lane = self.table.flags("road", "sunken_road")[self.raster.terrain[near]]
        low = lane & (2 * self.raster.levels[near] == self.field.levels[cell])
        return bool(low.sum() * 2 > low.size)

    def _rowhouse(self, cell: int) -> tuple[int, ...]:
        """Hexsides on which a party wall stands."""
        return tuple(
            side
            for side in range(6)
            if self._around(*self.grid.side_midpoint(cell, side))[self.party_walls].sum() >= PARTY_WALL_PIXELS
        )

    def _around(self, x: float, y: float) -> NDArray[np.integer]:
        """Pixels of each kind around a point of the board, none off the board."""
        if not (-1 <= x <= self.grid.width + 1 and -1 <= y <= self.grid.height + 1):
            return np.zeros(256, np.int64)
        column, row = int(x), int(y)
        near = self.raster.terrain[max(0, row - 4) : row + 5, max(0, column - 4) : column + 5]
        return np.bincount(near.ravel(), minlength=256)

    def _sides(self, cell: int) -> tuple[tuple[int, str], ...]:
        sides = []
        for side in range(6):
            codes = [int(self.field.side_terrain[cell, side])]
            other = self.grid.neighbour_table[cell][side]
            if other >= 0:
                codes.append(int(self.field.side_terrain[other, self.grid.opposite(side)]))
            kinds = [self.table.by_code[code] for code in codes if self.field.is_hexside[code]]
            if kinds:
                sides.append((side, min(kinds, key=lambda kind: kind.code).name))
        return tuple(sides)


def with_crests(facts: dict[str, HexFacts], raster: Raster) -> dict[str, HexFacts]:
    """The same facts with crest hexsides and half flags, as the levels and the grid say."""
    from sandtable.space.boardfile import derived

    levels = {name: hex_facts.level for name, hex_facts in facts.items()}
    full = {name: derived(name, hex_facts, raster.grid, levels) for name, hex_facts in facts.items()}
    lines = _crest_lines(raster)
    return {name: msgspec.structs.replace(f, crest_line=f.crest_line or name in lines) for name, f in full.items()}


def _crest_lines(raster: Raster) -> set[str]:
    """Hexes in which two levels meet on a good part of the area (1.1.1)."""
    owners = raster.grid.pixel_owners.ravel().astype(np.int64)
    keys = owners * 256 + raster.levels.ravel() + 128
    counts = np.bincount(keys, minlength=raster.grid.size * 256).reshape(-1, 256)
    share = counts / counts.sum(axis=1, keepdims=True)
    two = (share > 0.05).sum(axis=1) > 1
    return {raster.grid.names[int(cell)] for cell in np.flatnonzero(two)}
