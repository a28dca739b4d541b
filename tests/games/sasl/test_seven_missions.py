"""The seven missions read a second time from their printed sheets: set-up, ends, VP and special rules."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import pytest
from msgspec.structs import replace
from sasl_support import Falling, playing, stand

import sandtable
from sandtable.engine import Decided, Play
from sandtable.engine.dice import StreamDice, secret_of_seed
from sandtable.games.asl.concealment.gaining import seen_near
from sandtable.games.asl.concealment.seen import concealment_terrain
from sandtable.games.asl.snipers.model import SNIPERS, Sniper
from sandtable.games.asl.works import model as works
from sandtable.games.sasl import events, offensives, setting_up, victory
from sandtable.games.sasl.fortify import discovered
from sandtable.games.sasl.growing import change_map, key_of
from sandtable.games.sasl.meetings import Escape
from sandtable.games.sasl.missions import MISSIONS
from sandtable.games.sasl.model import ENEMY, FRIENDLY, OBJECTIVES, ROAD, ROSTER, SCORE, SUSPECTS
from sandtable.games.sasl.offensives import Recon
from sandtable.games.sasl.roads import intersections, network
from sandtable.games.sasl.rolled import entry_edge, rolled_in
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.suspects import add, board_cells
from sandtable.games.sasl.tables import events as tables
from sandtable.games.sasl.tables import general
from sandtable.games.sasl.tables import missions as sheets
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import put
from sandtable.games.squad.movement.going import MoveOn
from sandtable.games.squad.movement.model import ExitMap, Move
from sandtable.games.squad.pieces.model import Gone, Mover, Moving, SquadState
from sandtable.games.squad.scenario.model import AutoSetUp, SetUpDone

A8 = ("A8a", "A8b", "A8c", "A8d", "A8e")


class Sheet(NamedTuple):
    """What a mission's sheet says, in the order in which it says it."""

    attitude: str
    boards: int
    tables: tuple[str, ...]
    a9: int
    configurations: str
    vpo: str
    suspects: str
    ends: tuple[tuple[int, int, tuple[int, ...]], ...]
    """(turn, drm, the dr that end it then), with 25 S? set up and a road of 43 hexes."""
    drm: dict[str, int]
    at_once: bool


SHEETS = {
    1: Sheet("Hold", 1, ("A8a",), 0, "A", "A6c", "abc", ((10, 0, (1, 2)), (14, 0, (1, 2))),
             {"A1": 1, "A11": -1}, False),
    2: Sheet("Hold", 2, ("A8a", "A8a"), 0, "AB", "", "e", ((9, 0, (1, 2)), (12, 0, (1, 2))), {}, True),
    3: Sheet("Hold", 2, ("A8a", "A8e"), 0, "A", "A6h", "c", ((10, 0, (1,)), (12, 0, (1,))), {}, True),
    4: Sheet("Hold", 2, ("A8c", "A8c"), 0, "AB", "", "ab", ((10, 0, (1,)), (12, -2, (1, 2, 3))),
             {"A1": 2, "A5": -1, "A11": -1, "x9": -1}, False),
    5: Sheet("Hold", 3, ("A8e",), -1, "A", "", "", ((9, 0, (1, 2, 3)), (11, 0, (1, 2, 3))),
             {"A9": -1, "A11": -1}, True),
    8: Sheet("Advance", 2, A8, 0, "A", "", "", ((8, 0, (1,)), (10, -2, (1, 2, 3))), {}, False),
    19: Sheet("Advance", 3, ("A8e",), -1, "A", "", "", ((10, 0, (1, 2, 3)), (13, 0, (1, 2, 3))),
              {"A9": -1, "A11": 1, "x9": 1}, True),
}  # fmt: skip


@cache
def match_of(number: int, seed: int = 5) -> SquadState:
    return sandtable.new(f"sasl/{number}", seed=seed, options={"set_up": "rolled"}).state


def fresh(number: int) -> SquadState:
    return sandtable.new(f"sasl/{number}", seed=5, options={"set_up": "rolled"}).state


