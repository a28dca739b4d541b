"""Fine points of the guide that it words otherwise than the Starter Kit, or where its examples give figures."""

from __future__ import annotations

from typing import Any

import pytest
from squad_support import at, cell, do, drill, get, get_weapon, go, happened, offered, rule, unit, weapon

import sandtable
from sandtable.engine import Match
from sandtable.games.squad.cards.tables import IFT
from sandtable.games.squad.fire.eligibility import closest_enemy
from sandtable.games.squad.fire.model import AddFirer, AimAt, Fired, ResolveFire, StartFire
from sandtable.games.squad.ground.counters import RESIDUAL, all_counters
from sandtable.games.squad.ground.setting import ground_of, setting_of
from sandtable.games.squad.movement.model import AddMover, BeginMove, Detach, Pass, StartMove, Step
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.pieces.events import MoraleChecked
from sandtable.games.squad.pieces.model import FINAL_FIRE, FIRST_FIRE
from sandtable.games.squad.rally.model import RallyUnit, Transfer
from sandtable.games.squad.rout.model import RoutStep, StartRout, VoluntaryBreak

ROWS = """
1KIA 2KIA 2KIA 3KIA 3KIA 3KIA 4KIA 4KIA 5KIA 6KIA 7KIA
K/1  1KIA 1KIA 2KIA 2KIA 2KIA 3KIA 3KIA 4KIA 5KIA 6KIA
1MC  K/1  K/2  1KIA 1KIA 1KIA 2KIA 2KIA 3KIA 4KIA 5KIA
1MC  1MC  2MC  K/2  K/2  K/3  1KIA 1KIA 2KIA 3KIA 4KIA
NMC  1MC  1MC  2MC  2MC  3MC  K/3  K/4  1KIA 2KIA 3KIA
PTC  NMC  1MC  1MC  2MC  2MC  3MC  4MC  K/4  1KIA 2KIA
-    PTC  NMC  1MC  1MC  2MC  2MC  3MC  4MC  K/4  1KIA
-    -    PTC  NMC  1MC  1MC  2MC  2MC  3MC  4MC  K/4
-    -    -    PTC  NMC  1MC  1MC  2MC  2MC  3MC  4MC
-    -    -    -    PTC  NMC  1MC  1MC  2MC  2MC  3MC
-    -    -    -    -    PTC  NMC  1MC  1MC  2MC  2MC
-    -    -    -    -    -    PTC  NMC  1MC  1MC  2MC
-    -    -    -    -    -    -    PTC  NMC  1MC  1MC
-    -    -    -    -    -    -    -    PTC  NMC  1MC
-    -    -    -    -    -    -    -    -    PTC  NMC
-    -    -    -    -    -    -    -    -    -    PTC
"""
COLUMNS = (1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36)


def guide(phase: str, *units: dict[str, Any], weapons: Any = (), **more: Any) -> Match:
    return drill("1", phase, list(units), list(weapons), game="guidedrill", **{"attacker": "german", **more})


@rule("G9")
def test_the_fire_table_of_the_guide_row_by_row() -> None:
    for dr, row in enumerate(ROWS.strip().splitlines()):
        printed = dict(zip(COLUMNS, row.split(), strict=True))
        assert {column: str(IFT.result(column, dr)) for column in COLUMNS} == printed, dr
    assert IFT.column(14) == 12, "excess firepower has no effect"


# -- the example of the morale check ------------------------------------------------------


def checks(match: Match, target: str, *dice: tuple[int, int]) -> dict[str, bool]:
    events = do(match, StartFire("r"), AimAt(cell(match, target)), ResolveFire())
    assert happened(events, Fired)[0].result == "NMC"
    return {check.unit: check.passed for check in happened(events, MoraleChecked)}


@rule("G10")
@pytest.mark.parametrize(
    ("helper", "dice", "passed"),
    [
        ("german 10-2", (4, 6, 5, 6), {"big": True, "g": True}),
        ("german 10-2", (5, 6, 5, 6), {"big": False, "g": False}),
        ("german 9-2", (4, 5, 5, 5), {"big": True, "g": False}),
    ],
)
def test_the_better_leader_checks_first_and_then_helps_the_lesser(
    helper: str, dice: tuple[int, ...], passed: dict[str, bool]
) -> None:
    units = (unit("r", "russian 4-4-7", "I4"), unit("g", "german 9-1", "I3"), unit("big", helper, "I3"))
    # 8 FP at point blank: a 8 is a NMC; then the checks in their order
    match = guide("PFPh", *units, attacker="russian", dice=[4, 4, *dice])
    found = checks(match, "I3")
    assert list(found) == ["big", "g"]
    assert found == passed


