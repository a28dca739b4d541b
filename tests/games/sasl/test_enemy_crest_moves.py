"""ENEMY Infantry at the lips of gullies: it takes Crest status, and leaves it (S9.28)."""

from __future__ import annotations

import pytest
from crest_support import (
    RIFLES,
    RUSSIANS,
    approach,
    bare,
    garrison,
    legal,
    lip,
    marching_to,
    told,
)
from sasl_support import playing, stand

from sandtable.engine.registry import register
from sandtable.games.asl.crest import fighting
from sandtable.games.asl.crest.going import AdvanceToCrest, EnterCrest
from sandtable.games.asl.crest.model import front_of, protected
from sandtable.games.asl.terrain.walls import asl_ground
from sandtable.games.sasl import GAME, crests, generation
from sandtable.games.sasl.enemy import automatic, closing, lips, marching
from sandtable.games.sasl.model import (
    ENEMY,
    MARCH,
    ORDERS,
    PANIC,
    March,
    Order,
)
from sandtable.games.squad.combat.model import AdvancePhase
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import name_of, put, update
from sandtable.games.squad.movement.model import Move, Step, Stop
from sandtable.games.squad.pieces.model import Mover, Moving, SquadState

register(GAME)


@pytest.fixture
def state() -> SquadState:
    return bare()


@pytest.mark.rule("S9.28")
def test_infantry_takes_crest_status_where_its_move_ends_with_a_target_before_it(state: SquadState) -> None:
    found = approach(state)
    stand(state, "t1", RIFLES, found.here.before)
    unit = marching_to(state, found)
    play = playing(state)
    action = marching.going(play, Move(), legal(state, Move()))
    assert isinstance(action, EnterCrest)
    assert action.to == found.here.cell
    assert told(play, "S9.28")[0].startswith(f"{name_of(state, found.here.cell)}: takes Crest status facing ")
    GAME.procedures[Move].apply(play, Move(), ENEMY, action)
    assert state.units[unit.id].at == found.here.place
    assert state.moving is not None
    assert lips.best_front(state, found.here.cell, [unit], [action.front]) == action.front
    assert marching.going(playing(state), Move(), [Step(found.here.cell), Stop()]) == Stop(), "its move ends there"


@pytest.mark.rule("S9.28")
@pytest.mark.parametrize(
    "march", [{"aim": "out of all LOS"}, {"aim": "FBE"}, {"wander": "REH"}], ids=["hides", "FBE", "wanders"]
)
def test_who_hides_or_goes_on_stays_in_the_bed(state: SquadState, march: dict[str, str]) -> None:
    found = approach(state)
    stand(state, "t1", RIFLES, found.here.before)
    marching_to(state, found, **march)
    able = [one for one in legal(state, Move()) if isinstance(one, EnterCrest) and one.to == found.here.cell]
    assert able
    assert lips.entry(playing(state), MARCH.of(state) or March((), "full"), found.here.cell, able) is None


@pytest.mark.rule("S9.28")
def test_without_a_target_it_goes_down_into_the_gully(state: SquadState) -> None:
    found = approach(state)
    marching_to(state, found)
    action = marching.going(playing(state), Move(), legal(state, Move()))
    assert isinstance(action, Step)


@pytest.mark.rule("S9.28")
def test_the_option_keeps_it_in_the_gully() -> None:
    state = bare(enemy_crest="never")
    found = approach(state)
    stand(state, "t1", RIFLES, found.here.before)
    unit = marching_to(state, found)
    assert isinstance(marching.going(playing(state), Move(), legal(state, Move())), Step)
    put(state, unit, found.here.cell)
    state.phase = "APh"
    assert lips.advance(playing(state), legal(state, AdvancePhase())) is None


@pytest.mark.rule("S9.28")
def test_a_move_that_goes_on_does_not_stop_at_the_crest(state: SquadState) -> None:
    found = approach(state)
    ground = asl_ground(state)
    stand(state, "t1", RIFLES, found.here.before)
    ways = [way for way in ground.ways[found.here.cell] if way.to != found.frm]
    onward = min(ways, key=lambda way: way.cost).to
    unit = marching_to(state, found, path=(found.here.cell, onward))
    march = MARCH.of(state) or March((), "full")
    assert marching.ends(state, march, found.here.cell, [unit]), "it lacks the MF to go on"
    state.moving = Moving((Mover(unit.id, found.frm, double=True),), (unit.id,))
    assert not marching.ends(state, march, found.here.cell, [unit])


