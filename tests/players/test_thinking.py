"""Budgets: how they are written, what is refused, and how they are spent."""

from __future__ import annotations

import pytest

from sandtable.cli import main
from sandtable.engine.errors import SandtableError
from sandtable.players import UnknownPlayer, make_player, title, usual_level, with_budget
from sandtable.players.thinking import SAVED, BadBudget, Budget, Purse, check_fits, read_budget, usual_budget


@pytest.mark.parametrize(
    ("text", "budget"),
    [("1", Budget(1)), ("0.5s", Budget(0.5)), (" 2 S ", Budget(2)), ("200r", Budget(200, True)), ("1e-1", Budget(0.1))],
)
def test_budgets_are_seconds_or_rollouts(text: str, budget: Budget) -> None:
    assert read_budget(text) == budget
    assert read_budget(str(budget)) == budget


@pytest.mark.parametrize(
    "text", ["", "0", "-1", "nan", "inf", "-inf", "soon", "r", "0r", "2.5r", "nanr", "infr", "99999", "9999999r", "1 2"]
)
def test_impossible_budgets_get_one_sentence(text: str) -> None:
    with pytest.raises(BadBudget, match=r"is no budget for thinking: write seconds .* or rollouts"):
        read_budget(text)


def test_the_environment_has_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SANDTABLE_THINK", raising=False)
    assert usual_budget() == Budget(1)
    monkeypatch.setenv("SANDTABLE_THINK", "20r")
    assert with_budget("tiny", "veteran") == "veteran@20r"
    assert with_budget("tiny", "veteran", "3") == "veteran@3"
    assert with_budget("tiny", "veteran@0.25", "3") == "veteran@0.25"
    assert with_budget("tiny", "random", "3") == "random"
    monkeypatch.setenv("SANDTABLE_THINK", "lots")
    with pytest.raises(BadBudget, match="variable SANDTABLE_THINK is wrong: 'lots'"):
        make_player("tiny", "veteran")


def test_a_budget_must_leave_time_before_a_player_counts_as_broken() -> None:
    check_fits(Budget(10), 60)
    check_fits(Budget(10_000, True), 60)
    with pytest.raises(BadBudget, match=r"up to 55 s, .* more than 60 s has broken down"):
        check_fits(Budget(40), 60)


def test_levels_and_budgets_that_do_not_go_together() -> None:
    with pytest.raises(UnknownPlayer, match=r"Only a veteran takes a budget .* write random"):
        make_player("tiny", "random@3")
    with pytest.raises(SandtableError, match="'' is no budget"):
        make_player("tiny", "veteran@")
    assert title("tiny", "veteran@2")[0] == "Veteran (2 s)"
    assert usual_level("tiny") == "random"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--players", "veteran,random", "--think", "-3"], "'-3' is no budget"),
        (["--players", "veteran@nan,random"], "'nan' is no budget"),
        (["--players", "veteran,random", "--think", "100"], "more than 120 s has broken down"),
        (["--players", "wizard,random"], "There is no computer player 'wizard' for tiny; there are random, veteran"),
    ],
)
def test_sim_refuses_them_in_a_sentence(
    words: list[str],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: object,
) -> None:
    monkeypatch.chdir(str(tmp_path))
    assert main(["sim", "tiny/post", *words]) == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert told.count("\n") == 1


def test_time_that_is_not_needed_is_saved_for_decisions_that_matter() -> None:
    now = 0.0
    purse = Purse(Budget(1), clock=lambda: now)
    for _ in range(3):
        purse.earn()
    purse.open(1, share=1)
    now += 1.5
    assert purse.spent == 0.5
    now += 1.5
    assert purse.spent == 1
    purse.close()
    purse.open(1, share=1)
    assert purse.spent == 1, "everything is spent"
    for _ in range(SAVED * 2):
        purse.earn()
    purse.open(1, share=1)
    now += purse.budget.at_once
    assert purse.spent == 1, "but not all at once"


def test_lesser_decisions_leave_something_for_great_ones() -> None:
    purse = Purse(Budget(1, rollouts=True), clock=lambda: 0.0)
    for _ in range(4):
        purse.earn()
    assert purse.affords(1, share=0.2) == 0, "it waits for a decision that matters more"
    assert purse.affords(1, share=1) == 4
    for _ in range(SAVED):
        purse.earn()
    assert purse.affords(1, share=0.2) == pytest.approx(0.2 * purse.budget.at_once)


def test_rollouts_are_counted_without_a_clock() -> None:
    purse = Purse(Budget(2, rollouts=True), clock=lambda: 0.0)
    purse.earn()
    purse.open(1, share=1)
    purse.count()
    assert purse.spent == 0.5


def test_the_price_of_a_rollout_is_learned() -> None:
    now = 0.0
    purse = Purse(Budget(1), clock=lambda: now)
    purse.earn()
    assert purse.affords(2, share=1) == float("inf"), "nothing is known of it yet"
    purse.open(2, share=1)
    purse.count()
    purse.count()
    now += 0.5
    purse.close()
    assert purse.affords(2, share=1) == 2
    assert purse.affords(1, share=1) == float("inf")
    purse.doubt()
    assert purse.affords(2, share=1) > 2
