"""Stacking (6.0): limits, mixed Allied stacks, German organisations."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.games.underbelly.data import ALLIED, GERMAN
from sandtable.games.underbelly.model import UnderbellyState
from sandtable.games.underbelly.zones import UNITS, Field

DIVISIONS, CORPS_SUPPORT = 3, 1
"""Three divisions and one corps support unit: the fourth unit may only be corps support (6.3)."""


def count(units: Iterable[str]) -> tuple[int, int]:
    """(divisions, corps support units); markers count for nothing (6.1, 6.7)."""
    divisions = support = 0
    for unit in units:
        if UNITS[unit].division:
            divisions += 1
        else:
            support += 1
    return divisions, support


def within_limits(units: Iterable[str]) -> bool:
    """Whether so many units may be in one hex (6.3)."""
    divisions, support = count(units)
    return divisions <= DIVISIONS and support <= CORPS_SUPPORT


def one_organisation(units: Iterable[str]) -> bool:
    """Whether German units all belong to one army or corps (6.6); Allied units always may stack (6.4)."""
    return len({UNITS[unit].group for unit in units if UNITS[unit].side == GERMAN}) <= 1


def may_end(now: Field, at: str, units: Iterable[str]) -> bool:
    """Whether units may end a move or retreat in a hex (6.3, 6.6)."""
    everybody = {*now.stack(at), *units}
    return within_limits(everybody) and one_organisation(everybody)


def is_mixed(units: Iterable[str]) -> bool:
    """Whether Allied units of both groupings are among them (6.4)."""
    return len({UNITS[unit].group for unit in units if UNITS[unit].side == ALLIED}) == 2


def exempt(state: UnderbellyState, at: str, units: Iterable[str]) -> bool:
    """Whether a stack is free of inter-group penalties: a port hex, or the multi-national corps (6.5)."""
    return at in state.ports or all(unit in state.corps for unit in units)


def mixed_penalty(state: UnderbellyState, now: Field, at: str) -> bool:
    """Whether the units of a hex suffer for being mixed (6.4, 6.5)."""
    stack = now.stack(at)
    return is_mixed(stack) and not exempt(state, at, stack)


def violations(now: Field) -> list[tuple[str, str]]:
    """(side, hex) of every hex that is over-stacked or improperly stacked (6.8)."""
    return [
        (side, force[0])
        for side, forces in now.forces.items()
        for force in forces
        if len(force[5]) > 1
        and (force[2] > DIVISIONS or force[3] > CORPS_SUPPORT or (side == GERMAN and not one_organisation(force[5])))
    ]


def offenders(stack: Iterable[str]) -> list[str]:
    """The units of which one must go: only those whose loss brings the hex nearer to compliance (6.8)."""
    stack = list(stack)
    divisions, support = count(stack)
    wrong = [u for u in stack if (divisions > DIVISIONS if UNITS[u].division else support > CORPS_SUPPORT)]
    if wrong or one_organisation(stack):
        return wrong
    sizes: dict[str, int] = {}
    for unit in stack:
        sizes[UNITS[unit].group] = sizes.get(UNITS[unit].group, 0) + 1
    largest = max(sizes.values())
    keep = [group for group, size in sizes.items() if size == largest]
    return [u for u in stack if len(keep) > 1 or UNITS[u].group not in keep]
