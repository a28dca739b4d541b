"""Who acts first, who rallies, who joins an attack, and what Partisans do not do (S6.1, S7.1, S11.5, S12.211)."""

from __future__ import annotations

import pytest
from sasl_support import OPTIONS, field, mission_without_suspects, playing, stand

import sandtable
from sandtable.engine.registry import register
from sandtable.games.asl.works.digging import may_dig
from sandtable.games.sasl import GAME, generation
from sandtable.games.sasl.compass import distances
from sandtable.games.sasl.enemy import closing, facts
from sandtable.games.sasl.game import MISSION
from sandtable.games.sasl.model import ENEMY, FRIENDLY
from sandtable.games.squad.combat.model import AttackUnit, Combat, DeclareAttack, JoinAttack
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.model import SquadState

register(GAME)


@pytest.fixture
def state() -> SquadState:
    return mission_without_suspects()


@pytest.mark.rule("S6.1")
def test_locations_act_from_north_to_south_and_from_the_fbe_on(state: SquadState) -> None:
    setting = setting_of(state)
    north, west = distances(setting, "north"), distances(setting, "west")
    prefix = setting.ground.names[field(state)].rstrip("0123456789").rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    cells = [setting.ground.index(f"{prefix}{name}") for name in ("C3", "C7", "F4", "F8", "K2")]
    for number, cell in enumerate(cells):
        stand(state, f"e{number}", "russian 4-4-7", cell)
    assert facts.locations(state) == sorted(cells, key=lambda cell: (north[cell], west[cell]))


@pytest.mark.rule("S7.1")
@pytest.mark.parametrize(("reading", "number"), [("2", 2), ("1", 1)])
def test_the_enemy_self_rallies_two_mmc_and_the_friendly_side_one(reading: str, number: int) -> None:
    state = sandtable.new("sasl/1", seed=8, options={**OPTIONS, "self_rally": reading}).state
    assert MISSION.self_rallies is not None
    assert MISSION.self_rallies(state, ENEMY) == number
    assert MISSION.self_rallies(state, FRIENDLY) == 1


@pytest.mark.rule("S11.5")
@pytest.mark.parametrize(("dr", "together"), [(1, True), (2, True), (3, False), (4, False)])
def test_two_or_less_is_all_against_one_and_more_is_one_against_one(state: SquadState, dr: int, together: bool) -> None:
    cell = field(state)
    for name in ("a", "b"):
        stand(state, name, "russian 4-4-7", cell)
    stand(state, "t", "german 4-6-7", cell)
    frame = Combat(cell, step="declare", units=("a",), targets=("t",))
    chosen = closing.combat(playing(state, dr), frame, [JoinAttack("b"), AttackUnit("t"), DeclareAttack()])
    assert chosen == (JoinAttack("b") if together else DeclareAttack())


@pytest.mark.rule("S12.211")
@pytest.mark.parametrize(("kind", "digs"), [("partisan 3-3-7", False), ("russian 4-4-7", True)])
def test_partisans_do_not_entrench(state: SquadState, kind: str, digs: bool) -> None:
    unit = generation.new_unit(playing(state), kind, field(state))
    assert may_dig(state, unit) is digs
