"""What a game read die by die showed: who rolls, who need not, and what a DR does besides (A8.31, A10.63, A15)."""

from __future__ import annotations

from typing import Any

import pytest
from asl_support import heated
from squad_support import cell, do, drill, get, happened, offered, rule, unit

from sandtable.engine import Match, Play, ScriptedDice
from sandtable.games.asl.heat.berserk import go_berserk
from sandtable.games.asl.heat.model import HeatRolled
from sandtable.games.squad.effects.morale import pin_check
from sandtable.games.squad.fire.model import AddFirer, ResolveFire, StartFire
from sandtable.games.squad.movement.model import BeginMove, StartMove, Step
from sandtable.games.squad.pieces.events import Reduced
from sandtable.games.squad.pieces.model import FINAL_FIRE
from sandtable.games.squad.rally.eligibility import self_rally_bar

MOVER = unit("r", "russian 4-4-7", "H5")


def protective(*kinds: str, dice: tuple[int, ...]) -> list[Any]:
    """Germans under Final Fire counters fire at a squad that comes beside them."""
    names = [f"g{number}" for number in range(len(kinds))]
    men = [unit(name, kind, "J5", marker=FINAL_FIRE) for name, kind in zip(names, kinds, strict=True)]
    match = heated("z", "MPh", MOVER, *men, dice=dice)
    do(match, StartMove("r"), BeginMove())
    do(match, next(one for one in offered(match, Step) if one.to == cell(match, "I5")))
    do(match, StartFire(names[0]))
    do(match, *[AddFirer(name) for name in names[1:] if AddFirer(name) in offered(match, AddFirer)])
    return do(match, ResolveFire())


@rule("A8.31")
@rule("A15.1")
@pytest.mark.parametrize(("kind", "heats"), [("german 4-6-7", True), ("german 2-4-7", True), ("german 2-2-8", False)])
def test_an_original_2_of_final_protective_fire_may_bring_heat_of_battle(kind: str, heats: bool) -> None:
    events = protective(kind, dice=(1, 1, 6, 6, 6, 6, 4, 4, 4, 4))
    assert bool(happened(events, HeatRolled)) is heats


@rule("A8.31")
@pytest.mark.parametrize("total", [(1, 2), (2, 2)])
def test_no_other_dr_of_final_protective_fire_does(total: tuple[int, ...]) -> None:
    assert not happened(protective("german 4-6-7", dice=(*total, 3, 4, 3, 4, 3, 4)), HeatRolled)


@rule("A8.31")
def test_one_of_its_firers_by_random_selection() -> None:
    events = protective("german 4-6-7", "german 4-6-7", dice=(1, 1, 2, 5, 4, 4, 4, 4))
    assert len(happened(events, HeatRolled)) == 1


@rule("A8.31")
def test_an_original_12_reduces_one_of_its_firers() -> None:
    events = protective("german 4-6-7", "german 4-6-7", dice=(6, 6, 2, 5))
    assert [event.unit for event in happened(events, Reduced) if event.why == "Casualty Reduction"] == ["g1"]


def stacked(leader: str, kind: str, **more: Any) -> Match:
    men = unit("r", kind, "V4", broken=True), unit("l", leader, "V4", **more)
    return heated("z", "RPh", *men, unit("g", "german 4-6-7", "A1"))


@rule("A10.63")
@pytest.mark.parametrize("kind", ["russian 4-4-7", "russian 2-2-8", "russian 8-0"])
def test_nobody_self_rallies_beside_a_good_order_leader(kind: str) -> None:
    match = stacked("russian 8-1", kind)
    assert self_rally_bar(match.state, get(match, "r"), tried=0) == (
        "An unbroken leader with it must rally it",
        "A10.63",
    )
    alone = stacked("russian 8-1", kind, broken=True)
    assert self_rally_bar(alone.state, get(alone, "r"), tried=0) is None


@rule("3.1")
def test_in_the_starter_kit_a_leader_does_not_forbid_it() -> None:
    match = drill("z", "RPh", [unit("r", "russian 4-4-7", "V4", broken=True), unit("l", "russian 8-1", "V4")])
    assert self_rally_bar(match.state, get(match, "r"), tried=0) is None


@rule("A7.82")
@pytest.mark.parametrize("kind", ["german Hero 1-4-9", "japanese 9-0"])
def test_those_who_are_never_pinned_roll_for_no_ptc(kind: str) -> None:
    match = heated("z", "PFPh", unit("h", kind, "I5", side="german"), unit("r", "russian 4-4-7", "A1"))
    assert pin_check(Play(match.state, ScriptedDice()), get(match, "h"))


@rule("A15.42")
def test_a_berserk_squad_rolls_for_none_either() -> None:
    match = heated("z", "PFPh", unit("g", "german 4-6-7", "I5"), MOVER)
    play = Play(match.state, ScriptedDice())
    go_berserk(play, get(match, "g"))
    assert pin_check(play, get(match, "g"))
