"""Combat (13.0): told shot by shot."""

from __future__ import annotations

import pytest
from underbelly_story import do, fire_all, legal, match_of, names, play, state_of

from sandtable.engine.errors import IllegalAction
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly.atlas import ADJACENT, INDEX, NAMES, RIVERS, side
from sandtable.games.underbelly.combat import deploy
from sandtable.games.underbelly.data import tables
from sandtable.games.underbelly.model import (
    AttackDraft,
    BreakOffChoice,
    Commands,
    DefensiveFire,
    OffensiveFire,
    Restoring,
    RetreatChoice,
)
from sandtable.games.underbelly.modifiers import hit_tally
from sandtable.games.underbelly.retreat import retreat_options
from sandtable.games.underbelly.zones import UNITS

rule = pytest.mark.rule
APULIA = {"3306": "us"}
DUEL = {"US-36": "2708", "10-16Pz": "2608"}


def attack(units: dict[str, str], *faces: int, at: str = "2608", target: str = "2708", **fields: object):
    match = play(units, *faces, **{"ports": dict(APULIA), **fields})
    do(match, a.Attack(at, target), a.Resolve())
    return match


@rule("13.1")
def test_a_hex_is_attacked_once_a_phase() -> None:
    match = attack({**DUEL, "10-26Pz": "2709"}, *[10] * 4)
    fire_all(match)
    with pytest.raises(IllegalAction, match="already been attacked"):
        match.apply("german", a.Attack("2709", "2708"))


@rule("13.1")
def test_combat_is_voluntary() -> None:
    match = play(DUEL)
    assert legal(match, a.EndPhase)


@rule("13.2")
def test_the_steps_come_in_their_order() -> None:
    units = {**DUEL, "10-14Pz": "2608", "US-VI": "2708"}
    match = attack(units, 10, 1, 10, 10, 10, 10, 10)
    assert (match.to_act, {s.unit for s in legal(match, a.Shoot)}) == (("german",), {"10-14Pz"})  # 2 barrage
    do(match, a.Shoot("10-14Pz", "US-36"))
    assert match.to_act == ("allied",)  # 3 defensive fire: division and corps support
    assert {s.unit for s in legal(match, a.Shoot)} == {"US-36", "US-VI"}
    do(match, a.Shoot("US-VI", "10-16Pz"), a.Shoot("US-36", "10-16Pz"), a.Shoot("US-36", "10-16Pz"))
    assert isinstance(match.state.stack[-1], BreakOffChoice)  # 4, because a step was lost
    do(match, a.PressOn())
    assert isinstance(match.state.stack[-1], OffensiveFire)  # 5: only divisions, with what is left
    assert legal(match, a.Shoot) == [a.Shoot("10-16Pz", "US-36")]
    events = do(match, a.Shoot("10-16Pz", "US-36"))
    assert names(events)[-1] == "BattleEnded"
    assert match.state.battle is None


@rule("13.2")
def test_no_break_off_without_losses_in_step_three() -> None:
    match = attack(DUEL, 10, 10, 10, 10)
    do(match, a.Shoot("US-36", "10-16Pz"), a.Shoot("US-36", "10-16Pz"))
    assert isinstance(match.state.stack[-1], OffensiveFire)


@rule("13.2")
def test_breaking_off_takes_one_loss_back_and_ends_the_battle() -> None:
    match = attack(DUEL, 1, 1)
    do(match, a.Shoot("US-36", "10-16Pz"), a.Shoot("US-36", "10-16Pz"))
    assert match.state.steps["10-16Pz"] == 0
    do(match, a.BreakOff())
    assert match.state.steps["10-16Pz"] == 1
    assert match.state.at["10-16Pz"] == "2608"
    assert isinstance(match.state.stack[-1], Commands)


@rule("13.2")
def test_corps_support_alone_must_break_off() -> None:
    match = attack({**DUEL, "10-14Pz": "2608"}, 10, 1, 1)
    do(match, a.Shoot("10-14Pz", "US-36"), a.Shoot("US-36", "10-16Pz"), a.Shoot("US-36", "10-16Pz"))
    assert legal(match, a.BreakOff)
    assert not legal(match, a.PressOn)


@rule("13.2")
@rule("13.9")
def test_a_retreat_takes_one_loss_back_and_vacates_the_hex() -> None:
    match = attack(DUEL, 10, 10, 1, 10)
    fire_all(match)
    assert isinstance(match.state.stack[-1], RetreatChoice)
    assert match.to_act == ("allied",)
    do(match, a.Retreat())
    assert match.state.steps["US-36"] == 2
    do(match, a.RetreatTo("2809"))
    do(match, a.Advance(("10-16Pz",)))
    assert (match.state.at["US-36"], match.state.at["10-16Pz"]) == ("2809", "2708")


