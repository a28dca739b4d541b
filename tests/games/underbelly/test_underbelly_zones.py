"""Zones of control and hex control (7.0)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from underbelly_story import do, fire_all, goals, legal, play, state_of

from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly.atlas import ADJACENT, BIT, INDEX, LAND, NAMES, bits_of
from sandtable.games.underbelly.combat import deploy
from sandtable.games.underbelly.model import AttackDraft
from sandtable.games.underbelly.retreat import retreat_options
from sandtable.games.underbelly.supply import open_to_supply
from sandtable.games.underbelly.zones import UNITS, Field, control_changes, field

rule = pytest.mark.rule


def zone(state: object, side: str) -> set[str]:
    bits = field(state).zoc(side)  # type: ignore[arg-type]
    return {NAMES[h] for h in LAND if bits & BIT[h]}


@rule("7.1")
def test_a_division_controls_the_six_hexes_around_it() -> None:
    assert zone(state_of({"10-16Pz": "2708"}), "german") == {"2707", "2808", "2809", "2709", "2609", "2608"}


@rule("7.2")
def test_corps_support_and_ports_exert_no_zone() -> None:
    assert zone(state_of({"10-14Pz": "2708"}), "german") == set()
    assert zone(state_of({}), "allied") == set()


@rule("7.3")
def test_zones_do_not_cross_the_lake_but_blocked_hexsides_do_not_stop_them() -> None:
    here = zone(state_of({"10-16Pz": "5019"}), "german")
    assert "4918" not in here
    assert "5018" in here  # a blocked hexside


@rule("7.3")
def test_several_divisions_exert_the_same_zone_as_one() -> None:
    one, many = state_of({"10-16Pz": "2708"}), state_of({"10-16Pz": "2708", "10-26Pz": "2708"})
    assert zone(one, "german") == zone(many, "german")


@rule("7.4")
def test_a_friend_negates_an_enemy_zone_for_supply() -> None:
    without, with_friend = state_of({"10-16Pz": "2708"}), state_of({"10-16Pz": "2708", "US-VI": "2709"})
    bit = BIT[INDEX["2709"]]
    assert not open_to_supply(field(without), "allied") & bit
    assert open_to_supply(field(with_friend), "allied") & bit


@rule("7.5")
def test_a_force_stops_when_it_enters_an_enemy_zone() -> None:
    match = play({"10-16Pz": "2708", "US-36": "3010"}, side="allied", ports={"3306": "us"})
    do(match, a.Move("3010"))
    assert "2809" in goals(match)
    do(match, a.Go("2809"))
    assert match.state.used["US-36"] == "move"
    assert legal(match, a.EndPhase)  # the move is over although points are left


@rule("7.5")
def test_no_way_leads_from_zone_to_zone() -> None:
    match = play({"US-36": "2708", "10-11Fl": "2809", "10-16Pz": "2709"}, 1)
    do(match, a.Move("2809"))
    assert goals(match) == {"2908", "2909", "2810"}  # the friend in 2709 negates nothing for movement


@rule("7.6")
def test_zones_block_retreats_unless_a_friend_is_there() -> None:
    def havens(units: dict[str, str]) -> set[str]:
        state = state_of(units, side="allied")
        draft = AttackDraft("allied", "attack", "2708", "2809", ("US-36",), ("US-36",))
        return {option.to for option in retreat_options(state, deploy(state, draft), ("10-16Pz",))}

    alone = {"US-36": "2708", "10-16Pz": "2809"}
    assert havens(alone) == {"2908", "2909", "2810"}  # 2808 and 2709 lie in the attacker's zone
    ring = {**alone, "US-45": "3009", "US-3": "2811"}
    assert havens(ring) == set()
    assert havens({**ring, "10-26Pz": "2709"}) == {"2709"}


@rule("7.6")
def test_zones_never_block_an_advance() -> None:
    match = play({"US-36": "2708", "10-16Pz": "2809", "10-26Pz": "2909"}, *[10, 10, 1, 1], side="allied")
    do(match, a.Attack("2708", "2809"), a.Resolve())
    fire_all(match)
    if legal(match, a.Retreat):
        do(match, a.Stand())
    do(match, a.Advance(("US-36",)))
    assert match.state.at["US-36"] == "2809"


@rule("7.7")
def test_an_uncontested_zone_takes_a_town() -> None:
    match = play({"10-16Pz": "2809"})
    assert match.state.control["2608"] == "german"
    state = state_of({"US-36": "2708"}, side="allied")
    assert state.control["2608"] == "allied"


@rule("7.7")
def test_a_contested_town_must_be_entered() -> None:
    state = state_of({"US-36": "2708", "10-16Pz": "2508"})
    assert ("2608", "allied") not in control_changes(state)
    assert state.control["2608"] == "german"
    state.at["US-36"] = "2608"
    assert ("2608", "allied") in control_changes(state)


@rule("7.7")
def test_a_port_marker_falls_only_by_entry() -> None:
    match = play({"10-16Pz": "4107"}, scenario="wat", switched=9, turn=9)
    match.state.control["2522"] = "allied"
    assert match.state.control["4108"] == "allied"
    do(match, a.Move("4107"), a.Go("4108"))
    assert "4108" not in match.state.ports
    assert match.state.control["4108"] == "german"


@rule("7.7")
def test_control_changes_on_the_way() -> None:
    match = play({"US-36": "2809"}, side="allied", ports={"3306": "us"})
    match.state.control["2608"] = "german"
    do(match, a.Move("2809"), a.Go("2708"), a.Go("2810"))
    assert match.state.control["2608"] == "allied"


@rule("7.7")
def test_zones_do_not_reach_into_boxes() -> None:
    state = state_of({"10-16Pz": "german-available", "US-36": "1016"})
    assert zone(state, "german") == set()


# -- properties ---------------------------------------------------------------------------

places = st.sampled_from([NAMES[h] for h in LAND])


@st.composite
def arrangements(draw: st.DrawFn) -> dict[str, str]:
    """Up to ten units of both sides on the map, never two sides in one hex."""
    units = draw(st.lists(st.sampled_from(list(UNITS)), min_size=2, max_size=10, unique=True))
    taken: dict[str, str] = {}
    found: dict[str, str] = {}
    for unit in units:
        at = draw(places)
        if taken.setdefault(at, UNITS[unit].side) == UNITS[unit].side:
            found[unit] = at
    return dict(sorted(found.items(), key=lambda item: UNITS[item[0]].order))


@given(arrangements())
@settings(max_examples=60, deadline=None, derandomize=True)
@rule("7.1")
def test_zones_are_the_neighbours_of_divisions(units: dict[str, str]) -> None:
    now = Field.of(units)
    for side in ("allied", "german"):
        expected = 0
        for unit, at in units.items():
            if UNITS[unit].side == side and UNITS[unit].division:
                expected |= bits_of(ADJACENT[INDEX[at]])
        assert now.zoc(side) == expected


@given(arrangements(), places)
@settings(max_examples=60, deadline=None, derandomize=True)
@rule("7.1")
def test_a_field_brought_up_to_date_equals_one_made_anew(units: dict[str, str], to: str) -> None:
    unit, origin = next(iter(units.items()))
    if any(at == to and UNITS[u].side != UNITS[unit].side for u, at in units.items()):
        return
    moved = Field.of(units).after((unit,), origin, to)
    again = Field.of({**units, unit: to})
    assert (moved.allied, moved.german) == (again.allied, again.german)
    assert (moved.allied_zoc, moved.german_zoc) == (again.allied_zoc, again.german_zoc)
    assert list(moved.stacks.items()) == list(again.stacks.items())
