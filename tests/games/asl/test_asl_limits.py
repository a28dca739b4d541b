"""Who may and who may not, case by case: digging, clearing, searching, Snipers, heroes, and men that prisoners lose."""

from __future__ import annotations

from typing import Any

import pytest
from asl_support import everything, heated, people
from msgspec.structs import replace
from squad_support import cell, get, rule, unit, weapon

from sandtable.engine import Match, Play, ScriptedDice
from sandtable.games.asl.busy import TI
from sandtable.games.asl.concealment.searching import Searching, searchers
from sandtable.games.asl.heat.part import fire_items
from sandtable.games.asl.prisoners.guarding import _lose_men
from sandtable.games.asl.snipers.model import SNIPERS, Sniper
from sandtable.games.asl.snipers.rules import place
from sandtable.games.asl.surrender import CAPTIVES, capture
from sandtable.games.asl.works.digging import is_free, may_clear, may_clear_mines, may_dig
from sandtable.games.asl.works.model import MINES, lay_foxhole, lay_mines, lay_trench, lay_wire, put_in
from sandtable.games.squad.fire.model import FireAttack
from sandtable.games.squad.pieces.model import PREP_FIRE, SquadState

SQUAD, ENEMY = "russian 4-4-7", "german 4-6-7"
HERE = "M2"
"""Open ground."""
BUSY: list[tuple[dict[str, Any], bool]] = [
    ({}, True),
    ({"concealed": True}, True),
    ({"cx": True}, True),
    ({"broken": True}, False),
    ({"pinned": True}, False),
    ({"melee": True}, False),
    ({"marker": PREP_FIRE}, False),
    ({"used": ["w"]}, False),
    ({"marks": [TI]}, False),
]
"""Conditions of a unit, and whether it is free to work in them."""


def playing(state: SquadState, *dice: int) -> Play[SquadState]:
    return Play(state, ScriptedDice(*dice))


def labouring(kind: str = SQUAD, at: str = HERE, **more: Any) -> Match:
    """A Russian unit on the parade ground."""
    return everything("PFPh", unit("r", kind, at, side="russian", **more), unit("g", ENEMY, "A5"))


# -- works --------------------------------------------------------------------------------------------


@rule("B27.11")
@rule("B24.8")
@pytest.mark.parametrize(("more", "free"), BUSY)
def test_who_is_free_to_work(more: dict[str, Any], free: bool) -> None:
    match = labouring(**more)
    here, state = cell(match, HERE), match.state
    assert is_free(state, get(match, "r")) is free
    assert may_dig(state, get(match, "r")) is free
    assert not may_clear(state, get(match, "r")), "there is nothing to clear"
    lay_wire(state, here, "german")
    assert may_clear(state, get(match, "r")) is free
    lay_mines(state, here, "russian", 6)
    assert may_clear_mines(state, get(match, "r")) is free


@rule("B27.11")
@pytest.mark.parametrize(
    ("kind", "may"),
    [(SQUAD, True), ("russian 2-3-7", True), ("russian 2-2-8", True), ("russian 8-1", False), ("partisan 3-3-7", True)],
)
def test_squads_half_squads_and_crews_dig_and_clear(kind: str, may: bool) -> None:
    match = labouring(kind)
    state = match.state
    assert may_dig(state, get(match, "r")) is may
    lay_wire(state, cell(match, HERE), "german")
    lay_mines(state, cell(match, HERE), "russian", 6)
    assert may_clear(state, get(match, "r")) is may
    assert may_clear_mines(state, get(match, "r")) is may


@rule("B27.1")
@pytest.mark.parametrize(
    ("at", "may"), [("M2", True), ("A2", True), ("E4", False), ("B6", False), ("G5", False), ("N7", False)]
)
def test_where_can_be_dug(at: str, may: bool) -> None:
    """In open ground and woods; not in a building, a marsh, on a bridge or in a lumberyard."""
    match = labouring(at=at)
    assert may_dig(match.state, get(match, "r")) is may


@rule("B27.12")
@pytest.mark.parametrize(("holes", "may"), [(0, True), (1, True), (2, True), (3, False)])
def test_foxholes_of_a_location_grow_to_three(holes: int, may: bool) -> None:
    match = labouring()
    if holes:
        lay_foxhole(match.state, cell(match, HERE), "russian", holes)
    assert may_dig(match.state, get(match, "r")) is may


@rule("B27.11")
def test_nobody_digs_beside_a_trench_in_a_foxhole_or_beside_the_enemy() -> None:
    match = labouring()
    lay_trench(match.state, cell(match, HERE), "russian")
    assert not may_dig(match.state, get(match, "r"))
    match = labouring()
    put_in(match.state, get(match, "r"), lay_foxhole(match.state, cell(match, HERE), "russian"))
    assert not may_dig(match.state, get(match, "r"))
    both = (unit("r", SQUAD, HERE), unit("g", ENEMY, HERE))
    match = everything("PFPh", *both)
    lay_wire(match.state, cell(match, HERE), "german")
    lay_mines(match.state, cell(match, HERE), "russian", 6)
    assert not may_dig(match.state, get(match, "r"))
    assert not may_clear(match.state, get(match, "r"))
    assert not may_clear_mines(match.state, get(match, "r"))


