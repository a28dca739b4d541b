"""Import of VASL archives: a good one becomes a board, everything else one sentence and no file."""

from __future__ import annotations

import gzip
import io
import struct
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.space.board import Board, board_names, load_board
from sandtable.space.boardfile import read_board, write_board
from sandtable.space.importing import store_board
from sandtable.space.los import LosTable
from sandtable.space.maps import load_map, parse_layout
from sandtable.space.terrain import code, terrain_table
from sandtable.space.vasl import BoardImportError, board_from_archive, import_vasl
from sandtable.space.vasl_codes import KIND_OF_CODE
from testboards.vasl_archive import archive, blank, blocks, board_archive, payload


def village() -> bytes:
    """Woods in B1, a two-hex stone building in C2 and C3, a road through D2, a hill in E1, grain in B3."""
    terrain, levels = blank()
    terrain[50:80, 40:70] = 60
    terrain[80:150, 105:120] = 40
    terrain[:, 165:172] = 65
    levels[10:60, 200:] = 1
    field = terrain[170:193, 20:90]
    field[:] = 24
    field[::3, ::2] = 0
    metadata = (
        '<boardMetadata name="t"><buildingTypes>'
        '<buildingType hexName="C2" buildingTypeName="Stone Building, 1 Level"/>'
        '<buildingType hexName="Q9" buildingTypeName="Palace"/></buildingTypes></boardMetadata>'
    )
    return board_archive(terrain, levels, metadata=metadata)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path / "data"))
    return tmp_path


def test_an_archive_becomes_a_board_with_facts() -> None:
    board = board_from_archive(village(), "t")
    assert (board.grid.columns, board.grid.rows, board.imported) == (5, 3, True)
    assert board["B1"].terrain == "woods"
    assert board["C2"].terrain == "stone_building_1"
    assert board["C2"].building == board["C3"].building == "C2"
    assert board["D2"].roads == ((0, "dirt"), (3, "dirt"))
    assert (board["E1"].level, board["E2"].level) == (1, 0)
    assert 3 in board["E1"].crest
    assert board["B3"].terrain == "grain"
    assert board["A1"].half


def test_speckled_grain_is_filled() -> None:
    board = board_from_archive(village(), "t")
    assert board.stored is not None
    assert (board.stored.terrain[172:190, 24:86] == code("grain")).all()


def test_lines_of_sight_work_on_it() -> None:
    board = board_from_archive(village(), "t")
    table = LosTable(board.raster())
    line = table.explain(board.grid.index("B0"), board.grid.index("B2"))
    assert (line.blocked, line.blocking_hex) == (True, "B1")


def test_a_stored_board_is_found_by_name_and_equal(home: Path) -> None:
    file = home / "bdtest"
    file.write_bytes(village())
    board = import_vasl(file)
    assert board.name == "test"
    path = store_board(board)
    assert path.is_relative_to(home)
    assert load_board("test") == board
    assert "test" in board_names()
    assert load_map(parse_layout("test")).grid.size == board.grid.size
    assert sorted(entry.name for entry in path.parent.iterdir()) == ["test.board", "test.npz"]


