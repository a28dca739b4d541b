"""The turn in its twelve steps, officers, reinforcements, countdown and victory."""

from __future__ import annotations

import pytest
from pbi_support import Camp, do, found, legal, piece, rows

from sandtable.games.pbi.actions import (
    Activate,
    Arrive,
    Call,
    Comfort,
    Done,
    Hold,
    Man,
    Motivate,
    Move,
    Promote,
    Rally,
    Step,
    Urge,
)
from sandtable.games.pbi.events import (
    Arrived,
    CountedDown,
    Motivated,
    ObjectiveTaken,
    OfficerSought,
    Recovered,
    ReinforcementRolled,
    TurnBegan,
)
from sandtable.games.pbi.model import Activation, Arrival, Commander, Turn, Units
from sandtable.games.pbi.pointing import points_left
from sandtable.games.pbi.victory import judge, victory_points
from sandtable.games.pbi.views import STEPS


def both(**rulings: str) -> Camp:
    camp = Camp(**rulings).add("a1", "rifle", "D7", 3).add("d1", "rifle", "D1", 3)
    return camp.add("a0", "commander", "D8", officer=True)


@pytest.mark.rule("turn-sequence")
def test_the_steps_come_in_their_order_and_then_the_other_side() -> None:
    match = both().frames(Units("attacker")).match()
    events = do(match, Done())
    assert [event.side for event in found(events, TurnBegan)] == ["defender"]
    assert match.state.stack == [Turn("defender", 5), Units("defender")]
    assert len(STEPS) == 1 + 12


@pytest.mark.rule("turn-sequence")
def test_action_points_and_reactions_are_new_each_turn() -> None:
    camp = both().add("d2", "rifle", "E1", moved=2, acted=True, shots=3).add("a2", "rifle", "E8", 3, reacted=True)
    match = camp.frames(Units("attacker")).match()
    do(match, Done())
    assert (piece(match, "d2-1").moved, piece(match, "d2-1").acted, piece(match, "d2-1").shots) == (0, False, 0)
    assert not piece(match, "a2-1").reacted


@pytest.mark.rule("turn-commander")
def test_the_commander_does_three_things() -> None:
    camp = both().unit("a2", off=True).add("a2", "rifle", "")
    camp.state.turn = 1
    match = camp.frames(Commander("attacker"), step=2).match()
    do(match, Step("D7"), Step("D6"), Call())
    assert piece(match, "a0-1").at == "D6"
    assert match.state.hurry == {"attacker": 1}
    assert match.state.stack[-1] == Units("attacker")


@pytest.mark.rule("turn-commander")
def test_he_rallies_comforts_and_urges_those_near_him() -> None:
    camp = Camp().unit("a1", casualties=2).add("a1", "rifle", "D7", 3, pinned=True).add("d1", "rifle", "D1", 3)
    camp.add("a0", "commander", "D8", officer=True)
    match = camp.frames(Commander("attacker"), step=2).match(3, 4)
    do(match, Rally("D7"), Comfort("a1"), Urge("a1"))
    assert not piece(match, "a1-1").pinned
    assert match.state.units["a1"].casualties == 1
    assert match.state.units["a1"].urged
    far = camp.add("a3", "rifle", "A1", pinned=True).frames(Commander("attacker"), step=2).match()
    assert Rally("A1") not in legal(far, Rally)


@pytest.mark.rule("turn-commander")
def test_urged_groups_near_him_need_no_roll() -> None:
    camp = (
        Camp()
        .unit("a1", officer="dead", urged=True)
        .add("a1", "rifle", "D7")
        .add("a0", "commander", "D8", officer=True)
    )
    match = camp.frames(Units("attacker"), Activation("a1")).match(3)
    assert found(do(match, Motivate("D7")), Motivated)[0].well


@pytest.mark.rule("turn-commander")
def test_by_a_ruling_each_thing_only_once() -> None:
    match = both(commander_things="once each").frames(Commander("attacker"), step=2).match()
    do(match, Step("D7"))
    assert not legal(match, Step)


