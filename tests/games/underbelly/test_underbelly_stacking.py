"""Stacking and fog of war (6.0)."""

from __future__ import annotations

import random

import pytest
from underbelly_story import do, goals, legal, match_of, play, settle, state_of

from sandtable.games.underbelly import GAME
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly.model import ALLIED_BOX, EndRun, Opening, OverStacked
from sandtable.games.underbelly.stacking import may_end, mixed_penalty, within_limits
from sandtable.games.underbelly.zones import field

rule = pytest.mark.rule


@rule("6.3")
def test_three_divisions_and_one_corps_support() -> None:
    assert within_limits(["US-36", "US-45", "US-3", "US-VI"])
    assert not within_limits(["US-36", "US-45", "US-3", "US-34"])
    assert not within_limits(["US-36", "US-VI", "US-II"])


@rule("6.1")
def test_units_in_a_box_are_stacked_as_their_owner_likes() -> None:
    box = dict.fromkeys(("US-36", "US-45", "US-3", "US-34", "US-VI"), ALLIED_BOX)
    match = play(box, side="allied")
    do(match, a.Enter(ALLIED_BOX), a.Add("US-36"), a.Add("US-45"), a.Add("US-3"))
    assert legal(match, a.Add) == [a.Add("US-VI")]


@rule("6.2")
def test_a_full_hex_cannot_be_passed_through() -> None:
    corridor = {"US-36": "3010", "US-45": "3010", "US-3": "3010", "US-34": "3110"}
    match = play(corridor, side="allied")
    do(match, a.Move("3110"))
    assert "3010" not in goals(match)


@rule("6.4")
def test_a_mixed_stack_moves_one_less() -> None:
    match = play(
        {"US-36": "3010", "BR-5": "3010", "BR-56": "3011"}, side="allied", ports={"3306": "us", "2906": "british"}
    )
    do(match, a.Move("3010"))
    assert match.state.stack[-1].left == (7, 7)


@rule("6.4")
def test_a_mixed_stack_hits_less_in_attack_and_defence() -> None:
    units = {"US-36": "2708", "BR-5": "2708", "10-16Pz": "2608"}
    match = play(units, side="allied", ports={"2906": "us", "3306": "british"})
    do(match, a.Attack("2708", "2608"), a.Withhold("BR-5"))
    preview = match.preview("allied", a.Resolve())
    assert preview is not None
    assert ("mixed stack", -1, "6.4") in [tuple(_item(i)) for i in preview.tallies[0].items]
    defence = play(units, ports={"2906": "us", "3306": "british"})
    do(defence, a.Attack("2608", "2708"), a.Resolve())
    assert defence.state.battle.mixed == ("US-36", "BR-5")


def _item(item: object) -> tuple[object, ...]:
    return item.label, item.value, item.rule  # type: ignore[attr-defined]


@rule("6.5")
def test_ports_and_the_multi_national_corps_are_exempt() -> None:
    state = state_of({"US-36": "2822", "BR-56": "2822", "US-3": "3010", "BR-5": "3010"}, side="allied")
    now = field(state)
    assert not mixed_penalty(state, now, "2822")
    assert mixed_penalty(state, now, "3010")
    state.stack = [Opening()]
    match = match_of(state)
    do(match, a.DesignateCorps("3010"))
    assert not mixed_penalty(match.state, field(match.state), "3010")
    assert not legal(match, a.DesignateCorps)
    match.state.at.update({"US-34": "2421", "BR-46": "2421"})
    assert mixed_penalty(match.state, field(match.state), "2421"), "only the corps itself is exempt"


@rule("6.5")
@pytest.mark.parametrize(("option", "allowed"), [("forbidden", False), ("penalised", True)])
def test_both_groupings_attack_together_only_under_the_exceptions(option: str, allowed: bool) -> None:
    units = {"US-36": "2708", "BR-5": "2708", "10-16Pz": "2608"}
    match = play(units, side="allied", options={"mixed_attack": option})
    do(match, a.Attack("2708", "2608"))
    assert bool(legal(match, a.Resolve)) == allowed
    corps = play(units, side="allied", corps=("US-36", "BR-5"))
    do(corps, a.Attack("2708", "2608"))
    assert legal(corps, a.Resolve)


@rule("6.6")
def test_german_organisations_pass_but_do_not_stop_together() -> None:
    match = play({"10-16Pz": "2608", "2SS-1SS": "2708"}, scenario="wat")
    do(match, a.Move("2608"))
    reach = goals(match)
    assert "2708" not in reach
    assert "2809" in reach
    assert not may_end(field(match.state), "2708", ("10-16Pz",))