def read_back(board: Board) -> Board:
    """The board as it comes back from a file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "f.board"
        write_board(board, file)
        return read_board(file)


def test_metadata_may_move_and_scale_the_hexes() -> None:
    terrain, levels = np.zeros((220, 300), np.uint8), np.zeros((220, 300), np.int8)
    about = '<boardMetadata hexWidth="56.3" hexHeight="65" A1CenterX="10" A1CenterY="40"/>'
    board = board_from_archive(board_archive(terrain, levels, metadata=about), "t")
    assert (board.grid.pitch, board.grid.hex_height) == (56.3, 65)
    assert board.grid.centre(board.grid.index("A1")) == (10, 40)
    higher = board_from_archive(board_archive(*blank(), metadata='<boardMetadata A1CenterY="32"/>'), "t")
    assert higher.grid.aim(higher.grid.index("B0")) == (56, 0)
    assert read_back(higher) == higher


def test_every_code_stands_for_a_kind_of_the_table() -> None:
    assert set(KIND_OF_CODE.values()) <= set(terrain_table().by_name)
    assert len(KIND_OF_CODE) > 150


def good_payload() -> bytes:
    return payload(*blank())


def packed(data: bytes) -> bytes:
    return gzip.compress(blocks(data))


def bomb() -> bytes:
    return gzip.compress(bytes(300 * 2**20), 9)


def with_member(name: str) -> bytes:
    stream = io.BytesIO(village())
    with zipfile.ZipFile(stream, "a") as made:
        made.writestr(name, b"x")
    return stream.getvalue()


def lying_terrain() -> bytes:
    terrain, levels = blank()
    terrain[5, 5] = 250
    return board_archive(terrain, levels)


def lying_levels() -> bytes:
    terrain, levels = blank()
    levels[5, 5] = 99
    return board_archive(terrain, levels)


def sized(columns: int, rows: int, width: int, height: int) -> bytes:
    return archive(packed(struct.pack(">4i", columns, rows, width, height) + good_payload()[16:]))


BAD = {
    "not a zip": (b"GIF89a and so on", "not a readable zip"),
    "cut off zip": (village()[:-40], "not a readable zip"),
    "no LOSData": (archive(None, picture=b"gif"), "no LOSData"),
    "not gzip": (archive(b"plain"), "damaged"),
    "cut off gzip": (archive(packed(good_payload())[:-30]), "breaks off"),
    "not a Java stream": (archive(gzip.compress(b"hello world")), "not a Java object stream"),
    "objects inside": (archive(gzip.compress(b"\xac\xed\x00\x05\x73\x72")), "something else"),
    "cut off block": (archive(gzip.compress(blocks(good_payload())[:-9])), "breaks off inside a block"),
    "too short": (archive(gzip.compress(blocks(b"1234"))), "too short"),
    "too few pixels": (archive(packed(good_payload()[:-5])), "bytes where a board"),
    "too many pixels": (archive(packed(good_payload() + bytes(9))), "bytes where a board"),
    "absurd hexes": (sized(2_000_000_000, 3, 225, 193), "no board size"),
    "negative hexes": (sized(-5, 3, 225, 193), "no board size"),
    "absurd pixels": (sized(5, 3, 2_000_000_000, 2_000_000_000), "no board size"),
    "zip bomb": (archive(bomb()), "unpacks to more than"),
    "climbing path": (with_member("../../etc/passwd"), "unsafe name"),
    "absolute path": (with_member("/etc/passwd"), "unsafe name"),
    "windows path": (with_member("C:\\boot.ini"), "unsafe name"),
    "unknown terrain": (lying_terrain(), "terrain code 250"),
    "absurd level": (lying_levels(), "ground levels"),
    "broken metadata": (board_archive(*blank(), metadata="<board"), "not well-formed"),
    "entities": (
        board_archive(*blank(), metadata='<!DOCTYPE a [<!ENTITY b "c">]><boardMetadata/>'),
        "declares entities",
    ),
    "other layout": (board_archive(*blank(), metadata='<boardMetadata hexGridConfig="Odd"/>'), "layout 'Odd'"),
    "bad number": (board_archive(*blank(), metadata='<boardMetadata hexWidth="wide"/>'), "no number of pixels"),
    "tiny hexes": (board_archive(*blank(), metadata='<boardMetadata hexWidth="1"/>'), "which is no board"),
    "hexes off board": (board_archive(*blank(), metadata='<boardMetadata A1CenterX="9000"/>'), "off the board"),
    "hexes too big": (board_archive(*blank(), metadata='<boardMetadata hexHeight="300"/>'), "do not fit"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_archives_get_one_sentence_and_write_nothing(case: str, home: Path) -> None:
    data, words = BAD[case]
    file = home / "bdbad"
    file.write_bytes(data)
    with pytest.raises(BoardImportError, match=words) as caught:
        store_board(import_vasl(file))
    assert "\n" not in str(caught.value)
    assert sorted(entry.name for entry in home.iterdir()) == ["bdbad"]


@pytest.mark.parametrize("name", ["", "../up", "a/b", "x" * 40, "-x", "a b"])
def test_bad_names_are_refused(name: str) -> None:
    with pytest.raises(BoardImportError, match="no name for a board"):
        board_from_archive(village(), name)


def test_a_missing_file_is_named(home: Path) -> None:
    with pytest.raises(BoardImportError, match="no file 'bdnone'"):
        import_vasl(home / "bdnone")


def loads_or_refuses(data: bytes) -> Board | None:
    try:
        return board_from_archive(data, "f")
    except BoardImportError as error:
        assert str(error)
        return None


GOOD = village()
GOOD_STREAM = blocks(good_payload())


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, 255)), min_size=1, max_size=8))
def test_scratched_archives_load_or_are_refused(scratches: list[tuple[int, int]]) -> None:
    data = bytearray(GOOD)
    for place, value in scratches:
        data[place] = value
    loads_or_refuses(bytes(data))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 255)), min_size=1, max_size=6), st.integers(0, 4000))
def test_scratched_numbers_load_or_are_refused(scratches: list[tuple[int, int]], cut: int) -> None:
    data = bytearray(GOOD_STREAM)
    for place, value in scratches:
        data[place] = value
    loads_or_refuses(archive(gzip.compress(bytes(data[: len(data) - cut]), 1)))


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=400), st.binary(max_size=300))
def test_any_bytes_load_or_are_refused(los_data: bytes, metadata: bytes) -> None:
    assert loads_or_refuses(los_data) is None
    assert loads_or_refuses(archive(los_data)) is None
    assert loads_or_refuses(archive(gzip.compress(b"\xac\xed\x00\x05" + los_data))) is None
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        made.writestr("LOSData", packed(good_payload()))
        made.writestr("BoardMetadata.xml", metadata)
    loads_or_refuses(stream.getvalue())


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(sorted(KIND_OF_CODE)), st.integers(0, 190), st.integers(0, 220), st.integers(1, 60)),
        max_size=12,
    ),
    st.integers(-2, 5),
)
def test_whatever_is_drawn_saves_and_loads_equal(patches: list[tuple[int, int, int, int]], level: int) -> None:
    terrain, levels = blank()
    for number, y, x, size in patches:
        terrain[y : y + size, x : x + size] = number
        levels[x % 193 : x % 193 + size, y : y + size] = level
    board = board_from_archive(board_archive(terrain, levels), "f")
    assert read_back(board) == board
