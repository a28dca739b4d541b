"""A scenario card on its map: the setting of a match, with options, special rules and areas worked out (1.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from sandtable.engine import Rulebook
from sandtable.games.squad.cards import scenario as scenario_types
from sandtable.games.squad.cards.scenario import Area, Scenario
from sandtable.games.squad.ground import areas
from sandtable.games.squad.ground.map import Ground
from sandtable.games.squad.ground.setting import Setting
from sandtable.games.squad.part import GroundKind, Locations, Points, Ruleset
from sandtable.games.squad.pieces.kinds import Kinds, UnitKind
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.scenario.files import apply_alternatives, apply_balance
from sandtable.games.squad.scenario.maps import scenario_map
from sandtable.games.squad.scenario.switches import ScenarioRules
from sandtable.space.maps import GameMap
from sandtable.space.remembered import remembered

PLAIN = GroundKind(Ground)
"""Maps as the Starter Kit reads them."""


def _changed_kind(scenario: Scenario, group: str, kind: UnitKind) -> UnitKind:
    """What special rules change on the counters of a group."""
    for rule in scenario.ssr:
        if isinstance(rule, scenario_types.BrokenMorale) and group in rule.groups and kind.mmc:
            kind = replace(kind, broken_morale=kind.broken_morale + rule.add)
        elif isinstance(rule, scenario_types.AssaultFire) and group in rule.groups and kind.name in rule.units:
            kind = replace(kind, assault_fire=True)
        elif isinstance(rule, scenario_types.SmokeExponent) and group in rule.groups and kind.squad:
            kind = replace(kind, smoke=rule.exponent)
        elif isinstance(rule, scenario_types.NoCowering) and group in rule.groups and kind.mmc:
            own = "crew" if kind.crew else kind.unit_class
            if not rule.classes or own in rule.classes:
                kind = replace(kind, cowers=False)
    return kind


def _rules_of(scenario: Scenario, rules: Ruleset) -> Ruleset:
    """Special rules that switch rules of the whole game."""
    for rule in scenario.ssr:
        if isinstance(rule, scenario_types.NoSmoke):
            rules = rules.changed(smoke=False)
        elif isinstance(rule, scenario_types.Rain):
            rules = rules.changed(elevation_mf=rule.mf)
        elif isinstance(rule, scenario_types.OffBoardTerrain):
            rules = rules.changed(off_board_terrain=True)
        elif isinstance(rule, scenario_types.ForeignLeaders):
            rules = rules.changed(foreign_leader_drm=rule.drm)
    return rules


@remembered(32)
def _ground(game_map: GameMap, *, beyond: bool, locations: tuple[Locations, ...], kind: GroundKind) -> Ground:
    """The tables of a map with the Locations that parts add, made once."""
    off_board = _beyond(game_map) if beyond else {}
    los = game_map.los(kind.los)
    make = partial(kind.tables, game_map.grid, game_map.facts, los, game_map.season, off_board=off_board)
    ground: Ground = make()
    others = [place for find in locations for place in find(ground)]
    return make(others=others, like=ground) if others else ground


def _beyond(game_map: GameMap) -> dict[int, int]:
    """Half MF of the cut-off ground beside edge hexes, where a special rule makes it real (3.3)."""
    found: dict[int, int] = {}
    for cell, sources in enumerate(game_map.sources):
        costs = []
        for board_name, printed in sources:
            board = game_map.boards[board_name]
            for other in map(board.grid.name, board.grid.neighbours(board.grid.index(printed))):
                if f"{board_name}{other}" not in game_map:
                    costs.append(round(2 * (board[other].kind.mf or 1)))
        if costs:
            found[cell] = min(costs)
    return found


def make_setting(
    key: str,
    scenario: Scenario,
    options: Mapping[str, str],
    rules: Ruleset,
    points: Points,
    book: Rulebook[SquadState],
) -> Setting:
    """Work out a card with its options."""
    scenario = apply_alternatives(scenario, options)
    scenario = apply_balance(
        scenario, [side.id for side in scenario.sides if options.get(f"balance_{side.id}") == "on"]
    )
    rules = _rules_of(scenario, rules)
    game_map = scenario_map(scenario)
    kind = points.ground or PLAIN
    ground = _ground(game_map, beyond=rules.of(ScenarioRules).off_board_terrain, locations=points.locations, kind=kind)

    def changed(group: str, kind: UnitKind) -> UnitKind:
        for change in points.kinds:
            kind = change(kind)
        return _changed_kind(scenario, group, kind)

    kinds = Kinds(changed)

    def cells(area: Area) -> tuple[int, ...]:
        found = sorted(map(game_map.index, areas.area_hexes(area, game_map, north=scenario.map.north)))
        return tuple([place for cell in found for place in ground.locations_of(cell) if place not in ground.floors])

    def edge(places: Sequence[str]) -> tuple[int, ...]:
        found: list[int] = []
        for place in places:
            for name in areas.edge_hexes(game_map, place, north=scenario.map.north):
                if game_map.index(name) not in found:
                    found.append(game_map.index(name))
        return tuple(found)

    return Setting(key, scenario, options, rules, ground, kinds, cells=cells, edge=edge, points=points, book=book)
