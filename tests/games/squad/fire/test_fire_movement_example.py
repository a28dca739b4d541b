"""The worked example of movement and Defensive Fire (board z): one squad with a machine gun against five moves."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from squad_support import at, cell, do, drill, get, get_weapon, happened, offered, rule, unit, weapon

from sandtable.engine import Event, Match, ScriptedDice
from sandtable.games.squad.fire.model import AddFirer, CancelFire, Fired, ResidualAttack, ResolveFire, StartFire
from sandtable.games.squad.ground.counters import RESIDUAL, all_counters, lay, residual_in
from sandtable.games.squad.movement.model import AddMover, BeginMove, DoubleTime, Pass, StartMove, Step, Stop
from sandtable.games.squad.pieces.events import Broke, Pinned, WeaponBroke
from sandtable.games.squad.pieces.model import FINAL_FIRE, FIRST_FIRE, NO_MARKER, Counter

UNITS = [
    unit("g", "german 4-6-7", "K5"),
    unit("r1", "russian 4-4-7", "I4"),
    unit("r2", "russian 5-2-7", "G5"),
    unit("r3", "russian 4-4-7", "F6"),
    unit("r4", "russian 4-4-7", "F5"),
    unit("ru", "russian 9-2", "F5"),
    unit("r5", "russian 4-2-6", "H6"),
]
WEAPONS = [weapon("mg", "german MMG", "g"), weapon("m1", "russian MMG", "r1"), weapon("m4", "russian MMG", "r4")]


def example(dice: Iterable[int], **marks: dict[str, int]) -> Match:
    """The position, with the counters that the German stack bears already."""
    units = [{**line, **marks.get(line["id"], {})} for line in UNITS]
    weapons = [{**line, **marks.get(line["id"], {})} for line in WEAPONS]
    return drill("z", "MPh", units, weapons, dice=dice)


def march(match: Match, *hexes: str, road: Iterable[str] = ()) -> list[Event]:
    """The mover enters hexes while the DEFENDER holds his fire, and is stopped in the last one."""
    events: list[Event] = []
    for place in hexes:
        if match.to_act[0] == "german":
            events += do(match, Pass())
        options = [step for step in offered(match, Step) if step.to == cell(match, place)]
        wanted = [step for step in options if step.road] if place in road else options
        events += do(match, wanted[0])
    return events


@rule("3.3.1")
def test_the_squad_fires_into_the_building_and_leaves_residual_fp() -> None:
    match = example([3, 5])
    do(match, StartMove("r1"), DoubleTime("r1"), BeginMove())
    march(match, "J3")
    events = do(match, StartFire("g"), ResolveFire())
    (fired,) = happened(events, Fired)
    assert (fired.fp, fired.column, fired.dr) == (4, 4, 10)
    assert {at: found.value for at, found in all_counters(match.state, RESIDUAL)} == {cell(match, "J3"): 2}
    assert get(match, "g").marker == FIRST_FIRE
    assert get_weapon(match, "mg").marker == NO_MARKER


@rule("3.3.1")
@rule("1.2.4.1")
def test_the_machine_gun_fires_by_itself_at_the_next_hex() -> None:
    match = example([6, 5], g={"marker": FIRST_FIRE})
    do(match, StartMove("r1"), DoubleTime("r1"), BeginMove())
    march(match, "J3", "K3")
    events = do(match, StartFire("mg"), ResolveFire())
    (fired,) = happened(events, Fired)
    assert (fired.fp, fired.column, fired.dr) == (5, 4, 9)
    assert {at: found.value for at, found in all_counters(match.state, RESIDUAL)} == {cell(match, "K3"): 2}
    assert get_weapon(match, "mg").marker == FIRST_FIRE


BOTH = {"g": {"marker": FIRST_FIRE}, "mg": {"marker": FIRST_FIRE}}


def subsequent(dice: list[int]) -> tuple[Match, list[Event]]:
    match = example(dice, **BOTH)
    do(match, StartMove("r2"), BeginMove())
    march(match, "H5", "I5")
    return match, do(match, StartFire("g"), AddFirer("mg"), ResolveFire())


@rule("3.3.1")
def test_subsequent_first_fire_at_half_strength() -> None:
    match, events = subsequent([2, 3, 4, 4])
    (fired,) = happened(events, Fired)
    assert (fired.fp, fired.column, fired.dr, fired.result) == (4.5, 4, 3, "2MC")
    assert get(match, "r2").broken
    assert {at: found.value for at, found in all_counters(match.state, RESIDUAL)} == {cell(match, "I5"): 2}
    assert get(match, "g").marker == get_weapon(match, "mg").marker == FINAL_FIRE


@rule("3.3.1")
@rule("4.1")
@pytest.mark.parametrize(
    ("dice", "residual", "breaks"),
    [([4, 6], 1, True), ([4, 4, 1, 1], 1, False), ([5, 5], 0, True)],
    ids=["breakdown", "cowering", "both"],
)
def test_cowering_and_breakdown_lower_the_residual_fp(dice: list[int], residual: int, breaks: bool) -> None:
    match, _ = subsequent(dice)
    assert residual_in(match.state, cell(match, "I5")) == residual
    assert get_weapon(match, "mg").broken is breaks


SPENT = {"g": {"marker": FINAL_FIRE}, "mg": {"marker": FINAL_FIRE}}


@rule("3.3.1")
def test_residual_fp_attacks_the_next_mover_and_spent_firers_wait_for_adjacent_ones() -> None:
    match = example([6, 4], **SPENT)
    lay(match.state, cell(match, "I5"), Counter(RESIDUAL, value=2))
    do(match, StartMove("r3"), BeginMove())
    road = ("G6", "H5", "I5", "I6", "I7")
    events = march(match, *road, road=road)
    (attack,) = happened(events, ResidualAttack)
    assert (attack.fp, attack.dr, attack.result) == (2, 8, "-")
    assert at(match, "r3") == "I7"
    assert not happened(events, Fired)


@rule("3.3.1")
def test_final_protective_fire_pins_its_own_squad() -> None:
    match = example([3, 4, 1, 2, 1, 3], **SPENT)
    do(match, StartMove("r4"), AddMover("ru"), BeginMove())
    march(match, "G6", "H5", "I6", "J5")
    do(match, StartFire("g"))
    assert match.state.stack[-1].weapons == ("mg",), "all usable machine guns must fire"
    events = do(match, ResolveFire())
    (fired,) = happened(events, Fired)
    assert (fired.fp, fired.column, fired.dr, fired.result) == (9, 8, 9, "PTC")
    assert [event.unit for event in happened(events, Pinned)] == ["g"]
    assert {at: found.value for at, found in all_counters(match.state, RESIDUAL)} == {cell(match, "J5"): 4}


@rule("3.3.1")
@rule("4.1")
def test_final_protective_fire_breaks_its_own_squad_and_gun() -> None:
    pinned = {"g": {"marker": FINAL_FIRE, "pinned": True}, "mg": {"marker": FINAL_FIRE}}
    match = example([6, 4], **pinned)
    do(match, StartMove("r5"), BeginMove())
    march(match, "I6", "J6", "K6")
    events = do(match, StartFire("g"), ResolveFire())
    (fired,) = happened(events, Fired)
    assert (fired.fp, fired.column, fired.dr, fired.result) == (4.5, 4, 9, "-")
    assert [event.unit for event in happened(events, Broke)] == ["g"]
    assert get(match, "g").dm
    assert get(match, "g").kind == "german 4-6-7", "failed by three, which is its ELR"
    assert [event.weapon for event in happened(events, WeaponBroke)] == ["mg"]
    assert {at: found.value for at, found in all_counters(match.state, RESIDUAL)} == {cell(match, "K6"): 1}, (
        "only the squad's share"
    )


@rule("3.3.1")
def test_a_draft_put_aside_costs_nothing() -> None:
    match = example([])
    do(match, StartMove("r1"), DoubleTime("r1"), BeginMove())
    march(match, "J3")
    do(match, StartFire("g"), CancelFire())
    assert StartFire("g") in offered(match, StartFire)
    do(match, Pass())
    assert offered(match, Stop)
    assert isinstance(match.dice, ScriptedDice)
