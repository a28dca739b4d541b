"""The guide's map, counters, turn and movement, where they differ from the Starter Kit or only repeat it."""

from __future__ import annotations

import pytest
from squad_support import cell, do, drill, get, get_weapon, go, offered, rule, unit, weapon

import sandtable
from sandtable.engine import Match, get_game
from sandtable.engine.errors import CannotUndo
from sandtable.games.squad.ground.setting import ground_of
from sandtable.games.squad.movement.model import (
    AddMover,
    BeginMove,
    DoubleTime,
    Recover,
    SmokeGrenade,
    StartMove,
    Step,
    Stop,
)
from sandtable.games.squad.movement.portage import half_mf
from sandtable.games.squad.phases.model import EndPhase, PhaseBegan
from sandtable.games.squad.pieces.kinds import printed_unit


def guide(units: list[dict[str, object]], weapons: list[dict[str, object]] | None = None, **more: object) -> Match:
    return drill("1", "MPh", units, weapons or [], game="guidedrill", **more)  # type: ignore[arg-type]


@rule("G1")
@pytest.mark.parametrize(("place", "mf", "tem"), [("F5", 2, 3), ("H2", 2, 1), ("I3", 1, 0)])
def test_terrain_of_board_1(place: str, mf: float, tem: int) -> None:
    match = guide([unit("a", "russian 4-4-7", "A1")])
    ground = ground_of(match.state)
    assert ground.entry_cost(ground.index(place)) / 2 == mf
    assert ground.tem[ground.index(place)] == tem


@rule("G2")
def test_counters_of_the_scenario() -> None:
    guards = printed_unit("russian 6-2-8")
    assert (guards.fp, guards.range, guards.morale) == (6, 2, 8)
    assert guards.reduced == "russian 3-2-8"
    assert printed_unit("german 9-2").leadership == -2


@rule("G4")
def test_the_guide_has_the_same_eight_phases() -> None:
    match = sandtable.new("aslguide/intro", seed=1)
    assert match.state.attacker == "russian", "the Russian moves first"
    while match.state.attacker == "russian":
        actions = match.actions(match.to_act[0])
        do(match, next((a for a in actions if isinstance(a, EndPhase)), actions[-1]))
    began = [event.phase for _, event in match.events(everything=True) if isinstance(event, PhaseBegan)]
    assert tuple(began[:8]) == get_game("aslguide").points.phases


@rule("G15")
@rule("G33")
def test_mf_and_portage() -> None:
    units = [unit("l", "german 9-1", "F5"), unit("a", "german 4-6-7", "F5")]
    match = guide(units, [weapon(f"w{n}", "german LMG", "a") for n in range(4)], attacker="german")
    squad, leader = get(match, "a"), get(match, "l")
    assert half_mf(match.state, squad) / 2 == 3, "four PP are one too many"
    assert half_mf(match.state, squad, leader=leader) / 2 == 6
    match = guide(
        units,
        [weapon(f"w{n}", "german LMG", "a") for n in range(4)] + [weapon("x", "german LMG", "l")],
        attacker="german",
    )
    assert half_mf(match.state, get(match, "a"), leader=get(match, "l")) / 2 == 5, "he carries a PP of his own"


@rule("G15")
def test_no_double_time_and_no_smoke() -> None:
    match = guide(
        [unit("a", "german 4-6-7", "F5"), unit("b", "german 4-6-7", "F5")],
        [weapon("w", "german LMG", at="F5")],
        attacker="german",
    )
    do(match, StartMove("a"), AddMover("b"))
    assert offered(match, DoubleTime) == []
    do(match, BeginMove())
    assert offered(match, SmokeGrenade) == []
    do(match, Stop())


@rule("G33")
def test_weapons_are_taken_up_on_the_move_as_far_as_their_pp_leave_mf() -> None:
    weapons = [weapon("hmg", "german HMG", at="I3"), weapon("lmg", "german LMG", at="I3")]
    match = guide([unit("a", "german 4-6-7", "J3")], weapons, attacker="german")
    do(match, StartMove("a"), BeginMove())
    go(match, "I3")
    assert set(offered(match, Recover)) == {Recover("a", "hmg"), Recover("a", "lmg")}
    do(match, Recover("a", "lmg"), Recover("a", "hmg"))
    assert half_mf(match.state, get(match, "a")) / 2 == 2, "five PP are two too many"
    go(match, "I4", "I5")
    assert offered(match, Step) == []
    assert get_weapon(match, "hmg").moved


@rule("G33")
def test_no_weapon_is_taken_up_that_would_cost_mf_already_spent() -> None:
    weapons = [weapon("hmg", "german HMG", at="I3"), weapon("lmg", "german LMG", at="I3")]
    match = guide([unit("a", "german 4-6-7", "I6")], weapons, attacker="german")
    do(match, StartMove("a"), BeginMove())
    go(match, "I5", "I4", "I3", "I4", "I3")
    assert offered(match, Recover) == [Recover("a", "lmg")]


@rule("G16")
def test_assault_movement_may_take_all_mf() -> None:
    guns = [weapon(f"w{n}", "russian MMG", "a") for n in range(1)]
    guide_match = guide([unit("a", "russian 4-4-7", "H3")], guns)
    do(guide_match, StartMove("a"), BeginMove(assault=True))
    woods = cell(guide_match, "H2")
    assert half_mf(guide_match.state, get(guide_match, "a")) == 4
    assert Step(woods) in guide_match.actions("russian")
    kit = drill("1", "MPh", [unit("a", "russian 4-4-7", "H3")], guns)
    do(kit, StartMove("a"), BeginMove(assault=True))
    assert Step(woods) not in kit.actions("russian")


@rule("G36")
@rule("G3")
def test_results_stand_once_dice_are_cast() -> None:
    match = drill("z", "MPh", [unit("a", "german 4-6-7", "F5")], attacker="german", dice=[1])
    do(match, StartMove("a"), BeginMove())
    match.undo("german")
    do(match, BeginMove(), SmokeGrenade("a", cell(match, "F5")))
    with pytest.raises(CannotUndo):
        match.undo("german")
