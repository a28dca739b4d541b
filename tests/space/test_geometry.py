"""The drawing rules: outlines have the size and the connections that the hex facts ask for."""

from __future__ import annotations

import numpy as np
import pytest
from shapely.geometry import Point

from sandtable.space.board import load_board
from sandtable.space.boardfile import parse_board
from sandtable.space.cells import cells, chance
from sandtable.space.geometry import BoardGeometry
from sandtable.space.rasterise import board_geometry
from sandtable.space.terrain import code, terrain_table

SHIPPED = ("w", "x", "y", "z", "1")
HEAD = "board t\ntitle T\nhexes 9 6\n"


def drawn(*lines: str) -> BoardGeometry:
    """The geometry of a small board with these hex lines."""
    return parse_board(HEAD + "\n".join(lines)).geometry


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.rule("1.1.1")
def test_the_centre_dot_lies_in_what_the_hex_is(name: str) -> None:
    board = load_board(name)
    raster = board.raster()
    for number, hex in enumerate(board.grid.names):
        facts = board[hex]
        x, y = board.grid.aim(number)
        kind = terrain_table().by_code[int(raster.terrain[y, x])]
        assert raster.levels[y, x] == facts.level, hex
        if facts.building is not None:
            assert kind.is_building != facts.shape.aside, hex
        elif facts.roads:
            assert kind.group in ("road", "open"), hex
        else:
            assert kind.group == facts.kind.group, hex


@pytest.mark.parametrize("name", SHIPPED)
def test_woods_cover_their_share_of_most_hexes(name: str) -> None:
    board = load_board(name)
    woods = board.raster().terrain == code("woods")
    owners = board.grid.pixel_owners
    total = np.bincount(owners.ravel(), minlength=board.grid.size)
    covered = np.bincount(owners[woods], minlength=board.grid.size)
    errors = [
        abs(100 * covered[number] / total[number] - board[hex].shape.cover)
        for number, hex in enumerate(board.grid.names)
        if board[hex].kind.group == "woods"
    ]
    assert np.mean(errors) < 4
    assert np.quantile(errors, 0.9) < 10


def test_woods_stay_in_their_hexes() -> None:
    board = load_board("x")
    owners = board.grid.pixel_owners[board.raster().terrain == code("woods")]
    woody = np.array([board[hex].kind.group == "woods" for hex in board.grid.names])
    assert woody[owners].mean() > 0.995


def test_the_hill_of_board_w_keeps_to_its_hexes() -> None:
    board = load_board("w")
    high = board.raster().levels == 1
    owners = board.grid.pixel_owners[high]
    levels = np.array([board[hex].level for hex in board.grid.names])
    assert (levels[owners] == 1).mean() > 0.995


def test_a_patch_reaches_the_hexsides_it_must_and_no_others() -> None:
    board = parse_board(HEAD + "D3 woods cover=60 reach=0,1\nD2 woods cover=60 reach=3\nE3 woods cover=60 reach=4")
    area = board.geometry.areas["woods"]
    cell = cells(board.grid)["D3"]
    assert [side for side in range(6) if area.contains(Point(cell.side_midpoint(side)))] == [0, 1]
    share = area.intersection(cell.polygon).area / cell.polygon.area
    assert share == pytest.approx(0.6, abs=0.03)


def test_an_orchard_fills_its_hex() -> None:
    board = parse_board(HEAD + "D3 orchard")
    assert board.geometry.areas["orchard"].area == pytest.approx(cells(board.grid)["D3"].polygon.area)


def test_a_road_runs_from_hexside_to_hexside_and_off_the_board() -> None:
    board = parse_board(HEAD + "C1 open dirt=0,3\nC2 open dirt=0,2\nD2 open dirt=5")
    area = board.geometry.paving["dirt"]
    places = cells(board.grid)
    assert area.geom_type == "Polygon", "one road"
    assert area.contains(Point(places["C1"].side_midpoint(3)))
    assert area.contains(Point(places["C2"].side_midpoint(2)))
    assert area.buffer(0.1).contains(Point(places["C1"].centre[0], 0.5)), "over the upper edge"


