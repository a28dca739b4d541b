"""Fine points of the sheet and of its rulings: boundaries and switches that no other story tells."""

from __future__ import annotations

import pytest
from pbi_support import Camp, legal, preview

from sandtable.games.pbi.actions import Aim
from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.guns import he_hits
from sandtable.games.pbi.morale import _way_back
from sandtable.games.pbi.ways import reach


@pytest.mark.rule("he-at-foot")
@pytest.mark.parametrize(("score", "hits"), [(8, 1), (9, 2), (10, 2), (11, 3), (13, 3)])
def test_by_a_ruling_the_score_gives_the_number_of_hits(score: int, hits: int) -> None:
    camp = Camp(he_hits="by score")
    assert he_hits(camp.state, KINDS["pak38"], score) == hits


@pytest.mark.rule("he-at-foot")
def test_without_it_the_gun_does() -> None:
    camp = Camp()
    for kind in ("pak38", "pak40"):
        assert {he_hits(camp.state, KINDS[kind], score) for score in (8, 12)} == {KINDS[kind].he}


@pytest.mark.rule("odds-arc")
def test_by_a_ruling_a_towed_gun_shoots_all_round() -> None:
    camp = Camp(gun_arc="all round").add("a1", "pak40", "D7", deployed=True)
    squares = {"D6", "C6", "D8", "B5"}
    for square in squares:
        camp.add(f"d{square}", "sherman", square)
    match = camp.driving("a1-1").match()
    assert {match.state.pieces[action.target].at for action in legal(match, Aim)} == squares


@pytest.mark.rule("morale-roll")
@pytest.mark.parametrize(
    ("kind", "square", "number", "end"),
    [
        ("rifle", "", 0, "D7"),
        ("rifle", "D7", 5, "D7"),
        ("rifle", "D7", 6, "D6"),
        ("sherman", "D6", 2, "D7"),
        ("rifle", "D5", 8, "D4"),
        ("enemy", "D7", 1, "D6"),
        ("enemy", "D5", 1, "D4"),
    ],
)
def test_who_routs_goes_back_three_squares_as_far_as_there_is_room(
    kind: str, square: str, number: int, end: str
) -> None:
    """Eight bases of foot fit into a square; the enemy bars it."""
    camp = Camp().add("a1", "rifle", "D4", 3)
    if square:
        camp.add("d1" if kind == "enemy" else "a2", "rifle" if kind == "enemy" else kind, square, number)
    assert _way_back(camp.state, "D4", "attacker", list(camp.state.pieces.values())[:3]) == end


@pytest.mark.rule("shooting-effect")
def test_the_odds_of_a_shot_at_a_vehicle_that_is_immobilised_already() -> None:
    """What would immobilise it destroys it then."""

    def odds_of(**more: bool) -> dict[str, float]:
        camp = Camp().add("a1", "sherman", "D6").add("d1", "sherman", "D4", **more)
        return preview(camp.driving("a1-1").match(), Aim("a1-1", "d1-1"))

    fresh, again = odds_of(), odds_of(immobile=True)
    assert fresh["immobilised"] > 0
    assert again.get("immobilised", 0) == 0
    assert again["destroyed"] == pytest.approx(fresh["immobilised"] + fresh["destroyed"])


@pytest.mark.rule("foot-ap-cost-move")
def test_the_squares_in_reach_are_shown_to_those_who_act_and_to_no_others() -> None:
    camp = Camp().add("a1", "rifle", "D6", 2).add("a2", "rifle", "A8").add("d1", "rifle", "H1")
    state = camp.acting("a1-1", "a1-2", ap=2).state
    all_of_them = reach(state, "attacker", ("a1-1", "a1-2"))
    assert all_of_them
    assert reach(state, "attacker", ("a1-1",)) == reach(state, "attacker", ()) == all_of_them
    assert reach(state, "defender", ("a1-1",)) == reach(state, "attacker", ("a1-1", "a2-1")) == {}
