"""A sensible set-up by the program: cover, fields of fire, and where the victory conditions lie (1.3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.squad.ground import BLOCKED, Ground
from sandtable.games.squad.model import SquadState, Unit, Weapon
from sandtable.games.squad.placing import emplaced_at_start, gun_of, hip_allowed, may_place, unplaced
from sandtable.games.squad.scenario_types import (
    BuildingBalance,
    BuildingControl,
    ExitPoints,
    Group,
    GunsLost,
    NoEnemyLeft,
)
from sandtable.games.squad.setting import Setting, setting, unit_kind
from sandtable.games.squad.setup_model import Placed
from sandtable.games.squad.stacks import name_of, put, units_at


def goal_cells(card: Setting) -> tuple[int, ...]:
    """Hexes that the scenario is about."""
    for condition in card.scenario.conditions:
        if isinstance(condition, (NoEnemyLeft, BuildingControl)):
            return tuple(sorted(card.area_of(condition)))
        if isinstance(condition, ExitPoints):
            return card.edge(condition.at)
        if isinstance(condition, BuildingBalance):
            names = (*condition.enemy, *condition.own)
            return tuple(cell for name in names for cell in card.ground.buildings[card.building_at(name)])
        if isinstance(condition, GunsLost):
            areas = [card.setup_areas.get(group, ()) for group in condition.groups]
            return (_middle(card.ground, [cell for area in areas for cell in area]),)
    return ()


def _middle(ground: Ground, cells: Sequence[int]) -> int:
    """The hex of some hexes that lies in their middle."""
    return min(cells, key=lambda cell: sum(ground.ranges[cell][other] for other in cells))


def enemy_cells(card: Setting, side: str) -> tuple[int, ...]:
    """Where the enemy comes from: his entry edges and set-up areas."""
    found: list[int] = []
    for group in card.scenario.groups:
        if group.side != side:
            found += card.entry_areas.get(group.id, ())
            area = card.setup_areas.get(group.id, ())
            found += area if len(area) < card.ground.size // 2 else ()
    return tuple(found)


def nearest(ground: Ground, cell: int, cells: tuple[int, ...]) -> int:
    """Hexes from one to the nearest of some."""
    ranges = ground.ranges[cell]
    return min((ranges[other] for other in cells), default=0)


class Plan:
    """Scores of the hexes of an area for one side."""

    def __init__(self, card: Setting, group: Group) -> None:
        self.card, self.group = card, group
        ground = card.ground
        goals, enemies = goal_cells(card), enemy_cells(card, group.side)
        attacks = any(condition.winner == group.side for condition in card.scenario.conditions)
        area = card.setup_areas[group.id]
        near, self.far = ground.seen_within(8), ground.seen_within(16)
        self.score: dict[int, float] = {}
        for cell in area:
            value = 1.2 * ground.tem[cell] + 0.02 * min(near[cell], 100)
            if goals:
                value -= (0.5 if attacks else 0.25) * nearest(ground, cell, goals)
            if enemies and not attacks:
                # a defender leaves some room between himself and the enemy's edge, but faces it
                distance = nearest(ground, cell, enemies)
                value -= 0.15 * abs(distance - 5)
            self.score[cell] = value

    def best(self, state: SquadState, unit: Unit) -> int:
        """The best hex for a unit, given who stands where already."""
        kind = unit_kind(state, unit)
        gun = gun_of(state, unit) is not None
        ground = self.card.ground
        best, found = -1e9, -1
        for cell, score in self.score.items():
            if not may_place(state, unit.id, cell):
                continue
            value = score
            friends = units_at(state, cell, unit.side)
            if kind.mmc:
                value -= 1.5 * sum(unit_kind(state, other).mmc for other in friends)
                for near in ground.near[cell]:
                    value -= 0.2 * len(state.stacks.get(near, ()))
            else:
                alone = not any(unit_kind(state, other).mmc for other in friends)
                value += -6.0 if alone else 1.0 - 3.0 * sum(not unit_kind(state, other).mmc for other in friends)
                value += 0.5 * sum(unit_kind(state, other).mmc for other in friends)
            if gun:
                # emplaced, in sight of much, and where it can stay hidden
                value += 0.04 * min(self.far[cell], 150) - (4.0 if ground.paved[cell] else 0.0)
                value -= 1.5 * ground.open[cell] + 3.0 * bool(friends)
            elif any(gun_of(state, other) is not None for other in friends):
                value -= 5.0  # who stands with a hidden Gun gives it away
            if value > best:
                best, found = value, cell
        return found


@lru_cache(maxsize=64)
def _plan(card: Setting, group: Group) -> Plan:
    return Plan(card, group)


def place_rest(play: Play[SquadState], group: Group) -> None:
    """Place all units of a group that are not placed yet."""
    state = play.state
    secret = setting(state).scenario.secret_setup
    for name, cell, facing in _placements(state, group):
        unit = put(state, state.units[name], cell)
        gun = gun_of(state, unit)
        if gun is not None:
            place_gun(play, gun, facing, hip=hip_allowed(state, gun))
        else:
            play.emit(Placed(unit=name, at=name_of(state, cell), to=(unit.side,) if secret else None))


_KNOWN: dict[tuple[object, ...], list[tuple[str, int, int]]] = {}
"""Placements that were worked out before; they follow from the card and from who stands where."""


def _placements(state: SquadState, group: Group) -> list[tuple[str, int, int]]:
    """(unit, hex, Covered Arc) for all units of a group that are not placed yet."""
    standing = tuple([(u.id, u.at, u.weapons) for u in state.units.values() if u.at >= 0 or u.group == group.id])
    key = (state.setting, group.id, standing)
    if key not in _KNOWN:
        if len(_KNOWN) > 200:
            _KNOWN.clear()
        _KNOWN[key] = _place_all(state.clone(), group)
    return _KNOWN[key]


def _place_all(state: SquadState, group: Group) -> list[tuple[str, int, int]]:
    plan = _plan(setting(state), group)
    waiting = unplaced(state, group.id)
    waiting.sort(key=lambda unit: (gun_of(state, unit) is None, not unit_kind(state, unit).mmc, -len(unit.weapons)))
    found = []
    for unit in waiting:
        cell = plan.best(state, unit)
        if cell < 0:
            raise ValueError(f"{group.id}: no hex is left for {unit.kind}; the set-up area is too small")
        put(state, unit, cell)
        gun = gun_of(state, unit)
        found.append((unit.id, cell, best_facing(state, gun) if gun is not None else -1))
    return found


def best_facing(state: SquadState, gun: Weapon) -> int:
    """The Covered Arc that sees most of the way the enemy comes."""
    card = setting(state)
    ground = card.ground
    unit = state.units[gun.owner]
    enemies = set(enemy_cells(card, unit.side))
    row, ranges = ground.los_row(unit.at), ground.ranges[unit.at]
    scores = []
    for spine in range(6):
        arc = ground.grid.covered_arc(unit.at, spine)
        seen = sum(1 for cell in arc if ranges[cell] <= 12 and row[cell] != BLOCKED)
        scores.append(seen + 3 * sum(1 for cell in arc if cell in enemies))
    return scores.index(max(scores))


def place_gun(play: Play[SquadState], gun: Weapon, facing: int, *, hip: bool) -> None:
    """Give a Gun its Covered Arc; if hidden only its own side is told (3.2.4, 6.3, 6.4)."""
    state = play.state
    unit = state.units[gun.owner]
    state.weapons[gun.id] = replace(gun, facing=facing, emplaced=emplaced_at_start(state, gun), hip=hip)
    if hip:
        state.units[unit.id] = replace(unit, hip=True)
    play.emit(Placed(unit=unit.id, at=name_of(state, unit.at), to=(unit.side,) if hip else None))
