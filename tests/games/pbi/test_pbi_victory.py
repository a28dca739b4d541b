"""Victory: who holds objectives, and sides that have nobody left."""

from __future__ import annotations

import pytest
from pbi_support import Camp, do, found, legal

from sandtable.engine import Play, ScriptedDice
from sandtable.games.pbi.actions import Aim, Arrive, Assault, Done, Hold, Shoot, Take
from sandtable.games.pbi.events import AssaultEnded, CountedDown, FellBack, ObjectiveTaken
from sandtable.games.pbi.model import Arrival, Units
from sandtable.games.pbi.morale import rout
from sandtable.games.pbi.victory import victory_points

rule = pytest.mark.rule


def last_stand(**rulings: str) -> Camp:
    """One defending squad in front of the attackers' guns, and points enough for the attacker to win on them."""
    camp = Camp(**rulings).add("d1", "rifle", "D5").add("a1", "rifle", "D6").add("d0", "commander", "A1", officer=True)
    camp.state.points = {"attacker": 5, "defender": 0}
    return camp


@rule("turn-countdown")
def test_a_side_whose_last_unit_is_shot_has_lost_at_once() -> None:
    match = last_stand().acting("a1-1").match(6, 1)
    do(match, Shoot("D5"))
    do(match, *[Hold()] * len(match.to_act))
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.reason) == ("attacker", "The defender has no unit left")


@rule("turn-countdown")
@pytest.mark.parametrize("when", ["at once", "end of turn"])
def test_an_annihilated_attacker_does_not_win_by_the_countdown(when: str) -> None:
    camp = last_stand(annihilation=when, return_shooting="none")
    camp.state.countdown = 1
    match = camp.acting("d1-1", ap=1).match(6, 1)
    events = do(match, Shoot("D6"))
    if when == "end of turn":
        assert match.outcome is None
        while match.to_act:
            events += do(match, Done())
    assert match.outcome is not None
    assert match.outcome.winner == "defender"
    assert not found(events, CountedDown)


@rule("turn-countdown")
def test_units_that_wait_off_the_table_are_units() -> None:
    camp = last_stand(return_shooting="none").unit("d2", off=True)
    camp.add("d2", "rifle", "")
    match = camp.acting("a1-1", ap=1).match(6, 1)
    do(match, Shoot("D5"))
    assert match.outcome is None


@rule("turn-countdown")
@rule("assault-results")
@pytest.mark.parametrize(("tie", "winner"), [("defender", "defender"), ("draw", "")])
def test_both_sides_wiped_out_in_one_assault(tie: str, winner: str) -> None:
    camp = last_stand(tie=tie, assault_reaction="no")
    match = camp.acting("a1-1").match(6, *[1] * 4, 6, 1, 1)
    events = do(match, Assault("D5"))
    assert found(events, AssaultEnded)
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.reason) == (winner, "Neither side has a unit left")


@rule("turn-arrivals")
@pytest.mark.parametrize(("kinds", "taken"), [(("rifle",), True), (("sherman",), False), (("sherman", "rifle"), True)])
def test_foot_that_arrive_on_an_objective_take_it(kinds: tuple[str, ...], taken: bool) -> None:
    camp = Camp().add("a1", "rifle", "D7", 3).add("d1", "rifle", "D1", 3).unit("a2", off=True)
    for kind in kinds:
        camp.add("a2", kind, "")
    camp.state.objectives, camp.state.control = {"C8": 2}, {"C8": "defender"}
    match = camp.frames(Units("attacker"), Arrival("a2"), step=9).match(3)
    events = do(match, Arrive("C8"))
    assert bool(found(events, ObjectiveTaken)) is taken
    assert victory_points(match.state, "attacker") == (2 if taken else 0)


@rule("turn-arrivals")
def test_men_who_arrive_in_a_transport_have_to_get_out_first() -> None:
    camp = Camp().add("a1", "rifle", "D7", 3).add("d1", "rifle", "D1", 3).unit("a2", off=True)
    camp.add("a2", "sdkfz251", "").add("a2", "rifle", "", within="a2-1")
    camp.state.objectives, camp.state.control = {"C8": 2}, {"C8": "defender"}
    match = camp.frames(Units("attacker"), Arrival("a2"), step=9).match(3)
    assert not found(do(match, Arrive("C8")), ObjectiveTaken)


@rule("assault-assaulter-wins")
@pytest.mark.parametrize("ruling", ["foot there", "foot that go there"])
def test_foot_that_fall_back_onto_an_objective_take_it(ruling: str) -> None:
    camp = Camp(assault_reaction="no", objective_taken=ruling).add("a1", "rifle", "D6", 2).add("d1", "rifle", "D5", 3)
    camp.state.objectives, camp.state.control = {"D3": 3}, {"D3": "attacker"}
    match = camp.acting("a1-1", "a1-2").match(6, *[1] * 9, *[1] * 9, 1, 1)
    events = do(match, Assault("D5"))
    while legal(match, Take):
        events += do(match, legal(match, Take)[0])
    assert found(events, FellBack)[0].at == "D3"
    assert victory_points(match.state, "defender") == (3 if ruling == "foot there" else 0)


@rule("transports-destroyed")
def test_men_who_get_out_of_a_destroyed_transport_take_its_square() -> None:
    camp = Camp().add("a1", "t34", "D6").add("d1", "truck", "D5").add("d1", "rifle", "D5", within="d1-1")
    camp.add("d2", "rifle", "A1", 3)
    camp.state.objectives, camp.state.control = {"D5": 3}, {"D5": "attacker"}
    match = camp.driving("a1-1").match(6, 6, *[6] * 9, 6)
    do(match, Aim("a1-1", "d1-1"))
    if legal(match, Hold):
        do(match, Hold())
    assert "d1-1" not in match.state.pieces
    assert match.state.pieces["d1-2"].within == ""
    assert victory_points(match.state, "defender") == 3


@rule("morale-roll")
def test_foot_that_rout_onto_an_objective_take_it() -> None:
    camp = Camp(rout="falls back").unit("d1", casualties=4, officer="dead").add("d1", "rifle", "D4", 3)
    camp.add("a1", "rifle", "D8", 3)
    camp.state.objectives, camp.state.control = {"D1": 3}, {"D1": "attacker"}
    rout(Play(camp.state, ScriptedDice()), camp.state.units["d1"])
    assert camp.state.pieces["d1-1"].at == "D1"
    assert victory_points(camp.state, "defender") == 3
