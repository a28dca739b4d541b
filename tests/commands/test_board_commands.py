"""`sandtable board`: list, show and check, in words and as JSON."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from sandtable import cli
from sandtable.space.board import shipped_names
from testboards.vasl_archive import blank, board_archive

GOOD = "board t\ntitle T\nhexes 5 4\nB2 woods cover=50\n"


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the boards of whoever runs it."""
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path / "data"))


def test_list_names_the_shipped_boards(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["board", "list", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["board"], row["hexes"], row["imported"]) for row in rows] == [
        (name, 346, False) for name in sorted(shipped_names())
    ]
    assert cli.main(["board", "list"]) == 0
    assert "Board w" in capsys.readouterr().out


def test_list_tells_of_a_damaged_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "data" / "boards"
    folder.mkdir(parents=True)
    (folder / "mine.board").write_text("board mine")
    assert cli.main(["board", "list", "--json"]) == 0
    rows = {row["board"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["mine"]["error"] == "mine.board: the header line 'title' is missing"
    assert rows["w"]["hexes"] == 346


def test_show_draws_into_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    svg, png = tmp_path / "w.svg", tmp_path / "w.png"
    assert cli.main(["board", "show", "w", "--svg", str(svg), "--png", str(png), "--scale", "0.2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["written"] == [str(svg), str(png)]
    assert svg.read_text().startswith("<svg")
    assert png.read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["w.png", "w.svg"], "nothing temporary is left"


def test_show_describes_a_hex(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["board", "show", "w", "p2"]) == 0
    assert "one building with O3, P1" in capsys.readouterr().out
    assert cli.main(["board", "show", "w", "H8", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["level"], facts["roads"], facts["crest_hexsides"]) == (1, {"2": "paved", "5": "paved"}, [0, 5])


def test_show_describes_a_joined_map(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["board", "show", "w x", "xC6"]) == 0
    assert "dirt road over hexsides 2, 5" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["show", "q"], "there is no board 'q'"),
        (["show", "w", "K99"], "there is no hex 'K99'"),
        (["show", "w", "--png", "w.png", "--theme", "pink"], "There is no theme 'pink'"),
        (["show", "w", "--png", "no/such/folder/w.png", "--scale", "0.1"], "cannot be written"),
        (["check", "none.board"], "none.board: No such file"),
    ],
)
def test_bad_input_gets_one_sentence(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["board", *words]) == 2
    last = capsys.readouterr().err.strip().split("\n")[-1]
    assert sentence in last


def test_check_finds_nothing_in_a_sound_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "t.board"
    file.write_text(GOOD)
    assert cli.main(["board", "check", str(file)]) == 0
    assert "without mistakes" in capsys.readouterr().out


def test_check_names_file_line_and_hex(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "t.board"
    file.write_text(GOOD + "C2 woods cover=500\n")
    assert cli.main(["board", "check", str(file)]) == 2
    assert "t.board, line 5, hex C2: cover must be a whole number from 1 to 100" in capsys.readouterr().err
    assert cli.main(["board", "check", str(file), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["loads"] is False


def test_check_tells_of_roads_that_end_nowhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "t.board"
    file.write_text(GOOD + "C2 open dirt=3\n")
    assert cli.main(["board", "check", str(file)]) == 1
    assert "t.board, line 5, hex C2: the dirt road over hexside 3 does not go on in C3" in capsys.readouterr().out


def test_import_takes_a_folder_and_tells_of_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "archives"
    folder.mkdir()
    about = '<boardMetadata><overlaySSRules><overlaySSRule name="NoRoads"/></overlaySSRules></boardMetadata>'
    (folder / "bdgood").write_bytes(board_archive(*blank(), metadata=about))
    assert cli.main(["board", "import", str(folder)]) == 0
    out = capsys.readouterr().out
    assert "Board good imported: 17 hexes" in " ".join(out.split())
    assert "Overlays for scenario rules are left out: NoRoads." in " ".join(out.split())
    (folder / "bdbad").write_bytes(b"nothing")
    assert cli.main(["board", "import", str(folder), "--json"]) == 1
    rows = json.loads(capsys.readouterr().out)
    assert [(row["board"], row["state"]) for row in rows] == [("bad", "refused"), ("good", "unchanged")]
    assert cli.main(["board", "import", str(folder), "--name", "x"]) == 2
    assert "--name goes with a single archive" in capsys.readouterr().err
    assert cli.main(["board", "import", str(folder / "bdbad")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_show_marks_objectives(tmp_path: Path) -> None:
    plain, marked = tmp_path / "p.svg", tmp_path / "m.svg"
    assert cli.main(["board", "show", "1", "--svg", str(plain)]) == 0
    assert cli.main(["board", "show", "1", "--svg", str(marked), "--objectives"]) == 0
    assert marked.read_text().count("#c2185b") == 12
    assert "#c2185b" not in plain.read_text()


def test_make_writes_a_board_and_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["board", "make", "--type", "rural", "--seed", "7", "--png", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    folder = tmp_path / "data" / "boards"
    assert found["written"] == [str(folder / "rural-7.board"), str(folder / "rural-7.png")]
    assert len(found["objectives"]) == 6
    assert (folder / "rural-7.png").read_bytes().startswith(b"\x89PNG")
    assert cli.main(["board", "check", found["written"][0]]) == 0
    assert cli.main(["board", "show", "rural-7", "Q1"]) == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--type", "swamp", "--seed", "7"), "there is no type of board 'swamp'; the types are city, village"),
        (("--type", "village", "--seed", "x"), "A seed is a whole number such as 7, not 'x'."),
        (("--type", "village", "--seed", "-1"), "A seed is a whole number such as 7, not '-1'."),
        (("--type", "village", "--seed", "9" * 12), "a seed is a whole number from 0 to 999,999,999"),
        (("--type", "village", "--seed", "7", "--name", "a b"), "'a b' is no name for a board"),
        (("--type", "village"), "Missing option '--seed'"),
    ],
)
def test_what_cannot_be_made_gets_one_sentence(
    words: tuple[str, ...], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["board", "make", *words]) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


def test_a_full_disk_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert cli.main(["board", "make", "--type", "rural", "--seed", "7", "--folder", str(tmp_path)]) == 2
    assert "cannot be written: No space left on device." in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
