"""Leaving close combat: Withdrawal from Melee, and broken units in it (A11.16, A11.2, A11.21)."""

from __future__ import annotations

from typing import Any

import pytest
from asl_support import GAMES, LEAVES, LEAVING, PEOPLE_PARTS, SquadGame, leaving, rule, unit
from msgspec.structs import replace
from squad_support import _cards, at, cell, do, drill, get, happened, offered, weapon

import sandtable
from sandtable.engine import Match, Play, ScriptedDice
from sandtable.engine.errors import IllegalAction
from sandtable.games.asl.heat.model import BERSERK
from sandtable.games.asl.leaving.model import (
    BOUND,
    WITHDRAWING,
    LeaveTo,
    LeftCombat,
    NoWayOut,
    StayAndFight,
    StayInMelee,
    Withdraw,
    WithdrawalDeclared,
    Withdrawing,
)
from sandtable.games.asl.leaving.who import becoming_cx, carried, held_bar, refuge_bar, refuges, withdraw_bar
from sandtable.games.asl.surrender import CAPTIVES, DISRUPTED, capture
from sandtable.games.squad.combat.model import (
    AdvancePhase,
    AttackAll,
    AttackUnit,
    CombatResolved,
    DeclareAttack,
    JoinAttack,
    StackOn,
)
from sandtable.games.squad.ground.marks import mark
from sandtable.games.squad.ground.setting import ground_of
from sandtable.games.squad.ground.stacks import put, update
from sandtable.games.squad.movement.model import DropWeapon
from sandtable.games.squad.phases.model import Done, EndPhase
from sandtable.games.squad.pieces.events import Eliminated, MeleeEnded

FIELD = "E6"
"""Open ground; E5, F5 and D6 beside it are buildings."""
GAMES.append(
    SquadGame("aslbound", "Bound", LEAVES.changed(bound_next=False), _cards, {}, parts=(*PEOPLE_PARTS, LEAVING))
)
GAMES.append(
    SquadGame(
        "aslcovered", "Covered", LEAVES.changed(cover_unlimited=False), _cards, {}, parts=(*PEOPLE_PARTS, LEAVING)
    )
)


def held(name: str, kind: str, where: str = FIELD, **more: Any) -> dict[str, Any]:
    """A unit in Melee."""
    return unit(name, kind, where, melee=True, **more)


RUSSIAN, GERMAN = held("r", "russian 4-4-7"), held("g", "german 4-6-7")
TWO_RUSSIANS = (held("r1", "russian 4-4-7"), held("r2", "russian 4-4-7"))


def melee(*units: dict[str, Any], dice: Any = (), **more: Any) -> Match:
    """The CCPh begins with these units, Russians being the ATTACKER."""
    match = leaving("z", "APh", *units, dice=dice, **more)
    if isinstance(match.state.stack[-1], AdvancePhase):
        do(match, EndPhase())
    return match


def drm(match: Match, side: str) -> dict[str, float]:
    """The modifiers of an attack of all on all."""
    preview = match.preview(side, AttackAll())
    assert preview is not None
    return {item.label: item.value for item in preview.tallies[2].items}


# -- declaring ------------------------------------------------------------------------------------


@rule("A11.2")
def test_the_attacker_declares_first_and_then_the_defender() -> None:
    match = melee(RUSSIAN, GERMAN)
    assert match.to_act == ("russian",)
    do(match, Done())
    assert match.to_act == ("german",)
    (said,) = happened(do(match, Withdraw("g"), Done()), WithdrawalDeclared)
    assert (said.units, said.at, said.must) == (("g",), FIELD, False)


@rule("A11.2")
def test_a_declaration_is_taken_back_until_the_side_is_done() -> None:
    match = melee(RUSSIAN, GERMAN)
    do(match, Withdraw("r"))
    assert WITHDRAWING in get(match, "r").marks
    do(match, StayInMelee("r"))
    assert WITHDRAWING not in get(match, "r").marks
    assert not happened(do(match, Done()), WithdrawalDeclared)


@rule("A11.2")
def test_nobody_withdraws_from_a_close_combat_that_has_just_begun() -> None:
    match = melee(unit("r", "russian 4-4-7", FIELD, engaged=True), unit("g", "german 4-6-7", FIELD))
    assert not any(isinstance(frame, Withdrawing) for frame in match.state.stack)


