"""Fire by the introductory guide: what it has in common with the Starter Kit, and what it leaves out; board 1."""

from __future__ import annotations

from typing import Any

import pytest
from squad_support import cell, do, drill, get, get_weapon, happened, offered, rule, unit, weapon

from sandtable.engine import Match, Play, ScriptedDice
from sandtable.games.squad.cards.tables import fire_result
from sandtable.games.squad.effects.aftermath import resolve_effects
from sandtable.games.squad.effects.results import random_selection
from sandtable.games.squad.fire.firepower import volley
from sandtable.games.squad.fire.model import (
    AddDirector,
    AddFirer,
    AimAt,
    CancelFire,
    FireAttack,
    Fired,
    LineBlocked,
    ResidualAttack,
    ResolveFire,
    StartDestroying,
    StartFire,
)
from sandtable.games.squad.fire.resolution import residual_attack
from sandtable.games.squad.ground.movers import leave_residual
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.movement.model import BeginMove, StartMove, Step
from sandtable.games.squad.pieces.events import MoraleChecked, Pinned
from sandtable.games.squad.pieces.model import FINAL_FIRE, FIRST_FIRE, PREP_FIRE


def guide(phase: str, units: list[dict[str, Any]], weapons: list[dict[str, Any]] | None = None, **more: Any) -> Match:
    return drill("1", phase, units, weapons or [], game="guidedrill", **{"attacker": "german", **more})


def fire(match: Match, first: str, at: str, *then: Any) -> Fired:
    events = do(match, StartFire(first), AimAt(cell(match, at)), *then, ResolveFire())
    (fired,) = happened(events, Fired)
    assert isinstance(fired, Fired)
    return fired


@rule("G7")
@rule("G34")
def test_nothing_fires_twice_and_machine_guns_have_no_rate_of_fire() -> None:
    units = [unit("g", "german 4-6-7", "F6"), unit("r", "russian 4-4-7", "L6"), unit("g2", "german 4-6-7", "F5")]
    match = guide("PFPh", units, [weapon("mg", "german MMG", "g")], dice=[1, 1, 1, 2, 1, 3])
    fired = fire(match, "g", "L6", AddFirer("mg"))
    assert fired.cowered == 0, "no cowering"
    assert get(match, "g").marker == get_weapon(match, "mg").marker == PREP_FIRE
    assert not get_weapon(match, "mg").broken


@rule("G8")
def test_the_line_of_sight_of_the_guide() -> None:
    match = guide("PFPh", [unit("g", "german 4-6-7", "L6"), unit("r", "russian 4-4-7", "F6")])
    assert sees(match.state, cell(match, "L6"), cell(match, "F6"))
    assert not sees(match.state, cell(match, "L6"), cell(match, "F7"))


@rule("G8")
@rule("G13")
def test_what_is_left_of_a_group_must_fire() -> None:
    units = [unit("g1", "german 4-6-7", "L6"), unit("g2", "german 4-6-7", "L5"), unit("r", "russian 4-4-7", "F7")]
    match = guide("PFPh", units, options={"los": "declared"})
    events = do(match, StartFire("g1"), AimAt(cell(match, "F7")), AddFirer("g2"), ResolveFire())
    assert happened(events, LineBlocked)
    assert get(match, "g1").marker == PREP_FIRE
    assert not offered(match, CancelFire)
    assert offered(match, ResolveFire)


@rule("G9")
@pytest.mark.parametrize(("at", "tem"), [("L6", 3), ("D8", 2), ("C6", 1), ("M6", 0)])
def test_terrain_of_the_target(at: str, tem: int) -> None:
    match = guide("PFPh", [unit("g", "german 4-6-7", "F6"), unit("r", "russian 4-4-7", at)])
    assert volley(match.state, FireAttack("german", cell(match, at), "prep", ("g",))).drm.total == tem


@rule("G10")
def test_casualty_reduction_eliminates_a_leader_and_nobody_mourns_him() -> None:
    match = guide(
        "PFPh", [unit("g", "german 4-6-7", "F6"), unit("gl", "german 9-2", "F6"), unit("r", "russian 4-4-7", "A1")]
    )
    play = Play(match.state, ScriptedDice(1, 6, 2, 2))
    resolve_effects(play, ["g", "gl"], fire_result("K/1"), column=8)
    assert "gl" in match.state.gone
    assert [check.unit for check in happened(play.events, MoraleChecked)] == ["g"], "no LLMC"


@rule("G10")
def test_passing_a_check_by_exactly_the_number_pins_nobody() -> None:
    match = guide("PFPh", [unit("g", "german 4-6-7", "F6"), unit("r", "russian 4-4-7", "A1")])
    play = Play(match.state, ScriptedDice(3, 4))
    resolve_effects(play, ["g"], fire_result("NMC"), column=8)
    assert not happened(play.events, Pinned)
    assert not get(match, "g").broken


@rule("G11")
@pytest.mark.parametrize(("dice", "chosen"), [((3, 1, 2, 3), "AD"), ((3, 1, 2, 6), "D")])
def test_random_selection_of_the_guide(dice: tuple[int, ...], chosen: str) -> None:
    match = guide("PFPh", [unit(name, "german 4-6-7", "F6") for name in "ABCD"] + [unit("r", "russian 4-4-7", "A1")])
    units = [get(match, name) for name in "ABCD"]
    assert "".join(u.id for u in random_selection(Play(match.state, ScriptedDice(*dice)), units, "KIA")) == chosen


