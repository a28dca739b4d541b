"""Supply and the Luftwaffe raid (11.0)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_underbelly_zones import arrangements
from underbelly_story import do, fire_all, legal, match_of, play, state_of

from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly.model import ASIDE, BariChoice, Commands, TurnEnd, TurnStart
from sandtable.games.underbelly.modifiers import hit_tally
from sandtable.games.underbelly.supply import all_supply, supply_line, supply_state
from sandtable.games.underbelly.zones import UNITS

rule = pytest.mark.rule
APULIA = {"3306": "us"}
OOS = {"10-16Pz": "2808", "10-26Pz": "2709", "10-29PG": "2607"}
"""A ring around 2707."""


@rule("11.1")
@rule("11.3")
def test_a_unit_traces_to_a_port_of_its_grouping() -> None:
    state = state_of({"US-36": "2709", "BR-5": "2809"}, ports={"3306": "us", "2906": "british"})
    assert (supply_state(state, "US-36"), supply_state(state, "BR-5")) == ("supplied", "supplied")
    line = supply_line(state, "US-36")
    assert (line[0], line[-1]) == ("2709", "3306")


@rule("11.3")
def test_the_other_groupings_port_supplies_with_a_penalty() -> None:
    match = play({"BR-5": "2708", "10-16Pz": "2608"}, side="allied", ports=APULIA)
    assert supply_state(match.state, "BR-5") == "cross"
    do(match, a.Attack("2708", "2608"))
    preview = match.preview("allied", a.Resolve())
    assert preview is not None
    assert preview.tallies[0].total == 6 - 1
    do(match, a.Cancel(), a.Move("2708"))
    assert match.state.stack[-1].left == (7,)


@rule("11.3")
def test_lines_do_not_pass_enemies_or_their_zones() -> None:
    assert supply_state(state_of({"US-36": "2707"}, ports=APULIA), "US-36") == "supplied"
    assert supply_state(state_of({"US-36": "2707", **OOS}, ports=APULIA), "US-36") == "oos"


@rule("11.2")
def test_supply_is_checked_when_the_command_is_given() -> None:
    match = play({"US-36": "2707", **OOS}, side="allied", ports=APULIA)
    do(match, a.Move("2707"))
    assert match.state.stack[-1].left == (4,)


@rule("11.4")
def test_germans_trace_to_row_10_unless_it_is_occupied() -> None:
    assert supply_state(state_of({"10-16Pz": "4203"}), "10-16Pz") == "supplied"
    allies = [u for u, kind in UNITS.items() if kind.side == "allied"]
    wall = {unit: f"10{n}" for unit, n in zip(allies, range(15, 31), strict=False)}
    assert supply_state(state_of({"10-16Pz": "4203", **wall}), "10-16Pz") == "oos"
    opened = {unit: at for unit, at in wall.items() if at not in ("1029", "1030", "1028")}
    assert supply_state(state_of({"10-16Pz": "4203", **opened}), "10-16Pz") == "supplied"


@rule("11.5")
def test_out_of_supply_in_attack_and_defence() -> None:
    units = {"US-36": "2707", "US-VI": "2707", **OOS}
    attack = play(units, *[10] * 9, side="allied", ports=APULIA)
    do(attack, a.Attack("2707", "2808"), a.Resolve())
    state = attack.state
    assert hit_tally(state, state.battle, "US-36").total == 5 - 2
    assert attack.to_act == ("german",)  # no barrage: corps support out of supply does not fire
    defence = play(units, ports=APULIA)
    do(defence, a.Attack("2808", "2707"), a.Resolve())
    assert hit_tally(defence.state, defence.state.battle, "US-36").total == 5 - 1
    assert {shot.unit for shot in legal(defence, a.Shoot)} == {"US-36"}


@rule("11.5")
def test_a_question_mark_out_of_supply_is_halved_down() -> None:
    allies = [u for u, kind in UNITS.items() if kind.side == "allied"]
    wall = {unit: f"10{n}" for unit, n in zip(allies, range(15, 31), strict=False)}
    match = play({"10-11Fl": "4203", **wall}, 5)
    do(match, a.Move("4203"))
    assert match.state.stack[-1].left == (2,)


@rule("11.6")
def test_coastal_supply_halves_movement_and_costs_one_in_attack_only() -> None:
    units = {"US-36": "2606", "10-3PG": "2607"}
    match = play(units, side="allied", ports={})
    do(match, a.Attack("2606", "2607"))
    preview = match.preview("allied", a.Resolve())
    assert preview is not None
    assert preview.tallies[0].total == 5 - 1
    do(match, a.Cancel(), a.Move("2606"))
    assert match.state.stack[-1].left == (4,)
    defence = play(units, ports={})
    do(defence, a.Attack("2607", "2606"), a.Resolve())
    assert hit_tally(defence.state, defence.state.battle, "US-36").total == 5 + 1  # naval gunfire


@rule("11.7")
def test_aerial_supply_makes_combat_normal_and_movement_impossible() -> None:
    match = play({"US-36": "2707", **OOS}, side="allied", ports=APULIA, tac_on=True)
    do(match, a.SupplyByAir("2707"))
    assert supply_state(match.state, "US-36") == "aerial"
    assert not legal(match, a.Move)
    do(match, a.Attack("2707", "2808"))
    preview = match.preview("allied", a.Resolve())
    assert preview is not None
    assert preview.tallies[0].total == 5


@rule("11.7")
@pytest.mark.parametrize(("enemies", "moves"), [(OOS, False), ({}, True)])
def test_a_force_that_is_supplied_over_land_as_well_may_move(enemies: dict[str, str], moves: bool) -> None:
    match = play({"US-36": "2707", **enemies}, side="allied", ports=APULIA, aerial="2707")
    assert (supply_state(match.state, "US-36") == "supplied") is moves
    assert bool(legal(match, a.Move)) is moves


@rule("11.7")
@rule("13.8")
def test_a_force_on_aerial_supply_does_not_advance_after_combat() -> None:
    units = {"US-36": "2707", "US-VI": "2707", **OOS}
    for by_air, dice in (
        (True, (1, 1, 1)),
        (False, (10, 1, 1)),
    ):  # without supply corps support is silent
        match = play(units, *dice, side="allied", ports=APULIA, tac_on=True)
        if by_air:
            do(match, a.SupplyByAir("2707"))
        match.state.steps["10-16Pz"] = 1
        do(match, a.Attack("2707", "2808"), a.Resolve())
        fire_all(match)
        assert match.state.at["10-16Pz"] != "2808"
        if by_air:
            assert isinstance(match.state.stack[-1], Commands)
            assert match.state.at["US-36"] == match.state.at["US-VI"] == "2707"
        else:
            assert a.Advance(("US-36", "US-VI")) in legal(match, a.Advance)


@rule("11.7")
@rule("13.9")
def test_a_force_on_aerial_supply_retreats_after_combat() -> None:
    match = play({"US-36": "2707", "10-16Pz": "2708"}, *[10, 10, 1, 1], ports=APULIA, aerial="2707")
    do(match, a.Attack("2708", "2707"), a.Resolve())
    fire_all(match)
    do(match, a.Retreat())
    do(match, legal(match, a.RetreatTo)[0])
    assert match.state.at["US-36"] != "2707"


@rule("11.7")
def test_only_units_without_overland_supply_get_it() -> None:
    match = play({"US-36": "2707", "US-45": "3010", **OOS}, side="allied", ports=APULIA, tac_on=True)
    assert legal(match, a.SupplyByAir) == [a.SupplyByAir("2707")]
    dropped = play({"US-36": "2707", **OOS}, side="allied", ports=APULIA, tac_on=True, dropped=6)
    assert not legal(dropped, a.SupplyByAir)


@rule("11.8")
def test_air_support_does_not_mend_supply() -> None:
    match = play({"US-36": "2707", **OOS}, side="allied", ports=APULIA, tac=1, tac_on=True)
    do(match, a.Attack("2707", "2808"), a.UseTac())
    preview = match.preview("allied", a.Resolve())
    assert preview is not None
    assert preview.tallies[0].total == 5 - 2 + 1


def ending(units: dict[str, str], *faces: int, **fields: object):
    state = state_of(units, **fields)
    state.stack = [TurnEnd()]
    return match_of(state, *faces)


@rule("11.9")
def test_the_switch_comes_when_no_german_is_within_two_hexes_of_naples() -> None:
    assert not ending({"10-16Pz": "2421"}).state.switched
    match = ending({"10-16Pz": "2319", "US-36": "2521"})
    assert match.state.switched == 6
    assert match.state.ports == {"4108": "british", "5429": "british", "2522": "us"}
    assert not match.state.sf


@rule("11.9")
@pytest.mark.parametrize(("option", "switched"), [("vacated", 6), ("controlled", 0)])
def test_whether_naples_must_be_allied_is_a_match_option(option: str, switched: int) -> None:
    state = state_of({"10-16Pz": "2319"}, options={"naples_switch": option})
    state.control["2522"] = "german"
    state.stack = [TurnEnd()]
    assert match_of(state).state.switched == switched


@rule("11.10")
def test_bari_may_be_opened_when_it_is_safe() -> None:
    match = ending({"BR-5": "3306", "10-16Pz": "2421"})
    assert isinstance(match.state.stack[-1], BariChoice)
    do(match, a.OpenBari())
    assert match.state.ports["3306"] == "british"
    assert not isinstance(ending({"BR-5": "3306", "10-16Pz": "3308"}).state.stack[-1], BariChoice)
    declined = ending({"BR-5": "3306", "10-16Pz": "2421"})
    do(declined, a.Decline())
    assert "3306" not in declined.state.ports


def starting(turn: int, *faces: int, **fields: object):
    state = state_of({"10-16Pz": "2421", "US-36": "3010"}, turn=turn, switched=9, **fields)
    state.stack = [TurnStart()]
    return match_of(state, *faces)


@rule("11.11")
def test_the_raid_sinks_the_port_it_hits_once_a_game() -> None:
    match = starting(21, 5)
    assert "4108" not in match.state.ports
    assert match.state.raided
    missed = starting(22, 6)
    assert "4108" in missed.state.ports
    assert not missed.state.raided
    nothing = starting(21, 1)  # no marker in Bari: the raid has failed for good
    assert nothing.state.raided
    assert set(nothing.state.ports) == {"2822", "2921", "4108", "5429"}
    starting(22, raided=True)  # no die at all


@rule("11.11")
def test_each_scenario_has_its_own_column() -> None:
    ports = {"2522": "us", "3306": "british", "4108": "british"}
    assert "3306" not in starting(21, 1, ports=dict(ports)).state.ports
    wat = starting(21, 1, ports=dict(ports), scenario="wat", ss="in", army="in")
    assert "2522" not in wat.state.ports


@rule("11.12")
def test_an_attack_on_a_lone_port_destroys_it_and_the_germans_advance() -> None:
    match = play({"10-16Pz": "4107"}, switched=9)
    match.state.control["2522"] = "allied"
    do(match, a.Attack("4107", "4108"), a.Resolve())
    assert "4108" not in match.state.ports
    do(match, a.Advance(("10-16Pz",)))
    assert match.state.at["10-16Pz"] == "4108"


# -- properties ---------------------------------------------------------------------------

BETTER = ("oos", "coastal", "aerial", "cross", "supplied")


@given(arrangements(), st.data())
@settings(max_examples=80, deadline=None, derandomize=True)
@rule("11.3")
@rule("11.4")
def test_removing_an_enemy_never_worsens_a_friendly_supply_state(units: dict[str, str], data: st.DataObject) -> None:
    before = all_supply(state_of(units))
    removed = data.draw(st.sampled_from(sorted(units)))
    after = all_supply(state_of({**units, removed: ASIDE}))
    for unit, supply in after.items():
        if UNITS[unit].side != UNITS[removed].side:
            assert BETTER.index(supply) >= BETTER.index(before[unit])


@given(arrangements())
@settings(max_examples=40, deadline=None, derandomize=True)
@rule("11.3")
def test_a_supply_line_is_free_all_the_way(units: dict[str, str]) -> None:
    state = state_of(units)
    for unit, supply in all_supply(state).items():
        line = supply_line(state, unit)
        assert bool(line) == (supply in ("supplied", "cross"))
        enemies = {at for other, at in units.items() if UNITS[other].side != UNITS[unit].side}
        assert not enemies & set(line)
