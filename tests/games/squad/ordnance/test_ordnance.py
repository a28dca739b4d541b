"""Shots from the declaration to the markers: ammunition, Smoke, breakdown, Rate of Fire, Residual FP (3.2.4, 6)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from ordnance_support import aim, point, shoot
from squad_support import at, cell, do, drill, get, get_weapon, happened, offered, rule, unit, weapon

import sandtable
from sandtable.engine import Event, Match
from sandtable.games.squad.fire.model import AddDirector, AimAt, LineBlocked, ResolveFire, StartFire
from sandtable.games.squad.ground.counters import residual_in
from sandtable.games.squad.ground.setting import ground_of
from sandtable.games.squad.movement.model import BeginMove, StartMove, Step
from sandtable.games.squad.ordnance.model import LastRound, NoAmmunition, OrdnanceHit, Shoot, Shot, StartShot
from sandtable.games.squad.ordnance.shots import shooter_bar
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.pieces.events import MoraleChecked, WeaponBroke
from sandtable.games.squad.pieces.model import (
    FINAL_FIRE,
    INTENSIVE_FIRE,
    NO_MARKER,
    PREP_FIRE,
    Acquired,
    Counter,
)

BOARD = "xwinter"
PAK = "german 7.5cm PaK 40 AT"
HOWITZER = "american M2A1 105mm ART"
FIELD_GUN = "russian 76.2mm P obr. 39 ART"


def battery(
    gun: str, crew: str, *dice: int, board: str = BOARD, phase: str = "PFPh", target: str = "D6", **more: Any
) -> Match:
    """A weapon in D8 looking along D7 to D6, where an enemy squad stands in the open two hexes away."""
    side = "german" if gun.startswith("german") else "russian"
    enemy = "russian 4-4-7" if side == "german" else "german 4-6-7"
    attacker = side if phase in ("PFPh", "AFPh") else {"german": "russian", "russian": "german"}[side]
    match = drill(
        board,
        phase,
        [unit("crew", crew, "D8", **more.pop("owner", {})), unit("e1", enemy, target), *more.pop("units", ())],
        [weapon("w", gun, "crew", facing=0, **more.pop("state", {})), *more.pop("weapons", ())],
        dice=dice,
        attacker=attacker,
        **more,
    )
    point(match, "w", "D8", "D7", "E8")
    return match


def kinds(match: Match, target: str, *, anywhere: bool = False) -> set[tuple[str, str]]:
    """Target types and ammunition that are offered against a hex."""
    aim(match, "w", target, anywhere=anywhere)
    return {(shot.target_type, shot.ammo) for shot in offered(match, Shoot)}


# -- ammunition ---------------------------------------------------------------------------


@rule("3.2.4")
@rule("6.0")
def test_target_types_and_ammunition_of_a_gun_and_a_mortar() -> None:
    assert kinds(battery(PAK, "german 2-2-8"), "D6") == {("ITT", "HE"), ("ATT", "HE"), ("ITT", "AP"), ("ATT", "s")}
    mortar = battery("german 8cm GrW 34 MTR", "german 2-2-8")
    assert kinds(mortar, "D6") == {("ATT", "HE"), ("ATT", "s")}


@rule("6.0")
@rule("6.2")
def test_the_american_57mm_has_he_only_from_june_1944() -> None:
    gun = "american M1 57mm AT"
    assert kinds(battery(gun, "american 2-2-7"), "D6") == {("ITT", "AP")}
    late = kinds(battery(gun, "american 2-2-7", board="x1944"), "D6")
    assert late == {("ITT", "AP"), ("ITT", "HE"), ("ATT", "HE")}


@rule("4.4")
@rule("6.2")
def test_heat_is_for_buildings_and_guns() -> None:
    match = battery(HOWITZER, "american 2-2-7")
    assert ("ITT", "H") not in kinds(match, "D6")
    indoors = battery(HOWITZER, "american 2-2-7", target="C7")
    assert ground_of(indoors.state).in_building[cell(indoors, "C7")]
    assert ("ITT", "H") in kinds(indoors, "C7")
    manned = battery(HOWITZER, "american 2-2-7", weapons=[weapon("t", PAK, "e1", facing=0)])
    assert ("ITT", "H") in kinds(manned, "D6")


@rule("6.2")
@pytest.mark.parametrize(
    ("dice", "fired", "left"),
    [((3, 3), True, True), ((3, 4), True, False), ((4, 4), False, False)],
)
def test_a_depletion_number_of_seven(dice: tuple[int, int], fired: bool, left: bool) -> None:
    # the 105mm has Smoke 7: less has more of it, equal was the last, more never had any and did not fire
    match = battery(HOWITZER, "american 2-2-7", *dice)
    events = shoot(match, "w", "D6", "ATT", "s")
    assert bool(happened(events, Shot)) is fired
    assert bool(happened(events, NoAmmunition)) is not fired
    assert bool(happened(events, LastRound)) is (fired and not left)
    gun = get_weapon(match, "w")
    assert ("s" not in gun.depleted) is left
    assert (gun.marker != NO_MARKER or gun.shots > 0) is fired
    if not fired:
        assert ("ATT", "s") not in kinds(match, "D6")


@rule("6.2")
def test_a_breakdown_while_trying_for_special_ammo_is_a_shot() -> None:
    match = battery(HOWITZER, "american 2-2-7", 6, 6)
    events = shoot(match, "w", "D6", "ATT", "s")
    assert happened(events, Shot)
    assert happened(events, WeaponBroke)
    gun = get_weapon(match, "w")
    assert gun.broken
    assert gun.depleted == ("s",)
    assert cell(match, "D6") not in match.state.counters


# -- Smoke and White Phosphorus -------------------------------------------------------------


@rule("1.2.5")
@rule("6.2")
def test_smoke_is_full_in_the_pfph_and_dispersed_in_the_dfph() -> None:
    match = battery(FIELD_GUN, "russian 2-2-8", 2, 3)
    shoot(match, "w", "D6", "ATT", "s")
    assert match.state.counters[cell(match, "D6")] == (Counter("smoke", "russian"),)
    match = battery(FIELD_GUN, "russian 2-2-8", 2, 3, phase="DFPh")
    shoot(match, "w", "D6", "ATT", "s")
    assert match.state.counters[cell(match, "D6")] == (Counter("dispersed", "russian"),)


@rule("6.2")
@rule("6.11")
def test_smoke_uses_an_acquired_hex_and_loses_it() -> None:
    match = battery(FIELD_GUN, "russian 2-2-8", 2, 3)
    d6 = cell(match, "D6")
    match.state.weapons["w"] = replace(get_weapon(match, "w"), acquired=Acquired(d6, -2, True))
    events = shoot(match, "w", "D6", "ATT", "s")
    assert happened(events, Shot)[0].final == 5 - 2 - 2
    assert get_weapon(match, "w").acquired is None


@rule("6.2")
def test_smoke_comes_before_everything_else() -> None:
    more = {"units": [unit("r2", "russian 4-4-7", "E9")]}
    match = battery(FIELD_GUN, "russian 2-2-8", 6, 5, **more)
    assert ("ATT", "s") in kinds(match, "D6")
    match = battery(FIELD_GUN, "russian 2-2-8", 6, 5, **more)
    do(match, StartFire("r2"))
    do(match, offered(match, AimAt)[0], ResolveFire())
    assert ("ATT", "s") not in kinds(match, "D6")


@rule("6.2")
def test_a_flamethrower_that_ran_dry_was_fire_all_the_same() -> None:
    units = [unit("r2", "russian 4-4-7", "D8"), unit("e2", "german 4-6-7", "D9")]
    match = battery(FIELD_GUN, "russian 2-2-8", 6, 6, 3, 3, units=units, weapons=[weapon("ft", "russian FT", "r2")])
    do(match, StartFire("ft"), AimAt(cell(match, "D9")), ResolveFire())
    assert "ft" not in match.state.weapons
    assert ("ATT", "s") not in kinds(match, "D6")


@rule("6.2")
def test_smoke_may_be_fired_at_an_empty_hex_and_at_ones_own_units() -> None:
    match = battery(FIELD_GUN, "russian 2-2-8", units=[unit("r2", "russian 4-4-7", "D7")])
    assert kinds(match, "D7", anywhere=True) == {("ATT", "s")}


@rule("6.2")
def test_no_smoke_in_defensive_first_fire_but_white_phosphorus() -> None:
    match = battery(HOWITZER, "american 2-2-7", phase="MPh", target="D6")
    do(match, StartMove("e1"), BeginMove(), Step(cell(match, "D7"), road=True))
    do(match, StartShot("w"))
    found = {(shot.target_type, shot.ammo) for shot in offered(match, Shoot)}
    assert ("ATT", "WP") in found
    assert ("ATT", "s") not in found


@rule("6.2")
def test_white_phosphorus_makes_units_check_with_their_tem_against_them() -> None:
    # the stone building is subtracted from the NMC DR
    match = battery(HOWITZER, "american 2-2-7", 2, 3, 5, 4, target="C7")
    point(match, "w", "D8", "C8", "D7")
    events = shoot(match, "w", "C7", "ATT", "WP")
    assert match.state.counters[cell(match, "C7")] == (Counter("wp", "russian"),)
    check = happened(events, MoraleChecked)[0]
    assert (check.what, check.dr, check.passed) == ("NMC", 9 - 3, True)
    assert not happened(events, OrdnanceHit)


@rule("6.2")
def test_a_critical_hit_of_white_phosphorus_adds_the_tem() -> None:
    match = battery(HOWITZER, "american 2-2-7", 1, 1, 2, 3, target="C7")
    point(match, "w", "D8", "C8", "D7")
    events = shoot(match, "w", "C7", "ATT", "WP")
    assert happened(events, MoraleChecked)[0].dr == 5 + 3


# -- Rate of Fire and Intensive Fire --------------------------------------------------------


@rule("1.2.4.1")
def test_rate_of_fire_is_kept_by_the_coloured_die() -> None:
    match = battery(PAK, "german 2-2-8", 2, 6, 6, 6)
    assert happened(shoot(match, "w", "D6"), Shot)[0].kept_rof
    assert get_weapon(match, "w").marker == NO_MARKER
    match = battery(PAK, "german 2-2-8", 3, 6, 6, 6)
    shoot(match, "w", "D6")
    assert get_weapon(match, "w").marker == PREP_FIRE


@rule("3.2.4")
def test_a_gun_without_rate_of_fire_that_turns_cannot_fire_again() -> None:
    match = battery("american M1 155mm ART", "american 2-2-7", 6, 5)
    now = get_weapon(match, "w").facing
    match.state.weapons["w"] = replace(get_weapon(match, "w"), facing=(now + 3) % 6)
    aim(match, "w", "D6")
    do(match, next(shot for shot in offered(match, Shoot) if shot.target_type == "ITT"))
    assert get_weapon(match, "w").marker == INTENSIVE_FIRE
    assert not offered(match, StartShot)


@rule("3.2.4")
@pytest.mark.parametrize("phase", ["PFPh", "DFPh"])
@pytest.mark.parametrize(("reading", "again"), [("silent", False), ("intensive", True)])
def test_a_gun_after_the_area_target_type(phase: str, reading: str, again: bool) -> None:
    match = battery(PAK, "german 2-2-8", 5, 6, 6, 6, phase=phase, options={"area_fire": reading})
    assert not happened(shoot(match, "w", "D6", "ATT"), Shot)[0].kept_rof
    assert bool(offered(match, StartShot)) is again


@rule("3.2.4")
def test_a_mortar_may_add_intensive_fire_to_the_area_target_type() -> None:
    match = battery("german 8cm GrW 34 MTR", "german 2-2-8", 5, 6, 6, 6, target="D5")
    assert not happened(shoot(match, "w", "D5", "ATT"), Shot)[0].kept_rof
    assert offered(match, StartShot)


@rule("3.2.4")
@rule("6.12")
def test_an_original_12_of_intensive_fire_removes_the_gun() -> None:
    match = battery(PAK, "german 2-2-8", 6, 6, state={"marker": PREP_FIRE, "shots": 1})
    events = shoot(match, "w", "D6")
    assert happened(events, WeaponBroke)[0].removed
    assert "w" not in match.state.weapons


@rule("6.12")
def test_an_original_12_malfunctions_a_gun_in_normal_use() -> None:
    match = battery(PAK, "german 2-2-8", 6, 6)
    shoot(match, "w", "D6")
    assert get_weapon(match, "w").broken
    assert get_weapon(match, "w").acquired is None


@rule("3.4")
def test_a_gun_that_fires_in_the_dfph_may_add_intensive_fire() -> None:
    match = battery(PAK, "german 2-2-8", 5, 6, 6, 6, phase="DFPh")
    shoot(match, "w", "D6")
    assert get_weapon(match, "w").marker == FINAL_FIRE
    assert StartShot("w") in offered(match, StartShot)


@rule("3.5")
def test_guns_and_mortars_that_moved_do_not_fire_in_the_afph_and_nobody_fires_twice() -> None:
    assert not offered(battery(PAK, "german 2-2-8", phase="AFPh", state={"moved": True}), StartShot)
    mortar = battery("german 5cm leGrW 36", "german 4-6-7", phase="AFPh", state={"moved": True}, target="D4")
    assert not offered(mortar, StartShot)
    rockets = battery("german PSK", "german 4-6-7", phase="AFPh", state={"moved": True})
    assert shooter_bar(rockets.state, get_weapon(rockets, "w"), "advancing") is None, "light anti-tank weapons do"
    match = battery(PAK, "german 2-2-8", 1, 6, 6, 6, phase="AFPh")
    shot = happened(shoot(match, "w", "D6"), Shot)[0]
    assert shot.final == 7 + 2
    assert not shot.kept_rof
    assert not offered(match, StartShot)


@rule("4.0")
def test_a_crew_that_fires_its_gun_forfeits_its_own_firepower() -> None:
    match = battery(PAK, "german 2-2-8", 5, 6, 6, 6)
    assert StartFire("crew") in offered(match, StartFire)
    shoot(match, "w", "D6")
    assert StartFire("crew") not in offered(match, StartFire)
    squad = battery(PAK, "german 4-6-7", 5, 5)
    shoot(squad, "w", "D6")
    assert StartFire("crew") in offered(squad, StartFire)


@rule("3.2.4")
def test_a_leader_alone_cannot_man_a_gun() -> None:
    match = battery(PAK, "german 9-1")
    assert not offered(match, StartShot)
    reason = match.game.why_not(match.state, "german", StartShot("w"))
    assert reason[1] == "3.2.4"


# -- Defensive First Fire ---------------------------------------------------------------------


def first_fire(*dice: int, gun: str = PAK, **shot: Any) -> tuple[Match, list[Event]]:
    """A squad steps from D6 to D7 in front of a Gun in D8, which fires."""
    match = battery(gun, "german 2-2-8", *dice, phase="MPh")
    do(match, StartMove("e1"), BeginMove(), Step(cell(match, "D7"), road=True))
    return match, do(match, StartShot("w"), Shoot(**shot))


@rule("3.3.1")
def test_a_hit_leaves_residual_firepower_unless_rate_of_fire_is_kept() -> None:
    match, events = first_fire(5, 4, 6, 6, target_type="ITT")
    # FFNAM and FFMO: 9 - 2 hits 10; half of the 12 column
    assert happened(events, Shot)[0].final == 7
    assert residual_in(match.state, cell(match, "D7")) == 6
    match, _ = first_fire(2, 6, 6, 6, target_type="ITT")
    assert not residual_in(match.state, cell(match, "D7"))
    match, _ = first_fire(2, 6, 6, 6, target_type="ITT", forgo=True)
    assert residual_in(match.state, cell(match, "D7")) == 6
    match, _ = first_fire(5, 4, 6, 6, target_type="ATT")
    assert residual_in(match.state, cell(match, "D7")) == 3


@rule("6.2")
def test_ap_leaves_no_residual_firepower() -> None:
    match, events = first_fire(5, 4, 6, 6, target_type="ITT", ammo="AP")
    assert happened(events, Shot)[0].hit
    assert not residual_in(match.state, cell(match, "D7"))


@rule("3.3.1")
def test_modifiers_from_outside_the_hex_lower_the_residual_firepower() -> None:
    match = battery(PAK, "german 2-2-8", 5, 4, 6, 6, phase="MPh", owner={"cx": True})
    do(match, StartMove("e1"), BeginMove(), Step(cell(match, "D7"), road=True))
    do(match, StartShot("w"), Shoot("ITT"))
    # 6 and one column less
    assert residual_in(match.state, cell(match, "D7")) == 4


@rule("3.3.1")
def test_only_the_movers_are_hit() -> None:
    match = battery(PAK, "german 2-2-8", 5, 4, 3, 4, 1, 1, phase="MPh", units=[unit("e2", "russian 4-4-7", "D7")])
    do(match, StartMove("e1"), BeginMove(), Step(cell(match, "D7"), road=True))
    events = do(match, StartShot("w"), Shoot("ITT"))
    assert {check.unit for check in happened(events, MoraleChecked)} == {"e1"}
    assert at(match, "e1") == "D7"


# -- directed support weapons -------------------------------------------------------------------


@rule("4.5")
def test_a_leader_directs_a_light_mortar() -> None:
    match = drill(
        BOARD,
        "PFPh",
        [unit("g1", "german 4-6-7", "D8"), unit("l", "german 9-1", "D8"), unit("r1", "russian 4-4-7", "D6")],
        [weapon("w", "german 5cm leGrW 36", "g1")],
        dice=(4, 4, 6, 6),
        attacker="german",
    )
    aim(match, "w", "D6")
    events = do(match, AddDirector("l"), Shoot("ATT"))
    shot = happened(events, Shot)[0]
    assert (shot.final, shot.hit) == (7, True)
    assert get(match, "l").directed == ("w",)
    units = [unit("l", "german 9-1", "D8"), unit("r1", "russian 4-4-7", "D6")]
    alone = drill(BOARD, "PFPh", units, [weapon("w", "german 5cm leGrW 36", "l")], attacker="german")
    aim(alone, "w", "D6")
    assert not offered(alone, AddDirector), "he does not direct himself"


@rule("4.4.1")
def test_two_leaders_fire_a_bazooka_and_one_does_not() -> None:
    def leaders(count: int, *dice: int) -> Match:
        return drill(
            "w1943",
            "PFPh",
            [unit(f"l{n}", "american 8-1", "DD9") for n in range(count)] + [unit("i2", "italian 3-4-6", "DD7")],
            [weapon("w", "american BAZ 43", "l0")],
            dice=dice,
        )

    assert not offered(leaders(1), StartShot)
    match = leaders(2, 4, 4)
    aim(match, "w", "DD7")
    assert not offered(match, Shoot)
    do(match, AddDirector("l1"))
    # their leadership does not help themselves
    events = do(match, Shoot("LATW", "H"))
    assert happened(events, Shot)[0].final == 8 + 3 + 1
    assert get(match, "l0").used == get(match, "l1").used == ("w",)
    assert get(match, "l0").marker == get(match, "l1").marker == PREP_FIRE


@rule("4.4.1")
def test_a_bazooka_is_removed_by_its_x_number() -> None:
    match = drill(
        "w1943",
        "PFPh",
        [unit("a1", "american 7-4-7", "DD9"), unit("i2", "italian 3-4-6", "DD7")],
        [weapon("w", "american BAZ 43", "a1")],
        dice=(5, 5),
    )
    events = shoot(match, "w", "DD7", "LATW", "H")
    assert happened(events, WeaponBroke)[0].removed
    assert "w" not in match.state.weapons


# -- lines of sight ---------------------------------------------------------------------------


@rule("3.2.1")
def test_a_declared_shot_without_a_line_of_sight_is_wasted() -> None:
    match = battery(PAK, "german 2-2-8", 6, 5, target="A7", options={"los": "declared"})
    assert ground_of(match.state).los_row(cell(match, "D8"))[cell(match, "A7")] == 255
    aim(match, "w", "A7")
    events = do(match, offered(match, Shoot)[0])
    assert happened(events, LineBlocked)
    assert not happened(events, Shot)
    assert get_weapon(match, "w").marker == PREP_FIRE
    free = battery(PAK, "german 2-2-8", target="A7")
    do(free, StartShot("w"))
    assert AimAt(cell(free, "A7")) not in offered(free, AimAt)
    assert "blocked" in free.game.why_not(free.state, "german", AimAt(cell(free, "A7")))[0]


@rule("3.2.4")
def test_the_guide_has_no_ordnance() -> None:
    match = drill(
        "1",
        "PFPh",
        [unit("g1", "german 4-6-7", "K5"), unit("r1", "russian 4-4-7", "K7")],
        [weapon("w", "german 5cm leGrW 36", "g1")],
        attacker="german",
        game="guidedrill",
    )
    assert not offered(match, StartShot)
    do(match, EndPhase())
    assert match.state.phase == "MPh"


@rule("6.10")
def test_a_position_file_names_the_hex_of_an_acquired_target() -> None:
    match = battery(PAK, "german 2-2-8", 6, 5, state={"acquired": {"at": "D6", "level": -2, "units": ["e1"]}})
    assert get_weapon(match, "w").acquired == Acquired(cell(match, "D6"), -2, False, ("e1",))
    written = match.position()
    line = written["state"]["weapons"][0]
    assert line["acquired"] == {"at": "D6", "level": -2, "units": ("e1",)}
    assert sandtable.new(written, seed=1).state.weapons == match.state.weapons


@rule("6.11")
def test_smoke_is_not_helped_by_an_acquired_unit() -> None:
    match = battery(FIELD_GUN, "russian 2-2-8", 2, 3, state={"acquired": {"at": "D6", "level": -2, "units": ["e1"]}})
    assert happened(shoot(match, "w", "D6", "ATT", "s"), Shot)[0].final == 5 - 2


# -- previews ---------------------------------------------------------------------------------


@rule("3.2.4")
def test_the_preview_of_a_shot_is_exact() -> None:
    match = battery(PAK, "german 2-2-8")
    aim(match, "w", "D6")
    preview = match.preview("german", Shoot("ITT"))
    assert preview is not None
    chances = {(line.piece, line.label): line.chance for line in preview.odds}
    # 9 or less hits in the open, 4 or less is a Critical Hit
    assert chances["", "hits"] == pytest.approx(30 / 36)
    assert chances["", "Critical Hit"] == pytest.approx(6 / 36)
    assert chances["w", "breaks down"] == pytest.approx(1 / 36)
    assert chances["w", "keeps Rate of Fire"] == pytest.approx(12 / 36)
    assert sum(chance for (piece, _), chance in chances.items() if piece == "e1") == pytest.approx(1)
    # 12 column for 24 of the 36 To Hit rolls, 24 column for the 6 Critical Hits: a KIA on 2, or on 4 and less
    assert chances["", "1KIA"] == pytest.approx(24 / 36 * 1 / 36 + 6 / 36 * 3 / 36)


@rule("6.2")
def test_the_preview_tells_the_chance_of_special_ammo() -> None:
    match = battery(HOWITZER, "american 2-2-7")
    assert match.game.preview(match.state, "russian", Shoot("ATT", "s")) is None, "at nothing yet"
    aim(match, "w", "D6")
    preview = match.preview("russian", Shoot("ATT", "s"))
    assert preview is not None
    assert "s has Depletion Number 7 (6.2)" in preview.notes
    chances = {line.label: line.chance for line in preview.odds}
    # Smoke 7: an 8 or more has none; 7 or less with -2 always hits
    assert chances["has no s"] == pytest.approx(15 / 36)
    assert chances["Smoke is placed"] == pytest.approx(21 / 36)