@pytest.mark.rule("S12.5")
@pytest.mark.parametrize("number", SHEETS)
def test_what_the_sheet_says(number: int) -> None:
    sheet, rules, data = SHEETS[number], MISSIONS[number], sheets.mission(number)
    assert data.attitude == sheet.attitude
    assert (rules.boards, rules.tables, rules.configurations) == (sheet.boards, sheet.tables, sheet.configurations)
    assert set(data.boards) == set(sheet.tables)
    assert rules.board_drm == sheet.a9
    assert (f"A6{rules.numbers}" if rules.numbers else "") == sheet.vpo
    if sheet.suspects:
        assert rules.cases == sheet.suspects
    assert {name: drm for name, drm in data.drm.items() if drm} == sheet.drm
    assert rules.events_at_once == sheet.at_once


@pytest.mark.rule("S12.5")
@pytest.mark.parametrize("number", SHEETS)
def test_when_the_mission_ends(number: int) -> None:
    """The dr that end it at the first turn and later, and none before."""
    state = fresh(number)
    put_roster(state, placed=25, road=43)
    rules = MISSIONS[number]
    each_player_turn = number in (2, 5)
    first = SHEETS[number].ends[0][0]
    for turn, drm, enough in ((first - 1, 0, ()), *SHEETS[number].ends):
        for dr in range(1, 7):
            state.turn, state.outcome = turn, None
            play = playing(state, dr, *[3] * 40)
            if each_player_turn:
                rules.end_of_player_turn(play)
            elif rules.may_end(state):
                assert rules.end_drm(state) == drm
                rules.end_roll(play)
            assert (state.outcome is not None) == (dr in enough), (turn, dr)


@pytest.mark.rule("M3")
def test_recon_ends_after_even_turns_and_sooner_with_every_two_boards_of_a8e(monkeypatch: pytest.MonkeyPatch) -> None:
    state = fresh(3)
    due = []
    for turn in range(1, 17):
        state.turn = turn
        due += [turn] if MISSIONS[3].may_end(state) else []
    assert due == [10, 12, 14, 16]
    base = rolled_in(state)
    drms = []
    for number in range(1, 6):
        grown = replace(base, boards=(base.boards[0], *[base.boards[1]] * number))
        monkeypatch.setattr(offensives, "rolled_in", lambda _, grown=grown: grown)
        drms.append(MISSIONS[3].end_drm(state))
    assert drms == [0, -1, -1, -2, -2]


@pytest.mark.rule("M3")
def test_a_board_rolled_up_keeps_what_was_found_and_moves_the_sniper() -> None:
    """VP for fortifications are gained when they are found; a Sniper counter on the board is placed anew (A14.2)."""
    state = fresh(3)
    play = Play(state, StreamDice(secret_of_seed(4)))
    rules = MISSIONS[3]
    assert isinstance(rules, Recon)
    change_map(play, rules.add_board(play, rolled_in(state), table="A8e"))
    setting = setting_of(state)
    west = board_cells(setting, rolled_in(state).boards[0])
    east = board_cells(setting, rolled_in(state).boards[1])
    for unit in list(state.units.values()):
        state.units[unit.id] = replace(unit, at=-1, beside=-1)
    state.stacks.clear()
    dug = next(cell for cell in west if works.may_entrench_in(state, cell))
    works.lay_trench(state, dug, ENEMY, 1)
    assert discovered(state) == discovered(state, set(west)) == 1
    other = next(cell for cell in east if works.may_entrench_in(state, cell))
    works.lay_trench(state, other, ENEMY, 1)
    SNIPERS.of(state)[ENEMY] = Sniper(4, at=west[0])
    gone = rolled_in(state).boards[0].board
    rules.roll_up(play)
    assert rolled_in(state).gone == 1
    assert not any(one.board == gone for one in OBJECTIVES.of(state).values())
    assert discovered(state) + SCORE.of(state)[f"{FRIENDLY} fortifications found on a board rolled up"] == 2
    assert SNIPERS.of(state)[ENEMY].at in (-1, *range(setting_of(state).ground.size))


