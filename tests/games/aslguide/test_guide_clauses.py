"""The guide's Desperation Morale, Final Protective Fire and machine guns, clause by clause (G6, G20, G34); board 1.

F6 and F5 lie side by side, E6 beside both in the open; L6 is a stone building six hexes from F6. I5 to I3 is a road.
"""

from __future__ import annotations

from typing import Any

import pytest
from squad_support import cell, do, drill, get, get_weapon, go, happened, offered, rule, unit, weapon

from sandtable.engine import Match
from sandtable.engine.errors import IllegalAction
from sandtable.games.squad.fire.firepower import volley
from sandtable.games.squad.fire.model import (
    AddDirector,
    AddFirer,
    AimAt,
    FireAttack,
    Fired,
    LineBlocked,
    ResolveFire,
    StartFire,
)
from sandtable.games.squad.movement.model import BeginMove, Pass, StartMove
from sandtable.games.squad.phases.model import Done, EndPhase
from sandtable.games.squad.pieces.events import MoraleChecked
from sandtable.games.squad.pieces.model import FINAL_FIRE, FIRST_FIRE, PREP_FIRE
from sandtable.games.squad.rally.model import KeepDm, RallyUnit, SelfRally
from sandtable.games.squad.rout.model import VoluntaryBreak


def guide(phase: str, *units: dict[str, Any], guns: Any = (), attacker: str = "german", **more: Any) -> Match:
    return drill("1", phase, units, guns, game="guidedrill", attacker=attacker, **more)


def fire(match: Match, first: str, at: str, *then: Any) -> list[Any]:
    return do(match, StartFire(first), AimAt(cell(match, at)), *then, ResolveFire())


# -- Desperation Morale (G6) ----------------------------------------------------------------


@rule("G6")
def test_whoever_breaks_is_under_desperation_morale() -> None:
    match = guide("PFPh", unit("g", "german 4-6-7", "F6"), unit("r", "russian 4-4-7", "F5"), dice=[1, 2, 6, 5])
    fire(match, "g", "F5")
    assert get(match, "r").broken
    assert get(match, "r").dm


@rule("G6")
def test_so_is_whoever_breaks_at_will() -> None:
    match = guide("RtPh", unit("r", "russian 4-4-7", "F5"), unit("g", "german 4-6-7", "F6"), attacker="russian")
    do(match, VoluntaryBreak("r"))
    assert get(match, "r").dm


@rule("G6")
@pytest.mark.parametrize(
    ("kind", "dm"), [("german 4-6-7", True), ("german 2-4-7", False)], ids=["could check morale", "could only pin"]
)
def test_enough_firepower_for_a_check_puts_a_broken_unit_under_it_whatever_the_dice(kind: str, dm: bool) -> None:
    match = guide("PFPh", unit("g", kind, "F6"), unit("r", "russian 4-4-7", "L6", broken=True), dice=[6, 6])
    events = fire(match, "g", "L6")
    assert not happened(events, MoraleChecked)
    assert get(match, "r").dm is dm


@rule("G6")
@rule("G8")
def test_fire_along_a_blocked_line_does_not() -> None:
    units = [unit("g", "german 4-6-7", "L6"), unit("r", "russian 4-4-7", "F7", broken=True)]
    match = guide("PFPh", *units, options={"los": "declared"})
    assert happened(fire(match, "g", "F7"), LineBlocked)
    assert not get(match, "r").dm


@rule("G6")
def test_an_enemy_who_only_passes_by_is_enough() -> None:
    units = [unit("r", "russian 4-4-7", "I6"), unit("g", "german 4-6-7", "J4", broken=True)]
    match = guide("MPh", *units, attacker="russian")
    assert not get(match, "g").dm
    do(match, StartMove("r"), BeginMove())
    go(match, "I5", "I4", "I3")
    assert get(match, "g").dm
    units[1] = unit("g", "german 4-6-7", "L6", broken=True)
    far = guide("MPh", *units, attacker="russian")
    do(far, StartMove("r"), BeginMove())
    go(far, "I5", "I4", "I3")
    assert not get(far, "g").dm


