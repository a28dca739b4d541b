"""Leaving close combat past mines, wire and pillboxes, and with prisoners (A11.21, B26.4, B28.412, B30.44)."""

from __future__ import annotations

from typing import Any

import pytest
from asl_support import ALL_SWITCHES, COMMON, CRESTS, LEAVING, PEOPLE_PARTS, TERRAIN, WORKS, field, game, rule, unit
from msgspec.structs import replace
from squad_support import at, cell, do, get, weapon

from sandtable.engine import Match, Play, ScriptedDice
from sandtable.games.asl.leaving.going import depart
from sandtable.games.asl.leaving.model import LeaveTo, Leaving
from sandtable.games.asl.leaving.switches import LeavingRules
from sandtable.games.asl.leaving.who import refuge_bar, refuges, withdraw_bar
from sandtable.games.asl.leaving.words import describe_leave
from sandtable.games.asl.surrender import CAPTIVES, capture
from sandtable.games.asl.works.model import MINES, PILLBOX, WIRE, Minefield, fortify
from sandtable.games.asl.works.pillboxes import enter_bar
from sandtable.games.squad.combat.model import AdvanceTo, StartAdvance
from sandtable.games.squad.ground.counters import lay
from sandtable.games.squad.ground.setting import ground_of
from sandtable.games.squad.ground.stacks import update
from sandtable.games.squad.movement.model import BeginMove, StartMove, Step
from sandtable.games.squad.pieces.model import Counter, SquadState

game(
    "aslleavingall",
    *TERRAIN,
    *CRESTS,
    *WORKS,
    *PEOPLE_PARTS[len(COMMON) :],
    LEAVING,
    switches=(*ALL_SWITCHES, LeavingRules()),
)
HERE = "C5"


def melee(*more: dict[str, Any], **values: Any) -> Match:
    """A Melee of two squads in the CCPh."""
    units = (unit("r", "russian 4-4-7", HERE, melee=True, **values), unit("g", "german 4-6-7", HERE, melee=True), *more)
    return field("CCPh", *units, game="aslleavingall")


def go(match: Match, *dice: int, to: int = -1) -> Play[SquadState]:
    """The Russian withdraws to the first Location that is open to him."""
    play = Play(match.state, ScriptedDice(*dice))
    there = to if to >= 0 else refuges(match.state, [get(match, "r")])[0]
    play.push(Leaving("russian", cell(match, HERE), ()))
    depart(play, Leaving("russian", cell(match, HERE), (("r",),)), ("r",), there)
    play.pop()
    return play


@rule("A11.21")
@rule("B28.412")
@pytest.mark.parametrize(("dice", "away"), [((6, 6), True), ((3, 4, 3, 4), False)])
def test_mines_attack_on_the_way_out_and_whoever_is_pinned_stays(dice: tuple[int, ...], *, away: bool) -> None:
    match = melee()
    MINES.of(match.state)[cell(match, HERE)] = Minefield("german", 6)
    go(match, *dice)
    assert (at(match, "r") != HERE) is away
    assert MINES.of(match.state)[cell(match, HERE)].known
    if not away:
        assert get(match, "r").pinned
        assert get(match, "r").melee


@rule("B23.92")
@rule("A12.11")
@pytest.mark.parametrize("phase", ["MPh", "CCPh"])
def test_whether_a_question_mark_holds_a_fortified_building_is_not_told(phase: str) -> None:
    for kind in ("german 4-6-7", "german 2-4-7"):
        units = (unit("r", "russian 4-4-7", "E5", melee=True), unit("h", kind, "E4", concealed=True))
        match = field("CCPh", *units, unit("g", "german 4-6-7", "E5", melee=True), game="aslleavingall")
        match.state.phase = phase
        fortify(match.state, cell(match, "E4"), "german")
        assert refuge_bar(match.state, [get(match, "r")], cell(match, "E4")) is None
        state = match.state
        state.units["h"] = replace(get(match, "h"), concealed=False)
        bar = enter_bar(state, [get(match, "r")], cell(match, "E5"), cell(match, "E4"))
        assert (bar is not None) is (kind == "german 4-6-7")


@rule("B23.92")
@rule("A12.15")
@pytest.mark.parametrize("kind", ["german 4-6-7", "german 2-4-7"])
def test_who_moves_into_a_fortified_building_under_a_question_mark_is_thrown_back(kind: str) -> None:
    units = (unit("r", "russian 4-4-7", "E5"), unit("h", kind, "E4", concealed=True))
    match = field("MPh", *units, game="aslleavingall", dice=[6] * 8)
    fortify(match.state, cell(match, "E4"), "german")
    do(match, StartMove("r"), BeginMove(), Step(cell(match, "E4")))
    assert at(match, "r") == "E5"
    assert not get(match, "h").concealed


@rule("B23.92")
@pytest.mark.parametrize("unseen", [{"concealed": True}, {"hip": True}])
@pytest.mark.parametrize(("kind", "enters"), [("german 4-6-7", False), ("german 2-4-7", True)])
def test_an_advance_into_a_fortified_building_finds_out_what_lies_there(
    kind: str, unseen: dict[str, bool], *, enters: bool
) -> None:
    units = (unit("r", "russian 4-4-7", "E5", concealed=True), unit("h", kind, "E4", **unseen))
    match = field("APh", *units, game="aslleavingall")
    fortify(match.state, cell(match, "E4"), "german")
    do(match, StartAdvance("r"), AdvanceTo(cell(match, "E4")))
    assert at(match, "r") == ("E4" if enters else "E5")
    if not enters:
        assert not get(match, "h").concealed
        assert not get(match, "h").hip
        assert StartAdvance("r") not in match.actions("russian")


