"""Command points (9.0)."""

from __future__ import annotations

import pytest
from underbelly_story import do, fire_all, goals, legal, match_of, play, state_of

from sandtable.engine.errors import IllegalAction
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly.model import ALLIED_BOX, GERMAN_BOX, Commands, Moving, Opening, Reinforcing
from sandtable.games.underbelly.modifiers import hit_tally

rule = pytest.mark.rule
APULIA = {"3306": "us"}


@rule("9.1")
@rule("9.2")
@rule("9.3")
def test_points_are_given_anew_and_never_borrowed() -> None:
    state = state_of({"US-36": "3010", "10-16Pz": "2608"}, side="german", cp=1)
    state.stack = [Reinforcing("allied")]
    match = match_of(state)
    assert match.state.cp == 7
    do(match, a.DeclineTac(), a.EndPhase())
    assert match.state.cp == 6
    poor = play({"10-16Pz": "2608", "US-36": "2708"}, cp=1)
    assert legal(poor, a.Move)
    assert not legal(poor, a.Attack)
    with pytest.raises(IllegalAction, match="2 CP"):
        poor.apply("german", a.Attack("2608", "2708"))


@rule("9.4")
def test_a_move_command_moves_a_stack_together_or_apart() -> None:
    match = play({"10-16Pz": "2608", "10-26Pz": "2608", "10-29PG": "2608"})
    do(match, a.Move("2608"))
    assert match.state.cp == 5
    do(match, a.Leave("10-29PG"), a.Go("2609"), a.Leave("10-26Pz"), a.Go("2709"), a.Halt())
    do(match, a.Go("2607"), a.Halt())  # the one that waited
    places = {u: match.state.at[u] for u in ("10-16Pz", "10-26Pz", "10-29PG")}
    assert places == {"10-16Pz": "2709", "10-26Pz": "2609", "10-29PG": "2607"}


@rule("9.4")
def test_a_moving_force_picks_nobody_up() -> None:
    match = play({"10-16Pz": "2608", "10-26Pz": "2609"})
    do(match, a.Move("2608"), a.Go("2609"))
    frame = match.state.stack[-1]
    assert isinstance(frame, Moving)
    assert frame.group == ("10-16Pz",)


@rule("9.5")
def test_an_attack_costs_two_points_and_units_may_be_withheld() -> None:
    match = play({"10-16Pz": "2608", "10-26Pz": "2608", "US-36": "2708"}, *[10] * 9)
    do(match, a.Attack("2608", "2708"), a.Withhold("10-26Pz"), a.Resolve())
    assert match.state.cp == 4
    assert match.state.battle.attackers == ("10-16Pz",)
    fire_all(match)
    assert a.Move("2608") not in match.actions("german")  # the whole stack was commanded


@rule("9.5")
def test_withheld_units_may_be_ruled_free() -> None:
    match = play({"10-16Pz": "2608", "10-26Pz": "2608", "US-36": "2708"}, *[10] * 9, options={"withheld": "free"})
    do(match, a.Attack("2608", "2708"), a.Withhold("10-26Pz"), a.Resolve())
    fire_all(match)
    do(match, a.Move("2608"))
    assert match.state.stack[-1].group == ("10-26Pz",)


@rule("9.6")
def test_move_fight_moves_then_attacks_once_a_phase() -> None:
    match = play({"10-16Pz": "2510", "10-26Pz": "2511", "US-36": "2708"}, *[10] * 4)
    do(match, a.MoveFight("2510"), a.Go("2609"))
    assert match.state.cp == 3
    do(match, a.Assault("2708"), a.Resolve())
    fire_all(match)
    assert match.state.special == "move-fight"
    assert not legal(match, a.MoveFight)


@rule("9.6")
def test_move_fight_may_not_start_in_an_enemy_zone_and_is_german_only() -> None:
    match = play({"10-16Pz": "2608", "US-36": "2708"})
    assert not legal(match, a.MoveFight)
    with pytest.raises(IllegalAction, match="zone of control"):
        match.apply("german", a.MoveFight("2608"))
    allied = play({"US-36": "3010"}, side="allied")
    with pytest.raises(IllegalAction, match="Only the German"):
        allied.apply("allied", a.MoveFight("3010"))