@rule("G6")
@rule("G5")
def test_it_adds_four_to_a_rally_and_nothing_else() -> None:
    def rally(dm: bool) -> float:
        units = [unit("r", "russian 4-4-7", "E6", broken=True, dm=dm), unit("l", "russian 8-0", "E6")]
        match = guide("RPh", *units, attacker="russian", dice=[])
        preview = match.preview("russian", RallyUnit("r", "l"))
        assert preview is not None
        return preview.tallies[0].total

    assert rally(True) - rally(False) == 4
    # a morale check is the same with and without: seven or less of a broken squad
    for dm in (True, False):
        units = [unit("g", "german 4-6-7", "F6"), unit("r", "russian 4-4-7", "F5", broken=True, dm=dm)]
        match = guide("PFPh", *units, dice=[2, 2, 3, 3])
        (check,) = happened(fire(match, "g", "F5"), MoraleChecked)
        assert check.passed


@rule("G6")
@pytest.mark.parametrize("at", ["E6", "L6"])
def test_it_comes_off_at_the_end_of_the_rally_phase_unless_kept_in_the_open(at: str) -> None:
    units = [unit("r", "russian 4-4-7", at, broken=True, dm=True), unit("g", "german 4-6-7", "F6")]
    match = guide("RPh", *units, attacker="russian")
    in_the_open = at == "E6"
    assert (KeepDm("r") in match.actions("russian")) is in_the_open
    if in_the_open:
        kept = guide("RPh", *units, attacker="russian")
        do(kept, KeepDm("r"))
        while kept.state.phase == "RPh":
            do(kept, Done())
        assert get(kept, "r").dm, "it may rout again"
        do(match, Done())
    assert not get(match, "r").dm, "also beside an enemy"


@rule("G6")
@rule("G5")
def test_whoever_rallies_is_rid_of_it() -> None:
    units = [unit("l", "russian 9-1", "L6", broken=True, dm=True), unit("g", "german 4-6-7", "A1")]
    match = guide("RPh", *units, attacker="russian", dice=[1, 2])
    do(match, SelfRally("l"))
    assert (get(match, "l").broken, get(match, "l").dm) == (False, False)


# -- Final Protective Fire (G20) ------------------------------------------------------------


def last_stand(*more: dict[str, Any], dice: list[int] | None = None, guns: Any = (), steps: str = "E6") -> Match:
    """A German squad that has fired all it has in F6; a Russian squad moves beside it."""
    squad = unit("g", "german 4-6-7", "F6", marker=FINAL_FIRE)
    match = guide("MPh", unit("r", "russian 4-4-7", "D5"), squad, *more, guns=guns, attacker="russian", dice=dice or [])
    do(match, StartMove("r"), BeginMove())
    go(match, steps)
    return match


@rule("G20")
@pytest.mark.parametrize(("dice", "breaks"), [([3, 4], False), ([3, 5], True)])
def test_the_original_dice_are_the_firers_own_morale_check(dice: list[int], breaks: bool) -> None:
    match = last_stand(dice=[*dice, 1, 1])
    events = do(match, StartFire("g"), ResolveFire())
    (fired,) = happened(events, Fired)
    assert fired.dr == sum(dice) - 2, "FFMO and FFNAM count for the target alone"
    assert get(match, "g").broken is breaks


@rule("G20")
def test_it_is_only_for_movers_beside_the_firer() -> None:
    squad = unit("g", "german 4-6-7", "F6", marker=FINAL_FIRE)
    match = guide("MPh", unit("r", "russian 4-4-7", "C5"), squad, attacker="russian")
    do(match, StartMove("r"), BeginMove())
    go(match, "D5")
    assert match.to_act == ("russian",), "two hexes away nobody may fire"


@rule("G20")
def test_there_is_no_limit_but_the_mf_spent_and_ones_nerves() -> None:
    match = last_stand(dice=[6, 1, 1, 1, 6, 1, 1, 1, 6, 6])
    do(match, StartFire("g"), ResolveFire())
    assert match.to_act == ("russian",), "one MF, one attack"
    go(match, "E7")
    do(match, StartFire("g"), ResolveFire())
    assert not get(match, "g").broken
    go(match, "F7")
    do(match, StartFire("g"), ResolveFire())
    assert get(match, "g").broken
    go(match, "G7")
    assert match.to_act == ("russian",), "a broken unit fires no more"


