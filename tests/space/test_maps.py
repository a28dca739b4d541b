"""Maps of boards joined, turned and cut."""

from __future__ import annotations

import numpy as np
import pytest

from sandtable.space.board import Board, BoardError
from sandtable.space.facts import HexFacts
from sandtable.space.grid import NO_CELL, GridError
from sandtable.space.hexgrid import HexGrid
from sandtable.space.maps import BoardPlace, GameMap, MapSpec, load_map, parse_layout
from sandtable.space.terrain import Season, code, terrain_table
from testboards.fields import Field

PLAIN = HexGrid(5, 3)


def board(name: str, facts: dict[str, HexFacts] | None = None, grid: HexGrid = PLAIN, **terrain: str) -> Board:
    """A little board: facts as given, terrain painted on whole hexes (`B1="woods"`)."""
    field = Field(grid)
    hexes = {hex_name: HexFacts() for hex_name in grid.names}
    for hex_name, kind in terrain.items():
        field.terrain(kind, hex_name)
        hexes[hex_name] = HexFacts(terrain=kind, building=hex_name if "building" in kind else None)
    hexes.update(facts or {})
    return Board(name, f"Board {name}", grid, hexes, stored=field.raster)


def game_map(layout: str, *boards: Board, prefix: bool | None = None, season: Season | None = None) -> GameMap:
    spec = parse_layout(layout, season or Season(), prefix=prefix)
    return GameMap(spec, {one.name: one for one in boards}.__getitem__)


def test_one_board_is_a_map_with_plain_names() -> None:
    alone = game_map("a", board("a", B1="woods"))
    assert alone.grid.names == PLAIN.names
    assert alone.index("B1") == alone.index("aB1")
    assert alone["B1"].terrain == "woods"
    assert game_map("a", board("a"), prefix=True).grid.names[0] == "aA1"


def test_short_edges_join_half_hexes_to_whole_ones() -> None:
    both = game_map("a b", board("a"), board("b"))
    assert both.grid.size == 2 * PLAIN.size - 3
    assert (both.grid.columns, both.grid.rows, both.raster.width) == (9, 3, 450)
    assert both.index("aE2") == both.index("bA2")
    assert both.sources[both.index("aE2")] == (("a", "E2"), ("b", "A2"))
    assert not both["aE2"].half
    assert both["bE2"].half
    assert both.grid.adjacent(both.index("aD2"), both.index("bA2"))
    assert both.grid.adjacent(both.index("bA2"), both.index("bB1"))
    assert both.grid.range(both.index("aA1"), both.index("bE1")) == 8


def test_long_edges_join_rows_of_half_hexes() -> None:
    both = game_map("a / b", board("a"), board("b"))
    assert both.grid.size == 2 * PLAIN.size - 2
    assert both.index("aB3") == both.index("bB0")
    assert both.grid.adjacent(both.index("aA3"), both.index("bA1"))
    assert (both.raster.width, both.raster.height) == (225, 386)


def test_four_boards_in_a_square() -> None:
    square = game_map("a b / c d", *(board(name) for name in "abcd"))
    assert (square.grid.columns, square.grid.rows) == (9, 6)
    names = {name for sources in square.sources for name in sources}
    assert len(names) == 4 * PLAIN.size
    assert all(
        square.index(one + printed) == square.index(square.grid.name(square.index(one + printed)))
        for one, printed in names
    )


def test_a_turned_board_keeps_its_names_and_turns_its_hexsides() -> None:
    facts = {"B1": HexFacts(terrain="woods", roads=((0, "dirt"),), sides=((1, "wall"),))}
    turned = game_map("a*", board("a", facts, B1="woods"))
    assert turned.grid.names[0] == "E3"
    assert turned.grid.neighbour(turned.index("B1"), 3) == turned.index("B0")
    assert turned["B1"].roads == ((3, "dirt"),)
    assert turned["B1"].sides == ((4, "wall"),)
    x, y = turned.grid.aim(turned.index("B1"))
    assert turned.raster.terrain[y, x] == code("woods")
    twice = game_map("a* b*", board("a"), board("b"))
    assert twice.index("aA2") == twice.index("bE2")


def test_cut_to_hexrows_keeps_only_those() -> None:
    cut = game_map("a:B-D", board("a", C2="woods"))
    assert {name[0] for name in cut.grid.names} == {"B", "C", "D"}
    assert cut.grid.names[:2] == ("B0", "B1")
    assert "A1" not in cut
    x, y = cut.grid.aim(cut.index("C2"))
    assert cut.raster.terrain[y, x] == code("woods")
    names = [cut.grid.name(cell) if cell != NO_CELL else "-" for cell in cut.grid.neighbour_table[cut.index("B1")]]
    assert names == ["B0", "C1", "C2", "B2", "-", "-"]


