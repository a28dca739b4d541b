"""Areas of a scenario evaluated on a map: which hexes a set-up area, an edge or a victory area means (1.3)."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from typing import Literal

from sandtable.games.squad.cards.scenario import EDGES, Area, Edge
from sandtable.space.facts import HexFacts
from sandtable.space.maps import GameMap
from sandtable.space.terrain import terrain_table

North = Literal["top", "right", "bottom", "left"]

_NAME = re.compile(r"([a-z0-9]*)([A-Z]{1,2})(\d+)")
_HEXROW = re.compile(r"([a-z0-9]*)([A-Z]{1,2})")
_CLOCK = ("top", "right", "bottom", "left")


class AreaError(ValueError):
    """An area names something that the map does not have; the message says what to write instead."""


def split_name(name: str) -> tuple[str, str, int]:
    """Board, hexrow and number of a hex name such as `wK5` or `K5`."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise AreaError(f"{name!r} is no hex; write a hexrow and a number, such as K5 or wK5")
    return found[1], found[2], int(found[3])


def hexrow_number(letters: str) -> int:
    """A is 0, Z 25, AA 26: the order in which hexrows lie on a board."""
    if len(set(letters)) > 1:
        raise AreaError(f"{letters} is no hexrow; after Z come AA, BB ... GG")
    return ord(letters[0]) - ord("A") + 26 * (len(letters) - 1)


def hex_on(game_map: GameMap, name: str) -> str:
    """The map's own name of a hex; on a map of one board the board may be left out."""
    if name in game_map:
        return game_map.grid.name(game_map.index(name))
    _, hexrow, number = split_name(name)
    found = [own for own, _, printed in printed_names(game_map) if printed == f"{hexrow}{number}"]
    if found and name == f"{hexrow}{number}":
        raise AreaError(f"{name} needs its board on this map; write {' or '.join(found)}")
    first, last = game_map.grid.names[0], game_map.grid.names[-1]
    raise AreaError(f"there is no hex {name} on this map; its hexes run from {first} to {last}")


def printed_names(game_map: GameMap) -> Iterator[tuple[str, str, str]]:
    """The map's name of each hex with the board and the name printed on it; twice where boards meet."""
    for own, sources in zip(game_map.grid.names, game_map.sources, strict=True):
        for board, printed in sources:
            yield own, board, printed


def hexes_in_rows(game_map: GameMap, text: str) -> frozenset[str]:
    """Hexes of the hexrows `L-GG`, `L` or `wU-wGG`."""
    first, _, last = text.replace(" ", "").partition("-")
    ends = [_HEXROW.fullmatch(end) for end in (first, last or first)]
    if ends[0] is None or ends[1] is None:
        raise AreaError(f"{text!r} names no hexrows; write them like L-GG, or wU-wGG on several boards")
    board = ends[0][1] or ends[1][1]
    low, high = hexrow_number(ends[0][2]), hexrow_number(ends[1][2])
    if low > high:
        raise AreaError(f"{text!r} runs backwards; write the first hexrow first")
    found = {
        own
        for own, on, printed in printed_names(game_map)
        if low <= hexrow_number(split_name(printed)[1]) <= high and board in ("", on)
    }
    if not found:
        raise AreaError(f"none of the hexrows {text} is on this map")
    return frozenset(found)


def hexes_numbered(game_map: GameMap, text: str) -> frozenset[str]:
    """Hexes whose coordinate number is in `3-7`."""
    found = re.fullmatch(r"(\d+)(?:-(\d+))?", text.replace(" ", ""))
    if found is None:
        raise AreaError(f"{text!r} names no hex numbers; write them like 3-7")
    low, high = int(found[1]), int(found[2] or found[1])
    return frozenset(own for own, _, printed in printed_names(game_map) if low <= split_name(printed)[2] <= high)


def building_hexes(game_map: GameMap) -> frozenset[str]:
    """All building hexes of the map (1.1.1)."""
    kinds = terrain_table()
    return frozenset(
        name
        for name in game_map.grid.names
        if (facts := game_map.hexes.get(name)) is not None and kinds[facts.terrain].is_building
    )


def building_at(game_map: GameMap, name: str) -> frozenset[str]:
    """All hexes of the building that stands in a hex."""
    cell = hex_on(game_map, name)
    buildings = building_hexes(game_map)
    if cell not in buildings:
        raise AreaError(f"no building stands in {name}")
    group = game_map.hexes[cell].building
    if group is None:
        return frozenset([cell])
    # Two boards of one map may use the same id, so a building must also hang together.
    grid, found, front = game_map.grid, {cell}, [cell]
    while front:
        for neighbour in grid.neighbours(grid.index(front.pop())):
            other = grid.name(neighbour)
            if other not in found and other in buildings and game_map.hexes[other].building == group:
                found.add(other)
                front.append(other)
    return frozenset(found)


