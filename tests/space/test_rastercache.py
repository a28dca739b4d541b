"""Rasters of drawn boards are kept on disk; nothing depends on it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from sandtable.space import rasterise
from sandtable.space.board import Board, load_board
from sandtable.space.raster import Raster
from sandtable.space.rastercache import KEPT, cache_directory, keep, kept, key_of


def another(board: Board, **hexes: object) -> Board:
    """The same board as a new object, with other hexes perhaps."""
    return Board(board.name, board.title, board.grid, {**board.hexes, **hexes}, source=board.source)  # type: ignore[dict-item]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SANDTABLE_CACHE", str(tmp_path))
    return tmp_path / "rasters"


@pytest.fixture(scope="module")
def made() -> Raster:
    return load_board("w").raster()


@pytest.fixture
def drawn(made: Raster, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Notes every board that is drawn; drawing is replaced by something quick."""
    found: list[str] = []

    def quick(geometry: object, grid: object) -> Raster:
        found.append("drawn")
        return made

    monkeypatch.setattr(rasterise, "rasterise", quick)
    return found


def test_a_board_is_drawn_once_for_all_processes(folder: Path, drawn: list[str]) -> None:
    board = load_board("w")
    first, second = another(board).raster(), another(board).raster()
    assert drawn == ["drawn"]
    assert first.same_as(second)
    assert [path.name for path in folder.iterdir()] == [f"{key_of(board)}.npz"]


def test_a_changed_hex_is_another_raster(folder: Path) -> None:
    board = load_board("w")
    hill = msgspec.structs.replace(board["E5"], level=board["E5"].level + 1)
    assert key_of(another(board, E5=hill)) != key_of(board)
    assert key_of(another(board)) == key_of(board)


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"PK\x03\x04 cut off"])
def test_a_damaged_file_is_made_anew(folder: Path, drawn: list[str], damage: bytes) -> None:
    board = load_board("w")
    keep(board, board.raster())
    path = folder / f"{key_of(board)}.npz"
    path.write_bytes(damage)
    assert kept(board) is None
    another(board).raster()
    assert drawn == ["drawn"]
    assert kept(board) is not None


def test_a_truncated_file_is_made_anew(folder: Path) -> None:
    board = load_board("w")
    keep(board, board.raster())
    path = folder / f"{key_of(board)}.npz"
    path.write_bytes(path.read_bytes()[:-40])
    assert kept(board) is None


def test_where_nothing_can_be_written_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drawn: list[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("SANDTABLE_CACHE", str(tmp_path / "file"))
    board = load_board("w")
    another(board).raster()
    another(board).raster()
    assert drawn == ["drawn", "drawn"]
    monkeypatch.setenv("SANDTABLE_CACHE", "")
    assert cache_directory() is None
    assert kept(board) is None


def test_old_files_go(folder: Path) -> None:
    folder.mkdir()
    for n in range(KEPT + 5):
        (folder / f"{n}.npz").write_bytes(b"")
    board = load_board("w")
    keep(board, board.raster())
    assert len(list(folder.iterdir())) == KEPT
    assert kept(board) is not None


def test_the_place_follows_the_platform(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SANDTABLE_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_directory() == tmp_path / "sandtable" / "rasters"
