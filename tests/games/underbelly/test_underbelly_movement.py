"""Movement (12.0)."""

from __future__ import annotations

import pytest
from underbelly_story import do, goals, legal, match_of, play, state_of

from sandtable.engine.errors import IllegalAction
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly.atlas import BIT, INDEX, NAMES, STEPS
from sandtable.games.underbelly.model import ALLIED_BOX, DropSite, Moving
from sandtable.games.underbelly.reach import Reach, _several, reach
from sandtable.games.underbelly.zones import field

rule = pytest.mark.rule
APULIA = {"3306": "us"}


def cost(unit: str, origin: str, to: str, **fields: object) -> int:
    """What the cheapest way costs a unit."""
    match = play({unit: origin}, **fields)
    do(match, a.Move(origin))
    found = reach(match.state, match.state.stack[-1])
    return max(found.cost(INDEX[to]).values())


@rule("12.1")
def test_one_point_a_clear_hex_and_nothing_is_saved() -> None:
    match = play({"10-16Pz": "2608"})
    do(match, a.Move("2608"), a.Go("2609"))
    assert match.state.stack[-1].left == (7,)
    do(match, a.Halt())
    assert not legal(match, a.Move)


@rule("12.2")
@pytest.mark.parametrize(("unit", "points"), [("10-16Pz", 3), ("10-65", 2), ("10-1P", 1)])
def test_mountain_costs_by_mobility(unit: str, points: int) -> None:
    assert cost(unit, "3217", "3216") == points


@rule("12.2")
def test_the_terrain_chart_cell_by_cell() -> None:
    from sandtable.games.underbelly.data import tables

    chart = tables()["movement"]
    rows = {name: tuple(chart[name][m] for m in ("mountain", "nonmech", "mech")) for name in chart}
    assert rows == {"clear": (1, 1, 1), "mountain": (1, 2, 3), "road": (1, 1, 1), "marsh": (2, 2, 3), "exit": (1, 1, 1)}


@rule("12.3")
def test_nobody_enters_enemies_or_crosses_the_lake_but_a_lone_port_is_overrun() -> None:
    match = play({"10-16Pz": "2608", "US-36": "2708"})
    do(match, a.Move("2608"))
    assert "2708" not in goals(match)
    lake = play({"10-1P": "5019"})
    do(lake, a.Move("5019"))
    found = reach(lake.state, lake.state.stack[-1])
    assert INDEX["4918"] not in {found.way(h)[0] for h in found.stops}
    port = play({"10-16Pz": "4106"}, scenario="wat", switched=9)
    port.state.control["2522"] = "allied"
    do(port, a.Move("4106"), a.Go("4108"))
    assert "4108" not in port.state.ports


@rule("12.4")
def test_units_of_a_stack_move_one_at_a_time_if_their_owner_likes() -> None:
    match = play({"10-16Pz": "2608", "10-65": "2608"})
    do(match, a.Move("2608"))
    frame = match.state.stack[-1]
    assert isinstance(frame, Moving)
    assert frame.left == (8, 4)
    together = goals(match)
    do(match, a.Leave("10-65"))
    assert together < goals(match)


@rule("12.4")
def test_a_mixed_group_goes_only_where_everybody_can_pay() -> None:
    match = play({"10-16Pz": "3218", "10-1P": "3218"})
    do(match, a.Move("3218"))
    frame = match.state.stack[-1]
    found = reach(match.state, frame)
    for h in found.stops:
        costs = found.cost(h)
        assert costs["mech"] <= 8
        assert costs["mountain"] <= 4
        assert sorted(costs) == ["mech", "mountain"]
    alone = {}
    for unit in ("10-16Pz", "10-1P"):
        single = play({unit: "3218"})
        do(single, a.Move("3218"))
        alone[unit] = goals(single)
    assert {NAMES[h] for h in found.stops} <= alone["10-16Pz"] & alone["10-1P"]