@pytest.mark.rule("S9.28", "B20.91")
def test_who_is_in_the_gully_goes_up_in_the_aph(state: SquadState) -> None:
    here = lip(state)
    stand(state, "t1", RIFLES, here.before)
    squad = stand(state, "e1", RUSSIANS, here.cell)
    leader = stand(state, "e2", "russian 8-1", here.cell)
    state.attacker, state.phase = ENEMY, "APh"
    play = playing(state)
    first = lips.advance(play, legal(state, AdvancePhase()))
    assert isinstance(first, AdvanceToCrest)
    assert first.unit == squad.id
    GAME.procedures[AdvancePhase].apply(play, AdvancePhase(), ENEMY, first)
    second = lips.advance(play, legal(state, AdvancePhase()))
    assert second == AdvanceToCrest(leader.id, first.front), "the leader goes with his squad"
    assert len(set(told(play, "S9.28"))) == 1, "and nothing tells him from it"


@pytest.mark.rule("S9.28")
def test_a_leader_stays_with_the_squad_that_stays(state: SquadState) -> None:
    here = lip(state)
    stand(state, "t1", RIFLES, here.before)
    garrison(state, here, "e1")
    stand(state, "e2", "russian 8-1", here.cell)
    stand(state, "e3", RUSSIANS, here.cell, pinned=True)
    state.attacker, state.phase = ENEMY, "APh"
    assert lips.advance(playing(state), [AdvanceToCrest("e2", here.front)]) is None


@pytest.mark.rule("S9.28", "B20.95")
def test_who_has_a_target_for_his_machine_gun_in_the_gully_stays_there(state: SquadState) -> None:
    here = lip(state)
    ground = asl_ground(state)
    stand(state, "t1", RIFLES, here.before)
    unit = stand(state, "e1", RUSSIANS, here.cell)
    assert lips.best_front(state, here.cell, [unit], [here.front]) == here.front
    generation.new_weapon(playing(state), "russian HMG", unit)
    assert lips.best_front(state, here.cell, [state.units["e1"]], [here.front]) == here.front
    stand(state, "t2", RIFLES, next(at for at in ground.near[here.cell] if sees(state, here.cell, at)))
    assert lips.best_front(state, here.cell, [state.units["e1"]], [here.front]) == crests.IN


@pytest.mark.rule("S9.28")
def test_who_has_panicked_stays_in_the_gully(state: SquadState) -> None:
    here = lip(state)
    stand(state, "t1", RIFLES, here.before)
    unit = stand(state, "e1", RUSSIANS, here.cell)
    state.attacker, state.phase = ENEMY, "APh"
    able = [AdvanceToCrest(unit.id, here.front)]
    assert lips.advance(playing(state), able) == able[0]
    ORDERS.of(state)[unit.id] = Order(PANIC)
    assert lips.advance(playing(state), able) is None


@pytest.mark.rule("B20.93", "S9.2")
def test_it_leaves_over_its_front_or_goes_down_first(state: SquadState) -> None:
    here = lip(state)
    ground = asl_ground(state)
    unit = garrison(state, here)
    ways = lips.ways(state, here.place, [unit])
    assert {way.side for way in ways if way.to != here.cell} <= protected(state, unit)
    assert here.cell in [way.to for way in ways]
    behind = ground.sides[here.cell][(here.front + 3) % 6]
    path = marching.path_to(state, here.place, {behind}, [unit])
    assert path[0] == here.cell or ground.way(here.place, path[0]) in ways
    assert lips.ways(state, here.cell, [unit]) == ground.ways[here.cell]


@pytest.mark.rule("B20.97", "S10")
def test_broken_it_goes_down_when_the_rtph_begins(state: SquadState) -> None:
    here = lip(state)
    unit = garrison(state, here)
    update(playing(state), unit, broken=True, dm=True)
    fighting.rout_begins(playing(state))
    assert state.units[unit.id].at == here.cell


@pytest.mark.rule("S6.312")
@pytest.mark.parametrize(("reading", "rule"), [("off", ""), ("on", "S6.312")])
def test_whether_a_crest_is_an_improved_position(reading: str, rule: str) -> None:
    state = bare(crest_position=reading)
    here = lip(state)
    unit = garrison(state, here)
    found = automatic.automatic(state, here.place, [unit], target=True)
    assert (found.rule if found is not None else "") == rule
    assert front_of(state, unit) == here.front


@pytest.mark.rule("S11.4", "B20.93")
def test_from_the_crest_it_advances_into_close_combat_over_its_front_only(state: SquadState) -> None:
    here = lip(state)
    ground = asl_ground(state)
    unit = garrison(state, here)
    state.attacker, state.phase = ENEMY, "APh"
    over, back = ground.sides[here.cell][here.front], ground.sides[here.cell][(here.front + 3) % 6]
    stand(state, "t1", RIFLES, back)
    assert closing.into_combat(playing(state, 1, 1), unit) == -1
    stand(state, "t2", RIFLES, over)
    assert closing.into_combat(playing(state, 1, 1), unit) == over
