"""The regular of Soft Underbelly: plans, odds and battles, told by small positions."""

from __future__ import annotations

import random
from typing import Any

import pytest

import sandtable
from games.underbelly.underbelly_story import do, fire_all, match_of, play, state_of
from sandtable.engine import Action, Match, Seat
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly.atlas import BIT, INDEX, LAND_BITS, NEAR_NAPLES, NORTH_BITS, ZONE, flood
from sandtable.games.underbelly.combat import deploy
from sandtable.games.underbelly.model import AttackDraft, EndRun
from sandtable.games.underbelly.odds import BattleOdds
from sandtable.players import knowledge, make_player
from sandtable.players.underbelly_alarm import ON_THE_WAY, outlook
from sandtable.players.underbelly_allied import AlliedPlan
from sandtable.players.underbelly_german import GermanPlan
from sandtable.players.underbelly_ground import FAR, exit_turns, ground_of, ground_of_view
from sandtable.players.underbelly_line import best_line
from sandtable.players.underbelly_odds import forecast
from sandtable.players.underbelly_regular import Regular
from sandtable.players.underbelly_style import SEASONED, USUAL
from sandtable.players.underbelly_worth import worth

APULIA = {"3306": "british"}
WALL = {
    "10-16Pz": "1613",
    "10-2P": "1714",
    "10-1P": "1915",
    "10-26Pz": "1917",
    "10-29PG": "1919",
    "10-HG": "1921",
    "10-15PG": "1923",
}
"""Seven divisions from sea to sea with one hex between them."""


def choice(match: Match) -> tuple[Action, str]:
    """What the regular does now, and why."""
    (side,) = match.to_act
    player = make_player("underbelly", "regular")
    action = player.choose(Seat(match, side), random.Random(1))
    assert action in match.actions(side)
    return action, player.explanation


def carry_on(match: Match, steps: int) -> None:
    """Let one regular decide for whoever is asked."""
    player = make_player("underbelly", "regular")
    source = random.Random(1)
    for _ in range(steps):
        if match.to_act:
            (side,) = match.to_act
            match.apply(side, player.choose(Seat(match, side), source))


# -- the way north ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "turns"),
    [("1016", 1), ("1215", 1), ("2010", 2), ("2907", 2), ("3708", 3)],
)
def test_turns_to_the_north_edge(at: str, turns: int) -> None:
    assert exit_turns(ground_of(state_of({"US-36": at}, ports=dict(APULIA)))) == turns


def test_a_wall_of_zones_lets_nobody_through() -> None:
    state = state_of({"US-36": "2211", **WALL}, ports=dict(APULIA))
    assert exit_turns(ground_of(state)) == FAR
    del state.at["10-26Pz"]
    state.at["10-26Pz"] = "1010"  # nowhere on land: a gap of three hexes
    assert exit_turns(ground_of(state)) < FAR


def test_a_unit_out_of_supply_is_slow() -> None:
    """From 1415 it is five hexes to beyond the edge: too far for half the points (11.5)."""
    assert exit_turns(ground_of(state_of({"US-36": "1415"}, ports=dict(APULIA)))) == 1
    assert exit_turns(ground_of(state_of({"US-36": "1415"}, ports={}))) == 2


def test_the_view_shows_the_same_ground_as_the_position() -> None:
    match = play({"US-36": "2211", "US-45": "2211", **WALL}, ports=dict(APULIA))
    for side in ("allied", "german"):
        assert ground_of_view(match.view(side)) == ground_of(match.state)


# -- lines --------------------------------------------------------------------------------


def test_a_line_separates_the_armies() -> None:
    allied = BIT[INDEX["2822"]] | BIT[INDEX["1512"]]
    line = best_line(lambda h: None if allied & BIT[h] else 1.0, 2.0, allied)
    assert line is not None
    wall = 0
    for post in line.posts:
        wall |= BIT[post] | ZONE[post]
    assert not flood(NORTH_BITS, LAND_BITS & ~wall) & allied


def test_everybody_gets_a_post_of_his_own() -> None:
    state = state_of({"US-36": "2921", "BR-46": "2822", **WALL}, ports={"2921": "us", "2822": "british"})
    plan = GermanPlan(state)
    assert plan.line is not None
    assert sorted(plan.posts.values()) == sorted(set(plan.posts.values()))
    assert len(plan.posts) == min(len(WALL), len(plan.line.posts))


