"""Fire groups, direction, cowering, machine guns and flamethrowers (3.2.2, 4.0, 4.1, 4.2); board y, open ground.

W4 sees V4 (range 1), R3 (5), Q3 (6), P3 (7), K3 (12), F2 (17) and E2 (18) without Hindrance.
"""

from __future__ import annotations

from typing import Any

import pytest
from squad_support import cell, do, drill, get, get_weapon, happened, offered, rule, unit, weapon

from sandtable.engine import Match
from sandtable.engine.errors import IllegalAction
from sandtable.games.squad.fire.group import without
from sandtable.games.squad.fire.model import (
    AddDirector,
    AddFirer,
    AimAt,
    Fired,
    FireDraft,
    RateKept,
    RemoveFirer,
    ResolveFire,
    StartFire,
)
from sandtable.games.squad.pieces.events import WeaponBroke
from sandtable.games.squad.pieces.model import NO_MARKER, PREP_FIRE


def prep(
    units: list[dict[str, Any]],
    weapons: list[dict[str, Any]] | None = None,
    *,
    at: str = "R3",
    dice: list[int] | None = None,
    phase: str = "PFPh",
    **more: Any,
) -> Match:
    """Germans fire at a Russian squad."""
    target = unit("r", "russian 4-4-7", at)
    return drill("y", phase, [*units, target], weapons or [], attacker="german", dice=dice or [], **more)


def fire(match: Match, first: str, *then: Any, at: str = "R3") -> Fired:
    events = do(match, StartFire(first), AimAt(cell(match, at)), *then, ResolveFire())
    (fired,) = happened(events, Fired)
    assert isinstance(fired, Fired)
    return fired


def squad(name: str = "g1", at: str = "W4", kind: str = "german 4-6-7", **more: Any) -> dict[str, Any]:
    return unit(name, kind, at, **more)


# -- firepower --------------------------------------------------------------------------


@rule("3.2.2")
@pytest.mark.parametrize(
    ("at", "more", "fp"),
    [
        ("V4", {}, 8),
        ("Q3", {}, 4),
        ("P3", {}, 2),
        ("K3", {}, 2),
        ("V4", {"pinned": True}, 4),
        ("P3", {"pinned": True}, 1),
    ],
)
def test_point_blank_normal_long_range_and_pinned(at: str, more: dict[str, Any], fp: float) -> None:
    assert fire(prep([squad(**more)], at=at, dice=[6, 5]), "g1", at=at).fp == fp


@rule("3.2.2")
def test_beyond_double_the_normal_range_nobody_fires() -> None:
    match = prep([squad()], [weapon("mg", "german LMG", "g1")], at="J2")
    with pytest.raises(IllegalAction, match="range"):
        do(match, StartFire("g1"))


@rule("3.5")
@pytest.mark.parametrize(
    ("kind", "at", "fp"),
    [
        ("american 7-4-7", "V4", 8),
        ("russian 4-4-7", "S4", 2),
        ("american 7-4-7", "S4", 5),
        ("american 7-4-7", "R3", 1.75),
    ],
    ids=["point blank", "no assault fire", "rounded up", "beyond normal range"],
)
def test_advancing_fire_and_assault_fire(kind: str, at: str, fp: float) -> None:
    match = drill("y", "AFPh", [unit("a", kind, "W4"), unit("g", "german 4-6-7", at)], attacker="russian", dice=[6, 5])
    assert fire(match, "a", at=at).fp == fp


@rule("3.3")
def test_an_exhausted_firer_adds_one() -> None:
    assert fire(prep([squad(cx=True)], dice=[6, 5]), "g1").dr == 12


# -- groups -----------------------------------------------------------------------------


@rule("3.2.2")
def test_a_group_needs_neighbours_in_a_chain() -> None:
    units = [squad("g1", "W4"), squad("g2", "V3"), squad("g3", "U4"), squad("g4", "S4")]
    match = prep(units)
    do(match, StartFire("g1"), AimAt(cell(match, "R3")))
    assert AddFirer("g2") in offered(match, AddFirer)
    assert AddFirer("g3") not in offered(match, AddFirer), "U4 does not touch W4"
    do(match, AddFirer("g2"))
    assert AddFirer("g3") in offered(match, AddFirer)
    do(match, AddFirer("g3"))
    assert RemoveFirer("g2") not in offered(match, RemoveFirer), "the group would fall apart"


