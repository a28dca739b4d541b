"""Watch on the Tiber and the End-Run (8.0)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from underbelly_story import do, legal, match_of, play, state_of

import sandtable
from sandtable.engine.errors import IllegalAction
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly.model import ALLIED_BOX, ARMY_BOX, END_RUN_BOX, GERMAN_BOX, EndRun, Opening, TurnStart
from sandtable.games.underbelly.watch import end_run_tally
from sandtable.games.underbelly.zones import UNITS

rule = pytest.mark.rule
SS = ("2SS-1SS", "2SS-2SS", "2SS-24Pz", "2SS-CS")
ARMY = tuple(u for u, kind in UNITS.items() if kind.group == "5pz")
WAVE = ("US-36", "US-45", "US-3", "US-34")


def starting(turn: int, *faces: int, scenario: str = "open", units: dict[str, str] | None = None, **fields: object):
    state = state_of(units or {"10-16Pz": "2421"}, scenario=scenario, turn=turn, **fields)
    state.stack = [TurnStart()]
    return match_of(state, *faces)


@rule("8.1")
@rule("8.2")
@pytest.mark.parametrize(("die", "scenario"), [(1, "historical"), (5, "historical"), (6, "wat"), (10, "wat")])
def test_a_die_decides_the_scenario_after_the_first_turn(die: int, scenario: str) -> None:
    assert starting(2, die).state.scenario == scenario


@rule("8.1")
@pytest.mark.parametrize("agreed", ["historical", "wat"])
def test_players_may_agree_upon_a_scenario(agreed: str) -> None:
    assert starting(2, agreed=agreed).state.scenario == agreed


@rule("8.3")
def test_historical_puts_away_the_reserves_and_the_52nd() -> None:
    state = starting(2, 1).state
    assert {state.at[u] for u in (*SS, *ARMY, "BR-52")} == {"gone"}
    assert state.at["10-24Pz"] == "aside"


@rule("8.4")
def test_watch_on_the_tiber_puts_away_the_24th_of_10th_army() -> None:
    state = starting(2, 10).state
    assert state.at["10-24Pz"] == "gone"
    assert state.at["2SS-24Pz"] == "aside"


@rule("8.5")
@pytest.mark.parametrize(
    ("turn", "die", "there"), [(3, 4, True), (3, 5, False), (4, 8, True), (4, 9, False), (5, None, True)]
)
def test_the_ss_corps_comes_by_die_and_surely_on_turn_five(turn: int, die: int | None, there: bool) -> None:
    match = starting(turn, *([die] if die else []), scenario="wat")
    assert ({match.state.at[u] for u in SS} == {GERMAN_BOX}) == there


@rule("8.6")
def test_the_ss_corps_must_enter_first_and_as_one_stack() -> None:
    box = dict.fromkeys(SS, GERMAN_BOX)
    match = play({**box, "10-16Pz": "2421"}, scenario="wat", ss="box")
    assert {type(action) for action in match.actions("german")} == {a.Enter}
    do(match, a.Enter(GERMAN_BOX), a.Begin())
    assert not legal(match, a.Halt)
    assert not legal(match, a.Leave)
    do(match, a.Go("1016"))
    assert {match.state.at[u] for u in SS} == {"1016"}
    do(match, a.Halt())
    assert match.state.ss == "in"
    assert legal(match, a.EndPhase)


@rule("8.6")
@rule("8.8")
@pytest.mark.parametrize(
    ("box", "fields", "may"),
    [
        (GERMAN_BOX, {"ss": "box", "cp": 3}, True),
        (GERMAN_BOX, {"ss": "box", "cp": 2}, False),
        (GERMAN_BOX, {"ss": "box", "cp": 3, "special": True}, False),
        (ARMY_BOX, {"ss": "in", "army": "box", "cp": 6}, True),
        (ARMY_BOX, {"ss": "in", "army": "box", "cp": 5}, False),
    ],
)
def test_a_forced_commitment_by_move_fight_leaves_points_for_the_other_stacks(
    box: str, fields: dict[str, object], may: bool
) -> None:
    """A move-fight costs three points, and each of the three other stacks of 5th Panzer Army one."""
    units = dict.fromkeys(SS if box == GERMAN_BOX else ARMY, box)
    match = play(units, scenario="wat", **fields)
    assert (a.Enter(box, "move-fight") in match.actions("german")) is may
    assert a.Enter(box) in match.actions("german")


@rule("8.6")
def test_a_corps_that_cannot_enter_forfeits_the_game() -> None:
    wall = {u: f"10{n}" for u, n in zip((u for u in UNITS if UNITS[u].side == "allied"), range(15, 31), strict=False)}
    match = play({**dict.fromkeys(SS, GERMAN_BOX), **wall}, scenario="wat", ss="box")
    do(match, a.Enter(GERMAN_BOX), a.Begin())
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.rule) == ("allied", "8.6")


@rule("8.7")
@pytest.mark.parametrize(("turn", "die", "number"), [(6, 10, 5), (6, 1, 0), (9, 7, 3), (11, 4, 2), (7, None, 0)])
def test_half_a_die_of_units_assembles(turn: int, die: int | None, number: int) -> None:
    match = starting(turn, *([die] if die else []), scenario="wat", ss="in")
    assert match.state.assembled == number
    assert sum(at == ARMY_BOX for at in match.state.at.values()) == number


@rule("8.7")
def test_the_aircraft_is_the_fifteenth_unit() -> None:
    match = starting(12, 10, scenario="wat", ss="in", assembled=13, units=dict.fromkeys(ARMY[:13], ARMY_BOX))
    assert match.state.assembled == 15
    assert match.state.army == "box"


@rule("8.8")
def test_the_whole_army_must_enter_first() -> None:
    match = play(dict.fromkeys(ARMY, ARMY_BOX), scenario="wat", army="box", ss="in")
    entered = 0
    for hexes in (("1016",), ("1017",), ("1026",), ("1028",)):
        do(match, a.Enter(ARMY_BOX))
        while found := legal(match, a.Add):
            do(match, found[0])
        do(match, a.Begin(), a.Go(hexes[0]), a.Halt())
        entered += 1
    assert match.state.army == "in"
    assert match.state.cp == 6 - entered
    assert not [u for u in ARMY if match.state.at[u] == ARMY_BOX]


@rule("8.8")
def test_small_stacks_that_would_leave_somebody_behind_cannot_begin() -> None:
    match = play(dict.fromkeys(ARMY, ARMY_BOX), scenario="wat", army="box", ss="in", cp=4)
    do(match, a.Enter(ARMY_BOX), a.Add(ARMY[0]))
    assert not legal(match, a.Begin)


@rule("8.9")
@rule("8.10")
def test_the_plot_is_written_in_secret_on_turn_two() -> None:
    match = starting(2, 10)
    assert match.to_act == ("allied",)
    assert [action.turn for action in legal(match, a.Plot)] == [0, *range(13, 23)]
    do(match, a.Plot(15))
    assert match.view("allied")["extra"]["plot"] == 15
    assert "plot" not in match.view("german")["extra"]
    heard = [event for _, event in match.events("german") if type(event).__name__ == "Plotted"]
    assert [event.turn for event in heard] == [-1]


@rule("8.10")
def test_no_plot_in_the_historical_scenario() -> None:
    assert not legal(starting(2, 1), a.Plot)


def opening(turn: int, plot: int, units: dict[str, str]) -> sandtable.Match:
    state = state_of(units, scenario="wat", turn=turn, side="allied", end_run=EndRun(plotted=True, turn=plot))
    state.stack = [Opening()]
    return match_of(state)


@rule("8.11")
@rule("8.12")
def test_the_plot_is_launched_on_its_turn_or_never() -> None:
    units = {**dict.fromkeys(WAVE, ALLIED_BOX), "US-VI": ALLIED_BOX}
    assert legal(opening(15, 15, units), a.LaunchEndRun)
    assert not legal(opening(16, 15, units), a.LaunchEndRun)
    assert not legal(opening(15, 0, units), a.LaunchEndRun)
    match = opening(15, 15, units)
    do(match, a.ActivateTac())  # going on without it cancels it for good
    assert not legal(match, a.LaunchEndRun)


@rule("8.13")
def test_launching_takes_four_divisions_one_support_and_three_points() -> None:
    units = {
        **dict.fromkeys(WAVE[:2], ALLIED_BOX),
        **dict.fromkeys(WAVE[2:], "2822"),
        "US-VI": ALLIED_BOX,
        "BR-X": ALLIED_BOX,
        "BR-5": "3010",
    }
    match = opening(15, 15, units)
    do(match, a.LaunchEndRun())
    assert a.Add("BR-5") not in match.actions("allied")  # neither in a port nor in the box
    do(match, *(a.Add(u) for u in WAVE), a.Add("US-VI"))
    assert a.Add("BR-X") not in match.actions("allied")  # one corps support unit is enough
    do(match, a.Begin())
    assert {match.state.at[u] for u in (*WAVE, "US-VI")} == {END_RUN_BOX}
    assert match.state.cp == 4
    assert match.state.tac_on
    assert match.view("german")["extra"]["cp"] == 4
    assert {"US-36", "US-VI"} <= {piece["id"] for piece in match.view("german")["pieces"]}


@rule("8.13")
def test_a_port_in_a_german_zone_sends_nobody() -> None:
    units = {**dict.fromkeys(WAVE, "2822"), "US-VI": ALLIED_BOX, "10-16Pz": "2821"}
    units.pop("US-34")
    assert not legal(opening(15, 15, {**units, "US-34": ALLIED_BOX}), a.LaunchEndRun)


LAUNCHED = EndRun(plotted=True, turn=13, launched=13)
IN_BOX = {**dict.fromkeys(WAVE, END_RUN_BOX), "US-VI": END_RUN_BOX}


@rule("8.14")
@rule("9.10")
def test_after_the_launch_tac_is_compulsory() -> None:
    for run, free in ((EndRun(), True), (LAUNCHED, False)):
        state = state_of(IN_BOX, scenario="wat", turn=14, side="allied", end_run=run)
        state.stack = [Opening()]
        match = match_of(state)
        assert bool(legal(match, a.DeclineTac)) is free
        assert legal(match, a.ActivateTac)


@rule("8.15")
def test_two_more_divisions_may_follow() -> None:
    units = {**IN_BOX, "US-1A": ALLIED_BOX, "BR-5": "2822", "BR-56": "2822", "BR-46": "3010"}
    match = play(units, scenario="wat", turn=14, side="allied", end_run=LAUNCHED)
    sent = legal(match, a.SendEndRun)
    assert a.SendEndRun(("BR-5", "BR-56")) in sent or a.SendEndRun(("BR-56", "BR-5")) in sent
    assert a.SendEndRun(("BR-46",)) not in sent
    do(match, a.SendEndRun(("US-1A",)), a.SendEndRun(("BR-5",)))
    assert not legal(match, a.SendEndRun)
    assert match.state.cp == 5


@rule("8.15")
def test_reduced_divisions_are_not_sent() -> None:
    match = play({**IN_BOX, "US-1A": ALLIED_BOX}, scenario="wat", turn=14, side="allied", end_run=LAUNCHED)
    match.state.steps["US-1A"] = 1
    assert not legal(match_of(match.state), a.SendEndRun)


@rule("8.16")
def test_tenth_army_may_march_off_to_meet_it() -> None:
    match = play({**IN_BOX, "10-16Pz": "1016", "2SS-1SS": "1028"}, scenario="wat", turn=14, end_run=LAUNCHED, ss="in")
    do(match, a.Move("1016"), a.Exit())
    assert match.state.at["10-16Pz"] == END_RUN_BOX
    do(match, a.Move("1028"))
    assert not legal(match, a.Exit)


@rule("8.16")
def test_units_in_the_box_march_from_box_to_box() -> None:
    match = play({**IN_BOX, "10-65": GERMAN_BOX}, scenario="wat", turn=14, end_run=LAUNCHED)
    do(match, a.Enter(GERMAN_BOX, "end-run"), a.Add("10-65"), a.Begin())
    assert match.state.at["10-65"] == END_RUN_BOX
    assert match.state.cp == 5


@rule("8.17")
def test_the_table_must_be_consulted_and_costs_two_points_from_the_second_time_on() -> None:
    match = play({**IN_BOX, "10-16Pz": END_RUN_BOX}, 5, scenario="wat", turn=14, side="allied", end_run=LAUNCHED)
    assert not legal(match, a.EndPhase)
    do(match, a.ConsultEndRun())
    assert match.state.cp == 7
    assert legal(match, a.EndPhase)
    later = replace(LAUNCHED, consulted=14)
    again = play({**IN_BOX, "10-16Pz": END_RUN_BOX}, 5, scenario="wat", turn=15, side="allied", end_run=later)
    do(again, a.ConsultEndRun())
    assert again.state.cp == 5


@rule("8.17")
@pytest.mark.parametrize(
    ("germans", "die", "winner"),
    [(0, 9, "allied"), (0, 8, None), (0, 1, None), (1, 2, "german"), (1, 3, None), (1, 10, None)],
)
def test_results_of_the_table(germans: int, die: int, winner: str | None) -> None:
    """Without Germans up north the die counts one more, with two German steps one less."""
    at = END_RUN_BOX if germans else "2421"
    match = play({**IN_BOX, "10-16Pz": at}, die, scenario="wat", turn=14, side="allied", end_run=LAUNCHED)
    assert end_run_tally(match.state).total == (-1 if germans else 1)
    do(match, a.ConsultEndRun())
    assert (match.outcome.winner if match.outcome else None) == winner


@rule("8.17")
def test_points_for_the_table_are_kept_back() -> None:
    later = replace(LAUNCHED, consulted=14)
    match = play(
        {**IN_BOX, "US-1A": "3010"}, scenario="wat", turn=15, side="allied", end_run=later, cp=2, ports={"3306": "us"}
    )
    assert not legal(match, a.Move)
    with pytest.raises(IllegalAction):
        match.apply("allied", a.Move("3010"))


@rule("8.18")
@pytest.mark.parametrize(("die", "steps"), [(9, 4), (10, 8)])
def test_partial_success_makes_the_germans_withdraw_steps(die: int, steps: int) -> None:
    match = play({**IN_BOX, "10-16Pz": END_RUN_BOX}, die, scenario="wat", turn=14, side="allied", end_run=LAUNCHED)
    do(match, a.ConsultEndRun())
    assert match.state.end_run.over
    assert match.state.end_run.demanded == steps
    assert match.state.end_run.deadline == 15


@rule("8.18")
def test_steps_leave_by_the_north_edge_or_the_game_is_lost() -> None:
    run = replace(LAUNCHED, consulted=14, over=True, demanded=2, deadline=15)
    units = {"10-16Pz": "1016", "10-26Pz": "1017"}
    match = play(units, scenario="wat", turn=15, end_run=run, ss="in", army="in")
    do(match, a.Move("1016"), a.Exit(), a.EndPhase())
    assert match.outcome is None
    assert match.state.at["10-16Pz"] == "gone"
    late = play(units, scenario="wat", turn=15, end_run=run)
    do(late, a.EndPhase())
    assert late.outcome is not None
    assert (late.outcome.winner, late.outcome.rule) == ("allied", "8.18")


@rule("8.17")
@pytest.mark.parametrize(
    ("more", "fields", "total"),
    [
        ({}, {}, 1),
        ({"US-1A": END_RUN_BOX}, {}, 2),
        ({"US-1A": END_RUN_BOX, "BR-56": END_RUN_BOX, "BR-5": END_RUN_BOX}, {}, 3),
        ({"US-VI": END_RUN_BOX}, {}, 1),
        ({"10-16Pz": END_RUN_BOX, "10-26Pz": END_RUN_BOX}, {}, -2),
        ({}, {"turn": 18}, 0),
        ({}, {"turn": 17}, 1),
    ],
    ids=["the first wave", "a fifth division", "two at most", "corps support", "four German steps", "winter", "autumn"],
)
def test_what_modifies_the_end_run_table(more: dict[str, str], fields: dict[str, int], total: int) -> None:
    units = {**dict.fromkeys(WAVE, END_RUN_BOX), "10-29PG": "2421", **more}
    state = state_of(units, **{"scenario": "wat", "turn": 14, "end_run": LAUNCHED, **fields})
    assert end_run_tally(state).total == total
