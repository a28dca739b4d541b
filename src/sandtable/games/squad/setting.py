"""What never changes in a match: scenario, options, rules in force, map. Found by the key in the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from sandtable.engine.registry import get_game
from sandtable.games.squad.ground import Ground
from sandtable.games.squad.kinds import Kinds, UnitKind, WeaponKind, printed_weapon
from sandtable.games.squad.model import SquadState, Unit, Weapon
from sandtable.games.squad.ruleset import Ruleset
from sandtable.games.squad.scenario_types import (
    Area,
    BuildingControl,
    ExitPoints,
    FortifiedBuilding,
    GunsLost,
    NoEnemyLeft,
    Scenario,
    StartsMalfunctioned,
)

NO_ELR = 5


class Setting:
    """The card, the map and the rules of a match; shared by all matches with the same key."""

    def __init__(
        self,
        key: str,
        scenario: Scenario,
        options: Mapping[str, str],
        rules: Ruleset,
        ground: Ground,
        kinds: Kinds,
        *,
        cells: Callable[[Area], tuple[int, ...]],
        edge: Callable[[Sequence[str]], tuple[int, ...]],
    ) -> None:
        self.key = key
        self.scenario = scenario
        self.options = dict(options)
        self.rules = rules
        self.ground = ground
        self.kinds = kinds
        self.date = scenario.year_month
        self.sides = tuple(side.id for side in scenario.sides)
        self.others = {self.sides[0]: self.sides[1], self.sides[1]: self.sides[0]}
        self.titles = {side.id: side.title for side in scenario.sides}
        self.elr = {group.id: group.elr for group in scenario.groups}
        self.first = scenario.moves_first
        self.second = self.others[self.first]
        self.turns = scenario.turns.count + int(scenario.turns.half)
        self.half = scenario.turns.half
        """Only the first side plays the last turn (3.9)."""
        self.groups = {group.id: group for group in scenario.groups}
        self.cells = cells
        """Hexes of an area of the scenario."""
        self.edge = edge
        """Hexes along edges, as the scenario names them."""
        self.setup_areas = {group.id: cells(group.setup) for group in scenario.groups if group.setup is not None}
        self.entry_areas = {group.id: edge(group.entry.at) for group in scenario.groups if group.entry is not None}

        self.setup_order = tuple(
            dict.fromkeys([*scenario.setup_order, *(group.id for group in scenario.groups if group.setup is not None)])
        )
        """Groups that set up on the map, in their order."""
        self.exits = {
            condition.winner: edge(condition.at)
            for condition in scenario.conditions
            if isinstance(condition, ExitPoints)
        }
        self.immediate = tuple(c for c in scenario.conditions if isinstance(c, ExitPoints | GunsLost))
        """Victory conditions that win at once."""
        self._areas = {
            id(condition): frozenset(cells(condition.area))
            for condition in scenario.conditions
            if isinstance(condition, NoEnemyLeft | BuildingControl)
        }
        self.watched = tuple(
            building
            for condition in scenario.conditions
            if isinstance(condition, BuildingControl)
            for building in self.buildings_in(condition)
        )
        """Buildings whose control is kept account of."""
        self._edges: dict[str, dict[str, tuple[int, ...]]] = {}
        self.fortified = next((rule for rule in scenario.ssr if isinstance(rule, FortifiedBuilding)), None)

    def foreign_drm(self, leader: Unit, unit: Unit) -> int:
        """What a special rule adds when a leader rallies or directs a unit of another nationality."""
        if not self.rules.foreign_leader_drm:
            return 0
        same = self.kinds[leader.group, leader.kind].nation == self.kinds[unit.group, unit.kind].nation
        return 0 if same else self.rules.foreign_leader_drm

    def may_repair(self, weapon: Weapon, turn: int) -> bool:
        """Whether a special rule lets a weapon that began malfunctioned be repaired in this turn already."""
        name = weapon.kind.partition(" ")[2]
        for rule in self.scenario.ssr:
            if isinstance(rule, StartsMalfunctioned) and (rule.group, rule.weapon) == (weapon.group, name):
                return turn >= rule.repair_from_turn
        return True

    def nations_of(self, side: str) -> tuple[str, ...]:
        """Nationalities that fight for a side."""
        return next(found.nations for found in self.scenario.sides if found.id == side)

    def area_of(self, condition: NoEnemyLeft | BuildingControl) -> frozenset[int]:
        """The hexes that a victory condition looks at."""
        return self._areas[id(condition)]

    def buildings_in(self, condition: BuildingControl) -> tuple[str, ...]:
        """Buildings that lie in the area of a condition."""
        area = self.area_of(condition)
        return tuple(
            building
            for building, cells in self.ground.buildings.items()
            if (len(cells) > 1 or not condition.multi_hex) and all(cell in area for cell in cells)
        )

    def building_at(self, name: str) -> str:
        """The building that stands in a named hex."""
        return self.ground.building[self.ground.index(name)]

    def edges_of(self, group: str) -> dict[str, tuple[int, ...]]:
        """The edges along which a group may enter, each with its hexes."""
        if group not in self._edges:
            entry = self.groups[group].entry
            places = entry.at if entry is not None else ()
            self._edges[group] = {place: self.edge((place,)) for place in places}
        return self._edges[group]

    def fortified_tem(self, state: SquadState, cell: int) -> int:
        """TEM of the building that a special rule fortifies, 0 elsewhere."""
        if self.fortified is None:
            return 0
        building = state.entered.get("fortified", "")
        return self.fortified.tem if building and self.ground.building[cell] == building else 0

    def foreign(self, unit: Unit, weapon: Weapon) -> bool:
        """Whether a weapon is of another nationality than the unit that has it (5.5)."""
        return self.kinds[unit.group, unit.kind].nation != weapon.kind.partition(" ")[0]


_SETTINGS: dict[str, Setting] = {}


def setting(state: SquadState) -> Setting:
    """The setting of a match."""
    try:
        return _SETTINGS[state.setting]
    except KeyError:
        return find_setting(state.setting)


def write_key(game: str, scenario: str, options: Mapping[str, str]) -> str:
    """The key of a scenario of a game with its options."""
    chosen = "&".join(f"{name}={value}" for name, value in sorted(options.items()))
    return f"{game}/{scenario}?{chosen}"


def find_setting(key: str) -> Setting:
    """The setting of a key, made when first asked for."""
    if key not in _SETTINGS:
        place, _, chosen = key.partition("?")
        name, _, scenario = place.partition("/")
        options = dict(pair.split("=", 1) for pair in chosen.split("&")) if chosen else {}
        game = get_game(name)
        _SETTINGS[key] = game.make_setting(key, scenario, options)  # type: ignore[attr-defined]
    return _SETTINGS[key]


def ground_of(state: SquadState) -> Ground:
    """The map of a match."""
    return setting(state).ground


def rules_of(state: SquadState) -> Ruleset:
    """The rules in force in a match."""
    return setting(state).rules


def unit_kind(state: SquadState, unit: Unit) -> UnitKind:
    """Printed values of a unit, with what the scenario changes."""
    return setting(state).kinds[unit.group, unit.kind]


@lru_cache(maxsize=1000)
def _weapon_kind(kind: str) -> WeaponKind:
    return printed_weapon(kind)


def weapon_kind(weapon: Weapon) -> WeaponKind:
    """Printed values of a weapon."""
    return _weapon_kind(weapon.kind)


def other_side(state: SquadState, side: str) -> str:
    """The enemy of a side."""
    return setting(state).others[side]


def defender(state: SquadState) -> str:
    """The DEFENDER: the side whose Player Turn it is not (2.0)."""
    return setting(state).others[state.attacker]


def elr(state: SquadState, unit: Unit) -> int:
    """Experience Level Rating of a unit's group (5.1)."""
    return setting(state).elr.get(unit.group) or NO_ELR
