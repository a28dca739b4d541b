"""The map as the rules ask about it: costs, cover, levels, roads and lines of sight by hex number (1.1.1).

Made once for a map and a season and shared by all matches on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from sandtable.games.squad.part import Item
from sandtable.space.facts import HexFacts
from sandtable.space.grid import NO_CELL
from sandtable.space.hexgrid import HexGrid
from sandtable.space.los import BLOCKED, LosTable
from sandtable.space.loslevels import LevelTable
from sandtable.space.loswalk import string_pixels
from sandtable.space.remembered import remembered
from sandtable.space.terrain import Season, TerrainKind, terrain_table

__all__ = ["BLOCKED", "Ground", "Location", "Way"]

NO_SIDE = -1
"""Stands for the hexside of a way that crosses none, such as stairs."""


class Way(NamedTuple):
    """Entering one hex from an adjacent one; costs are in half MF."""

    to: int
    side: int
    """The hexside crossed, seen from the hex that is left."""
    cost: int
    """Cost off the road, a crest line included."""
    road: int
    """Cost along the road, 0: no road crosses the hexside."""
    choice: bool
    """Both ways of entering differ in what fire can do to the unit, or in cost."""
    change: int
    """Levels up (positive) or down."""
    paved: bool
    all_mf: bool = False
    """It takes every MF of a unit that has spent none; `cost` is that of a rout."""


class Location(NamedTuple):
    """A place above or below the ground of its hex: a storey, a rooftop, a cellar, a bridge."""

    hex: int
    name: str
    """What follows the name of the hex: `level 1`."""
    height: int = 1
    """Levels above the ground of the hex."""
    leads: tuple[tuple[str, int], ...] = ()
    """Stairs and the like: names of the Locations (`K5`) that it is joined to, with the half MF of the way."""
    terrain: str = ""
    """Its line of the terrain table, empty: that of the hex."""
    shared: bool = False
    """Who is there and who is in the hex itself stack, meet and fight together; it is entered by rules of its own."""


def _facts_of(place: Location, facts: HexFacts) -> HexFacts:
    """A Location as the rules see it: the terrain of its hex without roads, at its own level."""
    terrain = place.terrain or facts.terrain
    level = facts.level + place.height
    return replace(facts, terrain=terrain, level=level, roads=(), crest=(), crest_line=False, bed=())


class Ground:
    """Static tables of a map, by dense hex number (1.1, G1)."""

    large = False
    """Maps may be so large that most of their lines are never asked for."""

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
        """`like`: the same map without the other Locations, whose tables need not be made again."""
        self._like = like
        self.grid = grid
        self.size = grid.size
        self.others = tuple(others)
        """Locations beside the hexes; they are numbered after them."""
        self.places = self.size + len(self.others)
        """Number of all Locations."""
        self.names = (*grid.names, *[f"{grid.names[place.hex]} {place.name}" for place in self.others])
        self._numbers = {name: number for number, name in enumerate(self.names) if number >= self.size}
        self._stacked = self._by_hex()
        self.floors = {number: place.hex for number, place in enumerate(self.others, self.size) if place.shared}
        """Locations that share the room of their hex, each with that hex."""
        self.twins = self.floors | {cell: number for number, cell in self.floors.items()}
        """The same both ways: the other Location of such a hex."""
        self.ways_in = {self.names[number]: self.names[cell] for number, cell in self.floors.items()}
        """The names of such Locations, each with that of its hex."""
        self.facts = (*facts, *[_facts_of(place, facts[place.hex]) for place in self.others])
        self.season = season
        self.hex_los = los
        self.los: LosTable | LevelTable = los
        raised = self._raised(facts)
        if self.others or raised:
            levels = [(place.hex, place.height) for place in self.others]
            self.los = LevelTable(los, levels, [(one, other) for one, other, _ in self._stairs()], raised)
        self.los_row = self.los.row
        """`los_row(a)[b]`: the hindrance of the terrain between two Locations, or BLOCKED (3.2.1)."""
        self.line = self.los.value
        """`line(a, b)`: the same for one pair, without working out all lines of a hex where the other end has them."""
        self.ranges = self._ranges()
        """In hexes; 1 between two Locations of one hex."""
        self.off_board = dict(off_board or {})
        """Half MF of the ground beside edge hexes where it is not Open Ground."""
        self.sides = (*grid.neighbour_table, *[grid.neighbour_table[place.hex] for place in self.others])
        self.near = self._near()
        """Adjacent Locations: the hexes around one, and where stairs lead."""
        self.beside = self._beside()
        """The same with the Locations that share the room of those hexes."""
        self._read_terrain()
        self.barred = tuple(self._barred(cell) for cell in range(self.places))
        """Where no unit may ever be."""
        self.buildings = self._buildings()
        self.ways: tuple[tuple[Way, ...], ...] = self._all_ways()
        self._way_to = tuple([{way.to: way for way in reversed(ways)} for ways in self.ways])

    def _read_terrain(self) -> None:
        """What the terrain of each Location is and does, in this season."""
        kinds = [self._kind(fact) for fact in self.facts]
        self.kinds: tuple[TerrainKind, ...] = tuple(kinds)
        self.level = tuple(fact.level for fact in self.facts)
        self.tem = tuple(kind.tem for kind in kinds)
        self.mortar_tem = tuple(kind.tem if kind.mortar_tem is None else kind.mortar_tem for kind in kinds)
        self.woods = tuple(kind.group == "woods" for kind in kinds)
        self.no_crawl: frozenset[int] = frozenset()
        """Hexes that nobody crawls into or out of (A10.52)."""
        self.building = tuple(fact.building or "" for fact in self.facts)
        self.in_building = tuple(kind.is_building for kind in kinds)
        self.cover = tuple(self._rallies(kind) for kind in kinds)
        """Woods and buildings: rally bonus, rout goals, ambush."""
        self.open = tuple(self._is_open(kind) for kind in kinds)
        """Open Ground for FFMO and Interdiction, whoever moves there."""
        self.woods_road = tuple(fact.woods_road for fact in self.facts)
        self.orchard_road = tuple(fact.orchard_road for fact in self.facts)
        self.has_road = tuple(fact.has_road for fact in self.facts)
        self.paved = tuple(any(kind == "paved" for _, kind in fact.roads) for fact in self.facts)

    def _raised(self, facts: Sequence[HexFacts]) -> Mapping[int, int]:
        """Hexes whose ground is played at so many levels above the centre dot of the board."""
        return {}

    def _kind(self, fact: HexFacts) -> TerrainKind:
        kind = fact.kind
        if kind.season is not None and kind.out is not None and not getattr(self.season, kind.season):
            return terrain_table()[kind.out]
        return kind

    def _rallies(self, kind: TerrainKind) -> bool:
        """Whether terrain counts as woods or a building for rally, rout and ambush."""
        return kind.rally

    def _is_open(self, kind: TerrainKind) -> bool:
        """Whether terrain is Open Ground."""
        return kind.open

    def _barred(self, cell: int) -> bool:
        """Whether nobody may ever be there, as in deep water; the Starter Kit has no such terrain."""
        return False

    def _buildings(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, list[int]] = {}
        for cell, building in enumerate(self.building[: self.size]):
            if building:
                found.setdefault(building, []).append(cell)
        return {building: tuple(cells) for building, cells in found.items()}

    def entry_cost(self, cell: int) -> int:
        """Half MF to enter a hex over level ground, off the road."""
        return round(2 * (self.kinds[cell].mf or 1))

    def _ways_from(self, cell: int) -> tuple[Way, ...]:
        ways = []
        leaving = dict(self.facts[cell].roads)
        for side, to in enumerate(self.sides[cell]):
            if to == NO_CELL:
                continue
            change = self.level[to] - self.level[cell]
            factor = 2 if change > 0 else 1
            cost = self.entry_cost(to) * factor
            entering = dict(self.facts[to].roads)
            back = (side + 3) % 6
            road, choice = 0, False
            if side in leaving and back in entering:
                # a building hex keeps its cost; every other hex is Open Ground along its road
                road = cost if self.in_building[to] else 2 * factor
                choice = not self.open[to] and not self.in_building[to]
            ways.append(Way(to, side, cost, road, choice, change, entering.get(back) == "paved"))
        return tuple(ways)

    def hexside_items(self, way: Way) -> tuple[Item, ...]:
        """The TEM on the hexside of a way, for a Gun that is pushed over it; the Starter Kit has none."""
        return ()

    def way(self, start: int, to: int) -> Way | None:
        """The way between two adjacent hexes."""
        return self._way_to[start].get(to)

    # -- Locations ----------------------------------------------------------------------

    def index(self, name: str) -> int:
        """The number of a hex or of another Location."""
        number = self._numbers.get(name)
        return self.grid.index(name) if number is None else number

    def hex_of(self, place: int) -> int:
        """The hex in which a Location lies."""
        return place if place < self.size else self.others[place - self.size].hex

    def floor_of(self, place: int) -> int:
        """The Location that is entered to get at those in one: the hex itself where they share its room."""
        return self.floors.get(place, place)

    def level_of(self, place: int) -> int:
        """The level of a Location, that of its hex's ground included."""
        return self.level[place]

    def locations_of(self, cell: int) -> tuple[int, ...]:
        """All Locations of a hex: the hex itself first."""
        return self._stacked.get(cell) or (cell,)

    def _by_hex(self) -> dict[int, tuple[int, ...]]:
        found: dict[int, tuple[int, ...]] = {}
        for number, place in enumerate(self.others, self.size):
            found[place.hex] = (*found.get(place.hex, (place.hex,)), number)
        return found

    def _stairs(self) -> list[tuple[int, int, int]]:
        """Pairs of Locations that are joined within a hex or between hexes, with the half MF of the way."""
        return [
            (number, self.index(name), cost)
            for number, place in enumerate(self.others, self.size)
            for name, cost in place.leads
        ]

    def _ranges(self) -> tuple[bytes, ...]:
        rows = self.grid.range_rows
        if not self.others:
            return rows
        cells = [self.hex_of(place) for place in range(self.places)]
        found = self.grid.ranges[np.ix_(cells, cells)].astype(np.uint8)
        for here in self._stacked.values():
            for place in here:
                found[place, [other for other in here if other != place]] = 1
        return tuple([row.tobytes() for row in found])

    def _near(self) -> tuple[tuple[int, ...], ...]:
        near = [*self.grid.neighbour_lists, *[() for _ in self.others]]
        for one, other, _ in self._stairs():
            near[one], near[other] = (*near[one], other), (*near[other], one)
        for number, cell in self.floors.items():
            near[number] = (*near[number], cell, *self.grid.neighbour_lists[cell])
        return tuple(near)

    def _beside(self) -> tuple[tuple[int, ...], ...]:
        twins, near = self.twins, self.near
        if not twins:
            return near
        found = [(*cells, *[twins[cell] for cell in cells if cell in twins]) for cells in near]
        for number, cell in self.floors.items():
            found[number] = tuple([other for other in found[number] if other != number])
            found[cell] = (*found[cell], number)
        return tuple(found)

    def _all_ways(self) -> tuple[tuple[Way, ...], ...]:
        own = self._like.ways if self._like is not None else [self._ways_from(cell) for cell in self.grid]
        ways = [*own, *[() for _ in self.others]]
        for one, other, cost in self._stairs():
            ways[one] = (*ways[one], Way(other, NO_SIDE, cost, 0, False, 0, False))
            ways[other] = (*ways[other], Way(one, NO_SIDE, cost, 0, False, 0, False))
        return tuple(ways)

    def in_arc(self, place: int, facing: int, target: int) -> bool:
        """Whether a target lies in the Covered Arc of a Gun (3.2.4)."""
        return self.grid.in_covered_arc(self.hex_of(place), facing, self.hex_of(target))

    def spines_towards(self, place: int, target: int) -> tuple[int, ...]:
        """Hexspines at which a Gun may point to have a target in its Covered Arc (3.2.4)."""
        return tuple(self.grid.spine_towards(self.hex_of(place), self.hex_of(target)))

    def seen_within(self, limit: int, cells: tuple[int, ...] = ()) -> tuple[int, ...]:
        """For each Location, how many hexes up to a range it sees; on a large map only for those that are named."""
        return _seen_within(self, limit, cells if self.large else ())

    def crossed(self, start: int, end: int) -> tuple[int, ...]:
        """Hexes that a line of sight touches between its ends, for Smoke as inherent terrain (1.2.5)."""
        start, end = self.hex_of(start), self.hex_of(end)
        return _crossed(self, min(start, end), max(start, end))

    def entered_through(self, source: int, target: int) -> tuple[int, ...]:
        """Hexsides of the target hex that a line from the source crosses; two along a hexspine."""
        source, target = self.hex_of(source), self.hex_of(target)
        return _entered_through(self, source, target) if source != target else ()

    def crosses_woods_in(self, source: int, target: int) -> bool:
        """Whether a line meets a woods symbol inside the target hex (Woods-Road, 1.1.1)."""
        return _crosses(self, self.hex_of(source), self.hex_of(target), "woods")

    def crosses_orchard_in(self, source: int, target: int) -> bool:
        """Whether a line leaves the road between the trees inside the target hex (Orchard-Road, 1.1.1)."""
        return _crosses(self, self.hex_of(source), self.hex_of(target), "orchard")


