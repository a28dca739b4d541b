"""The map as Chapter B reads it: costs of every kind of terrain, what is open, hexsides, Concealment Terrain.

A bridge is entered and left along its road (B6.4), marsh takes all MF (B16.4), the road of a graveyard gives no bonus
(B18.42).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from sandtable.games.squad.ground.map import NO_SIDE, Ground, Location, Way
from sandtable.games.squad.part import GroundKind, Item
from sandtable.space.facts import HexFacts
from sandtable.space.grid import NO_CELL
from sandtable.space.hexgrid import HexGrid
from sandtable.space.los import LosRules, LosTable
from sandtable.space.steps import step_cost
from sandtable.space.terrain import Season, TerrainKind, terrain_table

ROUT_ALL = 12
"""Half MF that terrain which takes every MF costs in a rout: all six (A10.5)."""
OUT = 2
"""Half MF to come out of a foxhole, or over the lip of a depression (B20.93, B27.4)."""
OPEN_TOO = frozenset(
    {"gully", "dry_stream", "stream", "deep_stream", "wadi", "shellholes", "ford", "shallow_water"}
    | {"stone_bridge", "wooden_bridge", "foot_bridge"}
)
"""Kinds without a TEM or Hindrance of their own: whoever moves there in sight moves in the open (B2.3, B6.3, B19.3)."""
WET = frozenset({"marsh", "stream", "deep_stream", "ford", "shallow_water"})
CONCEALMENT = frozenset({"woods", "orchard", "grain", "rubble", "building", "factory"})
CONCEALMENT_KINDS = frozenset({"brush", "marsh", "bamboo", "kunai", "vineyard", "lumberyard"})
"""Groups and kinds that are Concealment Terrain (A12.12); graveyards, crag, shellholes and depressions are not."""


class AslGround(Ground):
    """Static tables of a map by the full rules."""

    large = True

    def __init__(
        self,
        grid: HexGrid,
        facts: Sequence[HexFacts],
        los: LosTable,
        season: Season,
        *,
        off_board: Mapping[int, int] | None = None,
        others: Sequence[Location] = (),
        like: Ground | None = None,
    ) -> None:
        facts = [_played(grid, facts, cell) for cell in grid]
        super().__init__(grid, facts, los, season, off_board=off_board, others=others, like=like)
        self.concealment = tuple(kind.group in CONCEALMENT or kind.name in CONCEALMENT_KINDS for kind in self.kinds)
        """Concealment Terrain in this season (A12.12)."""
        self.hexsides = tuple(self._hexsides(cell) for cell in range(self.places))
        """For each Location the kind of terrain on each of its six hexsides, empty: none."""
        self.walled = tuple(any(_walls(name) for name in sides) for sides in self.hexsides)
        """Hexes with a wall, a hedge or the like, over which Wall Advantage may be held (B9.32)."""
        self.depression = tuple(
            (bool(fact.bed) and not fact.is_bridge) or kind.group == "depression"
            for fact, kind in zip(self.facts, self.kinds, strict=True)
        )
        """Locations that lie IN a gully, a stream or a sunken road."""
        self.no_crawl = frozenset([cell for cell in range(self.places) if self._is_wet(cell)])

    def _raised(self, facts: Sequence[HexFacts]) -> dict[int, int]:
        """Bridges whose board shows the bed at the centre dot: who is on them is level with the road (B6.1)."""
        dots = (self.hex_los.engine.field.levels // 2).tolist()
        bridges = [cell for cell in self.grid if facts[cell].is_bridge]
        return {cell: up for cell in bridges if (up := facts[cell].level - dots[cell])}

    # -- what terrain is ----------------------------------------------------------------

    def _rallies(self, kind: TerrainKind) -> bool:
        """Woods and buildings alone help to rally and are goals of routs (A10.61)."""
        return kind.rally and kind.group in ("woods", "building", "factory")

    def _is_open(self, kind: TerrainKind) -> bool:
        return kind.open or kind.name in OPEN_TOO

    def _barred(self, cell: int) -> bool:
        """Water that cannot be forded bears nobody (B21.4)."""
        return self.kinds[cell].mf is None

    def _hexsides(self, cell: int) -> tuple[str, ...]:
        """What stands on each hexside; a board may say it on either side of it."""
        own = dict(self.facts[cell].sides)
        found = []
        for side, other in enumerate(self.sides[cell]):
            beyond = "" if other == NO_CELL else dict(self.facts[other].sides).get((side + 3) % 6, "")
            found.append(own.get(side, "") or beyond)
        return tuple(found)

    def _is_wet(self, cell: int) -> bool:
        """Marsh, water and streams that are not dry, but not the bridges over them (A10.52)."""
        names = {self.kinds[cell].name, *[name for _, name in self.facts[cell].bed]}
        return bool(names & WET) and not self.facts[cell].is_bridge

    # -- movement -----------------------------------------------------------------------

    def hexside_items(self, way: Way) -> tuple[Item, ...]:
        """A wall or hedge is in the way of a Gun, but not where the road goes through (C10.3, B9.4)."""
        name = "" if way.road or way.side == NO_SIDE else self.hexsides[way.to][(way.side + 3) % 6]
        return ((terrain_table()[name].title.lower(), terrain_table()[name].tem, "C10.3"),) if _walls(name) else ()

    def entry_cost(self, cell: int) -> int:
        """What grows in a bed costs the bed as well (B19.4, B33)."""
        fact, own = self.facts[cell], super().entry_cost(cell)
        if not fact.bed or fact.is_bridge or self.kinds[cell].group == "depression":
            return own
        bed = round(2 * (terrain_table()[fact.bed[0][1]].mf or 0))
        return bed if self.kinds[cell].group == "open" else bed + own

    def _ways_from(self, cell: int) -> tuple[Way, ...]:
        found = []
        for side, to in enumerate(self.sides[cell]):
            if to != NO_CELL and not self.barred[to] and not self.barred[cell]:
                way = self._way(cell, side, to)
                if way is not None:
                    found.append(way)
        return tuple(found)

    def _all_ways(self) -> tuple[tuple[Way, ...], ...]:
        ways = list(super()._all_ways())
        for place, cell in self.floors.items():
            ways[place] = (*ways[place], *self._ways_off(place, cell))
        return tuple(ways)

    def _ways_off(self, place: int, cell: int) -> Iterator[Way]:
        """From the lip of a depression down INTO it, or out as from a foxhole over ground that is level (B20.93)."""
        here = self._in_season(cell)
        free = [side for side in range(6) if side not in dict(here.bed)]
        down = step_cost(HexFacts(level=self.level[place]), (free[0] + 3) % 6, replace(here, roads=(), sides=()))
        if down.mf is not None:
            yield Way(cell, NO_SIDE, round(2 * down.mf), 0, False, -1, False)
        for side in free:
            to = self.sides[cell][side]
            way = self._way(place, side, to) if to != NO_CELL and not self.barred[to] else None
            if way is not None:
                yield way if way.all_mf else way._replace(cost=way.cost + OUT)

    def _way(self, cell: int, side: int, to: int) -> Way | None:
        here, there = self._in_season(cell), self._in_season(to)
        back = (side + 3) % 6
        by_road = side in here.road_sides and back in there.road_sides
        off_road = not there.is_bridge and (not here.is_bridge or side in here.road_sides)
        into = step_cost(here, side, replace(there, roads=())) if off_road else None
        if into is not None and into.mf is None:
            into = None
        along = step_cost(here, side, there) if by_road else None
        if into is None and (along is None or along.mf is None):
            return None
        road = round(2 * (along.mf or 0)) if along is not None else 0
        if into is not None and there.terrain == "graveyard":
            road = 0  # its road gives no bonus and saves nothing (B18.42)
        cost = road if into is None else ROUT_ALL if into.all_mf else round(2 * (into.mf or 0))
        all_mf = into is not None and into.all_mf
        choice = bool(road) and into is not None and not self.open[to] and not self.in_building[to]
        paved = dict(there.roads).get(back) == "paved"
        return Way(to, side, cost, road, choice, there.level - here.level, paved, all_mf)

    def _in_season(self, cell: int) -> HexFacts:
        """The facts of a hex as they are in this season."""
        facts, kind = self.facts[cell], self.kinds[cell]
        return facts if facts.terrain == kind.name else replace(facts, terrain=kind.name)


def _played(grid: HexGrid, facts: Sequence[HexFacts], cell: int) -> HexFacts:
    """A hex as it is played: a bridge lies level with its road, a market place is open below (B6.1, B23.73)."""
    fact = facts[cell]
    if fact.terrain == "market_place":
        return replace(fact, terrain="open", building=None)
    if not fact.is_bridge:
        return fact
    sides = [grid.neighbour_table[cell][side] for side in fact.road_sides]
    levels = [facts[to].level for to in sides if to != NO_CELL]
    return replace(fact, level=max([fact.level, *levels]))


def _walls(name: str) -> bool:
    return bool(name) and terrain_table()[name].tem > 0


GROUND = GroundKind(AslGround, LosRules(hindrance="per-range", one_level_buildings=False))
"""Maps by the full rules: Hindrances count once a range, buildings are as high as they are (A6.7, B23.2)."""