def test_a_road_along_a_hexside_leaves_the_side_edge_between_two_half_hexes() -> None:
    board = parse_board(HEAD + "A2 open paved=2,3\nA3 open paved=0,1\nB2 open paved=4,5,2\nC3 open paved=5")
    area = board.geometry.paving["paved"]
    places = cells(board.grid)
    assert area.geom_type == "Polygon"
    assert area.contains(Point(1, places["A2"].centre[1] + 32))
    assert not area.contains(Point(1, places["A2"].centre[1]))


@pytest.mark.parametrize("name", SHIPPED)
def test_roads_join_at_every_hexside(name: str) -> None:
    board = load_board(name)
    places = cells(board.grid)
    everything = board.geometry.paving["dirt"].union(board.geometry.paving["paved"])
    for hex, facts in board.hexes.items():
        for side in facts.road_sides:
            near = Point(places[hex].side_midpoint(side)).distance(everything)
            assert near < 24, f"{hex} {side}"


def test_a_road_through_woods_opens_a_lane() -> None:
    board = load_board("y")
    raster = board.raster()
    for hex in ("D4", "E4", "C6"):
        x, y = board.grid.aim(board.grid.index(hex))
        assert raster.terrain[y, x] == code("dirt_road")
        assert (raster.terrain[y - 25 : y + 25, x - 25 : x + 25] == code("woods")).mean() > 0.4


@pytest.mark.parametrize("name", SHIPPED)
def test_a_multi_hex_building_is_one_footprint(name: str) -> None:
    board = load_board(name)
    places = cells(board.grid)
    for building in board.geometry.buildings:
        if len(building.hexes) > 1:
            (footprint,) = building.parts
            for hex in building.hexes:
                assert footprint.intersection(places[hex].polygon).area > 100, hex


def test_separate_buildings_share_a_hex() -> None:
    (building,) = (one for one in load_board("y").geometry.buildings if one.hexes == ("J3",))
    assert len(building.parts) == 3


def test_buildings_cover_their_share() -> None:
    board = load_board("z")
    places = cells(board.grid)
    for building in board.geometry.buildings:
        if len(building.hexes) == 1 and not board[building.hexes[0]].half:
            hex = building.hexes[0]
            share = 100 * sum(part.area for part in building.parts) / places[hex].polygon.area
            assert share == pytest.approx(board[hex].shape.cover, abs=2), hex


def test_hills_of_several_levels_lie_on_each_other() -> None:
    lines = [f"{hex} open level=1" for hex in ("C2", "C3", "D1", "D3", "E2", "E3", "D2")]
    lines[-1] = "D2 open level=3"
    geometry = drawn(*lines)
    assert sorted(geometry.hills) == [1, 3]
    assert geometry.hills[1].buffer(0.5).contains(geometry.hills[3])


def test_walls_stand_on_their_hexsides_in_the_raster() -> None:
    board = parse_board(HEAD + "D3 open wall=2")
    x, y = cells(board.grid)["D3"].side_midpoint(2)
    assert board.raster().terrain[int(y), int(x)] == code("wall")


def test_without_hints_the_rules_choose_for_themselves() -> None:
    geometry = drawn("D3 woods", "F3 stone_building", "C5 grain", "D2 open level=1")
    assert geometry.areas["woods"].area > 1500
    assert geometry.areas["grain"].area > 1500
    assert geometry.buildings[0].parts[0].area > 500
    assert geometry.hills[1].area > 500


def test_geometry_is_made_the_same_every_time() -> None:
    board = load_board("x")
    first, second = board_geometry(board), board_geometry(board)
    assert first.areas["woods"].equals_exact(second.areas["woods"], 0)
    assert [b.parts for b in first.buildings] == [b.parts for b in second.buildings]


def test_variety_comes_from_names_alone() -> None:
    assert chance("spot", "K5") == chance("spot", "K5") == pytest.approx(0.070367, abs=1e-6)
    assert chance("spot", "K5") != chance("spot", "K6")
