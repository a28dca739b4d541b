"""Figures of a report: losses by turn, leads, luck; and the page itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.sim.batch import run
from sandtable.sim.figures import ahead_wins, by_luck, leads, losses_by_turn, luck_words, spread, turning_point
from sandtable.sim.playing import Plan, Result
from sandtable.sim.report import make_page
from sandtable.sim.results import BadResults, Results

SIDES = ("red", "blue")


def game(number: int, winner: str, *losses: tuple[str, int], luck: float = 0.0, turns: int = 3) -> Result:
    """A game with pieces lost, each with its turn."""
    return Result(
        number=number,
        seed=number,
        winner=winner,
        reason="",
        turns=turns,
        luck={"red": luck, "blue": 0.0},
        losses=tuple((side, "A1", f"Turn {turn}") for side, turn in losses),
        strength=tuple((f"Turn {n}", {"red": 4, "blue": 4}) for n in range(1, turns + 1)),
    )


RED = [game(n, "red", ("blue", 2), ("blue", 2), ("red", 1), luck=-0.2) for n in range(6)]
BLUE = [game(n, "blue", ("red", 1), ("red", 2), luck=0.1, turns=2) for n in range(6, 12)]


def test_losses_are_counted_over_the_games_that_came_so_far() -> None:
    assert losses_by_turn(RED + BLUE, SIDES) == [
        {"red": 1.0, "blue": 0.0},
        {"red": 0.5, "blue": 1.0},
        {"red": 0.0, "blue": 0.0},
    ]


def test_games_won_and_lost_part_where_the_exchange_of_losses_does() -> None:
    found = leads(RED + BLUE, SIDES)
    assert [lead.value for lead in found if lead.winner == "red"] == [-1, 1, 1]
    assert [lead.value for lead in found if lead.winner == "blue"] == [-1, -2, -2]
    assert "part most in turn 2: by 3.0 pieces" in turning_point(found, RED + BLUE, SIDES)
    assert "too few" in turning_point(leads(RED, SIDES), RED, SIDES)


def test_the_side_ahead() -> None:
    found = dict(ahead_wins(RED + BLUE, SIDES))
    assert found["Turn 1"].value == 0.5
    assert found["Turn 2"].value == 1.0
    assert found["Turn 3"].n == 6, "only games that came so far"


@pytest.mark.parametrize(("good", "shares", "words"), [("low", [0, 0, 1, 1], "100.0%"), ("high", [1, 1, 0, 0], "0.0%")])
def test_luck_depends_on_which_rolls_are_good(good: str, shares: list[float], words: str) -> None:
    games = RED + BLUE
    assert [part.value for part in by_luck(games, SIDES, good)] == shares
    assert f"won {words}" in luck_words(games, SIDES, good)


def test_the_spread_leaves_a_tenth_out_at_each_end() -> None:
    assert spread([float(n) for n in range(11)]) == (1.0, 9.0)


def test_the_page_follows_light_and_dark_and_refers_to_nothing_outside(tmp_path: Path) -> None:
    results = Results.create(tmp_path / "a", Plan("tiny/post", {"red": "random", "blue": "random"}))
    with pytest.raises(BadResults, match="no finished game"):
        make_page([results])
    run(results, 8)
    page = make_page([results, results])
    assert "http" not in page
    assert "url(" not in page
    assert "prefers-color-scheme: dark" in page
    assert page.count("currentColor") > 20
    assert page.count("<h2>") == 2