@rule("G10")
@rule("G18")
def test_a_leader_who_does_not_move_does_not_help_one_who_does() -> None:
    units = (unit("g", "german 9-1", "I4"), unit("big", "german 10-2", "I3"), unit("r", "russian 4-4-7", "I2"))
    match = guide("MPh", *units, dice=[5, 5, 5, 5])
    do(match, StartMove("g"), BeginMove())
    go(match, "I3")
    events = do(match, StartFire("r"), ResolveFire())
    assert [(check.unit, check.passed) for check in happened(events, MoraleChecked)] == [("g", False)]


# -- rally ------------------------------------------------------------------------------


@rule("G33")
@rule("G5")
def test_a_squad_just_rallied_may_be_given_a_machine_gun() -> None:
    units = [unit("l", "russian 9-1", "J2"), unit("b", "russian 4-4-7", "J2"), unit("a", "russian 4-4-7", "J2")]
    units[2]["broken"] = True
    match = guide("RPh", *units, weapons=[weapon("mg", "russian LMG", "b")], attacker="russian", dice=[2, 2])
    do(match, RallyUnit("a", "l"))
    assert Transfer("mg", "a") in offered(match, Transfer)


@rule("G33")
def test_a_unit_may_possess_any_number_of_machine_guns() -> None:
    guns = [weapon("lmg", "german LMG", "a"), weapon("hmg", "german HMG", "a")]
    match = guide("RPh", unit("a", "german 4-6-7", "F5"), unit("b", "german 4-6-7", "F5"), weapons=guns)
    assert get(match, "a").weapons == ("lmg", "hmg")
    do(match, Transfer("lmg", "b"))
    assert get_weapon(match, "lmg").owner == "b"


# -- fire -------------------------------------------------------------------------------


@rule("G23")
@rule("G34")
def test_a_heavy_machine_gun_that_has_moved_fires_at_half_in_the_advancing_fire_phase() -> None:
    units = [unit("g", "german 4-6-7", "I3"), unit("r", "russian 4-4-7", "I5")]
    guns = [weapon("hmg", "german HMG", "g", moved=True)]
    match = guide("AFPh", *units, weapons=guns, dice=[6, 6])
    fired = happened(do(match, StartFire("hmg"), AimAt(cell(match, "I5")), ResolveFire()), Fired)
    assert fired[0].fp == 3.5
    kit = drill("1", "AFPh", units, guns, attacker="german")
    assert StartFire("hmg") not in offered(kit, StartFire)


@rule("G19")
def test_the_closest_armed_enemy_need_not_be_in_sight() -> None:
    units = [
        unit("g", "german 4-6-7", "L6", marker=FIRST_FIRE),
        unit("r", "russian 4-4-7", "F5"),
        unit("near", "russian 4-4-7", "J8"),
    ]
    match = guide("MPh", *units, attacker="russian")
    setting, source = setting_of(match.state), cell(match, "L6")
    assert setting.ground.los_row(source)[cell(match, "J8")] == 255
    assert closest_enemy(setting, match.state, "german", source) == setting.ground.ranges[source][cell(match, "J8")]
    leader = guide("MPh", *units[:2], unit("near", "russian 8-0", "J8"), attacker="russian")
    distance = setting.ground.ranges[source][cell(match, "F5")]
    assert closest_enemy(setting, leader.state, "german", source) == distance, "a leader is not armed"
    gun = [weapon("mg", "russian LMG", "near")]
    gunner = guide("MPh", *units[:2], unit("near", "russian 8-0", "J8"), weapons=gun, attacker="russian")
    assert closest_enemy(setting, gunner.state, "german", source) < distance, "but he is with a machine gun"


@rule("G20")
def test_final_protective_fire_does_not_demand_the_machine_gun() -> None:
    units = [unit("r", "russian 4-4-7", "D5"), unit("g", "german 4-6-7", "F6", marker=FINAL_FIRE)]
    guns = [weapon("mg", "german LMG", "g", marker=FINAL_FIRE)]
    match = guide("MPh", *units, weapons=guns, attacker="russian", dice=[6, 5])
    do(match, StartMove("r"), BeginMove())
    go(match, "E6")
    do(match, StartFire("g"))
    assert AddFirer("mg") in offered(match, AddFirer)
    assert happened(do(match, ResolveFire()), Fired)[0].fp == 4