@rule("A11.2")
@rule("A19.12")
@rule("A15.42")
@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"pinned": True}, "Pinned units do not leave"),
        ({"marks": [BERSERK]}, "Berserk units fight on"),
        ({"marks": [DISRUPTED]}, "Disrupted units do not leave"),
    ],
)
def test_who_may_not_withdraw_and_why(more: dict[str, Any], says: str) -> None:
    match = melee(held("r1", "russian 4-4-7", **more), TWO_RUSSIANS[1], GERMAN)
    assert offered(match, Withdraw) == [Withdraw("r2")]
    with pytest.raises(IllegalAction, match=says):
        do(match, Withdraw("r1"))
    assert any(one.text == "4-4-7 A withdraws" and says in one.reason for one in match.refusals("russian"))


@rule("A11.2")
def test_the_chances_of_a_withdrawal_are_seen_before_it_is_declared() -> None:
    """One squad against one, 1-1: kill number 5, at -2 with +1 for the friend who stays."""
    match = melee(*TWO_RUSSIANS, GERMAN)
    preview = match.preview("russian", Withdraw("r1"))
    assert preview is not None
    assert [(line.label, round(36 * line.chance)) for line in preview.odds] == [
        ("gets away unhurt", 21),
        ("Casualty Reduction", 5),
        ("eliminated", 10),
    ]
    assert [(i.label, i.value, i.rule) for i in preview.tallies[2].items] == [
        ("against units that withdraw", -2, "A11.2"),
        ("their friends who stay", 1, "A11.2"),
    ]
    assert preview.notes[1] == "The same attack if it stays: 17% eliminated, 11% Casualty Reduction"
    do(match, Withdraw("r2"))
    preview = match.preview("russian", Withdraw("r1"))
    assert preview is not None
    assert round(36 * preview.odds[2].chance) == 15, "nobody is left to cover them"


# -- in close combat ------------------------------------------------------------------------------


@rule("A11.2")
def test_who_withdraws_does_not_attack_and_is_attacked_at_minus_two() -> None:
    match = melee(RUSSIAN, GERMAN, dice=(5, 5))
    do(match, Withdraw("r"), Done(), Done())
    assert match.to_act == ("german",), "the Russians have nobody to attack with"
    assert drm(match, "german") == {"against units that withdraw": -2}
    events = do(match, AttackAll())
    assert happened(events, CombatResolved)[0].dr == 8
    do(match, LeaveTo("r", cell(match, "E5")))
    assert (at(match, "r"), get(match, "r").melee, get(match, "g").melee) == ("E5", False, False)


@rule("A11.2")
def test_the_attack_of_a_unit_that_withdraws_is_refused_with_its_reason() -> None:
    match = melee(*TWO_RUSSIANS, GERMAN)
    do(match, Withdraw("r1"), Done(), Done())
    assert offered(match, JoinAttack) == [JoinAttack("r2")]
    with pytest.raises(IllegalAction, match="It withdraws and makes no attack"):
        do(match, JoinAttack("r1"))


@rule("A11.2")
@pytest.mark.parametrize(("game", "cover"), [("aslleaving", 3), ("aslcovered", 2)])
def test_each_friend_who_stays_makes_it_safer(game: str, cover: int) -> None:
    """Ruling SA-116: without limit, or until the -2 is made up for."""
    friends = [held(f"r{number}", "russian 2-2-7" if number else "russian 4-4-7") for number in range(4)]
    match = drill("z", "APh", [*friends, GERMAN], game=game)
    do(match, Withdraw("r0"), Done(), Done(), AttackAll())
    assert drm(match, "german") == {"against units that withdraw": -2, "their friends who stay": cover}


@rule("A11.2")
def test_a_leader_goes_or_stays_with_the_squad_that_he_is_stacked_on() -> None:
    match = melee(*TWO_RUSSIANS, held("l", "russian 8-1"), GERMAN)
    do(match, Withdraw("r1"), Withdraw("l"), Done(), Done())
    assert dict(match.state.stack[-1].pairs) == {"l": "r1"}, "he rides with the squad that goes"
    assert offered(match, StackOn) == [StackOn("l")]
    do(match, StackOn("l"), Done(), AttackAll(), AttackUnit("l"), JoinAttack("g"))
    preview = match.preview("german", DeclareAttack())
    assert preview is not None
    assert preview.tallies[1].total == 1, "alone he defends with one factor"


