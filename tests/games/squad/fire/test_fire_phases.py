"""Final Fire, Advancing Fire, lines of sight checked after the declaration, fire into Melee and at hidden Guns."""

from __future__ import annotations

from typing import Any

import pytest
from squad_support import cell, do, drill, get, get_weapon, happened, offered, rule, unit, weapon

from sandtable.engine import Match, Play, ScriptedDice
from sandtable.engine.errors import IllegalAction
from sandtable.games.squad.fire.ending import _end_advancing_fire
from sandtable.games.squad.fire.model import (
    AddDirector,
    AddFirer,
    AimAt,
    CancelFire,
    DestroyWeapon,
    Fired,
    LineBlocked,
    ResolveFire,
    StartDestroying,
    StartFire,
)
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.pieces.events import MadeDesperate, Revealed
from sandtable.games.squad.pieces.model import FINAL_FIRE, FIRST_FIRE, NO_MARKER, PREP_FIRE


def russian_turn(
    phase: str, units: list[dict[str, Any]], weapons: list[dict[str, Any]] | None = None, **more: Any
) -> Match:
    return drill("y", phase, units, weapons or [], **more)


def fire(match: Match, first: str, *then: Any, at: str) -> Fired:
    events = do(match, StartFire(first), AimAt(cell(match, at)), *then, ResolveFire())
    (fired,) = happened(events, Fired)
    assert isinstance(fired, Fired)
    return fired


# -- Final Fire -------------------------------------------------------------------------


@rule("3.4")
def test_first_fire_counters_allow_final_fire_at_adjacent_hexes_at_half_strength() -> None:
    units = [unit("g", "german 4-6-7", "W4", marker=FIRST_FIRE), unit("r1", "russian 4-4-7", "V4")]
    match = russian_turn("DFPh", [*units, unit("r2", "russian 4-4-7", "R3")], dice=[6, 5])
    do(match, StartFire("g"))
    assert [action.at for action in offered(match, AimAt)] == [cell(match, "V4")]
    events = do(match, AimAt(cell(match, "V4")), ResolveFire())
    assert happened(events, Fired)[0].fp == 4, "halved and doubled"


@rule("3.4")
def test_final_fire_counters_end_it() -> None:
    units = [unit("g", "german 4-6-7", "W4", marker=FINAL_FIRE), unit("r1", "russian 4-4-7", "V4")]
    match = russian_turn("DFPh", units, [weapon("mg", "german LMG", "g", marker=FINAL_FIRE)])
    assert not offered(match, StartFire)
    with pytest.raises(IllegalAction, match="fired already"):
        do(match, StartFire("g"))


@rule("3.4")
@rule("4.1")
def test_a_machine_gun_that_kept_its_rate_fires_at_any_range_and_a_marked_one_breaks_sooner() -> None:
    units = [unit("g", "german 4-6-7", "W4", marker=FIRST_FIRE), unit("r1", "russian 4-4-7", "R3")]
    match = russian_turn("DFPh", units, [weapon("mg", "german MMG", "g")], dice=[4, 6])
    assert fire(match, "mg", at="R3").fp == 5
    assert not get_weapon(match, "mg").broken
    assert get_weapon(match, "mg").marker == FINAL_FIRE
    units[1] = unit("r1", "russian 4-4-7", "V4")
    match = russian_turn("DFPh", units, [weapon("mg", "german MMG", "g", marker=FIRST_FIRE)], dice=[4, 6])
    assert fire(match, "mg", at="V4").fp == 5, "halved and doubled"
    assert get_weapon(match, "mg").broken


@rule("3.4")
def test_final_fire_strikes_all_in_the_hex_without_movement_modifiers() -> None:
    units = [
        unit("g", "german 4-6-7", "W4"),
        unit("r1", "russian 4-4-7", "R3", moved=True),
        unit("r2", "russian 4-4-7", "R3"),
    ]
    match = russian_turn("DFPh", units, dice=[2, 3, 4, 4, 4, 4])
    fired = fire(match, "g", at="R3")
    assert (fired.dr, fired.result) == (5, "1MC")
    assert get(match, "r1").broken
    assert get(match, "r2").broken


@rule("3.4")
def test_direction_is_repeated_for_the_same_firers_only() -> None:
    units = [
        unit("g1", "german 4-6-7", "W4", marker=FIRST_FIRE),
        unit("g2", "german 4-6-7", "W4"),
        unit("la", "german 9-2", "W4", marker=FIRST_FIRE, directed=["g1"]),
        unit("r1", "russian 4-4-7", "V4"),
    ]
    match = russian_turn("DFPh", units)
    do(match, StartFire("g1"), AimAt(cell(match, "V4")))
    assert AddDirector("la") in offered(match, AddDirector)
    do(match, AddFirer("g2"))
    assert AddDirector("la") not in offered(match, AddDirector)


# -- Advancing Fire -----------------------------------------------------------------------


