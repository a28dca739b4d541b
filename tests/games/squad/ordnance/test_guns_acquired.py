"""Acquired Targets: how counters are gained, follow, change and are lost (6.10, 6.11)."""

from __future__ import annotations

from typing import Any

from ordnance_support import PAK, QuietPlay, arc, held, hold, observed
from squad_support import cell, do, drill, get, get_weapon, offered, rule, unit, weapon

from sandtable.engine import Match
from sandtable.games.squad.effects.morale import break_unit
from sandtable.games.squad.fire.model import AimAt, ResolveFire, StartFire
from sandtable.games.squad.ground.guns import acquire, acquisition, moved_units
from sandtable.games.squad.ground.model import FollowTarget
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import eliminate, give, put
from sandtable.games.squad.movement.model import AddMover, BeginMove, Detach, DropWeapon, StartMove, Step, Stop
from sandtable.games.squad.ordnance.model import KeepAcquired
from sandtable.games.squad.pieces.model import Acquired
from sandtable.games.squad.rout.model import RoutStep, StartRout

BOARD = "xwinter"


# -- Acquired Targets -----------------------------------------------------------------------


@rule("6.10")
def test_the_counter_follows_a_target_in_sight() -> None:
    match = observed(units=1)
    do(match, StartMove("r1"), BeginMove(), Step(cell(match, "D7"), road=True))
    assert held(match) == Acquired(cell(match, "D7"), -2, False, ("r1",))


@rule("6.10")
def test_the_last_hex_in_sight_keeps_the_counter_and_gives_it_to_the_next() -> None:
    match = drill(
        BOARD,
        "MPh",
        [unit("gc", "german 2-2-8", "D8"), unit("r1", "russian 4-4-7", "A8"), unit("r2", "russian 4-4-7", "A9")],
        [weapon("pak", PAK, "gc", facing=0)],
    )
    a8, a7 = cell(match, "A8"), cell(match, "A7")
    hold(match, Acquired(a8, -2, False, ("r1",)))
    do(match, StartMove("r1"), BeginMove(), Step(a7))
    assert held(match) == Acquired(a8, -2, False)
    put(match.state, get(match, "r2"), a8)
    moved_units(QuietPlay(match.state), ("r2",), cell(match, "A9"), a8)  # type: ignore[arg-type]
    assert held(match) == Acquired(a8, -2, False, ("r2",))


@rule("6.10")
def test_the_firer_chooses_when_an_acquired_stack_scatters() -> None:
    match = observed()
    do(match, StartMove("r1"), BeginMove(), Step(cell(match, "D7"), road=True))
    assert isinstance(match.state.stack[-1], FollowTarget)
    assert match.to_act == ("german",)
    assert offered(match, KeepAcquired) == [KeepAcquired("r1"), KeepAcquired("r2")]
    do(match, KeepAcquired("r2"))
    assert held(match) == Acquired(cell(match, "D6"), -2, False, ("r2",))


@rule("6.10")
def test_a_stack_that_stays_together_keeps_one_counter() -> None:
    match = observed()
    do(match, StartMove("r1"), AddMover("r2"), BeginMove(), Step(cell(match, "D7"), road=True))
    assert held(match) == Acquired(cell(match, "D7"), -2, False, ("r1", "r2"))


@rule("6.11")
def test_area_acquisition_stays_with_the_hex() -> None:
    match = observed(units=1)
    hold(match, Acquired(cell(match, "D6"), -1, True))
    do(match, StartMove("r1"), BeginMove(), Step(cell(match, "D7"), road=True))
    assert held(match) == Acquired(cell(match, "D6"), -1, True)


@rule("6.10")
@rule("6.11")
def test_the_counter_changes_its_size_with_the_target_type() -> None:
    match = observed(units=1)
    d6 = cell(match, "D6")
    hold(match, Acquired(d6, -1, False, ("r1",)))
    acquire(QuietPlay(match.state), get_weapon(match, "pak"), d6, ["r1"], area=True)  # type: ignore[arg-type]
    assert held(match) == Acquired(d6, -2, True)
    acquire(QuietPlay(match.state), get_weapon(match, "pak"), d6, ["r1"], area=False)  # type: ignore[arg-type]
    assert held(match) == Acquired(d6, -2, False, ("r1",))


@rule("6.10")
def test_another_target_starts_anew() -> None:
    match = observed(units=1)
    acquire(QuietPlay(match.state), get_weapon(match, "pak"), cell(match, "D7"), [], area=False)  # type: ignore[arg-type]
    assert held(match) == Acquired(cell(match, "D7"), -1, False)