@rule("9.7")
def test_fight_move_goes_on_when_the_whole_force_advanced() -> None:
    match = play({"10-16Pz": "2608", "US-36": "2708"}, 10, 10, 1, 1)
    match.state.steps["US-36"] = 2
    do(match, a.FightMove("2608", "2708"), a.Resolve())
    fire_all(match)
    if legal(match, a.Stand):
        do(match, a.Stand())
    do(match, a.Advance(("10-16Pz",)))
    frame = match.state.stack[-1]
    assert isinstance(frame, Moving)
    assert (frame.kind, frame.left) == ("fight-move", (8,))
    assert match.state.cp == 3


@rule("9.7")
def test_fight_move_ends_when_somebody_stays_behind() -> None:
    match = play({"10-16Pz": "2608", "10-26Pz": "2608", "US-36": "2708"}, 10, 10, 1, 1, 10, 10)
    do(match, a.FightMove("2608", "2708"), a.Resolve())
    fire_all(match)
    if legal(match, a.Stand):
        do(match, a.Stand())
    do(match, a.Advance(("10-16Pz",)))
    assert isinstance(match.state.stack[-1], Commands)
    assert not legal(match, a.FightMove)


@rule("9.7")
def test_fight_move_must_start_in_an_enemy_zone() -> None:
    match = play({"10-16Pz": "2608", "10-14Pz": "2609", "US-VI": "2708"})
    assert not legal(match, a.FightMove)  # corps support exerts no zone
    assert legal(match, a.Attack)


@rule("9.8")
def test_forts_from_turn_eight_in_supplied_hexes() -> None:
    assert not legal(play({"10-16Pz": "2608"}, turn=7), a.BuildFort)
    assert not legal(play({"10-16Pz": "2608"}, turn=8, scenario="wat"), a.BuildFort)
    match = play({"10-16Pz": "2608", "US-36": "2708", "10-14Pz": "2709"}, turn=8)
    do(match, a.BuildFort())
    sites = {action.at for action in legal(match, a.Site)}
    assert {"2608", "2709", "1722"} <= sites
    assert not {"2522", "2223", "2808", "2708"} & sites  # city, marsh, enemy zone, enemy
    do(match, a.Site("2608"))
    assert match.state.forts == ["2608"]
    assert match.state.cp == 5
    do(match, a.BuildFort())
    assert a.Site("2608") not in match.actions("german")


@rule("9.8")
def test_a_fort_makes_allied_attackers_hit_less_and_falls_when_entered() -> None:
    match = play({"US-36": "2708", "10-16Pz": "2608"}, side="allied", forts=["2608", "2709"], ports=APULIA)
    do(match, a.Attack("2708", "2608"))
    preview = match.preview("allied", a.Resolve())
    assert preview is not None
    assert preview.tallies[0].total == 5 - 1
    do(match, a.Cancel(), a.Move("2708"), a.Go("2809"), a.Go("2709"))
    assert match.state.forts == ["2608"]


@rule("9.8")
def test_fourteen_forts_and_no_more() -> None:
    assert not legal(play({"10-16Pz": "2608"}, turn=9, forts_built=14), a.BuildFort)
    match = play({"10-16Pz": "2608"}, turn=9, forts_built=13)
    do(match, a.BuildFort())
    do(match, legal(match, a.Site)[0])
    assert match.state.forts_built == 14


def opening(control: dict[str, str], **fields: object):
    state = state_of({"US-36": "3010", "10-16Pz": "1020"}, side="allied", **fields)
    state.control.update(control)
    state.stack = [Opening()]
    return match_of(state)


