"""Guns on the map: hiding, shields, Covered Arcs, Acquired Targets, Guns as targets (6.3 to 6.11)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from ordnance_support import PAK, observed, point, shoot
from squad_support import at, cell, do, drill, get, get_weapon, happened, offered, rule, unit, weapon

from sandtable.engine import Event, Match
from sandtable.games.squad.fire.model import AimAt
from sandtable.games.squad.ground.guns import can_interdict, gun_item, range_limits, shield_item
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.movement.model import BeginMove, Pass, StartMove, Step
from sandtable.games.squad.ordnance.model import (
    GunHit,
    KeepArcs,
    OrdnanceHit,
    Shoot,
    Shot,
    StartShot,
    TurnGun,
    TurnGuns,
)
from sandtable.games.squad.ordnance.preview import preview_shot
from sandtable.games.squad.ordnance.shots import _reach
from sandtable.games.squad.ordnance.tohit import OrdnanceShot, to_hit
from sandtable.games.squad.ordnance.turning import FaceGun, Facing, turn_bar
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.pieces.events import Eliminated, Revealed, Turned
from sandtable.games.squad.pieces.model import FINAL_FIRE, FIRST_FIRE, NO_MARKER, PREP_FIRE, Acquired

BOARD = "xwinter"


def hidden_gun(at_: str, *, phase: str = "MPh", dice: tuple[int, ...] = (), start: str = "E10") -> Match:
    """A hidden German 75mm and a Russian squad that moves."""
    return drill(
        BOARD,
        phase,
        [unit("crew", "german 2-2-8", at_, hip=True), unit("r1", "russian 4-4-7", start)],
        [weapon("pak", PAK, "crew", facing=3, emplaced=True, hip=True)],
        dice=dice,
    )


# -- Hidden Initial Placement -----------------------------------------------------------


@rule("6.4")
def test_a_hidden_gun_is_in_no_enemy_view_and_a_window_opens_all_the_same() -> None:
    match = hidden_gun("T2", start="E10")
    assert not any(piece["id"] in ("crew", "pak") for piece in match.view("russian")["pieces"])
    assert any(piece["id"] == "pak" for piece in match.view("german")["pieces"])
    do(match, StartMove("r1"), BeginMove())
    do(match, offered(match, Step)[0])
    # the gun in the woods far away may see nothing, but the DEFENDER is asked
    assert match.to_act == ("german",)
    do(match, Pass())
    assert get(match, "crew").hip


@rule("6.4")
def test_a_hidden_gun_in_the_open_is_seen_within_sixteen_hexes() -> None:
    match = hidden_gun("D6", start="D8")
    do(match, StartMove("r1"), BeginMove())
    events = do(match, Step(cell(match, "D7")))
    revealed = happened(events, Revealed)
    assert [event.unit for event in revealed] == ["crew"]
    assert not get_weapon(match, "pak").hip


@rule("6.4")
def test_a_hidden_gun_in_woods_throws_back_who_enters() -> None:
    match = hidden_gun("D5", start="D6")
    do(match, StartMove("r1"), BeginMove())
    events = do(match, Step(cell(match, "D5")))
    assert happened(events, Revealed)[0].unit == "crew"
    assert at(match, "r1") == "D6"
    assert get(match, "r1").moved


@rule("6.4")
def test_a_gun_that_fires_loses_hip() -> None:
    match = hidden_gun("D5", start="D7", dice=(6, 3, 6, 6))
    point(match, "pak", "D5", "D6", "C6")
    do(match, StartMove("r1"), BeginMove())
    do(match, Step(cell(match, "D6"), road=True))
    assert match.to_act == ("german",)
    events = do(match, StartShot("pak"), Shoot("ITT"))
    assert happened(events, Revealed)[0].why == "fires ordnance"
    assert get_weapon(match, "pak").marker == FIRST_FIRE


@rule("6.4")
@rule("3.2.4")
def test_a_gun_that_turns_at_the_end_of_a_fire_phase_loses_hip_and_its_acquisition() -> None:
    match = hidden_gun("D5", phase="DFPh")
    gun = get_weapon(match, "pak")
    match.state.weapons["pak"] = replace(gun, acquired=Acquired(cell(match, "E10"), -1, True))
    do(match, EndPhase())
    assert isinstance(match.state.stack[-1], TurnGuns)
    events = do(match, TurnGun("pak", 1))
    assert happened(events, Revealed)
    assert happened(events, Turned)[0].facing == 1
    assert get_weapon(match, "pak").acquired is None


@rule("6.4")
def test_ordnance_finds_a_hidden_gun_by_its_effect_only() -> None:
    def fire(*dice: int) -> Match:
        match = drill(
            BOARD,
            "PFPh",
            [unit("c", "german 2-2-8", "D5", hip=True), unit("rc", "russian 2-2-8", "D7")],
            [
                weapon("pak", PAK, "c", facing=0, emplaced=True, hip=True),
                weapon("45", "russian 45mm PTP obr. 32 AT", "rc", facing=0),
            ],
            dice=dice,
        )
        point(match, "45", "D7", "D6", "C7")
        shoot(match, "45", "D5", anywhere=True)
        return match

    # +2 hidden, +2 emplaced, +1 small: a 4 is 9, a hit on 9; 4 column: 8 does nothing, 3 is a 2MC
    assert get(fire(3, 1, 4, 4), "c").hip
    assert not get(fire(3, 1, 1, 2, 1, 1), "c").hip


# -- Emplacement and gunshields -----------------------------------------------------------


def crew_behind_gun(**more: Any) -> Match:
    match = drill(
        BOARD,
        "PFPh",
        [unit("crew", "german 2-2-8", "E8"), unit("r1", "russian 4-4-7", "E7"), unit("r2", "russian 4-4-7", "E9")],
        [weapon("pak", PAK, "crew", facing=0, **more)],
    )
    point(match, "pak", "E8", "E7", "F7")
    return match


@rule("6.6")
def test_a_gunshield_covers_the_good_order_crew_through_the_covered_arc() -> None:
    match = crew_behind_gun()
    state, crew = match.state, get(match, "crew")
    front, rear = cell(match, "E7"), cell(match, "E9")
    assert shield_item(state, (front,), crew) == ("gunshield", 2, "6.6")
    assert shield_item(state, (front,), crew, mortar=True) == ("gunshield", 1, "6.6")
    assert shield_item(state, (rear,), crew) is None
    assert shield_item(state, (front, rear), crew) is None
    assert shield_item(state, (front,), replace(crew, broken=True)) is None
    assert shield_item(state, (front,), replace(crew, kind="german 4-6-7")) is None


@rule("6.3")
def test_emplacement_stands_in_the_place_of_the_gunshield() -> None:
    match = crew_behind_gun(emplaced=True)
    crew = get(match, "crew")
    assert gun_item(match.state, (cell(match, "E9"),), crew) == ("Emplacement", 2, "6.3")
    assert gun_item(match.state, (cell(match, "E9"),), replace(crew, kind="german 4-6-7")) is None


# -- Guns as targets ------------------------------------------------------------------------


def duel(*dice: int, crew: str = "russian 2-2-8", ammo: str = "HE", extra: bool = False) -> tuple[Match, list[Event]]:
    """A German 75mm fires at a Russian 45mm that is not emplaced and shows its front, at two hexes in the open."""
    units = [unit("gc", "german 2-2-8", "D8"), unit("rc", crew, "D6")]
    if extra:
        units.append(unit("r2", "russian 4-4-7", "D6"))
    match = drill(
        BOARD,
        "PFPh",
        units,
        [weapon("pak", PAK, "gc", facing=0), weapon("45", "russian 45mm PTP obr. 32 AT", "rc", facing=0)],
        dice=dice,
        attacker="german",
    )
    point(match, "pak", "D8", "D7", "E8")
    point(match, "45", "D6", "D7", "E7")
    return match, shoot(match, "pak", "D6", "ITT", ammo)


@rule("6.7")
def test_a_kia_destroys_gun_and_crew() -> None:
    match, events = duel(4, 3, 1, 1)
    assert happened(events, OrdnanceHit)[0].result == "1KIA"
    assert happened(events, GunHit)[0].destroyed
    assert "45" not in match.state.weapons
    assert "rc" not in match.state.units


@rule("6.7")
@rule("6.6")
def test_a_k_malfunctions_the_gun_and_reduces_its_crew() -> None:
    match, events = duel(4, 3, 1, 2)  # the gunshield would make 5 of it, a 2MC
    assert happened(events, OrdnanceHit)[0].result == "K/3"
    assert not happened(events, GunHit)[0].destroyed
    assert get_weapon(match, "45").broken
    assert [event.unit for event in happened(events, Eliminated)] == ["rc"]


@rule("6.7")
def test_a_squad_that_mans_the_gun_is_reduced_and_checks() -> None:
    match, _ = duel(4, 3, 1, 2, 1, 1, crew="russian 4-4-7")
    assert get(match, "rc").kind == "russian 2-3-7"
    assert get_weapon(match, "45").broken


@rule("6.7")
def test_a_k_by_ap_eliminates_the_gun() -> None:
    match, events = duel(4, 3, 1, 1, ammo="AP")
    assert happened(events, OrdnanceHit)[0].result == "K/1"
    assert "45" not in match.state.weapons


@rule("6.7")
@rule("6.6")
def test_a_near_miss_gives_the_crew_its_gunshield() -> None:
    # 12 column: 7 is a 1MC, with the gunshield 9 is a NMC; 8 passes a NMC and would fail a 1MC
    match, events = duel(4, 3, 3, 4, 4, 4)
    assert happened(events, OrdnanceHit)[0].result == "1MC"
    assert not happened(events, GunHit)
    assert not get(match, "rc").broken


@rule("6.1")
@rule("6.7")
def test_a_critical_hit_destroys_the_gun_whatever_the_effect() -> None:
    match, events = duel(1, 1, 6, 6)
    assert happened(events, Shot)[0].critical
    assert "45" not in match.state.weapons
    assert "rc" not in match.state.units


@rule("6.7")
def test_others_in_the_hex_break_when_the_crew_takes_the_kia() -> None:
    # a TH DR of 7 is 8 for the small Gun, and hits both
    match, events = duel(4, 3, 1, 1, extra=True)
    assert happened(events, GunHit)[0].destroyed
    assert get(match, "r2").broken


# -- Defensive Fire -----------------------------------------------------------------------


@rule("3.3.1")
def test_a_gun_uses_intensive_fire_once_in_the_mph() -> None:
    # ROF lost, then Intensive Fire at the second MF, then no more
    match = observed(6, 5, 6, 6, 6, 4, 6, 6, units=1)
    do(match, StartMove("r1"), BeginMove(), Step(cell(match, "D7"), road=True))
    do(match, StartShot("pak"), Shoot("ITT"))
    assert get_weapon(match, "pak").marker == FIRST_FIRE
    # one MF was spent in the hex, so one shot at most
    assert match.to_act == ("russian",)
    do(match, Step(cell(match, "D6"), road=True))
    assert StartShot("pak") in offered(match, StartShot)
    events = do(match, StartShot("pak"), Shoot("ITT"))
    assert happened(events, Shot)[0].intensive
    gun = get_weapon(match, "pak")
    # 10 is its lowered B#
    assert gun.broken
    assert get(match, "gc").marker == FINAL_FIRE


@rule("3.4")
def test_a_gun_marked_first_fire_reaches_only_adjacent_units_in_the_dfph() -> None:
    match = drill(
        BOARD,
        "DFPh",
        [unit("gc", "german 2-2-8", "D8"), unit("r1", "russian 4-4-7", "D6"), unit("r2", "russian 4-4-7", "D7")],
        [weapon("pak", PAK, "gc", facing=0, marker=FIRST_FIRE)],
    )
    point(match, "pak", "D8", "D7", "E8")
    do(match, StartShot("pak"))
    assert offered(match, AimAt) == [AimAt(cell(match, "D7"))]


@rule("3.2.4")
def test_a_gun_may_turn_only_if_its_crew_has_not_fired_itself() -> None:
    match = drill(
        BOARD,
        "DFPh",
        [unit("gc", "german 2-2-8", "D8", marker=FIRST_FIRE), unit("r1", "russian 4-4-7", "D6")],
        [weapon("pak", PAK, "gc", facing=0)],
    )
    do(match, EndPhase())
    assert not isinstance(match.state.stack[-1], TurnGuns)
    match = drill(
        BOARD,
        "DFPh",
        [unit("gc", "german 2-2-8", "D8"), unit("r1", "russian 4-4-7", "D6")],
        [weapon("pak", PAK, "gc", facing=0)],
    )
    do(match, EndPhase())
    assert len(offered(match, TurnGun)) == 5
    do(match, TurnGun("pak", 4))
    assert not isinstance(match.state.stack[-1], TurnGuns)
    assert get_weapon(match, "pak").facing == 4


@rule("3.2.4")
def test_no_gun_needs_turning() -> None:
    match = drill(
        BOARD,
        "DFPh",
        [unit("gc", "german 2-2-8", "D8"), unit("r1", "russian 4-4-7", "D6")],
        [weapon("pak", PAK, "gc", facing=0)],
    )
    do(match, EndPhase(), KeepArcs())
    assert match.state.phase == "AFPh"
    assert get_weapon(match, "pak").marker == NO_MARKER


@rule("3.6")
@pytest.mark.parametrize(("change", "expected"), [({}, True), ({"pinned": True}, False), ({"cx": True}, False)])
def test_a_gun_interdicts_within_its_covered_arc(change: dict[str, bool], expected: bool) -> None:
    match = crew_behind_gun()
    crew = replace(get(match, "crew"), **change)
    assert can_interdict(match.state, crew, cell(match, "E7")) is expected
    assert not can_interdict(match.state, crew, cell(match, "E9"))


# -- more ways to lose things ---------------------------------------------------------------


@rule("6.4")
def test_a_crew_that_moves_loses_hip() -> None:
    match = drill(
        BOARD,
        "MPh",
        [unit("crew", "german 2-2-8", "D5", hip=True), unit("r1", "russian 4-4-7", "Q6")],
        [weapon("pak", PAK, "crew", facing=3, emplaced=True, hip=True)],
        attacker="german",
    )
    events = do(match, StartMove("crew"), BeginMove())
    assert happened(events, Revealed)[0].unit == "crew"


@rule("6.9")
def test_the_british_mortar_reaches_farther_from_september_1942() -> None:
    for board, limits in (("x", (6, 36)), (BOARD, (3, 63))):
        match = drill(
            board,
            "PFPh",
            [unit("c", "british 2-2-8", "D8"), unit("g1", "german 4-6-7", "D6")],
            [weapon("w", "british OML 3-in. MTR", "c", facing=0)],
        )
        assert range_limits(match.state, get_weapon(match, "w")) == limits


@rule("6.4")
@pytest.mark.parametrize(("place", "kind"), [("C7", "HE"), ("D6", "HE"), ("C7", "AP"), ("J5", "HE")])
def test_a_hidden_gun_beside_known_units_is_never_hit_without_them(place: str, kind: str) -> None:
    units = [
        unit("crew", "american 2-2-7", "E8"),
        unit("g", "german 4-6-7", place),
        unit("gc", "german 2-2-8", place, hip=True),
    ]
    guns = [
        weapon("w", "american M1 57mm AT", "crew", facing=0),
        weapon("p", PAK, "gc", facing=0, emplaced=True, hip=True),
    ]
    match = drill("x1944", "PFPh", units, guns)
    for target_type in ("ITT", "ATT"):
        figures = to_hit(match.state, OrdnanceShot("russian", "prep", "w", cell(match, place), target_type, kind))
        drms = {aimed.unit: aimed.drm for aimed in figures.targets}
        assert drms["gc"] > drms["g"]


@rule("6.6")
def test_a_gun_without_a_gunshield_shields_nobody() -> None:
    for gun, shields in (("german 7.5cm PaK 40 AT", True), ("german 8cm GrW 34 MTR", False)):
        units = [unit("c", "german 2-2-8", "D8"), unit("r", "russian 4-4-7", "D6")]
        match = drill("xwinter", "PFPh", units, [weapon("w", gun, "c", facing=0)])
        point(match, "w", "D8", "D7", "E8")
        assert (shield_item(match.state, [cell(match, "D6")], get(match, "c")) is not None) is shields


@rule("3.2.4")
def test_the_to_hit_chart_ends_at_24_hexes() -> None:
    """Ruling D-7; a light anti-tank weapon has its own range."""
    units = [unit("c", "german 2-2-8", "A5"), *[unit(f"r{at}", "russian 4-4-7", at) for at in ("Y5", "Z5")]]
    match = drill("xwinter", "PFPh", units, [weapon("w", "german 7.5cm PaK 40 AT", "c", facing=0)], attacker="german")
    ranges = setting_of(match.state).ground.ranges[cell(match, "A5")]
    assert [ranges[cell(match, name)] for name in ("Y5", "Z5")] == [24, 25]
    assert _reach(match.state, get_weapon(match, "w")) == (1, 24)


@rule("6.5")
def test_nobody_is_asked_for_the_covered_arc_of_a_gun_that_was_left_behind() -> None:
    units = [unit("c", "german 2-2-8", "D8"), unit("r", "russian 4-4-7", "D6")]
    match = drill("xwinter", "MPh", units, [weapon("w", "german 7.5cm PaK 40 AT", "c", facing=0)], attacker="german")
    frame = FaceGun("german", "w")
    assert Facing().to_act(match.state, frame) == ("german",)
    match.state.weapons["w"] = replace(match.state.weapons["w"], owner="")
    assert Facing().to_act(match.state, frame) == ()
    del match.state.weapons["w"]
    assert Facing().to_act(match.state, frame) == ()


@rule("3.2.4")
@pytest.mark.parametrize(("kind", "may"), [("german 2-2-8", True), ("german 4-6-7", False)])
def test_a_crew_turns_its_gun_after_firing_it_and_a_squad_that_fired_itself_does_not(kind: str, may: bool) -> None:
    units = [unit("c", kind, "D8", marker=PREP_FIRE, used=("w",)), unit("r", "russian 4-4-7", "D6")]
    gun = weapon("w", "german 7.5cm PaK 40 AT", "c", facing=0, marker=PREP_FIRE)
    match = drill("xwinter", "PFPh", units, [gun], attacker="german")
    assert (turn_bar(match.state, get_weapon(match, "w")) is None) is may


@rule("3.3.1")
def test_only_a_shot_in_the_mph_is_said_to_leave_residual_fp() -> None:
    units = [unit("c", "german 2-2-8", "D8"), unit("r", "russian 4-4-7", "D6")]
    match = drill("xwinter", "PFPh", units, [weapon("w", "german 7.5cm PaK 40 AT", "c", facing=0)], attacker="german")
    point(match, "w", "D8", "D7", "E8")
    shot = OrdnanceShot("german", "prep", "w", cell(match, "D6"), "ITT", "HE")
    for mode, said in (("prep", False), ("first", True)):
        preview = preview_shot(match.state, shot._replace(mode=mode))
        assert any("Residual FP" in note for note in preview.notes) is said
