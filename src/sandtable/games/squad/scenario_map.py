"""The map of a scenario: its boards joined, turned and cut, in their season (1.1, 1.3)."""

from __future__ import annotations

from sandtable.games.squad.areas import AreaMap
from sandtable.games.squad.scenario_types import MapPlan, Scenario, SeasonRule
from sandtable.space.board import load_board
from sandtable.space.terrain import Season


def season_of(scenario: Scenario) -> Season:
    """Grain and orchards by the date (1.1.1), by the map, or by a special rule."""
    season = Season.of_month(scenario.date.month)
    words: list[MapPlan | SeasonRule] = [scenario.map]
    words += [rule for rule in scenario.ssr if isinstance(rule, SeasonRule)]
    grain, orchard = season.grain, season.orchard
    for word in words:
        grain = grain if word.grain is None else word.grain
        orchard = orchard if word.orchard is None else word.orchard
    return Season(grain=grain, orchard=orchard)


def scenario_map(scenario: Scenario) -> AreaMap:
    """The map that the scenario is played on."""
    return load_board(scenario.map.boards[0].board)