@pytest.mark.rule("M3")
def test_a_board_with_vpo_is_rolled_up_and_its_vpo_are_gone_for_no_more() -> None:
    state = fresh(3)
    play = Play(state, StreamDice(secret_of_seed(4)))
    rules = MISSIONS[3]
    assert isinstance(rules, Recon)
    for _ in range(2):
        change_map(play, rules.add_board(play, rolled_in(state), table="A8e"))
    for unit in list(state.units.values()):
        state.units[unit.id] = replace(unit, at=-1, beside=-1)
    state.stacks.clear()
    boards = rolled_in(state).boards
    assert boards[1].vpo
    for number in (1, 2):
        rules.roll_up(play)
        assert rolled_in(state).gone == number
    setting = setting_of(state)
    left = [setting.ground.index(name) for board in boards[2:] for hexes in board.vpo for name in hexes]
    assert [sorted(aim.cells) for one, aim in setting.aims if one.winner == FRIENDLY] == [sorted(left)]


@pytest.mark.rule("M19")
def test_escape_has_no_flank_attacks_and_nobody_calls_it_off() -> None:
    state = fresh(19)
    name = events.table_of(state, FRIENDLY)
    for number in ("03", "26", "51", "52", "74", "75", "76"):
        event = tables.event(name, int(number[0]), int(number[1]))
        assert events.barred(state, FRIENDLY, event), number
    assert events.barred(state, ENEMY, tables.event("A11", 3, 6))
    assert not events.barred(state, ENEMY, tables.event("A11", 3, 4))


@pytest.mark.rule("M19")
def test_escape_begins_between_hexrows_i_and_y_of_the_ebe() -> None:
    state = fresh(19)
    base = rolled_in(state)
    edge = entry_edge(base)
    first, _, last = edge.removeprefix("east ").partition("-")
    prefix = base.boards[-1].prefix
    rows = {name.removeprefix(prefix).rstrip("0123456789") for name in (first, last)}
    assert rows == {"I", "Y"}


@pytest.mark.rule("M19")
def test_escape_three_points_a_turn_saved_and_one_for_each_turn_late() -> None:
    state = fresh(19)
    state.turn = 7
    units = [unit for unit in state.units.values() if unit.side == FRIENDLY]
    play = Play(state, StreamDice(secret_of_seed(4)))
    for unit in units:
        del state.units[unit.id]
        state.gone[unit.id] = Gone(unit.id, unit.side, unit.kind, "exited")
    MISSIONS[19].end_of_player_turn(play)
    assert state.outcome is not None
    assert SCORE.of(state)[f"{FRIENDLY} turns saved"] == 9
    late = fresh(19)
    late.turn = 11
    MISSIONS[19].end_of_turn(playing(late, 6))
    assert SCORE.of(late)[f"{ENEMY} turns after the tenth"] == 1


@pytest.mark.rule("M19")
@pytest.mark.parametrize(("how", "away"), [("exited", True), ("eliminated", False)])
def test_nobody_is_away_unless_he_has_left_by_the_edge(how: str, away: bool) -> None:
    state = fresh(19)
    for unit in [unit for unit in state.units.values() if unit.side == FRIENDLY]:
        del state.units[unit.id]
        state.gone[unit.id] = Gone(unit.id, unit.side, unit.kind, how)
    assert Escape().away(state) is away


@pytest.mark.rule("M19")
@pytest.mark.parametrize(("left", "ends"), [("", True), ("broken", True), ("good order", False)])
def test_escape_ends_the_moment_that_the_last_unbroken_unit_leaves(left: str, ends: bool) -> None:
    state = fresh(19)
    state.turn, state.attacker = 7, FRIENDLY
    edge = min(setting_of(state).exits[FRIENDLY])
    (unit, other, *others) = [unit for unit in state.units.values() if unit.side == FRIENDLY]
    for one in others if left else (other, *others):
        del state.units[one.id]
    if left:
        state.units[other.id] = replace(other, broken=left == "broken")
    put(state, unit, edge)
    state.moving = Moving((Mover(unit.id, edge),), (unit.id,))
    MoveOn().apply(Play(state, StreamDice(secret_of_seed(4))), Move(), FRIENDLY, ExitMap())
    assert unit.id not in state.units
    assert (state.outcome is not None) is ends
    assert SCORE.of(state).get(f"{FRIENDLY} turns saved", 0) == (9 if ends else 0)


