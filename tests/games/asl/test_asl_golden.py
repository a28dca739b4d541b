"""Fights on the parade ground and scenarios with the parts about people, written down move by move.

The rules must still play them in the same way (see tools/golden.py).
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from golden_games import difference, short_difference, short_games

GOLDEN = Path(__file__).parent / "golden"
GAMES = sorted(GOLDEN.glob("*.moves"))


@pytest.mark.parametrize("file", GAMES, ids=lambda file: file.stem)
def test_the_golden_game(file: Path) -> None:
    assert difference(file) == ""


@pytest.mark.parametrize("line", short_games(GOLDEN), ids=map(str, itertools.count()))
def test_the_golden_game_in_short(line: str) -> None:
    assert short_difference(line) == ""
