"""A simulation keeps no maps of games that are over: thousands of missions fit into the memory of one."""

from __future__ import annotations

import gc

import pytest

from sandtable.engine.registry import register
from sandtable.games.sasl import GAME
from sandtable.games.squad.ground.setting import Setting
from sandtable.sim.crew import play_one
from sandtable.sim.playing import Plan
from sandtable.space.maps import GameMap

register(GAME)


def kept(kind: type) -> int:
    return sum(issubclass(type(one), kind) for one in gc.get_objects())  # isinstance would ask dead weak proxies


def test_the_maps_of_missions_that_are_over_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GAME, "length_limit", 40)
    plan = Plan("sasl/1", {"friendly": "recruit"}, options={"boards": "made"}, seed=900)
    maps, settings = kept(GameMap), kept(Setting)
    for number in range(5):
        play_one(plan, number, True)
    assert kept(GameMap) <= maps + 1
    assert kept(Setting) <= settings + 1
