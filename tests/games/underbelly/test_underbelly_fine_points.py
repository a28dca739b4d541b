"""Fine points of the rules that ordinary play meets seldom."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace
from underbelly_story import do, goals, legal, match_of, play, state_of

import sandtable
from sandtable.engine import Outcome
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly.airpower import tac_units
from sandtable.games.underbelly.atlas import ADJACENT, INDEX, NAMES
from sandtable.games.underbelly.model import (
    ALLIED_BOX,
    ARMY_BOX,
    END_RUN_BOX,
    GERMAN_BOX,
    EndRun,
    Opening,
)
from sandtable.games.underbelly.reach import reach
from sandtable.games.underbelly.supply import supply_line, supply_state
from sandtable.games.underbelly.zones import UNITS, control_changes

rule = pytest.mark.rule
SS = ("2SS-1SS", "2SS-2SS", "2SS-24Pz", "2SS-CS")
ARMY = tuple(u for u, kind in UNITS.items() if kind.group == "5pz")
WAVE = ("US-36", "US-45", "US-3", "US-34")
LAUNCHED = EndRun(plotted=True, turn=13, launched=13)
IN_BOX = {**dict.fromkeys(WAVE, END_RUN_BOX), "US-VI": END_RUN_BOX}


@rule("7.7")
def test_a_town_is_lost_at_the_step_that_uncovers_it() -> None:
    """The first hex of the way still touches Naples, a later one does not."""
    state = state_of({"US-3": "2521", "10-16Pz": "2523"}, side="allied", switched=5)
    state.control["2522"] = "allied"
    match = match_of(state)
    do(match, a.Move("2521"), a.Go("2223"))
    assert match.state.control["2522"] == "german"
    assert control_changes(match.state) == []


@rule("12.9")
@rule("8.15")
def test_a_division_sent_north_does_not_drop_any_more() -> None:
    units = {**IN_BOX, "US-82A": ALLIED_BOX}
    match = play(units, 5, scenario="wat", turn=14, side="allied", end_run=LAUNCHED, tac_on=True, airborne="ready")
    do(match, a.SendEndRun(("US-82A",)))
    assert not legal(match, a.Drop)
    rows = {row["label"]: row.get("value") for panel in match.view("german")["panels"] for row in panel["rows"]}
    assert rows["82nd Airborne"] == "with the End-Run"
    do(match, a.ConsultEndRun(), a.EndPhase())
    assert match.to_act == ("german",)


@rule("11.2")
@rule("9.7")
def test_supply_found_at_the_command_lasts_through_a_fight_move() -> None:
    """The advance leads into a pocket; the force that began in supply still moves at its full rate."""
    units = {"10-16Pz": "2515", "10-29PG": "2515", "US-VI": "2416", "US-34": "2415", "US-45": "2417"}
    match = play(units, 10, 1, 1, 1, 1, ports={"3306": "us"})
    do(match, a.FightMove("2515", "2416"), a.Resolve())
    while shots := legal(match, a.Shoot):
        do(match, shots[0])
    do(match, a.Advance(("10-16Pz", "10-29PG")))
    assert supply_state(match.state, "10-16Pz") == "oos"
    assert match.state.stack[-1].left == (8, 8)


@rule("10.3")
@rule("12.6")
def test_everybody_pays_half_of_his_own_factor_to_come_ashore() -> None:
    """On turn 4 the mixed stack has 7 and, hesitating, 3; half is left to each."""
    units = {"US-45": ALLIED_BOX, "BR-7A": ALLIED_BOX}
    match = play(units, side="allied", turn=4)
    do(match, a.Enter(ALLIED_BOX), a.Add("US-45"), a.Add("BR-7A"), a.Begin())
    assert match.state.stack[-1].left == (7, 3)
    do(match, a.Go("4108"))
    assert match.state.stack[-1].left == (3, 1)


@rule("9.10")
@pytest.mark.parametrize(("ruling", "allied_phase"), [("turn", 1), ("entry", 0)])
def test_german_tac_flies_in_the_turn_in_which_5th_panzer_army_enters(ruling: str, allied_phase: int) -> None:
    units = {**dict.fromkeys(ARMY, ARMY_BOX), "US-36": "2921"}
    options = {"german_tac": ruling}
    state = state_of(units, scenario="wat", side="allied", turn=15, ss="in", army="box", options=options)
    state.stack = [Opening()]
    match = match_of(state)
    do(match, a.DeclineTac())
    assert match.state.german_tac == allied_phase
    do(match, a.EndPhase())
    assert match.state.side == "german"
    assert match.state.german_tac == 1


@rule("9.10")
def test_no_german_tac_against_active_allied_tac_in_the_turn_of_entry() -> None:
    state = state_of(dict.fromkeys(ARMY, ARMY_BOX), scenario="wat", side="allied", turn=15, ss="in", army="box")
    state.stack = [Opening()]
    match = match_of(state)
    do(match, a.ActivateTac(), a.EndPhase())
    assert match.state.german_tac == 0


@rule("9.17")
def test_only_a_division_on_the_map_moves_after_its_replacement() -> None:
    match = play({"10-16Pz": GERMAN_BOX, "10-65": "1016"})
    match.state.steps.update({"10-16Pz": 1, "10-65": 1})
    match = match_of(match.state)
    do(match, a.Replenish("10-16Pz"), a.Replenish("10-65"))
    assert not legal(match, a.Enter)
    assert a.Move("1016") in match.actions("german")


@rule("9.17")
@rule("9.19")
def test_a_division_may_be_replenished_after_its_regular_move_too() -> None:
    match = play({"10-16Pz": "2510", "10-26Pz": "2608", "US-36": "2708"}, ports={"3306": "us"})
    match.state.steps.update({"10-16Pz": 1, "10-26Pz": 1})
    match = match_of(match.state)
    do(match, a.Move("2510"), a.Go("2511"), a.Halt())
    assert a.Replenish("10-16Pz") in match.actions("german")
    do(match, a.Replenish("10-16Pz"))
    assert match.state.steps["10-16Pz"] == 2
    assert a.Move("2511") not in match.actions("german")


@rule("5.5")
def test_us_units_of_a_mixed_stack_may_march_in_column_without_the_british() -> None:
    match = play({"US-36": "2921", "BR-56": "2921"}, side="allied", turn=3)
    do(match, a.Move("2921", column=True))
    assert match.state.stack[-1].group == ("US-36",)
    assert match.state.stack[-1].left == (16,)
    do(match, a.Halt())
    assert not legal(match, a.Move)  # the command was given to the whole stack
    alone = play({"BR-56": "2921"}, side="allied", turn=3)
    assert a.Move("2921", column=True) not in alone.actions("allied")


@rule("12.10")
@rule("9.6")
@rule("9.7")
def test_neither_move_fight_nor_fight_move_leads_over_a_blocked_hexside() -> None:
    match = play({"10-1P": "1123", "US-36": "1223"})
    assert a.Attack("1123", "1223") in match.actions("german")
    assert a.FightMove("1123", "1223") not in match.actions("german")
    apart = play({"10-1P": "1123", "US-VI": "1223"}, ports={"3306": "us"})
    do(apart, a.MoveFight("1123"), a.Halt())
    assert not legal(apart, a.Assault)


@rule("9.8")
def test_no_fort_is_built_under_an_allied_port_marker() -> None:
    match = play({"10-16Pz": "2421"}, turn=9)
    do(match, a.BuildFort())
    sites = {action.at for action in legal(match, a.Site)}
    assert not sites & set(match.state.ports)


@rule("11.4")
@pytest.mark.parametrize(("ruling", "supplied"), [("open", "supplied"), ("closed", "oos")])
def test_whether_a_lone_port_marker_stops_a_german_supply_line_is_a_match_option(ruling: str, supplied: str) -> None:
    """Markers all around a division; the free way north leads through one of them."""
    around = [NAMES[h] for h in ADJACENT[INDEX["1217"]]]
    match = play({"10-16Pz": "1217"}, options={"port_lines": ruling}, ports=dict.fromkeys(around, "us"))
    assert supply_state(match.state, "10-16Pz") == supplied
    assert bool(supply_line(match.state, "10-16Pz")) == (supplied == "supplied")


@rule("8.11")
@rule("8.12")
@pytest.mark.parametrize(("turn", "words"), [(0, "no End-Run"), (15, "turn 15, not launched")])
def test_the_plot_is_laid_open_when_the_game_is_over(turn: int, words: str) -> None:
    run = EndRun(plotted=True, turn=turn)
    state = state_of({"10-16Pz": "2421"}, scenario="wat", turn=23, end_run=run)
    for viewer in ("german", None):
        assert not [row for row in _watch_rows(match_of(state).view(viewer)) if row["label"] == "Plot"]
    state.outcome = Outcome("", "over", "4.2")
    for viewer in ("german", "allied", None):
        view = match_of(state).view(viewer)
        assert [row["value"] for row in _watch_rows(view) if row["label"] == "Plot"] == [words]
        assert view["extra"]["plot"] == turn


def _watch_rows(view: dict) -> list[dict]:
    (panel,) = [panel for panel in view["panels"] if panel["id"] == "watch"]
    return panel["rows"]


@rule("8.18")
def test_a_demand_of_the_last_turn_is_due_in_it() -> None:
    run = replace(LAUNCHED, turn=22, launched=22)
    units = {**IN_BOX, "10-16Pz": END_RUN_BOX, "10-26Pz": "2421", "US-1A": "2822"}
    late = play(units, 10, scenario="wat", turn=23, side="allied", end_run=run)
    do(late, a.ConsultEndRun())
    assert late.state.end_run.deadline == 23
    do(late, a.EndPhase(), a.EndPhase())
    assert late.outcome is not None
    assert (late.outcome.winner, late.outcome.rule) == ("allied", "8.18")


@rule("12.4")
def test_those_who_have_points_left_go_on_when_others_are_spent() -> None:
    match = play({"10-16Pz": "2608", "10-65": "2608"})
    do(match, a.Move("2608"))
    far = [h for h in goals(match) if _left_after(match, h) == (4, 0)]
    do(match, a.Go(far[0]))
    frame = match.state.stack[-1]
    assert (frame.group, frame.left) == (("10-16Pz",), (4,))
    assert match.state.at["10-65"] == far[0]


def _left_after(match, to: str) -> tuple[int, ...]:
    costs = reach(match.state, match.state.stack[-1]).cost(INDEX[to])
    return 8 - costs["mech"], 4 - costs["nonmech"]


@rule("11.12")
def test_the_advance_into_an_overrun_port_is_automatic() -> None:
    match = play({"10-16Pz": "4107", "10-26Pz": "4107"}, scenario="wat", switched=9)
    match.state.control["2522"] = "allied"
    match = match_of(match.state)
    do(match, a.Attack("4107", "4108"), a.Resolve())
    assert a.Advance(()) not in match.actions("german")
    assert len(legal(match, a.Advance)) == 3


@rule("8.13")
@rule("9.9")
@pytest.mark.parametrize(("ruling", "units"), [("besides", (1, 2, 2)), ("included", (0, 1, 2))])
def test_the_aircraft_of_the_end_run_and_those_on_the_map(ruling: str, units: tuple[int, ...]) -> None:
    found = []
    for bases in ((), ("2522",), ("2522", "2608")):
        state = state_of(IN_BOX, scenario="wat", turn=14, end_run=LAUNCHED, options={"end_run_tac": ruling})
        state.control.update({"2522": "german", "2608": "german"})
        state.control.update(dict.fromkeys(bases, "allied"))
        found.append(tac_units(state))
    assert tuple(found) == units


@rule("8.6")
def test_a_column_is_not_offered_to_a_forced_corps_that_could_not_enter_by_it() -> None:
    """Every hex of the north edge lies in an Allied zone: only a plain move or move-fight is left."""
    allies = [u for u, kind in UNITS.items() if kind.side == "allied" and kind.division]
    wall = dict(zip(allies, [f"11{n}" for n in range(14, 31)], strict=False))
    match = play({**dict.fromkeys(SS, GERMAN_BOX), **wall}, scenario="wat", ss="box")
    assert a.Enter(GERMAN_BOX) in match.actions("german")
    assert a.Enter(GERMAN_BOX, "column") not in match.actions("german")


@rule("8.15")
def test_a_reinforcement_of_this_turn_does_not_sail_at_once() -> None:
    """Those who follow must have begun the player turn in the box or a port; the 1st Armored comes on turn 17."""
    units = {**IN_BOX, "US-1A": ALLIED_BOX}
    for turn, offered in ((17, False), (18, True)):
        match = play(units, scenario="wat", turn=turn, side="allied", end_run=LAUNCHED)
        assert bool(legal(match, a.SendEndRun)) == offered


@rule("7.7")
@pytest.mark.parametrize(("scenario", "seed"), [("historical", 3), ("wat", 4)])
def test_control_never_waits_to_be_settled(scenario: str, seed: int) -> None:
    match = sandtable.new(f"underbelly/{scenario}", seed=seed)
    source = random.Random(seed)
    while match.to_act:
        if match.state.battle is None:  # the dead of a battle leave the map at its end
            assert control_changes(match.state) == [], match.state.stack[-1]
        (side,) = match.to_act
        match.apply(side, source.choice(match.actions(side).all))