@rule("3.2.2")
def test_units_of_one_hex_fire_at_one_target_together_or_not_at_all() -> None:
    match = prep([squad("g1"), squad("g2"), squad("g3", "V3")], dice=[6, 5])
    fire(match, "g1")
    assert StartFire("g3") in offered(match, StartFire), "another hex is not bound"
    with pytest.raises(IllegalAction, match="had to fire with them"):
        do(match, StartFire("g2"))


@rule("3.2.2")
def test_another_target_is_free_for_the_rest_of_the_hex() -> None:
    match = prep([squad("g1"), squad("g2"), unit("r2", "russian 4-4-7", "Q3")], dice=[6, 5, 6, 5])
    fire(match, "g1")
    assert fire(match, "g2", at="Q3").fp == 4


@rule("3.2.2")
@rule("4.0")
def test_a_squad_fires_its_machine_gun_at_another_target() -> None:
    guns = [weapon("mg", "german LMG", "g1")]
    match = prep([squad("g1"), unit("r2", "russian 4-4-7", "Q3")], guns, dice=[6, 5, 6, 5])
    fire(match, "g1")
    assert fire(match, "mg", at="Q3").fp == 3
    assert get(match, "g1").marker == get_weapon(match, "mg").marker == PREP_FIRE


@rule("4.0")
def test_two_weapons_cost_a_squad_its_own_firepower() -> None:
    guns = [weapon("m1", "german LMG", "g1"), weapon("m2", "german LMG", "g1"), weapon("m3", "german LMG", "g1")]
    match = prep([squad("g1")], guns, dice=[6, 5])
    do(match, StartFire("m1"), AimAt(cell(match, "R3")), AddFirer("m2"))
    assert not offered(match, AddFirer), "neither its own firepower nor a third weapon"
    do(match, ResolveFire())
    assert not offered(match, StartFire)


@rule("4.0")
def test_a_half_squad_fires_itself_or_one_weapon() -> None:
    match = prep([squad("g1", kind="german 2-4-7")], [weapon("mg", "german LMG", "g1")], at="V4", dice=[6, 5])
    do(match, StartFire("mg"), AimAt(cell(match, "V4")))
    assert not offered(match, AddFirer)
    do(match, ResolveFire())
    assert not offered(match, StartFire)


# -- direction --------------------------------------------------------------------------


@rule("3.2.2")
def test_every_hex_needs_a_leader_and_the_worst_one_counts() -> None:
    units = [squad("g1", "W4"), squad("g2", "V3"), unit("la", "german 9-2", "W4"), unit("lb", "german 8-1", "V3")]
    match = prep(units, dice=[6, 5])
    do(match, StartFire("g1"), AimAt(cell(match, "R3")), AddFirer("g2"), AddDirector("la"))
    assert not offered(match, ResolveFire)
    events = do(match, AddDirector("lb"), ResolveFire())
    assert happened(events, Fired)[0].dr == 10, "11 - 1"


@rule("3.2.2")
@rule("1.2.1")
def test_a_leader_directs_once_a_player_turn() -> None:
    match = prep(
        [squad("g1"), squad("g2"), unit("la", "german 9-2", "W4"), unit("r2", "russian 4-4-7", "Q3")], dice=[6, 5]
    )
    fire(match, "g1", AddDirector("la"))
    do(match, StartFire("g2"), AimAt(cell(match, "Q3")))
    assert not offered(match, AddDirector)


@rule("1.2.1")
def test_a_leader_directs_a_rate_of_fire_again() -> None:
    guns = [weapon("mg", "german HMG", "g1")]
    match = prep([squad("g1"), unit("la", "german 9-2", "W4")], guns, dice=[1, 5, 2, 3, 6, 5])
    fire(match, "mg", AddDirector("la"))
    assert fire(match, "mg", AddDirector("la")).dr == 9


