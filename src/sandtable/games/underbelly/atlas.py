"""The map (2.3): hexes, hexsides and places, with everything precomputed that the rules look up often.

Hexes are dense numbers of the grid inside and four-digit names outside; sets of hexes are bits of one
big integer, so that a zone of control or a supply flood is a handful of shifts.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from functools import lru_cache, reduce
from operator import or_
from struct import Struct
from typing import TypeVar

from sandtable.games.underbelly.data import DataError, read_rows, tables
from sandtable.space.hexgrid import numbered_grid

T = TypeVar("T")
GRID = numbered_grid(50, 30, first_column=10)
SIZE = GRID.size
NAMES = GRID.names
INDEX: dict[str, int] = {name: number for number, name in enumerate(NAMES)}

SEA, CLEAR, MOUNTAIN, MARSH = 0, 1, 2, 3
TERRAIN_NAMES = ("sea", "clear", "mountain", "marsh")
MOBILITIES = ("mech", "nonmech", "mountain")


class Place:
    """A town or city."""

    __slots__ = ("airbase", "city", "harbour", "hex", "index", "mark", "name")

    def __init__(self, row: dict[str, str]) -> None:
        self.hex = row["hex"]
        self.index = INDEX[row["hex"]]
        self.name = row["name"]
        self.city = row["kind"] == "city"
        self.harbour = row["harbour"]
        self.airbase = row["airbase"] == "yes"
        self.mark = row["mark"]


def _hex(name: str, file: str) -> int:
    if name not in INDEX:
        raise DataError(f"{file}: there is no hex {name!r}; hexes run from {NAMES[0]} to {NAMES[-1]}.")
    return INDEX[name]


TERRAIN = [SEA] * SIZE
COASTAL = [False] * SIZE
ROUGH = [False] * SIZE
ELEVATION = [0] * SIZE
LAND_SHARE = [0.0] * SIZE
ALLIED_AT_START = [False] * SIZE
for _row in read_rows("hexes.csv", ("hex", "terrain", "coastal", "control")):
    _h = _hex(_row["hex"], "hexes.csv")
    if _row["terrain"] not in TERRAIN_NAMES:
        raise DataError(f"hexes.csv: terrain of {_row['hex']} is one of {', '.join(TERRAIN_NAMES)}.")
    TERRAIN[_h] = TERRAIN_NAMES.index(_row["terrain"])
    COASTAL[_h] = _row["coastal"] == "1"
    ROUGH[_h] = _row.get("rough") == "1"
    ELEVATION[_h] = int(_row.get("elevation") or 0)
    LAND_SHARE[_h] = float(_row.get("land") or 1)
    ALLIED_AT_START[_h] = _row["control"] == "allied"

LAND = tuple(h for h in range(SIZE) if TERRAIN[h] != SEA)

Side = tuple[int, int]


def side(one: int, other: int) -> Side:
    """The key of a hexside."""
    return (one, other) if one < other else (other, one)


WATER_SIDES: dict[Side, str] = {}
"""All-sea and all-lake hexsides between land hexes (7.3)."""
BLOCKED: dict[Side, bool] = {}
RIVERS: dict[Side, str] = {}
ROADS: dict[Side, str] = {}
for _row in read_rows("hexsides.csv", ("hex1", "hex2", "kind", "river", "road")):
    _s = side(_hex(_row["hex1"], "hexsides.csv"), _hex(_row["hex2"], "hexsides.csv"))
    if _s[1] not in GRID.neighbours(_s[0]):
        raise DataError(f"hexsides.csv: {_row['hex1']} and {_row['hex2']} are not adjacent.")
    if _row["kind"] in ("all-sea", "all-lake"):
        WATER_SIDES[_s] = _row["kind"]
    elif _row["kind"] == "blocked":
        BLOCKED[_s] = True
    if _row["river"]:
        RIVERS[_s] = _row["river"]
    if _row["road"]:
        ROADS[_s] = _row["road"]

PLACES: dict[str, Place] = {row["hex"]: Place(row) for row in read_rows("places.csv", ("hex", "name", "kind"))}
CITY = [False] * SIZE
for _place in PLACES.values():
    CITY[_place.index] = _place.city
NAPLES, TARANTO, SALERNO, PAESTUM, BARI, FOGGIA = "2522", "4108", "2822", "2921", "3306", "2608"
SF_HEX = "2823"

ADJACENT: tuple[tuple[int, ...], ...] = tuple(
    tuple(n for n in GRID.neighbours(h) if TERRAIN[n] != SEA and side(h, n) not in WATER_SIDES)
    if TERRAIN[h] != SEA
    else ()
    for h in range(SIZE)
)
"""Land neighbours that are not cut off by an all-sea or all-lake hexside: zones, supply, combat, retreat."""

NORTH_EDGE = tuple(h for h in LAND if NAMES[h][:2] == NAMES[0][:2])
"""The land hexes of row 10xx."""

BIT = tuple(1 << h for h in range(SIZE))


def bits_of(hexes: Iterable[int]) -> int:
    """A set of hexes as bits."""
    total = 0
    for h in hexes:
        total |= BIT[h]
    return total


_PIECES_KEPT = 50_000
_HALVES = tuple(Struct(f"<{n}H") for n in range((SIZE >> 4) + 2))


class Pieces(dict[int, tuple[T, ...]]):
    """What belongs to sixteen hexes of a set, by `place of the piece * 65536 + bits`; filled as they come up."""

    def __init__(self, things: Sequence[T]) -> None:
        self.things = things
        self._octets: dict[int, tuple[T, ...]] = {}

    def __missing__(self, key: int) -> tuple[T, ...]:
        if len(self) >= _PIECES_KEPT:
            self.clear()
        place = key >> 16 << 1
        found = self[key] = self._octet(place, key & 255) + self._octet(place + 1, key >> 8 & 255)
        return found

    def _octet(self, place: int, byte: int) -> tuple[T, ...]:
        found = self._octets.get(place << 8 | byte)
        if found is None:
            found = tuple(self.things[place * 8 + n] for n in range(8) if byte >> n & 1)
            self._octets[place << 8 | byte] = found
        return found


def pick(bits: int, pieces: Pieces[T]) -> list[T]:
    """What belongs to the hexes of a set, in order; piece by piece, because sets are mostly close together."""
    if not bits:
        return []
    found: list[T] = []
    first = ((bits & -bits).bit_length() - 1) >> 4
    bits >>= first << 4
    key = first << 16
    size = (bits.bit_length() + 15) >> 4
    for part in _HALVES[size].unpack(bits.to_bytes(size << 1, "little")):
        if part:
            found += pieces[key | part]
        key += 65536
    return found


_HEXES = Pieces(range(SIZE))


def hexes_of(bits: int) -> list[int]:
    """The hexes of a set, in order."""
    return pick(bits, _HEXES)


ZONE = tuple(bits_of(ADJACENT[h]) for h in range(SIZE))
"""The hexes into which a division in each hex exerts its zone of control (7.1, 7.3)."""
LAND_BITS = bits_of(LAND)
NORTH_BITS = bits_of(NORTH_EDGE)
COAST_BITS = bits_of([h for h in LAND if COASTAL[h]])
CLEAR_BITS = bits_of([h for h in LAND if TERRAIN[h] == CLEAR])
PLACE_BITS = bits_of([p.index for p in PLACES.values()])
NEAR: tuple[tuple[str, ...], ...] = tuple(
    tuple(NAMES[n] for n in (h, *ADJACENT[h]) if NAMES[n] in PLACES) for h in range(SIZE)
)
"""For each hex the towns and cities in it or next to it."""


def _masks(without: Container[Side] = (), roads: Container[Side] | None = None) -> tuple[int, ...]:
    """For each way to a neighbour, as a shift of a set, the hexes from which it may be taken.

    With roads only the ways along one into a mountain hex: elsewhere a road saves nothing.
    """
    masks = dict.fromkeys(_SHIFTS, 0)
    for h in LAND:
        for n in ADJACENT[h]:
            key = side(h, n)
            if key not in without and (roads is None or (key in roads and TERRAIN[n] == MOUNTAIN)):
                masks[n - h] |= BIT[h]
    return tuple(masks.values())


_SHIFTS = (1, 29, 30, 31, -1, -29, -30, -31)
"""What a step to a neighbour does to a hex number in columns of 30, the last four backwards."""
_ANY = _masks()
UNBLOCKED = _masks(BLOCKED)
_BY_ROAD = _masks(BLOCKED, ROADS)
MOUNTAIN_BITS = bits_of([h for h in LAND if TERRAIN[h] == MOUNTAIN])
_ROAD_HEXES = reduce(or_, _BY_ROAD)
ROAD_MOUNTAINS = bits_of([h for key in ROADS for h in key if TERRAIN[h] == MOUNTAIN])
"""Mountain hexes with a road."""


def _grow(bits: int, masks: tuple[int, ...]) -> int:
    """All hexes one step from a set; written out, because everything rests on it being quick."""
    a, b, c, d, e, f, g, h = masks
    return (
        (bits & a) << 1
        | (bits & b) << 29
        | (bits & c) << 30
        | (bits & d) << 31
        | (bits & e) >> 1
        | (bits & f) >> 29
        | (bits & g) >> 30
        | (bits & h) >> 31
    )


def around(bits: int) -> int:
    """All hexes that can be entered from a set, not over blocked hexsides (12.3, 12.10)."""
    return _grow(bits, UNBLOCKED)


def along_roads(bits: int) -> int:
    """All mountain hexes that can be entered from a set along a road (12.8)."""
    bits &= _ROAD_HEXES
    return _grow(bits, _BY_ROAD) if bits else 0


_FLOODS_KEPT = 64
_floods: dict[tuple[int, bool], int] = {}
"""The last flood from each start, from which the next one mostly differs little."""


@lru_cache(maxsize=4096)
def flood(start: int, passable: int, *, unblocked: bool = False) -> int:
    """All hexes that can be reached from a set through passable hexes (11.3); the start itself must be passable."""
    masks = UNBLOCKED if unblocked else _ANY
    seen = frontier = start & passable
    last = _floods.get((start, unblocked))
    if last is not None and not last & ~passable:  # nothing of the last flood is cut off: it only can grow
        seen |= last
        frontier = seen
    while frontier:
        frontier = _grow(frontier, masks) & passable & ~seen
        seen |= frontier
    if len(_floods) >= _FLOODS_KEPT:
        _floods.clear()
    _floods[start, unblocked] = seen
    return seen


def forget_floods() -> None:
    """Drop all floods (measurements start from nothing)."""
    flood.cache_clear()
    _floods.clear()


def within(name: str, radius: int) -> int:
    """All land hexes at most so far away, as bits (3.2, 11.9)."""
    return bits_of(list(GRID.within(INDEX[name], radius))) & LAND_BITS


NEAR_NAPLES = within(NAPLES, 2)
NEAR_BARI = within(BARI, 2)


def _cost(mobility: str, entered: int, *, road: bool) -> int:
    table = tables()["movement"]
    row = "road" if road and TERRAIN[entered] == MOUNTAIN else TERRAIN_NAMES[TERRAIN[entered]]
    value: int = table[row][mobility]
    return value


ENTRY_COST: dict[str, tuple[int, ...]] = {
    mobility: tuple(_cost(mobility, h, road=False) if TERRAIN[h] != SEA else 0 for h in range(SIZE))
    for mobility in MOBILITIES
}
"""What it costs to enter a hex without a road (12.2)."""


def _steps(mobility: str, *, roads: bool) -> tuple[tuple[tuple[int, int], ...], ...]:
    return tuple(
        tuple(
            (n, _cost(mobility, n, road=roads and side(h, n) in ROADS))
            for n in ADJACENT[h]
            if side(h, n) not in BLOCKED
        )
        for h in range(SIZE)
    )


COST_BITS: dict[str, tuple[tuple[int, int], ...]] = {
    mobility: tuple(
        (price, bits_of([h for h in LAND if costs[h] == price])) for price in sorted({costs[h] for h in LAND})
    )
    for mobility, costs in ENTRY_COST.items()
}
"""For each mobility the sets of hexes that cost the same to enter."""
STEPS = {mobility: _steps(mobility, roads=True) for mobility in MOBILITIES}
"""For each hex the hexes that can be entered from it and the cost, by mobility (12.2, 12.8)."""
STEPS_OFF_ROAD = {mobility: _steps(mobility, roads=False) for mobility in MOBILITIES}
"""The same for units that came ashore this phase and may not use roads (10.3)."""
PRICES: dict[tuple[str, bool], dict[int, int]] = {
    (mobility, roads): {h * SIZE + n: cost for h in LAND for n, cost in table[mobility][h]}
    for roads, table in ((True, STEPS), (False, STEPS_OFF_ROAD))
    for mobility in MOBILITIES
}
"""The cost of one step, by mobility and use of roads: `from * SIZE + to`."""
STEPS_INTO: dict[tuple[str, bool], tuple[tuple[tuple[int, int, int], ...], ...]] = {
    key: tuple(
        tuple((n, BIT[n], prices[n * SIZE + h]) for n in ADJACENT[h] if n * SIZE + h in prices) for h in range(SIZE)
    )
    for key, prices in PRICES.items()
}
"""For each hex the hexes from which it can be entered, their bits and the cost of the step."""
BLOCKED_STEPS: tuple[tuple[tuple[int, int], ...], ...] = tuple(
    tuple((n, ENTRY_COST["mountain"][n]) for n in ADJACENT[h] if side(h, n) in BLOCKED) for h in range(SIZE)
)
"""Steps across blocked hexsides, for mountain units at the start of their activation (12.10)."""


def describe_hex(name: str) -> str:
    """A hex with the name of its town, for people."""
    place = PLACES.get(name)
    return f"{name} ({place.name})" if place else name
