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
AT_ONCE = 4
"""A decision that matters may take so many times the budget, if it has been saved."""


class BadBudget(SandtableError):
    """A budget that nobody can think with."""


class Budget(NamedTuple):
    """What a decision may cost on average: seconds, or rollouts (then all depends on the seed alone)."""

    amount: float
    rollouts: bool = False

    def __str__(self) -> str:
        return f"{self.amount:g}{'r' if self.rollouts else ''}"


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
    most = limit / (AT_ONCE + 1)
    if not budget.rollouts and budget.amount > most:
        raise BadBudget(
            f"A decision that matters takes up to {AT_ONCE} times the budget, and a player that needs more than "
            f"{limit:g} s has broken down: give it at most {most:g} s a decision."
        )


class Purse:
    """What a player may still spend: every decision adds the budget, decisions that matter spend it."""

    def __init__(self, budget: Budget, clock: Callable[[], float] = perf_counter) -> None:
        self.budget = budget
        self._clock = clock
        self._saved = 0.0
        self._allowed = 0.0
        self._start = 0.0
        self._rollouts = 0
        self._price = 1.0 if budget.rollouts else 0.0
        """What a rollout costs, as far as is known: the mean of the last decisions."""

    def earn(self) -> None:
        """A decision has come."""
        self._saved = min(self._saved + self.budget.amount, self.budget.amount * SAVED)

    @property
    def affords(self) -> float:
        """The rollouts that the next decision can pay for."""
        return min(self._saved, self.budget.amount * AT_ONCE) / self._price if self._price else float("inf")

    def open(self) -> None:
        """Begin to spend on a decision that matters."""
        self._allowed = min(self._saved, self.budget.amount * AT_ONCE)
        self._start, self._rollouts = self._clock(), 0

    def count(self) -> None:
        """One rollout has been played."""
        self._rollouts += 1

    @property
    def spent(self) -> float:
        """The share of this decision's allowance that is gone; 1 or more: stop."""
        gone = self._rollouts if self.budget.rollouts else self._clock() - self._start
        return gone / self._allowed if self._allowed > 0 else 1.0

    def close(self) -> None:
        """Pay for the decision."""
        cost = self.spent * self._allowed
        self._saved = max(0.0, self._saved - cost)
        if self._rollouts and not self.budget.rollouts:
            price = cost / self._rollouts
            self._price = 0.7 * self._price + 0.3 * price if self._price else price