@pytest.mark.rule("turn-opportunity")
def test_nobody_shoots_before_step_four() -> None:
    camp = both().add("d2", "rifle", "D5")
    match = camp.frames(Commander("attacker"), step=2).match()
    do(match, Step("E8"))
    assert match.to_act == ("attacker",)
    later = camp.acting("a1-1", "a1-2", "a1-3").match()
    do(later, Move("C7"))
    assert later.to_act == ("defender",)
    do(later, Hold())


@pytest.mark.rule("turn-units")
def test_a_unit_is_finished_before_the_next_and_has_one_turn() -> None:
    camp = both().add("a2", "rifle", "F7", 2)
    match = camp.frames(Units("attacker")).match()
    assert set(legal(match, Activate)) == {Activate("a1"), Activate("a2")}
    do(match, Activate("a1"))
    assert not legal(match, Activate)
    do(match, Done())
    assert legal(match, Activate) == [Activate("a2")]


@pytest.mark.rule("turn-new-officer")
@pytest.mark.parametrize(("face", "well"), [(4, True), (3, False)])
def test_a_unit_without_officer_rolls_for_one_at_its_end(face: int, well: bool) -> None:
    camp = (
        Camp().unit("a1", officer="dead").add("a1", "rifle", "D7", 2).add("a1", "lmg", "D6").add("d1", "rifle", "D1", 3)
    )
    match = camp.frames(Units("attacker"), Activation("a1")).match(face)
    events = do(match, Done())
    assert found(events, OfficerSought)[0].well is well
    if well:
        do(match, Promote("a1-3"))
        assert piece(match, "a1-3").officer
        assert match.state.units["a1"].officer == "alive"


@pytest.mark.rule("turn-reinforcements")
@pytest.mark.parametrize(("face", "hurry", "well"), [(4, 0, True), (3, 0, False), (3, 1, True)])
def test_units_off_the_table_roll_for_arrival(face: int, hurry: int, well: bool) -> None:
    camp = both().unit("a2", off=True).add("a2", "rifle", "", 3)
    camp.state.hurry = {"attacker": hurry} if hurry else {}
    match = camp.frames(Units("attacker")).match(face)
    events = do(match, Done())
    assert found(events, ReinforcementRolled)[0].well is well
    assert isinstance(match.state.stack[-1], Arrival) is well


@pytest.mark.rule("turn-reinforcements")
def test_not_in_the_first_turn() -> None:
    camp = both().unit("a2", off=True).add("a2", "rifle", "", 3)
    camp.state.turn = 1
    match = camp.frames(Units("attacker")).match()
    assert not found(do(match, Done()), ReinforcementRolled)


@pytest.mark.rule("turn-arrivals")
@pytest.mark.parametrize(("face", "square"), [(1, "C8"), (2, "D8"), (5, "D8"), (6, "E8")])
def test_arrivals_deviate_to_the_left_or_right(face: int, square: str) -> None:
    camp = Camp().add("a1", "rifle", "A6", 3).add("d1", "rifle", "H1", 3).unit("a2", off=True)
    camp.add("a2", "rifle", "", 6).add("a2", "truck", "")
    match = camp.frames(Units("attacker"), Arrival("a2"), step=9).match(face)
    assert set(legal(match, Arrive)) == {Arrive(f"{letter}8") for letter in "ABCDEFGH"}
    events = do(match, Arrive("D8"))
    assert found(events, Arrived)[0].at == square
    assert len([id for id in match.state.at[square] if id.startswith("a2")]) == 4 + 1
    assert all(p.moved == 2 for p in match.state.pieces.values() if p.unit == "a2")


@pytest.mark.rule("turn-countdown")
def test_the_countdown_runs_in_the_defenders_turn_only() -> None:
    match = both().frames(Units("attacker")).match(5)
    assert not found(do(match, Done()), CountedDown)
    events = do(match, Done())
    assert [event.left for event in found(events, CountedDown)] == [16]
    assert match.state.turn == 3


