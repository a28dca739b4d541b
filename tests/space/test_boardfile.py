"""Board files load, save and refuse: every mistake is named with file, line and hex."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.space.board import Board, BoardError, load_board
from sandtable.space.boardcheck import check_board_file
from sandtable.space.boardfields import FIELDS, HEADER
from sandtable.space.boardfile import format_board, parse_board, read_board, write_board
from sandtable.space.facts import HexFacts, Shape
from sandtable.space.hexgrid import HexGrid, standard_grid
from sandtable.space.raster import Raster, blank_raster

HEAD = "board t\ntitle Test board\nhexes 5 4\n"


def board_of(*lines: str) -> Board:
    """A small board with these hex lines."""
    return parse_board(HEAD + "\n".join(lines), "t.board")


@pytest.mark.parametrize("name", ["w", "x", "y", "z", "1"])
def test_shipped_boards_survive_saving(name: str) -> None:
    board = load_board(name)
    assert parse_board(format_board(board)) == board


def test_a_line_gives_the_facts_of_a_hex() -> None:
    board = board_of(
        "B2 stone_building_1 level=1 building=mill paved=0,3 dirt=4 wall=1,2 "
        "cover=40 reach=0 high=70 parts=2 aside=yes",
        "B1 open paved=3  # comment",
        "C2 woods angle=30 offset=-3,4",
    )
    facts = board["B2"]
    assert (facts.terrain, facts.level, facts.building, facts.material, facts.storeys) == (
        "stone_building_1",
        1,
        "mill",
        "stone",
        1,
    )
    assert facts.roads == ((0, "paved"), (3, "paved"), (4, "dirt"))
    assert facts.sides == ((1, "wall"), (2, "wall"))
    assert facts.shape == Shape(cover=40, reach=(0,), high=70, parts=2, aside=True)
    assert facts.crest_line
    assert facts.crest == (0, 1, 2, 3, 4, 5)
    assert board["A1"].terrain == "open", "hexes without a line are open ground"
    assert board["A1"].half
    assert board["C2"].shape == Shape(angle=30, offset=(-3, 4))


def test_facts_that_differ_from_the_usual_are_kept() -> None:
    board = board_of("B2 open level=1 crest=none crest_line=no half=yes", "C3 open crest=2 crest_line=yes")
    assert (board["B2"].crest, board["B2"].crest_line, board["B2"].half) == ((), False, True)
    assert (board["C3"].crest, board["C3"].crest_line) == ((2,), True)
    assert parse_board(format_board(board)) == board


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("C3 forrest", "t.board, line 4, hex C3: terrain 'forrest' is not in the terrain table"),
        ("B9 woods", "t.board, line 4, hex B9: there is no such hex on a board of 5 4 hexes"),
        ("B2", "t.board, line 4, hex B2: the terrain is missing"),
        ("B2 wall", "t.board, line 4, hex B2: wall is hexside terrain: write wall=SIDES after the terrain of the hex"),
        ("B2 woods cover=101", "line 4, hex B2: cover must be a whole number from 1 to 100, not '101'"),
        ("B2 woods reach=0,7", "line 4, hex B2: reach must be different hexsides 0 to 5"),
        ("B2 woods reach=1,1", "line 4, hex B2: reach must be different hexsides"),
        ("B2 woods level=high", "line 4, hex B2: level must be a whole number from -9 to 9, not 'high'"),
        ("B2 woods level=²", "line 4, hex B2: level must be a whole number"),
        ("B2 woods height=2", "line 4, hex B2: height is no field of a hex and no hexside terrain"),
        ("B2 woods level", "line 4, hex B2: 'level' is not of the form field=value"),
        ("B2 woods level=1 level=2", "line 4, hex B2: level is given twice"),
        ("B2 woods building=a", "line 4, hex B2: building needs a building terrain, and woods is none"),
        ("B2 open dirt=1 paved=1", "line 4, hex B2: paved gives hexside 1 a second road"),
        ("B2 open wall=1 hedge=1", "line 4, hex B2: gives a hexside two kinds of hexside terrain"),
        ("B2 stone_building aside=maybe", "line 4, hex B2: aside must be yes or no, not 'maybe'"),
        ("B2 stone_building offset=3", "line 4, hex B2: offset must be two numbers"),
        ("B2 woods\nB2 grain", "t.board, line 5, hex B2: the hex already stands in line 4"),
        ("B2 woods\ntitle x", "t.board, line 5: title belongs above the first hex"),
    ],
)
def test_a_mistake_in_a_hex_line_names_file_line_and_hex(line: str, words: str) -> None:
    with pytest.raises(BoardError) as refused:
        board_of(line)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "t.board: the header line 'board' is missing"),
        ("board t\nhexes 5 4", "t.board: the header line 'title' is missing"),
        ("board t\nboard u", "t.board, line 2: board is given twice"),
        ("board t\ntitle", "t.board, line 2: title needs a value"),
        ("board t\ntitle T\nhexes 5", "must be two numbers, not '5'"),
        ("board t\ntitle T\nhexes 0 4", "must be a whole number from 1 to 120"),
        ("board a b\ntitle T\nhexes 5 4", "must be a name of letters"),
        ("board t\ntitle T\nhexes 5 4\npitch 1 1", "pitch must give hexes of 8 to 400 pixels"),
        ("board t\ntitle T\nhexes 5 4\npitch x y", "must be two numbers of pixels"),
        ("board t\ntitle T\nhexes 120 120\npitch 400 400", "40 million in all"),
        ("board t\ntitle T\nhexes 5 4\nraster ../secret.npz", "raster must name an .npz file beside"),
    ],
)
def test_a_mistake_in_the_header_is_named(text: str, words: str) -> None:
    with pytest.raises(BoardError) as refused:
        parse_board(text, "t.board")
    assert words in str(refused.value)


KEYS = [field.key for field in FIELDS] + ["wall", "hedge", "nonsense", ""]
VALUES = st.one_of(
    st.sampled_from(["1", "0,3", "5,1,2", "yes", "no", "none", "-2", "50", "100", "mill", "3,-4", ""]),
    st.text(max_size=6),
)
WORDS = st.builds(lambda key, value: f"{key}={value}", st.sampled_from(KEYS), VALUES)
TERRAINS = st.sampled_from(
    ["open", "woods", "grain", "stone_building", "wooden_building_1", "orchard_road", "wall", "x"]
)
LINES = st.builds(
    lambda hex, terrain, words: " ".join([hex, terrain, *words]),
    st.sampled_from(["A1", "B0", "B2", "C3", "E4", "Z9", "#", "title", "raster"]),
    TERRAINS,
    st.lists(WORDS, max_size=4),
)
HEADS = st.one_of(
    st.just(HEAD),
    st.builds(
        "board {}\ntitle {}\nhexes {} {}\npitch {} {}\n".format, *[st.text(max_size=4)] * 2, *[st.integers(0, 9)] * 4
    ),
    st.builds("board t\ntitle {}\nhexes 3 2\npitch 56.25 60.123456789\n".format, st.text(max_size=9)),
)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(HEADS, st.lists(LINES, max_size=6))
def test_any_text_loads_and_saves_equal_or_is_refused(head: str, lines: list[str]) -> None:
    text = head + "\n".join(lines)
    try:
        board = parse_board(text, "t.board")
    except BoardError as refused:
        assert str(refused).startswith("t.board")
        return
    assert parse_board(format_board(board)) == board


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.text(max_size=200))
def test_wild_text_is_refused(text: str) -> None:
    with pytest.raises(BoardError):
        parse_board(text, "t.board")


def test_a_board_with_a_raster_is_saved_with_it_and_loads_equal(tmp_path: Path) -> None:
    grid = HexGrid(3, 2, pitch=56.0, hex_height=64.0, origin=(1.5, 0.25), size=(120.0, 130.0))
    pixels = np.arange(120 * 130, dtype=np.uint32).reshape(130, 120)
    raster = Raster((pixels % 3).astype(np.uint8), (pixels % 2).astype(np.int8), grid)
    board = Board("mine", "Mine", grid, board_hexes(grid), stored=raster, source="made in a test")
    write_board(board, tmp_path / "mine.board")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.board", "mine.npz"]
    loaded = read_board(tmp_path / "mine.board")
    assert loaded == board
    assert loaded.imported


def board_hexes(grid: HexGrid) -> dict[str, object]:
    """Facts of an empty board on a grid."""
    blank = parse_board("board b\ntitle b\nhexes 3 2\npitch 56 64\npixels 120 130\norigin 1.5 0.25\n")
    assert blank.grid == grid
    return dict(blank.hexes)


@pytest.mark.parametrize("origin", [(-0.25, 0.0), (1e-06, 12.3456789), (0.1, 1 / 3)])
def test_any_origin_survives_saving(origin: tuple[float, float]) -> None:
    grid = HexGrid(3, 2, origin=origin, pitch=180 / 7, size=(120.0, 130.0))
    board = Board("t", "T", grid, {name: HexFacts(half=grid.is_half(grid.index(name))) for name in grid.names})
    assert parse_board(format_board(board)) == board


def test_a_damaged_raster_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.board").write_text(HEAD + "raster t.npz\n")
    with pytest.raises(BoardError, match=r"t.board: the raster t.npz cannot be read"):
        read_board(tmp_path / "t.board")
    (tmp_path / "t.npz").write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(BoardError, match=r"t.board: the raster t.npz cannot be read"):
        read_board(tmp_path / "t.board")
    np.savez(tmp_path / "t.npz", terrain=np.zeros((3, 3), np.uint8), levels=np.zeros((3, 3), np.int8))
    with pytest.raises(BoardError, match="must hold 225 x 258 pixels"):
        read_board(tmp_path / "t.board")


def test_a_raster_of_unknown_terrain_or_endless_pixels_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.board").write_text(HEAD + "raster t.npz\n")
    levels = np.zeros((258, 225), np.int8)
    np.savez_compressed(tmp_path / "t.npz", terrain=np.full((258, 225), 255, np.uint8), levels=levels)
    with pytest.raises(BoardError, match="uses terrain code 255, which is not known"):
        read_board(tmp_path / "t.board")
    np.savez_compressed(tmp_path / "t.npz", terrain=np.zeros((9000, 9000), np.uint8), levels=levels)
    with pytest.raises(BoardError, match="must hold 225 x 258 pixels"):
        read_board(tmp_path / "t.board")


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.integers(0, 700), st.integers(0, 255)), min_size=1, max_size=4), st.integers(1, 700))
def test_a_raster_with_changed_bytes_loads_or_is_refused(changes: list[tuple[int, int]], length: int) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        blank = board_of()
        write_board(Board("t", "T", blank.grid, blank.hexes, stored=blank_raster(blank.grid)), folder / "t.board")
        data = bytearray((folder / "t.npz").read_bytes())
        for at, value in changes:
            data[at % len(data)] = value
        (folder / "t.npz").write_bytes(bytes(data[: len(data) if length > 350 else length]))
        try:
            board = read_board(folder / "t.board")
        except BoardError as refused:
            assert str(refused).startswith("t.board")
            return
        write_board(board, folder / "t.board")
        assert read_board(folder / "t.board") == board


def test_files_that_are_no_text_or_not_there_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.board").write_bytes(b"\xff\xfe\x00board")
    with pytest.raises(BoardError, match="not UTF-8 text"):
        read_board(tmp_path / "bad.board")
    with pytest.raises(BoardError, match=r"none\.board: No such file"):
        read_board(tmp_path / "none.board")


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "t.board"
    write_board(board_of("B2 woods"), file)
    before = file.read_text()

    def full(*_: object, **__: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="no space"):
        write_board(board_of("B2 grain"), file)
    assert file.read_text() == before
    assert [path.name for path in tmp_path.iterdir()] == ["t.board"]


def test_the_check_finds_roads_walls_and_buildings_that_do_not_fit(tmp_path: Path) -> None:
    file = tmp_path / "t.board"
    lines = [
        "B2 open dirt=3",
        "C2 open wall=0",
        "C1 open hedge=3",
        "A1 stone_building building=a",
        "D3 wooden_building building=a",
    ]
    file.write_text(HEAD + "\n".join(lines))
    found = check_board_file(file)
    assert "t.board, line 4, hex B2: the dirt road over hexside 3 does not go on in B3" in found
    assert "t.board, line 5, hex C2: hexside 0 is wall here and hedge in C1" in found
    assert "t.board, line 8, hex D3: the hex belongs to building a but is not adjacent to the rest of it" in found
    assert "t.board, line 8, hex D3: building a is of stone in A1 but not here" in found


def test_every_field_is_explained_in_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs" / "boards.md").read_text(encoding="utf-8")
    for field in (*HEADER, *FIELDS):
        assert f"| `{field.key}` | {field.value} | {field.meaning} |" in text


def test_the_example_of_the_documentation_is_a_board() -> None:
    text = (Path(__file__).parents[2] / "docs" / "boards.md").read_text(encoding="utf-8")
    example = text.split("```board\n")[1].split("```")[0]
    board = parse_board(example, "hamlet.board")
    assert board.name == "hamlet"
    assert board.grid != standard_grid()
    assert board["D3"].building == board["E4"].building