def test_cut_boards_join_at_their_real_edges_only() -> None:
    joined = game_map("a:C-E b:A-B", board("a"), board("b"))
    assert joined.grid.names[0] == "aC1"
    assert joined.index("aE1") == joined.index("bA1")
    with pytest.raises(BoardError, match="hexrow C is not an edge of board a"):
        game_map("a:A-C b", board("a"), board("b"))


def test_the_stronger_half_decides_a_joined_hex() -> None:
    left = board("a", {"E2": HexFacts(roads=((3, "paved"),))}, E1="grain", E3="stone_building")
    right = board("b", {"A2": HexFacts(roads=((1, "dirt"),), level=1)}, A1="woods", A3="stone_building")
    both = game_map("a b", left, right)
    assert both["aE1"].terrain == "woods"
    assert both["aE2"].roads == ((1, "dirt"), (3, "paved"))
    assert both["aE2"].level == 1
    assert both["aE3"].building == "aE3"


def test_lines_of_sight_cross_the_joint() -> None:
    both = game_map("a b", board("a"), board("b", B1="woods"))
    line = both.los().explain(both.index("aD1"), both.index("bD1"))
    assert (line.blocked, line.blocking_hex) == (True, "bB1")
    assert both.los().clear(both.index("aD2"), both.index("bB2"))
    assert both.los() is both.los()


def test_season_is_a_property_of_the_map() -> None:
    summer = game_map("a", board("a", B1="grain", C1="orchard"))
    winter = game_map("a", board("a", B1="grain", C1="orchard"), season=Season(grain=False, orchard=False))
    b0, b2 = summer.index("B0"), summer.index("B2")
    assert (summer.los().value(b0, b2), winter.los().value(b0, b2)) == (1, 0)
    assert not np.isin(winter.raster.terrain, [code("grain"), code("orchard")]).any()


@pytest.mark.parametrize(
    ("layout", "words"),
    [
        ("a a", "same board twice"),
        ("a b / c", "not equally wide"),
        ("a:A-Z", "no hexrow Z"),
        ("a ?", "does not name a board"),
        ("a /", "at least one board"),
        ("a big", "different size"),
    ],
)
def test_layouts_that_do_not_fit_are_refused(layout: str, words: str) -> None:
    big = board("big", grid=HexGrid(5, 3, pitch=80.0))
    with pytest.raises(BoardError, match=words):
        game_map(layout, board("a"), board("b"), board("c"), big)


def test_unknown_hexes_are_named() -> None:
    with pytest.raises(GridError, match="no hex 'aZ9' on this map; names run from aA1 to bE3"):
        game_map("a b", board("a"), board("b")).index("aZ9")


def test_the_map_of_the_third_scenario_of_the_kit() -> None:
    """S11: hexrows U to GG of board w joined to A to E of board x."""
    boards = load_map(parse_layout("w:U-GG x:A-E"))
    assert boards.grid.columns == 17
    assert boards.index("wGG5") == boards.index("xA5")
    assert boards["wGG5"].roads == ((2, "dirt"), (3, "paved"), (4, "paved"))
    assert load_map(parse_layout("w:U-GG x:A-E")) is boards


def test_a_board_of_wood_has_the_same_lines_of_sight_and_no_stone_or_paved_roads() -> None:
    printed, wooden = (load_map(MapSpec(((BoardPlace("w", wooden=yes),),))) for yes in (False, True))
    assert {"stone", "wood"} == {fact.material for fact in printed.facts} - {None}
    assert {fact.material for fact in wooden.facts} - {None} == {"wood"}
    assert {kind for fact in wooden.facts for _, kind in fact.roads} == {"dirt"}
    assert [fact.road_sides for fact in wooden.facts] == [fact.road_sides for fact in printed.facts]
    assert [fact.storeys for fact in wooden.facts] == [fact.storeys for fact in printed.facts]
    pairs = np.stack([printed.raster.terrain.ravel(), wooden.raster.terrain.ravel()])
    for before, after in np.unique(pairs, axis=1).T:
        one, other = terrain_table().by_code[int(before)], terrain_table().by_code[int(after)]
        assert (one.height, one.half, one.los) == (other.height, other.half, other.los)