@rule("A11.21")
def test_a_leader_and_his_squad_leave_together() -> None:
    match = melee(*TWO_RUSSIANS, held("l", "russian 8-1"), GERMAN, dice=(6, 5, 6, 5))
    do(match, Withdraw("r1"), Withdraw("l"), Done(), Done(), Done(), AttackAll(), Done())
    (left,) = happened(do(match, LeaveTo("r1", cell(match, "D6"))), LeftCombat)
    assert (left.units, left.frm, left.at) == (("r1", "l"), FIELD, "D6")
    assert get(match, "r2").melee, "who stays is still held"


@rule("A11.2")
def test_where_all_withdraw_nobody_attacks() -> None:
    match = melee(RUSSIAN, GERMAN)
    events = do(match, Withdraw("r"), Done(), Withdraw("g"), Done())
    assert not happened(events, CombatResolved)
    assert match.to_act == ("russian",), "the ATTACKER goes first"
    do(match, LeaveTo("r", cell(match, "D6")))
    assert match.to_act == ("german",)
    do(match, LeaveTo("g", cell(match, "E5")))
    assert (at(match, "r"), at(match, "g")) == ("D6", "E5")


@rule("A11.2")
def test_who_is_killed_does_not_get_away() -> None:
    match = melee(RUSSIAN, GERMAN, dice=(2, 2))
    do(match, Withdraw("r"), Done(), Done())
    events = do(match, AttackAll())
    assert [event.unit for event in happened(events, Eliminated)] == ["r"]
    assert not happened(events, LeftCombat)


# -- where to -------------------------------------------------------------------------------------


@rule("A11.21")
def test_nobody_withdraws_into_known_enemies() -> None:
    match = melee(RUSSIAN, GERMAN, unit("h", "german 4-6-7", "E5"), dice=(5, 5))
    do(match, Withdraw("r"), Done(), Done(), AttackAll())
    assert cell(match, "E5") not in {action.to for action in offered(match, LeaveTo)}
    with pytest.raises(IllegalAction, match="Known enemies are in E5"):
        do(match, LeaveTo("r", cell(match, "E5")))
    with pytest.raises(IllegalAction, match="go one hex"):
        do(match, LeaveTo("r", cell(match, "A1")))
    with pytest.raises(IllegalAction, match="is carried out while enemies are there"):
        do(match, StayAndFight())


@rule("A11.21")
def test_surrounded_units_do_not_withdraw() -> None:
    around = [unit(f"h{n}", "german 2-4-7", name) for n, name in enumerate(("E5", "F5", "F6", "E7", "D6", "D5"))]
    match = melee(RUSSIAN, GERMAN, *around)
    assert match.to_act == ("german",), "the Russians have nothing to declare"
    assert refuges(match.state, [get(match, "r")]) == []
    assert withdraw_bar(match.state, get(match, "r")) == (
        "No Accessible Location without Known enemies is open to it",
        "A11.21",
    )


@rule("A11.21")
def test_whoever_withdraws_into_concealed_enemies_is_eliminated() -> None:
    match = melee(RUSSIAN, GERMAN, unit("h", "german 4-6-7", "E5", concealed=True), dice=(5, 5))
    do(match, Withdraw("r"), Done(), Done(), AttackAll())
    leave = LeaveTo("r", cell(match, "E5"))
    assert 'A "?" is there' in match.describe("russian", leave).notes[0]
    events = do(match, leave)
    assert [(e.unit, e.why) for e in happened(events, Eliminated)] == [("r", "withdraws into concealed enemies")]
    assert get(match, "h").concealed, 'they keep their "?"'


@rule("A11.21")
def test_what_cannot_be_carried_stays_behind() -> None:
    """Five PP of a squad that carries three: the owner may say what he drops, else the heaviest goes."""
    guns = [weapon("m", "russian MMG", "r"), weapon("n", "russian LMG", "r")]
    match = melee(RUSSIAN, GERMAN, weapons=guns, dice=(5, 5))
    do(match, Withdraw("r"))
    assert [action.weapon for action in offered(match, DropWeapon)] == ["m", "n"]
    do(match, Done(), Done(), AttackAll(), LeaveTo("r", cell(match, "E5")))
    assert get(match, "r").weapons == ("n",)
    assert match.state.weapons["m"].at == cell(match, FIELD)


