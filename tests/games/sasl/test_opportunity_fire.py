"""Opportunity Fire in Solitaire ASL: HW of the ENEMY wait in place of a Move Command; Panic keeps from it (S9.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from crest_support import bare, garrison, lip
from msgspec.structs import replace
from sasl_support import OPTIONS, field, friend, playing, seen

import sandtable
from sandtable.engine import Action, Decided, Play
from sandtable.engine.registry import register
from sandtable.games.asl.concealment import searching
from sandtable.games.asl.opportunity.model import OPPORTUNITY, WaitToFire
from sandtable.games.asl.opportunity.part import factors, wait_bar
from sandtable.games.sasl import GAME, generation
from sandtable.games.sasl.enemy import marching, opportunity, orders
from sandtable.games.sasl.model import ADVANCE, ATTITUDES, ENEMY, FRIENDLY, ORDERS, PANIC, SUSPECTS, WAIT, Order
from sandtable.games.squad.fire.firepower import volley
from sandtable.games.squad.fire.model import AdvancingFirePhase, FireAttack, PrepFirePhase
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import put
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.phases.sequence import begin_phase
from sandtable.games.squad.pieces.model import SquadState, Unit

register(GAME)
rule = pytest.mark.rule
MMG = "russian MMG"


def empty(**options: str) -> SquadState:
    """Mission 1 in the ENEMY's PFPh, with nobody on the map."""
    found: SquadState = sandtable.new("sasl/1", seed=8, options={**OPTIONS, **options}).state
    SUSPECTS.of(found).clear()
    found.units.clear()
    found.weapons.clear()
    found.stacks.clear()
    found.attacker, found.phase = ENEMY, "PFPh"
    found.stack[:] = [PrepFirePhase(True)]
    return found


def foe(state: SquadState, cell: int, *weapons: str, kind: str = "russian 4-4-7", **values: Any) -> Unit:
    """An ENEMY unit in Advance Attitude, with SW."""
    unit = generation.new_unit(playing(state), kind, cell)
    for name in weapons:
        generation.new_weapon(playing(state), name, unit)
    ATTITUDES.of(state)[unit.id] = ADVANCE
    state.units[unit.id] = replace(state.units[unit.id], **values)
    return state.units[unit.id]


def offered(state: SquadState) -> Sequence[Action]:
    """What the ENEMY may do in its PFPh."""
    frame = state.stack[-1]
    return GAME.procedures[type(frame)].actions(state, frame, ENEMY)


def ordered(state: SquadState, cell: int, *faces: int) -> tuple[dict[str, str], Play[SquadState]]:
    """An Action Check: what each unit does, and the play."""
    play = playing(state, *faces)
    orders.order_location(play, cell, offered(state))
    return {name: order.what for name, order in ORDERS.of(state).items()}, play


@rule("S9.2")
def test_a_machine_gun_with_somebody_in_range_waits_while_the_squad_beside_it_moves() -> None:
    state = empty()
    cell = field(state)
    gunners, squad, leader = foe(state, cell, MMG), foe(state, cell), foe(state, cell, kind="russian 8-0")
    friend(state, seen(state, cell, 4)[-1])
    what, play = ordered(state, cell, 2, 3)
    assert what == {gunners.id: WAIT, squad.id: "Move", leader.id: "Move"}
    name = setting_of(state).ground.names[cell]
    told = [event for event in play.events if isinstance(event, Decided)]
    assert [event.row for event in told] == ["2-7", WAIT]
    assert (told[-1].table, told[-1].rule) == ("S9.2", "S9.2")
    assert told[-1].why.startswith(f"{name}: 4-4-7 ")
    assert told[-1].why.endswith("waits in place of a Move Command (SA-122)")
    assert not marching._ordered(state, gunners)


@rule("S9.2")
@pytest.mark.parametrize(
    ("reading", "others", "waits"),
    [("HW", 0, True), ("HW", 1, True), ("covering", 0, False), ("covering", 1, True), ("never", 1, False)],
)
def test_when_it_waits_is_a_reading(reading: str, others: int, waits: bool) -> None:
    state = empty(opportunity=reading)
    cell = field(state)
    gunners = foe(state, cell, MMG)
    leader = foe(state, cell, kind="russian 8-0")
    for _ in range(others):
        foe(state, cell)
    friend(state, seen(state, cell, 4)[-1])
    what, _ = ordered(state, cell, 2, 3)
    assert what[gunners.id] == (WAIT if waits else "Move")
    assert what[leader.id] == (WAIT if reading == "HW" and not others else "Move"), "leaders go with MMC that move"


