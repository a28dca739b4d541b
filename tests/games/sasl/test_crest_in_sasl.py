"""Crest status in Solitaire ASL: a FRIENDLY unit takes it, and the ENEMY of the tables deals with it (B20.9)."""

from __future__ import annotations

import pytest
from crest_support import bare
from msgspec.structs import replace
from sasl_support import playing, stand

from sandtable.engine.registry import register
from sandtable.games.asl.crest.switches import CrestRules
from sandtable.games.sasl import GAME, victory
from sandtable.games.sasl.enemy import closing, facts, marching
from sandtable.games.sasl.hazards import mineable
from sandtable.games.sasl.model import FRIENDLY
from sandtable.games.squad.fire.eligibility import firer_of, targets_of
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.pieces.model import SquadState


@pytest.fixture
def state() -> SquadState:
    return bare()


def banks(state: SquadState) -> tuple[int, int, int]:
    """A Crest, its hex, and an open hex beside it that does not lie IN the depression."""
    ground = setting_of(state).ground
    for place, cell in ground.floors.items():
        for way in ground.ways[place]:
            beside = way.to
            if beside != cell and beside not in ground.twins and ground.open[beside] and sees(state, beside, cell):
                return place, cell, beside
    raise AssertionError("no bank on this map")


@pytest.mark.rule("B20.96")
def test_the_enemy_advances_into_the_hex_of_those_at_its_crest(state: SquadState) -> None:
    place, cell, beside = banks(state)
    stand(state, "t1", "german 4-6-7", place)
    enemy = stand(state, "e1", "russian 4-4-7", beside)
    assert [unit.id for unit in facts.foes_at(state, cell)] == ["t1"]
    assert not facts.room_at(state, cell)
    assert closing.into_combat(playing(state, 1, 1), enemy) == cell


@pytest.mark.rule("S9.2")
def test_the_enemy_marches_towards_the_hex_and_fires_at_the_crest(state: SquadState) -> None:
    place, cell, beside = banks(state)
    stand(state, "t1", "german 4-6-7", place)
    enemy = stand(state, "e1", "russian 4-4-7", beside)
    assert marching.goals(state, "nearest Known FRIENDLY unit in LOS", beside, [enemy]) == [cell]
    state.phase = "PFPh"
    state.attacker = enemy.side
    assert targets_of(state, enemy.side, firer_of(state, "e1"), "prep") == [place]


@pytest.mark.rule("A26.1")
def test_a_squad_at_the_crest_controls_its_hex(state: SquadState) -> None:
    place, cell, _ = banks(state)
    stand(state, "t1", "german 4-6-7", place)
    assert victory.controller(state, cell) == FRIENDLY
    assert not mineable(state, place), "mines lie IN the hex"


@pytest.mark.parametrize("name", CrestRules.__struct_fields__)
def test_every_ruling_on_crest_status_is_an_option_of_a_mission(name: str) -> None:
    register(GAME)
    (option,) = [one for one in GAME.options_of(GAME.cards["1"]) if one.id == name]
    assert option.reading
    assert "ruling T-" in option.help
    found = {value: GAME.rules_for({name: value}).of(CrestRules) for value in option.values}
    assert found["on"] == CrestRules()
    assert found["off"] == replace(CrestRules(), **{name: False})
