"""Procedures of Solitaire ASL by their numbers, as the text's own examples and the dice have them."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace
from sasl_support import playing

import sandtable
from sandtable.engine import Decided, Play
from sandtable.engine.dice import StreamDice, secret_of_seed
from sandtable.engine.registry import register
from sandtable.games.asl.works.model import may_entrench_in
from sandtable.games.sasl import (
    GAME,
    charts,
    command,
    events,
    fortify,
    generation,
    missions,
    suspects,
    victory,
)
from sandtable.games.sasl.activation import activates
from sandtable.games.sasl.enemy import orders
from sandtable.games.sasl.enemy_events import shift
from sandtable.games.sasl.missions import MISSIONS
from sandtable.games.sasl.model import ENEMY, FRIENDLY, OBJECTIVES, ROAD, ROSTER, SUSPECTS
from sandtable.games.sasl.ordnance import chart_line, far_modifier
from sandtable.games.sasl.roads import network
from sandtable.games.sasl.rolled import rolled_in
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.tables import general
from sandtable.games.sasl.tables.counters import table_guns
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.kinds import printed_weapon
from sandtable.games.squad.pieces.model import Unit

register(GAME)
THROWS = list(product(range(1, 7), repeat=2))


# -- arithmetic of the text ------------------------------------------------------------------------


SHIPPED = {"set_up": "rolled", "boards": "shipped"}


@pytest.mark.rule("M2")
def test_25_suspects_last_nine_turns() -> None:
    """A set-up that places 25 S? may end from turn 9 on, and says so; a limit of five a pocket allows it (SA-55)."""
    state = sandtable.new("sasl/2", seed=13, options={**SHIPPED, "bridges": "printed"}).state
    assert len(SUSPECTS.of(state)) == ROSTER.of(state).placed == 25
    rules = MISSIONS[2]
    assert "from turn 9," in rules.end_words(state)
    for turn, ends in ((8, False), (9, True)):
        again = state.clone()
        again.turn = turn
        rules.end_of_player_turn(playing(again, 1))
        assert (again.outcome is not None) == ends


@pytest.mark.rule("M5")
def test_43_road_hexes_last_nine_turns() -> None:
    state = sandtable.new("sasl/5", seed=5, options=SHIPPED).state
    assert ROSTER.of(state).road == len(ROAD.of(state)) > 30
    put_roster(state, road=43)
    rules = MISSIONS[5]
    assert "from turn 9," in rules.end_words(state)
    for turn, ends in ((8, False), (9, True)):
        again = state.clone()
        again.turn = turn
        rules.end_of_player_turn(playing(again, 1))
        assert (again.outcome is not None) == ends


@pytest.mark.rule("M8")
def test_19_suspects_make_a_column_of_ten_hexes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A US# of 28 has 19 S? in its way: two in each hex of the road, the odd one at the tail, as far as they are on."""
    state = sandtable.new("sasl/8", seed=5, options=SHIPPED).state
    SUSPECTS.of(state).clear()
    monkeypatch.setattr("sandtable.games.sasl.setting_up.strength_number", lambda units: 28)
    monkeypatch.setattr("sandtable.games.sasl.meetings.sees", lambda *asked: False)
    play = Play(state, StreamDice(secret_of_seed(5)))
    MISSIONS[8].begin(play, {})
    told = [event for event in play.events if isinstance(event, Decided) and event.row == "19 S?"]
    assert "a column of 10 hexes" in told[0].why
    hexes = Counter(one.at for one in SUSPECTS.of(state).values() if one.at >= 0)
    assert sorted(hexes.values(), reverse=True) == [2] * 9 + [1]


@pytest.mark.rule("M4")
@pytest.mark.parametrize(
    ("dr", "squads", "stone", "points"),
    [(5, 1, False, 2), (5, 1, True, 12), (1, 2, False, 14)],
    ids=["a 1S foxhole", "a fortified stone building Location", "a 2+5+7 pillbox"],
)
def test_fortifications_are_worth_tem_times_capacity(dr: int, squads: int, stone: bool, points: int) -> None:
    """What Activation lays in Mission 4 is a VPO of its highest TEM times its capacity at Mission end."""
    state = sandtable.new("sasl/4", seed=5, options=SHIPPED).state
    OBJECTIVES.of(state).clear()
    ground = setting_of(state).ground
    fits = (lambda c: suspects.stone(ground, c)) if stone else (lambda c: ground.open[c] and may_entrench_in(state, c))
    cell = next(c for c in range(40, ground.size) if fits(c))
    units = [generation.new_unit(playing(state), "russian 4-4-7", cell) for _ in range(squads)]
    fortify.fortify(playing(state, dr), units, cell, ground.near[cell][0], gun=False)
    (goal,) = OBJECTIVES.of(state).values()
    assert goal.owners == (ENEMY,)
    assert victory.objective_lines(playing(state)) == [(f"VPO {goal.id}", 0, points)]


@pytest.mark.rule("M3")
def test_re_numbers_of_5_and_6_rise_on_a_6_only() -> None:
    state = sandtable.new("sasl/3", seed=5, options=SHIPPED).state
    state.turn = 5
    risen = []
    for dr in range(1, 7):
        again = state.clone()
        put_roster(again, enemy_re="5/6")
        MISSIONS[3].end_of_turn(playing(again, dr))
        risen += [dr] if ROSTER.of(again).enemy_re == "6/7" else []
    assert risen == [6]


