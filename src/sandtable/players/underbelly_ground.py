"""How the armies stand to each other in Soft Underbelly, for computer players: what matters on the map, as bits.

The Allies win when one unit leaves by the north edge (4.1, 4.2), so everything turns on how many of their player
turns that would take if the German line stayed as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from sandtable.games.underbelly.atlas import (
    ADJACENT,
    BIT,
    BLOCKED,
    CLEAR_BITS,
    INDEX,
    LAND_BITS,
    MOUNTAIN,
    MOUNTAIN_BITS,
    NORTH_BITS,
    NORTH_EDGE,
    ROAD_MOUNTAINS,
    ROADS,
    SIZE,
    TERRAIN,
    along_roads,
    around,
    bits_of,
    flood,
    side,
)
from sandtable.games.underbelly.data import ALLIED, GERMAN
from sandtable.games.underbelly.model import AIRBORNE, UnderbellyState
from sandtable.games.underbelly.zones import field

FAR = 5
"""Allied player turns to the north edge that are as good as never."""
MARCH, COLUMN, SLOW = 8, 16, 4
"""Movement points of a mechanized unit: regular, in column, without overland supply (11.5, 12.7)."""
_ROUGH = LAND_BITS & ~CLEAR_BITS


def _distances() -> list[int]:
    far = [99] * SIZE
    line = list(NORTH_EDGE)
    for h in line:
        far[h] = 0
    for h in line:
        for n in ADJACENT[h]:
            if far[n] == 99:
                far[n] = far[h] + 1
                line.append(n)
    return far


NORTH_DISTANCE = _distances()
"""How far every land hex is from the north edge, in hexes."""


class Ground(NamedTuple):
    """Where the armies stand, as sets of hexes."""

    allied: int
    german: int
    german_zoc: int
    ports: int


def ground_of(state: UnderbellyState) -> Ground:
    """The ground of a position; the 82nd, once dropped, cannot leave the map (12.9)."""
    now = field(state)
    allied = now.allied
    if state.dropped and state.at[AIRBORNE] in INDEX:
        at = state.at[AIRBORNE]
        if len(now.stack(at)) == 1:
            allied &= ~BIT[INDEX[at]]
    return Ground(allied, now.german, now.german_zoc, bits_of([INDEX[at] for at in state.ports]))


def ground_of_view(view: Mapping[str, Any]) -> Ground:
    """The same from what a side may see."""
    extra = view["extra"]
    found = {ALLIED: 0, GERMAN: 0}
    for piece in view["pieces"]:
        h = INDEX.get(piece["at"])
        if h is not None:
            found[piece["side"]] |= BIT[h]
    battle = extra["battle"]
    if battle is not None:
        found[battle["attacker"]] |= BIT[INDEX[battle["at"]]]
        found[GERMAN if battle["attacker"] == ALLIED else ALLIED] |= BIT[INDEX[battle["target"]]]
    zone = bits_of([INDEX[at] for at in extra["german_zoc"]])
    return Ground(found[ALLIED], found[GERMAN], zone, bits_of([INDEX[at] for at in extra["ports"]]))


def spread(start: int, closed: int, ezoc: int, limit: int) -> int:
    """Hexes that mechanized units from a set can reach with so many points (7.5, 12.1, 12.8)."""
    levels = [0] * (limit + 4)
    levels[0] = start
    outside = ~ezoc
    easy, hard, roads = CLEAR_BITS & ~closed, _ROUGH & ~closed, ROAD_MOUNTAINS & ~closed
    seen = 0
    for spent in range(limit + 1):
        level = levels[spent] & ~seen
        if not level:
            continue
        seen |= level
        if spent == limit:
            break
        front = level & outside
        grown = around(front)
        by_road = grown & roads
        if by_road:
            by_road &= along_roads(front)
        if not spent and start & ezoc:  # out of an enemy zone only into a hex without one (7.5)
            held = start & ezoc
            grown |= around(held) & outside
            by_road |= along_roads(held) & roads & outside
        levels[spent + 1] |= (grown & easy) | by_road
        levels[spent + 3] |= grown & hard
    return seen


def allied_network(here: Ground) -> int:
    """Hexes in Allied overland supply, the units' own hexes in enemy zones included (11.3, 7.4)."""
    free = LAND_BITS & ~here.german & ~(here.german_zoc & ~here.allied)
    net = flood(here.ports, free)
    return net | around(net)


