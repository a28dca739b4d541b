"""Defensive First Fire as its firers see it: Subsequent First Fire, Final Protective Fire, Residual FP (3.3.1)."""

from __future__ import annotations

from typing import Any

import pytest
from squad_support import cell, do, drill, get, get_weapon, happened, offered, rule, unit, weapon

from sandtable.engine import Match
from sandtable.engine.errors import IllegalAction
from sandtable.games.squad.fire.model import AddDirector, AddFirer, Fired, ResidualAttack, ResolveFire, StartFire
from sandtable.games.squad.ground.counters import residual_in
from sandtable.games.squad.movement.model import BeginMove, Pass, StartMove, Step
from sandtable.games.squad.pieces.events import MoraleChecked
from sandtable.games.squad.pieces.model import FINAL_FIRE, FIRST_FIRE, NO_MARKER


def moving(
    defenders: list[dict[str, Any]],
    weapons: list[dict[str, Any]] | None = None,
    *,
    start: str = "R3",
    others: list[dict[str, Any]] | None = None,
    dice: list[int] | None = None,
    mover: dict[str, Any] | None = None,
    **more: Any,
) -> Match:
    """A Russian squad starts to move over the open ground of board y."""
    squad = unit("r", "russian 4-4-7", start, **(mover or {}))
    match = drill("y", "MPh", [squad, *defenders, *(others or [])], weapons or [], dice=dice or [], **more)
    do(match, StartMove("r"), BeginMove())
    return match


def step(match: Match, place: str) -> None:
    do(match, next(action for action in offered(match, Step) if action.to == cell(match, place)))


def squad(name: str = "g1", at: str = "W4", **more: Any) -> dict[str, Any]:
    return unit(name, "german 4-6-7", at, **more)


def firers(match: Match) -> set[str]:
    return {start.firer for start in offered(match, StartFire)}


# -- Subsequent First Fire --------------------------------------------------------------


@rule("3.3.1")
def test_subsequent_first_fire_needs_normal_range() -> None:
    match = moving([squad(marker=FIRST_FIRE), squad("g2")], start="O3")
    step(match, "P3")
    assert firers(match) == {"g2"}, "P3 is 7 hexes away from W4"
    with pytest.raises(IllegalAction, match="normal range"):
        do(match, StartFire("g1"))


@rule("3.3.1")
def test_subsequent_first_fire_spares_movers_behind_a_closer_enemy() -> None:
    match = moving([squad(marker=FIRST_FIRE), squad("g2", "W3")], others=[unit("r2", "russian 4-4-7", "U4")])
    step(match, "S4")
    assert "g1" not in firers(match)
    with pytest.raises(IllegalAction, match="closer enemy"):
        do(match, StartFire("g1"))


@rule("3.3.1")
def test_subsequent_first_fire_marks_all_weapons_of_the_unit() -> None:
    guns = [weapon("m1", "german LMG", "g1", marker=FIRST_FIRE), weapon("m2", "german LMG", "g1")]
    match = moving([squad(marker=FIRST_FIRE)], guns, dice=[6, 5])
    step(match, "S4")
    do(match, StartFire("m1"), ResolveFire())
    assert get(match, "g1").marker == FINAL_FIRE
    assert get_weapon(match, "m1").marker == get_weapon(match, "m2").marker == FINAL_FIRE


@rule("3.3.1")
def test_one_shot_for_each_mf_in_the_location() -> None:
    match = moving([squad(), squad("g2", "W3")], dice=[6, 5])
    step(match, "S4")
    do(match, StartFire("g1"), ResolveFire())
    assert firers(match) == {"g2"}, "one MF was spent in S4"


@rule("3.2.2")
@rule("3.3.1")
def test_the_rest_of_a_hex_may_fire_at_the_next_mf() -> None:
    match = moving([squad(), squad("g2")], dice=[6, 5])
    step(match, "S4")
    do(match, StartFire("g1"), ResolveFire())
    step(match, "T3")
    assert "g2" in firers(match)


# -- Final Protective Fire --------------------------------------------------------------


@rule("3.3.1")
def test_only_those_who_use_final_protective_fire_and_their_leader_check() -> None:
    leader = unit("la", "german 9-1", "W4")
    match = moving([squad(marker=FINAL_FIRE), squad("g2"), leader], start="U3", dice=[3, 6, 3, 6, 3, 3])
    step(match, "V3")
    events = do(match, StartFire("g1"), AddFirer("g2"), AddDirector("la"), ResolveFire())
    (fired,) = happened(events, Fired)
    assert fired.fp == 4 + 8
    own = [(check.unit, check.dr) for check in happened(events, MoraleChecked) if "Final Protective" in check.what]
    assert own == [("la", 9), ("g1", 8)], "his leadership does not help himself"
    assert not get(match, "g2").broken


@rule("3.3.1")
def test_final_protective_fire_is_for_adjacent_movers() -> None:
    match = moving([squad(marker=FINAL_FIRE), squad("g2", "X4")], start="S4")
    step(match, "T4")
    assert "g1" not in firers(match)
    do(match, Pass())
    step(match, "U4")
    assert "g1" not in firers(match)
    do(match, Pass())
    step(match, "V4")
    assert "g1" in firers(match)


# -- Residual FP ------------------------------------------------------------------------


@rule("3.3.1")
@pytest.mark.parametrize(
    ("defender", "leader", "left"),
    [({}, "", 2), ({"cx": True}, "", 1), ({}, "german 9-1", 2), ({"cx": True}, "german 6+1", 0)],
    ids=["plain", "CX", "good leader", "CX and a poor leader"],
)
def test_modifiers_from_outside_lower_the_residual_fp(defender: dict[str, Any], leader: str, left: int) -> None:
    units = [squad(**defender), *([unit("la", leader, "W4")] if leader else [])]
    match = moving(units, dice=[5, 6])
    step(match, "S4")
    do(match, StartFire("g1"), *([AddDirector("la")] if leader else []), ResolveFire())
    assert residual_in(match.state, cell(match, "S4")) == left


@rule("3.3.1")
@rule("1.2.4.1")
@pytest.mark.parametrize(("forgo", "left"), [(False, 0), (True, 2)])
def test_a_weapon_that_keeps_its_rate_leaves_no_residual_fp(forgo: bool, left: int) -> None:
    match = moving([squad()], [weapon("mg", "german MMG", "g1")], dice=[2, 6, 1, 1])
    step(match, "S4")
    do(match, StartFire("mg"), ResolveFire(forgo=forgo))
    assert residual_in(match.state, cell(match, "S4")) == left
    assert get_weapon(match, "mg").marker == (FIRST_FIRE if forgo else NO_MARKER)


@rule("3.3.1")
def test_residual_fp_ignores_height_and_hindrance_but_not_movement() -> None:
    match = moving([squad()], start="R3", residual={"S4": 4}, dice=[6, 5])
    events = do(match, Step(cell(match, "S4")))
    (attack,) = happened(events, ResidualAttack)
    assert (attack.fp, attack.dr) == (4, 9), "FFMO and FFNAM"