@rule("1.2.1")
@rule("3.2.3")
def test_pinned_and_broken_leaders_do_not_direct() -> None:
    units = [squad(), unit("la", "german 9-2", "W4", pinned=True), unit("lb", "german 9-2", "W4", broken=True)]
    match = prep(units)
    do(match, StartFire("g1"), AimAt(cell(match, "R3")))
    assert not offered(match, AddDirector)


# -- cowering ---------------------------------------------------------------------------


@rule("3.2.2")
def test_doubles_cower_one_column_and_end_the_rate_of_fire() -> None:
    match = prep([squad()], [weapon("mg", "german MMG", "g1")], dice=[1, 1, 3, 3])
    fired = fire(match, "mg")
    assert (fired.fp, fired.column, fired.cowered) == (5, 2, 1)
    assert get_weapon(match, "mg").marker == get(match, "g1").marker == PREP_FIRE


@rule("3.2.2")
def test_below_the_lowest_column_cowering_leaves_no_effect() -> None:
    match = prep([squad(kind="german 2-4-7", pinned=True)], dice=[1, 1])
    fired = fire(match, "g1")
    assert (fired.fp, fired.column, fired.result) == (0.5, 0, "-")


@rule("3.2.2")
def test_a_leader_with_a_machine_gun_does_not_cower() -> None:
    match = prep([unit("la", "german 9-2", "W4")], [weapon("mg", "german LMG", "la")], dice=[5, 5])
    assert fire(match, "mg").cowered == 0


# -- machine guns -------------------------------------------------------------------------


@rule("4.1")
def test_one_leader_fires_at_half_two_at_full_strength() -> None:
    leaders = [unit("la", "german 9-2", "W4"), unit("lb", "german 8-0", "W4")]
    guns = [weapon("mg", "german MMG", "la")]
    assert fire(prep(leaders, guns, dice=[6, 5]), "mg").fp == 2.5
    match = prep(leaders, guns, dice=[6, 5])
    assert fire(match, "mg", AddFirer("lb")).fp == 5
    assert get(match, "la").marker == get(match, "lb").marker == PREP_FIRE


@rule("4.0")
def test_a_leader_who_fires_directs_nobody() -> None:
    match = prep([squad(), unit("la", "german 9-2", "W4")], [weapon("mg", "german LMG", "la")], dice=[6, 5])
    fire(match, "mg")
    do(match, StartFire("g1")) if StartFire("g1") in offered(match, StartFire) else None
    assert not offered(match, AddDirector)


@rule("4.1")
def test_beyond_16_hexes_a_machine_gun_needs_direction_and_is_halved() -> None:
    guns = [weapon("mg", "german HMG", "g1")]
    assert not offered(prep([squad()], guns, at="F2"), StartFire)
    match = prep([squad(), unit("la", "german 9-1", "W4")], guns, at="F2", dice=[6, 5])
    do(match, StartFire("mg"), AimAt(cell(match, "F2")))
    assert not offered(match, ResolveFire)
    events = do(match, AddDirector("la"), ResolveFire())
    assert happened(events, Fired)[0].fp == 7 / 4, "long range, and beyond 16 hexes at unbroken Infantry"


@rule("4.1")
def test_broken_targets_beyond_16_hexes_are_not_spared() -> None:
    units = [squad(), unit("la", "german 9-1", "W4"), unit("rb", "russian 4-4-7", "F2", broken=True)]
    match = drill("y", "PFPh", units, [weapon("mg", "german HMG", "g1")], attacker="german", dice=[6, 5])
    assert fire(match, "mg", AddDirector("la"), at="F2").fp == 3.5


@rule("3.2")
@rule("1.2.4.1")
def test_rate_of_fire_is_kept_by_the_coloured_die() -> None:
    match = prep([squad()], [weapon("mg", "german MMG", "g1")], dice=[2, 6, 3, 6])
    events = do(match, StartFire("mg"), AimAt(cell(match, "R3")), ResolveFire())
    assert happened(events, RateKept)
    assert get_weapon(match, "mg").marker == NO_MARKER
    events = do(match, StartFire("mg"), AimAt(cell(match, "R3")), ResolveFire())
    assert not happened(events, RateKept)
    assert not [start for start in offered(match, StartFire) if start.firer == "mg"]


