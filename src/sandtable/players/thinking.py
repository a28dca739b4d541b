"""Time control of players that look ahead: how a budget is written, and how it is spent over a match."""

from __future__ import annotations

import os
from collections.abc import Callable
from math import isfinite
from time import perf_counter
from typing import NamedTuple

from sandtable.engine.errors import SandtableError

VARIABLE = "SANDTABLE_THINK"
"""The environment variable with the budget of players that are given none."""
USUAL = "1"
MOST_SECONDS = 3_600.0
MOST_ROLLOUTS = 1_000_000
SAVED = 40
"""So many decisions' worth of time can be saved up by decisions that need none."""
AT_ONCE = 16
"""A decision that matters may take so many times the budget, if it has been saved ..."""
PATIENCE = 15.0
"""... but not so many seconds more than the budget: somebody may be waiting."""
KEPT = 0.5
"""How much of what it does not get a lesser decision must leave for the next great one."""
SLACK = 1.25
FORGETTING = 0.98


class BadBudget(SandtableError):
    """A budget that nobody can think with."""


class Budget(NamedTuple):
    """What a decision may cost on average: seconds, or rollouts (then all depends on the seed alone)."""

    amount: float
    rollouts: bool = False

    def __str__(self) -> str:
        return f"{self.amount:g}{'r' if self.rollouts else ''}"

    @property
    def at_once(self) -> float:
        """What one decision may cost."""
        most = self.amount * AT_ONCE
        return most if self.rollouts else min(most, self.amount + PATIENCE)


def read_budget(text: str) -> Budget:
    """`0.5` or `0.5s` are seconds, `200r` rollouts."""
    word = text.strip().lower()
    rollouts = word.endswith("r")
    try:
        amount = float(word.removesuffix("r") if rollouts else word.removesuffix("s"))
    except ValueError:
        amount = float("nan")
    whole = not rollouts or amount == int(amount) if isfinite(amount) else False
    if not whole or not 0 < amount <= (MOST_ROLLOUTS if rollouts else MOST_SECONDS):
        raise BadBudget(
            f"{text[:40]!r} is no budget for thinking: write seconds a decision, such as 0.5 (more than 0, at most "
            f"{MOST_SECONDS:g}), or rollouts, such as 200r (1 to {MOST_ROLLOUTS:,})."
        )
    return Budget(amount, rollouts)


def usual_budget() -> Budget:
    """The budget of this environment: SANDTABLE_THINK, or one second."""
    text = os.environ.get(VARIABLE) or USUAL
    try:
        return read_budget(text)
    except BadBudget as error:
        raise BadBudget(f"The environment variable {VARIABLE} is wrong: {error}") from None


def check_fits(budget: Budget, limit: float) -> None:
    """Refuse a budget with which a player would be taken for one that hangs (longer than `limit` for a decision)."""
    if not budget.rollouts and budget.at_once * SLACK > limit:
        raise BadBudget(
            f"With a budget of {budget.amount:g} s a decision that matters takes up to {budget.at_once:g} s, and one "
            f"that takes more than {limit:g} s has broken down: give it less."
        )


class Purse:
    """What a player may still spend: every decision adds the budget, decisions that matter spend it."""

    def __init__(self, budget: Budget, clock: Callable[[], float] = perf_counter) -> None:
        self.budget = budget
        self._clock = clock
        self._saved = 0.0
        self.allowed = 0.0
        """What the decision at hand may cost."""
        self._start = 0.0
        self._rollouts = 0
        self._prices: dict[int, float] = {}
        """What a rollout costs, by its horizon, as far as is known: the mean of the last decisions."""
        self._horizon = 0

    def earn(self) -> None:
        """A decision has come."""
        self._saved = min(self._saved + self.budget.amount, self.budget.amount * SAVED)

    def affords(self, horizon: int, share: float) -> float:
        """The rollouts to a horizon that the next decision can pay for, as far as is known."""
        price = 1.0 if self.budget.rollouts else self._prices.get(horizon, 0.0)
        return self._allowance(share) / price if price else float("inf")

    def _allowance(self, share: float) -> float:
        """What a decision gets that deserves a share of what the great ones get: for these something is kept back."""
        most = self.budget.at_once
        return max(0.0, min(most * share, self._saved - KEPT * most * (1 - share)))

    def doubt(self) -> None:
        """A decision was left alone since rollouts were dear: perhaps they have become cheaper since."""
        self._prices = {horizon: price * FORGETTING for horizon, price in self._prices.items()}

    def open(self, horizon: int, share: float) -> None:
        """Begin to spend on a decision that matters."""
        self._horizon = horizon
        self.allowed = self._allowance(share)
        self._start, self._rollouts = self._clock(), 0

    def count(self) -> None:
        """One rollout has been played."""
        self._rollouts += 1

    @property
    def spent(self) -> float:
        """The share of this decision's allowance that is gone; 1 or more: stop."""
        gone = self._rollouts if self.budget.rollouts else self._clock() - self._start
        return gone / self.allowed if self.allowed > 0 else 1.0

    def close(self) -> None:
        """Pay for the decision."""
        cost = self.spent * self.allowed
        self._saved = max(0.0, self._saved - cost)
        if self._rollouts and not self.budget.rollouts:
            price = cost / self._rollouts
            self._prices[self._horizon] = 0.7 * self._prices.get(self._horizon, price) + 0.3 * price