@rule("9.9")
@pytest.mark.parametrize(
    ("control", "units"),
    [({}, 1), ({"2522": "allied"}, 2), ({"2608": "allied"}, 2), ({"2522": "allied", "2608": "allied"}, 3)],
)
def test_tac_units_by_airbases(control: dict[str, str], units: int) -> None:
    match = opening(control)
    do(match, a.ActivateTac())
    assert (match.state.tac, match.state.cp) == (units, 6)
    declined = opening(control)
    do(declined, a.DeclineTac())
    assert (declined.state.tac, declined.state.cp) == (0, 7)


@rule("9.10")
def test_german_tac_flies_when_the_allies_decline_and_5th_panzer_army_is_in() -> None:
    for army, expected in (("in", 1), ("aside", 0)):
        match = opening({}, scenario="wat", army=army, ss="in")
        do(match, a.DeclineTac())
        assert match.state.german_tac == expected
    active = opening({}, scenario="wat", army="in", ss="in")
    do(active, a.ActivateTac())
    assert active.state.german_tac == 0


@rule("9.11")
def test_aerial_supply_needs_tac_and_two_points_once_a_turn() -> None:
    cut_off = {"US-36": "2708"}
    assert not legal(play(cut_off, side="allied", ports={}), a.SupplyByAir)
    match = play(cut_off, side="allied", ports={}, tac_on=True)
    do(match, a.SupplyByAir("2708"))
    assert match.state.cp == 5
    assert not legal(match, a.SupplyByAir)


@rule("9.12")
def test_the_82nd_is_made_ready_for_two_points() -> None:
    box = {"US-82A": ALLIED_BOX}
    assert not legal(play(box, side="allied"), a.ActivateAirborne)
    match = play(box, side="allied", tac_on=True)
    do(match, a.ActivateAirborne())
    assert match.state.cp == 5
    assert legal(match, a.Drop)


@rule("9.13")
def test_heavy_bombers_need_tac_and_two_more_points_once_a_turn() -> None:
    units = {"US-36": "2708", "10-16Pz": "2608"}
    without = play(units, side="allied")
    do(without, a.Attack("2708", "2608"))
    assert not legal(without, a.UseBombers)
    match = play(units, *[10] * 9, side="allied", tac_on=True)
    do(match, a.Attack("2708", "2608"), a.UseBombers(), a.Resolve())
    assert match.state.cp == 3
    assert match.state.bombed


@rule("9.14")
def test_tac_adds_one_for_divisions_of_the_attacker() -> None:
    match = play({"US-36": "2708", "US-VI": "2708", "10-16Pz": "2608"}, side="allied", tac=1, tac_on=True, ports=APULIA)
    do(match, a.Attack("2708", "2608"), a.UseTac())
    preview = match.preview("allied", a.Resolve())
    assert preview is not None
    assert [tally.total for tally in preview.tallies[:2]] == [6, 5]
    assert not legal(match, a.UseTac)


@rule("9.14")
def test_the_defender_decides_about_his_tac_and_each_unit_flies_once() -> None:
    match = play({"US-36": "2708", "10-16Pz": "2608"}, tac=1, tac_on=True, ports=APULIA)
    do(match, a.Attack("2608", "2708"), a.Resolve())
    assert match.to_act == ("allied",)
    do(match, a.UseTac())
    assert match.state.tac == 0
    battle = match.state.battle
    assert hit_tally(match.state, battle, "US-36").total == 6


@rule("9.15")
def test_air_units_are_no_pieces_on_the_map() -> None:
    match = play({"US-36": "2708"}, side="allied", tac=3, tac_on=True)
    assert {piece["id"] for piece in match.view("allied")["pieces"]} == {"US-36"}


@rule("9.16")
def test_allied_replacements() -> None:
    match = play({"US-36": "3010", "US-45": "dead", "US-3": "lost", "US-VI": "dead"}, side="allied", ports=APULIA)
    match.state.steps |= {"US-36": 1, "US-45": 0, "US-3": 0, "US-VI": 0}
    match = match_of(match.state)
    do(match, a.Replenish("US-36"))
    assert match.state.steps["US-36"] == 2
    assert a.Move("3010") not in match.actions("allied")
    assert a.Reclaim("US-3") not in match.actions("allied")
    do(match, a.Reclaim("US-45"), a.Reclaim("US-VI"))
    assert match.state.cp == 2
    assert (match.state.at["US-45"], match.state.steps["US-45"]) == (ALLIED_BOX, 1)
    assert not legal(match, a.Enter)  # reclaimed units stay in the box in this turn
    assert a.Replenish("US-45") not in match.actions("allied")