def far_apart(state: SquadState) -> tuple[int, int]:
    """Two hexes that see each other beyond the normal range of a MMG."""
    ranges = setting_of(state).ground.ranges
    cells = range(setting_of(state).ground.size)
    return next((cell, spot) for cell in cells for spot in seen(state, cell, 20) if ranges[cell][spot] > 10)


@rule("S9.2")
@pytest.mark.parametrize("case", ["nobody there", "too far", "under a ?", "LMG", "malfunctioned", "captured", "Panic"])
def test_who_does_not_wait(case: str) -> None:
    state = empty()
    cell, spot = field(state), -1
    if case == "too far":
        cell, spot = far_apart(state)
    elif case != "nobody there":
        spot = seen(state, cell, 4)[-1]
    unit = foe(state, cell, "russian LMG" if case == "LMG" else MMG, concealed=case == "under a ?")
    for name in unit.weapons:
        weapon = state.weapons[name]
        side = FRIENDLY if case == "captured" else ENEMY
        state.weapons[name] = replace(weapon, broken=case == "malfunctioned", side=side)
    if spot >= 0:
        friend(state, spot)
    what, _ = ordered(state, cell, *((6, 6) if case == "Panic" else (2, 3)))
    assert what[unit.id] == (PANIC if case == "Panic" else "Move")


@rule("S9.2", "B20.95")
def test_a_machine_gun_that_finds_no_place_at_a_crest_does_not_wait() -> None:
    state = bare()
    here = lip(state)
    state.attacker, state.phase = ENEMY, "PFPh"
    unit = garrison(state, here)
    friend(state, here.before)
    generation.new_weapon(playing(state), MMG, unit)
    assert not opportunity.overwatches(state, state.units[unit.id])
    open_ground = setting_of(state).ground.open
    put(state, state.units[unit.id], next(cell for cell in seen(state, here.before, 4) if open_ground[cell]))
    assert opportunity.overwatches(state, state.units[unit.id])


@rule("S9.2")
def test_a_leader_under_a_question_mark_stays_unnamed_with_his_machine_gun() -> None:
    state = empty()
    cell = field(state)
    gunners, leader = foe(state, cell, MMG), foe(state, cell, kind="russian 8-0", concealed=True)
    friend(state, seen(state, cell, 4)[-1])
    what, play = ordered(state, cell, 2, 3)
    assert what == {gunners.id: WAIT, leader.id: WAIT}
    told = [event.why for event in play.events if isinstance(event, Decided) and event.known_to(FRIENDLY)]
    assert not any("8-0" in why for why in told)
    assert "4-4-7" in told[-1]


@rule("S9.2", "A7.25")
def test_a_mortar_waits_and_is_given_the_counter() -> None:
    state = empty()
    cell = field(state)
    unit = foe(state, cell, "russian 50mm RM obr. 40")
    friend(state, seen(state, cell, 4)[-1])
    play = playing(state, 2, 3)
    assert orders.prep(play, offered(state)) == WaitToFire(unit.id)
    assert ORDERS.of(state)[unit.id] == Order(WAIT, done=True, rule="S9.2")
    assert orders.prep(play, [EndPhase()]) == EndPhase()
    GAME.procedures[PrepFirePhase].apply(play, state.stack[-1], ENEMY, WaitToFire(unit.id))
    assert state.units[unit.id].marks == (OPPORTUNITY,)
    begin_phase(play, "MPh")
    assert marching.movement(play, [EndPhase()]) == EndPhase()


@rule("A7.25")
def test_it_fires_at_full_strength_in_the_afph() -> None:
    state = empty()
    cell = field(state)
    unit = foe(state, cell, MMG, marks=(OPPORTUNITY,))
    target = seen(state, cell, 4)[-1]
    friend(state, target)
    state.phase, state.stack[:] = "AFPh", [AdvancingFirePhase(True)]
    figures = volley(state, FireAttack(ENEMY, target, "advancing", (unit.id,), unit.weapons))
    assert [share.fp for share in figures.shares] == [4, 4]
    assert factors(state, unit, None, target, "advancing") == [("Opportunity Fire", 1, "A7.25")]


@rule("S16.3")
def test_who_has_panicked_neither_waits_nor_mops_up() -> None:
    state = empty()
    state.attacker = FRIENDLY
    unit = friend(state, field(state))
    assert wait_bar(state, unit) is None
    assert searching._may_mop(state, unit)
    ORDERS.of(state)[unit.id] = Order(PANIC)
    bar = wait_bar(state, unit)
    assert bar is not None
    assert "Panicked" in bar[0]
    assert not searching._may_mop(state, unit)
