"""What lies under an ENEMY "?" is rolled face down, and what the ENEMY does with it does not name it (SA-90)."""

from __future__ import annotations

from functools import cache

import pytest
from msgspec.structs import replace

import sandtable
from sandtable.engine import Decided, Match
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import Rolled
from sandtable.engine.play import TellingPlay
from sandtable.engine.registry import register
from sandtable.games.asl.deploying import part as deploying
from sandtable.games.asl.works import digging
from sandtable.games.sasl import GAME, activation, generation, suspects
from sandtable.games.sasl.enemy import marching, orders
from sandtable.games.sasl.model import ADVANCE, ENEMY, FRIENDLY, HOLD, ORDERS, SUSPECTS, Order
from sandtable.games.sasl.tables import general
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import name_of, new_id
from sandtable.games.squad.pieces.model import SquadState

register(GAME)
OPTIONS = {"friendly": "G", "enemy": "R", "year": "1943", "boards": "shipped"}


@cache
def start(activated: str) -> Match:
    return sandtable.new("sasl/1", seed=8, options={**OPTIONS, "activated": activated})


def empty(activated: str = "concealed") -> SquadState:
    state: SquadState = start(activated).state.clone()
    SUSPECTS.of(state).clear()
    return state


def playing(state: SquadState, *faces: int) -> TellingPlay[SquadState]:
    return TellingPlay(state, ScriptedDice(*faces), say=GAME.words, hear=GAME.hears)


def building(state: SquadState) -> int:
    ground = setting_of(state).ground
    return next(cell for cell in range(200, ground.size) if ground.in_building[cell])


def heard(play: TellingPlay[SquadState], side: str | None) -> str:
    """All that a side was told, in words and as data."""
    told = [(event, words) for event, words in zip(play.events, play.said, strict=True) if event.known_to(side)]
    return "\n".join([f"{event!r} {words}" for event, words in told])


def activated(state: SquadState, far: int = 5) -> tuple[TellingPlay[SquadState], int]:
    """A S? in a building becomes a squad (A1 7) while what triggered it is so many hexes away."""
    cell = building(state)
    ranges = setting_of(state).ground.ranges[cell]
    towards = next(other for other, distance in enumerate(ranges) if distance == far)
    play = playing(state, 1, 3, *[3] * 40)
    activation.activate(play, suspects.add(state, at=cell, attitude=HOLD), towards)
    return play, cell


@pytest.mark.rule("S5.6")
@pytest.mark.parametrize("listener", [FRIENDLY, None])
def test_what_comes_under_a_question_mark_is_rolled_face_down(listener: str | None) -> None:
    state = empty()
    play, cell = activated(state)
    made = [unit for unit in state.units.values() if unit.side == ENEMY]
    assert made
    assert all(unit.concealed for unit in made)
    told = heard(play, listener)
    assert not any(unit.kind.partition(" ")[2] in told or repr(unit.id) in told for unit in made)
    assert "A1" not in told
    assert not [event for event in play.events if isinstance(event, Rolled) and event.known_to(listener)]
    assert f'The S? in {name_of(state, cell)} is Activated and lies under a "?"' in told


@pytest.mark.rule("S5.6")
def test_the_rolls_are_in_the_record_for_the_end() -> None:
    play, _ = activated(empty())
    rows = [event.table for event in play.events if isinstance(event, Decided) and event.known_to(ENEMY)]
    assert rows[:2] == ["A1", "R2"]
    assert play.rolls


@pytest.mark.rule("S5.6")
@pytest.mark.parametrize(("reading", "far"), [("told", 5), ("seen", 5), ("concealed", 1)])
def test_otherwise_all_is_rolled_in_the_open(reading: str, far: int) -> None:
    state = empty(reading)
    play, _ = activated(state, far)
    rows = [event.table for event in play.events if isinstance(event, Decided) and event.known_to(FRIENDLY)]
    assert rows[:2] == ["A1", "R2"]
    assert any(unit.concealed for unit in state.units.values() if unit.side == ENEMY) is (reading == "told")


@pytest.mark.rule("S5.6")
def test_a_suspect_that_is_nothing_is_told() -> None:
    state = empty()
    cell = building(state)
    play = playing(state)
    activation.become(play, suspects.add(state, at=cell, attitude=HOLD), [], -1)
    assert "turns out to be nothing" in heard(play, FRIENDLY)


@pytest.mark.rule("S6.21")
@pytest.mark.parametrize(("concealed", "named"), [(True, False), (False, True)])
def test_the_class_of_a_unit_that_panics(concealed: bool, named: bool) -> None:
    state = empty()
    cell = building(state)
    play = playing(state, 6, 6)
    unit = generation.new_unit(play, "russian 4-4-7", cell)
    state.units[unit.id] = replace(state.units[unit.id], concealed=concealed)
    orders.order_location(play, cell, ())
    assert ORDERS.of(state)[unit.id].what == "Panic"
    assert ("1st Line" in heard(play, FRIENDLY)) is named


@pytest.mark.rule("S6.3175")
@pytest.mark.parametrize(("concealed", "named"), [(True, False), (False, True)])
def test_what_a_leader_alone_does(concealed: bool, named: bool) -> None:
    state = empty()
    cell = building(state)
    play = playing(state, 2, 3)
    unit = generation.new_unit(play, "russian 8-1", cell)
    state.units[unit.id] = replace(state.units[unit.id], concealed=concealed)
    orders.order_location(play, cell, ())
    told = heard(play, FRIENDLY)
    assert "Action Check" in told
    assert ("S6.317" in told or "leader" in told) is named


