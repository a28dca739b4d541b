"""Lines of sight told as short stories on made-up ground."""

from __future__ import annotations

import pytest

from sandtable.space.los import LosRules
from sandtable.space.losjudge import Cause
from sandtable.space.loswords import as_data, in_words
from sandtable.space.terrain import Season, code
from testboards.fields import Field

FULL_HEIGHT = LosRules(one_level_buildings=False)
PER_RANGE = LosRules(hindrance="per-range")


@pytest.mark.rule("3.2.1")
def test_open_ground_hides_nothing() -> None:
    line = Field().los("A4", "M4")
    assert line.clear
    assert (line.range, line.hindrance, line.cause) == (12, 0, Cause.NOTHING)
    assert in_words(line) == "A4 to M4, range 12: clear, no hindrance (3.2.1)."


@pytest.mark.rule("3.2.1")
@pytest.mark.parametrize("obstacle", ["woods", "stone_building", "wooden_building"])
def test_an_obstacle_between_blocks_and_is_named(obstacle: str) -> None:
    line = Field().patch(obstacle, "E4").los("C3", "G5")
    assert line.blocked
    assert (line.blocking_hex, line.blocking_terrain, line.cause) == ("E4", obstacle, Cause.OBSTACLE)
    assert line.point is not None
    assert "E4" in in_words(line)


@pytest.mark.rule("3.2.1")
def test_terrain_of_the_end_hexes_does_not_block() -> None:
    line = Field().terrain("woods", "C3", "G5").los("C3", "G5")
    assert line.clear
    assert line.hindrance == 0


@pytest.mark.rule("1.1.1")
def test_each_grain_hex_between_adds_one() -> None:
    line = Field().terrain("grain", "E2", "E3", "E4", "E5").los("E1", "E5")
    assert line.hindrance == 3
    assert [one.hex for one in line.hindrances] == ["E2", "E3", "E4"]


@pytest.mark.rule("3.2.1")
def test_six_hindrances_block() -> None:
    field = Field().terrain("grain", "E2", "E3", "E4", "E5", "E6")
    assert field.los("E1", "E8").hindrance == 5
    line = field.terrain("grain", "E7").los("E1", "E8")
    assert line.blocked
    assert line.cause is Cause.HINDRANCES
    assert line.hindrance == 6


@pytest.mark.rule("3.2.1")
def test_hexes_at_one_range_count_each_or_once() -> None:
    field = Field().terrain("brush", "D3", "C4", "C3", "B3")
    assert [one.hex for one in field.los("E4", "A3").hindrances] == ["D3", "C4", "C3", "B3"]
    assert field.los("E4", "A3", PER_RANGE).hindrance == 3


@pytest.mark.rule("1.1.1")
def test_what_spills_from_next_door_or_is_only_touched_does_not_hinder() -> None:
    field = Field()
    x, y = field.grid.aim(field.grid.index("E4"))
    field.raster.terrain[y + 28 : y + 45, x - 10 : x + 10] = code("brush")
    assert field.los("E2", "E6").hindrance == 0
    assert field.los("E2", "E6", PER_RANGE).hindrance == 2


@pytest.mark.rule("1.1.1")
def test_grain_is_seen_over_from_a_hill() -> None:
    field = Field().terrain("grain", "E3", "E4").level(1, "E1")
    assert field.los("E1", "E6").hindrance == 0
    assert field.los("E2", "E6").hindrance == 2


@pytest.mark.rule("1.1.1")
def test_orchards_hinder_on_the_level_and_block_from_above_in_season() -> None:
    field = Field().terrain("orchard", "E4").level(1, "E1")
    assert field.los("E2", "E6").hindrance == 1
    above = field.los("E1", "E6")
    assert (above.blocked, above.cause) == (True, Cause.NO_HEIGHT_ADVANTAGE)
    winter = Field()
    winter.raster = field.raster.in_season(Season(grain=False, orchard=False))
    assert winter.los("E1", "E6").hindrance == 1
    assert winter.los("E2", "E6").hindrance == 1