@pytest.mark.rule("turn-countdown")
@pytest.mark.parametrize(
    ("control", "points", "ruling", "winner"),
    [
        ("attacker", 0, "defender", "attacker"),
        ("defender", 0, "defender", "defender"),
        ("attacker", 3, "defender", "defender"),
        ("attacker", 3, "draw", ""),
    ],
)
def test_when_it_runs_out_victory_points_decide(control: str, points: int, ruling: str, winner: str) -> None:
    camp = both(tie=ruling).frames(Units("defender"), side="defender")
    camp.state.objectives, camp.state.control = {"D4": 3}, {"D4": control}
    camp.state.points = {"attacker": 0, "defender": points}
    camp.state.countdown = 4
    match = camp.match(4)
    do(match, Done())
    assert match.outcome is not None
    assert match.outcome.winner == winner


@pytest.mark.rule("turn-countdown")
def test_foot_that_enter_an_objective_hold_it() -> None:
    camp = both()
    camp.state.objectives, camp.state.control = {"D6": 2}, {"D6": "defender"}
    match = camp.acting("a1-1", "a1-2", "a1-3").match()
    assert found(do(match, Move("D6")), ObjectiveTaken)[0].worth == 2
    assert victory_points(match.state, "attacker") == 2


@pytest.mark.rule("turn-countdown")
def test_a_side_without_units_has_lost() -> None:
    camp = Camp().add("a1", "rifle", "D7", 3).add("d0", "commander", "D1", officer=True)
    judge(camp.state)
    assert camp.state.outcome is not None
    assert camp.state.outcome.winner == "attacker"


@pytest.mark.rule("turn-recovery")
@pytest.mark.rule("shooting-effect")
@pytest.mark.parametrize(
    ("quality", "face", "well"),
    [
        ("veteran", 3, True),
        ("veteran", 2, False),
        ("average", 4, True),
        ("average", 3, False),
        ("raw", 5, True),
        ("raw", 4, False),
    ],
)
def test_immobilised_vehicles_recover_by_quality(quality: str, face: int, well: bool) -> None:
    camp = both().unit("a2", "vehicles", quality).add("a2", "sherman", "F7", immobile=True)
    match = camp.frames(Units("attacker")).match(face)
    events = do(match, Done())
    assert found(events, Recovered)[0].well is well
    assert piece(match, "a2-1").immobile is not well


def test_a_limbered_gun_needs_no_motivation() -> None:
    camp = Camp(rows()).add("a1", "truck", "D7").add("a1", "pak40", "D7", within="a1-1").add("d1", "rifle", "D1", 3)
    match = camp.frames(Units("attacker"), Activation("a1")).match(3, 4)
    do(match, Man("a1-2"))
    assert piece(match, "a1-2").ap == 7


@pytest.mark.rule("turn-new-officer")
@pytest.mark.parametrize(("ruling", "sought"), [("activated", []), ("every unit", ["a1", "a2"])])
def test_whether_units_that_are_passed_over_seek_an_officer_is_a_ruling(ruling: str, sought: list[str]) -> None:
    camp = Camp(officer_roll=ruling)
    for id in ("a1", "a2", "a3", "a4"):
        camp.unit(id, officer="alive" if id == "a3" else "dead", off=id == "a4")
        camp.add(id, "rifle", "" if id == "a4" else "D8", 2)
    match = camp.add("d1", "rifle", "D1", 3).frames(Units("attacker")).match(4, 1, *[1] * 9)
    events = do(match, Done())
    assert [event.unit for event in found(events, OfficerSought)] == sought
    assert bool(legal(match, Promote)) is (ruling == "every unit")


def test_points_left_of_nobody_are_none() -> None:
    camp = Camp().add("a1", "rifle", "D6").add("a1", "rifle", "D6", ap=3)
    assert points_left(camp.state, ("gone",)) == "0"
    assert points_left(camp.state, ("a1-1", "a1-2")) == "0 to 3"
    assert points_left(camp.state, ("a1-2",)) == "3"
