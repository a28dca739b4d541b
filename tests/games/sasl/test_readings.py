"""Rulings that can be read in another way: what each option changes."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sasl_support import Falling, field, playing, stand

import sandtable
from sandtable.engine import Play
from sandtable.engine.events import Decided
from sandtable.engine.registry import register
from sandtable.games.sasl import GAME, activation, force, friendly_events, roaming, suspects, victory
from sandtable.games.sasl.compass import edge_cells, forward
from sandtable.games.sasl.enemy import automatic, closing, marching, orders
from sandtable.games.sasl.missions import MISSIONS, add_objectives
from sandtable.games.sasl.model import ADVANCE, ENEMY, FRIENDLY, OBJECTIVES, ROSTER, SCORE, SUSPECTS, March
from sandtable.games.sasl.rolled import rolled_in
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.tables.events import event as find
from sandtable.games.squad.effects.verdicts import judge_check
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import put
from sandtable.games.squad.pieces.model import Gone, SquadState
from sandtable.games.squad.rout.model import Rout, RoutStep, TakeLeader

register(GAME)


def started(mission: int, **options: str) -> SquadState:
    state: SquadState = sandtable.new(f"sasl/{mission}", seed=8, options={"boards": "shipped", **options}).state
    return state


@pytest.mark.rule("S14.3")
@pytest.mark.parametrize("reading", ["building", "hex"])
def test_a_vpo_hex_stands_for_its_building_or_for_itself(reading: str) -> None:
    state = started(1, vpo=reading, friendly="G", enemy="R", year="1943")
    ground = setting_of(state).ground
    cells = next(cells for cells in ground.buildings.values() if len(cells) > 1)
    OBJECTIVES.of(state).clear()
    add_objectives(state, replace(rolled_in(state).boards[0], vpo=((ground.names[cells[0]],),)))
    (one,) = OBJECTIVES.of(state).values()
    assert len(one.cells) == (len(cells) if reading == "building" else 1)


@pytest.mark.rule("S9.41")
@pytest.mark.parametrize(("reading", "points"), [("squad", 2), ("nothing", 0)])
def test_what_a_suspect_that_exits_is_worth(reading: str, points: int) -> None:
    state = started(8, suspect_exit=reading)
    one = suspects.add(state, at=edge_cells(setting_of(state), "west")[0], attitude=ADVANCE, edge="west")
    assert roaming.leaves(playing(state), one)
    assert SCORE.of(state).get(f"{ENEMY} S? exited", 0) == points


@pytest.mark.rule("M8")
@pytest.mark.parametrize(("reading", "coming"), [("4", 4), ("2", 2), ("all", 9)])
def test_how_many_of_the_column_come_on_in_a_turn(reading: str, coming: int) -> None:
    state = started(8, column=reading)
    SUSPECTS.of(state).clear()
    put_roster(state, pool=9)
    MISSIONS[8].begin_enemy_turn(playing(state))
    assert len(SUSPECTS.of(state)) == coming
    assert ROSTER.of(state).pool == 9 - coming


@pytest.mark.rule("S6.3174")
def test_leaders_alone_stay_where_the_option_says_so() -> None:
    state = started(1, directing="off")
    assert automatic.firers_near(state, 0) == []


@pytest.mark.rule("S6.222")
@pytest.mark.parametrize(("reading", "how"), [("out of reach", "full"), ("always", "double")])
def test_double_time_to_a_goal_that_is_near(reading: str, how: str) -> None:
    state = started(1, double_time=reading, friendly="G", enemy="R", year="1943")
    cell = field(state)
    unit = stand(state, "e", "russian 4-4-7", cell)
    path = marching.open_hexes(state, cell, [unit])[:1]
    assert marching.pace(state, "Double Time if need be", cell, path, [unit]) == how


@pytest.mark.rule("S")
@pytest.mark.parametrize(("reading", "replaced"), [("", False), ("none", False), ("5", True)])
def test_nobody_is_replaced_for_a_check_failed_badly(reading: str, replaced: bool) -> None:
    state = started(1, **({"elr": reading} if reading else {}))
    setting = setting_of(state)
    unit = next(unit for unit in state.units.values() if setting.kinds[unit.group, unit.kind].replaced)
    assert judge_check(setting, unit, 11, 14).replaced == replaced


GERMANS = {"friendly": "G", "enemy": "R", "year": "1943"}


def alone(**options: str) -> SquadState:
    """Mission 1 without S?."""
    state = started(1, **GERMANS, **options)
    SUSPECTS.of(state).clear()
    return state


@pytest.mark.rule("S5.1")
@pytest.mark.parametrize(("reading", "checks"), [("Location", 2), ("phase", 1)])
def test_how_often_a_suspect_is_checked(reading: str, checks: int) -> None:
    state = alone(checked=reading)
    cell = field(state)
    suspects.add(state, at=cell)
    unit = stand(state, "a", "german 4-6-7", setting_of(state).ground.near[cell][0])
    play = playing(state, 6, 6)
    activation.trigger(play, [unit], "movement")
    activation.trigger(play, [put(state, unit, setting_of(state).ground.near[cell][1])], "movement")
    assert len([event for event in play.events if isinstance(event, Decided)]) == checks


@pytest.mark.rule("S9.2")
@pytest.mark.parametrize("reading", ["rosette", "random"])
def test_where_ras_leads(reading: str) -> None:
    state = alone(ras=reading)
    here = field(state)
    open_to = list(setting_of(state).ground.near[here])
    to = marching.wander(playing(state, 1), March(("a",), "full", wander="RAS"), here, open_to)
    assert to == (forward(state, here, "west", 1) if reading == "rosette" else open_to[0])


@pytest.mark.rule("S12.5")
@pytest.mark.parametrize(("reading", "over"), [("ends", True), ("goes on", False)])
def test_whether_a_mission_ends_without_friendly_units(reading: str, *, over: bool) -> None:
    state = alone(last_unit=reading)
    for name in [unit.id for unit in state.units.values() if unit.side == FRIENDLY]:
        del state.units[name]
    state.weapons.clear()
    MISSIONS[1].end_of_player_turn(Play(state, Falling(7)))
    assert (state.outcome is not None) is over


@pytest.mark.rule("S15.1")
@pytest.mark.parametrize(("reading", "number"), [("3", 2), ("2", 3), ("4", 2)])
def test_how_many_leaders_and_weapons_come_with_squads(
    monkeypatch: pytest.MonkeyPatch, reading: str, number: int
) -> None:
    state = alone(rates=reading)
    monkeypatch.setattr(force.generation, "leader", lambda play, own, kinds: "german 8-0")
    monkeypatch.setattr(force.generation, "support_weapon", lambda play, own: "german LMG")
    found = dict(force.equip(playing(state), rolled_in(state), (("german 4-6-7", 6),)).units)
    assert (found["german 8-0"], found["german LMG"]) == (number, number)


@pytest.mark.rule("S2.3")
@pytest.mark.parametrize(("reading", "left"), [("nearest", ["farther"]), ("random", ["near"])])
def test_which_suspects_an_event_removes(reading: str, left: list[str]) -> None:
    state = alone(removed=reading)
    for name in [unit.id for unit in state.units.values() if unit.side == FRIENDLY]:
        del state.units[name]
    OBJECTIVES.of(state).clear()
    cell = field(state)
    stand(state, "a", "german 4-6-7", cell)
    ranges = setting_of(state).ground.ranges[cell]
    places = [next(at for at in range(len(ranges)) if ranges[at] == distance) for distance in (2, 4, 6)]
    names = {suspects.add(state, at=at).id: name for at, name in zip(places, ("near", "far", "farther"), strict=True)}
    friendly_events.fading(playing(state, 1, 1, 3, 2), find("G9", 1, 5))
    assert [names[one] for one in SUSPECTS.of(state)] == left


@pytest.mark.rule("S17.1321")
@pytest.mark.parametrize(("reading", "points"), [("1.5", 3), ("1", 2)])
def test_what_the_loss_of_an_attached_unit_counts(reading: str, points: int) -> None:
    state = alone(attached=reading)
    state.gone["f1"] = Gone("f1", FRIENDLY, "german 4-6-7", "eliminated", "from west", 2)
    assert victory.casualties(state, FRIENDLY) == points


@pytest.mark.rule("S6.241")
@pytest.mark.parametrize(("reading", "may"), [("barred", False), ("allowed", True)])
def test_whether_the_enemy_digs_where_it_sees_nothing(
    monkeypatch: pytest.MonkeyPatch, reading: str, *, may: bool
) -> None:
    state = alone(restricted=reading)
    unit = stand(state, "e", "russian 4-4-7", field(state))
    monkeypatch.setattr(orders, "restricted", lambda state, cell: True)
    assert orders.can_entrench(state, [unit]) is may


@pytest.mark.rule("S10.4")
@pytest.mark.parametrize(("reading", "goes"), [("along", True), ("stay", False)])
def test_whether_a_leader_routs_along(reading: str, *, goes: bool) -> None:
    state = alone(leaders_rout=reading)
    cell = field(state)
    unit = stand(state, "e", "russian 4-4-7", cell, broken=True, dm=True)
    stand(state, "l", "russian 8-0", cell)
    ways = [RoutStep(to) for to in setting_of(state).ground.near[cell]]
    chosen = closing.rout(Play(state, Falling(7)), Rout(unit.id, cell), [TakeLeader("l"), *ways])
    assert (chosen == TakeLeader("l")) is goes
