"""One full game of each scenario, written down once: the rules must still play it in the same way."""

from __future__ import annotations

from pathlib import Path

import pytest

import sandtable
from sandtable.engine import get_game

GOLDEN = Path(__file__).parent / "golden"
SCENARIOS = [(game, info.id) for game in ("aslsk2", "aslguide") for info in get_game(game).scenarios()]


@pytest.mark.parametrize(("game", "scenario"), SCENARIOS)
def test_the_golden_game_of(game: str, scenario: str) -> None:
    file = GOLDEN / f"{game}-{scenario}.jsonl"
    match = sandtable.verify(file)
    assert match.outcome is not None
    assert match.record().to_lines() == file.read_text(encoding="utf-8")