@rule("B24.74")
@pytest.mark.parametrize(
    ("side", "known", "may"), [("german", False, False), ("german", True, True), ("russian", False, True)]
)
def test_only_known_mines_or_ones_own_are_cleared(side: str, known: bool, may: bool) -> None:
    match = labouring()
    here = cell(match, HERE)
    lay_mines(match.state, here, side, 6)
    MINES.of(match.state)[here] = replace(MINES.of(match.state)[here], known=known)
    assert may_clear_mines(match.state, get(match, "r")) is may
    put_in(match.state, get(match, "r"), lay_foxhole(match.state, here, "russian"))
    assert not may_clear_mines(match.state, get(match, "r")), "not out of a foxhole"


@rule("B24.73")
def test_wire_is_cleared_from_beneath_it_only() -> None:
    match = labouring()
    wire = lay_wire(match.state, cell(match, HERE), "german")
    assert may_clear(match.state, get(match, "r"))
    put_in(match.state, get(match, "r"), wire)
    assert not may_clear(match.state, get(match, "r"))


# -- searching, Snipers, heroes -----------------------------------------------------------------------


@rule("A12.152")
@pytest.mark.parametrize(
    ("more", "able"), [({}, True), ({"pinned": True}, False), ({"broken": True}, False), ({"melee": True}, False)]
)
def test_whom_fire_has_left_unable_does_not_search(more: dict[str, bool], able: bool) -> None:
    units = (unit("a", SQUAD, "I5"), unit("b", SQUAD, "I5", **more), unit("c", SQUAD, "J5"), unit("g", ENEMY, "A1"))
    match = people("z", "MPh", *units)
    frame = Searching(("a", "b", "c", "gone"), cell(match, "I5"))
    assert [each.id for each in searchers(match.state, frame)] == ["a", "b"][: 1 + able], "c is somewhere else"


@rule("A14.2")
@pytest.mark.parametrize(("turn", "placed"), [(1, True), (2, False), (0, False)])
def test_snipers_are_placed_when_play_begins(turn: int, placed: bool) -> None:
    match = people("z", "PFPh", unit("r", SQUAD, "I5"), unit("g", ENEMY, "J8"))
    for side in ("german", "russian"):
        SNIPERS.of(match.state)[side] = Sniper(4)
    match.state.turn = turn
    place(playing(match.state))
    assert [sniper.at >= 0 for sniper in SNIPERS.of(match.state).values()] == [placed, placed]


@rule("A15.23")
@rule("A15.24")
@pytest.mark.parametrize(
    ("kind", "gun", "target", "found"),
    [
        ("russian Hero 1-4-9", False, "I7", [-1]),
        ("russian Hero 1-4-9", True, "I7", [-1, 1]),
        ("russian Hero 1-4-9", False, "I10", []),
        ("russian Hero 1-4-9", True, "I10", [-1, 1]),
        (SQUAD, True, "I7", []),
    ],
)
def test_a_hero_helps_at_normal_range_and_is_alone_at_his_machine_gun(
    kind: str, gun: bool, target: str, found: list[int]
) -> None:
    """His own range is four hexes, that of the LMG six."""
    units = (unit("r", kind, "I5"), unit("g", ENEMY, "A1"))
    match = heated("z", "PFPh", *units, weapons=[weapon("w", "russian LMG", "r")])
    attack = FireAttack("russian", cell(match, target), "prep", ("r",), ("w",) if gun else ())
    assert [item[1] for item in fire_items(match.state, attack, None)] == found


# -- prisoners ----------------------------------------------------------------------------------------


@rule("A20.54")
@pytest.mark.parametrize(("by", "halves", "points"), [("german", 1, -1), ("russian", 2, -1)])
def test_men_whom_prisoners_lose_are_points_and_twice_as_many_by_their_own_sides_fire(
    by: str, halves: int, points: int
) -> None:
    units = (unit("g", ENEMY, "I5"), unit("p", SQUAD, "I5", broken=True), unit("f", SQUAD, "J5"))
    match = heated("z", "PFPh", *units)
    capture(playing(match.state), get(match, "p"), get(match, "g"), "surrenders")
    before, worth = match.state.halves.get("german", 0), match.state.gone["p"].points
    _lose_men(playing(match.state), CAPTIVES.of(match.state)["p"], "I5", by)
    assert match.state.halves.get("german", 0) - before == halves
    assert match.state.gone["p"].points == max(worth + points, 0)
    assert CAPTIVES.of(match.state)["p"].unit.kind == "russian 2-3-7"