@rule("G20")
def test_a_group_may_hold_others_and_only_the_desperate_check() -> None:
    match = last_stand(unit("h", "german 4-6-7", "F6"), dice=[4, 6, 1, 1])
    events = do(match, StartFire("g"), AddFirer("h"), ResolveFire())
    assert happened(events, Fired)[0].fp == 4 + 8
    own = [check.unit for check in happened(events, MoraleChecked) if "Final Protective" in check.what]
    assert own == ["g"]
    assert get(match, "g").broken
    assert not get(match, "h").broken


@rule("G35")
@rule("G20")
@rule("G22")
def test_a_leader_who_directs_it_checks_too_and_his_modifier_helps_the_others() -> None:
    leader = unit("l", "german 8-1", "F6", marker=FINAL_FIRE, directed=["g"])
    match = last_stand(leader, dice=[3, 5, 1, 1])
    events = do(match, StartFire("g"), AddDirector("l"), ResolveFire())
    own = [check.unit for check in happened(events, MoraleChecked) if "Final Protective" in check.what]
    assert own == ["l", "g"]
    assert not get(match, "g").broken, "8 - 1 is its morale"
    assert not get(match, "l").broken, "8 is his, without his own modifier"
    stranger = last_stand(unit("l", "german 8-1", "F6", marker=FINAL_FIRE, directed=["x"]))
    do(stranger, StartFire("g"))
    assert not offered(stranger, AddDirector), "he has directed others before"


# -- machine guns (G34) -----------------------------------------------------------------------


LMG, MMG, HMG = "german LMG", "german MMG", "german HMG"


@rule("G34")
@pytest.mark.parametrize(("kind", "fp", "reach"), [(LMG, 3, 8), (MMG, 5, 12), (HMG, 7, 16)])
def test_firepower_and_range_stand_on_the_counter(kind: str, fp: int, reach: int) -> None:
    units = [unit("g", "german 4-6-7", "F6"), unit("r", "russian 4-4-7", "L6")]
    match = guide("PFPh", *units, guns=[weapon("mg", kind, "g")], dice=[6, 6])
    (fired,) = happened(fire(match, "mg", "L6"), Fired)
    assert fired.fp == fp
    assert not get_weapon(match, "mg").broken, "nothing breaks down"


@rule("G34")
def test_a_squad_fires_one_gun_at_no_cost_together_at_the_same_target() -> None:
    units = [unit("g", "german 4-6-7", "F6"), unit("r", "russian 4-4-7", "L6"), unit("r2", "russian 4-4-7", "M6")]
    match = guide("PFPh", *units, guns=[weapon("mg", LMG, "g")], dice=[6, 6] * 3)
    (fired,) = happened(fire(match, "g", "L6", AddFirer("mg")), Fired)
    assert fired.fp == 4 + 3
    assert not offered(match, StartFire)
    # apart: the gun may not go for the same target afterwards, but for another one
    match = guide("PFPh", *units, guns=[weapon("mg", LMG, "g")], dice=[6, 6] * 3)
    fire(match, "g", "L6")
    do(match, StartFire("mg"))
    assert {action.at for action in offered(match, AimAt)} == {cell(match, "M6")}
    (fired,) = happened(do(match, AimAt(cell(match, "M6")), ResolveFire()), Fired)
    assert fired.fp == 3


@rule("G34")
@pytest.mark.parametrize("later", ["PFPh", "AFPh"])
def test_two_guns_cost_a_squad_its_own_firepower_for_the_player_turn(later: str) -> None:
    units = [unit("g", "german 4-6-7", "F6"), unit("r", "russian 4-4-7", "L6"), unit("r2", "russian 4-4-7", "M6")]
    guns = [weapon("a", LMG, "g"), weapon("b", MMG, "g"), weapon("c", LMG, "g")]
    match = guide("PFPh", *units, guns=guns, dice=[6, 6] * 3)
    do(match, StartFire("a"), AimAt(cell(match, "L6")), AddFirer("b"))
    assert not offered(match, AddFirer), "neither its own firepower nor a third"
    assert happened(do(match, ResolveFire()), Fired)[0].fp == 3 + 5
    while match.state.phase != later:
        actions = match.actions(match.to_act[0])
        do(match, next(a for a in actions if isinstance(a, EndPhase | Pass | Done)))
    assert not offered(match, StartFire)


