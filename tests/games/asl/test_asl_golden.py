"""Fights on the parade ground and scenarios with the parts about people, written down move by move.

The rules must still play them in the same way (see tools/golden.py).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from golden_games import difference

GAMES = sorted((Path(__file__).parent / "golden").glob("*.moves"))


@pytest.mark.parametrize("file", GAMES, ids=lambda file: file.stem)
def test_the_golden_game(file: Path) -> None:
    assert difference(file) == ""