@rule("9.16")
def test_no_replacements_out_of_regular_supply_or_on_turn_one() -> None:
    cut_off = play({"US-36": "2708"}, side="allied", ports={})
    cut_off.state.steps["US-36"] = 1
    assert not legal(match_of(cut_off.state), a.Replenish)
    first = play({"US-36": "3010"}, side="allied", ports=APULIA, turn=1)
    first.state.steps["US-36"] = 1
    assert not legal(match_of(first.state), a.Replenish)


@rule("9.16")
def test_units_that_die_out_of_supply_are_lost() -> None:
    match = play({"US-36": "2708", "10-16Pz": "2608"}, 10, 1, 1, ports={}, turn=6)
    match.state.steps["US-36"] = 1
    do(match, a.Attack("2608", "2708"), a.Resolve())
    fire_all(match)
    if match.to_act == ("allied",):
        do(match, a.Stand())
    assert match.state.at["US-36"] == "lost"


@rule("9.17")
def test_german_replacements_by_pools() -> None:
    units = {"10-16Pz": "2608", "10-26Pz": "2508", "10-65": "1020", "10-1P": "1022", "10-14Pz": "dead"}
    match = play(units)
    match.state.steps |= {"10-16Pz": 1, "10-26Pz": 1, "10-65": 1, "10-1P": 1, "10-14Pz": 0}
    match = match_of(match.state)
    do(match, a.Replenish("10-16Pz"))
    assert match.state.cp == 4
    assert {action.unit for action in legal(match, a.Replenish)} == {"10-65", "10-1P"}
    assert not legal(match, a.Reclaim)
    do(match, a.Replenish("10-1P"))
    assert match.state.cp == 3
    assert not legal(match, a.Replenish)


@rule("9.18")
@rule("9.17")
def test_a_replenished_german_division_may_still_move_but_not_attack() -> None:
    match = play({"10-16Pz": "2608", "US-36": "2708"})
    match.state.steps["10-16Pz"] = 1
    match = match_of(match.state)
    do(match, a.Replenish("10-16Pz"))
    assert legal(match, a.Move)
    assert not legal(match, a.Attack)


@rule("9.18")
def test_one_command_for_each_unit() -> None:
    match = play({"10-16Pz": "2608", "10-26Pz": "2609"})
    do(match, a.Move("2608"), a.Go("2609"), a.Halt())
    do(match, a.Move("2609"))
    assert match.state.stack[-1].group == ("10-26Pz",)


@rule("9.19")
def test_commands_come_in_any_order() -> None:
    match = play({"10-16Pz": "2608", "US-36": "2708", "10-3PG": GERMAN_BOX}, *[10] * 4)
    do(match, a.Attack("2608", "2708"), a.Resolve())
    fire_all(match)
    do(match, a.Enter(GERMAN_BOX), a.Add("10-3PG"), a.Begin())
    assert goals(match)


@rule("9.20")
@pytest.mark.parametrize(("attacker", "total"), [("german", 6), ("allied", 6)])
def test_naval_gunfire_is_free_in_coastal_hexes(attacker: str, total: int) -> None:
    """The 36th Infantry (5) hits on 6 when it defends in, or attacks into, a coastal hex."""
    if attacker == "german":
        match = play({"US-36": "3306", "10-16Pz": "3307"}, ports={"4108": "us"})
        do(match, a.Attack("3307", "3306"), a.Resolve())
    else:
        match = play({"US-36": "3307", "10-16Pz": "3306"}, side="allied", ports={"4108": "us"})
        do(match, a.Attack("3307", "3306"), a.Resolve())
    assert hit_tally(match.state, match.state.battle, "US-36").total == total