@rule("G34")
def test_a_squad_that_has_fired_itself_fires_only_one() -> None:
    units = [unit("g", "german 4-6-7", "F6"), unit("r", "russian 4-4-7", "L6"), unit("r2", "russian 4-4-7", "M6")]
    guns = [weapon("a", LMG, "g"), weapon("b", MMG, "g")]
    match = guide("PFPh", *units, guns=guns, dice=[6, 6] * 3)
    fire(match, "g", "L6", AddFirer("a"))
    assert StartFire("b") not in offered(match, StartFire)


@rule("G34")
def test_a_half_squad_fires_one_at_full_firepower_and_then_nothing_else() -> None:
    units = [unit("g", "german 2-4-7", "F6"), unit("r", "russian 4-4-7", "L6"), unit("r2", "russian 4-4-7", "E6")]
    guns = [weapon("a", LMG, "g"), weapon("b", MMG, "g")]
    match = guide("PFPh", *units, guns=guns, dice=[6, 6] * 3)
    do(match, StartFire("a"), AimAt(cell(match, "L6")))
    assert not offered(match, AddFirer)
    assert happened(do(match, ResolveFire()), Fired)[0].fp == 3
    assert not offered(match, StartFire)


@rule("G34")
def test_one_leader_fires_a_gun_at_half_and_two_at_full() -> None:
    units = [unit("l", "german 8-0", "F6"), unit("m", "german 8-1", "F6"), unit("r", "russian 4-4-7", "L6")]
    match = guide("PFPh", *units, guns=[weapon("mg", MMG, "l")], dice=[6, 6])
    assert happened(fire(match, "mg", "L6"), Fired)[0].fp == 2.5
    match = guide("PFPh", *units, guns=[weapon("mg", MMG, "l")], dice=[6, 6])
    assert happened(fire(match, "mg", "L6", AddFirer("m")), Fired)[0].fp == 5


@rule("G34")
def test_leaders_who_serve_a_gun_direct_nobody_in_that_phase() -> None:
    units = [
        unit("l", "german 8-1", "F6"),
        unit("m", "german 9-1", "F6"),
        unit("g", "german 4-6-7", "F6"),
        unit("r", "russian 4-4-7", "L6"),
        unit("r2", "russian 4-4-7", "M6"),
    ]
    match = guide("PFPh", *units, guns=[weapon("mg", MMG, "l")], dice=[6, 6] * 2)
    do(match, StartFire("mg"), AimAt(cell(match, "L6")), AddFirer("m"))
    assert not offered(match, AddDirector), "both serve"
    do(match, ResolveFire(), StartFire("g"), AimAt(cell(match, "M6")))
    assert not offered(match, AddDirector)
    # and his own modifier is not for his own gun
    match = guide("PFPh", *units, guns=[weapon("mg", MMG, "l")])
    attack = FireAttack("german", cell(match, "L6"), "prep", weapons=("mg",))
    assert volley(match.state, attack).drm.total == 3, "the building alone"


@rule("G34")
@rule("G19")
def test_a_gun_fires_again_at_half_beside_the_mover_without_rate_of_fire() -> None:
    squad = unit("g", "german 4-6-7", "F6", marker=FIRST_FIRE, used=["mg"])
    guns = [weapon("mg", MMG, "g", marker=FIRST_FIRE)]
    match = guide("MPh", unit("r", "russian 4-4-7", "D5"), squad, guns=guns, attacker="russian", dice=[1, 6, 1, 1])
    do(match, StartMove("r"), BeginMove())
    go(match, "E6")
    events = do(match, StartFire("mg"), ResolveFire())
    assert happened(events, Fired)[0].fp == 5, "halved and doubled"
    assert get_weapon(match, "mg").marker == FINAL_FIRE


@rule("G34")
@rule("G7")
def test_no_gun_fires_twice_in_a_phase() -> None:
    units = [unit("g", "german 4-6-7", "F6"), unit("r", "russian 4-4-7", "L6"), unit("r2", "russian 4-4-7", "M6")]
    match = guide("PFPh", *units, guns=[weapon("mg", HMG, "g")], dice=[1, 6, 1, 6])
    fire(match, "mg", "L6")
    assert get_weapon(match, "mg").marker == PREP_FIRE
    assert StartFire("mg") not in offered(match, StartFire)
    with pytest.raises(IllegalAction):
        do(match, StartFire("mg"))
