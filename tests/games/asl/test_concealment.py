"""Concealment: what enemies see, how it is gained and lost, what it does (A12)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from asl_support import everything, people
from squad_support import at, cell, do, get, happened, offered, rule, unit, weapon

import sandtable
from sandtable.engine import Action, Event, Match, Play, ScriptedDice
from sandtable.engine.events import OBSERVER, Rolled
from sandtable.engine.harness import fuzz
from sandtable.games.asl.concealment.gaining import GAINED, NO, ROLL, chance_of, dr_tally, enter_concealed
from sandtable.games.asl.concealment.meeting import Disclosing, Disclosure, before_rout, bending
from sandtable.games.asl.concealment.model import (
    Bumped,
    ConcealmentGained,
    ConcealmentLost,
    DummyRemoved,
    Proved,
    ShowUnit,
    StrengthShown,
)
from sandtable.games.squad.combat.fighting import lock_in_melee
from sandtable.games.squad.combat.model import AdvanceTo, AttackAll, PickCombat, StartAdvance
from sandtable.games.squad.combat.strengths import ambush_possible, ambush_tally
from sandtable.games.squad.fire.model import AimAt, Fired, ResolveFire, StartFire
from sandtable.games.squad.movement.model import AddMover, BeginMove, Moved, Pass, PlaceCharge, StartMove, Step
from sandtable.games.squad.ordnance.model import Shoot, StartShot
from sandtable.games.squad.phases.model import Done, EndPhase
from sandtable.games.squad.rally.model import RallyTried, RallyUnit, SelfRally
from sandtable.games.squad.rout.routing import beside_unbroken


def pieces(match: Match, side: str | None) -> set[str]:
    view: dict[str, Any] = match.view(side)
    return {piece["id"] for piece in view.get("pieces", ())}


def questions(match: Match, side: str | None) -> list[tuple[str, str]]:
    view: dict[str, Any] = match.view(side)
    return [(mark["at"], mark["side"]) for mark in view.get("marks", ()) if mark["face"] == "marker/stack"]


@rule("A12.11")
@pytest.mark.parametrize("concealed", [True, False])
def test_what_lies_under_a_question_mark_is_no_danger_that_is_told(concealed: bool) -> None:
    units = [unit("a", "russian 4-4-7", "F6"), unit("g", "german 4-6-7", "K5", concealed=concealed)]
    match = people("z", "MPh", *units)
    path = match.game.path(match.state, "russian", ["a"], "I5")
    assert path is not None
    assert any(step.danger for step in path.steps) is not concealed
    assert bool(match.game.danger(match.state, "russian", ["a"], ["I5"])) is not concealed


@rule("A12.11")
def test_which_close_combat_is_next_names_nobody_under_a_question_mark() -> None:
    units = [unit("g", "german 4-6-7", "K5", concealed=True), unit("r", "russian 4-4-7", "K5")]
    match = people("z", "APh", *units)
    pick = PickCombat(cell(match, "K5"))
    assert match.game.describe(match.state, "russian", pick).pieces == ("r",)
    assert match.game.describe(match.state, "german", pick).pieces == ("g", "r")


@rule("A12.11")
def test_enemies_see_one_counter_whatever_lies_under_it() -> None:
    units = [
        unit("g", "german 4-6-7", "K5", concealed=True),
        unit("h", "german 8-1", "K5", concealed=True),
        unit("d", "german ?", "J5", concealed=True),
        unit("r", "russian 4-4-7", "H5"),
    ]
    match = people("z", "PFPh", *units, weapons=[weapon("mg", "german LMG", "g")])
    for side in ("russian", None):
        assert pieces(match, side) == {"r"}
        assert sorted(questions(match, side)) == [("J5", "german"), ("K5", "german")]
    assert pieces(match, "german") == {"r", "g", "h", "d", "mg"}


@rule("A12.11")
@pytest.mark.parametrize("side", ["russian", OBSERVER])
def test_nobody_hears_who_rallied_a_unit_from_under_a_question_mark(side: str) -> None:
    """Neither that somebody did nor how well: a leader of any kind and a self-rally beside Dummies sound alike."""

    def heard(other: str, action: Action) -> list[tuple[Event, str]]:
        units = [unit("g", "german 4-6-7", "K5", broken=True), unit("x", other, "K5", concealed=True)]
        match = people("z", "RPh", *units, attacker="german", dice=(1, 2))
        match.narrator = match.game.words
        while action not in match.actions("german"):
            do(match, Done())
        do(match, action)
        assert not get(match, "g").broken
        told = [(event, words) for event, words in match.told(match.version) if event.known_to(side)]
        return [(event, words) for event, words in told if isinstance(event, Rolled | RallyTried)]

    hears = [
        heard("german 9-2", RallyUnit("g", "x")),
        heard("german 8-0", RallyUnit("g", "x")),
        heard("german ?", SelfRally("g")),
    ]
    assert len(hears[0]) == 2
    assert hears[0] == hears[1] == hears[2]
    assert hears[0][1][1] == "4-6-7 g rallies in K5"


@rule("A12.11")
def test_its_own_side_hears_who_rallied_a_unit() -> None:
    units = [unit("g", "german 4-6-7", "K5", broken=True), unit("x", "german 9-2", "K5", concealed=True)]
    match = people("z", "RPh", *units, attacker="german", dice=(1, 2))
    while RallyUnit("g", "x") not in match.actions("german"):
        do(match, Done())
    tried = [event for event in happened(do(match, RallyUnit("g", "x")), RallyTried) if event.known_to("german")]
    assert [(event.leader, event.dr) for event in tried] == [("x", 0)]


@rule("A12.11")
@pytest.mark.parametrize("under", ["russian 4-4-7", "russian ?"])
def test_a_roll_of_ones_own_unit_is_told_although_one_under_a_question_mark_is_called_alike(under: str) -> None:
    units = [unit("g1", "german 4-4-7", "K5", broken=True), unit("r1", under, "M5", concealed=True)]
    match = people("z", "RPh", *units, attacker="german", dice=(1, 2))
    while SelfRally("g1") not in match.actions("german"):
        do(match, Done())
    rolls = happened(do(match, SelfRally("g1")), Rolled)
    assert [event.why for event in rolls if event.known_to("german")] == ["rally: 4-4-7 A"]


@rule("A12.11")
def test_everybody_sees_which_question_marks_have_moved_at_double_time() -> None:
    units = [
        unit("g", "german 4-6-7", "K5", concealed=True, cx=True),
        unit("h", "german 8-1", "M5", concealed=True),
        unit("r", "russian 4-4-7", "H5"),
    ]
    match = people("z", "PFPh", *units)
    deals = [match.game.reshuffle(match.state.clone(), "russian", random.Random(seed)) for seed in range(9)]
    assert {(deal.units["g"].kind, deal.units["g"].cx) for deal in deals} == {
        ("german 4-6-7", True),
        ("german 8-1", True),
    }


@rule("A12.13")
def test_fire_at_a_concealed_unit_is_area_fire_and_its_preview_tells_nothing_of_it() -> None:
    units = [unit("g", "german 4-6-7", "J5", concealed=True), unit("r", "russian 4-4-7", "I5")]
    match = people("z", "PFPh", *units)
    do(match, StartFire("r"), AimAt(cell(match, "J5")))
    preview = match.preview("russian", ResolveFire())
    assert preview is not None
    assert "on the 4 column" in preview.title, "4 FP, doubled and halved"
    assert not any(line.piece == "g" for line in preview.odds)
    labels = [line.label for line in preview.odds]
    assert labels[labels.index("NMC") :][:4] == ["NMC", "PTC", "no effect", "a result that shows concealed units"]
    assert match.describe("russian", ResolveFire()).targets == ()


@rule("A12.14")
@pytest.mark.parametrize(("dice", "stays"), [((6, 4), True), ((1, 2, 1, 1), False)])
def test_a_result_of_at_least_ptc_costs_the_question_mark(dice: tuple[int, ...], stays: bool) -> None:
    units = [unit("g", "german 4-6-7", "J5", concealed=True), unit("r", "russian 4-4-7", "I5")]
    match = people("z", "PFPh", *units, dice=dice)
    events = do(match, StartFire("r"), AimAt(cell(match, "J5")), ResolveFire())
    assert get(match, "g").concealed is stays
    assert [event.why for event in happened(events, ConcealmentLost)] == ([] if stays else ["hit by fire"])


@rule("A12.14")
def test_who_fires_in_sight_within_sixteen_hexes_is_seen() -> None:
    units = [unit("g", "german 4-6-7", "J5"), unit("r", "russian 4-4-7", "I5", concealed=True)]
    match = people("z", "PFPh", *units, dice=(6, 5))
    events = do(match, StartFire("r"), AimAt(cell(match, "J5")), ResolveFire())
    assert [event.unit for event in happened(events, ConcealmentLost)] == ["r"]
    broken = [unit("g", "german 4-6-7", "J5", broken=True), unit("r", "russian 4-4-7", "I5", concealed=True)]
    match = people("z", "PFPh", *broken, dice=(6, 5))
    do(match, StartFire("r"), AimAt(cell(match, "J5")), ResolveFire())
    assert get(match, "r").concealed, "no Good Order enemy sees it"


@rule("A12.14")
@pytest.mark.parametrize(
    ("frm", "to", "assault", "kept"),
    [("I4", "J4", True, False), ("I4", "H4", True, True), ("I4", "H4", False, False)],
)
def test_assault_movement_out_of_the_open_keeps_it(frm: str, to: str, assault: bool, kept: bool) -> None:
    units = [unit("g", "german 4-6-7", "J5"), unit("r", "russian 4-4-7", frm, concealed=True)]
    match = people("z", "MPh", *units)
    do(match, StartMove("r"), BeginMove(assault=assault), Step(cell(match, to)))
    assert get(match, "r").concealed is kept


@rule("A12.14")
def test_moves_out_of_sight_cost_nothing_and_are_told_without_names() -> None:
    units = [unit("g", "german 4-6-7", "A1"), unit("r", "russian 4-4-7", "H4", concealed=True)]
    match = people("z", "MPh", *units)
    events = do(match, StartMove("r"), BeginMove(), Step(cell(match, "H3")))
    assert get(match, "r").concealed
    told = {
        side: [e.units for e in happened(events, Moved) if e.known_to(side)] for side in ("german", "russian", None)
    }
    assert told == {"german": [("?",)], "russian": [("r",)], None: [("?",)]}
    (seen,) = [event for event in happened(events, Moved) if event.known_to("german")]
    assert match.game.words(seen, match.state) == "?: from H4 to H3 (2 MF)"


@rule("A12.14")
def test_a_concealed_watcher_proves_that_he_is_real_and_a_dummy_cannot() -> None:
    for kind, lost in (("german 4-6-7", True), ("german ?", False)):
        units = [unit("g", kind, "J5", concealed=True), unit("r", "russian 4-4-7", "I4", concealed=True)]
        match = people("z", "MPh", *units)
        events = do(match, StartMove("r"), BeginMove(), Step(cell(match, "J4")))
        assert get(match, "r").concealed is not lost
        assert [event.at for event in happened(events, Proved)] == (["J5"] if lost else [])
        assert get(match, "g").concealed


@rule("A12.14")
def test_he_proves_it_once_to_a_whole_stack() -> None:
    watcher = unit("g", "german 4-6-7", "J5", concealed=True)
    stack = [unit(name, "russian 4-4-7", "I4", concealed=True) for name in ("r", "s")]
    match = people("z", "MPh", watcher, *stack)
    events = do(match, StartMove("r"), AddMover("s"), BeginMove(), Step(cell(match, "J4")))
    assert [get(match, name).concealed for name in ("r", "s")] == [False, False]
    assert len(happened(events, Proved)) == 1


@rule("A12.15")
def test_movers_who_run_into_concealed_units_are_thrown_back() -> None:
    units = [
        unit("g", "german 4-6-7", "J5", concealed=True),
        unit("h", "german 2-4-7", "J5", concealed=True),
        unit("r", "russian 4-4-7", "I5"),
    ]
    match = people("z", "MPh", *units)
    events = do(match, StartMove("r"), BeginMove(), Step(cell(match, "J5")))
    assert happened(events, Bumped)
    assert at(match, "r") == "I5"
    assert match.to_act == ("german",)
    assert offered(match, ShowUnit) == [ShowUnit("g"), ShowUnit("h")]
    do(match, ShowUnit("h"))
    assert [get(match, name).concealed for name in ("g", "h")] == [True, False]
    do(match, Pass())
    assert get(match, "r").moved, "its MPh is over"


@rule("A12.15")
def test_dummies_let_movers_go_on() -> None:
    units = [unit("d", "german ?", "J5", concealed=True), unit("r", "russian 4-4-7", "I5")]
    match = people("z", "MPh", *units)
    events = do(match, StartMove("r"), BeginMove(), Step(cell(match, "J5")))
    assert happened(events, DummyRemoved)
    assert at(match, "r") == "J5"
    assert "d" not in match.state.units


@rule("A12.15")
def test_dummies_who_run_into_the_enemy_vanish() -> None:
    units = [unit("g", "german 4-6-7", "J5", concealed=True), unit("d", "russian ?", "I5", concealed=True)]
    match = people("z", "MPh", *units)
    do(match, StartMove("d"), BeginMove(), Step(cell(match, "J5")))
    assert "d" not in match.state.units
    assert get(match, "g").concealed


@rule("A10.533")
def test_concealed_enemies_neither_force_a_rout_nor_bring_dm() -> None:
    units = [unit("g", "german 4-6-7", "J5", concealed=True), unit("r", "russian 4-4-7", "I5", broken=True)]
    match = people("z", "PFPh", *units)
    assert not beside_unbroken(match.state, get(match, "r"))
    do(match, EndPhase())
    match = people("z", "PFPh", *units, attacker="german")
    do(match, ShowUnit("g"))
    assert beside_unbroken(match.state, get(match, "r"))
    assert get(match, "r").dm


@rule("A10.533")
def test_a_concealed_unit_may_show_itself_before_the_enemy_routs() -> None:
    units = [unit("g", "german 4-6-7", "J5", concealed=True), unit("r", "russian 4-4-7", "I5", broken=True, dm=True)]
    match = people("z", "AFPh", *units, attacker="german")
    while match.state.phase == "AFPh":
        do(match, EndPhase())
    assert match.to_act == ("german",)
    assert ShowUnit("g") in match.actions("german")


@rule("A12.12")
@pytest.mark.parametrize(
    ("place", "enemy", "chance"),
    [
        ("J5", "I5", NO),  # an unbroken enemy sees it
        ("K5", "H5", GAINED),  # a building out of sight
        ("I8", "B8", ROLL),  # no cover, an enemy within sixteen hexes
    ],
)
def test_what_a_unit_needs_to_gain_concealment(place: str, enemy: str, chance: int) -> None:
    match = people("z", "APh", unit("r", "russian 4-4-7", place), unit("g", "german 4-6-7", enemy))
    assert chance_of(match.state, get(match, "r")) == chance


@rule("A12.121")
def test_an_enemy_in_the_first_hex_of_the_board_makes_it_roll() -> None:
    """I8 is open ground out of his sight; with nobody within sixteen hexes the "?" is free."""
    match = people("z", "APh", unit("r", "russian 4-4-7", "I8"), unit("g", "german 4-6-7", "A1"))
    assert cell(match, "A1") == 0
    assert chance_of(match.state, get(match, "r")) == ROLL
    match = people("z", "APh", unit("r", "russian 4-4-7", "I8"), unit("g", "german 4-6-7", "GG1"))
    assert chance_of(match.state, get(match, "r")) == GAINED


@rule("A10.533")
@pytest.mark.parametrize(("broken", "asked"), [("I5", True), ("A1", False)])
def test_a_side_whose_hidden_units_see_no_broken_enemy_is_not_asked_to_show_them(broken: str, asked: bool) -> None:
    units = [
        unit("b", "russian 4-4-7", broken, broken=True, dm=True),
        unit("r", "russian 4-4-7", "O5"),
        unit("g", "german 4-6-7", "J5", concealed=True),
    ]
    match = people("z", "AFPh", *units)
    before_rout(Play(match.state, ScriptedDice()))
    frame = match.state.stack[-1]
    assert isinstance(frame, Disclosing)
    assert Disclosure().to_act(match.state, frame) == (("german",) if asked else ())


@rule("A10.533")
def test_a_broken_enemy_in_the_first_hex_of_the_board_counts_too() -> None:
    units = [unit("b", "russian 4-4-7", "A1", broken=True, dm=True), unit("g", "german 4-6-7", "A2", concealed=True)]
    match = people("z", "AFPh", *units, unit("r", "russian 4-4-7", "O5"))
    assert cell(match, "A1") == 0
    assert [each.id for each in bending(match.state, "german")] == ["g"]


@rule("A12.1")
def test_a_dummy_denies_concealment_and_a_broken_enemy_does_not() -> None:
    match = people("z", "APh", unit("r", "russian 4-4-7", "J5"), unit("g", "german ?", "I5", concealed=True))
    assert chance_of(match.state, get(match, "r")) == NO
    match = people("z", "APh", unit("r", "russian 4-4-7", "J5"), unit("g", "german 4-6-7", "I5", broken=True))
    assert chance_of(match.state, get(match, "r")) == GAINED


@rule("A12.122")
def test_the_concealment_dr() -> None:
    units = [unit("r", "russian 4-4-7", "I8"), unit("l", "russian 8-1", "I8"), unit("g", "german 4-6-7", "B8")]
    match = people("z", "APh", *units, dice=(3, 5))
    assert str(dr_tally(match.state, get(match, "r"))).count("US# +3") == 1
    assert dr_tally(match.state, get(match, "r")).total == 3 - 1
    assert dr_tally(match.state, get(match, "l")).total == 1
    events = do(match, EndPhase())
    assert [event.units for event in happened(events, ConcealmentGained)] == [("r",)], "3 + 2, and 5 + 1"
    assert get(match, "r").concealed
    assert not get(match, "l").concealed


@rule("A12.122")
@pytest.mark.parametrize(("place", "within", "tem"), [("A6", "", 0), ("A6", "f", 2), ("L3", "", 1), ("L3", "f", 2)])
def test_a_foxhole_helps_to_gain_concealment_where_it_is_the_better_cover(place: str, within: str, tem: int) -> None:
    hole = {place: [{"kind": "foxhole", "id": "f"}]}
    units = [unit("r", "russian 4-4-7", place, within=within), unit("g", "german 4-6-7", "A1")]
    match = everything("PFPh", *units, counters=hole)
    assert dr_tally(match.state, get(match, "r")).total == 3 - tem


@rule("A12.12")
def test_who_is_about_to_come_on_has_a_question_mark() -> None:
    """Ruling C-4: units in Good Order of the side whose turn it is, beside the edge; others not."""
    units = [
        unit("r", "russian 4-4-7", beside="A5"),
        unit("b", "russian 4-4-7", beside="A6", broken=True),
        unit("s", "russian 4-4-7", "B5"),
        unit("g", "german 4-6-7", beside="GG5"),
    ]
    match = people("z", "RPh", *units)
    enter_concealed(Play(match.state, ScriptedDice()))
    assert {name for name in ("r", "b", "s", "g") if get(match, name).concealed} == {"r"}


@rule("A12.14")
@pytest.mark.parametrize(("to", "kept"), [("J4", False), ("K5", True)])
def test_an_advance_into_open_ground_in_sight_costs_the_question_mark(to: str, kept: bool) -> None:
    units = [unit("r", "russian 4-4-7", "J5", concealed=True), unit("g", "german 4-6-7", "L4")]
    match = people("z", "APh", *units)
    do(match, StartAdvance("r"), AdvanceTo(cell(match, to)))
    assert get(match, "r").concealed is kept


@rule("A11.19")
def test_in_close_combat_concealed_units_show_their_strength_and_are_attacked_at_half_fp() -> None:
    units = [
        unit("g", "german 4-6-7", "J5", concealed=True),
        unit("d", "german ?", "J5", concealed=True),
        unit("r", "russian 4-4-7", "I5"),
    ]
    match = people("z", "APh", *units, dice=(3, 3))
    events = do(match, StartAdvance("r"), AdvanceTo(cell(match, "J5")))
    assert get(match, "g").concealed
    assert [event.units for event in happened(events, StrengthShown)] == [("g",)]
    assert happened(events, DummyRemoved)
    assert "g" in pieces(match, "russian")
    whole = match.describe("russian", AttackAll())
    assert whole.text == "All attack all at 1-2", "4 FP are halved against 4"


@rule("A11.4")
def test_concealed_units_ambush_anywhere_and_more_easily() -> None:
    units = [unit("g", "german 4-6-7", "J4", concealed=True), unit("r", "russian 4-4-7", "J4", engaged=True)]
    match = people("z", "APh", *units)
    assert ambush_possible(match.state, cell(match, "J4")), "the hex is open"
    assert ambush_tally(match.state, cell(match, "J4"), "german").total == -2


@rule("A12.14")
@pytest.mark.parametrize(("enemy", "kept"), [("J5", False), ("A1", True)])
def test_placing_a_charge_in_sight_of_an_enemy_costs_concealment(enemy: str, kept: bool) -> None:
    """Assault Movement alone would not."""
    units = [unit("r", "russian 6-2-8", "I5", concealed=True), unit("g", "german 4-6-7", enemy)]
    match = people("z", "MPh", *units, weapons=[weapon("dc", "russian DC", "r")])
    do(match, StartMove("r"), BeginMove(assault=True), PlaceCharge("r", "dc", cell(match, "J5")))
    assert get(match, "r").concealed is kept


@rule("A12.14")
def test_a_unit_that_keeps_its_question_mark_is_not_held_in_melee() -> None:
    units = [unit("g", "german 4-6-7", "J4", concealed=True), unit("r", "russian 4-4-7", "J4")]
    match = people("z", "APh", *units)
    lock_in_melee(Play(match.state, ScriptedDice()), cell(match, "J4"))
    assert not get(match, "g").melee
    assert not get(match, "r").melee


@rule("A12.34")
@pytest.mark.parametrize(("dice", "kept"), [((4, 6, 6), True), ((5, 6, 6), False)])
def test_a_concealed_gun_is_given_away_by_its_muzzle_flash(dice: tuple[int, ...], kept: bool) -> None:
    units = [unit("r", "russian 4-4-7", "H5"), unit("crew", "german 2-2-8", "J5", concealed=True)]
    guns = [weapon("gun", "german 7.5cm PaK 40 AT", "crew", facing=4, emplaced=True)]
    match = people("z", "PFPh", *units, weapons=guns, attacker="german", dice=dice)
    do(match, StartShot("gun"))
    do(match, next(a for a in match.actions("german") if getattr(a, "at", -1) == cell(match, "H5")))
    shot = next(a for a in offered(match, Shoot) if a.ammo == "HE")
    do(match, shot)
    assert get(match, "crew").concealed is kept


@rule("A12.12")
def test_at_the_start_stacks_out_of_sight_and_the_question_marks_of_the_card_are_concealed() -> None:
    match = sandtable.new("asl/S9", seed=4)
    while match.state.turn == 0 or match.state.phase == "set-up":
        do(match, match.actions(match.to_act[0])[-1])
    on_map = [found for found in match.state.units.values() if found.at >= 0]
    assert any(found.concealed for found in on_map)
    for side in match.sides:
        other = next(name for name in match.sides if name != side)
        hidden = {found.id for found in match.state.units.values() if found.side == other and found.concealed}
        assert not hidden & pieces(match, side)
    assert all(found.concealed for found in on_map if found.kind.endswith("?"))


@rule("A12.13")
def test_the_log_of_a_shot_at_a_question_mark_names_nobody() -> None:
    units = [unit("g", "german 4-6-7", "J5", concealed=True), unit("r", "russian 4-4-7", "I5")]
    match = people("z", "PFPh", *units, dice=(6, 5))
    events = do(match, StartFire("r"), AimAt(cell(match, "J5")), ResolveFire())
    (fired,) = happened(events, Fired)
    assert fired.others == ()
    assert fired.to is None


@pytest.mark.parametrize(("scenario", "seed"), [("S9", 5), ("S14", 21), ("S15", 20)])
def test_the_harness_holds_with_it(scenario: str, seed: int) -> None:
    report = fuzz(f"asl/{scenario}", games=1, seed=seed, checks=0.05)
    assert report.errors == []
