"""The terrain table against the Terrain Effects Chart of the Starter Kit."""

from __future__ import annotations

import numpy as np
import pytest

from sandtable.space.terrain import IN_SEASON, Season, TerrainTable, code, kind, terrain_table

CHART = {
    # name: (MF, TEM, hindrance, line of sight, rally bonus)
    "open": (1, 0, 0, "none", False),
    "orchard": (1, 0, 1, "obstacle", False),
    "orchard_road": (1, 0, 1, "obstacle", False),
    "dirt_road": (1, 0, 0, "none", False),
    "paved_road": (1, 0, 0, "none", False),
    "grain": (1.5, 0, 1, "hindrance", False),
    "woods": (2, 1, 0, "obstacle", True),
    "woods_road": (2, 1, 0, "obstacle", True),
    "wooden_building": (2, 2, 0, "obstacle", True),
    "stone_building": (2, 3, 0, "obstacle", True),
}


@pytest.mark.rule("1.1.1")
@pytest.mark.parametrize("name", CHART)
def test_values_of_the_chart(name: str) -> None:
    line = kind(name)
    assert (line.mf, line.tem, line.hindrance, line.los, line.rally) == CHART[name]
    assert line.source == "aslsk2"


@pytest.mark.rule("1.1.1")
def test_roads_through_woods_and_up_hills() -> None:
    assert kind("woods_road").road_mf == 1
    assert kind("woods").mortar_tem == -1
    assert kind("hill").crest_multiplier == 2


@pytest.mark.rule("1.1.1")
@pytest.mark.parametrize(
    ("month", "grain", "orchard"),
    [(3, False, False), (4, False, True), (6, True, True), (9, True, True), (10, False, True)],
)
def test_seasons(month: int, grain: bool, orchard: bool) -> None:
    assert Season.of_month(month) == Season(grain=grain, orchard=orchard)


def test_out_of_season_fields_change_in_the_raster() -> None:
    codes = terrain_table().season_codes(Season(grain=False, orchard=False))
    assert codes[code("grain")] == code("open")
    assert codes[code("orchard")] == code("orchard_out")
    assert np.array_equal(terrain_table().season_codes(IN_SEASON), np.arange(256))


def test_all_that_solitaire_needs_is_there() -> None:
    needed = (
        "brush marsh gully stream water wall hedge bocage graveyard stone_bridge stone_rubble wooden_rubble "
        "shellholes cliff crag stone_building_2 wooden_building_3"
    )
    assert all(name in terrain_table() for name in needed.split())


@pytest.mark.rule("1.1.1")
def test_the_starter_kit_knows_only_one_level_buildings() -> None:
    tall = kind("stone_building_2")
    assert tall.half_levels(one_level_buildings=True) == 2
    assert tall.half_levels(one_level_buildings=False) == 5


def test_codes_and_names_are_used_once() -> None:
    twice = [kind("open"), kind("open")]
    with pytest.raises(ValueError, match="twice"):
        TerrainTable(twice)
    with pytest.raises(KeyError, match="lava"):
        kind("lava")
    with pytest.raises(ValueError, match="no month 13"):
        Season.of_month(13)
