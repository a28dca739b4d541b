"""The map of a scenario: its boards joined, turned and cut, in their season (1.1, 1.3)."""

from __future__ import annotations

from sandtable.games.squad.cards.scenario import MapPlan, Scenario, SeasonRule
from sandtable.games.squad.ground.areas import AreaError, hexrow_number
from sandtable.space.maps import BoardPlace, GameMap, MapSpec, load_map
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


def map_spec(scenario: Scenario, *, whole: bool = False) -> MapSpec:
    """The layout of the boards; `whole` keeps the hexrows that the scenario cuts off."""
    rows: list[list[BoardPlace]] = []
    for place in scenario.map.boards:
        cut = None if whole or not place.hexrows else _hexrows(place.hexrows)
        if not rows or place.join == "below":
            rows.append([])
        board = BoardPlace(place.board, turned=place.turned, hexrows=cut, bridges=place.bridges, wooden=place.wooden)
        rows[-1].append(board)
    if not rows:
        raise AreaError('a map needs a board, such as boards = [{ board = "w" }]')
    return MapSpec(tuple(tuple(row) for row in rows), season_of(scenario), scenario.map.prefix or None)


def scenario_map(scenario: Scenario, *, whole: bool = False) -> GameMap:
    """The map that the scenario is played on, made once for each layout and season."""
    return load_map(map_spec(scenario, whole=whole))


def _hexrows(text: str) -> tuple[str, str]:
    """First and last hexrow of `A-P`."""
    first, _, last = text.replace(" ", "").partition("-")
    if not (first.isalpha() and last.isalpha() and hexrow_number(first) <= hexrow_number(last)):
        raise AreaError(f"{text!r} names no hexrows; write the first and the last, such as A-P")
    return first, last
