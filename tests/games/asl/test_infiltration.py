"""Leaving close combat at once: Infiltration by an Original 2 or 12, and Ambushers (A11.22, A11.41)."""

from __future__ import annotations

from typing import Any

import pytest
from asl_support import GAMES, LEAVES, LEAVING, PEOPLE_PARTS, SquadGame, leaving, rule, unit
from squad_support import _cards, at, cell, do, drill, get, happened, offered

from sandtable.engine import Match
from sandtable.games.asl.leaving.model import LeaveTo, Leaving, LeftCombat, StayAndFight
from sandtable.games.asl.leaving.words import ask_leaving
from sandtable.games.asl.prisoners.model import Freed, TryCapture
from sandtable.games.squad.combat.model import (
    Ambushed,
    AttackAll,
    AttackUnit,
    CombatResolved,
    DeclareAttack,
    JoinAttack,
    MeleeBegan,
)
from sandtable.games.squad.phases.model import Done
from sandtable.games.squad.pieces.events import Eliminated, Promoted

FIELD, HOUSE = "E6", "F5"
"""Open ground, and a building beside it."""
GAMES.append(
    SquadGame("aslescapes", "Escapes", LEAVES.changed(rolled_stands=False), _cards, {}, parts=(*PEOPLE_PARTS, LEAVING))
)
RUSSIAN, GERMAN = unit("r", "russian 4-4-7", FIELD, engaged=True), unit("g", "german 4-6-7", FIELD)


def fight(*units: dict[str, Any], dice: Any = (), **more: Any) -> Match:
    """The close combat of a CCPh, Russians being the ATTACKER."""
    return leaving("z", "CCPh", *units, dice=dice, **more)


# -- Infiltration -----------------------------------------------------------------------------------


@rule("A11.22")
@rule("A18.1")
def test_an_original_2_lets_the_attackers_leave_before_they_are_attacked() -> None:
    """The Russians roll a 2: the German is eliminated all the same, for it had been attacked already."""
    match = fight(RUSSIAN, GERMAN, dice=(1, 1, 6))
    events = do(match, AttackAll(), AttackAll())
    assert happened(events, Promoted), "the Leader Creation dr is made as well"
    assert match.to_act == ("russian",)
    assert not happened(events, CombatResolved), "nothing has taken effect yet"
    events = do(match, LeaveTo("r", cell(match, "E7")))
    assert [(e.units, e.why) for e in happened(events, LeftCombat)] == [(("r",), "infiltrates")]
    assert [(e.side, e.result) for e in happened(events, CombatResolved)] == [("russian", "eliminated")]
    assert [e.unit for e in happened(events, Eliminated)] == ["g"]
    assert at(match, "r") == "E7"


@rule("A11.22")
def test_who_may_infiltrate_may_as_well_stay() -> None:
    match = fight(RUSSIAN, GERMAN, dice=(1, 1, 6, 5, 5))
    do(match, AttackAll(), AttackAll())
    events = do(match, StayAndFight())
    assert len(happened(events, CombatResolved)) == 2
    assert at(match, "r") == FIELD


@rule("A11.22")
def test_a_leader_created_by_the_2_goes_along() -> None:
    match = fight(RUSSIAN, GERMAN, dice=(1, 1, 1))
    (made,) = happened(do(match, AttackAll(), AttackAll()), Promoted)
    frame = match.state.stack[-1]
    assert isinstance(frame, Leaving)
    assert frame.groups == (("r", made.leader),)
    do(match, LeaveTo("r", cell(match, "E7")))
    assert at(match, made.leader) == "E7"


@rule("A11.22")
def test_an_original_12_lets_those_who_are_attacked_leave_unharmed() -> None:
    match = fight(RUSSIAN, GERMAN, dice=(6, 6))
    do(match, AttackAll(), AttackAll())
    assert match.to_act == ("german",)
    events = do(match, LeaveTo("g", cell(match, HOUSE)))
    assert [event.side for event in happened(events, CombatResolved)] == ["russian"], "they do not attack any more"
    assert not happened(events, MeleeBegan)
    assert at(match, "g") == HOUSE
    said = [match.game.words(event, match.state) for event in happened(events, CombatResolved)]
    assert said == ["4-4-7 r against enemies who have left at 1-1: final DR 12, kill number 5: no effect"]


@rule("A11.22")
@rule("A20.221")
def test_who_infiltrates_takes_no_prisoners() -> None:
    match = fight(RUSSIAN, GERMAN, dice=(1, 1, 6))
    do(match, JoinAttack("r"), AttackUnit("g"), TryCapture(), AttackAll())
    events = do(match, LeaveTo("r", cell(match, "E7")))
    (freed,) = happened(events, Freed)
    assert match.game.words(freed, match.state) == "4-6-7 g in E6 is free: no captor is left (A20.5)"
    assert sorted(match.state.units) == ["g", "r"]


@rule("A11.22")
def test_those_who_stay_behind_fight_on() -> None:
    """Two Germans are attacked by one Russian each; the first leaves, and the other still attacks its Russian."""
    units = [unit(f"r{n}", "russian 4-4-7", FIELD, engaged=True) for n in (1, 2)]
    units += [unit(f"g{n}", "german 4-6-7", FIELD) for n in (1, 2)]
    match = fight(*units, dice=(6, 6, 5, 5, 1, 2))
    for own, foe in (("r1", "g1"), ("r2", "g2")):
        do(match, JoinAttack(own), AttackUnit(foe), DeclareAttack())
    for own, foe in (("g1", "r1"), ("g2", "r2")):
        do(match, JoinAttack(own), AttackUnit(foe), DeclareAttack())
    assert match.to_act == ("german",)
    events = do(match, LeaveTo("g1", cell(match, HOUSE)))
    resolved = happened(events, CombatResolved)
    assert [(e.units, e.targets) for e in resolved] == [(("r1",), ()), (("r2",), ("g2",)), (("g2",), ("r2",))]
    assert sorted(match.state.units) == ["g1", "g2", "r1"]