def test_before_the_supply_switch_the_line_holds_on_to_naples() -> None:
    units = {"US-36": "2921", "BR-46": "2822", "10-16Pz": "2522", "10-HG": "2421", "10-15PG": "2320"}
    fields: dict[str, Any] = {"ports": {"2921": "us", "2822": "british"}}
    line = GermanPlan(state_of({**units, **{u: at for u, at in WALL.items() if u not in units}}, **fields)).line
    assert line is not None
    assert any(NEAR_NAPLES & BIT[post] for post in line.posts)


def test_a_reserve_shuts_the_way_to_the_edge() -> None:
    match = play({"US-36": "1115", "10-16Pz": "german-available"}, ports=dict(APULIA), cp=1)
    assert exit_turns(ground_of(match.state)) == 1
    carry_on(match, 4)
    assert exit_turns(ground_of(match.state)) > 1


def test_a_reserve_goes_where_an_attack_is_to_be_feared() -> None:
    strong = dict.fromkeys(("BR-46", "BR-56", "BR-7A", "BR-X"), "2016")
    state = state_of({**strong, **WALL, "10-3PG": "1619"}, side="german", ports=dict(APULIA))
    plan = GermanPlan(state)
    post = plan.targets["10-3PG"]
    assert ZONE[post] & BIT[INDEX["2016"]]
    alone = [unit for unit, at in plan.posts.items() if at == post]
    assert plan.threats.chance(post, alone) > plan.threats.chance(post, [*alone, "10-3PG"])


def test_the_ss_corps_stands_behind_a_post_that_it_may_not_enter() -> None:
    """Units of another army may not stack (6.6), but the hex behind the post can be held."""
    strong = dict.fromkeys(("BR-46", "BR-56", "BR-7A", "BR-X"), "2016")
    corps = dict.fromkeys(("2SS-1SS", "2SS-2SS"), "1418")
    state = state_of({**strong, **WALL, **corps}, scenario="wat", side="german", ports=dict(APULIA))
    plan = GermanPlan(state)
    held = set(plan.posts.values())
    behind = [plan.targets[unit] for unit in corps if unit not in plan.posts]
    assert behind
    assert all(at not in held and ZONE[at] & sum(BIT[post] for post in held) for at in behind)


def test_to_leave_the_line_darkens_the_outlook() -> None:
    plan = GermanPlan(state_of({"US-36": "2211", **WALL}, ports=dict(APULIA)))
    assert outlook(plan, {"10-26Pz": INDEX["1216"]}) > outlook(plan, {})
    assert outlook(plan, {"10-26Pz": ON_THE_WAY}) > outlook(plan, {})


def test_a_post_that_can_be_stormed_darkens_the_outlook() -> None:
    weak = GermanPlan(state_of({**dict.fromkeys(("US-36", "US-45", "US-3"), "2016"), **WALL}, ports=dict(APULIA)))
    calm = GermanPlan(state_of({"US-36": "2211", **WALL}, ports=dict(APULIA)))
    assert outlook(weak, {}) > outlook(calm, {})


# -- odds ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attackers", "defenders"),
    [
        (("US-36",), ("10-16Pz",)),
        (("US-36", "US-45", "US-3", "US-VI"), ("10-16Pz", "10-HG", "10-14Pz")),
        (("BR-46", "BR-X"), ("10-16Pz", "10-HG", "10-15PG")),
    ],
)
def test_the_quick_odds_are_the_odds_of_the_preview(attackers: tuple[str, ...], defenders: tuple[str, ...]) -> None:
    places = {**dict.fromkeys(attackers, "2608"), **dict.fromkeys(defenders, "2708")}
    state = state_of(places, side="allied", ports={"3306": "us", "4108": "british"})
    state.steps["10-HG"] = 1
    battle = deploy(state, AttackDraft("allied", "attack", "2608", "2708", attackers, attackers, tac=True))
    exact, quick = BattleOdds(state, battle), forecast(state, battle)
    assert quick.cleared == pytest.approx(float(exact.cleared()))
    assert quick.lost == pytest.approx(float(sum(n * p for n, p in exact.losses(attacker=True).items())))
    assert quick.killed == pytest.approx(float(sum(n * p for n, p in exact.losses(attacker=False).items())))


