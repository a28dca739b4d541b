"""Conditions of victory: each judges itself, says how it stands, and tells what to go for (1.3, 2.0, G37)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sandtable.games.squad.cards.scenario import (
    BuildingBalance,
    BuildingControl,
    ExitPoints,
    GunsLost,
    NoEnemyLeft,
    SquadRatio,
)
from sandtable.games.squad.ground.knowledge import concealed
from sandtable.games.squad.ground.setting import Setting, setting_of, unit_kind, weapon_kind
from sandtable.games.squad.part import Aim, Condition
from sandtable.games.squad.pieces.model import SquadState, Unit, Weapon


class Clearing(Condition):
    """No unit of a side is left in an area."""

    def holds(self, state: SquadState, condition: NoEnemyLeft) -> bool:
        return not left_in_area(state, condition)

    def standing(self, state: SquadState, condition: NoEnemyLeft, side: str | None) -> str:
        left = [unit for unit in left_in_area(state, condition) if unit.side == side or not concealed(state, unit)]
        return f"{len(left)} {setting_of(state).titles[condition.side]} MMC left"

    def aim(self, setting: Setting, condition: NoEnemyLeft) -> Aim:
        return Aim("clear", setting.area_of(condition))


class Leaving(Condition):
    """So many points have left the map."""

    at_once = True

    def holds(self, state: SquadState, condition: ExitPoints) -> bool:
        reached = state.points.get(condition.winner, 0) >= condition.points
        limit = condition.unless_enemy_points
        return reached and not (limit and enemy_points(state, condition) >= limit)

    def standing(self, state: SquadState, condition: ExitPoints, side: str | None) -> str:
        setting = setting_of(state)
        words = f"{state.points.get(condition.winner, 0)} of {condition.points} VP"
        if condition.unless_enemy_points:
            words += f"; {setting.titles[setting.others[condition.winner]]} {enemy_points(state, condition)}"
            words += f" of {condition.unless_enemy_points} VP"
        return words

    def aim(self, setting: Setting, condition: ExitPoints) -> Aim:
        cells, limit = frozenset(self.exits(setting, condition)), condition.unless_enemy_points or 0
        return Aim("leave", cells, needed=condition.points, limit=limit, values=condition.values)

    def exits(self, setting: Setting, condition: ExitPoints) -> tuple[int, ...]:
        return setting.edge(condition.at)


class Capturing(Condition):
    """Every Gun of some groups is captured, destroyed, or alone with the winner."""

    at_once = True

    def holds(self, state: SquadState, condition: GunsLost) -> bool:
        left = guns_left(state, condition)
        if not left or not condition.sole_occupation:
            return not left
        for weapon in left:
            cell = state.units[weapon.owner].at if weapon.owner else weapon.at
            if {state.units[name].side for name in state.stacks.get(cell, ())} != {condition.winner}:
                return False
        return True

    def standing(self, state: SquadState, condition: GunsLost, side: str | None) -> str:
        return f"{len(guns_left(state, condition))} Guns left"

    def aim(self, setting: Setting, condition: GunsLost) -> Aim:
        cells = [cell for group in condition.groups for cell in setting.setup_areas.get(group, ())]
        ranges = setting.ground.ranges
        return Aim("guns", frozenset([min(cells, key=lambda cell: sum(ranges[cell][other] for other in cells))]))


class Controlling(Condition):
    """So many buildings of an area are controlled."""

    def holds(self, state: SquadState, condition: BuildingControl) -> bool:
        return len(controlled(state, condition)) >= condition.count

    def standing(self, state: SquadState, condition: BuildingControl, side: str | None) -> str:
        return f"{len(controlled(state, condition))} of {condition.count} buildings"

    def aim(self, setting: Setting, condition: BuildingControl) -> Aim:
        buildings = setting.buildings_in(condition)
        return Aim("hold", setting.area_of(condition), buildings, buildings, condition.count)

    def watched(self, setting: Setting, condition: BuildingControl) -> tuple[str, ...]:
        return setting.buildings_in(condition)


class Trading(Condition):
    """More buildings of the enemy are taken than own ones lost."""

    def holds(self, state: SquadState, condition: BuildingBalance) -> bool:
        return building_lead(state, condition) >= condition.lead

    def standing(self, state: SquadState, condition: BuildingBalance, side: str | None) -> str:
        return f"lead {building_lead(state, condition)} of {condition.lead}"

    def aim(self, setting: Setting, condition: BuildingBalance) -> Aim:
        wanted = tuple([setting.building_at(name) for name in condition.enemy])
        buildings = (*wanted, *(setting.building_at(name) for name in condition.own))
        cells = frozenset(cell for building in buildings for cell in setting.ground.buildings[building])
        return Aim("hold", cells, wanted, buildings, condition.lead)

    def owners(self, state: SquadState, condition: BuildingBalance) -> Iterator[tuple[str, str]]:
        setting, winner = setting_of(state), condition.winner
        enemy = setting.others[winner]
        for names, holder, other in ((condition.enemy, enemy, winner), (condition.own, winner, enemy)):
            for building in map(setting.building_at, names):
                yield building, other if occupied(state, building, other) else holder


class Outnumbering(Condition):
    """Unbroken squads stand in a ratio to the enemy's."""

    def holds(self, state: SquadState, condition: SquadRatio) -> bool:
        own, enemy = squads(state, condition.winner), squads(state, setting_of(state).others[condition.winner])
        return own > 0 and own >= condition.ratio * enemy

    def aim(self, setting: Setting, condition: SquadRatio) -> Aim:
        return Aim(needed=condition.ratio)

    def standing(self, state: SquadState, condition: SquadRatio, side: str | None) -> str:
        setting = setting_of(state)
        return f"{squads(state, condition.winner):g} to {squads(state, setting.others[condition.winner]):g} squads"


