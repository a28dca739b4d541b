"""Battle Hardening: which counter is the next better one (A15.3, A25)."""

from __future__ import annotations

from functools import lru_cache

from sandtable.games.squad.pieces.counters import Mmc, Smc, all_counters, nations
from sandtable.games.squad.pieces.kinds import UnitKind, printed_unit

CLASSES = ("C", "G", "2", "1", "E")
"""From the worst to the best; Conscripts and Green troops are on one step."""
FANATIC_INSTEAD = ("german 5-3-7",)
"""Volksgrenadiers harden by becoming Fanatic (A25.13); so do all who have nothing better."""


@lru_cache(maxsize=500)
def harder(kind: str) -> str:
    """The counter that a unit hardens to: the next better class, no factor lower, the least gain; empty: none."""
    unit = printed_unit(kind)
    if kind in FANATIC_INSTEAD or "NKVD" in kind:
        return ""
    if unit.smc:
        return _better_leader(unit)
    if not unit.mmc or unit.crew or unit.unit_class not in CLASSES:
        return ""
    step = max(CLASSES.index(unit.unit_class), 1)
    for better in CLASSES[step + 1 :]:
        found = [other for other in _like(unit) if other.unit_class == better and _no_worse(unit, other)]
        if found:
            return min(found, key=lambda other: (_gain(unit, other), other.kind)).kind
    return ""


def _like(unit: UnitKind) -> list[UnitKind]:
    """Squads, or half-squads, of the nationality and of the same sort: a reduced squad stays one."""
    owners, nation = [], unit.nation
    while nation:
        owners.append(nation)
        nation = nations()[nation].also
    sort = "squad" if unit.squad else "half-squad"
    suffix = unit.name.partition(" ")[2]
    names = dict.fromkeys(
        [
            name
            for (whose, name), counter in all_counters().items()
            if whose in owners and isinstance(counter, Mmc) and counter.kind == sort and name.endswith(suffix)
        ]
    )
    return [printed_unit(f"{unit.nation} {name}") for name in names if name.partition(" ")[2] == suffix]


def _no_worse(unit: UnitKind, other: UnitKind) -> bool:
    return other.fp >= unit.fp and other.range >= unit.range and other.morale >= unit.morale


def _gain(unit: UnitKind, other: UnitKind) -> int:
    return other.fp + other.range + other.morale - unit.fp - unit.range - unit.morale


def _better_leader(unit: UnitKind) -> str:
    """The leader whom a failed ELR check would make into this one."""
    for (nation, name), counter in all_counters().items():
        if nation == unit.nation and isinstance(counter, Smc) and counter.replaced_by == unit.name:
            return f"{nation} {name}"
    return ""
