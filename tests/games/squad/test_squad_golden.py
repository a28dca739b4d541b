"""One full game of each scenario, written down once: the rules must still play it in the same way."""

from __future__ import annotations

from pathlib import Path

import pytest
from legal_lists import difference, legal_line

import sandtable
from sandtable.engine import get_game

GOLDEN = Path(__file__).parent / "golden"
SCENARIOS = [(game, info.id) for game in ("aslsk2", "aslguide") for info in get_game(game).scenarios()]


@pytest.mark.parametrize(("game", "scenario"), SCENARIOS)
def test_the_golden_game_of(game: str, scenario: str) -> None:
    file = GOLDEN / f"{game}-{scenario}.jsonl"
    lines: list[str] = []
    match = sandtable.replay(file, each=lambda match, number: lines.append(legal_line(match)))
    assert match.outcome is not None
    assert match.record().to_lines() == file.read_text(encoding="utf-8")
    assert difference(file.with_suffix(".legal").read_text("utf-8").splitlines(), lines) == ""


def test_a_difference_between_legal_lists_says_where_it_is() -> None:
    before = ["1f red Move*2 Stop", "2a red Stop"]
    assert difference(before, before) == ""
    assert difference(before, ["1f red Move*2 Stop", "2b red Move Stop"]) == (
        "before step 2: was 2a red Stop; is 2b red Move Stop"
    )
    assert difference(before, before[:1]) == "2 decisions before, 1 now"