# -- commands -----------------------------------------------------------------------------


def test_the_allied_player_leaves_by_the_edge_when_he_can() -> None:
    match = play({"US-36": "1216", "BR-46": "2822"}, side="allied", ports={**APULIA, "2822": "british"})
    carry_on(match, 3)
    assert match.outcome is not None
    assert match.outcome.winner == "allied"


def test_a_beach_under_threat_keeps_its_garrison() -> None:
    storm = {"10-16Pz": "2821", "10-HG": "2821", "10-15PG": "2821"}
    units = {"BR-46": "2822", "BR-56": "2822", "US-36": "2921"}
    ports = {"2921": "us", "2822": "british"}
    threatened = AlliedPlan(state_of({**units, **storm}, side="allied", ports=ports))
    assert threatened.mobile(INDEX["2822"], ["BR-46", "BR-56"]) == []
    calm = AlliedPlan(state_of(units, side="allied", ports=ports))
    assert calm.mobile(INDEX["2822"], ["BR-46", "BR-56"]) == ["BR-56"]


def test_nobody_attacks_a_strong_stack_with_a_weak_one() -> None:
    strong = dict.fromkeys(("BR-46", "BR-56", "BR-7A", "BR-X"), "2822")
    match = play({**strong, "US-36": "2921", "10-3PG": "2821"}, ports={"2921": "us", "2822": "british"})
    action, _ = choice(match)
    assert not isinstance(action, (a.Attack, a.FightMove))


def test_an_empty_beach_is_stormed() -> None:
    match = play({"US-VI": "2921", "10-16Pz": "2821", "10-HG": "2821"}, ports={"2921": "us"}, cp=2)
    action, why = choice(match)
    assert action == a.Attack("2821", "2921")
    assert "to clear it" in why


def test_the_german_sends_what_the_end_run_demands() -> None:
    run = EndRun(plotted=True, turn=13, launched=13, consulted=14, over=True, demanded=2, deadline=14)
    match = play(
        {"US-36": "2921", "10-65": "1017", **WALL},
        scenario="wat",
        turn=14,
        end_run=run,
        switched=9,
        ports={"2921": "us"},
    )
    carry_on(match, 2)
    assert match.state.end_run.demanded == 0
    assert match.state.at["10-65"] == "gone"


# -- battles ------------------------------------------------------------------------------


def test_the_beaten_retreat_rather_than_die() -> None:
    units = {"US-36": "2708", "US-45": "2708", "10-3PG": "2608"}
    match = play(units, 10, 10, 1, 1, 10, 10, side="allied", ports={"3306": "us"})
    do(match, a.Attack("2708", "2608"), a.Resolve())
    fire_all(match)
    assert match.state.steps["10-3PG"] == 0
    action, why = choice(match)
    assert action == a.Retreat()
    assert why.startswith("retreats")


def test_fire_goes_where_it_weakens_the_answer_most() -> None:
    """A hit on a whole division costs it a shot and a point; one on a reduced division only a shot (13.3)."""
    units = {"US-36": "2708", "US-45": "2708", "10-16Pz": "2608"}
    state = state_of(units, side="allied", ports={"3306": "us"})
    state.steps["US-36"] = 1
    match = match_of(state)
    do(match, a.Attack("2708", "2608"), a.Resolve())
    action, why = choice(match)
    assert action == a.Shoot("10-16Pz", "US-45")
    assert "to reduce it" in why


# -- looking ahead ------------------------------------------------------------------------


def test_the_worth_of_a_view_is_a_share_and_the_sides_agree() -> None:
    match = play({"US-36": "2211", **WALL}, ports=dict(APULIA))
    allied, german = (worth(match.view(side), side) for side in ("allied", "german"))
    assert 0 < allied < 1
    assert allied + german == pytest.approx(1)


def test_a_gap_in_the_line_is_worth_much_to_the_allies() -> None:
    shut = play({"US-36": "2211", **WALL}, ports=dict(APULIA))
    gap = play({"US-36": "2211", **WALL, "10-26Pz": "1030"}, ports=dict(APULIA))
    assert worth(gap.view("allied"), "allied") > worth(shut.view("allied"), "allied")


