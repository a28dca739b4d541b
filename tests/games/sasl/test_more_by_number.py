"""More rules of chapter S that are known by their number and a few words (6.22, 13.2311, 14.32, 15., 16.4)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sasl_support import OPTIONS, field, friend, mission_without_suspects, playing, stand

import sandtable
from sandtable.engine.registry import register
from sandtable.games.sasl import GAME, command, meetings
from sandtable.games.sasl.enemy import marching
from sandtable.games.sasl.growing import key_of
from sandtable.games.sasl.missions import add_objectives
from sandtable.games.sasl.model import FRIENDLY, MARCH, OBJECTIVES, ORDERS, PANIC, Objective
from sandtable.games.sasl.roads import gaps, network
from sandtable.games.sasl.rolled import Board, rolled_in
from sandtable.games.squad.ground.setting import Setting, setting_of, unit_kind
from sandtable.games.squad.movement.model import AddMover, BeginMove, DoubleTime, StackDraft
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.space.board import load_board

register(GAME)


@pytest.fixture
def state() -> SquadState:
    return mission_without_suspects()


def on_boards(state: SquadState, *names: str) -> Setting:
    """The map of a state changes to these boards; nothing stands on it."""
    boards = tuple(Board("2", name, "rural", prefix=load_board(name).prefix) for name in names)
    state.setting = key_of(state, replace(rolled_in(state), boards=boards))
    OBJECTIVES.of(state).clear()
    return setting_of(state)


def marched(state: SquadState, table: str, roll: int, units: list[Unit], goal: int) -> str:
    """How units are sent by a row of A4 while a VPO of the FRIENDLY side lies in a hex."""
    OBJECTIVES.of(state).clear()
    OBJECTIVES.of(state)["goal"] = Objective("goal", (goal,), (FRIENDLY,))
    march = marching.obey(playing(state, *[1] * 6), table, roll, units[0].at, units, ())
    assert march is not None
    assert march.path[-1] == goal or march.how == "assault"
    MARCH.put(state, march)
    return march.how


# -- 6.22, Move -------------------------------------------------------------------------------------------------


@pytest.mark.rule("S6.221")
def test_an_assault_move_is_one_hex_of_assault_movement(state: SquadState) -> None:
    cell = field(state)
    unit = stand(state, "e", "russian 4-4-7", cell)
    goal = next(c for c in range(150, setting_of(state).ground.size) if setting_of(state).ground.ranges[cell][c] == 5)
    assert marched(state, "A4a", 4, [unit], goal) == "assault"
    march = MARCH.of(state)
    assert march is not None
    assert len(march.path) == 1
    legal = [BeginMove(), BeginMove(assault=True)]
    assert marching.drafting(playing(state), StackDraft(("e",)), legal) == BeginMove(assault=True)


@pytest.mark.rule("S6.222")
@pytest.mark.parametrize(("distance", "how"), [(2, "full"), (8, "double")])
def test_double_time_if_necessary_is_for_goals_out_of_reach(state: SquadState, distance: int, how: str) -> None:
    ground = setting_of(state).ground
    cell = field(state)
    unit = stand(state, "e", "russian 4-4-7", cell)
    ways = [
        marching.path_to(state, cell, {c}, [unit]) for c in range(ground.size) if ground.ranges[cell][c] == distance
    ]
    (*_, goal) = min((way for way in ways if way), key=len)
    assert marched(state, "A4b", 9, [unit], goal) == how
    legal = [AddMover("x"), DoubleTime("e"), BeginMove()]
    drafted = marching.drafting(playing(state), StackDraft(("e",)), legal)
    assert drafted == (DoubleTime("e") if how == "double" else BeginMove())


@pytest.mark.rule("S6.222")
def test_a_leader_brings_a_goal_within_reach_without_double_time(state: SquadState) -> None:
    cell = field(state)
    squad, leader = stand(state, "e", "russian 4-4-7", cell), stand(state, "l", "russian 8-0", cell)
    ground = setting_of(state).ground
    for way in [marching.path_to(state, cell, {c}, [squad]) for c in range(ground.size)]:
        alone = marching.pace(state, "Double Time if need be", cell, way, [squad]) if way else "full"
        if alone == "double" and marching.pace(state, "Double Time if need be", cell, way, [squad, leader]) == "full":
            return
    raise AssertionError("a leader's two MF bring no goal nearer")


@pytest.mark.rule("S6.223")
@pytest.mark.parametrize(("there", "goes"), [(2, True), (3, False)])
def test_nobody_moves_into_a_full_location(state: SquadState, there: int, goes: bool) -> None:
    cell = field(state)
    unit = stand(state, "e", "russian 4-4-7", cell)
    to = marching.open_hexes(state, cell, [unit])[0]
    for number in range(there):
        stand(state, f"r{number}", "russian 4-4-7", to)
    assert (to in marching.open_hexes(state, cell, [unit])) is goes


# -- 13, 14 -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("S13.2311")
def test_the_road_network_crosses_water_by_a_bridge(state: SquadState) -> None:
    setting = on_boards(state, "elderholt")
    road = network(setting)
    assert any(setting.ground.facts[cell].is_bridge for cell in road)
    assert gaps(setting) == 0


@pytest.mark.rule("S14.32")
def test_a_vpo_in_a_row_of_houses_is_the_whole_row(state: SquadState) -> None:
    setting = on_boards(state, "ambrey")
    ground = setting.ground
    prefix = rolled_in(state).boards[0].prefix
    add_objectives(state, replace(rolled_in(state).boards[0], vpo=((f"{prefix}E9",),)))
    (one,) = OBJECTIVES.of(state).values()
    assert ground.facts[ground.index(f"{prefix}E9")].rowhouse
    assert {ground.names[cell].removeprefix(prefix) for cell in one.cells} == {"D8", "E9", "F9", "G10"}


# -- 15, FRIENDLY units -----------------------------------------------------------------------------------------


@pytest.mark.rule("S15.4", "M8")
def test_a_friendly_column_stands_on_the_road_stack_behind_stack() -> None:
    state = sandtable.new("sasl/8", seed=4, options=OPTIONS).state
    road = network(setting_of(state))
    stacks = meetings.stacks_of(state)
    assert all(sum(unit_kind(state, unit).squad for unit in stack) <= 3 for stack in stacks)
    places = [[state.units[unit.id].at for unit in stack] for stack in stacks]
    head = road.index(places[0][0])
    for number, stack in enumerate(places):
        assert set(stack) == ({road[head - number]} if number <= head else {-1})


@pytest.mark.rule("S15.6", "M19")
@pytest.mark.parametrize(("mission", "exits"), [("1", False), ("19", True)])
def test_friendly_units_leave_by_the_fbe_only_where_that_counts(mission: str, exits: bool) -> None:
    state = sandtable.new(f"sasl/{mission}", seed=4, options=OPTIONS).state
    assert bool(setting_of(state).exits.get(FRIENDLY)) is exits
    state.setting = key_of(state, replace(rolled_in(state), evacuating=True))
    assert setting_of(state).exits[FRIENDLY], "an evacuation lets them go"


# -- 16.4, Command Influence Range ------------------------------------------------------------------------------


def at_range(state: SquadState, cell: int, distance: int) -> int:
    ranges = setting_of(state).ground.ranges[cell]
    return next(other for other in range(150, len(ranges)) if ranges[other] == distance)


@pytest.mark.rule("S16.41")
@pytest.mark.parametrize(
    ("pinned", "distance", "led"), [(False, 2, True), (False, 3, False), (True, 1, True), (True, 2, False)]
)
def test_a_pinned_leader_commands_at_one_hex_others_at_two(
    state: SquadState, pinned: bool, distance: int, led: bool
) -> None:
    state.attacker = FRIENDLY
    cell = field(state)
    friend(state, cell, 1, "german 9-1", pinned=pinned)
    squad = friend(state, at_range(state, cell, distance), 2)
    command.checks(playing(state, 4, 4, 6, 6))
    assert (ORDERS.of(state)[squad.id].what != PANIC) is led


@pytest.mark.rule("S16.42")
@pytest.mark.parametrize(("second", "led"), [("german 8-1", True), ("german 9-1", False)])
def test_a_leader_who_is_commanded_commands_others_in_turn(state: SquadState, second: str, led: bool) -> None:
    state.attacker = FRIENDLY
    cell = field(state)
    friend(state, cell, 1, "german 9-1")
    middle = at_range(state, cell, 2)
    other = friend(state, middle, 2, second)
    ground = setting_of(state).ground
    far = next(c for c in range(ground.size) if ground.ranges[cell][c] == 4 and ground.ranges[middle][c] == 2)
    squad = friend(state, far, 3)
    command.checks(playing(state, 4, 4, 6, 6, 6, 6))
    assert (ORDERS.of(state)[other.id].what != PANIC) is led, "only a leader of lower morale is commanded"
    assert (ORDERS.of(state)[squad.id].what != PANIC) is led
