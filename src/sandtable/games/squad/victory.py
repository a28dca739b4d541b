"""Victory: points, control, and the conditions that hold at once or at the end (1.3, 2.0)."""

from __future__ import annotations

from sandtable.engine import Outcome, Play
from sandtable.games.squad.model import SquadState, Unit
from sandtable.games.squad.phase_model import ControlChanged
from sandtable.games.squad.scenario_types import (
    BuildingBalance,
    BuildingControl,
    ExitPoints,
    GunsLost,
    NoEnemyLeft,
    PointValues,
    SquadRatio,
    VictoryCondition,
)
from sandtable.games.squad.setting import Setting, setting, unit_kind, weapon_kind

RULE = "1.3"


def worth(state: SquadState, unit: Unit) -> int:
    """Victory points of a unit by the scenario's values; leaders count by their printed modifier."""
    values = point_values(setting(state))
    if values is None:
        return 0
    kind = unit_kind(state, unit)
    if kind.squad:
        return values.squad
    if kind.half_squad:
        return values.half_squad
    if kind.crew:
        return values.crew or values.half_squad
    modifier = f"{kind.leadership:+d}" if kind.leadership else "0"
    return values.leader.get(modifier, 0)


def point_values(card: Setting) -> PointValues | None:
    """The point values of a scenario, if it has any."""
    for condition in card.scenario.conditions:
        if isinstance(condition, ExitPoints):
            return condition.values
    return None


def exit_cells(state: SquadState, side: str) -> tuple[int, ...]:
    """Hexes from which a side may leave the map for the victory conditions (3.3)."""
    return setting(state).exits.get(side, ())


def score_exit(play: Play[SquadState], side: str, points: int) -> None:
    """Count the points of a unit that left the map."""
    play.state.points[side] = play.state.points.get(side, 0) + points


def score_reduction(play: Play[SquadState], before: Unit, after: Unit) -> None:
    """The half of a squad that is lost counts for the enemy as a half-squad eliminated (ruling M-17)."""
    state = play.state
    lost = worth(state, before) - worth(state, after)
    if lost > 0:
        enemy = setting(state).others[before.side]
        state.halves[enemy] = state.halves.get(enemy, 0) + lost


def enemy_points(state: SquadState, condition: ExitPoints) -> int:
    """VP that the other side has for units eliminated, reduced squads included."""
    halves = state.halves.get(setting(state).others[condition.winner], 0)
    return halves + sum(
        gone.points for gone in state.gone.values() if gone.side == condition.winner and gone.how == "eliminated"
    )


# -- at once ----------------------------------------------------------------------------


def check_at_once(play: Play[SquadState]) -> None:
    """End the match if a condition that wins immediately holds."""
    state = play.state
    if state.outcome is not None or state.phase == "set-up":
        return
    for condition in setting(state).immediate:
        if isinstance(condition, ExitPoints):
            reached = state.points.get(condition.winner, 0) >= condition.points
            spoiled = condition.unless_enemy_points and enemy_points(state, condition) >= condition.unless_enemy_points
            if reached and not spoiled:
                state.outcome = Outcome(condition.winner, condition.text, RULE)
        elif isinstance(condition, GunsLost) and guns_lost(state, condition):
            state.outcome = Outcome(condition.winner, condition.text, RULE)


def guns_lost(state: SquadState, condition: GunsLost) -> bool:
    """Whether every Gun of the groups is destroyed or captured, or in a hex that the winner alone occupies."""
    left = [w for w in state.weapons.values() if w.group in condition.groups and weapon_kind(w).gun]
    left = [w for w in left if not (w.owner and state.units[w.owner].side == condition.winner)]
    if not left:
        return True
    if not condition.sole_occupation:
        return False
    for weapon in left:
        cell = state.units[weapon.owner].at if weapon.owner else weapon.at
        sides = {state.units[name].side for name in state.stacks.get(cell, ())}
        if sides != {condition.winner}:
            return False
    return True


# -- control ----------------------------------------------------------------------------


def update_control(play: Play[SquadState]) -> None:
    """A Good Order MMC gains a building that no enemy shares with it (2.0)."""
    state = play.state
    card = setting(state)
    for building in card.watched:
        holders, present = set(), set()
        for cell in card.ground.buildings[building]:
            for name in state.stacks.get(cell, ()):
                unit = state.units[name]
                if unit.hip:
                    continue  # a marker would tell where it hides
                present.add(unit.side)
                if unit.good_order and unit_kind(state, unit).mmc:
                    holders.add(unit.side)
        if len(present) == 1 and holders == present:
            (side,) = holders
            if state.control.get(building) != side:
                state.control[building] = side
                where = card.ground.names[card.ground.buildings[building][0]]
                play.emit(ControlChanged(place=f"building {where}", side=side, at=where))


# -- at the end -------------------------------------------------------------------------


def decide_at_end(play: Play[SquadState]) -> None:
    """The game has run its turns: say who won (1.3)."""
    state = play.state
    card = setting(state)
    for condition in card.scenario.conditions:
        if holds(state, condition):
            state.outcome = Outcome(condition.winner, condition.text, RULE)
            return
    title = card.titles[card.scenario.otherwise]
    state.outcome = Outcome(card.scenario.otherwise, f"{title} held out to the end", RULE)


def holds(state: SquadState, condition: VictoryCondition) -> bool:
    """Whether a condition is met as things stand."""
    card = setting(state)
    if isinstance(condition, NoEnemyLeft):
        return not list(left_in_area(state, condition))
    if isinstance(condition, BuildingControl):
        return len(controlled(state, condition)) >= condition.count
    if isinstance(condition, BuildingBalance):
        return building_lead(state, condition) >= condition.lead
    if isinstance(condition, SquadRatio):
        own, enemy = squads(state, condition.winner), squads(state, card.others[condition.winner])
        return own > 0 and own >= condition.ratio * enemy
    if isinstance(condition, GunsLost):
        return guns_lost(state, condition)
    reached = state.points.get(condition.winner, 0) >= condition.points
    return reached and not (
        condition.unless_enemy_points and enemy_points(state, condition) >= condition.unless_enemy_points
    )


def left_in_area(state: SquadState, condition: NoEnemyLeft) -> list[Unit]:
    """MMC of the side that spoil the condition."""
    cells = setting(state).area_of(condition)
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
    card = setting(state)
    return [b for b in card.buildings_in(condition) if state.control.get(b) == condition.winner]


def occupied(state: SquadState, building: str, side: str) -> bool:
    """Whether a side completely occupies a building: unbroken MMC in it, no enemy, and the building changed hands."""
    card = setting(state)
    sides = set()
    for cell in card.ground.buildings[building]:
        for name in state.stacks.get(cell, ()):
            unit = state.units[name]
            if not unit.broken or unit.side != side:
                sides.add(unit.side)
    return sides == {side}


def building_lead(state: SquadState, condition: BuildingBalance) -> int:
    """Enemy buildings completely occupied, less own buildings lost (G37)."""
    card = setting(state)
    enemy = card.others[condition.winner]
    taken = sum(occupied(state, card.building_at(name), condition.winner) for name in condition.enemy)
    lost = sum(occupied(state, card.building_at(name), enemy) for name in condition.own)
    return taken - lost


def squads(state: SquadState, side: str) -> float:
    """Unbroken squads of a side; half-squads and crews count half (G37)."""
    sizes = [unit_kind(state, u).size for u in state.units.values() if u.side == side and not u.broken]
    return sum(sizes) / 2
