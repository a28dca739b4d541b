"""Random games under the eyes of oracles, and the command that runs them."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import sandtable
from sandtable.cli import main
from sandtable.oracles import oracles_of, run

SCENARIO = "aslguide/intro"


def oracle(answer: Any) -> Any:
    """An oracle that answers so at each decision; a function is given the legal actions."""
    return SimpleNamespace(
        __name__="here.doubter", GAMES=("aslguide",), differences=lambda state, side, legal: answer(legal)
    )


def test_only_decisions_that_an_oracle_looks_at_are_counted() -> None:
    findings = run([SCENARIO], [oracle(lambda legal: [] if len(legal) > 5 else None)], decisions=40)
    assert findings.decisions == findings.asked["doubter"] == 40
    assert findings.actions > 40
    assert findings.differences == 0


def test_an_oracle_that_never_looks_does_not_run_for_ever() -> None:
    findings = run([SCENARIO], [oracle(lambda legal: None)], decisions=5)
    assert (findings.decisions, findings.games) == (0, 3)


def test_a_difference_can_be_reached_again(tmp_path: Path) -> None:
    doubter = oracle(lambda legal: ["too many"] if len(legal) > 20 else [])
    findings = run([SCENARIO], [doubter], decisions=300, seed=4, save=tmp_path)
    first = findings.first[0]
    assert first.again == f"sandtable check {SCENARIO} --seed 4 --decisions {first.decision}"
    again = run([SCENARIO], [doubter], decisions=first.decision, seed=4)
    assert [(one.decision, one.what) for one in again.first] == [(first.decision, "too many")]
    match = sandtable.replay(first.record)
    assert len(match.actions(first.side)) > 20


def test_the_command_compares_and_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["check", SCENARIO, "--decisions", "60", "--seed", "2", "--save", str(tmp_path / "none")]
    assert main(words) == 0
    assert "60 decisions of" in capsys.readouterr().out
    assert main([*words, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["decisions"], data["differences"], data["first"]) == (60, 0, [])
    assert not (tmp_path / "none").exists()


def test_a_difference_is_told_with_a_way_to_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sandtable.oracles.ORACLES", (oracle(lambda legal: ["wrong"]),))
    assert main(["check", SCENARIO, "--decisions", "30", "--save", str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert "30 differences" in said
    assert f"again: sandtable check {SCENARIO} --seed 1 --decisions 1" in said
    assert "and 10 more" in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["pbi"], "Nothing to compare pbi with: second readings exist for aslguide, aslsk2"),
        (["aslsk2", "--decisions", "0"], "--decisions must be at least 1."),
        (["aslsk2/S99"], "aslsk2 has no scenario 'S99'"),
    ],
)
def test_bad_input_gets_one_sentence(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *words]) == 2
    assert sentence in capsys.readouterr().err


def test_oracles_are_found_by_game() -> None:
    assert oracles_of("aslsk2")
    assert not oracles_of("pbi")