@rule("1.2.4.1")
def test_a_pinned_crew_keeps_no_rate_of_fire() -> None:
    match = prep([squad(pinned=True)], [weapon("mg", "german MMG", "g1")], dice=[1, 6])
    fire(match, "mg")
    assert get_weapon(match, "mg").marker == PREP_FIRE


@rule("4.1")
@rule("5.4")
@rule("5.5")
@pytest.mark.parametrize(
    ("kind", "gun", "number"),
    [
        ("german 4-6-7", "german LMG", 12),
        ("german 4-3-6", "german LMG", 11),
        ("german 4-6-7", "russian MMG", 9),
        ("german 4-3-6", "russian MMG", 8),
    ],
    ids=["own", "conscripts", "captured", "captured by conscripts"],
)
def test_breakdown_numbers(kind: str, gun: str, number: int) -> None:
    from sandtable.games.squad.fire.resolution import breakdown_number

    match = prep([squad(kind=kind)], [weapon("mg", gun, "g1")])
    assert breakdown_number(match.state, get_weapon(match, "mg"))[0] == number


@rule("4.1")
def test_a_machine_gun_malfunctions_after_its_attack() -> None:
    match = prep([squad()], [weapon("mg", "german LMG", "g1")], dice=[6, 6])
    events = do(match, StartFire("mg"), AimAt(cell(match, "R3")), ResolveFire())
    assert [event.removed for event in happened(events, WeaponBroke)] == [False]
    assert get_weapon(match, "mg").broken


# -- flamethrowers ------------------------------------------------------------------------


@rule("4.2")
@pytest.mark.parametrize(("at", "fp"), [("V4", 24), ("U4", 12)])
def test_flamethrowers_know_no_point_blank_fire_terrain_or_direction(at: str, fp: float) -> None:
    units = [squad(kind="german 5-4-8"), unit("la", "german 9-2", "W4")]
    match = prep(units, [weapon("ft", "german FT", "g1")], at=at, dice=[4, 5, 1, 1])
    do(match, StartFire("ft"), AimAt(cell(match, at)))
    assert not offered(match, AddDirector)
    assert not offered(match, AddFirer)
    events = do(match, ResolveFire())
    assert happened(events, Fired)[0].fp == fp


@rule("4.2")
@pytest.mark.parametrize(("kind", "dice", "gone"), [("german 5-4-8", [4, 5], False), ("german 4-6-7", [3, 5], True)])
def test_a_flamethrower_runs_dry_sooner_with_others_than_elite(kind: str, dice: list[int], gone: bool) -> None:
    match = prep([squad(kind=kind)], [weapon("ft", "german FT", "g1")], at="V4", dice=[*dice, 1, 1])
    fire(match, "ft", at="V4")
    assert ("ft" in match.state.gone) is gone


@rule("4.2")
def test_who_carries_a_flamethrower_is_easier_to_hurt() -> None:
    units = [unit("r1", "russian 4-4-7", "W4"), unit("g", "german 5-4-8", "R3"), unit("g2", "german 5-4-8", "R3")]
    match = drill("y", "PFPh", units, [weapon("ft", "german FT", "g")], dice=[3, 4, 1, 2])
    fired = fire(match, "r1")
    assert (fired.dr, fired.result) == (6, "PTC")
    assert fired.others == (("g2", "-"),)


@rule("4.2")
def test_pinned_units_cannot_use_one() -> None:
    match = prep([squad(kind="german 5-4-8", pinned=True)], [weapon("ft", "german FT", "g1")], at="V4")
    assert StartFire("ft") not in offered(match, StartFire)


@rule("3.2.2")
def test_a_firer_taken_out_leaves_the_rest_and_their_leader() -> None:
    units = [
        unit("a", "german 4-6-7", "K5"),
        unit("la", "german 9-1", "K5"),
        unit("b", "german 4-6-7", "J5"),
        unit("lb", "german 8-1", "J5"),
        unit("r", "russian 4-4-7", "K3"),
    ]
    match = drill("z", "PFPh", units, attacker="german")
    draft = FireDraft("german", "prep", units=("a", "b"), leaders=("la", "lb"), target=cell(match, "K3"))
    left = without(match.state, draft, "b")
    assert (left.units, left.leaders) == (("a",), ("la",))