@rule("6.7")
def test_markers_take_no_room() -> None:
    state = state_of({"US-36": "2822", "US-45": "2822", "US-3": "2822", "US-VI": "2822"})
    assert "2822" in state.ports
    assert may_end(field(state), "2822", ())


@rule("6.8")
def test_the_owner_eliminates_as_few_units_as_needed() -> None:
    state = state_of(
        {"US-36": "3010", "US-45": "3010", "US-3": "3010", "US-34": "3010", "US-VI": "3010"}, side="allied"
    )
    state.stack.append(OverStacked("allied", "3010"))
    match = match_of(state)
    assert {action.unit for action in legal(match, a.Eliminate)} == {"US-36", "US-45", "US-3", "US-34"}
    do(match, a.Eliminate("US-36"))
    assert match.state.at["US-36"] in ("dead", "lost")
    assert not isinstance(match.state.stack[-1], OverStacked)


@rule("6.8")
def test_improper_german_stacks_lose_the_smaller_part() -> None:
    state = state_of({"10-16Pz": "2608", "10-26Pz": "2608", "2SS-1SS": "2608"}, scenario="wat")
    state.stack.append(OverStacked("german", "2608"))
    assert legal(match_of(state), a.Eliminate) == [a.Eliminate("2SS-1SS")]


@rule("6.9")
def test_the_german_sees_only_the_top_unit_and_nothing_in_the_box() -> None:
    match = play({"US-36": "2822", "US-45": "2822", "US-3": ALLIED_BOX, "10-16Pz": "2608"})
    mine = {piece["id"] for piece in match.view("allied")["pieces"]}
    seen = {piece["id"]: piece for piece in match.view("german")["pieces"]}
    assert {"US-36", "US-45", "US-3", "10-16Pz"} <= mine
    assert {"US-45", "US-3"}.isdisjoint(seen)
    assert seen["hidden-2822-1"]["at"] == "2822"
    assert "US-36" in seen
    assert match.view(None)["pieces"] == match.view("german")["pieces"]


@rule("6.9")
def test_an_attacked_stack_is_deployed_in_the_open() -> None:
    match = play({"US-36": "2708", "US-45": "2708", "10-16Pz": "2608"})
    events = do(match, a.Attack("2608", "2708"), a.Resolve())
    assert any(event.reveals for event in events)
    assert "US-45" in {piece["id"] for piece in match.view("german")["pieces"]}


@rule("6.9")
def test_the_owner_chooses_the_top_once_a_turn() -> None:
    match = play({"US-36": "2822", "US-45": "2822"}, side="allied")
    do(match, a.ShowTop("US-45"))
    assert match.state.top["2822"] == "US-45"
    assert not legal(match, a.ShowTop)


@rule("6.9")
def test_a_reshuffle_cannot_be_told_from_the_truth() -> None:
    state = state_of({"US-36": "2822", "US-45": "2822", "US-3": "2921", "US-34": "2921", "US-1A": ALLIED_BOX})
    source = random.Random(3)
    deals = [GAME.reshuffle(state.clone(), "german", source) for _ in range(12)]
    views = [GAME.view(deal, "german") for deal in deals if deal is not None]
    assert all(view == GAME.view(state, "german") for view in views)
    assert len({deal.at["US-45"] for deal in deals if deal is not None}) > 1
    assert GAME.reshuffle(state, "allied", source) is None


@rule("8.11")
@pytest.mark.parametrize("launched", [0, 15])
def test_a_reshuffle_deals_a_secret_plot_anew_and_leaves_a_launched_one(launched: int) -> None:
    run = EndRun(plotted=True, turn=15, launched=launched)
    state = state_of({"US-36": "2822"}, scenario="wat", turn=16, end_run=run)
    source = random.Random(3)
    deals = [GAME.reshuffle(state.clone(), "german", source) for _ in range(12)]
    turns = {deal.end_run.turn for deal in deals if deal is not None}
    assert turns == {15} if launched else len(turns) > 1


@rule("6.9")
def test_the_preview_of_an_attack_on_hidden_units_tells_no_odds() -> None:
    match = play({"US-36": "2708", "US-45": "2708", "10-16Pz": "2608"})
    do(match, a.Attack("2608", "2708"))
    preview = match.preview("german", a.Resolve())
    assert preview is not None
    assert preview.odds == ()


def test_settling_a_position_finds_tops() -> None:
    state = state_of({"US-36": "2822"})
    state.at["US-45"] = "2921"
    settle(state)
    assert state.top == {"2822": "US-36", "2921": "US-45"}
