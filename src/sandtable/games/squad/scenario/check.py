"""What is wrong with a scenario file: every problem with its place and what would be right (1.3)."""

from __future__ import annotations

import tomllib
import typing
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path as FilePath
from typing import Any, ParamSpec, TypeVar

import msgspec

from sandtable.games.squad.cards import charts
from sandtable.games.squad.cards.lines import Lines, Path, Problem, explain, in_words
from sandtable.games.squad.cards.scenario import (
    AddUnits,
    Area,
    AssaultFire,
    BuildingBalance,
    BuildingControl,
    Change,
    ChangeHexrows,
    ChangeTurns,
    ChangeVictoryArea,
    EnterByRoll,
    EnterOn,
    EntryRoll,
    ExitPoints,
    ForeignLeaders,
    Group,
    GunsLost,
    NoEnemyLeft,
    ReplaceUnit,
    Scenario,
    SetCount,
    StartsMalfunctioned,
)
from sandtable.games.squad.cards.tables import LATW
from sandtable.games.squad.ground.areas import AreaError, area_hexes, building_at, edge_hexes, hexes_in_rows, within
from sandtable.games.squad.ground.areas import building_hexes as all_buildings
from sandtable.games.squad.pieces import counters
from sandtable.games.squad.scenario.maps import scenario_map
from sandtable.reading import convert
from sandtable.space.maps import GameMap

P = ParamSpec("P")
T = TypeVar("T")