@rule("13.2")
def test_no_retreat_without_losses_in_step_five_or_from_a_port() -> None:
    match = attack(DUEL, 10, 10, 10, 10)
    fire_all(match)
    assert isinstance(match.state.stack[-1], Commands)
    port = attack(DUEL, 10, 10, 1, 10, ports={"2708": "us"})
    fire_all(port)
    assert isinstance(port.state.stack[-1], Commands)


@rule("13.2")
def test_all_defenders_must_take_part() -> None:
    match = attack({**DUEL, "US-45": "2708", "US-VI": "2708"})
    assert match.state.battle.defenders == ("US-36", "US-45", "US-VI")


@rule("13.3")
@pytest.mark.parametrize(("die", "hit"), [(5, True), (6, False)])
def test_a_shot_hits_at_or_below_the_combat_factor(die: int, hit: bool) -> None:
    match = attack(DUEL, die)
    do(match, a.Shoot("US-36", "10-16Pz"))
    assert (match.state.steps["10-16Pz"] == 1) == hit


@rule("13.3")
def test_two_shots_may_go_at_two_targets() -> None:
    match = attack({**DUEL, "10-26Pz": "2608"}, 1, 1)
    do(match, a.Shoot("US-36", "10-16Pz"), a.Shoot("US-36", "10-26Pz"))
    assert (match.state.steps["10-16Pz"], match.state.steps["10-26Pz"]) == (1, 1)


@rule("13.4")
def test_hits_count_at_once_and_there_is_one_round() -> None:
    match = attack({**DUEL, "10-14Pz": "2608"}, 1, 10, 10, 10)
    do(match, a.Shoot("10-14Pz", "US-36"))
    assert match.state.stack[-1] == DefensiveFire((("US-36", 1),))
    do(match, a.Shoot("US-36", "10-16Pz"), a.Shoot("10-16Pz", "US-36"), a.Shoot("10-16Pz", "US-36"))
    assert isinstance(match.state.stack[-1], Commands)


@rule("13.5")
def test_corps_support_is_a_target_only_when_alone() -> None:
    match = attack({**DUEL, "US-VI": "2708"}, *[10] * 5)
    while match.to_act == ("allied",):
        do(match, legal(match, a.Shoot)[0])
    assert {shot.target for shot in legal(match, a.Shoot)} == {"US-36"}
    with pytest.raises(IllegalAction, match="no division is left"):
        match.apply("german", a.Shoot("10-16Pz", "US-VI"))
    lone = attack({"10-16Pz": "2608", "US-VI": "2708"}, 10, 1, 10)
    fire_all(lone)
    assert lone.state.steps["US-VI"] == 0


@rule("13.5")
def test_corps_support_never_attacks_alone() -> None:
    assert not legal(play({"10-14Pz": "2608", "US-36": "2708"}), a.Attack)


@rule("13.6")
def test_bombers_hit_anybody_on_one_to_five_and_make_rubble_of_forts() -> None:
    units = {"US-36": "2708", "10-16Pz": "2608", "10-14Pz": "2608"}
    state = state_of(units, side="allied", tac_on=True, ports=dict(APULIA), forts=["2608"])
    match = match_of(state, 6, 6)
    do(match, a.Attack("2708", "2608"), a.UseBombers(), a.Resolve())
    assert {shot.target for shot in legal(match, a.Shoot)} == {"10-16Pz", "10-14Pz"}
    do(match, a.Shoot("BOMBERS", "10-16Pz"))
    battle = match.state.battle
    assert match.state.steps["10-16Pz"] == 2
    assert battle.rubble == ("10-16Pz",)
    assert hit_tally(match.state, battle, "US-36", "10-16Pz").total == 5 - 1 - 1
    assert hit_tally(match.state, battle, "US-36", "10-14Pz").total == 5 - 1


@rule("13.6")
def test_no_rubble_in_the_open() -> None:
    match = match_of(state_of({"US-36": "2708", "10-16Pz": "2608"}, side="allied", tac_on=True), 5)
    do(match, a.Attack("2708", "2608"), a.UseBombers(), a.Resolve(), a.Shoot("BOMBERS", "10-16Pz"))
    assert match.state.steps["10-16Pz"] == 1
    assert match.state.battle.rubble == ()


