"""Unit types, strength steps and the line of communications, clause by clause (2.6, 2.13, 4.3)."""

from __future__ import annotations

import pytest
from underbelly_story import do, fire_all, goals, legal, play, state_of

from sandtable.engine import Match
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly.data import roster
from sandtable.games.underbelly.events import Shot
from sandtable.games.underbelly.model import ALLIED_BOX, DEAD
from sandtable.games.underbelly.victory import line_of_communications

rule = pytest.mark.rule
UNITS = roster()


def goals_of_move(match: Match) -> set[str]:
    do(match, a.Move("2019"))
    return goals(match)


# -- unit types (2.6) -----------------------------------------------------------------------


@rule("2.6")
def test_every_unit_is_of_a_type_of_the_chart_and_of_the_mobility_that_goes_with_it() -> None:
    kinds: dict[str, set[str]] = {}
    for unit in UNITS.values():
        kinds.setdefault(unit.kind, set()).add(unit.mobility)
    assert kinds == {
        "infantry": {"mech", "nonmech"},
        "airborne": {"nonmech"},
        "armor": {"mech"},
        "mountain": {"mountain"},
        "corps support": {"mech"},
        "panzer": {"mech"},
        "panzergrenadier": {"mech"},
        "para-mountain": {"mountain"},
        "flak": {"mech"},
    }


@rule("2.6")
def test_only_the_first_and_second_paratroop_bear_both_symbols() -> None:
    assert [unit.id for unit in UNITS.values() if unit.kind == "para-mountain"] == ["10-1P", "10-2P"]


@rule("2.6")
@rule("12.2")
@rule("12.10")
def test_german_paratroops_move_like_mountain_infantry() -> None:
    """From 2019 only mountain units get over the blocked hexside to 2018; an infantry division goes round."""
    ways = {unit: goals_of_move(play({unit: "2019"})) for unit in ("10-1P", "10-5Mtn", "10-65")}
    assert ways["10-1P"] == ways["10-5Mtn"]
    assert ways["10-1P"] - ways["10-65"]


@rule("2.6")
@rule("12.9")
def test_german_paratroops_never_drop() -> None:
    match = play({"10-1P": "2019", "US-82A": ALLIED_BOX, "US-36": "2921"}, turn=2, side="german")
    assert not legal(match, a.Drop)
    assert goals_of_move(match) == goals_of_move(play({"10-5Mtn": "2019"}, turn=2)), "on foot only"


# -- strength steps (2.13) ------------------------------------------------------------------


@rule("2.13")
def test_divisions_have_two_steps_and_two_sides_and_corps_support_one() -> None:
    for unit in UNITS.values():
        assert unit.steps == (2 if unit.division else 1), unit.id
        assert (unit.reduced > 0) is unit.division, unit.id
        assert unit.full > unit.reduced, unit.id


@rule("2.13")
@pytest.mark.parametrize(
    ("unit", "steps"),
    [("US-36", 2), ("US-36", 1), ("US-VI", 1)],
    ids=["a division is reduced", "a reduced one is lost", "corps support is lost"],
)
def test_a_hit_takes_a_step_and_the_last_one_leads_to_the_dead_pile(unit: str, steps: int) -> None:
    match = play({"10-16Pz": "2608", unit: "2708"}, *[10] * steps, 1, 10)
    match.state.steps[unit] = steps
    do(match, a.Attack("2608", "2708"), a.Resolve())
    while match.to_act == ("allied",):
        do(match, a.Shoot(unit, "10-16Pz"))
    do(match, a.Shoot("10-16Pz", unit))
    assert match.state.steps[unit] == steps - 1
    if steps == 1:
        do(match, a.CeaseFire(), a.Stand())
    assert match.state.at[unit] == ("2708" if steps == 2 else DEAD)
    if steps == 2:
        match = play({"10-16Pz": "2608", unit: "2708"})
        match.state.steps[unit] = 1
        do(match, a.Attack("2608", "2708"))
        preview = match.preview("german", a.Resolve())
        assert preview is not None
        assert UNITS[unit].reduced in [tally.total for tally in preview.tallies], "the reduced side shows"


@rule("2.13")
@rule("13.3")
@pytest.mark.parametrize(("unit", "steps"), [("10-16Pz", 2), ("10-16Pz", 1), ("10-14Pz", 1)])
def test_a_unit_fires_as_often_as_it_has_steps(unit: str, steps: int) -> None:
    match = play({unit: "2608", "10-26Pz": "2608", "US-36": "2708"}, *[10] * 8)
    match.state.steps[unit] = steps
    do(match, a.Attack("2608", "2708"), a.Resolve())
    shots = [event for event in fire_all(match) if isinstance(event, Shot) and event.unit == unit]
    assert len(shots) == steps


# -- the line of communications (4.3) ---------------------------------------------------------


ENDS = {"US-36": "2522", "BR-1P": "4108"}
# A wall from the Adriatic to the ridge of 4017, and across the toe: divisions close the hexes beside them, corps
# support only its own. Between 4017 and 4116 lies nothing but a blocked hexside.
WALL = {"10-16Pz": "3706", "10-26Pz": "3709", "10-29PG": "3712"}
STOPS = {
    "10-14Pz": "3714",
    "10-76Pz": "3815",
    "10-1PK": "3915",
    "2SS-CS": "4016",
    "5Pz-12": "4217",
    "5Pz-13": "4316",
}


@rule("4.3")
def test_the_line_does_not_cross_a_blocked_hexside() -> None:
    assert not line_of_communications(state_of({**ENDS, **WALL, **STOPS}, scenario="wat"))


@rule("4.3")
@pytest.mark.parametrize("gap", ["2SS-CS", "10-1PK"])
def test_it_finds_any_gap_however_long_the_way_and_corps_support_bars_only_its_own_hex(gap: str) -> None:
    stops = {unit: at for unit, at in STOPS.items() if unit != gap}
    assert line_of_communications(state_of({**ENDS, **WALL, **stops}, scenario="wat"))


@rule("4.3")
def test_it_does_not_cross_the_sea_between_two_land_hexes() -> None:
    shore = {"10-14Pz": "2721", "10-76Pz": "2722", "10-1PK": "2821", "2SS-CS": "2921"}
    salerno = {"scenario": "wat", "options": {"loc": "salerno"}}
    assert not line_of_communications(state_of({**ENDS, **shore}, **salerno)), "2623 and 2723 touch only at sea"
    for unit in ("10-14Pz", "10-76Pz", "10-1PK"):
        rest = {other: at for other, at in shore.items() if other != unit}
        assert line_of_communications(state_of({**ENDS, **rest}, **salerno)), "round by land"


@rule("4.3")
def test_german_zones_bar_it_and_allied_units_lift_them() -> None:
    ends = {**ENDS, **WALL, **STOPS}
    del ends["2SS-CS"]
    assert line_of_communications(state_of(ends, scenario="wat"))
    ends["2SS-1SS"] = "4115"  # a division beyond the gap: its zone covers 4016
    assert not line_of_communications(state_of(ends, scenario="wat"))
    relief = {"BR-78": "4016", "BR-5": "4114", "US-45": "4015", "US-34": "4116"}
    assert line_of_communications(state_of({**ends, **relief}, scenario="wat"))


@rule("4.3")
@pytest.mark.parametrize("city", ["2522", "4108"])
def test_a_german_in_either_city_bars_it(city: str) -> None:
    units = {unit: at for unit, at in ENDS.items() if at != city}
    assert line_of_communications(state_of(ENDS, scenario="wat"))
    assert not line_of_communications(state_of({**units, "10-14Pz": city}, scenario="wat"))