@remembered(64)
def _seen_within(ground: Ground, limit: int, cells: tuple[int, ...]) -> tuple[int, ...]:
    if ground.large:
        hexes = [cell for cell in cells if cell < ground.size]
        found = ground.hex_los.seen_within(limit, hexes).tolist()
    else:
        found = (_lines(ground) & (ground.grid.ranges <= limit)).sum(axis=1).tolist()
    for place in range(ground.size, ground.places):
        if cells and place not in cells:
            found.append(0)
            continue
        row, ranges = ground.los_row(place), ground.ranges[place]
        found.append(sum([ranges[cell] <= limit and row[cell] != BLOCKED for cell in range(ground.size)]))
    return tuple(found)


@remembered(16)
def _lines(ground: Ground) -> NDArray[np.bool_]:
    """Which pairs of hexes see each other; working all lines out at once is the quickest way."""
    table = ground.hex_los
    table.complete()
    rows = np.frombuffer(b"".join(table.row(cell) for cell in range(ground.size)), np.uint8)
    lines: NDArray[np.bool_] = rows.reshape(ground.size, ground.size) != BLOCKED
    return lines


@remembered(20_000)
def _crossed(ground: Ground, low: int, high: int) -> tuple[int, ...]:
    field = ground.los.engine.field
    first, last = int(field.aims[low]), int(field.aims[high])
    width = field.width
    way = string_pixels(last % width - first % width, last // width - first // width, width)
    found = set(np.unique(field.owners.ravel()[first + way]).tolist())
    if ground.grid.along_hexsides(low, high):
        for cell in tuple(found):
            for other in ground.grid.neighbour_lists[cell]:
                between = ground.ranges[low][other] + ground.ranges[high][other] <= ground.ranges[low][high] + 1
                if between and ground.ranges[low][other] % 2 == 1 and _beside(ground, low, high, other):
                    found.add(other)
    return tuple(sorted(found - {low, high}))


def _beside(ground: Ground, low: int, high: int, cell: int) -> bool:
    """Whether a line along hexsides runs along one of this hex."""
    (ax, ay), (bx, by) = ground.grid.centre(low), ground.grid.centre(high)
    cx, cy = ground.grid.centre(cell)
    length = float(np.hypot(bx - ax, by - ay))
    away = abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / length
    along = ((bx - ax) * (cx - ax) + (by - ay) * (cy - ay)) / length
    return 0 < along < length and away < ground.grid.hex_height * 0.6


@remembered(20_000)
def _entered_through(ground: Ground, source: int, target: int) -> tuple[int, ...]:
    grid = ground.grid
    side = grid.direction(target, source)
    if grid.along_hexsides(target, source):
        return (side, (side + 1) % 6)
    return (side,)


@remembered(20_000)
def _crosses(ground: Ground, source: int, target: int, group: str) -> bool:
    field = ground.los.engine.field
    first, last = int(field.aims[source]), int(field.aims[target])
    width = field.width
    way = first + string_pixels(last % width - first % width, last // width - first // width, width)
    inside = way[field.owners.ravel()[way] == target]
    codes = field.raster.terrain.ravel()[inside]
    return bool(terrain_table().flags(group)[codes].any())
