"""What a leader may do in the two parts of Defensive Fire: fire a weapon, direct, or both (1.2.1, 3.4, 4.0)."""

from __future__ import annotations

import pytest
from squad_support import cell, do, drill, get, offered, rule, unit, weapon

from sandtable.engine import Match
from sandtable.games.squad.fire.model import AddDirector, AddFirer, AimAt, ResolveFire, StartFire
from sandtable.games.squad.pieces.model import FINAL_FIRE, FIRST_FIRE

UNITS = [
    unit("r1", "russian 4-4-7", "K3"),
    unit("g1", "german 4-6-7", "K5"),
    unit("g2", "german 9-1", "K5", marker=FIRST_FIRE, used=("m1",)),
]
GUN = weapon("m1", "german LMG", "g2", marker=FIRST_FIRE)


def final_fire(**more: object) -> Match:
    """The DFPh after a leader fired a LMG in the MPh."""
    return drill("z", "DFPh", UNITS, [GUN], **more)  # type: ignore[arg-type]


def aimed(match: Match) -> Match:
    do(match, StartFire("g1"), AimAt(cell(match, "K3")))
    return match


@rule("4.0")
def test_a_leader_who_fired_in_the_mph_may_direct_in_the_dfph() -> None:
    match = aimed(final_fire(dice=[6, 5]))
    assert offered(match, AddDirector) == [AddDirector("g2")]
    do(match, AddDirector("g2"), ResolveFire())
    assert get(match, "g2").marker == FINAL_FIRE


@rule("4.0")
def test_the_option_holds_him_to_one_of_the_two() -> None:
    match = aimed(final_fire(options={"leaders": "turn"}))
    assert not offered(match, AddDirector)
    reason, number = match.game.why_not(match.state, "german", AddDirector("g2"))
    assert number == "4.0"
    assert "fired a weapon" in reason


@rule("4.0")
@pytest.mark.parametrize("phase", ["PFPh", "AFPh"])
def test_in_the_same_phase_he_may_not(phase: str) -> None:
    units = [UNITS[0], UNITS[1], unit("g2", "german 9-1", "K5")]
    guns = [weapon("m1", "german LMG", "g2")]
    match = drill("z", phase, units, guns, attacker="german", dice=[6, 5])
    do(match, StartFire("m1"), AimAt(cell(match, "K3")), ResolveFire())
    # the squad of his hex had to fire with him at K3, so he could only direct it at another target
    assert get(match, "g2").used == ("m1",)
    assert not [action for action in offered(match, StartFire) if action.firer == "m1"]


@rule("1.2.1")
def test_one_who_directed_in_the_mph_may_fire_a_weapon_in_the_dfph() -> None:
    units = [UNITS[0], UNITS[1], unit("g2", "german 9-1", "K5", marker=FIRST_FIRE, directed=("g1",))]
    match = drill("z", "DFPh", units, [weapon("m1", "german LMG", "g2")])
    assert StartFire("m1") in offered(match, StartFire)
    units[2] = unit("g2", "german 9-1", "K5", marker=FINAL_FIRE, directed=("g1",))
    match = drill("z", "DFPh", units, [weapon("m1", "german LMG", "g2")])
    assert StartFire("m1") not in offered(match, StartFire)


@rule("4.1")
def test_one_other_leader_and_no_more_helps_to_serve_a_machine_gun() -> None:
    leaders = [unit(name, "german 8-0", "K5") for name in ("a", "b", "c")]
    guns = [weapon("m1", "german LMG", "a")]
    match = drill("z", "PFPh", [UNITS[0], *leaders], guns, attacker="german")
    do(match, StartFire("m1"), AimAt(cell(match, "K3")))
    assert set(offered(match, AddFirer)) == {AddFirer("b"), AddFirer("c")}
    do(match, AddFirer("b"))
    assert not offered(match, AddFirer)
