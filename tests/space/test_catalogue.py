"""The catalogue of boards: what a player has, and what could be added."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.space.board import shipped_names
from sandtable.space.catalogue import board_catalogue
from sandtable.space.importing import import_file
from sandtable.space.making.spread import TYPES
from testboards.vasl_archive import blank, board_archive


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path))
    (tmp_path / "boards").mkdir()
    return tmp_path / "boards"


def test_boards_are_told_by_where_they_come_from(own: Path) -> None:
    (own / "made.board").write_text(
        "board made\ntitle Made\nhexes 5 6\ntype village\nseed 7\nobjectives B2 C3\n\nB2 woods\n"
    )
    (own / "mine.board").write_text("board mine\ntitle Mine\nhexes 5 6\nB2 woods\n")
    (own / "w.board").write_text("board w\ntitle My own w\nhexes 5 6\n")
    (own / "torn.board").write_bytes(b"\xff\xfe\x00")
    archive = own / "bd02"
    archive.write_bytes(board_archive(*blank(33, 10), 33, 10))
    import_file(archive)
    found = board_catalogue()
    cards = {card.name: card for card in found.boards}
    origins = {name: card.origin for name, card in cards.items()}
    assert origins == {
        **dict.fromkeys(shipped_names(), "shipped"),
        "02": "imported",
        "made": "generated",
        "mine": "own",
        "torn": "own",
        "w": "own",
    }
    assert (cards["made"].types, cards["made"].objectives, cards["made"].seed) == (("village",), ("B2", "C3"), "7")
    assert cards["02"].objectives == ("J4", "O5", "T1", "V8-W7", "U7", "BB5")
    assert (cards["w"].replaces_shipped, cards["mine"].replaces_shipped) == (True, False)
    assert cards["torn"].error == "torn.board: the file is not UTF-8 text, so it is no board file"
    assert "2" not in found.missing
    assert "3" in found.missing
    assert "sandtable board import FOLDER" in found.how_to_add


def test_without_boards_of_his_own_a_player_has_the_shipped_ones(own: Path) -> None:
    found = board_catalogue()
    assert {"1", "w", "x", "y", "z", "ambrey"} <= {card.name for card in found.boards} == shipped_names()
    types = [card.types for card in found.boards if card.seed]
    assert all(types.count((type,)) >= 2 for type in TYPES), "two of each type are shipped"
    assert len(found.missing) == 43, "board 1 is shipped"