def read_scenario(text: str) -> tuple[Scenario | None, list[Problem]]:
    """The scenario in a text, or what keeps it from being read; every table is tried by itself."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return None, [Problem("", f"this is no TOML: {error}")]
    lines, problems = Lines(text), []
    fields = {field.encode_name: field for field in msgspec.structs.fields(Scenario)}
    for word in raw:
        if word not in fields:
            message = f"this word means nothing here; the words are {', '.join(fields)}"
            problems.append(Problem(word, message, lines.of((word,))))
    for name, field in fields.items():
        if name not in raw:
            if field.required:
                problems.append(Problem("", f"`{name}` is missing"))
            continue
        problems += _read_field(name, field.type, raw[name], lines)
    if problems:
        return None, problems
    return convert(raw, Scenario), []


def _read_field(name: str, kind: Any, value: Any, lines: Lines) -> Iterator[Problem]:
    """Problems of one word of the file; a list is read entry by entry."""
    parts: list[tuple[Path, Any, Any]] = [((name,), kind, value)]
    if typing.get_origin(kind) is tuple and isinstance(value, list):
        element = typing.get_args(kind)[0]
        parts = [((name, index), element, item) for index, item in enumerate(value)]
    for start, part_kind, part in parts:
        try:
            convert(part, part_kind)
        except msgspec.ValidationError as error:
            path, message = explain(error, part_kind, part)
            yield Problem(in_words((*start, *path)), message, lines.of((*start, *path)))


class Checker:
    """Looks at a scenario that could be read for things that cannot be meant."""

    def __init__(self, scenario: Scenario, lines: Lines) -> None:
        self.scenario = scenario
        self.lines = lines
        self.problems: list[Problem] = []
        self.map: GameMap | None = None
        self.sides = [side.id for side in scenario.sides]
        self.groups = [group.id for group in scenario.groups]

    def say(self, path: Path, message: str, *, place: str = "") -> None:
        """Note a problem at a path of the file."""
        self.problems.append(Problem(place or in_words(path), message, self.lines.of(path)))

    def run(self) -> list[Problem]:
        """All problems, in the order of the file."""
        self.check_map()
        self.check_sides()
        for index, group in enumerate(self.scenario.groups):
            self.check_group(index, group)
        self.check_setup_order()
        self.check_special_rules()
        self.check_victory()
        self.check_balance()
        return sorted(self.problems, key=lambda problem: problem.line)

    # Map, sides, length

    def check_map(self) -> None:
        try:
            self.map = scenario_map(self.scenario)
        except ValueError as error:
            self.say(("map", "boards"), str(error))

    def check_sides(self) -> None:
        scenario = self.scenario
        if len(self.sides) != 2 or len(set(self.sides)) != 2:
            self.say(("side",), "a scenario has two sides, each with an id of its own")
        for word in ("moves_first", "otherwise"):
            self.one_of((word,), getattr(scenario, word), self.sides, "side")
        for index, side in enumerate(scenario.sides):
            for nation in side.nations:
                self.guarded(("side", index, "nations"), counters.nation_id, nation)
        if not 1 <= scenario.turns.count <= 30:
            self.say(("turns", "count"), f"{scenario.turns.count} turns are impossible; write 1 to 30")
        if len(set(self.groups)) != len(self.groups):
            self.say(("group",), "two groups have the same id; give each its own")

    def one_of(self, path: Path, name: str, known: Iterable[str], what: str) -> bool:
        """Whether a name is known; says so if not."""
        if name in known:
            return True
        self.say(path, f"there is no {what} {name!r}; write {' or '.join(known)}")
        return False

    def guarded(self, path: Path, look: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """What a look-up gives, or None and a problem if it complains."""
        try:
            return look(*args, **kwargs)
        except (AreaError, counters.UnknownCounter) as error:
            self.say(path, str(error))
            return None

    # Groups

    def check_group(self, index: int, group: Group) -> None:
        path: Path = ("group", index)
        self.one_of((*path, "side"), group.side, self.sides, "side")
        if group.elr is not None and not 0 <= group.elr <= 5:
            self.say((*path, "elr"), f"an ELR of {group.elr} is impossible; write 0 to 5")
        if self.guarded((*path, "nation"), counters.nation_id, group.nation):
            self.check_units(path, group)
        if (group.setup is None) == (group.entry is None):
            self.say(path, f"group {group.id} needs either `setup` (an area) or `entry`, and not both")
        for word in ("not_with", "not_in_building_of"):
            for other in getattr(group, word):
                self.one_of((*path, word), other, self.groups, "group")
        if group.setup is not None and self.map is not None:
            self.check_setup(path, group, group.setup, self.map)
        if group.entry is not None:
            entry = (*path, "entry")
            self.check_turn((*entry, "turn"), group.entry.turn)
            self.check_rolls((*entry, "rolls"), group.entry.rolls)
            self.check_edges((*entry, "at"), group.entry.at)

    def check_units(self, path: Path, group: Group) -> None:
        """Counters that exist, in numbers that make sense, and Guns and weapons with somebody to man them."""
        people = guns = 0
        for index, line in enumerate(group.units):
            place: Path = (*path, "units", index)
            if line.count < 1:
                self.say(place, f"{line.count} counters {line.unit} are impossible; write 1 or more, or leave it out")
            counter = self.guarded(place, counters.counter, line.nation or group.nation, line.unit)
            people += line.count * isinstance(counter, counters.Mmc)
            guns += line.count * isinstance(counter, counters.Gun)
            if isinstance(counter, counters.SupportWeapon) and counter.name in LATW:
                since = LATW[counter.name].available_from
                if self.scenario.year_month < since:
                    self.say(
                        place, f"{counter.name} exists only from {since} on (4.4.1); take it out or change the date"
                    )
        if not group.units:
            self.say((*path, "units"), f"group {group.id} has no counters; list at least one")
        elif guns > people:
            self.say(
                (*path, "units"),
                f"{guns} Guns need as many squads, half-squads or crews to set up possessed (4.0), not {people}",
            )

    def check_setup(self, path: Path, group: Group, area: Area, game_map: GameMap) -> None:
        place: Path = (*path, "setup")
        hexes = self.guarded(place, self.hexes, area, game_map)
        if hexes is None:
            return
        if not hexes:
            self.say(place, "no hex of the map is in this area; make it wider")
            return
        squads, mmc, leaders, guns = self.sizes(group)
        limits = charts.figures("stacking")
        room = len(hexes) * (min(group.max_mmc_per_hex, 6) if group.max_mmc_per_hex else 6)
        needed = mmc if group.max_mmc_per_hex else squads
        if needed > room or leaders > len(hexes) * int(limits["smc"]):
            self.say(place, f"{len(hexes)} hexes are too few for this group by the stacking limits (3.3)")
        if group.guns is not None and guns:
            distance = max(group.guns.from_buildings - 1, 0)
            near = within(game_map, all_buildings(game_map), distance) if group.guns.from_buildings else frozenset()
            if len(hexes - near) < guns:
                self.say((*path, "guns"), "no such place is left for the Guns; ask for less distance from buildings")
        self.check_tried((*path, "tried"), group, hexes, guns)

    def check_tried(self, path: Path, group: Group, hexes: frozenset[str], guns: int) -> None:
        """A set-up that the card gives: its own counters, in the area, and each layout with a hex for each Gun."""
        for name, _ in group.tried.units:
            self.one_of((*path, "units"), name, [line.unit for line in group.units], "counter")
        for layout in group.tried.hidden:
            if len(set(layout)) != guns:
                self.say((*path, "hidden"), f"{' '.join(layout)}: name a hex of its own for each of the {guns} Guns")
        named = {at for _, at in group.tried.units}.union(*group.tried.hidden)
        for at in sorted(named - hexes):
            self.say(path, f"{at} is not in the set-up area")

    def hexes(self, area: Area, game_map: GameMap) -> frozenset[str]:
        """The hexes of an area on this scenario's map."""
        return area_hexes(area, game_map, north=self.scenario.map.north)

    @staticmethod
    def sizes(group: Group) -> tuple[int, int, int, int]:
        """Size in half-squads (a Gun's crew counts as a squad), MMC, leaders and Guns of a group."""
        squads = mmc = leaders = guns = 0
        for line in group.units:
            try:
                counter = counters.counter(line.nation or group.nation, line.unit)
            except counters.UnknownCounter:
                continue
            if isinstance(counter, counters.Mmc):
                mmc += line.count
                squads += line.count * (2 if counter.kind == "squad" else 1)
            leaders += line.count * isinstance(counter, counters.Smc)
            guns += line.count * isinstance(counter, counters.Gun)
        return squads + guns, mmc, leaders, guns

    def check_turn(self, path: Path, turn: int) -> None:
        last = self.scenario.turns.count + int(self.scenario.turns.half)
        # an impossible length has been named already and would only repeat itself here
        if not 1 <= turn <= last and self.scenario.turns.count >= 1:
            self.say(path, f"there is no Turn {turn}; the game has Turns 1 to {last}")

    def check_rolls(self, path: Path, rolls: tuple[EntryRoll, ...]) -> None:
        for roll in rolls:
            self.check_turn(path, roll.turn)
            if not 1 <= roll.number <= 6:
                self.say(path, f"a die cannot be rolled against {roll.number}; write 1 to 6")

    def check_edges(self, path: Path, places: tuple[str, ...]) -> None:
        if not places:
            self.say(path, 'name at least one edge, such as "north" or "north E10-H10"')
        for place in places:
            if self.map is not None:
                self.guarded(path, edge_hexes, self.map, place, north=self.scenario.map.north)

    def check_setup_order(self) -> None:
        waiting = {group.id for group in self.scenario.groups if group.setup is not None}
        named = self.scenario.setup_order
        for group in named:
            self.one_of(("setup_order",), group, self.groups, "group")
        if missing := sorted(waiting - set(named)):
            self.say(("setup_order",), f"say when {', '.join(missing)} sets up: list every group that has a `setup`")
        if extra := sorted((set(named) & set(self.groups)) - waiting):
            self.say(("setup_order",), f"{', '.join(extra)} enters from off the map and has no place here")

    # Special rules, victory, balance

    def check_special_rules(self) -> None:
        for index, rule in enumerate(self.scenario.ssr):
            path: Path = ("ssr", index)
            named = (*getattr(rule, "groups", ()), *((group,) if (group := getattr(rule, "group", "")) else ()))
            for group in named:
                self.one_of(path, group, self.groups, "group")
            if isinstance(rule, ForeignLeaders):
                self.one_of((*path, "side"), rule.side, self.sides, "side")
            if isinstance(rule, StartsMalfunctioned):
                self.unit_in((*path, "weapon"), rule.group, rule.weapon)
                self.check_turn((*path, "repair_from_turn"), rule.repair_from_turn)
            if isinstance(rule, AssaultFire):
                for unit in rule.units:
                    if not any(self.has_unit(group, unit) for group in rule.groups):
                        self.say((*path, "units"), f"no group of this rule has a {unit}")

    def has_unit(self, group_id: str, unit: str) -> bool:
        """Whether a group has such a counter."""
        found = [group for group in self.scenario.groups if group.id == group_id]
        return any(line.unit == unit for group in found for line in group.units)

    def unit_in(self, path: Path, group_id: str, unit: str) -> None:
        if group_id in self.groups and not self.has_unit(group_id, unit):
            names = ", ".join(line.unit for line in self.scenario.group(group_id).units)
            self.say(path, f"group {group_id} has no {unit}; it has {names}")

    def check_area(self, path: Path, area: Area) -> None:
        if self.map is not None and self.guarded(path, self.hexes, area, self.map) == frozenset():
            self.say(path, "no hex of the map is in this area; make it wider")

    def check_victory(self) -> None:
        if not self.scenario.conditions:
            self.say(("victory",), "a scenario needs at least one victory condition")
        for index, condition in enumerate(self.scenario.conditions):
            path: Path = ("victory", index)
            self.one_of((*path, "winner"), condition.winner, self.sides, "side")
            if isinstance(condition, NoEnemyLeft):
                self.one_of((*path, "side"), condition.side, self.sides, "side")
            if isinstance(condition, NoEnemyLeft | BuildingControl):
                self.check_area((*path, "area"), condition.area)
            if isinstance(condition, ExitPoints):
                self.check_edges((*path, "at"), condition.at)
                for modifier in condition.values.leader:
                    self.one_of((*path, "values"), modifier, ("-3", "-2", "-1", "0", "+1", "+2"), "leader modifier")
            if isinstance(condition, GunsLost):
                for group in condition.groups:
                    if self.one_of((*path, "groups"), group, self.groups, "group"):
                        self.check_has_guns((*path, "groups"), group)
            if isinstance(condition, BuildingBalance) and self.map is not None:
                for name in (*condition.enemy, *condition.own):
                    self.guarded(path, building_at, self.map, name)

    def check_has_guns(self, path: Path, group_id: str) -> None:
        if not self.sizes(self.scenario.group(group_id))[3]:
            self.say(path, f"group {group_id} has no Gun to lose")

    def check_balance(self) -> None:
        for index, balance in enumerate(self.scenario.balance):
            path: Path = ("balance", index)
            self.one_of((*path, "side"), balance.side, self.sides, "side")
            self.check_changes(path, balance.changes)
        for index, alternative in enumerate(self.scenario.alternatives):
            path = ("alternative", index)
            if not alternative.id.isidentifier():
                self.say((*path, "id"), f"{alternative.id!r} is no name of an option; use letters, digits and _")
            if alternative.values[0] == alternative.values[1]:
                self.say((*path, "values"), "the two readings need different names")
            self.check_changes(path, alternative.changes)

    def check_changes(self, path: Path, changes: Sequence[Change]) -> None:
        for change in changes:
            group_id = getattr(change, "group", None)
            if group_id is not None and not self.one_of(path, group_id, self.groups, "group"):
                continue
            if isinstance(change, AddUnits | ReplaceUnit):
                nation = self.scenario.group(change.group).nation
                new = change.unit if isinstance(change, AddUnits) else change.by
                self.guarded(path, counters.counter, nation, new)
            if isinstance(change, ReplaceUnit | SetCount):
                self.unit_in(path, change.group, change.unit)
            if isinstance(change, SetCount) and change.count < 1:
                self.say(path, f"{change.count} counters {change.unit} are impossible; write 1 or more")
            if isinstance(change, EnterOn):
                self.check_turn(path, change.turn)
            if isinstance(change, EnterByRoll):
                self.check_rolls(path, change.rolls)
            if isinstance(change, ChangeTurns) and change.count < 1:
                self.say(path, "a game has at least one turn")
            if isinstance(change, ChangeVictoryArea):
                self.check_area(path, change.area)
            if isinstance(change, ChangeHexrows) and self.map is not None:
                self.guarded(path, hexes_in_rows, self.map, change.hexrows)


def check_text(text: str) -> list[Problem]:
    """Every problem of a scenario given as text."""
    scenario, problems = read_scenario(text)
    return problems if scenario is None else Checker(scenario, Lines(text)).run()


def check_scenario(path: FilePath | str) -> list[Problem]:
    """Every problem of a scenario file; an empty list means that it can be played."""
    file = FilePath(path)
    try:
        text = file.read_text("utf-8")
    except UnicodeDecodeError:
        return [Problem("", f"{file.name} is not a text file; scenario files are TOML in UTF-8")]
    except OSError:
        return [Problem("", f"{file.name} cannot be read; give the path of a scenario file")]
    return check_text(text)