@pytest.mark.rule("M2")
def test_pockets_begin_with_fifteen_suspects_and_two_points_for_each_left() -> None:
    state = match_of(2)
    number = len(SUSPECTS.of(state))
    assert number >= 15
    lines = {name: (ours, theirs) for name, ours, theirs in MISSIONS[2].tally(state)}
    assert lines["S? on the map"] == (0, 2 * number)
    assert not OBJECTIVES.of(state)


@pytest.mark.rule("M4")
def test_bunker_busting_counts_half_a_point_for_each_suspect() -> None:
    state = match_of(4)
    lines = {name: theirs for name, _, theirs in MISSIONS[4].tally(state)}
    assert lines["S? on the map"] == len(SUSPECTS.of(state)) / 2


@pytest.mark.rule("M5")
def test_highway_a_suspect_within_four_hexes_of_the_road_counts_one() -> None:
    state = fresh(5)
    lines = {name: theirs for name, _, theirs in MISSIONS[5].tally(state)}
    SUSPECTS.of(state).clear()
    empty = {name: theirs for name, _, theirs in MISSIONS[5].tally(state)}
    assert empty["ENEMY near the road"] == 0 < lines["ENEMY near the road"]
    add(state, at=network(setting_of(state))[3], attitude="Hold", edge="west", colour="")
    assert {name: theirs for name, _, theirs in MISSIONS[5].tally(state)}["ENEMY near the road"] == 1


@pytest.mark.rule("M5")
def test_highway_s_wait_about_the_crossings_of_the_road() -> None:
    state = match_of(5)
    setting = setting_of(state)
    most = max(general.number("f", dr) for dr in range(1, 7))
    waiting = [one.at for one in SUSPECTS.of(state).values() if one.at >= 0]
    assert waiting
    for board in rolled_in(state).boards:
        cells = set(board_cells(setting, board))
        crossings = cells & set(intersections(setting))
        for at in cells & set(waiting):
            assert any(setting.ground.ranges[at][one] <= most for one in crossings)


def highway(state: SquadState, printed: str, face: int) -> set[int]:
    """Where S? wait on the first board of Mission 5 if A9 has printed it as said, with a radius of three hexes."""
    base = rolled_in(state)
    board = replace(base.boards[0], printed=printed)
    SUSPECTS.of(state).clear()
    state.setting = key_of(state, replace(base, boards=(board, *base.boards[1:])))
    dice = Falling(1)
    dice.roll = lambda sides, n, why: (face if why.startswith("A9e") else 1,) * n  # type: ignore[method-assign]
    MISSIONS[5].begin(Play(state, dice), {})
    return {one.at for one in SUSPECTS.of(state).values()} & set(board_cells(setting_of(state), board))


@pytest.mark.rule("M3", "A12.12")
@pytest.mark.parametrize("placed", ["auto", "players"])
def test_recon_begins_with_all_friendly_units_concealed_wherever_they_stand(placed: str) -> None:
    match = sandtable.new("sasl/3", seed=7, options={"boards": "shipped", "setup": placed})
    if placed == "players":
        match.apply(FRIENDLY, AutoSetUp())
        match.apply(FRIENDLY, SetUpDone())
    ours = [unit for unit in match.state.units.values() if unit.side == FRIENDLY]
    assert ours
    assert all(unit.at >= 0 and unit.concealed for unit in ours)
    in_view = [unit for unit in ours if seen_near(match.state, FRIENDLY, unit.at)]
    assert in_view, "a S? within 16 hexes would keep it from concealment in other missions"


@pytest.mark.rule("M5", "S4.12")
def test_highway_a9e_tells_which_buildings_of_a_village_hold_suspects() -> None:
    state = fresh(5)
    ground = setting_of(state).ground
    crossings = {cell for cell in intersections(setting_of(state)) if concealment_terrain(ground, cell)}
    farmland = {cell for cell in highway(state, "6", 1) if ground.in_building[cell]}
    on_the_ground = {cell for cell in highway(state, "v10", 1) if ground.in_building[cell]}
    upstairs = {cell for cell in highway(state, "v10", 6) if ground.in_building[cell]}
    assert farmland == on_the_ground > upstairs
    assert upstairs <= crossings, "an intersection in Concealment Terrain has a S? all the same"


