"""A long run of random missions keeps no maps of games that are over."""

from __future__ import annotations

import gc
import importlib.util
from pathlib import Path

import pytest

from sandtable.games.sasl import GAME
from sandtable.space.maps import GameMap

PLACE = Path(__file__).resolve().parent.parent / "tools" / "random_missions.py"


def kept() -> int:
    return sum(issubclass(type(one), GameMap) for one in gc.get_objects())


def test_the_maps_of_missions_that_are_over_are_forgotten(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("random_missions", PLACE)
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    monkeypatch.setattr(GAME, "length_limit", 20)
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    before = kept()
    for number in range(3):
        _, (error,) = tool.play(tool.Game(number, "1", "R", "1943", "made"), None, str(tmp_path))
        assert "has not ended after 20 actions" in error
    assert kept() <= before + 1