@rule("A11.21")
def test_difficult_terrain_makes_cx_and_a_cx_unit_cannot_enter_it() -> None:
    """On board w the slope from D3 up to E4 takes all four MF of a squad."""
    match = leaving("w", "APh", held("r", "russian 4-4-7", "D3"), held("g", "german 4-6-7", "D3"), dice=(5, 5))
    do(match, Withdraw("r"), Done(), Done(), AttackAll())
    leave = LeaveTo("r", cell(match, "E4"))
    assert match.describe("russian", leave).notes == ("4-4-7 r becomes CX",)
    do(match, leave)
    assert (at(match, "r"), get(match, "r").cx) == ("E4", True)
    broken = leaving("w", "APh", held("r", "russian 4-4-7", "D3", broken=True), held("g", "german 4-6-7", "D3"))
    assert becoming_cx(broken.state, [get(broken, "r")], cell(broken, "E4")) == []
    tired = leaving("w", "APh", held("r", "russian 4-4-7", "D3", cx=True), held("g", "german 4-6-7", "D3"))
    assert cell(tired, "E4") not in refuges(tired.state, [get(tired, "r")])


@rule("A11.21")
@pytest.mark.parametrize("cx", [False, True])
def test_what_stays_behind_tires_nobody(cx: bool) -> None:
    """With the five PP of the HMG the squad would have two MF; a CX one could not get into the buildings around."""
    match = melee(
        held("r", "russian 4-4-7", "F5", cx=cx),
        held("g", "german 4-6-7", "F5"),
        weapons=[weapon("m", "russian HMG", "r")],
        dice=(6, 5, 3, 3),
    )
    do(match, Withdraw("r"), Done(), Done(), AttackAll())
    leave = LeaveTo("r", cell(match, "E5"))
    assert match.describe("russian", leave).notes == ("HMG m stays behind",)
    do(match, leave)
    assert (at(match, "r"), get(match, "r").cx) == ("E5", cx)


@rule("A11.21")
@rule("A4.42")
@pytest.mark.parametrize(("more", "kept"), [({}, ("m",)), ({"broken": True}, ()), ({"cx": True}, ())])
def test_a_leader_helps_his_squad_to_carry(more: dict[str, Any], kept: tuple[str, ...]) -> None:
    """Three PP of the squad, and one of an unbroken leader with nothing of his own who is not CX: the HMG has four."""
    units = (held("g", "german 4-6-7"), held("l", "german 8-1", **more))
    match = melee(RUSSIAN, *units, weapons=[weapon("m", "german HMG", "g")])
    party = [get(match, "g"), get(match, "l")]
    assert carried(match.state, party) == {"g": kept, "l": ()}


@rule("A11.21")
def test_a_crew_is_told_that_its_gun_stays_behind() -> None:
    gun = weapon("q", "russian 76.2mm P obr. 39 ART", "r", facing=0)
    match = melee(held("r", "russian 2-2-8", broken=True), GERMAN, weapons=[gun], dice=(6, 6))
    do(match, Done(), AttackAll())
    leave = LeaveTo("r", cell(match, "E5"))
    assert match.describe("russian", leave).notes == ("76.2mm P obr. 39 ART q stays behind",)


@rule("A11.21")
def test_where_nobody_gets_from_here() -> None:
    match = leaving("w", "APh", held("r", "russian 4-4-7", "D3"), held("g", "german 4-6-7", "D3"))
    ground = ground_of(match.state)
    far = next(to for to in range(ground.size) if ground.way(cell(match, "D3"), to) is None)
    assert refuge_bar(match.state, [get(match, "r")], far) == (
        f"{ground.names[far]} is not Accessible from here",
        "A11.21",
    )


@rule("A11.2")
def test_dummies_cover_nobody() -> None:
    match = melee(RUSSIAN, unit("d", "russian ?", FIELD, concealed=True), GERMAN)
    preview = match.preview("russian", Withdraw("r"))
    assert preview is not None
    assert [(item.label, item.value) for item in preview.tallies[2].items] == [("against units that withdraw", -2)]


@rule("A11.21")
def test_who_has_no_enemy_left_may_stay() -> None:
    match = melee(*TWO_RUSSIANS, GERMAN, dice=(1, 2))
    do(match, Withdraw("r1"), Done(), Done(), AttackAll(), Done())
    assert "g" not in match.state.units
    do(match, StayAndFight())
    assert (at(match, "r1"), get(match, "r1").marks) == (FIELD, ())


# -- broken units ---------------------------------------------------------------------------------

BROKEN = held("g", "german 4-6-7", broken=True)