@rule("6.10")
def test_a_firer_who_leaves_his_hex_loses_the_counter() -> None:
    match = drill(
        BOARD,
        "MPh",
        [unit("g1", "german 4-6-7", "D8"), unit("r1", "russian 4-4-7", "D4")],
        [weapon("pak", "german 5cm leGrW 36", "g1")],
        attacker="german",
    )
    hold(match, Acquired(cell(match, "D4"), -2, True))
    do(match, StartMove("g1"), BeginMove(), Step(cell(match, "D7")))
    assert held(match) is None


def test_detached_movers_keep_their_own_counter() -> None:
    match = observed()
    do(match, StartMove("r1"), AddMover("r2"), BeginMove(), Detach("r2"))
    do(match, Step(cell(match, "D7"), road=True), KeepAcquired("r1"))
    assert held(match) == Acquired(cell(match, "D7"), -2, False, ("r1",))


def test_a_stop_leaves_the_counter_alone() -> None:
    match = observed(units=1)
    before = held(match)
    do(match, StartMove("r1"), BeginMove(), Stop())
    assert held(match) == before
    assert arc(match, "D8", "D7", "E8") == get_weapon(match, "pak").facing


def spotted(phase: str = "PFPh", *dice: int, **more: Any) -> Match:
    """A German squad with a light mortar that has acquired the hex of a Russian squad two hexes away."""
    match = drill(
        BOARD,
        phase,
        [unit("g1", "german 4-6-7", "D8", **more), unit("g2", "german 4-6-7", "D8"), unit("r1", "russian 4-4-7", "D6")],
        [weapon("pak", "german 5cm leGrW 36", "g1")],
        dice=dice,
        attacker="german",
    )
    hold(match, Acquired(cell(match, "D6"), -2, True))
    return match


@rule("6.10")
def test_firing_ones_own_firepower_loses_the_acquisition() -> None:
    match = spotted("PFPh", 6, 5)
    do(match, StartFire("g1"), AimAt(cell(match, "D6")), ResolveFire())
    assert held(match) is None


@rule("6.10")
def test_dropping_or_handing_over_the_weapon_loses_the_acquisition() -> None:
    match = spotted("MPh")
    do(match, StartMove("g1"), BeginMove(), DropWeapon("pak"))
    assert held(match) is None
    match = spotted()
    give(match.state, get_weapon(match, "pak"), "g2")
    assert held(match) is None


@rule("6.10")
def test_a_broken_or_engaged_owner_loses_the_acquisition() -> None:
    match = spotted()
    break_unit(QuietPlay(match.state), get(match, "g1"))  # type: ignore[arg-type]
    assert held(match) is None
    match = drill(
        BOARD,
        "CCPh",
        [unit("g1", "german 4-6-7", "D8", melee=True), unit("r1", "russian 4-4-7", "D8", melee=True)],
        [weapon("pak", "german 5cm leGrW 36", "g1")],
        dice=[6] * 20,
    )
    hold(match, Acquired(cell(match, "D6"), -2, True))
    while match.state.phase == "CCPh":
        do(match, list(match.actions(match.to_act[0]))[-1])
    assert get(match, "g1").melee
    assert held(match) is None


@rule("6.10")
def test_an_eliminated_target_leaves_its_counter_to_the_hex() -> None:
    match = observed(units=1)
    eliminate(QuietPlay(match.state), get(match, "r1"))  # type: ignore[arg-type]
    d6 = cell(match, "D6")
    assert acquisition(match.state, get_weapon(match, "pak"), d6) == -2
    assert acquisition(match.state, get_weapon(match, "pak"), d6, "somebody new") == -2


@rule("6.10")
@rule("3.6")
def test_the_firer_chooses_when_one_of_an_acquired_stack_routs() -> None:
    match = drill(
        BOARD,
        "RtPh",
        [
            unit("gc", "german 2-2-8", "D8"),
            unit("r1", "russian 4-4-7", "D6", broken=True, dm=True),
            unit("r2", "russian 4-4-7", "D6"),
        ],
        [weapon("pak", PAK, "gc", facing=0)],
        dice=[1] * 8,
    )
    hold(match, Acquired(cell(match, "D6"), -1, False, ("r1", "r2")))
    do(match, StartRout("r1"))
    seen = [step for step in offered(match, RoutStep) if sees(match.state, cell(match, "D8"), step.to)]
    do(match, seen[0])
    assert offered(match, KeepAcquired) == [KeepAcquired("r1"), KeepAcquired("r2")]
    do(match, KeepAcquired("r1"))
    assert held(match) == Acquired(seen[0].to, -1, False, ("r1",))
    # the rout is over in cover, and so is the phase
    assert match.state.phase == "APh"
