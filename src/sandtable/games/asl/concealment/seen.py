"""Who sees a unit, in which terrain: what gain and loss of concealment depend on (A12.12, A12.14)."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.squad.ground.guns import manned_gun
from sandtable.games.squad.ground.knowledge import hidden
from sandtable.games.squad.ground.map import Ground
from sandtable.games.squad.ground.setting import ground_of, other_side, unit_kind
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.pieces.model import SquadState, Unit

NEAR_RANGE = 16
"""Within so many hexes a unit is seen well; farther off much goes unnoticed (A12.121)."""
NEAR, FAR, NONE = "near", "far", "none"

CONCEALMENT_GROUPS = ("woods", "building", "factory", "rubble", "orchard", "grain")
CONCEALMENT_KINDS = (
    "brush",
    "marsh",
    "lumberyard",
    "vineyard",
    "bocage",
    "bamboo",
    "kunai",
    "swamp",
    "debris",
    "collapsed_hut",
    "rice_paddy_in_season",
    "scrub",
    "broken_ground",
    "cactus_patch",
    "cave",
)
NOT_CONCEALMENT = ("light_woods", "camp", "market_place", "light_tower_1", "light_tower_2", "light_tower_3")
"""Not in the list of Concealment Terrain."""


def concealment_terrain(ground: Ground, cell: int) -> bool:
    """Whether units may hide in the terrain of a Location (A12.2, index)."""
    kind = ground.kinds[cell]
    if kind.name in NOT_CONCEALMENT:
        return False
    if kind.group == "grain":
        return bool(kind.hindrance)
    return kind.group in CONCEALMENT_GROUPS or kind.name in CONCEALMENT_KINDS


def real(state: SquadState, unit: Unit) -> bool:
    """Whether there is somebody behind a counter."""
    return not unit_kind(state, unit).dummy


def watchers(state: SquadState, side: str, cell: int) -> Iterator[Unit]:
    """Good Order enemies of a side with a line of sight to a hex; Dummies and hidden units are none (A12.14)."""
    for unit in _in_sight(state, side, cell):
        if unit.good_order and not hidden(unit) and real(state, unit):
            yield unit


def denying(state: SquadState, side: str) -> set[int]:
    """Hexes with unbroken enemies of a side, Dummies too: whoever is seen from there gains no concealment (A12.1)."""
    enemy = other_side(state, side)
    return {
        unit.at
        for unit in state.units.values()
        if unit.side == enemy and unit.at >= 0 and not unit.broken and not hidden(unit)
    }


def _in_sight(state: SquadState, side: str, cell: int) -> Iterator[Unit]:
    enemy = other_side(state, side)
    units = state.units
    for source, names in state.stacks.items():
        here = [units[name] for name in names if units[name].side == enemy]
        if here and sees(state, source, cell):
            yield from here


def seen_from(state: SquadState, unit: Unit) -> tuple[str, Unit | None]:
    """How well Good Order enemies see a unit, and the one who does best, a known one if there is one (A12.121)."""
    if unit.at < 0:
        return NONE, None
    ranges = ground_of(state).ranges[unit.at]
    best: Unit | None = None
    for enemy in watchers(state, unit.side, unit.at):
        order = (ranges[enemy.at] > NEAR_RANGE, enemy.concealed, ranges[enemy.at])
        if best is None or order < (ranges[best.at] > NEAR_RANGE, best.concealed, ranges[best.at]):
            best = enemy
    if best is None:
        return NONE, None
    return NEAR if ranges[best.at] <= NEAR_RANGE else FAR, best


def cases_of(state: SquadState, unit: Unit, seen: str) -> str:
    """The cases of the table by which a unit loses concealment, seen so well (A12.121)."""
    gun = manned_gun(state, unit) if unit.weapons else None
    if gun is None:
        return {NEAR: "ABCD", FAR: "E", NONE: "F"}[seen]
    if gun.emplaced:
        return {NEAR: "ACDG", FAR: "AG", NONE: "F"}[seen]
    return {NEAR: "ABCD", FAR: "AB", NONE: "F"}[seen]


def in_plain_view(state: SquadState, unit: Unit) -> bool:
    """Whether a Gun that is not emplaced stands outside Concealment Terrain, where being seen is enough (case H)."""
    gun = manned_gun(state, unit) if unit.weapons else None
    return gun is not None and not gun.emplaced and not concealment_terrain(ground_of(state), unit.at)
