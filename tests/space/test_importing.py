"""Import of whole folders: what is new is taken, what is broken is told, what has not changed is left alone."""

from __future__ import annotations

import errno
from pathlib import Path

import numpy as np
import pytest

from sandtable.space import boardfile
from sandtable.space.board import load_board
from sandtable.space.draw import draw_board
from sandtable.space.importing import Imported, import_file, import_folder
from sandtable.space.los import LosTable
from sandtable.space.vasl import BoardImportError, board_from_archive
from sandtable.space.vasl_codes import KIND_OF_CODE
from testboards.vasl_archive import blank, board_archive

OVERLAYS = (
    '<boardMetadata><overlaySSRules><overlaySSRule name="NoRoads" image="a.gif" x="1" y="1"/>'
    '<overlaySSRuleSet name="Islands"><overlaySSRuleImage image="b.gif"/></overlaySSRuleSet>'
    '<underlaySSRule name="WallsOnly"/></overlaySSRules><colorSSRules><colorSSR name="Winter"/></colorSSRules>'
    '<slopes><slope hex="A1"/></slopes><buildingTypes><buildingType hexName="A1" buildingTypeName="Palace"/>'
    '<buildingType hexName="Z9" buildingTypeName="Stone Building, 1 Level"/></buildingTypes></boardMetadata>'
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path / "data"))
    made = tmp_path / "archives"
    made.mkdir()
    (made / "bdone").write_bytes(board_archive(*blank()))
    (made / "bdtwo").write_bytes(board_archive(*blank(), metadata=OVERLAYS))
    (made / "bdbad").write_bytes(b"PK\x03\x04 and then nothing")
    (made / "readme.txt").write_text("no archive")
    return made


def states(results: list[Imported]) -> dict[str, str]:
    return {done.board: done.state for done in results}


def kept(folder: Path) -> list[str]:
    data = folder.parent / "data" / "boards"
    return sorted(path.name for path in data.iterdir()) if data.is_dir() else []


def test_a_broken_archive_does_not_stop_the_others(folder: Path) -> None:
    seen: list[str] = []
    results = list(import_folder(folder, seen.append))
    assert states(results) == {"bad": "refused", "one": "imported", "two": "imported"}
    assert seen == ["bdbad", "bdone", "bdtwo"]
    assert results[0].error.startswith("bdbad cannot be imported: the file is not a readable zip archive")
    assert kept(folder) == ["one.board", "one.npz", "two.board", "two.npz"]


def test_only_what_changed_is_imported_again(folder: Path) -> None:
    list(import_folder(folder))
    before = load_board("one")
    terrain, levels = blank()
    terrain[50:90, 40:80] = 60
    (folder / "bdone").write_bytes(board_archive(terrain, levels))
    stamp = (folder.parent / "data" / "boards" / "two.npz").stat().st_mtime_ns
    assert states(list(import_folder(folder))) == {"bad": "refused", "one": "imported", "two": "unchanged"}
    assert (folder.parent / "data" / "boards" / "two.npz").stat().st_mtime_ns == stamp
    assert load_board("one") != before
    (folder.parent / "data" / "boards" / "two.npz").unlink()
    assert states(list(import_folder(folder)))["two"] == "imported", "half a board is made whole again"


def test_what_is_left_out_is_told(folder: Path) -> None:
    notes = import_file(folder / "bdtwo").notes
    assert notes == (
        "Overlays for scenario rules are left out: NoRoads, Islands, WallsOnly, Winter.",
        "BoardMetadata.xml says things that are not understood: slopes, slope.",
        "BoardMetadata.xml names buildings in hexes that the board does not have: Z9.",
        "Kinds of buildings that are not known keep their drawn height: Palace.",
    )
    assert import_file(folder / "bdone").notes == ()


def test_a_full_disk_leaves_the_old_board_whole(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import_file(folder / "bdone")
    before = load_board("one")
    terrain, levels = blank()
    terrain[50:90, 40:80] = 60
    (folder / "bdone").write_bytes(board_archive(terrain, levels))

    def full(*_: object, **__: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(boardfile, "format_board", full)
    with pytest.raises(BoardImportError, match=r"board one cannot be stored in .*: No space left on device"):
        import_file(folder / "bdone")
    assert kept(folder) == ["one.board", "one.npz"]
    assert load_board("one") == before


def test_a_folder_without_archives_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BoardImportError, match="there is no board archive in the folder"):
        list(import_folder(tmp_path))


def test_printed_boards_bring_their_objectives(folder: Path) -> None:
    (folder / "bd07").write_bytes(board_archive(*blank(33, 10), 33, 10))
    (folder / "bd08").write_bytes(board_archive(*blank()))
    done = import_file(folder / "bd07")
    assert done.objectives == 6
    board = load_board("07")
    assert [str(objective) for objective in board.objectives] == [
        "F2/D7",
        "J1/K9",
        "L2/P10",
        "P2/V9",
        "R1/V9",
        "DD3/Z8",
    ]
    assert board.objectives[0].nearer
    assert board.type == "farmland"
    assert import_file(folder / "bd08").objectives == 0, "a board of another size is another board"


@pytest.mark.parametrize("number", sorted(KIND_OF_CODE))
def test_every_code_is_judged_and_drawn(number: int) -> None:
    terrain, levels = blank()
    terrain[70:120, 95:145] = number
    board = board_from_archive(board_archive(terrain, levels), "t")
    LosTable(board.raster()).complete()
    empty = draw_board(board_from_archive(board_archive(*blank()), "t"))
    same = draw_board(board) == empty
    assert same == (KIND_OF_CODE[number] == "open")


def test_beds_party_walls_and_stairs_are_read_off_the_pixels() -> None:
    terrain, levels = blank()
    terrain[:, 102:124] = 32
    levels[:, 102:124] = -1
    terrain[20:140, 215:225] = 41
    terrain[62:67, 215:225] = 77
    data = bytearray(board_archive(terrain, levels))
    board = board_from_archive(bytes(data), "t")
    assert board["C2"].bed == ((0, "stream"), (3, "stream"))
    assert (board["C2"].terrain, board["C2"].level, board["C2"].ground) == ("stream", -1, 0)
    assert board["B1"].bed == ()
    assert board["E1"].rowhouse == (3,)
    assert board["E2"].rowhouse == (0,)
    assert board["E1"].terrain == "stone_building_1"
    assert np.array_equal(board.raster().terrain == 0, terrain == 0)
