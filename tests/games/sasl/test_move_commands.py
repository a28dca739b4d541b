"""Conditions of Move Commands, one after the other (A4a, A4b)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from sasl_support import field, friend, mission_without_suspects, playing, seen, stand

from sandtable.games.sasl.enemy import facts, marching
from sandtable.games.sasl.model import FRIENDLY, OBJECTIVES, Objective
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.movement.steps import step_cost
from sandtable.games.squad.pieces.model import SquadState

rule = pytest.mark.rule
GOOD_ORDER = {
    "Good Order FRIENDLY unit in LOS": 1,
    "in LOS and range of a Known Good Order FRIENDLY unit": 1,
    ">=2 Known Good Order FRIENDLY units in LOS": 2,
    ">=3 Good Order Targets": 3,
}
ANY = {"Known FRIENDLY unit in LOS": 1, "FRIENDLY unit in LOS": 1, "Known Target": 1}
KNOWN = ("Known", ">=2 Known", "in LOS and range of a Known")


@pytest.fixture
def state() -> SquadState:
    found = mission_without_suspects()
    for unit in [unit for unit in found.units.values() if unit.side == FRIENDLY]:
        del found.units[unit.id]
    found.stacks.clear()
    return found


def holds(state: SquadState, when: str, cell: int) -> bool:
    return marching.condition(state, when, cell, [state.units["e"]])


@rule("S9.2")
@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("more", [{}, {"broken": True}, {"concealed": True}], ids=["able", "broken", "concealed"])
def test_conditions_count_those_who_are_seen_known_and_in_good_order(
    state: SquadState, number: int, more: dict[str, Any]
) -> None:
    cell = field(state)
    stand(state, "e", "russian 4-4-7", cell)
    place = seen(state, cell, 3)[-1]
    for each in range(number):
        friend(state, place, each, **more)
    good = 0 if more.get("broken") else number
    for when, least in GOOD_ORDER.items():
        counted = 0 if more.get("concealed") and when.startswith(KNOWN) else good
        assert holds(state, when, cell) is (counted >= least), when
    for when, least in ANY.items():
        counted = 0 if more.get("concealed") and when.startswith(KNOWN) else number
        assert holds(state, when, cell) is (counted >= least), when
    assert holds(state, "1-2 Good Order Targets", cell) is (good in (1, 2))
    assert not holds(state, "Target from a higher building level", cell)


@rule("S9.2")
def test_a_known_unit_counts_as_far_as_its_own_range_reaches(
    state: SquadState, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell = field(state)
    stand(state, "e", "russian 4-4-7", cell)
    ranges = setting_of(state).ground.ranges[cell]
    monkeypatch.setattr(facts, "sees", lambda *asked: True)
    friend(state, ranges.index(7), 1)
    when = "in LOS and range of a Known Good Order FRIENDLY unit"
    assert not holds(state, when, cell), "a 4-6-7 reaches six hexes"
    friend(state, ranges.index(6), 2)
    assert holds(state, when, cell)


@rule("S9.2")
def test_a_vpo_in_sight_that_is_friendly_is_a_condition(state: SquadState) -> None:
    cell = field(state)
    stand(state, "e", "russian 4-4-7", cell)
    place = seen(state, cell, 4)[-1]
    OBJECTIVES.of(state).clear()
    for owner in ("enemy", FRIENDLY):
        OBJECTIVES.of(state)["x"] = Objective("x", (place,), (owner,))
        assert holds(state, "FRIENDLY VPO in LOS", cell) is (owner == FRIENDLY)


@rule("S9.2")
@pytest.mark.parametrize(
    ("table", "roll", "near"), [("A4a", 11, True), ("A4b", 7, True), ("A4b", 3, True), ("A4b", 9, False)]
)
def test_where_the_table_says_so_the_nearest_vpo_is_the_nearest_in_hexes(
    state: SquadState, table: str, roll: int, near: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One VPO is two hexes away behind ground that costs much, the other three hexes away over open ground."""
    monkeypatch.setattr(marching, "sees", lambda state, frm, to: table == "A4b")
    ground = setting_of(state).ground
    cell, slow, quick = next(
        (cell, slow, quick)
        for cell in range(ground.size)
        for slow in range(ground.size)
        if ground.ranges[cell][slow] == 2 and cost(state, cell, slow) > 6
        for quick in range(ground.size)
        if ground.ranges[cell][quick] == 3 and cost(state, cell, quick) <= 6
    )
    unit = stand(state, "e", "russian 4-4-7", cell)
    OBJECTIVES.of(state).clear()
    OBJECTIVES.of(state)["x"] = Objective("x", (slow, quick), (FRIENDLY, FRIENDLY))
    march = marching.obey(playing(state), table, roll, cell, [unit], (1, 1))
    goal = slow if near else quick
    assert march is not None
    assert march.path == marching.path_to(state, cell, {goal}, [unit])[: 1 if march.how == "assault" else None]


def cost(state: SquadState, cell: int, to: int) -> int:
    """Half MF of the cheapest way, without roads."""
    ground = setting_of(state).ground
    ways = [ground.way(frm, there) for frm, there in pairwise((cell, *marching.path_to(state, cell, {to}, [])))]
    return sum(step_cost(state, way, road=bool(way.road)) for way in ways if way is not None) or 99


@rule("S8.")
@pytest.mark.parametrize(("hexes", "target"), [(8, True), (9, False)])
def test_a_target_is_within_twice_the_normal_range(
    state: SquadState, hexes: int, target: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell = field(state)
    monkeypatch.setattr(facts, "sees", lambda *asked: True)
    unit = stand(state, "e", "russian 4-4-7", cell)
    friend(state, setting_of(state).ground.ranges[cell].index(hexes), 1)
    assert bool(facts.targets_from(state, cell, [unit])) is target