@rule("3.5")
def test_who_fired_in_the_prep_fire_phase_does_not_fire_again() -> None:
    units = [unit("r1", "russian 4-4-7", "W4"), unit("r2", "russian 4-4-7", "V3"), unit("g", "german 4-6-7", "S4")]
    match = russian_turn("PFPh", units, [weapon("mg", "russian MMG", "r1")], dice=[1, 6, 1, 1])
    fire(match, "mg", at="S4")
    assert get_weapon(match, "mg").marker == NO_MARKER, "it kept its rate"
    do(match, EndPhase())
    assert get_weapon(match, "mg").marker == PREP_FIRE
    do(match, EndPhase())
    while match.state.phase != "AFPh":
        do(match, EndPhase())
    assert {start.firer for start in offered(match, StartFire)} == {"r1", "r2"}


@rule("3.5")
@pytest.mark.parametrize("heavy", ["russian MMG", "russian HMG"])
def test_medium_machine_guns_that_moved_do_not_fire(heavy: str) -> None:
    units = [unit("r1", "russian 4-4-7", "W4"), unit("r2", "russian 4-4-7", "W4"), unit("g", "german 4-6-7", "S4")]
    guns = [weapon("m1", heavy, "r1", moved=True), weapon("m2", "russian LMG", "r2", moved=True)]
    match = russian_turn("AFPh", units, guns)
    assert {start.firer for start in offered(match, StartFire)} == {"r1", "r2", "m2"}
    with pytest.raises(IllegalAction, match="moved"):
        do(match, StartFire("m1"))


@rule("3.5")
@rule("1.2.4.1")
def test_no_rate_of_fire_in_the_advancing_fire_phase() -> None:
    units = [unit("r1", "russian 4-4-7", "W4"), unit("g", "german 4-6-7", "S4")]
    match = russian_turn("AFPh", units, [weapon("mg", "russian MMG", "r1")], dice=[1, 6])
    assert fire(match, "mg", at="S4").fp == 2
    assert get_weapon(match, "mg").marker == PREP_FIRE


# -- lines of sight -----------------------------------------------------------------------


@rule("3.2.1")
def test_a_declared_line_that_is_blocked_uses_up_the_firers() -> None:
    units = [unit("g", "german 4-6-7", "I2"), unit("r", "russian 4-4-7", "K4"), unit("g2", "german 4-6-7", "W4")]
    match = drill("y", "PFPh", units, attacker="german", options={"los": "declared"})
    events = do(match, StartFire("g"), AimAt(cell(match, "K4")), ResolveFire())
    assert happened(events, LineBlocked)
    assert not happened(events, Fired)
    assert get(match, "g").marker == PREP_FIRE


@rule("3.2.1")
def test_breakdown_is_possible_on_a_blocked_line() -> None:
    units = [unit("g", "german 4-6-7", "I2"), unit("r", "russian 4-4-7", "K4")]
    guns = [weapon("mg", "german LMG", "g")]
    match = drill("y", "PFPh", units, guns, attacker="german", options={"los": "declared"}, dice=[6, 6])
    do(match, StartFire("mg"), AimAt(cell(match, "K4")), ResolveFire())
    assert get_weapon(match, "mg").broken


@rule("3.2.1")
@rule("3.2.2")
def test_the_rest_of_a_group_fires_on() -> None:
    units = [unit("g1", "german 4-6-7", "I2"), unit("g2", "german 4-6-7", "J2"), unit("r", "russian 4-4-7", "K4")]
    match = drill("y", "PFPh", units, attacker="german", options={"los": "declared"}, dice=[6, 5])
    events = do(match, StartFire("g1"), AimAt(cell(match, "K4")), AddFirer("g2"), ResolveFire())
    assert [event.firers for event in happened(events, LineBlocked)] == [("g1",)]
    assert not offered(match, AddFirer)
    assert offered(match, CancelFire), "the rest may fire, or not"
    events = do(match, ResolveFire())
    assert happened(events, Fired)[0].firers == ("g2",)


@rule("3.2.1")
def test_free_lines_offer_only_what_is_seen() -> None:
    units = [unit("g", "german 4-6-7", "I2"), unit("r1", "russian 4-4-7", "K4"), unit("r2", "russian 4-4-7", "J5")]
    match = drill("y", "PFPh", [*units, unit("r3", "russian 4-4-7", "F3")], attacker="german", dice=[6, 5])
    do(match, StartFire("g"))
    assert {action.at for action in offered(match, AimAt)} == {cell(match, "J5"), cell(match, "F3")}
    refused = [refusal for refusal in match.refusals("german") if "K4" in refusal.cells]
    assert [(refusal.reason, refusal.rule) for refusal in refused] == [
        ("The line of sight is blocked: pick a target in sight", "3.2.1")
    ]
    events = do(match, AimAt(cell(match, "J5")), ResolveFire())
    assert happened(events, Fired)[0].dr == 12, "the orchard in J4 hinders"


# -- broken targets, Melee, hidden Guns -----------------------------------------------------


