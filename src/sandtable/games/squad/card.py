"""A scenario card on its map: the setting of a match, with options, special rules and areas worked out (1.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.games.squad import areas, scenario_types
from sandtable.games.squad.ground import Ground
from sandtable.games.squad.kinds import Kinds, UnitKind
from sandtable.games.squad.ruleset import Ruleset
from sandtable.games.squad.scenario_types import Area, Scenario
from sandtable.games.squad.setting import Setting
from sandtable.space.board import load_board
from sandtable.space.los import LosTable
from sandtable.space.terrain import Season


def season_of(card: Scenario) -> Season:
    """Grain and orchards by the date, unless the card says otherwise (1.1.1)."""
    season = Season.of_month(card.date.month)
    grain, orchard = season.grain, season.orchard
    for said in (card.map, *(rule for rule in card.ssr if isinstance(rule, scenario_types.SeasonRule))):
        grain = grain if said.grain is None else said.grain
        orchard = orchard if said.orchard is None else said.orchard
    return Season(grain=grain, orchard=orchard)


def _changed_kind(card: Scenario, group: str, kind: UnitKind) -> UnitKind:
    """What special rules change on the counters of a group."""
    for rule in card.ssr:
        if isinstance(rule, scenario_types.BrokenMorale) and group in rule.groups and kind.mmc:
            kind = replace(kind, broken_morale=kind.broken_morale + rule.add)
        elif isinstance(rule, scenario_types.AssaultFire) and group in rule.groups and kind.name in rule.units:
            kind = replace(kind, assault_fire=True)
        elif isinstance(rule, scenario_types.NoCowering) and group in rule.groups and kind.mmc:
            own = "crew" if kind.crew else kind.unit_class
            if not rule.classes or own in rule.classes:
                kind = replace(kind, cowers=False)
    return kind


def _rules_of(card: Scenario, rules: Ruleset) -> Ruleset:
    """Special rules that switch rules of the whole game."""
    for rule in card.ssr:
        if isinstance(rule, scenario_types.NoSmoke):
            rules = replace(rules, smoke=False, smoke_grenades=False)
        elif isinstance(rule, scenario_types.Rain):
            rules = replace(rules, elevation_mf=rule.mf)
        elif isinstance(rule, scenario_types.OffBoardTerrain):
            rules = replace(rules, off_board_terrain=True)
        elif isinstance(rule, scenario_types.ForeignLeaders):
            rules = replace(rules, foreign_leader_drm=rule.drm)
    return rules


_GROUNDS: dict[bytes, tuple[Ground, Any]] = {}


def _ground(card: Scenario) -> tuple[Ground, Any]:
    season = season_of(card)
    key = msgspec.json.encode((card.map, season))
    if key not in _GROUNDS:
        board = load_board(card.map.boards[0].board)
        los = LosTable(board.raster(season))
        facts = [board[name] for name in board.grid.names]
        _GROUNDS[key] = (Ground(board.grid, facts, los, season), board)
    return _GROUNDS[key]


def make_setting(key: str, card: Scenario, options: Mapping[str, str], rules: Ruleset) -> Setting:
    """Work out a card with its options."""
    ground, game_map = _ground(card)
    kinds = Kinds(lambda group, kind: _changed_kind(card, group, kind))

    def cells(area: Area) -> tuple[int, ...]:
        return tuple(sorted(map(ground.index, areas.area_hexes(area, game_map, north=card.map.north))))

    def edge(places: Sequence[str]) -> tuple[int, ...]:
        found: list[int] = []
        for place in places:
            for name in areas.edge_hexes(game_map, place, north=card.map.north):
                if ground.index(name) not in found:
                    found.append(ground.index(name))
        return tuple(found)

    return Setting(key, card, options, _rules_of(card, rules), ground, kinds, cells=cells, edge=edge)
