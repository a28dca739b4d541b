"""Automatic actions of the ENEMY, in the order of their numbers (S6.301 to S6.317)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sasl_support import field, friend, mission_without_suspects, playing

from sandtable.engine import Decided, Play
from sandtable.games.asl.works import model as works
from sandtable.games.asl.works.sheltering import ComeOut, GoIn
from sandtable.games.sasl import generation
from sandtable.games.sasl.enemy import automatic, marching, orders
from sandtable.games.sasl.model import ENEMY, FRIENDLY, MARCH, ORDERS, March, Order
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import give, put
from sandtable.games.squad.movement.model import Move, SmokeGrenade, Step, Stop
from sandtable.games.squad.pieces.model import Mover, Moving, SquadState, Unit, Weapon


@pytest.fixture
def state() -> SquadState:
    return mission_without_suspects()


def foe(state: SquadState, cell: int, kind: str = "russian 4-4-7") -> Unit:
    return generation.new_unit(playing(state), kind, cell)


def found(state: SquadState, cell: int, units: list[Unit], *, target: bool = False) -> tuple[str, str]:
    given = automatic.automatic(state, cell, units, target=target)
    return (given.what, given.rule) if given else ("", "")


@pytest.mark.rule("S6.301", "S6.302")
def test_berserk_units_charge_and_unarmed_ones_make_for_the_east_edge(state: SquadState) -> None:
    cell = field(state)
    mad, bare, calm = (foe(state, cell) for _ in range(3))
    mad = state.units[mad.id] = replace(mad, marks=("berserk",))
    bare = state.units[bare.id] = replace(bare, marks=("unarmed",))
    assert found(state, cell, [mad]) == ("Move", "S6.301")
    assert found(state, cell, [bare]) == ("Move", "S6.302")
    rule, goals = automatic.goal(state, cell, [bare])
    assert rule == "S6.302"
    assert set(goals) == set(setting_of(state).edge(("east",)))
    assert automatic.split(state, [mad, calm, bare]) == [[mad], [calm], [bare]]


@pytest.mark.rule("S6.1", "S6.2")
def test_members_of_a_location_that_must_act_differently_are_ordered_apart(state: SquadState) -> None:
    state.attacker = ENEMY
    cell = field(state)
    mad, calm = foe(state, cell), foe(state, cell)
    state.units[mad.id] = replace(mad, marks=("berserk",))
    orders.order_location(playing(state, 3, 5), cell, ())
    assert ORDERS.of(state)[mad.id] == Order("Move", rule="S6.301")
    assert ORDERS.of(state)[calm.id].rule == ""


def told(play: Play[SquadState], name: str) -> list[str]:
    """What the FRIENDLY side hears of a table."""
    return [
        f"{event.row}: {event.why}"
        for event in play.events
        if isinstance(event, Decided) and event.table == name and event.known_to(FRIENDLY)
    ]


def arm(state: SquadState, unit: Unit, kind: str) -> Unit:
    generation.new_weapon(playing(state), kind, unit)
    return state.units[unit.id]


GUN, FT = "russian 45mm PTP obr. 32 AT", "russian FT"


@pytest.mark.rule("S6.1")
def test_who_mans_a_gun_stays_and_the_squad_beside_it_moves(state: SquadState) -> None:
    cell = field(state)
    squad = foe(state, cell)
    crew = arm(state, foe(state, cell, "russian 2-2-8"), GUN)
    leader = foe(state, cell, "russian 8-0")
    assert automatic.split(state, [squad, crew, leader]) == [[crew], [squad, leader]]
    play = playing(state, 1, 2)
    orders.order_location(play, cell, ())
    what = {unit.id: ORDERS.of(state)[unit.id].what for unit in (squad, crew, leader)}
    assert what == {squad.id: "Move", crew.id: "nothing", leader.id: "Move"}
    name = setting_of(state).ground.names[cell]
    assert told(play, "A2b") == [f"2-4: {name}: Move", f"2-4: {name}: nothing (a Gun stays)"]


@pytest.mark.rule("S6.315", "S6.1")
def test_one_squad_recovers_a_machine_gun_and_the_others_roll(state: SquadState) -> None:
    cell = field(state)
    units = [foe(state, cell) for _ in range(3)]
    state.weapons["w1"] = Weapon("w1", ENEMY, "russian LMG", "enemy", at=cell)
    orders.order_location(playing(state, 4, 6), cell, ())
    assert [ORDERS.of(state)[unit.id].rule for unit in units] == ["S6.315", "", ""]


@pytest.mark.rule("S6.312", "S6.1")
def test_who_is_outside_the_foxhole_rolls(state: SquadState) -> None:
    cell = field(state)
    inside, outside = foe(state, cell), foe(state, cell)
    works.put_in(state, inside, works.lay_foxhole(state, cell, ENEMY, 1))
    orders.order_location(playing(state, 1, 2), cell, ())
    assert [ORDERS.of(state)[unit.id].what for unit in (inside, outside)] == ["nothing", "Move"]


@pytest.mark.rule("S6.306", "S6.1")
def test_a_flamethrower_moves_alone(state: SquadState) -> None:
    cell = field(state)
    squad = foe(state, cell)
    flames = arm(state, foe(state, cell), FT)
    orders.order_location(playing(state, 3, 6), cell, ())
    assert ORDERS.of(state)[flames.id] == Order("Move", rule="S6.306")
    assert ORDERS.of(state)[squad.id].rule == ""


@pytest.mark.rule("S6.307")
def test_who_has_a_heavy_weapon_does_not_make_room(state: SquadState) -> None:
    cell = field(state)
    crew = arm(state, foe(state, cell, "russian 2-2-8"), GUN)
    squads = [foe(state, cell) for _ in range(3)]
    for unit in squads:
        put(state, state.units[unit.id], cell)
    orders.order_location(playing(state, 3, 6, 2, 1), cell, ())
    left = [unit.id for unit in (*squads, crew) if ORDERS.of(state)[unit.id] == Order("Move", rule="S6.307")]
    assert left == [squads[1].id], "one is too many"
    assert [ORDERS.of(state)[unit.id].rule for unit in (crew, squads[0], squads[2])] == [""] * 3


@pytest.mark.rule("S6.317", "S8.4")
def test_a_hero_alone_rolls_as_others_do(state: SquadState) -> None:
    cell = field(state)
    hero = foe(state, cell, "russian Hero 1-4-9")
    assert found(state, cell, [hero]) == ("", "")
    orders.order_location(playing(state, 1, 2), cell, ())
    assert ORDERS.of(state)[hero.id] == Order("Move")


@pytest.mark.rule("S6.21")
@pytest.mark.parametrize(
    ("concealed", "lines"), [(False, ["Panic: 2 units (1st Line) in"]), (True, ['Panic: the "?" in'])]
)
def test_panic_is_told_once_for_a_class_and_once_for_a_question_mark(
    state: SquadState, concealed: bool, lines: list[str]
) -> None:
    """How many lie under a "?" is not told."""
    cell = field(state)
    for unit in (foe(state, cell), foe(state, cell)):
        state.units[unit.id] = replace(state.units[unit.id], concealed=concealed)
    play = playing(state, 3, 3)
    orders.order_location(play, cell, ())
    name = setting_of(state).ground.names[cell]
    assert told(play, "A2b") == [f"{line} {name}" for line in lines]


@pytest.mark.rule("S6.21")
def test_a_leader_under_the_question_mark_of_squads_that_panic_is_not_told(state: SquadState) -> None:
    cell = field(state)
    for unit in (foe(state, cell), foe(state, cell, "russian 8-0")):
        state.units[unit.id] = replace(state.units[unit.id], concealed=True)
    play = playing(state, 3, 3)
    orders.order_location(play, cell, ())
    assert len(told(play, "A2b")) == 1


@pytest.mark.rule("S6.3121")
def test_who_stands_beside_a_foxhole_goes_into_it(state: SquadState) -> None:
    cell = field(state)
    unit = foe(state, cell)
    works.lay_foxhole(state, cell, ENEMY, 1)
    assert found(state, cell, [unit], target=True) == ("Move", "S6.3121")
    assert found(state, cell, [unit]) == ("", "")
    ORDERS.of(state)[unit.id] = Order("Move", rule="S6.3121")
    march = marching.command(playing(state), cell, [unit])
    assert march is not None
    assert (march.how, march.path) == ("assault", ())
    MARCH.put(state, march)
    state.moving = Moving((Mover(unit.id, cell),), (unit.id,))
    into = GoIn(works.works_at(state, cell, works.FOXHOLE)[0].id)
    assert marching.going(playing(state), Move(), [into]) == into


@pytest.mark.rule("B27.4", "S6.222")
def test_who_marches_comes_out_of_his_foxhole_first(state: SquadState) -> None:
    cell = field(state)
    unit = foe(state, cell)
    to = marching.open_hexes(state, cell, [unit])[0]
    MARCH.put(state, March((unit.id,), "full", (to,), command="A4b 6"))
    state.moving = Moving((Mover(unit.id, cell),), (unit.id,))
    assert marching.going(playing(state), Move(), [Stop(), Step(to)]) == Step(to)
    assert marching.going(playing(state), Move(), [Stop(), ComeOut(), Step(to)]) == ComeOut()


@pytest.mark.rule("B27.4", "S6.222")
def test_coming_out_of_a_foxhole_takes_mf_that_may_need_double_time(state: SquadState) -> None:
    cell = field(state)
    unit = foe(state, cell)
    works.lay_foxhole(state, cell, ENEMY, 1)
    works.put_in(state, unit, works.works_at(state, cell, works.FOXHOLE)[0])
    ground = setting_of(state).ground
    ways = [marching.path_to(state, cell, {c}, [unit]) for c in range(ground.size) if ground.ranges[cell][c] < 6]
    paces = {
        tuple(marching.pace(state, "Double Time if need be", cell, way, [one]) for one in (unit, state.units[unit.id]))
        for way in ways
        if way
    }
    assert paces == {("full", "full"), ("full", "double"), ("double", "double")}


@pytest.mark.rule("S6.315")
def test_a_squad_recovers_the_machine_gun_that_lies_beside_it(state: SquadState) -> None:
    cell = field(state)
    unit = foe(state, cell)
    other = foe(state, cell)
    weapon = Weapon("w1", ENEMY, "russian LMG", "enemy", at=cell)
    state.weapons["w1"] = weapon
    assert found(state, cell, [unit]) == ("Move", "S6.315")
    give(state, replace(weapon, at=-1), other.id)
    assert found(state, cell, [unit]) == ("", "")


@pytest.mark.rule("S6.316")
def test_smoke_before_open_ground_that_the_friendly_side_sees(state: SquadState) -> None:
    cell = field(state)
    unit = foe(state, cell)
    ground = setting_of(state).ground
    to = next(near for near in ground.near[cell] if ground.open[near])
    MARCH.put(state, March((unit.id,), "full", (to,), command="A4b 6"))
    state.moving = Moving((Mover(unit.id, cell),), (unit.id,))
    legal = [Step(to), SmokeGrenade(unit.id, cell), SmokeGrenade(unit.id, to)]
    assert marching.going(playing(state), Move(), legal) == Step(to)
    friend(state, next(c for c in range(ground.size) if ground.ranges[to][c] == 4 and sees(state, to, c)))
    play = playing(state)
    assert marching.going(play, Move(), legal) == SmokeGrenade(unit.id, to)
    assert [event.table for event in play.events if isinstance(event, Decided)] == ["S6.316"]


@pytest.mark.rule("S6.3174")
def test_a_leader_alone_goes_where_he_can_direct_fire(state: SquadState) -> None:
    cell = field(state)
    leader = foe(state, cell, "russian 8-0")
    ground = setting_of(state).ground
    place = next(c for c in range(ground.size) if ground.ranges[cell][c] == 3 and ground.open[c])
    squad = foe(state, place)
    assert found(state, cell, [leader]) == ("nothing", "S6.3175")
    friend(state, next(c for c in range(ground.size) if ground.ranges[place][c] == 2 and sees(state, place, c)))
    assert found(state, cell, [leader]) == ("Move", "S6.3174")
    assert automatic.goal(state, cell, [leader]) == ("S6.3174", [squad.at])