@rule("3.2.3")
@pytest.mark.parametrize(("kind", "desperate"), [("german 4-6-7", True), ("german 2-4-7", False)])
def test_fire_that_could_hurt_puts_broken_units_under_dm(kind: str, desperate: bool) -> None:
    """In stone (+3): an original 3 is a NMC on the 4 column; an original 2 would cower. The half-squad has 1 FP."""
    units = [unit("g", kind, "N5"), unit("r", "russian 4-4-7", "P1", broken=True)]
    match = drill("y", "PFPh", units, attacker="german", dice=[6, 5])
    events = do(match, StartFire("g"), AimAt(cell(match, "P1")), ResolveFire())
    assert bool(happened(events, MadeDesperate)) is desperate
    assert get(match, "r").dm is desperate


@rule("3.8")
def test_fire_into_a_melee_hits_both_sides() -> None:
    units = [
        unit("g", "german 4-6-7", "W4"),
        unit("gm", "german 4-6-7", "R3", melee=True),
        unit("rm", "russian 4-4-7", "R3", melee=True),
    ]
    match = drill("y", "PFPh", units, attacker="german", dice=[1, 3, 4, 4, 4, 4])
    fired = fire(match, "g", at="R3")
    assert fired.result == "1MC"
    assert get(match, "gm").broken
    assert get(match, "rm").broken


@rule("3.8")
def test_units_in_melee_do_not_fire() -> None:
    units = [unit("gm", "german 4-6-7", "W4", melee=True), unit("rm", "russian 4-4-7", "W4", melee=True)]
    match = drill(
        "y", "PFPh", [*units, unit("r", "russian 4-4-7", "R3"), unit("g", "german 4-6-7", "V3")], attacker="german"
    )
    assert {start.firer for start in offered(match, StartFire)} == {"g"}


@rule("6.4")
@pytest.mark.parametrize(("dice", "found"), [([2, 3, 4, 5], True), ([5, 6], False)], ids=["an effect", "none"])
def test_fire_at_a_hidden_gun_is_area_fire(dice: list[int], found: bool) -> None:
    units = [unit("g", "german 4-6-7", "N5"), unit("rc", "russian 2-2-7", "O5", hip=True)]
    guns = [weapon("gun", "russian 45mm PTP obr. 32 AT", "rc", facing=0, hip=True, emplaced=True)]
    match = drill("y", "PFPh", units, guns, attacker="german", dice=dice)
    events = do(match, StartFire("g"), AimAt(cell(match, "O5")), ResolveFire())
    assert bool(happened(events, Revealed)) is found
    assert get(match, "rc").hip is not found
    assert happened(events, Fired)[0].fp == 4, "half of 8"
    assert not happened(events, Fired)[0].others, "nothing tells that somebody is there"


@rule("6.4")
def test_a_search_of_empty_hexes_offers_all_places_alike() -> None:
    def aims(place: str) -> set[int]:
        units = [unit("g", "german 4-6-7", "W4"), unit("rc", "russian 2-2-7", place, hip=True)]
        guns = [weapon("gun", "russian 45mm PTP obr. 32 AT", "rc", facing=0, hip=True, emplaced=True)]
        match = drill("y", "PFPh", units, guns, attacker="german")
        do(match, StartFire("g"))
        return {action.at for action in offered(match, AimAt)}

    assert aims("V4") == aims("Q3")


# -- weapons ----------------------------------------------------------------------------


@rule("4.0")
def test_owners_may_destroy_their_weapons_as_a_use() -> None:
    units = [unit("g", "german 2-4-7", "W4"), unit("r", "russian 4-4-7", "V4")]
    match = drill("y", "PFPh", units, [weapon("mg", "german LMG", "g", broken=True)], attacker="german")
    do(match, StartDestroying())
    assert match.describe("german", CancelFire()).text == "Do not destroy any"
    do(match, DestroyWeapon("mg"))
    assert "mg" in match.state.gone
    assert StartFire("g") not in offered(match, StartFire), "a half-squad that used a weapon has forfeited its own FP"


@rule("6.8")
def test_a_gun_fires_its_infantry_firepower_alone_and_turns_for_it() -> None:
    units = [unit("g", "german 2-2-8", "W4"), unit("g2", "german 4-6-7", "W4"), unit("r", "russian 4-4-7", "R3")]
    guns = [weapon("flak", "german 2cm FlaK 38 AA", "g", facing=3)]
    match = drill("y", "PFPh", units, guns, attacker="german", dice=[2, 2, 6, 6])
    do(match, StartFire("flak"), AimAt(cell(match, "R3")))
    assert not offered(match, AddFirer)
    preview = match.preview("german", ResolveFire())
    assert preview is not None
    events = do(match, ResolveFire())
    (fired,) = happened(events, Fired)
    assert fired.cowered == 0, "doubles do not cower an IFE"
    assert get_weapon(match, "flak").facing != 3


@rule("3.5")
def test_prep_fire_counters_come_off_at_the_end_of_the_afph() -> None:
    units = [unit("a", "russian 4-4-7", "I5", marker=PREP_FIRE), unit("b", "russian 4-4-7", "I5")]
    match = drill("z", "AFPh", [*units, unit("g", "german 4-6-7", "J5")])
    _end_advancing_fire(Play(match.state, ScriptedDice()))
    assert get(match, "a").marker == get(match, "b").marker == NO_MARKER