@rule("12.5")
def test_port_to_port_uses_the_whole_move_and_ignores_zones() -> None:
    match = play({"BR-5": "2822", "10-16Pz": "2821"}, side="allied")
    do(match, a.Move("2822"))
    assert {action.to for action in legal(match, a.PortMove)} == {"2921", "4108", "5429"}
    do(match, a.PortMove("4108"))
    assert match.state.at["BR-5"] == "4108"
    assert legal(match, a.EndPhase)


@rule("12.5")
def test_no_sailing_in_column_or_from_elsewhere() -> None:
    match = play({"BR-5": "2822"}, side="allied")
    do(match, a.Move("2822", column=True))
    assert not legal(match, a.PortMove)
    inland = play({"BR-5": "3010"}, side="allied")
    do(inland, a.Move("3010"))
    assert not legal(inland, a.PortMove)


@rule("12.6")
def test_coming_ashore_uses_half_the_allowance_even_into_a_zone() -> None:
    match = play({"BR-5": ALLIED_BOX, "10-16Pz": "2821"}, side="allied")
    do(match, a.Enter(ALLIED_BOX), a.Add("BR-5"), a.Begin())
    assert {"2822", "4108"} <= goals(match)
    do(match, a.Go("2822"))
    assert match.state.at["BR-5"] == "2822"
    assert legal(match, a.EndPhase)


@rule("12.7")
def test_column_doubles_but_keeps_away_from_the_enemy() -> None:
    match = play({"10-16Pz": "2510", "US-36": "2708"})
    do(match, a.Move("2510", column=True))
    assert match.state.stack[-1].left == (16,)
    assert not {"2608", "2609", "2709"} & goals(match)
    with pytest.raises(IllegalAction, match="column may not enter"):
        match.apply("german", a.Go("2609"))


@rule("12.7")
def test_no_column_out_of_a_zone_or_without_regular_supply() -> None:
    near = play({"10-16Pz": "2608", "US-36": "2708"})
    assert a.Move("2608", column=True) not in near.actions("german")
    coastal = play({"US-36": "2606"}, side="allied", ports={})
    assert a.Move("2606", column=True) not in coastal.actions("allied")


@rule("12.8")
def test_the_booklets_example_of_a_road() -> None:
    """From 3117 straight into 3118 a mechanized unit pays for mountains; by way of 3218 it uses the road."""
    assert cost("10-16Pz", "3218", "3118") == 1
    match = play({"10-16Pz": "3117"})
    do(match, a.Move("3117"))
    found = reach(match.state, match.state.stack[-1])
    assert found.cost(INDEX["3118"]) == {"mech": 2}
    assert [NAMES[h] for h in found.way(INDEX["3118"])] == ["3218", "3118"]


def ready(units: dict[str, str], **fields: object):
    return play({"US-82A": ALLIED_BOX, **units}, side="allied", tac_on=True, airborne="ready", **fields)


@rule("12.9")
def test_the_82nd_drops_into_clear_hexes_without_germans_or_forts() -> None:
    match = ready({"10-16Pz": "2608", "US-36": "3010"}, forts=["2709"])
    do(match, a.Drop())
    sites = {action.at for action in legal(match, a.Site)}
    assert {"2708", "2522", "3010"} <= sites
    assert not {"2608", "2709", "3117", "2223"} & sites
    do(match, a.Site("2708"))
    state = match.state
    assert (state.at["US-82A"], state.aerial, state.dropped) == ("2708", "2708", 6)
    assert a.Move("2708") not in match.actions("allied")
    assert not [action for action in legal(match, a.Attack) if action.at == "2708"]


@rule("12.9")
def test_the_drop_may_interrupt_the_germans_between_activations() -> None:
    match = play({"US-82A": ALLIED_BOX, "10-16Pz": "2510"}, tac_on=True, airborne="ready")
    do(match, a.Move("2510"), a.Go("2511"), a.Halt())
    assert match.to_act == ("allied",)
    do(match, a.Drop())
    assert isinstance(match.state.stack[-1], DropSite)
    do(match, a.Site("2709"))
    assert match.state.at["US-82A"] == "2709"
    assert match.to_act == ("german",)