@rule("13.7")
def test_a_port_falls_with_its_last_defender() -> None:
    match = attack({"10-16Pz": "4107", "US-36": "4108"}, 10, 10, 1, 1, at="4107", target="4108", ports={"4108": "us"})
    fire_all(match)
    assert "4108" not in match.state.ports


@rule("13.8")
def test_some_all_or_nobody_advances_but_never_corps_support_alone() -> None:
    match = attack({**DUEL, "10-26Pz": "2608", "10-14Pz": "2608"}, 1, 10, 1, *[10] * 3)
    fire_all(match)
    while match.to_act and (legal(match, a.CeaseFire) or legal(match, a.Stand)):
        do(match, (legal(match, a.CeaseFire) or legal(match, a.Stand))[0])
    options = {action.units for action in legal(match, a.Advance)}
    assert () in options
    assert ("10-16Pz", "10-14Pz", "10-26Pz") in options
    assert ("10-14Pz",) not in options
    do(match, a.Advance(("10-14Pz", "10-26Pz")))
    assert match.state.at["10-14Pz"] == "2708"
    assert match.state.at["10-16Pz"] == "2608"


def havens(units: dict[str, str], force: tuple[str, ...], **fields: object) -> set[tuple[str, str]]:
    """(hex, unit) of the ways to retreat from 2708 after an attack from 2608."""
    state = state_of(units, **fields)
    battle = deploy(state, AttackDraft("german", "attack", "2608", "2708", ("10-16Pz",), ("10-16Pz",)))
    return {(option.to, option.unit) for option in retreat_options(state, battle, force)}


@rule("13.9")
def test_retreats_go_to_empty_hexes_first_and_not_into_zones() -> None:
    assert havens(DUEL, ("US-36",)) == {("2808", ""), ("2809", ""), ("2709", "")}
    assert havens({**DUEL, "US-45": "2808"}, ("US-36",)) == {("2809", ""), ("2709", "")}


@rule("13.9")
def test_a_friend_opens_a_zone_when_nothing_is_empty() -> None:
    ring = {**DUEL, "10-26Pz": "2908", "10-29PG": "2810"}
    assert havens(ring, ("US-36",)) == set()
    assert havens({**ring, "US-45": "2809"}, ("US-36",)) == {("2809", "")}


@rule("13.9")
def test_a_stack_splits_only_when_it_must_and_stays_when_it_cannot_go() -> None:
    ring = {**DUEL, "10-26Pz": "2908", "10-29PG": "2810", "US-45": "2708"}
    two = {**ring, "US-3": "2809", "US-34": "2809", "US-1A": "2808", "BR-5": "2808"}
    split = havens(two, ("US-36", "US-45"))
    assert split == {("2809", "US-36"), ("2808", "US-36"), ("2809", "US-45"), ("2808", "US-45")}
    full = {**two, "BR-56": "2808"}
    assert havens(full, ("US-36", "US-45")) == set()


@rule("13.9")
def test_nobody_retreats_over_water_or_by_a_blocked_hexside_unless_a_mountain_unit() -> None:
    state = state_of({"US-36": "1317", "US-FX": "1317", "10-16Pz": "1318"})
    battle = deploy(state, AttackDraft("german", "attack", "1318", "1317", ("10-16Pz",), ("10-16Pz",)))
    foot = {option.to for option in retreat_options(state, battle, ("US-36",))}
    alpine = {option.to for option in retreat_options(state, battle, ("US-FX",))}
    assert not {"1316", "1217"} & foot
    assert {"1316", "1217"} & alpine


@rule("13.10")
def test_an_extra_hit_forbids_the_retreat() -> None:
    match = attack({**DUEL, "10-26Pz": "2608"}, 10, 10, 1, 1, 1)
    fire_all(match)
    assert match.state.at["US-36"] == "dead"
    assert not legal(match, a.Retreat)


@rule("13.10")
def test_without_an_extra_hit_an_eliminated_unit_comes_back_reduced() -> None:
    match = attack(DUEL, 10, 10, 1, 1)
    fire_all(match)
    do(match, a.Retreat(), a.RetreatTo("2809"))
    assert match.state.steps["US-36"] == 1
    assert match.state.at["US-36"] == "2809"


