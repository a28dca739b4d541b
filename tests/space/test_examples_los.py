"""The lines of sight that the rulebook's examples speak of, on our own drawing of the boards."""

from __future__ import annotations

import pytest

from sandtable.space.board import load_board
from sandtable.space.los import Los, LosEngine
from sandtable.space.terrain import IN_SEASON, Season


def line(board: str, start: str, end: str, season: Season = IN_SEASON) -> Los:
    """The verdict on one line."""
    loaded = load_board(board)
    return LosEngine(loaded.raster(season)).explain(loaded.grid.index(start), loaded.grid.index(end))


@pytest.mark.rule("1.1.1")
def test_hill_example_on_board_w() -> None:
    up = line("w", "E9", "I7")
    assert (up.blocked, up.hindrance) == (False, 0), "grain does not hinder a line to the hill"
    assert line("w", "E9", "I6").blocked, "the crest line is not in front of I6"


@pytest.mark.rule("3.2.1")
def test_line_of_sight_example_on_board_y() -> None:
    down_the_road = line("y", "I2", "F3")
    assert (down_the_road.blocked, down_the_road.hindrance) == (False, 0)
    past_trees = line("y", "I2", "J5")
    assert (past_trees.blocked, [one.hex for one in past_trees.hindrances]) == (False, ["J4"])
    behind_houses = line("y", "I2", "K4")
    assert (behind_houses.blocked, behind_houses.blocking_hex) == (True, "J3")


@pytest.mark.rule("3.2.2")
def test_prep_fire_example_on_board_y() -> None:
    assert [one.hex for one in line("y", "N5", "P5").hindrances] == ["O5"]
    assert line("y", "O6", "P5").clear
    far = line("y", "N5", "P1")
    assert (far.blocked, far.hindrance) == (False, 0)
    assert line("y", "N4", "O5").hindrance == 0, "the orchard in the target hex does not hinder"


@pytest.mark.rule("3.2.4")
def test_gun_examples_on_board_x() -> None:
    assert (line("x", "M3", "J5").range, [one.hex for one in line("x", "M3", "J5").hindrances]) == (4, ["L3"])
    assert (line("x", "M3", "O4").range, [one.hex for one in line("x", "M3", "O4").hindrances]) == (2, ["N3"])
    for start, end in (("E8", "C7"), ("E8", "B7"), ("E9", "C7")):
        shot = line("x", start, end)
        assert (shot.blocked, shot.hindrance) == (False, 0), f"{start} {end}"


@pytest.mark.rule("4.4.1")
def test_bazooka_example_on_board_w() -> None:
    shot = line("w", "DD9", "DD7")
    assert (shot.range, [one.hex for one in shot.hindrances]) == (2, ["DD8"])
    out_of_season = line("w", "DD9", "DD7", Season.of_month(12))
    assert (out_of_season.blocked, out_of_season.hindrance) == (False, 0)


@pytest.mark.rule("6.1")
def test_critical_hit_example_on_board_w() -> None:
    shot = line("w", "R6", "S8")
    assert (shot.range, shot.blocked, shot.hindrance) == (2, False, 0)


@pytest.mark.rule("3.3.1")
@pytest.mark.parametrize("target", ["J3", "K3", "I5"])
def test_defensive_fire_example_on_board_z(target: str) -> None:
    shot = line("z", "K5", target)
    assert (shot.blocked, shot.hindrance) == (False, 0)


@pytest.mark.rule("3.6")
def test_rout_example_on_board_z() -> None:
    for start in ("O6", "M6", "L7"):
        assert line("z", start, "N7").clear, start


@pytest.mark.rule("1.1.1")
def test_orchard_example_on_board_w() -> None:
    for season in (IN_SEASON, Season.of_month(1)):
        into = line("w", "W4", "W3", season)
        assert (into.blocked, into.hindrance) == (False, 0)
    past = line("w", "W4", "W2")
    assert (past.blocked, past.blocking_hex) == (True, "W3")
    winter = line("w", "W4", "W2", Season.of_month(1))
    assert (winter.blocked, [one.hex for one in winter.hindrances]) == (False, ["W3"])