@pytest.mark.rule("3.2.1")
def test_inherent_terrain_beside_a_hexside_is_on_the_line() -> None:
    grid = Field().grid
    assert grid.along_hexsides(grid.index("C4"), grid.index("G4"))
    for beside in ("D3", "D4"):
        line = Field().patch("orchard", beside).los("C4", "G4")
        assert [one.hex for one in line.hindrances] == [beside]
    assert Field().patch("grain", "D3").los("C4", "G4").hindrance == 0
    both = Field().terrain("orchard", "D3", "D4")
    assert both.los("C4", "G4").hindrance == 1
    assert both.los("C4", "G4", PER_RANGE).hindrance == 1


@pytest.mark.rule("1.1.1")
def test_a_hill_between_lower_units_blocks() -> None:
    line = Field().level(1, "E4").los("E2", "E6")
    assert (line.blocking_hex, line.cause) == ("E4", Cause.HIGHER_GROUND)


@pytest.mark.rule("3.2.1")
def test_the_higher_unit_must_look_straight_over_its_crest() -> None:
    hill = Field().level(1, "E2", "E3", "E4")
    assert hill.los("E4", "E7").clear
    line = hill.los("E3", "E7")
    assert (line.blocking_hex, line.cause) == ("E4", Cause.CREST_LINE)
    assert hill.los("E2", "E4").clear


@pytest.mark.rule("3.2.1")
def test_two_hills_see_each_other_over_woods_in_the_valley() -> None:
    valley = Field().terrain("woods", "E4").level(1, "E2", "E6")
    assert valley.los("E2", "E6").clear
    below = valley.los("E2", "E5")
    assert (below.blocking_hex, below.cause) == ("E4", Cause.NO_HEIGHT_ADVANTAGE)


@pytest.mark.rule("1.1.1")
def test_woods_on_a_hill_rise_from_there() -> None:
    field = Field().terrain("woods", "E4").level(1, "E2", "E4", "E6")
    assert field.los("E2", "E6").cause is Cause.OBSTACLE


def test_upper_storeys_matter_only_at_full_height() -> None:
    field = Field().patch("stone_building_1", "E4").level(1, "E2", "E6")
    assert field.los("E2", "E6").clear
    assert field.los("E2", "E6", FULL_HEIGHT).cause is Cause.HALF_LEVEL_OBSTACLE


def test_blind_hexes_lie_right_behind_an_obstacle_only() -> None:
    field = Field().terrain("woods", "E4").level(2, "E2")
    assert field.los("E2", "E5").cause is Cause.BLIND_HEX
    assert field.los("E2", "E6").clear
    assert field.los("E2", "E8").clear
    far = Field().terrain("woods", "E7").level(2, "E1")
    assert far.los("E1", "E8").blocked


def test_lifting_an_end_sees_over_things() -> None:
    field = Field().terrain("woods", "E4")
    assert field.los("E2", "E6").blocked
    assert field.los("E2", "E6", heights=(1, 1)).clear
    assert field.los("E2", "E6", heights=(1, 0)).cause is Cause.NO_HEIGHT_ADVANTAGE


@pytest.mark.parametrize("kind", ["wall", "hedge", "bocage"])
def test_hexside_terrain_blocks_only_away_from_the_ends(kind: str) -> None:
    field = Field().hexside(kind, "E4", 3)
    line = field.los("E2", "E7")
    assert (line.cause, line.blocking_terrain) == (Cause.HEXSIDE, kind)
    assert field.los("E4", "E7").clear
    assert field.los("E2", "E5").clear


@pytest.mark.parametrize("kind", ["wall", "hedge"])
def test_a_wall_along_the_hexspine_may_bend_off_to_one_side(kind: str) -> None:
    bent = Field().hexside(kind, "D3", 3).hexside(kind, "E4", 5)
    for start, end in (("C4", "G4"), ("G4", "C4"), ("C4", "I4"), ("I4", "C4")):
        assert bent.los(start, end).clear, (start, end)
    assert bent.los("A4", "G4").cause is Cause.HEXSIDE
    forked = bent.hexside(kind, "E4", 4)
    assert forked.los("C4", "G4").cause is Cause.HEXSIDE
    assert forked.los("G4", "C4").cause is Cause.HEXSIDE


def test_a_wall_that_only_begins_at_the_end_of_the_hexspine_blocks() -> None:
    assert Field().hexside("wall", "E4", 5).los("C4", "G4").cause is Cause.HEXSIDE
    steep = Field().hexside("wall", "F3", 0)
    assert steep.grid.along_hexsides(steep.grid.index("E2"), steep.grid.index("G5"))
    assert steep.los("E2", "G5").cause is Cause.HEXSIDE
    assert steep.hexside("wall", "F2", 4).los("E2", "G5").clear


