"""How to win (4.0)."""

from __future__ import annotations

import pytest
from underbelly_story import do, legal, match_of, play, state_of

from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly.model import TurnEnd
from sandtable.games.underbelly.victory import line_of_communications

rule = pytest.mark.rule


@rule("4.1")
@rule("4.2")
@pytest.mark.parametrize("scenario", ["historical", "wat"])
@pytest.mark.parametrize("target", ["2822", "2921"])
def test_germans_win_at_once_by_taking_salerno_or_paestum_before_the_switch(scenario: str, target: str) -> None:
    match = play({"10-16Pz": "2821"}, scenario=scenario)
    do(match, a.Move("2821"), a.Go(target))
    assert match.outcome is not None
    assert match.outcome.winner == "german"


@rule("4.1")
def test_after_the_switch_salerno_is_only_a_town() -> None:
    match = play({"10-16Pz": "2821"}, switched=5, ports={"2522": "us"}, sf=False)
    do(match, a.Move("2821"), a.Go("2822"))
    assert match.outcome is None
    assert match.state.control["2822"] == "german"


@rule("4.1")
def test_allies_win_by_holding_every_town() -> None:
    state = state_of({"US-36": "2708", "US-45": "3010"}, side="allied")
    for at in state.control:
        state.control[at] = "german" if at == "2608" else "allied"
    state.at["US-36"] = "2709"
    match = match_of(state)
    do(match, a.Move("2709"), a.Go("2708"))
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.rule) == ("allied", "4.1")


@rule("4.1")
def test_an_allied_unit_exits_for_one_point_but_not_in_column() -> None:
    match = play({"US-36": "1016"}, side="allied", ports={"1015": "us"})
    do(match, a.Move("1016", column=True))
    assert not legal(match, a.Exit)
    again = play({"US-36": "1016"}, side="allied")
    do(again, a.Move("1016"), a.Exit())
    assert again.outcome is not None
    assert again.outcome.winner == "allied"


@rule("4.1")
def test_a_supplied_german_garrison_survives_the_last_supply_check() -> None:
    state = state_of({"10-16Pz": "4203"}, turn=23, switched=9)
    state.stack = [TurnEnd(1)]
    match = match_of(state)
    assert match.outcome is not None
    assert match.outcome.winner == "german"
    assert match.state.at["10-16Pz"] == "4203"


@rule("4.1")
def test_an_unsupplied_garrison_does_not_save_the_germans() -> None:
    ring = {"10-16Pz": "4603", "US-36": "4503", "US-45": "4504", "US-3": "4703", "US-34": "4704"}
    state = state_of(ring, turn=23, switched=9)
    for at in state.control:
        state.control[at] = "german" if at == "4603" else "allied"
    state.stack = [TurnEnd(1)]
    match = match_of(state)
    assert match.outcome is not None
    assert match.outcome.winner == "allied"
    assert match.state.at["10-16Pz"] == "gone"


@rule("4.1")
@rule("11.9")
@pytest.mark.parametrize(("option", "winner"), [("both", "german"), ("historical", None)])
def test_no_switch_by_the_end_of_turn_20_loses(option: str, winner: str | None) -> None:
    for scenario in ("historical", "wat"):
        state = state_of({"10-16Pz": "2421"}, turn=20, scenario=scenario, options={"switch_deadline": option})
        state.stack = [TurnEnd()]
        match = match_of(state, *[9] * 3)
        expected = "german" if scenario == "historical" else winner
        assert (match.outcome.winner if match.outcome else None) == expected


@rule("4.1")
def test_the_germans_win_the_historical_scenario_by_lasting() -> None:
    state = state_of({"10-16Pz": "1022"}, turn=23, switched=9)
    state.stack = [TurnEnd(1)]
    outcome = match_of(state).outcome
    assert outcome is not None
    assert outcome.winner == "german"


@rule("4.2")
def test_naples_and_taranto_win_watch_on_the_tiber_for_the_germans_at_once() -> None:
    match = play({"10-16Pz": "4009"}, scenario="wat", ports={}, switched=9)
    match.state.control["4108"] = "allied"
    do(match, a.Move("4009"), a.Go("4108"))
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.rule) == ("german", "4.2")


@rule("4.2")
@rule("4.3")
@pytest.mark.parametrize(
    ("germans", "winner"),
    [({}, "allied"), ({"10-16Pz": "4009", "10-26Pz": "4107"}, "")],
)
def test_a_line_of_communications_decides_at_the_end(germans: dict[str, str], winner: str) -> None:
    state = state_of({"US-36": "2522", "BR-1P": "4108", **germans}, scenario="wat", turn=23, switched=9)
    state.control["2522"] = state.control["4108"] = "allied"
    state.stack = [TurnEnd(1)]
    outcome = match_of(state).outcome
    assert outcome is not None
    assert outcome.winner == winner


@rule("4.2")
def test_otherwise_watch_on_the_tiber_is_a_draw() -> None:
    state = state_of({"10-16Pz": "2522"}, scenario="wat", turn=23, switched=9)
    state.stack = [TurnEnd(1)]
    outcome = match_of(state).outcome
    assert outcome is not None
    assert outcome.winner == ""


@rule("4.3")
def test_allied_units_negate_german_zones_on_the_line() -> None:
    cut = {"US-36": "2522", "BR-1P": "4108", "10-16Pz": "4009", "10-26Pz": "4107"}
    assert not line_of_communications(state_of(cut, scenario="wat"))
    relieved = {**cut, "BR-78": "4008", "BR-5": "3908"}
    assert line_of_communications(state_of(relieved, scenario="wat"))


@rule("4.3")
def test_the_line_may_be_read_as_naples_to_salerno() -> None:
    cut = {"US-36": "2522", "BR-1P": "4108", "10-16Pz": "4009", "10-26Pz": "4107"}
    assert not line_of_communications(state_of(cut, scenario="wat"))
    assert line_of_communications(state_of(cut, scenario="wat", options={"loc": "salerno"}))