@rule("12.9")
def test_once_passed_for_good_nobody_is_asked_again_in_this_turn() -> None:
    match = play({"US-82A": ALLIED_BOX, "10-16Pz": "2510", "10-26Pz": "2511"}, tac_on=True, airborne="ready")
    do(match, a.Move("2510"), a.Halt())
    do(match, a.PassDrop(rest=True), a.Move("2511"), a.Halt())
    assert match.to_act == ("german",)


@rule("12.9")
def test_the_82nd_may_not_retreat_in_the_turn_of_its_drop() -> None:
    from sandtable.games.underbelly.combat import deploy
    from sandtable.games.underbelly.model import AttackDraft
    from sandtable.games.underbelly.retreat import retreat_barred

    state = state_of({"US-82A": "2708", "10-16Pz": "2608"}, dropped=6)
    battle = deploy(state, AttackDraft("german", "attack", "2608", "2708", ("10-16Pz",), ("10-16Pz",)))
    assert retreat_barred(state, battle) is not None
    state.dropped = 5
    assert retreat_barred(state, battle) is None


@rule("12.9")
def test_the_82nd_never_lands_at_a_port() -> None:
    assert not legal(play({"US-82A": ALLIED_BOX}, side="allied"), a.Enter)


@rule("12.10")
def test_blocked_hexsides_are_for_mountain_units_at_the_start_of_a_move() -> None:
    def first_steps(unit: str, **others: str) -> set[str]:
        match = play({unit: "1218", **others})
        do(match, a.Move("1218"))
        found = reach(match.state, match.state.stack[-1])
        return {NAMES[h] for h in found.stops if len(found.way(h)) == 1}

    assert "1217" in first_steps("10-1P")
    assert "1217" not in first_steps("10-16Pz")
    # into an enemy zone, but not from one to the next (7.5)
    assert "1217" in first_steps("10-1P", **{"US-36": "1216"})
    assert "1217" not in first_steps("10-1P", **{"US-36": "1216", "US-45": "1219"})
    later = play({"10-1P": "1219"})
    do(later, a.Move("1219"), a.Go("1218"))
    found = reach(later.state, later.state.stack[-1])
    assert all(found.way(h) != [h] for h in found.stops if NAMES[h] in ("1217", "1317"))


@rule("12.10")
def test_only_mountain_divisions_attack_over_a_blocked_hexside() -> None:
    foot = play({"10-16Pz": "1218", "US-36": "1217"})
    assert a.Attack("1218", "1217") not in foot.actions("german")
    with pytest.raises(IllegalAction, match="mountain"):
        foot.apply("german", a.Attack("1218", "1217"))
    alpine = play({"10-16Pz": "1218", "10-1P": "1218", "US-36": "1217"})
    do(alpine, a.Attack("1218", "1217"))
    assert alpine.state.stack[-1].units == ("10-1P",)


def test_a_refused_goal_says_why() -> None:
    match = match_of(state_of({"10-16Pz": "2608", "US-36": "2708"}))
    do(match, a.Move("2608"))
    with pytest.raises(IllegalAction, match="occupied by the enemy"):
        match.apply("german", a.Go("2708"))
    with pytest.raises(IllegalAction, match="cannot reach"):
        match.apply("german", a.Go("4203"))


@pytest.mark.parametrize("origin", ["3218", "2608", "1020", "2821"])
@pytest.mark.parametrize("left", [(8, 4), (16, 8), (8, 2), (5, 3)])
def test_groups_of_two_mobilities_reach_what_an_exhaustive_search_finds(origin: str, left: tuple[int, int]) -> None:
    state = state_of({"10-16Pz": origin, "10-65": origin, "US-36": "2709", "US-45": "3119"})
    frame = Moving("german", "move", origin, origin, ("10-16Pz", "10-65"), left)
    quick = reach(state, frame)
    now = field(state)
    slow = Reach(("mech", "nonmech"), INDEX[origin])
    _several(slow, [], [STEPS["mech"], STEPS["nonmech"]], left, now.allied | BIT[INDEX["2823"]], now.allied_zoc)
    assert {*quick.stops} == {*slow._best} - {INDEX[origin]}
