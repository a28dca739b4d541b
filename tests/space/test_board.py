"""The shipped boards hold the facts of the printed ones, and boards are found by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.space.board import Board, BoardError, board_names, data_directory, load_board, shipped_names
from sandtable.space.boardcheck import check_board
from sandtable.space.boardfile import write_board
from sandtable.space.facts import HexFacts
from sandtable.space.hexgrid import standard_grid
from sandtable.space.terrain import IN_SEASON, Season, code

SHIPPED = ("w", "x", "y", "z", "1")


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test sees the boards of whoever runs it."""
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_board_has_346_hexes_and_no_findings(name: str) -> None:
    board = load_board(name)
    assert len(board.hexes) == 346
    assert check_board(board) == []


@pytest.mark.parametrize(
    ("hex", "terrain", "level"),
    [
        ("wC3", "open", 0),
        ("wM8", "stone_building_1", 0),
        ("wX9", "orchard", 0),
        ("wCC6", "orchard_road", 0),
        ("wJ6", "open", 1),
        ("wH9", "open", 1),
        ("wI4", "orchard", 1),
        ("wG7", "stone_building", 1),
        ("wS3", "wooden_building", 0),
        ("wF8", "grain", 0),
        ("xT2", "woods", 0),
        ("xC6", "woods_road", 0),
        ("xAA4", "grain", 0),
        ("xC7", "stone_building", 0),
        ("xB7", "woods", 0),
        ("yI6", "stone_building", 0),
        ("yJ3", "stone_building", 0),
        ("yJ4", "orchard", 0),
        ("yE4", "woods_road", 0),
        ("zN9", "woods", 0),
        ("zO8", "stone_building", 0),
        ("zW9", "woods_road", 0),
        ("1X4", "stone_building_2", 0),
        ("1K8", "wooden_building_1", 0),
    ],
)
def test_hexes_are_what_the_printed_boards_show(hex: str, terrain: str, level: int) -> None:
    facts = load_board(hex[0])[hex[1:]]
    assert (facts.terrain, facts.level) == (terrain, level)


@pytest.mark.parametrize(
    ("board", "counts"),
    [
        ("w", {"woods": 32, "grain": 19, "orchard": 17, "building": 66}),
        ("x", {"woods": 67, "grain": 103, "orchard": 8, "building": 11}),
        ("y", {"woods": 67, "grain": 44, "orchard": 19, "building": 39}),
        ("z", {"woods": 40, "grain": 0, "orchard": 16, "building": 116}),
        ("1", {"woods": 48, "grain": 0, "orchard": 0, "building": 95}),
    ],
)
def test_each_board_has_its_number_of_hexes_of_each_kind(board: str, counts: dict[str, int]) -> None:
    groups = [facts.kind.group for facts in load_board(board).hexes.values()]
    assert {group: groups.count(group) for group in counts} == counts  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hex", "roads"),
    [
        ("wH8", {2: "paved", 5: "paved"}),
        ("wB5", {2: "paved", 4: "paved", 5: "paved"}),
        ("xP9", {2: "dirt", 5: "dirt"}),
        ("wI1", {0: "paved", 3: "paved"}),
        ("wA5", {2: "paved", 3: "paved"}),
        ("yC5", {1: "dirt", 3: "dirt", 4: "dirt"}),
        ("1I1", {0: "dirt", 2: "paved", 3: "paved", 4: "paved"}),
        ("zB1", {}),
    ],
)
def test_roads_cross_these_hexsides(hex: str, roads: dict[int, str]) -> None:
    assert dict(load_board(hex[0])[hex[1:]].roads) == roads


@pytest.mark.parametrize("name", SHIPPED)
def test_every_road_goes_on_beyond_its_hexside(name: str) -> None:
    board = load_board(name)
    for hex, facts in board.hexes.items():
        for side, surface in facts.roads:
            other = board.grid.neighbour(board.grid.index(hex), side)
            if other >= 0:
                assert dict(board.hexes[board.grid.names[other]].roads)[(side + 3) % 6] == surface


@pytest.mark.parametrize(
    ("board", "hexes"),
    [
        ("w", "O3 P1 P2"),
        ("w", "C8 D7"),
        ("x", "O8 P7"),
        ("x", "EE4 EE5"),
        ("z", "D2 D3 D4 E3 E4 E5"),
        ("z", "L5 L6 L7 M6 M7"),
        ("1", "W4 W5 X2 X3 X4 X5 Y3 Y4 Y5"),
    ],
)
def test_multi_hex_buildings(board: str, hexes: str) -> None:
    loaded = load_board(board)
    group = loaded[hexes.split()[0]].building
    assert {hex for hex, facts in loaded.hexes.items() if facts.building == group} == set(hexes.split())


def test_every_building_of_board_y_stands_in_one_hex() -> None:
    ids = [facts.building for facts in load_board("y").hexes.values() if facts.building]
    assert len(ids) == len(set(ids)) == 39


@pytest.mark.rule("1.1.1")
def test_crest_lines_of_board_w() -> None:
    board = load_board("w")
    assert board["H9"].crest == (2, 3)
    assert board["H9"].crest_line
    assert not board["J5"].crest_line, "the ground below a hill has no crest line of its own"
    assert board["J5"].crest == (0, 3, 4, 5)
    assert sum(facts.crest_line for facts in board.hexes.values()) == 57


def test_half_hexes_lie_along_all_edges() -> None:
    board = load_board("x")
    halves = {hex for hex, facts in board.hexes.items() if facts.half}
    assert len(halves) == 52
    assert {"A1", "A10", "GG5", "B0", "B10", "FF0"} <= halves
    assert "C1" not in halves


def test_the_season_changes_grain_and_orchards_in_the_raster() -> None:
    board = load_board("x")
    summer, winter = board.raster(IN_SEASON), board.raster(Season.of_month(12))
    assert board.raster(IN_SEASON) is summer, "made once"
    assert (summer.terrain == code("grain")).sum() > 100_000
    assert not (winter.terrain == code("grain")).any()
    assert ((summer.terrain == code("orchard")) == (winter.terrain == code("orchard_out"))).all()


def test_an_unknown_board_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(BoardError, match=f"there is no board 'q'; the boards are {', '.join(board_names())}"):
        load_board("q")
    with pytest.raises(BoardError, match="there is no board"):
        load_board("../w")


def test_an_unknown_hex_is_refused() -> None:
    with pytest.raises(BoardError, match="board w has no hex K11"):
        load_board("w")["K11"]


def test_boards_of_the_user_are_found_and_win_over_shipped_ones(own_data: Path) -> None:
    assert data_directory() == own_data / "boards"
    data_directory().mkdir()
    mine = Board("w", "My own board", standard_grid(), {"A1": HexFacts("woods")})
    write_board(mine, data_directory() / "w.board")
    write_board(Board("meadow", "Meadow", standard_grid(), {}), data_directory() / "meadow.board")
    assert board_names() == sorted({*shipped_names(), "meadow"})
    assert load_board("w").title == "My own board"
    assert load_board("w")["A1"].terrain == "woods"


def test_a_board_file_is_named_like_its_board(own_data: Path) -> None:
    data_directory().mkdir()
    write_board(Board("meadow", "Meadow", standard_grid(), {}), data_directory() / "field.board")
    with pytest.raises(BoardError, match=r"field\.board: the file must be named meadow\.board"):
        load_board("field")


def test_the_data_directory_follows_the_platform(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SANDTABLE_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    assert data_directory() == tmp_path / "share" / "sandtable" / "boards"
