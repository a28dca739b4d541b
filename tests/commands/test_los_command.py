"""`sandtable los` and `sandtable board import` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sandtable.cli import main
from testboards.vasl_archive import blank, board_archive


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path / "data"))
    return tmp_path


def small_board(folder: Path) -> Path:
    """An archive with a wood in B1 of a board of 17 hexes."""
    terrain, levels = blank()
    terrain[50:80, 40:70] = 60
    file = folder / "bdsmall"
    file.write_bytes(board_archive(terrain, levels))
    return file


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_a_line_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "los", "w", "E9", "I7")
    assert code == 0
    assert out.strip() == "E9 to I7, range 4, level 0 to level 1: clear, no hindrance (3.2.1)."


def test_a_line_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "los", "w", "e9", "i6", "--json")
    data = json.loads(out)
    assert code == 0
    assert (data["range"], data["blocked"], data["hindrance"]) == (5, True, 0)
    assert data["rule"] == "3.2.1"
    assert data["blocking_hex"]
    assert data["hindering_hexes"] == []


def test_an_imported_board_is_judged_written_and_drawn(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    code, out, _ = run(capsys, "board", "import", str(small_board(home)), "--json")
    assert (code, json.loads(out)["board"]) == (0, "small")
    _, out, _ = run(capsys, "los", "small", "B0", "B2")
    assert "woods in B1" in out
    table = home / "small.csv"
    code, _, _ = run(capsys, "los", "small", "--all", "--csv", str(table), "--hindrance", "per-range")
    lines = table.read_text().splitlines()
    assert code == 0
    assert lines[0] == "hex_a,hex_b,range,blocked,hindrance"
    assert len(lines) == 1 + 17 * 16
    assert "B0,B2,2,1,0" in lines
    picture = home / "small.png"
    run(capsys, "los", "small", "B0", "B2", "--png", str(picture))
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert sorted(entry.name for entry in home.iterdir()) == ["bdsmall", "data", "small.csv", "small.png"]


def test_a_name_of_its_own(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    code, out, _ = run(capsys, "board", "import", str(small_board(home)), "--name", "mine")
    assert code == 0
    assert out.startswith("Board mine imported: 17 hexes")
    assert run(capsys, "los", "mine small", "A1", "B1")[0] == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["w", "Q99", "A1"], "no hex 'Q99'"),
        (["nowhere", "A1", "A2"], "no board 'nowhere'"),
        (["w"], "Name the two hexes"),
        (["w", "--all"], "--csv FILE"),
        (["w", "A1", "A2", "--csv", "x.csv"], "add --all"),
        (["w", "A1", "A2", "--hindrance", "twice"], "per-hex or per-range"),
        (["w", "A1", "A2", "--buildings", "tall"], "one-level or full"),
        (["w", "A1", "A2", "--month", "13"], "12"),
    ],
)
def test_bad_input_gets_a_sentence_and_exit_code_two(
    capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    code, out, err = run(capsys, "los", *words)
    assert (code, out) == (2, "")
    assert sentence in err
    assert "Traceback" not in err


def test_a_bad_archive_gets_a_sentence(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    file = home / "bdbad"
    file.write_bytes(b"not a zip")
    code, _, err = run(capsys, "board", "import", str(file))
    assert code == 2
    assert "bdbad cannot be imported" in err
    assert [entry.name for entry in home.iterdir()] == ["bdbad"]