def test_what_only_touches_the_outline_of_an_end_hex_does_not_matter() -> None:
    field = Field()
    field.raster.terrain[424, 304] = code("woods")
    assert field.los("F7", "H5").clear
    field.raster.terrain[422, 305] = code("woods")
    assert field.los("F7", "H5").cause is Cause.OBSTACLE


def test_a_cliff_hides_the_hex_at_its_foot() -> None:
    hill = Field().level(2, "E1").level(1, "E2", "E3", "E4")
    assert hill.los("E1", "E5").clear
    cliff = hill.hexside("cliff", "E4", 3, reach=4)
    line = cliff.los("E1", "E5")
    assert (line.cause, line.blocking_hex) == (Cause.BLIND_HEX_BEHIND_CREST, "E4")
    assert cliff.los("E1", "E6").clear
    assert cliff.los("E1", "E5", LosRules(cliffs="crest")).clear


def test_a_cliff_hides_nothing_from_right_above_it() -> None:
    brink = Field().level(2, "E4").hexside("cliff", "E4", 3, reach=4)
    assert brink.los("E4", "E6").clear
    assert brink.los("E4", "E5").clear


def test_the_bank_of_a_river_hides_no_water_from_whoever_stands_on_it() -> None:
    river = Field().terrain("water", "E5", "E6", "E7").level(-1, "E5", "E6", "E7")
    river.raster.levels[river.owners == river.grid.index("E5")] = 0
    x, y = river.grid.aim(river.grid.index("E5"))
    river.raster.levels[y : y + 30, x - 30 : x + 31] = -1
    river.raster.levels[y + 10 : y + 14, x - 30 : x + 31] = 0  # a sandbank beyond the dot
    assert river.los("E4", "E6").clear
    assert river.los("E3", "E6").cause is Cause.CREST_LINE
    river.terrain("open", "E6")
    assert river.los("E4", "E6").cause is Cause.CREST_LINE


def test_a_wall_is_seen_over_from_a_hill_but_bocage_is_not() -> None:
    assert Field().hexside("wall", "E4", 3).level(1, "E2").los("E2", "E7").clear
    assert Field().hexside("bocage", "E4", 3).level(1, "E2").los("E2", "E7").cause is Cause.HEXSIDE


def test_a_gully_hides_all_but_its_own_bed_and_the_near_heights() -> None:
    field = Field().gully("E2", "E3", "E4", "E5").level(3, "E8")
    assert field.los("E2", "E5").clear
    assert field.los("E5", "E6").clear
    assert field.los("E5", "E7").blocked
    assert field.los("E5", "E8").clear
    assert field.los("C3", "G5").clear
    low = Field().gully("E3").level(2, "E7")
    line = low.los("E3", "E7")
    assert (line.blocked, line.cause) == (True, Cause.DEPRESSION)


def test_half_level_hindrances_of_the_wilds() -> None:
    for kind in ("brush", "marsh", "graveyard", "crag"):
        assert Field().terrain(kind, "E4").los("E2", "E6").hindrance == 1, kind
    assert Field().terrain("stone_rubble", "E4").los("E2", "E6").cause is Cause.HALF_LEVEL_OBSTACLE
    for kind in ("shellholes", "water", "paved_road"):
        assert Field().terrain(kind, "E4").los("E2", "E6").hindrance == 0, kind


def test_a_hex_sees_itself_and_its_neighbours() -> None:
    field = Field().terrain("woods", "E4", "E5").terrain("grain", "E4")
    assert field.los("E4", "E4").range == 0
    assert field.los("E4", "E5").clear


def test_data_of_a_line_names_hexes_and_rule() -> None:
    data = as_data(Field().patch("woods", "E4").los("E2", "E6"))
    assert data["blocked"] is True
    assert (data["blocking_hex"], data["rule"], data["hindering_hexes"]) == ("E4", "3.2.1", [])
    clear = as_data(Field().terrain("grain", "E4").los("E2", "E6"))
    assert (clear["hindrance"], clear["hindering_hexes"], clear["reason"]) == (1, ["E4"], None)
