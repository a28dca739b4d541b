"""Scenarios: found by name or path, read, checked, and changed by the options that players choose (1.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import resources
from pathlib import Path

from msgspec.structs import replace

from sandtable.games.squad.cards.lines import Problem
from sandtable.games.squad.cards.scenario import (
    AddUnits,
    Balance,
    BuildingControl,
    Change,
    ChangeHexrows,
    ChangeTurns,
    ChangeVictoryArea,
    EnterByRoll,
    EnterOn,
    Group,
    NoEnemyLeft,
    ReplaceUnit,
    Scenario,
    SetCount,
    UnitLine,
)
from sandtable.games.squad.scenario.check import check_scenario, read_scenario
from sandtable.games.squad.scenario.maps import scenario_map, season_of

__all__ = [
    "Problem",
    "Scenario",
    "ScenarioError",
    "apply_alternatives",
    "apply_balance",
    "check_scenario",
    "load_scenario",
    "scenario_map",
    "scenario_names",
    "season_of",
]

GAMES = ("aslsk2", "aslguide")


class ScenarioError(ValueError):
    """A scenario cannot be found or read; `problems` has every reason."""

    def __init__(self, message: str, problems: Iterable[Problem] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)


@cache
def scenario_names(game: str) -> tuple[str, ...]:
    """Names of the scenarios that ship with a game, in their order."""
    folder = resources.files("sandtable.games").joinpath(game, "scenarios")
    names = [entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")]
    return tuple(sorted(names, key=lambda name: (len(name), name)))


def load_scenario(name: str | Path) -> Scenario:
    """A scenario by name (`S9`, `aslsk2/S9`) or by the path of a file."""
    if isinstance(name, str) and not name.endswith(".toml"):
        game, _, short = name.rpartition("/")
        for owner in (game,) if game else GAMES:
            if owner in GAMES and short in scenario_names(owner):
                return _shipped(owner, short)
        known = ", ".join(f"{owner}/{short}" for owner in GAMES for short in scenario_names(owner))
        raise ScenarioError(f"there is no scenario {name!r}; there are {known}, or give a file's path")
    path = Path(name)
    if problems := check_scenario(path):
        others = len(problems) - 1
        more = f" (and {others} more problem{'s' if others > 1 else ''})" if others else ""
        raise ScenarioError(f"{path.name}: {problems[0]}{more}", problems)
    return _read(path.read_text("utf-8"), path.name)


@cache
def _shipped(game: str, name: str) -> Scenario:
    file = resources.files("sandtable.games").joinpath(game, "scenarios", f"{name}.toml")
    return _read(file.read_text("utf-8"), f"{name}.toml")


def _read(text: str, name: str) -> Scenario:
    scenario, problems = read_scenario(text)
    if scenario is None:
        raise ScenarioError(f"{name}: {problems[0]}", problems)
    return scenario


def balance_for(scenario: Scenario, side: str) -> Balance | None:
    """The balance option that helps a side, if there is one."""
    return next((balance for balance in scenario.balance if balance.side == side), None)


def apply_balance(scenario: Scenario, sides: Iterable[str]) -> Scenario:
    """The scenario with the balance options of the named sides."""
    for side in sides:
        balance = balance_for(scenario, side)
        if balance is None:
            raise ScenarioError(f"{scenario.id} has no balance option for {side!r}")
        for change in balance.changes:
            scenario = changed(scenario, change)
    return scenario


def apply_alternatives(scenario: Scenario, options: Mapping[str, str]) -> Scenario:
    """The scenario with the second readings that the players have chosen."""
    for alternative in scenario.alternatives:
        if options.get(alternative.id) == alternative.values[1]:
            for change in alternative.changes:
                scenario = changed(scenario, change)
    return scenario


def changed(scenario: Scenario, change: Change) -> Scenario:
    """The scenario after one change of an option."""
    if isinstance(change, AddUnits):
        more = UnitLine(unit=change.unit, count=change.count)
        return _with_group(scenario, change.group, lambda group: replace(group, units=(*group.units, more)))
    if isinstance(change, ReplaceUnit):
        return _with_group(scenario, change.group, lambda group: _one_replaced(group, change))
    if isinstance(change, SetCount):
        return _with_group(scenario, change.group, lambda group: _counted(group, change))
    if isinstance(change, EnterOn):
        return _with_entry(scenario, change.group, turn=change.turn)
    if isinstance(change, EnterByRoll):
        return _with_entry(scenario, change.group, rolls=change.rolls)
    if isinstance(change, ChangeTurns):
        return replace(scenario, turns=replace(scenario.turns, count=change.count, half=change.half))
    if isinstance(change, ChangeHexrows):
        boards = tuple(
            replace(board, hexrows=change.hexrows) if board.board == change.board else board
            for board in scenario.map.boards
        )
        return replace(scenario, map=replace(scenario.map, boards=boards))
    return _with_victory_area(scenario, change)


def _with_group(scenario: Scenario, group_id: str, edit: Callable[[Group], Group]) -> Scenario:
    groups = tuple(edit(group) if group.id == group_id else group for group in scenario.groups)
    return replace(scenario, groups=groups)


def _with_entry(scenario: Scenario, group_id: str, **fields: object) -> Scenario:
    def edit(group: Group) -> Group:
        return group if group.entry is None else replace(group, entry=replace(group.entry, **fields))

    return _with_group(scenario, group_id, edit)


def _one_replaced(group: Group, change: ReplaceUnit) -> Group:
    """One counter of the first line that has it becomes another."""
    units: list[UnitLine] = []
    done = False
    for line in group.units:
        if done or line.unit != change.unit:
            units.append(line)
            continue
        done = True
        if line.count > 1:
            units.append(replace(line, count=line.count - 1))
        units.append(replace(line, unit=change.by, count=1))
    return replace(group, units=tuple(units))


def _counted(group: Group, change: SetCount) -> Group:
    """The first line that has the counter gets another number."""
    units = list(group.units)
    place = next(i for i, line in enumerate(units) if line.unit == change.unit)
    units[place] = replace(units[place], count=change.count)
    return replace(group, units=tuple(units))


def _with_victory_area(scenario: Scenario, change: ChangeVictoryArea) -> Scenario:
    first, *others = scenario.conditions
    if isinstance(first, NoEnemyLeft | BuildingControl):
        first = replace(first, area=change.area)
    return replace(scenario, conditions=(first, *others))