@rule("A11.21")
@rule("B26.4")
def test_nobody_withdraws_from_on_top_of_wire() -> None:
    match = melee()
    here = cell(match, HERE)
    lay(match.state, here, Counter(WIRE, "german", id="w"))
    assert withdraw_bar(match.state, get(match, "r")) is None
    play = Play(match.state, ScriptedDice())
    caught = update(play, get(match, "r"), within="w")
    bars = [refuge_bar(match.state, [caught], to) for to in ground_of(match.state).near[here]]
    assert {bar[1] for bar in bars if bar is not None} == {"B26.4"}
    assert all(bars)


@rule("A11.21")
@rule("B30.44")
def test_nobody_withdraws_out_of_a_besieged_pillbox() -> None:
    match = melee()
    here = cell(match, HERE)
    lay(match.state, here, Counter(PILLBOX, "russian", id="p"))
    inside = update(Play(match.state, ScriptedDice()), get(match, "r"), within="p")
    bars = [refuge_bar(match.state, [inside], to) for to in ground_of(match.state).near[here]]
    assert {bar[1] for bar in bars if bar is not None} >= {"B30.44"}


@rule("A11.21")
@rule("C10.3")
def test_a_crew_withdraws_into_wire_for_its_gun_stays_behind() -> None:
    units = (unit("r", "russian 2-2-8", HERE, melee=True), unit("g", "german 4-6-7", HERE, melee=True))
    gun = weapon("q", "russian 76.2mm P obr. 39 ART", "r", facing=0)
    match = field("CCPh", *units, game="aslleavingall", weapons=[gun])
    to = refuges(match.state, [get(match, "r")])[0]
    lay(match.state, to, Counter(WIRE, "german", id="w"))
    assert refuge_bar(match.state, [get(match, "r")], to) is None
    go(match, to=to)
    assert (get(match, "r").at, get(match, "r").within, get(match, "r").weapons) == (to, "w", ())


@rule("A11.21")
@rule("B20.96")
@pytest.mark.parametrize(("kind", "alive"), [("german 2-4-7", False), ("german ?", True)])
def test_whoever_withdraws_below_a_concealed_enemy_at_the_crest_is_eliminated(kind: str, alive: bool) -> None:
    units = (unit("r", "russian 4-4-7", "F2", melee=True), unit("g", "german 4-6-7", "F2", melee=True))
    above = unit("h", kind, "G2 crest", concealed=True, within="crest 0")
    match = field("CCPh", *units, above, game="aslleavingall", dice=[6] * 8)
    play = Play(match.state, ScriptedDice())
    frame = Leaving("russian", cell(match, "F2"), (("r",),))
    play.push(frame)
    leave = LeaveTo("r", cell(match, "G2"))
    assert any('A "?" is there' in note for note in match.game.describe(match.state, "russian", leave).notes)
    depart(play, frame, ("r",), leave.to)
    assert ("r" in match.state.units) is alive
    assert ("h" in match.state.units) is not alive


@rule("A11.21")
@rule("A20.5")
def test_a_guard_takes_its_prisoners_along() -> None:
    match = melee(unit("p", "german 2-4-7", "A1"))
    capture(Play(match.state, ScriptedDice()), get(match, "p"), get(match, "r"), "test")
    go(match)
    assert CAPTIVES.of(match.state)["p"].guard == "r"
    assert at(match, "r") != HERE


@rule("A11.21")
def test_a_gun_stays_behind() -> None:
    units = (unit("r", "russian 2-2-8", HERE, melee=True), unit("g", "german 4-6-7", HERE, melee=True))
    gun = weapon("q", "russian 76.2mm P obr. 39 ART", "r", facing=0)
    match = field("CCPh", *units, game="aslleavingall", weapons=[gun])
    go(match)
    assert get(match, "r").weapons == ()
    assert match.state.weapons["q"].at == cell(match, HERE)


@rule("A11.21")
@rule("B20.96")
@pytest.mark.parametrize(("kind", "lost"), [("german 4-6-7", True), ("german ?", False)])
def test_a_question_mark_at_the_crest_of_the_hex_is_run_into_as_one_in_it(kind: str, *, lost: bool) -> None:
    units = [unit("r", "russian 4-4-7", "J2", melee=True), unit("g", "german 4-6-7", "J2", melee=True)]
    hidden = unit("h", kind, "I2 crest", within="crest 0", concealed=True)
    match = field("CCPh", *units, hidden, game="aslleavingall")
    frame = Leaving("russian", cell(match, "J2"), (("r",),))
    match.state.stack.append(frame)
    leave = LeaveTo("r", cell(match, "I2"))
    assert 'A "?" is there' in describe_leave(match.state, "russian", leave).notes[0]
    depart(Play(match.state, ScriptedDice()), frame, ("r",), leave.to)
    assert ("r" not in match.state.units) is lost
    assert ("h" in match.state.units) is lost