@rule("G12")
@pytest.mark.parametrize(("at", "fp"), [("F5", 8), ("L6", 4), ("M6", 2)])
def test_firepower_by_range(at: str, fp: float) -> None:
    match = guide("PFPh", [unit("g", "german 4-6-7", "F6"), unit("r", "russian 4-4-7", at)], dice=[6, 5])
    assert fire(match, "g", at).fp == fp


@rule("G14")
@rule("G35")
def test_direction_by_the_guide() -> None:
    units = [unit("g1", "german 4-6-7", "F6"), unit("g2", "german 4-6-7", "F6"), unit("gl", "german 9-2", "F6")]
    match = guide("PFPh", [*units, unit("r", "russian 4-4-7", "L6"), unit("r2", "russian 4-4-7", "M6")], dice=[5, 6])
    assert fire(match, "g1", "L6", AddDirector("gl")).dr == 11 + 3 - 2
    do(match, StartFire("g2"), AimAt(cell(match, "M6")))
    assert not offered(match, AddDirector)


def moved(match: Match, place: str, *, assault: bool = False) -> None:
    """The Russian squad enters a hex."""
    do(match, StartMove("r"), BeginMove(assault=assault))
    do(match, next(action for action in offered(match, Step) if action.to == cell(match, place)))


@rule("G18")
@pytest.mark.parametrize(("place", "assault", "drm"), [("E6", False, -2), ("E6", True, -1), ("C6", False, 0)])
def test_first_fire_at_movers(place: str, assault: bool, drm: int) -> None:
    units = [unit("r", "russian 4-4-7", "D5" if place == "E6" else "C5"), unit("g", "german 4-6-7", "F6")]
    match = guide("MPh", units, attacker="russian")
    moved(match, place, assault=assault)
    assert volley(match.state, FireAttack("german", cell(match, place), "first", ("g",))).drm.total == drm


@rule("G19")
@rule("G20")
@pytest.mark.parametrize("marker", [FIRST_FIRE, FINAL_FIRE])
def test_subsequent_and_final_protective_fire_beside_the_mover(marker: int) -> None:
    units = [unit("r", "russian 4-4-7", "D5"), unit("g", "german 4-6-7", "F6", marker=marker)]
    match = guide("MPh", units, attacker="russian", dice=[5, 6])
    moved(match, "E6")
    events = do(match, StartFire("g"), ResolveFire())
    assert happened(events, Fired)[0].fp == 4, "halved and doubled"
    own = [check for check in happened(events, MoraleChecked) if "Final Protective" in check.what]
    assert bool(own) is (marker == FINAL_FIRE)


@rule("G21")
def test_residual_fp_that_has_grown_attacks_again() -> None:
    units = [unit("r", "russian 4-4-7", "D5"), unit("g", "german 4-6-7", "A1")]
    match = guide("MPh", units, attacker="russian", residual={"E6": 1}, dice=[6, 6])
    moved(match, "E6")
    play = Play(match.state, ScriptedDice(6, 6))
    residual_attack(play, cell(match, "E6"))
    assert not happened(play.events, ResidualAttack), "once in a location"
    leave_residual(play, cell(match, "E6"), 4)
    residual_attack(play, cell(match, "E6"))
    assert happened(play.events, ResidualAttack)


@rule("G22")
def test_final_fire_of_the_guide() -> None:
    units = [unit("r", "russian 4-4-7", "F5"), unit("g", "german 4-6-7", "F6", marker=FIRST_FIRE)]
    match = guide("DFPh", units, attacker="russian", dice=[6, 5])
    assert fire(match, "g", "F5").fp == 4
    units.append(unit("far", "russian 4-4-7", "L6"))
    match = guide("DFPh", units, attacker="russian")
    do(match, StartFire("g"))
    assert offered(match, AimAt) == [AimAt(cell(match, "F5"))]
    units[1] = unit("g", "german 4-6-7", "F6")
    match = guide("DFPh", units, attacker="russian")
    do(match, StartFire("g"))
    assert {aim.at for aim in offered(match, AimAt)} == {cell(match, "F5"), cell(match, "L6")}, "without a counter"


@rule("G23")
def test_advancing_fire_of_the_guide_has_no_assault_fire() -> None:
    units = [unit("r", "russian 6-2-8", "F5"), unit("g", "german 4-6-7", "F6")]
    match = guide("AFPh", units, attacker="russian", dice=[6, 5])
    assert fire(match, "r", "F6").fp == 6


@rule("G34")
def test_no_voluntary_destruction_and_one_weapon_of_a_half_squad() -> None:
    units = [unit("g", "german 2-4-7", "F6"), unit("r", "russian 4-4-7", "L6")]
    match = guide("PFPh", units, [weapon("mg", "german LMG", "g")])
    assert not offered(match, StartDestroying)
    do(match, StartFire("mg"), AimAt(cell(match, "L6")))
    assert not offered(match, AddFirer)