@rule("A11.16")
def test_a_broken_unit_in_melee_must_withdraw() -> None:
    match = melee(RUSSIAN, BROKEN, dice=(6, 5))
    assert WITHDRAWING in get(match, "g").marks, "nobody is asked"
    assert BOUND.of(match.state) == ("g",)
    do(match, Done())
    assert drm(match, "russian") == {"against a broken unit": -2, "against units that withdraw": -2}
    do(match, AttackAll())
    do(match, LeaveTo("g", cell(match, "E5")))
    assert (at(match, "g"), get(match, "g").broken, get(match, "g").dm) == ("E5", True, True)


@rule("A11.16")
def test_a_broken_unit_that_cannot_withdraw_is_eliminated_when_the_phase_ends() -> None:
    around = [unit(f"r{n}", "russian 2-2-7", name) for n, name in enumerate(("E5", "F5", "F6", "E7", "D6", "D5"))]
    match = melee(RUSSIAN, BROKEN, *around, dice=(6, 5))
    do(match, Done())
    assert drm(match, "russian") == {"against a broken unit": -2}, "it does not withdraw"
    events = do(match, AttackAll())
    lost = happened(events, Eliminated)
    assert [(event.unit, event.why) for event in lost] == [("g", "broken in Melee and cannot withdraw")]
    assert happened(events, MeleeEnded)


@rule("A11.16")
def test_a_disrupted_unit_in_melee_is_eliminated() -> None:
    match = melee(RUSSIAN, held("g", "german 4-6-7", broken=True, marks=[DISRUPTED]), dice=(6, 5))
    events = do(match, Done(), AttackAll())
    assert [event.unit for event in happened(events, Eliminated)] == ["g"]


@rule("A11.16")
def test_a_broken_guard_need_not_withdraw() -> None:
    match = leaving("z", "PFPh", RUSSIAN, BROKEN, unit("p", "russian 4-4-7", "A1"))
    capture(Play(match.state, ScriptedDice()), get(match, "p"), get(match, "g"), "test")
    again = sandtable.new({**match.position(), "state": {**match.position()["state"], "phase": "APh"}}, seed=1)
    assert CAPTIVES.of(again.state)
    assert WITHDRAWING not in get(again, "g").marks
    assert BOUND.of(again.state) == ()


@rule("A11.16")
@pytest.mark.parametrize(("game", "lost"), [("aslleaving", []), ("aslbound", ["g"])])
def test_a_broken_unit_attacked_in_the_open_has_a_phase_to_get_away(game: str, lost: list[str]) -> None:
    """Ruling SA-118: held in Melee since this CCPh, it must withdraw in the next, or dies at once."""
    units = [unit("r", "russian 4-4-7", FIELD, engaged=True), unit("g", "german 4-6-7", FIELD, broken=True)]
    match = drill("z", "CCPh", units, game=game, dice=(6, 5))
    events = do(match, AttackAll())
    assert [event.unit for event in happened(events, Eliminated)] == lost


@rule("A11.16")
def test_a_broken_leader_does_not_go_with_a_squad_that_stays() -> None:
    match = melee(RUSSIAN, GERMAN, held("l", "german 8-1", broken=True))
    do(match, Done(), Done())
    assert match.state.stack[-1].pairs == ()


@rule("A11.21")
def test_a_way_out_may_close_before_one_can_take_it() -> None:
    match = melee(RUSSIAN, GERMAN, dice=(5, 5))
    do(match, Withdraw("r"), Done(), Done())
    for number, name in enumerate(("E5", "F5", "F6", "E7", "D6", "D5")):
        other = replace(get(match, "g"), id=f"h{number}", at=-1, melee=False)
        match.state.units[other.id] = other
        put(match.state, other, cell(match, name))
    events = do(match, AttackAll())
    assert [event.units for event in happened(events, NoWayOut)] == [("r",)]
    assert get(match, "r").melee


@rule("A11.2")
def test_held_units_are_held_whatever_lets_others_go() -> None:
    match = melee(RUSSIAN, GERMAN)
    assert held_bar(get(match, "r")) is None
    play = Play(match.state, ScriptedDice())
    assert held_bar(update(play, get(match, "r"), pinned=True)) is not None
    assert held_bar(mark(play, update(play, get(match, "r"), pinned=False), DISRUPTED)) is not None


def test_the_starter_kit_knows_nothing_of_it() -> None:
    match = drill("z", "APh", [RUSSIAN, BROKEN], dice=(6, 6))
    assert not hasattr(match.state, BOUND.name)
    do(match, AttackAll())
    assert "g" in match.state.units
