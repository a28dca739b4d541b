"""Fine points of the sheet and of its rulings: boundaries and switches that no other story tells."""

from __future__ import annotations

import pytest
from pbi_support import Camp, legal

from sandtable.games.pbi.actions import Aim
from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.guns import he_hits


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