@rule("A11.22")
@pytest.mark.parametrize(("game", "alive"), [("aslleaving", False), ("aslescapes", True)])
def test_whom_an_earlier_roll_has_hurt_does_not_infiltrate(game: str, *, alive: bool) -> None:
    """Ruling SA-117: the German has been killed by the first DR; its own 2 comes too late, or saves it."""
    match = drill("z", "CCPh", [RUSSIAN, GERMAN], game=game, dice=(1, 2, 1, 1, 6))
    do(match, AttackAll(), AttackAll())
    if alive:
        do(match, LeaveTo("g", cell(match, HOUSE)))
    assert ("g" in match.state.units) is alive
    assert "r" not in match.state.units, "the attack that it has made stands either way"


@rule("A11.22")
@pytest.mark.parametrize(("picks", "reduced", "goes"), [((6, 1), "g1", "g2"), ((1, 6), "g2", "g1")])
def test_of_several_only_whom_the_reduction_falls_on_does_not_infiltrate(
    picks: tuple[int, int], reduced: str, goes: str
) -> None:
    """Ruling SA-117: it is picked at once which of two squads a DR of 5 reduces; their own 2 lets the other leave."""
    units = [unit(f"r{n}", "russian 4-4-7", FIELD, engaged=True) for n in (1, 2)]
    units += [unit(f"g{n}", "russian 4-4-7", FIELD, side="german") for n in (1, 2)]
    match = fight(*units, dice=(2, 3, 1, 1, 6, *picks))
    do(match, AttackAll(), AttackAll())
    assert match.to_act == ("german",)
    assert {action.unit for action in match.actions("german") if isinstance(action, LeaveTo)} == {goes}
    events = do(match, LeaveTo(goes, cell(match, HOUSE)))
    assert [event.result for event in happened(events, CombatResolved)] == ["reduced", "eliminated"]
    assert at(match, goes) == HOUSE
    assert get(match, goes).kind == "russian 4-4-7"
    assert not [name for name in match.state.units if name.startswith("r")]
    assert get(match, reduced).kind == "russian 2-3-7"


@rule("A11.22")
def test_pinned_units_do_not_infiltrate() -> None:
    match = fight(RUSSIAN, unit("g", "german 4-6-7", FIELD, pinned=True), dice=(6, 6, 6, 5))
    events = do(match, AttackAll(), AttackAll())
    assert len(happened(events, CombatResolved)) == 2, "nobody is asked"


@rule("A11.22")
@rule("A11.21")
def test_a_concealed_unit_keeps_its_question_mark_where_nobody_sees_it_enter_open_ground() -> None:
    """In a house; on the road beside it the enemies see it."""
    for to, kept in ((HOUSE, True), ("E7", False)):
        hidden = unit("g", "german 4-6-7", FIELD, concealed=True)
        match = fight(RUSSIAN, hidden, dice=(3, 3, 6, 6))
        do(match, AttackAll(), AttackAll())
        assert match.to_act == ("german",)
        do(match, LeaveTo("g", cell(match, to)))
        assert get(match, "g").concealed is kept


# -- the Ambusher -----------------------------------------------------------------------------------

INDOORS = (unit("r", "russian 4-4-7", HOUSE, engaged=True), unit("g", "german 4-6-7", HOUSE))


@rule("A11.41")
def test_an_ambusher_may_leave_before_he_attacks() -> None:
    match = fight(*INDOORS, dice=(1, 6))
    assert match.to_act == ("russian",)
    frame = match.state.stack[-1]
    assert isinstance(frame, Leaving)
    assert ask_leaving(match.state, frame) == ("Your ambush lets units leave F5 unharmed, or stay", "A11.41")
    events = do(match, LeaveTo("r", cell(match, FIELD)))
    assert happened(events, LeftCombat)[0].why == "ambushes"
    assert not happened(events, CombatResolved)
    assert not get(match, "g").melee


@rule("A11.41")
def test_or_after_his_attacks_before_he_is_attacked() -> None:
    match = fight(*INDOORS, dice=(1, 6, 5, 5))
    do(match, StayAndFight(), AttackAll())
    assert match.to_act == ("russian",)
    do(match, LeaveTo("r", cell(match, FIELD)))
    assert (at(match, "r"), at(match, "g")) == (FIELD, HOUSE)


@rule("A11.41")
def test_the_ambushed_side_fights_those_who_stay() -> None:
    match = fight(*INDOORS, dice=(1, 6, 5, 5, 1, 2))
    do(match, StayAndFight(), AttackAll(), StayAndFight())
    assert match.to_act == ("german",)
    events = do(match, AttackAll())
    assert [event.unit for event in happened(events, Eliminated)] == ["r"]


@rule("A11.41")
def test_a_pinned_ambusher_stays() -> None:
    match = fight(INDOORS[0], unit("g", "german 4-6-7", HOUSE, pinned=True), dice=(6, 1))
    assert not offered(match, LeaveTo)
    assert match.to_act == ("german",), "the pinned German has ambushed and attacks first"


@rule("A11.41")
def test_without_an_ambush_nobody_is_asked() -> None:
    match = fight(*INDOORS, dice=(3, 3))
    assert not happened(do(match, Done()), Ambushed)
    assert not offered(match, LeaveTo)
