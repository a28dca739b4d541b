"""What never changes in a match: scenario, options, rules in force, map. Found by the key in the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from sandtable.engine import Rulebook
from sandtable.engine.registry import get_game
from sandtable.games.squad.cards.scenario import (
    Area,
    BuildingControl,
    FortifiedBuilding,
    NoEnemyLeft,
    Scenario,
    StartsMalfunctioned,
)
from sandtable.games.squad.ground.map import Ground
from sandtable.games.squad.ground.switches import GroundRules
from sandtable.games.squad.part import Points, Ruleset
from sandtable.games.squad.pieces.kinds import Kinds, UnitKind, WeaponKind, printed_weapon
from sandtable.games.squad.pieces.model import SquadState, Unit, Weapon
from sandtable.space.remembered import also_forget

NO_ELR = 5
T = TypeVar("T", bound=msgspec.Struct)


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
        points: Points,
        book: Rulebook[SquadState],
    ) -> None:
        self.key = key
        self.scenario = scenario
        self.options = dict(options)
        self.rules = rules
        self.hindrances = rules.of(GroundRules).hindrances
        """Asked for every line of sight, so kept at hand."""
        self.ground = ground
        self.kinds = kinds
        self.points = points
        """What the parts of the game bring."""
        self.state_type = book.state_type
        self.fields = book.fields
        """What parts add to the state."""
        self.secret_setup = scenario.secret_setup or points.conceals
        """What a side sets up is not seen before play begins (G37, A12.12)."""
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
        self.setup_areas = {
            group.id: self._open_to_all(cells(group.setup)) for group in scenario.groups if group.setup is not None
        }
        self.entry_areas = {
            group.id: self._open_to_all(edge(group.entry.at)) for group in scenario.groups if group.entry is not None
        }

        self.setup_order = tuple(
            dict.fromkeys([*scenario.setup_order, *(group.id for group in scenario.groups if group.setup is not None)])
        )
        """Groups that set up on the map, in their order."""
        self._read_conditions()
        self._edges: dict[str, dict[str, tuple[int, ...]]] = {}
        self._sections = _sections(scenario, points)
        self.fortified = next((rule for rule in scenario.ssr if isinstance(rule, FortifiedBuilding)), None)

    def _read_conditions(self) -> None:
        """What the victory conditions look at: areas, exits, buildings, and what to go for (1.3)."""
        scenario, points = self.scenario, self.points
        self._areas = {
            id(condition): frozenset(self.cells(area))
            for condition in scenario.conditions
            if (area := getattr(condition, "area", None)) is not None
        }
        judged = [(condition, points.conditions[type(condition)]) for condition in scenario.conditions]
        self.exits = {one.winner: exits for one, rules in judged if (exits := rules.exits(self, one))}
        """Hexes from which a side may leave the map for the victory conditions (3.3)."""
        self.immediate = tuple([one for one, rules in judged if rules.at_once])
        """Victory conditions that win at once."""
        self.watched = tuple([building for one, rules in judged for building in rules.watched(self, one)])
        """Buildings whose control is kept account of."""
        self.aims = tuple([(one, rules.aim(self, one)) for one, rules in judged])
        """The conditions, each with what it makes the sides go for."""

    def section(self, kind: type[T]) -> T:
        """What the scenario says to a part, or what holds where it says nothing."""
        found = self._sections.get(kind)
        return found if isinstance(found, kind) else kind()

    def _open_to_all(self, cells: tuple[int, ...]) -> tuple[int, ...]:
        """Without the hexes where nobody may ever be."""
        barred = self.ground.barred
        return tuple([cell for cell in cells if not barred[cell]])

    def foreign_drm(self, leader: Unit, unit: Unit) -> int:
        """What a special rule adds when a leader rallies or directs a unit of another nationality."""
        if not self.rules.of(GroundRules).foreign_leader_drm:
            return 0
        same = self.kinds[leader.group, leader.kind].nation == self.kinds[unit.group, unit.kind].nation
        return 0 if same else self.rules.of(GroundRules).foreign_leader_drm

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
            self._edges[group] = {place: self._open_to_all(self.edge((place,))) for place in places}
        return self._edges[group]

    def foreign(self, unit: Unit, weapon: Weapon) -> bool:
        """Whether a weapon is of another nationality than the unit that has it (5.5)."""
        return self.kinds[unit.group, unit.kind].nation != weapon.kind.partition(" ")[0]


def _sections(scenario: Scenario, points: Points) -> dict[type[msgspec.Struct], msgspec.Struct]:
    """The sections of a scenario file that parts read."""
    for name in scenario.parts:
        if name not in points.sections:
            raise ValueError(f"scenario {scenario.id}: no part of this game reads [parts.{name}]")
    known = points.sections
    return {known[name]: msgspec.convert(data, known[name]) for name, data in scenario.parts.items()}


_SETTINGS: dict[str, Setting] = {}
_MOST_ROLLED = 64
"""So many settings that matches have rolled for themselves are kept."""


def setting_of(state: SquadState) -> Setting:
    """The setting of a match."""
    try:
        return _SETTINGS[state.setting]
    except KeyError:
        return find_setting(state.setting)


def write_key(game: str, scenario: str, options: Mapping[str, str], rolled: Mapping[str, Any] | None = None) -> str:
    """The key of a scenario of a game with its options, and with what the match has rolled for itself."""
    chosen = "&".join(f"{name}={value}" for name, value in sorted(options.items()))
    key = f"{game}/{scenario}?{chosen}"
    return f"{key}#{msgspec.json.encode(rolled, order='sorted').decode()}" if rolled else key


def find_setting(key: str) -> Setting:
    """The setting of a key, made when first asked for."""
    found = _SETTINGS.get(key)
    if found is None:
        known, _, rolled = key.partition("#")
        place, _, chosen = known.partition("?")
        name, _, scenario = place.partition("/")
        options = dict(pair.split("=", 1) for pair in chosen.split("&")) if chosen else {}
        game: Any = get_game(name)
        found = game.make_setting(key, scenario, options, msgspec.json.decode(rolled) if rolled else {})
        if rolled:
            _forget_oldest()
        _SETTINGS[key] = found
    return found


def _forget_oldest() -> None:
    rolled = [key for key in list(_SETTINGS) if "#" in key]
    for key in rolled[: max(0, len(rolled) + 1 - _MOST_ROLLED)]:
        _SETTINGS.pop(key, None)  # another thread may have been quicker


def _forget_rolled() -> None:
    """Those of matches with a map of their own; scenarios of fixed maps are few and are asked for again."""
    for key in [key for key in list(_SETTINGS) if "#" in key]:
        _SETTINGS.pop(key, None)


also_forget(_forget_rolled)


def ground_of(state: SquadState) -> Ground:
    """The map of a match."""
    return setting_of(state).ground


def rules_of(state: SquadState) -> Ruleset:
    """The rules in force in a match."""
    return setting_of(state).rules


def unit_kind(state: SquadState, unit: Unit) -> UnitKind:
    """Printed values of a unit, with what the scenario changes."""
    return setting_of(state).kinds[unit.group, unit.kind]


@lru_cache(maxsize=1000)
def _weapon_kind(kind: str) -> WeaponKind:
    return printed_weapon(kind)


def weapon_kind(weapon: Weapon) -> WeaponKind:
    """Printed values of a weapon."""
    return _weapon_kind(weapon.kind)


def other_side(state: SquadState, side: str) -> str:
    """The enemy of a side."""
    return setting_of(state).others[side]


def defender(state: SquadState) -> str:
    """The DEFENDER: the side whose Player Turn it is not (2.0)."""
    return setting_of(state).others[state.attacker]


def elr(state: SquadState, unit: Unit) -> int:
    """Experience Level Rating of a unit's group (5.1)."""
    return setting_of(state).elr.get(unit.group) or NO_ELR