@rule("G21")
def test_residual_fp_is_half_the_column_whatever_the_leader() -> None:
    squads = [unit(f"g{n}", "german 4-6-7", "I3") for n in range(3)]
    match = guide("MPh", unit("r", "russian 4-4-7", "I6"), *squads, attacker="russian", dice=[6, 5, 6, 6])
    do(match, StartMove("r"), BeginMove())
    go(match, "I5")
    do(match, StartFire("g0"), AddFirer("g1"), AddFirer("g2"), ResolveFire())
    assert {at: found.value for at, found in all_counters(match.state, RESIDUAL)} == {cell(match, "I5"): 6}
    while match.state.phase == "MPh":
        actions = match.actions(match.to_act[0])
        do(match, next((a for a in actions if isinstance(a, EndPhase | Pass)), actions[-1]))
    assert {at: found.value for at, found in all_counters(match.state, RESIDUAL)} == {}


# -- movement -----------------------------------------------------------------------------


@rule("G15")
def test_the_leaders_bonus_is_for_those_who_move_with_him_all_the_way() -> None:
    match = guide("MPh", unit("a", "german 4-6-7", "I6"), unit("l", "german 9-1", "I6"))
    do(match, StartMove("a"), AddMover("l"), BeginMove())
    go(match, "I5", "I4", "I3", "I4", "I5")
    assert offered(match, Detach), "four MF and one for the road"
    go(match, "I6")
    assert not offered(match, Detach), "without him the squad could not have gone so far"
    go(match, "I5")
    assert offered(match, Step) == []


# -- rout -------------------------------------------------------------------------------


@rule("G24")
@rule("G28")
def test_i4_may_go_on_past_h2_toward_h0() -> None:
    guards = [unit(f"g{name}", "german 4-6-7", name) for name in ("H5", "G4", "K4", "J4")]
    match = guide(
        "RtPh", unit("a", "russian 4-4-7", "I4", broken=True, dm=True), *guards, attacker="russian", dice=[3, 3] * 4
    )
    do(match, StartRout("a"))
    for name in ("I3", "H2"):
        do(match, next(a for a in offered(match, RoutStep) if a.to == cell(match, name)))
    names = {ground_of(match.state).names[a.to] for a in offered(match, RoutStep)}
    assert "H1" in names
    do(match, next(a for a in offered(match, RoutStep) if a.to == cell(match, "H1")))
    do(match, next(a for a in offered(match, RoutStep) if a.to == cell(match, "H0")))
    assert at(match, "a") == "H0"


@rule("G24")
@rule("G28")
def test_i4_may_make_for_the_woods_straight_from_i3() -> None:
    guards = [unit(f"g{name}", "german 4-6-7", name) for name in ("H5", "G4", "K4", "J4")]
    match = guide(
        "RtPh", unit("a", "russian 4-4-7", "I4", broken=True, dm=True), *guards, attacker="russian", dice=[3, 3] * 4
    )
    do(match, StartRout("a"))
    for name in ("I3", "I2", "I1"):
        do(match, next(a for a in offered(match, RoutStep) if a.to == cell(match, name)))
    assert {"H0", "J0"} & {ground_of(match.state).names[a.to] for a in offered(match, RoutStep)}


@rule("G25")
def test_the_range_of_a_machine_gun_counts_for_breaking_at_will() -> None:
    far = [unit("a", "russian 4-4-7", "F6"), unit("g", "german 4-6-7", "M6")]
    match = guide("RtPh", *far, attacker="russian")
    assert match.state.phase != "RtPh" or VoluntaryBreak("a") not in match.actions("russian")
    match = guide("RtPh", *far, weapons=[weapon("mg", "german LMG", "g")], attacker="russian")
    assert VoluntaryBreak("a") in match.actions("russian"), "seven hexes, and an LMG reaches eight"


def test_rules_that_the_guide_shares_with_the_starter_kit_have_their_titles_too() -> None:
    game = guide("MPh", unit("g", "german 4-6-7", "L6")).game
    real = sandtable.new("aslguide/intro", seed=1).game
    assert set(real.cited_rules()) > set(real.rule_titles())
    assert set(game.cited_rules()) == set(game.rule_titles())
