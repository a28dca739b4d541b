"""The page about simulations: what it says where no two games are alike."""

from __future__ import annotations

from sandtable.sim import report
from sandtable.sim.loss_map import loss_maps
from sandtable.sim.playing import Plan, Result


def over(number: int, ours: float, theirs: float) -> Result:
    winner = "friendly" if ours > theirs else "enemy"
    reason = f"Mission over after turn {number}: {ours:g} VP to {theirs:g}"
    return Result(
        number=number, seed=number, winner=winner, reason=reason, rule="S12.6", losses=(("enemy", "f1K5", "1"),)
    )


def test_reasons_that_differ_in_their_figures_are_counted_together() -> None:
    games = [over(number, 10, number / 2) for number in range(1, 16)]
    page = report._reasons(games)
    assert "Mission over after turn 8: 10 VP to 4, on average (S12.6)" in page
    assert page.count("<tr>") == 2


def test_a_few_reasons_stay_as_they_are() -> None:
    page = report._reasons([over(3, 4, 9), over(4, 9, 4)])
    assert "Mission over after turn 3: 4 VP to 9 (S12.6)" in page
    assert "on average" not in page


def test_no_losses_are_drawn_on_a_map_that_no_game_was_played_on() -> None:
    plan = Plan(scenario="sasl/1", players={"friendly": "regular", "enemy": "rules"})
    assert loss_maps(plan, [over(3, 4, 9)], "board") == []
