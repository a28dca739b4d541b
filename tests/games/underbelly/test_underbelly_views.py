"""What the players see: where to look, what is asked, the log, the turn record."""

from __future__ import annotations

import pytest
from underbelly_story import do, legal, match_of, play, state_of

from sandtable.games.underbelly import GAME
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly.data import turn_record
from sandtable.games.underbelly.fog import hidden
from sandtable.games.underbelly.model import ALLIED_BOX, Opening
from sandtable.games.underbelly.wording import dates

rule = pytest.mark.rule


def heard(match, side: str | None) -> list[str]:
    return [GAME.words(event, match.state) for _, event in match.events(side)]


@rule("14.0")
@rule("3.5")
def test_the_turn_record_lists_all_turns_with_dates() -> None:
    panels = {panel["id"]: panel["rows"] for panel in play({"10-16Pz": "2421"}).view("german")["panels"]}
    record = panels["record"]
    assert len(record) == 23
    assert record[5]["label"] == "6: 19 to 21 Sep 1943 (now)"
    assert "3rd Infantry" in record[4]["value"]
    assert record[17]["value"].endswith("withdrawn: 7th Armoured")


def test_dates_name_the_month_once_if_it_stays() -> None:
    rows = turn_record()
    assert dates(rows[0]) == "9 to 10 Sep 1943"
    assert dates(rows[15]) == "28 Oct to 2 Nov 1943"


@rule("10.4")
def test_the_record_of_watch_on_the_tiber_has_its_own_arrivals_and_no_withdrawals() -> None:
    panels = {panel["id"]: panel["rows"] for panel in play({"10-16Pz": "2421"}, scenario="wat").view(None)["panels"]}
    assert "52nd (Lowland) Mountain" in panels["record"][11]["value"]
    assert "24th Panzer" not in panels["record"][8].get("value", "")
    assert not any("withdrawn" in row.get("value", "") for row in panels["record"])


@rule("13.2")
def test_the_battle_board_is_in_focus_while_shots_are_fired_and_the_hexes_afterwards() -> None:
    match = play({"10-16Pz": "2608", "US-VI": "2708"}, 10, 1, 1, ports={"3306": "us"})
    do(match, a.Attack("2608", "2708"))
    assert list(match.view("german")["focus"]) == ["2608", "2708"]
    assert not match.view("allied").get("focus")  # nothing has been declared yet
    do(match, a.Resolve())
    for side in ("german", "allied"):
        assert list(match.view(side)["focus"]) == ["battle-attacker", "battle-defender"]
    while shots := legal(match, a.Shoot):
        do(match, shots[0])
    assert list(match.view("german")["focus"]) == ["2608", "2708"]


@rule("9.4")
def test_a_box_in_which_a_stack_is_formed_is_in_focus_for_its_owner_only() -> None:
    match = play({"US-45": ALLIED_BOX}, side="allied")
    do(match, a.Enter(ALLIED_BOX))
    assert list(match.view("allied")["focus"]) == [ALLIED_BOX]
    assert not match.view("german").get("focus")


@rule("12.1")
def test_the_prompt_tells_the_points_left() -> None:
    match = play({"10-16Pz": "2608", "10-65": "2608"})
    do(match, a.Move("2608"))
    assert match.view("german")["prompt"] == "2 units, 4 to 8 MP left: move, leave units behind, or halt"
    do(match, a.Leave("10-65"))
    assert match.view("german")["prompt"] == "16th Panzer, 8 MP left: move, or halt"
    assert match.view("allied")["prompt"] == "The German player decides: CP Expenditure Phase"


@rule("12.1")
def test_every_hex_of_a_way_shows_what_it_has_cost_so_far() -> None:
    match = play({"10-16Pz": "2608"})
    do(match, a.Move("2608"))
    way = GAME.path(match.state, "german", ("10-16Pz",), "2510")
    assert way is not None
    assert [step.total for step in way.steps] == ["1 MP", "2 MP", "3 MP"]


@rule("6.9")
def test_a_unit_that_comes_ashore_on_top_is_named_in_its_move_and_cannot_be_taken_back() -> None:
    match = play({"US-45": ALLIED_BOX}, side="allied")
    do(match, a.Enter(ALLIED_BOX), a.Add("US-45"), a.Begin(), a.Go("4108"))
    assert heard(match, "german")[-1] == "45th Infantry: Allied Available Units to 4108 (Taranto)"
    assert match.why_no_undo("allied") is not None


@rule("6.9")
def test_a_unit_that_joins_a_stack_stays_hidden_from_the_german() -> None:
    match = play({"US-45": ALLIED_BOX, "BR-1P": "4108"}, side="allied")
    do(match, a.Enter(ALLIED_BOX), a.Add("US-45"), a.Begin(), a.Go("4108"), a.Halt())
    assert heard(match, "german")[-1] == "1 unit: Allied Available Units to 4108 (Taranto)"
    assert heard(match, "allied")[-1] == "In this stack: 45th Infantry"


@rule("4.3")
def test_no_line_of_communications_is_shown_while_a_city_is_german() -> None:
    match = play({"BR-1P": "4108"}, scenario="wat")
    rows = {row["label"]: row.get("value") for panel in match.view(None)["panels"] for row in panel["rows"]}
    assert (rows["Naples"], rows["Taranto"]) == ("German", "Allied")
    assert rows["Line of communications"] == "no"


@rule("13.2")
def test_everybody_is_back_in_his_hex_when_it_comes_to_the_advance() -> None:
    match = play({"10-16Pz": "2608", "US-VI": "2708"}, 10, 1, 1, ports={"3306": "us"})
    do(match, a.Attack("2608", "2708"), a.Resolve())
    places = {piece["id"]: piece["at"] for piece in match.view("german")["pieces"]}
    assert places["10-16Pz"] == "battle-attacker"
    while shots := legal(match, a.Shoot):
        do(match, shots[0])
    places = {piece["id"]: piece["at"] for piece in match.view("german")["pieces"]}
    assert places["10-16Pz"] == "2608"


@rule("9.9")
def test_doing_without_airpower_reads_as_such() -> None:
    match = play({"US-36": "2921"}, side="allied")
    match.state.stack = [Opening()]
    match = match_of(match.state)
    do(match, a.DeclineTac())
    assert heard(match, "german")[-1] == "The Allies do without tactical airpower"


@rule("6.9")
def test_german_units_are_never_hidden_and_allied_ones_only_under_their_top() -> None:
    state = state_of({"10-16Pz": "2608", "10-26Pz": "2608", "US-36": "2708", "US-45": "2708"})
    assert {unit for unit in ("10-16Pz", "10-26Pz", "US-36", "US-45") if hidden(state, unit)} == {
        unit for unit in ("US-36", "US-45") if unit != state.top["2708"]
    }
