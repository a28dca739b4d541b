"""The worked examples of fire: Prep Fire (board y), and the guide's (board 1)."""

from __future__ import annotations

from squad_support import cell, do, drill, get, happened, offered, rule, unit

from sandtable.engine import Match
from sandtable.games.squad.fire.model import AddDirector, AddFirer, AimAt, Fired, ResolveFire, StartFire
from sandtable.games.squad.pieces.events import MoraleChecked
from sandtable.games.squad.pieces.model import PREP_FIRE

AMERICANS = [
    unit("a1", "american 7-4-7", "N5"),
    unit("a2", "american 7-4-7", "N5"),
    unit("lt", "american 9-1", "N5"),
    unit("a3", "american 6-6-6", "O6"),
    unit("a4", "american 5-3-6", "N4"),
]
GERMANS = [
    unit("g1", "german 4-6-7", "P5"),
    unit("g2", "german 4-6-7", "P5"),
    unit("g3", "german 4-6-7", "P1"),
    unit("g4", "german 4-6-7", "O5"),
]


def prep_fire(dice: list[int]) -> Match:
    return drill("y", "PFPh", [*AMERICANS, *GERMANS], dice=dice)


@rule("3.2")
@rule("3.2.2")
@rule("3.2.3")
@rule("3.2.5")
def test_a_group_of_two_hexes_fires_at_a_stone_building() -> None:
    match = prep_fire([2, 4, 4, 5, 3, 4])
    events = do(match, StartFire("a1"), AimAt(cell(match, "P5")), AddFirer("a3"), ResolveFire())
    (fired,) = happened(events, Fired)
    assert (fired.fp, fired.column, fired.dr, fired.result) == (19, 16, 10, "NMC")
    assert get(match, "g1").broken
    assert get(match, "g1").dm
    assert get(match, "g2").pinned
    assert not get(match, "g2").broken
    assert get(match, "a1").marker == get(match, "a3").marker == PREP_FIRE
    assert get(match, "a2").marker == 0


@rule("3.2.2")
def test_a_directed_squad_at_long_range_does_not_cower() -> None:
    match = prep_fire([1, 1, 2, 3])
    events = do(match, StartFire("a2"), AimAt(cell(match, "P1")), AddDirector("lt"), ResolveFire())
    (fired,) = happened(events, Fired)
    assert (fired.fp, fired.column, fired.dr, fired.result, fired.cowered) == (3.5, 2, 4, "1MC", 0)
    (check,) = happened(events, MoraleChecked)
    assert check.passed
    assert check.dr == 6
    assert not get(match, "g3").pinned
    assert get(match, "lt").marker == PREP_FIRE


@rule("3.2.2")
@rule("5.1")
@rule("5.4")
def test_green_troops_cower_two_columns_and_a_squad_is_reduced_and_replaced() -> None:
    match = prep_fire([2, 2, 6, 6])
    events = do(match, StartFire("a4"), AimAt(cell(match, "O5")), ResolveFire())
    (fired,) = happened(events, Fired)
    assert (fired.fp, fired.column, fired.dr, fired.result, fired.cowered) == (10, 4, 4, "1MC", 2)
    assert get(match, "g4").kind == "german 2-3-7"
    assert get(match, "g4").broken
    assert get(match, "g4").dm


@rule("G10")
@rule("G12")
def test_fire_of_the_guide_at_long_range_leader_first() -> None:
    targets = [unit(f"r{n}", "russian 4-4-7", "M6") for n in range(3)]
    match = drill(
        "1",
        "PFPh",
        [
            unit("g1", "german 4-6-7", "F6"),
            unit("g2", "german 4-6-7", "F6"),
            unit("lt", "german 9-2", "F6"),
            *targets,
            unit("ru", "russian 8-0", "M6"),
        ],
        attacker="german",
        game="guidedrill",
        dice=[3, 5, 1, 1, 1, 2, 1, 3, 1, 4],
    )
    assert StartFire("g1") in offered(match, StartFire)
    events = do(match, StartFire("g1"), AimAt(cell(match, "M6")), AddFirer("g2"), AddDirector("lt"), ResolveFire())
    (fired,) = happened(events, Fired)
    assert (fired.fp, fired.column, fired.dr, fired.result) == (4, 4, 6, "NMC")
    assert [check.unit for check in happened(events, MoraleChecked)] == ["ru", "r0", "r1", "r2"]