@rule("13.10")
def test_the_owner_picks_the_unit_that_gets_a_step_back() -> None:
    match = attack({**DUEL, "10-26Pz": "2608"}, 1, 1)
    do(match, a.Shoot("US-36", "10-16Pz"), a.Shoot("US-36", "10-26Pz"), a.BreakOff())
    assert isinstance(match.state.stack[-1], Restoring)
    do(match, a.Restore("10-26Pz"))
    assert (match.state.steps["10-16Pz"], match.state.steps["10-26Pz"]) == (1, 2)


@rule("13.11")
def test_no_break_off_and_no_retreat_in_a_city() -> None:
    match = attack({"10-16Pz": "2521", "US-36": "2522"}, 1, 10, 1, at="2521", target="2522", ports={})
    do(match, a.Shoot("US-36", "10-16Pz"), a.Shoot("US-36", "10-16Pz"))
    assert isinstance(match.state.stack[-1], OffensiveFire)
    do(match, a.Shoot("10-16Pz", "US-36"))
    assert isinstance(match.state.stack[-1], Commands)
    assert match.state.steps["US-36"] == 1


@rule("13.12")
def test_modifiers_add_up_as_in_the_booklets_example() -> None:
    """An unsupplied division across a river hits three less."""
    river = next((x, y) for x, y in RIVERS if NAMES[x] == "2909" or NAMES[y] == "2909")
    one, other = (NAMES[h] for h in river)
    at, target = (one, other) if one == "2909" else (other, one)
    match = play({"US-36": at, "10-16Pz": target}, side="allied", ports={})
    do(match, a.Attack(at, target))
    preview = match.preview("allied", a.Resolve())
    assert preview is not None
    assert preview.tallies[0].total == 5 - 3


@rule("13.12")
def test_a_unit_that_cannot_hit_has_no_shot_but_is_on_the_board() -> None:
    """A reduced flak division (3), out of supply (-2), against mountains (-1)."""
    allies = [u for u, kind in UNITS.items() if kind.side == "allied" and u != "US-36"]
    wall = {unit: f"10{n}" for unit, n in zip(allies, range(15, 31), strict=False)}
    state = state_of({"10-11Fl": "3218", "US-36": "3318", **wall})
    state.steps["10-11Fl"] = 1
    match = match_of(state, 10, 10)
    do(match, a.Attack("3218", "3318"), a.Resolve())
    assert hit_tally(match.state, match.state.battle, "10-11Fl").total == 0
    fire_all(match)
    assert isinstance(match.state.stack[-1], Commands)


@rule("13.13")
@pytest.mark.parametrize(("target", "total"), [("2608", 7), ("2807", 6), ("2116", 7), ("3116", 6), ("2522", 6)])
def test_terrain_of_the_defender_counts_for_attackers_only(target: str, total: int) -> None:
    h = INDEX[target]
    at = next(NAMES[n] for n in ADJACENT[h] if side(n, h) not in RIVERS)
    state = state_of({"10-16Pz": at, "US-36": target}, turn=6, ports={target: "us"})
    battle = deploy(state, AttackDraft("german", "attack", at, target, ("10-16Pz",), ("10-16Pz",)))
    assert hit_tally(state, battle, "10-16Pz").total == total
    naval = 1 if target in ("2807", "2522") else 0
    assert hit_tally(state, battle, "US-36").total == 5 + naval


@rule("13.13")
def test_rivers_do_not_hinder_corps_support() -> None:
    state = state_of({"US-36": "2909", "US-VI": "2909", "10-16Pz": "3010"}, side="allied", ports={"2906": "us"})
    battle = deploy(state, AttackDraft("allied", "attack", "2909", "3010", ("US-36", "US-VI"), ()))
    assert hit_tally(state, battle, "US-36").total == 5 - 1
    assert hit_tally(state, battle, "US-VI").total == 5


@rule("13.13")
def test_the_attack_chart_cell_by_cell() -> None:
    chart = {name: row["value"] for name, row in tables()["attack"].items()}
    assert chart == {"clear": 0, "mountain": -1, "marsh": -1, "city": -1, "fort": -1, "river": -1}


@rule("13.14")
@pytest.mark.parametrize(("turn", "total"), [(1, 7), (3, 7), (4, 6)])
def test_rivers_do_not_hinder_germans_in_the_first_three_turns(turn: int, total: int) -> None:
    state = state_of({"10-16Pz": "2909", "US-36": "3010"}, turn=turn, ports=dict(APULIA))
    battle = deploy(state, AttackDraft("german", "attack", "2909", "3010", ("10-16Pz",), ("10-16Pz",)))
    assert hit_tally(state, battle, "10-16Pz").total == total