@pytest.mark.rule("S6.310")
@pytest.mark.parametrize(("concealed", "named"), [(True, False), (False, True)])
def test_a_crew_that_goes_for_a_gun(concealed: bool, named: bool) -> None:
    state = empty()
    cell = building(state)
    play = playing(state)
    crew = generation.new_unit(play, "russian 2-2-8", cell)
    there = setting_of(state).ground.near[cell][0]
    other = generation.new_unit(play, "russian 2-2-8", there)
    generation.new_weapon(play, "russian 76* INF PP obr. 27", other)
    weapon = state.units[other.id].weapons[0]
    state.weapons[weapon] = replace(state.weapons[weapon], owner="", at=there)
    del state.units[other.id]
    state.stacks.pop(there)
    state.units[crew.id] = replace(state.units[crew.id], concealed=concealed)
    ORDERS.of(state)[crew.id] = Order("Move", rule="S6.310")
    play.events.clear()
    play.said.clear()
    marching.command(play, cell, [state.units[crew.id]])
    told = heard(play, FRIENDLY)
    assert name_of(state, there) in told
    assert ("S6.310" in told) is named


@pytest.mark.rule("S5.74")
def test_a_fortification_is_told_but_not_the_class_that_its_drm_would_tell() -> None:
    """A5 has -1 for Elite MMC and +1 for Conscripts: dr and row together would name the class under the "?"."""
    state = empty()
    cell = building(state)
    ranges = setting_of(state).ground.ranges[cell]
    towards = next(other for other, distance in enumerate(ranges) if distance == 5)
    play = playing(state, *[2] * 16)
    activation.become(play, suspects.add(state, at=cell, attitude=HOLD), ["S", "F"], towards)
    rows = [event for event in play.events if isinstance(event, Decided) and event.table == "A5"]
    assert [(event.row, event.faces) for event in rows if event.known_to(FRIENDLY)] == [("fortified building", ())]
    assert any(event.faces for event in rows)


@pytest.mark.rule("S5.6")
def test_the_number_of_what_is_made_later_does_not_tell_what_lies_under_a_question_mark() -> None:
    later = set()
    for final in (3, 5, 6, 12, 13):
        state = empty()
        cell = building(state)
        ranges = setting_of(state).ground.ranges[cell]
        kinds = [item.kind for item in general.activation().row(final).items]
        play = playing(state, *[3] * 40)
        activation.become(play, suspects.add(state, at=cell, attitude=ADVANCE), kinds, ranges.index(5))
        assert all(unit.concealed for unit in state.units.values() if unit.side == ENEMY)
        seen = generation.new_unit(play, "russian 4-4-7", cell + 1)
        later.add((seen.id, generation.new_weapon(play, "russian LMG", seen).id))
    assert len(later) == 1


@pytest.mark.rule("S5.6")
def test_the_number_of_a_weapon_that_is_seen_does_not_tell_whether_a_leader_is_there() -> None:
    numbers = set()
    for kinds in (["S", "SW"], ["S", "L", "SW"], ["S", "S", "L", "SW"]):
        state = empty()
        cell = building(state)
        towards = setting_of(state).ground.ranges[cell].index(5)
        before = state.serial
        activation.become(playing(state, *[1] * 40), suspects.add(state, at=cell, attitude=ADVANCE), kinds, towards)
        (weapon,) = [one for one in state.weapons.values() if one.side == ENEMY]
        numbers.add(int(weapon.id[1:]) - before)
    assert len(numbers) == 1


@pytest.mark.rule("S5.6")
def test_a_unit_made_of_one_under_a_question_mark_takes_no_number_from_others() -> None:
    state = empty()
    cell = building(state)
    unit = generation.new_unit(playing(state), "russian 4-4-7", cell)
    state.units[unit.id] = replace(state.units[unit.id], concealed=True)
    before = state.serial
    half = deploying.split(playing(state), state.units[unit.id])
    again = new_id(state, unit.id)
    assert half.id == f"{unit.id}+1"
    assert again == f"{unit.id}+2"
    assert state.serial == before
    state.units[unit.id] = replace(state.units[unit.id], concealed=False)
    state.serial = 0
    assert new_id(state, unit.id) == f"{unit.id}+2", "an id is never given twice"


@pytest.mark.rule("B27.11")
@pytest.mark.parametrize(("concealed", "rolls"), [(True, 0), (False, 1)])
def test_how_a_unit_under_a_question_mark_digs_is_not_told(concealed: bool, rolls: int) -> None:
    """How many of them roll would tell, and so would a roll whose result is seen on the map."""
    state = empty()
    play = playing(state, 1, 2)
    unit = generation.new_unit(play, "russian 4-4-7", building(state))
    state.units[unit.id] = replace(state.units[unit.id], concealed=concealed)
    assert digging._work(play, unit.id, "", digging.FOXHOLE, digging.DIGS)
    told = [event for event in play.events if isinstance(event, Rolled)]
    assert [len([event for event in told if event.known_to(side)]) for side in (ENEMY, FRIENDLY, None)] == [
        1,
        rolls,
        rolls,
    ]