CONDITIONS: dict[type, Condition] = {
    NoEnemyLeft: Clearing(),
    ExitPoints: Leaving(),
    GunsLost: Capturing(),
    BuildingControl: Controlling(),
    BuildingBalance: Trading(),
    SquadRatio: Outnumbering(),
}


def rules_for(setting: Setting, condition: Any) -> Condition:
    """The rules of a condition, from whichever part brings it."""
    return setting.points.conditions[type(condition)]


# -- what they count --------------------------------------------------------------------


def guns_left(state: SquadState, condition: GunsLost) -> list[Weapon]:
    """Guns of the groups that are neither destroyed nor in the winner's hands."""
    guns = [weapon for weapon in state.weapons.values() if weapon.group in condition.groups and weapon_kind(weapon).gun]
    return [w for w in guns if not (w.owner and state.units[w.owner].side == condition.winner)]


def enemy_points(state: SquadState, condition: ExitPoints) -> int:
    """VP that the other side has for units eliminated, reduced squads included."""
    halves = state.halves.get(setting_of(state).others[condition.winner], 0)
    return halves + sum(
        gone.points for gone in state.gone.values() if gone.side == condition.winner and gone.how == "eliminated"
    )


def left_in_area(state: SquadState, condition: NoEnemyLeft) -> list[Unit]:
    """MMC of the side that spoil the condition."""
    cells = setting_of(state).area_of(condition)
    return [
        unit
        for unit in state.units.values()
        if unit.side == condition.side
        and unit.at in cells
        and unit_kind(state, unit).mmc
        and (unit.good_order if condition.state == "good_order" else not unit.broken)
    ]


def controlled(state: SquadState, condition: BuildingControl) -> list[str]:
    """Buildings of the area that the winner controls."""
    setting = setting_of(state)
    return [b for b in setting.buildings_in(condition) if state.control.get(b) == condition.winner]


def occupied(state: SquadState, building: str, side: str) -> bool:
    """Whether a side completely occupies a building: unbroken MMC in it, no enemy, and the building changed hands."""
    setting = setting_of(state)
    sides = set()
    for cell in setting.ground.buildings[building]:
        for name in state.stacks.get(cell, ()):
            unit = state.units[name]
            if not unit.broken or unit.side != side:
                sides.add(unit.side)
    return sides == {side}


def building_lead(state: SquadState, condition: BuildingBalance) -> int:
    """Enemy buildings completely occupied, less own buildings lost (G37)."""
    setting = setting_of(state)
    enemy = setting.others[condition.winner]
    taken = sum(occupied(state, setting.building_at(name), condition.winner) for name in condition.enemy)
    lost = sum(occupied(state, setting.building_at(name), enemy) for name in condition.own)
    return taken - lost


def squads(state: SquadState, side: str) -> float:
    """Unbroken squads of a side; half-squads and crews count half (G37)."""
    sizes = [unit_kind(state, u).size for u in state.units.values() if u.side == side and not u.broken]
    return sum(sizes) / 2
