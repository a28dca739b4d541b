"""Supply (11.0): tracing, the five supply states and their effects."""

from __future__ import annotations

from functools import lru_cache

from sandtable.games.underbelly.atlas import (
    ADJACENT,
    BIT,
    COASTAL,
    INDEX,
    LAND_BITS,
    NAMES,
    NORTH_BITS,
    bits_of,
    flood,
    hexes_of,
)
from sandtable.games.underbelly.data import ALLIED, GERMAN
from sandtable.games.underbelly.model import AERIAL, COASTAL_SUPPLY, CROSS, OOS, SUPPLIED, UnderbellyState
from sandtable.games.underbelly.zones import UNITS, Field, field

OVERLAND = (SUPPLIED, CROSS)
"""Regular overland supply, from whichever port."""


def open_to_supply(now: Field, side: str) -> int:
    """Hexes that a supply line may pass: no enemy unit, and no enemy zone unless a friend is there (7.4, 11.3)."""
    own, enemy = now.occupied(side), now.occupied(GERMAN if side == ALLIED else ALLIED)
    return LAND_BITS & ~enemy & ~(now.ezoc(side) & ~own)


def allied_network(state: UnderbellyState, now: Field, group: str) -> int:
    """All hexes that can trace to a port marker of one grouping (11.3)."""
    key = (group, *state.ports.items())
    found = now.supply_cache.get(key)
    if found is None:
        ports = bits_of([INDEX[at] for at, owner in state.ports.items() if owner == group])
        found = now.supply_cache[key] = flood(ports, open_to_supply(now, ALLIED))
    return found


def german_network(state: UnderbellyState, now: Field) -> int:
    """All hexes that can trace to row 10xx (11.4)."""
    barred = _barred_ports(state)
    found = now.supply_cache.get((GERMAN, barred))
    if found is None:
        found = now.supply_cache[GERMAN, barred] = flood(NORTH_BITS, open_to_supply(now, GERMAN) & ~barred)
    return found


def _barred_ports(state: UnderbellyState) -> int:
    """Port supply markers that a German supply line may not pass, by the option of the match (11.3, 12.3)."""
    if state.options.get("port_lines") != "closed":
        return 0
    return bits_of([INDEX[at] for at in state.ports])


def overland_network(state: UnderbellyState, now: Field, side: str) -> int:
    """All hexes in regular overland supply, whichever grouping's port it comes from (11.3, 11.4)."""
    if side == GERMAN:
        return german_network(state, now)
    return allied_network(state, now, "us") | allied_network(state, now, "british")


def supply_state(state: UnderbellyState, unit: str, now: Field | None = None) -> str:
    """A unit's supply state at this moment (11.1, 11.2); in a holding box it is supplied."""
    kind = UNITS[unit]
    return supply_at(state, now or field(state), kind.side, kind.group, state.at[unit])


def supply_at(state: UnderbellyState, now: Field, side: str, group: str, at: str) -> str:
    """The supply state of a unit of that grouping in a place (11.3 to 11.7)."""
    h = INDEX.get(at)
    if h is None:
        return SUPPLIED
    bit = BIT[h]
    if side == GERMAN:
        return SUPPLIED if german_network(state, now) & bit else OOS
    if allied_network(state, now, group) & bit:
        return SUPPLIED
    if allied_network(state, now, "british" if group == "us" else "us") & bit:
        return CROSS
    if state.aerial == at:
        return AERIAL
    return COASTAL_SUPPLY if COASTAL[h] else OOS


def all_supply(state: UnderbellyState) -> dict[str, str]:
    """The supply state of every unit on the map."""
    now = field(state)
    return {unit: supply_state(state, unit, now) for stack in now.stacks.values() for unit in stack}


def supply_line(state: UnderbellyState, unit: str) -> tuple[str, ...]:
    """A shortest supply line of a unit, hex by hex to its source; empty: it has none (11.3)."""
    kind, now = UNITS[unit], field(state)
    status = supply_state(state, unit, now)
    start = INDEX.get(state.at[unit])
    if start is None or status not in OVERLAND:
        return ()
    if kind.side == GERMAN:
        goals = NORTH_BITS
    else:
        want = kind.group if status == SUPPLIED else ("british" if kind.group == "us" else "us")
        goals = bits_of([INDEX[at] for at, owner in state.ports.items() if owner == want])
    free = open_to_supply(now, kind.side)
    if kind.side == GERMAN:
        free &= ~_barred_ports(state)
    toward = _toward(goals & free, free)
    path = [start]
    while (step := toward[path[-1]]) != -1:
        path.append(step)
    return tuple(NAMES[h] for h in path)


@lru_cache(maxsize=32)
def _toward(goals: int, free: int) -> dict[int, int]:
    """The next hex on a shortest way to one of the goals from each free hex, the nearest first; -1 in a goal."""
    toward = dict.fromkeys(hexes_of(goals), -1)
    reached = list(toward)
    for h in reached:
        for n in ADJACENT[h]:
            if n not in toward and free & BIT[n]:
                toward[n] = h
                reached.append(n)
    return toward