def test_time_works_for_the_germans_while_they_stand_near_naples() -> None:
    units = {"US-36": "2211", **WALL, "10-16Pz": "2421"}
    early, late = (play(units, ports=dict(APULIA), turn=turn).view("allied") for turn in (6, 19))
    assert worth(late, "allied") < worth(early, "allied") - 0.2


def test_a_weak_post_before_a_strong_stack_is_worth_something_to_the_allies() -> None:
    units = {**dict.fromkeys(("US-36", "US-45", "US-3", "US-VI"), "1316"), **WALL, "10-26Pz": "1217"}
    held = {**units, "10-3PG": "1217", "10-90PG": "1217"}
    weak, strong = (
        play(force, ports=dict(APULIA), scenario="wat", switched=9).view("allied") for force in (units, held)
    )
    assert worth(weak, "allied") > worth(strong, "allied")


def test_the_choices_to_look_at_are_legal_and_few() -> None:
    units = {"US-36": "2921", "BR-46": "2822", "10-16Pz": "2821", "10-HG": "2320", "10-26Pz": "3618"}
    match = play(units, ports={"2921": "us", "2822": "british"})
    know = knowledge("underbelly")
    assert know.variants is not None
    seat, player = Seat(match, "german"), know.base()
    own = player.choose(seat, random.Random(1))
    found = know.variants(player, seat, own)
    assert 1 < len(found) <= 5
    assert all(action in seat.actions() and twin is not player for action, twin in found)


def test_another_style_lasts_for_a_phase() -> None:
    units = {"US-36": "2921", "BR-46": "2822", "10-16Pz": "2821", "10-HG": "2320", "10-26Pz": "3618"}
    match = play(units, ports={"2921": "us", "2822": "british"})
    seat, player = Seat(match, "german"), Regular()
    twins = [twin for _, twin in player.variants(seat, player.choose(seat, random.Random(1)))]
    assert any(twin.style("german") != USUAL["german"] for twin in twins)
    match.state.turn += 1
    for twin in twins:
        twin.choose(Seat(match, "german"), random.Random(1))
        assert twin.style("german") == USUAL["german"]


def test_a_veteran_commands_the_allies_more_boldly_than_a_regular() -> None:
    match = play({"US-36": "2921", "10-16Pz": "2821"}, side="allied", ports={"2921": "us"})
    seat, seasoned = Seat(match, "allied"), knowledge("underbelly").base()
    assert isinstance(seasoned, Regular)
    seasoned.choose(seat, random.Random(1))
    assert seasoned.style("allied") == SEASONED["allied"]
    assert seasoned.style("allied").kill > USUAL["allied"].kill


# -- whole matches ------------------------------------------------------------------------


def test_the_german_regular_holds_what_the_recruit_loses() -> None:
    """The Allied recruit is off the map in turn six or seven against a recruit; a regular still stands then."""
    match = sandtable.new("underbelly/historical", seed=3)
    players = {"allied": make_player("underbelly", "recruit"), "german": make_player("underbelly", "regular")}
    source = random.Random(3)
    while match.to_act and match.state.turn <= 8:
        (side,) = match.to_act
        match.apply(side, players[side].choose(Seat(match, side), source))
        assert players[side].explanation
    assert match.outcome is None


def test_a_beach_that_nobody_holds_is_walked_into() -> None:
    match = play({"10-16Pz": "2719", "BR-46": "5429"}, ports={"2921": "us", "2822": "british"})
    carry_on(match, 2)
    assert match.outcome is not None
    assert match.outcome.winner == "german"


def test_a_weak_beach_is_stormed_from_afar() -> None:
    """Three divisions in one hex move and attack at once (9.6)."""
    storm = dict.fromkeys(("10-3PG", "10-90PG", "10-24Pz"), "2919")
    units = {"US-36": "2921", "BR-46": "2822", "BR-56": "2822", **storm, **WALL}
    state = state_of(units, ports={"2921": "us", "2822": "british"})
    state.steps["US-36"] = 1
    action, why = choice(match_of(state))
    assert action == a.MoveFight("2919")
    assert "wins the game" in why