# -- dice against tables ----------------------------------------------------------------------------


@pytest.mark.rule("S5.1")
def test_an_original_1_always_activates_and_a_6_never_does() -> None:
    assert activates(2, 1, 5)
    assert not activates(5, 6, -5)
    assert [dr for dr in range(1, 7) if activates(3, dr, 1)] == [1, 2]


@pytest.mark.rule("S6.2")
@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("A2a", {"Move": 20, "Fire": 10, "Entrench": 2, "Panic": 4}),
        ("A2b", {"Move": 6, "Fire": 22, "Entrench": 4, "Panic": 4}),
    ],
)
def test_actions_of_first_line_units_by_the_36_throws(table: str, expected: dict[str, int]) -> None:
    found: Counter[str] = Counter()
    for throw in THROWS:
        row = general.table(table).row(sum(throw)).cells[0].choices[0].item
        found["Panic" if orders.panics("1st Line", throw) else row] += 1
    assert found == expected


@pytest.mark.rule("S6.21")
def test_better_classes_panic_less() -> None:
    chances = [
        Fraction(sum(orders.panics(name, throw) for throw in THROWS), 36)
        for name in ("Elite", "1st Line", "2nd Line", "Conscript")
    ]
    assert chances == [Fraction(2, 36), Fraction(4, 36), Fraction(5, 36), Fraction(6, 36)]


@pytest.mark.rule("S2.11")
def test_events_come_in_8_to_31_of_100_turns() -> None:
    shares = [sum(events.occurs(pair, sum(throw)) for throw in THROWS) for pair in general.event_numbers()]
    assert shares == [3, 5, 7, 9, 11]


@pytest.mark.rule("S2.4")
@pytest.mark.rule("S2.5")
def test_re_numbers_stay_on_their_track() -> None:
    assert shift("6/7", 1) == "6/7"
    assert shift("2/3", -1) == "2/3"
    assert shift("3/4", 1) == "4/5"


# -- set-up -------------------------------------------------------------------------------------------


@pytest.mark.rule("S12")
@pytest.mark.parametrize("number", sorted(missions.MISSIONS))
def test_every_mission_sets_up(number: int) -> None:
    match = sandtable.new(f"sasl/{number}", seed=5)
    state = match.state
    base = rolled_in(state)
    assert match.to_act == (FRIENDLY,)
    assert len(base.boards) == missions.MISSIONS[number].boards
    assert ROSTER.of(state).placed or ROSTER.of(state).pool
    assert match.view(FRIENDLY)["panels"]
    if number in (5, 8):
        road = network(setting_of(state))
        assert ROSTER.of(state).road == len(road) > 10


@pytest.mark.rule("S16.2")
def test_command_numbers() -> None:
    state = sandtable.new("sasl/1", seed=5, options={"friendly": "G"}).state
    leader, squad = (Unit("x", FRIENDLY, f"german {name}", group="company") for name in ("9-1", "4-6-7"))
    assert command.command_number(state, leader) == 10
    assert command.command_number(state, squad) == 7


# -- Guns ---------------------------------------------------------------------------------------------


def test_every_gun_of_the_tables_can_be_fired() -> None:
    for (nation, name), gun in table_guns().items():
        if gun.type in ("AT", "ART", "AA", "MTR", "INF"):
            assert printed_weapon(f"{nation} {name}").gun
            line = chart_line(gun)
            assert line["FP"]
            if gun.type == "MTR":
                assert line["ATT 13-24"].startswith("7 ["), f"{name} reaches beyond 12 hexes"


def test_far_numbers_follow_the_printed_chart() -> None:
    guns = {(gun.caliber, gun.barrel): far_modifier(gun) for gun in table_guns().values()}
    assert guns[20, "L"] == -1
    assert guns[75, "L"] == 1


@pytest.mark.rule("S8")
@pytest.mark.parametrize(
    "name",
    [
        "A1",
        "A2b",
        "A3a",
        "A3f",
        "A4b",
        "A5",
        "A10b",
        "A11",
        "G9",
        "G1",
        "G3",
        "M1 ENEMY SAN",
        "M8 SAN of both sides",
        "A11-03",
        "UM9",
    ],
)
def test_a_decision_can_be_shown_on_its_table(name: str) -> None:
    found = GAME.table(name)
    assert found is not None
    assert all(len(row) == len(found["columns"]) for row in found["rows"])


def test_a_halt_is_shown_on_the_row_of_its_move_command() -> None:
    found = charts.chart("A4b 5")
    assert found is not None
    assert found["row"] == "5"
    assert found["rows"] == (charts.chart("A4b") or {})["rows"]


def test_only_a_mission_has_the_tables_of_a_mission() -> None:
    assert charts.chart("M1 ENEMY SAN") is not None
    assert charts.chart("X1 ENEMY SAN") is None


@pytest.mark.parametrize(("least", "far"), [(3, "7 [13-24]"), (24, "7 [24-24]"), (25, "-")])
def test_a_mortar_reaches_from_its_least_range(least: int, far: str) -> None:
    mortar = next(gun for gun in table_guns().values() if gun.type == "MTR")
    assert chart_line(replace(mortar, min_range=least))["ATT 13-24"] == far