@pytest.mark.rule("M5", "S4.13")
def test_highway_on_a_woods_board_only_the_edge_of_the_woods_holds_suspects(monkeypatch: pytest.MonkeyPatch) -> None:
    state = fresh(5)
    ground = setting_of(state).ground
    deep = next(cell for cell in highway(state, "6", 1) if not ground.in_building[cell])
    monkeypatch.setattr(ground, "woods", [cell in (deep, *ground.near[deep]) for cell in range(ground.size)])
    assert deep in highway(state, "6", 1)
    held = highway(state, "w5", 1)
    assert deep not in held
    assert {cell for cell in held if ground.woods[cell]} <= set(ground.near[deep])


@pytest.mark.rule("M5", "A26.14")
def test_highway_a_good_order_mmc_alone_takes_hexes_of_the_road_and_no_others() -> None:
    state = fresh(5)
    road = network(setting_of(state))
    ground = setting_of(state).ground
    aside = next(cell for cell in ground.near[road[4]] if cell not in road)
    stand(state, "a", "german 4-6-7", road[4])
    stand(state, "b", "german 4-6-7", aside)
    stand(state, "c", "german 4-6-7", road[6], broken=True)
    stand(state, "d", "german 8-0", road[8])
    for name, kind in (("e", "german 4-6-7"), ("f", "russian 4-4-7")):
        stand(state, name, kind, road[10])
    MISSIONS[5].control(Play(state, StreamDice(secret_of_seed(4))))
    assert set(ROAD.of(state)) == set(road)
    assert [cell for cell in road if ROAD.of(state)[cell] == FRIENDLY] == [road[4]]


@pytest.mark.rule("M2")
def test_pockets_are_rolled_again_until_there_are_fifteen_suspects(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six pockets of two boards: fourteen S? are too few, fifteen are enough."""
    state = fresh(2)
    sizes = iter([3, 3, 2, 2, 2, 2, 3, 3, 3, 2, 2, 2, 9, 9, 9, 9, 9, 9])

    def place(play: Play[SquadState], cells: list[int], where: str, case: str) -> None:
        for _ in range(next(sizes)):
            add(play.state, at=cells[0], attitude="Hold", edge="west", colour="")

    monkeypatch.setattr(offensives, "place", place)
    monkeypatch.setattr(offensives, "spread", lambda play, cells, most: [0])
    MISSIONS[2].begin(Play(state, StreamDice(secret_of_seed(4))), {})
    assert len(SUSPECTS.of(state)) == ROSTER.of(state).placed == 15


@pytest.mark.rule("M2", "S4.1")
def test_a_pocket_reaches_as_far_as_its_radius() -> None:
    state = match_of(2)
    SUSPECTS.of(state).clear()
    board = rolled_in(state).boards[0]
    ranges = setting_of(state).ground.ranges
    for seed in range(6):
        cells = offensives.pocket(Play(state, StreamDice(secret_of_seed(seed))), board, 99)
        play = Play(state, StreamDice(secret_of_seed(seed)))
        inner = offensives.pocket(play, board, 4)
        (told,) = [event for event in play.events if isinstance(event, Decided)]
        centre = setting_of(state).ground.index(told.row)
        assert set(inner) == {cell for cell in cells if ranges[centre][cell] <= 4}


@pytest.mark.rule("M8")
def test_patrol_two_thirds_of_the_strength_number_come_along_the_road() -> None:
    state = match_of(8)
    strength = setting_up.strength_number(rolled_in(state).units)
    roster = ROSTER.of(state)
    waiting = sum(one.beside >= 0 for one in SUSPECTS.of(state).values())
    assert roster.pool + roster.placed + waiting == math.ceil(2 * strength / 3)
    assert any(unit.side == ENEMY for unit in state.units.values()) or len(SUSPECTS.of(state)) < roster.placed


@pytest.mark.rule("M1", "S13")
def test_cautious_advance_three_points_for_each_board_that_opens() -> None:
    state = fresh(1)
    rules = MISSIONS[1]
    play = Play(state, StreamDice(secret_of_seed(4)))
    put_roster(state, ahead=(1,))
    rules.quiet(play)
    assert len(rolled_in(state).boards) == 2
    assert {why: ours for why, ours, _ in victory.gained(state)}["mapboards activated"] == 3
