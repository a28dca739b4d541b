"""Hot-seat in a terminal."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import sandtable
from sandtable.cli import main


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_a_game_against_the_computer_is_played_to_its_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "game.jsonl"
    typed(monkeypatch, "2", "map", "look e3", f"save {record}", *["end the turn", "1"] * 60, "quit")
    assert main(["play", "tiny/post", "--text", "--seed", "4", "--computer", "red=random"]) == 0
    out = capsys.readouterr().out
    assert "Hide at c3" in out
    assert "Blue 1" in out
    assert sandtable.load_record(record).header.seed == 4
    assert "wins" in out


def test_the_chances_are_evened_on_demand(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(
        "sandtable.players.chances._file", lambda: {"aslsk2/S11": {"games": 20, "american": 16, "german": 4}}
    )
    typed(monkeypatch, "quit")
    assert main(["play", "aslsk2/S11", "--text", "--even", "--computer", "german=regular"]) == 0
    assert "Between two regulars: american 80%, german 20%. balance_german=on" in capsys.readouterr().err
    typed(monkeypatch, "quit")
    assert main(["play", "tiny/post", "--text", "--even"]) == 0
    assert "nothing is known. No balance is taken." in capsys.readouterr().err


def test_previews_undo_and_bad_numbers(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch, "99", "?1", "1", "undo", "quit")
    assert main(["play", "tiny/post", "--text", "--seed", "4", "--computer", "red=random"]) == 0
    out = capsys.readouterr().out
    assert "Type a number from 1 to 5." in out
    assert "nothing to roll" in out
    assert "since" in out  # the refusal to take back says why


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["play", "tiny/post"], "--text"),
        (["play", "--text"], "GAME/SCENARIO"),
        (["play", "tiny/post", "--text", "--computer", "green=random"], "no side 'green'"),
        (["play", "tiny/post", "--text", "--computer", "red=genius"], "no computer player"),
        (["play", "tiny/post", "--text", "--computer", "red"], "SIDE=LEVEL"),
    ],
)
def test_bad_input_gets_a_sentence(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert sentence in capsys.readouterr().err


def test_the_table_names_the_weapons(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    typed(monkeypatch, "map", "quit")
    assert main(["play", "aslguide/intro", "--text", "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert "4-6-7 A with LMG A" in out
    assert "German" in out


def test_steps_with_nothing_to_do_are_passed_unless_the_player_wants_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "ask", "quit")
    assert main(["play", "aslguide/intro", "--text", "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert "Russian: No weapons change hands." in out
    assert "Transfer weapons" not in out
    assert "Prep Fire: pick who fires" in out
    assert "You are asked at every step." in out


def test_a_mission_is_set_up_step_by_step_before_there_is_a_map(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "map", "quit")
    assert main(["play", "sasl/1", "--text", "--seed", "1", "--option", "set_up=steps"]) == 0
    out = capsys.readouterr().out
    assert "The mission so far" in out
    assert "Theatre: open" in out
    assert "Roll everything" in out
