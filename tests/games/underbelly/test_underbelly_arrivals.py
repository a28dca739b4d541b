"""Reinforcements and withdrawals (10.0)."""

from __future__ import annotations

import pytest
from underbelly_story import do, goals, legal, match_of, play, state_of

from sandtable.engine import Match
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly.model import ALLIED_BOX, GERMAN_BOX, Reinforcing, Substitution

rule = pytest.mark.rule


def arriving(turn: int, side: str, units: dict[str, str] | None = None, **fields: object) -> Match:
    state = state_of(units or {}, turn=turn, side="german" if side == "allied" else "allied", **fields)
    state.stack = [Reinforcing(side)]
    return match_of(state)


@rule("10.1")
@rule("10.3")
def test_allied_reinforcements_reach_their_box_for_nothing() -> None:
    match = arriving(7, "allied")
    assert {match.state.at[u] for u in ("US-34", "BR-78", "BR-8I")} == {ALLIED_BOX}
    assert match.state.cp == 7


@rule("10.2")
def test_german_reinforcements_enter_by_row_10() -> None:
    match = arriving(12, "german")
    assert match.state.at["10-65"] == GERMAN_BOX
    do(match, a.Enter(GERMAN_BOX), a.Add("10-65"), a.Begin())
    reach = goals(match)
    assert {"1015", "1016", "1030", "1022"} <= reach
    assert "1116" in reach  # the first hex costs its terrain, then the march goes on
    do(match, a.Go("1016"))
    assert match.state.stack[-1].left == (3,)


@rule("10.2")
def test_entering_an_enemy_zone_ends_the_move_and_an_occupied_hex_is_closed() -> None:
    match = play({"10-65": GERMAN_BOX, "US-36": "1016"})
    do(match, a.Enter(GERMAN_BOX), a.Add("10-65"), a.Begin())
    assert "1016" not in goals(match)
    do(match, a.Go("1017"))
    assert legal(match, a.EndPhase)


@rule("10.2")
def test_columns_and_move_fight_enter_too() -> None:
    match = play({"10-3PG": GERMAN_BOX, "US-36": "1116"})
    assert {action.kind for action in legal(match, a.Enter)} == {"move", "column", "move-fight"}
    do(match, a.Enter(GERMAN_BOX, "column"), a.Add("10-3PG"), a.Begin())
    assert not {"1016", "1017"} & goals(match)  # in the enemy's zone


@rule("10.3")
def test_landing_takes_half_the_movement_and_no_roads() -> None:
    match = play({"US-45": ALLIED_BOX}, side="allied")
    do(match, a.Enter(ALLIED_BOX), a.Add("US-45"), a.Begin(), a.Go("2921"))
    frame = match.state.stack[-1]
    assert (frame.left, frame.landed) == ((4,), True)
    assert frame.kind == "move"
    do(match, a.Go("3021"))  # a mountain hex entered as if there were no road
    assert match.state.stack[-1].left == (1,)


@rule("10.3")
def test_allies_land_only_by_a_regular_move() -> None:
    match = play({"US-45": ALLIED_BOX}, side="allied")
    assert legal(match, a.Enter) == [a.Enter(ALLIED_BOX)]


@rule("10.4")
def test_withdrawals_of_the_historical_scenario_only() -> None:
    assert arriving(18, "allied", {"BR-7A": "4107"}).state.at["BR-7A"] == "gone"
    assert arriving(18, "allied", {"BR-7A": ALLIED_BOX}).state.at["BR-7A"] == "gone"
    assert arriving(18, "allied", {"BR-7A": "4107"}, scenario="wat").state.at["BR-7A"] == "4107"


@rule("10.4")
def test_the_german_picks_a_substitute_of_the_same_grouping() -> None:
    units = {"BR-7A": "dead", "BR-5": "4107", "BR-56": "4107", "US-36": "4008", "BR-78": ALLIED_BOX, "BR-46": "1016"}
    match = arriving(18, "allied", units)
    assert isinstance(match.state.stack[-1], Substitution)
    assert match.to_act == ("german",)
    assert {action.unit for action in legal(match, a.Substitute)} == {"BR-5", "BR-56", "BR-46"}
    assert {"BR-5", "BR-56"} <= {piece["id"] for piece in match.view("german")["pieces"]}
    do(match, a.Substitute("BR-56"))
    assert match.state.at["BR-56"] == "gone"
    assert match.state.at["BR-7A"] == "dead"


@rule("10.4")
def test_a_unit_without_regular_supply_is_not_withdrawn_itself() -> None:
    ring = {"10-16Pz": "2808", "10-26Pz": "2709", "10-29PG": "2607"}
    match = arriving(18, "allied", {"BR-7A": "2707", "BR-5": "4107", **ring})
    assert legal(match, a.Substitute) == [a.Substitute("BR-5")]
    nobody = arriving(18, "allied", {"BR-7A": "2707", **ring})
    assert nobody.state.at["BR-7A"] == "2707"
    assert nobody.to_act == ("allied",)


@rule("10.5")
def test_nobody_else_leaves_the_map() -> None:
    german = play({"10-16Pz": "1016"})
    do(german, a.Move("1016"))
    assert not legal(german, a.Exit)
    dropped = play({"US-82A": "1016"}, side="allied", airborne="dropped", dropped=3)
    do(dropped, a.Move("1016"))
    assert not legal(dropped, a.Exit)