def within(game_map: GameMap, centres: Iterable[str], distance: int) -> frozenset[str]:
    """Hexes at most so far from one of the centres."""
    grid = game_map.grid
    cells = [grid.index(centre) for centre in centres]
    return frozenset(grid.name(cell) for cell in grid if any(grid.range(cell, c) <= distance for c in cells))


def layout_edge(edge: Edge, north: North) -> Edge:
    """The edge as the map lies: with north on the left, the compass's east edge is the top."""
    return EDGES[(EDGES.index(edge) + _CLOCK.index(north)) % 4]


def edge_hexes(game_map: GameMap, place: str, *, north: North = "top") -> tuple[str, ...]:
    """Hexes of an edge in their order: `north`, or part of it as in `north E10-H10`."""
    edge, _, part = place.strip().partition(" ")
    if edge not in EDGES:
        raise AreaError(f"{edge!r} is no edge; write north, east, south or west, such as 'north E10-H10'")
    compass = next(name for name in EDGES if name == edge)
    grid, side = game_map.grid, layout_edge(compass, north)
    names = [name for name in grid.names if side in grid.edges(grid.index(name))]
    axis = 0 if side in ("north", "south") else 1
    names.sort(key=lambda name: grid.centre(grid.index(name))[axis])
    if not part:
        return tuple(names)
    first, _, last = part.replace(" ", "").partition("-")
    ends = [hex_on(game_map, first), hex_on(game_map, last or first)]
    for given, end in zip((first, last or first), ends, strict=True):
        if end not in names:
            raise AreaError(f"{given} is not on the {edge} edge, which runs from {names[0]} to {names[-1]}")
    low, high = sorted(names.index(end) for end in ends)
    return tuple(names[low : high + 1])


def _terrain(game_map: GameMap, names: str | tuple[str, ...]) -> frozenset[str]:
    wanted = (names,) if isinstance(names, str) else names
    kinds = terrain_table()
    known = {kind.name for kind in kinds} | {kind.group for kind in kinds}
    for name in wanted:
        if name not in known:
            near = difflib.get_close_matches(name, sorted(known), n=3, cutoff=0.5) or ["woods", "building"]
            raise AreaError(f"there is no terrain {name!r}; write for example {', '.join(near)}")

    def matches(facts: HexFacts) -> bool:
        return facts.terrain in wanted or kinds[facts.terrain].group in wanted

    return frozenset(name for name in game_map.grid.names if matches(game_map.hexes.get(name, HexFacts())))


def _buildings(game_map: GameMap, wanted: str | tuple[str, ...]) -> frozenset[str]:
    if wanted == "any":
        return building_hexes(game_map)
    names = (wanted,) if isinstance(wanted, str) else wanted
    return frozenset[str]().union(*(building_at(game_map, name) for name in names))


def _conditions(area: Area, game_map: GameMap, north: North) -> Iterable[frozenset[str]]:
    """One set of hexes for each word of the area."""
    every = frozenset(game_map.grid.names)
    if area.everywhere:
        yield every
    if area.hexes:
        yield frozenset(hex_on(game_map, name) for name in area.hexes)
    if area.hexrows:
        yield hexes_in_rows(game_map, area.hexrows)
    if area.numbers:
        yield hexes_numbered(game_map, area.numbers)
    if area.within is not None or area.of:
        if area.within is None or not area.of:
            raise AreaError('`within` and `of` belong together, as in { within = 7, of = "S6" }')
        yield within(game_map, [hex_on(game_map, area.of)], area.within)
    if area.building:
        yield _buildings(game_map, area.building)
    if area.from_buildings:
        yield every - within(game_map, building_hexes(game_map), area.from_buildings - 1)
    if area.level is not None:
        yield frozenset(name for name in every if game_map.hexes.get(name, HexFacts()).level == area.level)
    if area.terrain:
        yield _terrain(game_map, area.terrain)
    if area.edge is not None:
        yield frozenset(edge_hexes(game_map, area.edge, north=north))
    for part in area.all_:
        yield area_hexes(part, game_map, north=north)
    if area.any_:
        yield frozenset[str]().union(*(area_hexes(part, game_map, north=north) for part in area.any_))
    if area.not_ is not None:
        yield every - area_hexes(area.not_, game_map, north=north)


def area_hexes(area: Area, game_map: GameMap, *, north: North = "top") -> frozenset[str]:
    """The hexes of an area: those that meet every word in it."""
    conditions = list(_conditions(area, game_map, north))
    if not conditions:
        raise AreaError("the area is empty; say which hexes it has, or { everywhere = true }")
    return frozenset(game_map.grid.names).intersection(*conditions)
