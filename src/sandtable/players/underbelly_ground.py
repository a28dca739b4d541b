"""How the armies stand to each other in Soft Underbelly, for computer players: what matters on the map, as bits.

The Allies win when one unit leaves by the north edge (4.1, 4.2), so everything turns on how many of their player
turns that would take if the German line stayed as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sandtable.games.underbelly.atlas import (
    ADJACENT,
    BIT,
    CLEAR_BITS,
    INDEX,
    LAND_BITS,
    NORTH_BITS,
    NORTH_EDGE,
    ROAD_MOUNTAINS,
    SIZE,
    along_roads,
    around,
    bits_of,
    flood,
    hexes_of,
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


def spread(start: int, closed: int, ezoc: int, limit: int) -> tuple[int, bool]:
    """(hexes that mechanized units from a set can reach, whether one of them can leave the map) (7.5, 12.1, 12.8)."""
    levels = [0] * (limit + 4)
    levels[0] = start
    outside = ~ezoc
    easy, hard, roads = CLEAR_BITS & ~closed, _ROUGH & ~closed, ROAD_MOUNTAINS & ~closed
    seen = 0
    leaves = False
    for spent in range(limit + 1):
        level = levels[spent] & ~seen
        if not level:
            continue
        seen |= level
        if spent == limit:
            break
        front = level & outside
        if (front | (start if not spent else 0)) & NORTH_BITS:
            leaves = True
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
    return seen, leaves


def allied_network(here: Ground) -> int:
    """Hexes in Allied overland supply, the units' own hexes in enemy zones included (11.3, 7.4)."""
    free = LAND_BITS & ~here.german & ~(here.german_zoc & ~here.allied)
    net = flood(here.ports, free)
    return net | around(net)


def exit_turns(here: Ground, most: int = FAR) -> int:
    """Allied player turns until a unit could leave the map if the Germans stood still and nobody fought; FAR: never."""
    net = allied_network(here)
    reached = here.allied
    for turn in range(1, most):
        supplied, cut_off = reached & net, reached & ~net
        near, leaves = spread(supplied, here.german, here.german_zoc, MARCH)
        if cut_off:
            slow, slow_leaves = spread(cut_off, here.german, here.german_zoc, SLOW)
            near |= slow
            leaves = leaves or slow_leaves
        if leaves:
            return turn
        far, _ = spread(supplied & ~here.german_zoc, here.german | here.german_zoc, 0, COLUMN)
        before = reached
        reached |= near | far
        if reached == before:
            break
    return FAR


def runaways(here: Ground) -> list[int]:
    """Allied hexes from which a unit can leave the map in the next Allied phase."""
    near = [h for h in hexes_of(here.allied) if NORTH_DISTANCE[h] < MARCH]
    if not near:
        return []
    net = allied_network(here)
    return [h for h in near if spread(BIT[h], here.german, here.german_zoc, MARCH if net & BIT[h] else SLOW)[1]]
