"""The boards and games of these tests are there for them alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from asl_support import GAMES

from sandtable.engine import registry


@pytest.fixture(autouse=True)
def _own_boards_and_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_DATA", str(Path(__file__).parent))
    for game in GAMES:
        monkeypatch.setitem(registry._registered, game.id, game)