def _backward_roads() -> dict[int, int]:
    """For each way back along a road out of a mountain hex, as a shift of a set, the hexes it leads from."""
    masks: dict[int, int] = {}
    for one, other in ROADS:
        for h, n in ((one, other), (other, one)):
            if TERRAIN[h] == MOUNTAIN and n in ADJACENT[h] and side(h, n) not in BLOCKED:
                masks[n - h] = masks.get(n - h, 0) | BIT[h]
    return masks


_BACK = tuple(sorted(_backward_roads().items()))


def _before_by_road(bits: int) -> int:
    """Hexes from which the mountain hexes of a set can be entered along a road (12.8)."""
    found = 0
    if bits:
        for shift, mask in _BACK:
            step = bits & mask
            if step:
                found |= step << shift if shift > 0 else step >> -shift
    return found


def _starts(goals: int, closed: int, ezoc: int, limit: int, spent: int = 0) -> tuple[int, int]:
    """Hexes from which mechanized units reach a goal with at most SLOW, and with at most `limit` points."""
    levels = [0] * (limit + 4)
    levels[spent] = goals
    outside = ~ezoc
    easy, hard, mountains = CLEAR_BITS & ~closed, _ROUGH & ~closed, MOUNTAIN_BITS & ~closed
    seen = slow = 0
    for cost in range(spent, limit + 1):
        level = levels[cost] & ~seen
        if level:
            seen |= level
            if cost < limit:
                free = level & outside
                levels[cost + 1] |= around(free & easy) | _before_by_road(free & mountains)
                levels[cost + 3] |= around(free & hard)
                if cost == spent and not spent and level & ezoc:  # an enemy zone is entered only from outside (7.5)
                    held = level & ezoc
                    levels[1] |= (around(held & easy) | _before_by_road(held & mountains)) & outside
                    levels[3] |= around(held & hard) & outside
        if cost == SLOW:
            slow = seen
    return slow, seen


def _zones(here: Ground, most: int) -> Iterator[int]:
    net = allied_network(here)
    closed, ezoc = here.german, here.german_zoc
    slow, fast = _starts(NORTH_BITS, closed, ezoc, MARCH, 1)
    zone = (fast & net) | slow
    yield zone
    for _ in range(2, most):
        slow, fast = _starts(zone, closed, ezoc, MARCH)
        _, far = _starts(zone & ~ezoc, closed | ezoc, 0, COLUMN)
        zone |= slow | ((fast | (far & ~ezoc)) & net)
        yield zone


@lru_cache(maxsize=10_000)
def exit_zones(here: Ground, most: int = FAR) -> tuple[int, ...]:
    """For 1, 2 ... Allied player turns the hexes from which a unit could leave the map by then.

    The Germans stand still, and nobody fights.
    """
    return tuple(_zones(here, most))


@lru_cache(maxsize=50_000)
def exit_turns(here: Ground, most: int = FAR) -> int:
    """Allied player turns until a unit could leave the map if the Germans stood still and nobody fought; FAR: never."""
    return turns_from(_zones(here, most), here.allied)


def turns_from(zones: Iterable[int], hexes: int) -> int:
    """Allied player turns to leave the map from the best of some hexes."""
    for turn, zone in enumerate(zones, 1):
        if zone & hexes:
            return turn
    return FAR


@lru_cache(maxsize=10_000)
def runaways(here: Ground) -> int:
    """Allied hexes from which a unit can leave the map in the next Allied phase, as bits."""
    return here.allied & next(_zones(here, 2))
