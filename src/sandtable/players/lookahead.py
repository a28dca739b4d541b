"""The veteran of every game: looks ahead by sampled hidden information and rollouts, under a budget."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import closing
from math import ceil, log2, sqrt
from typing import ClassVar, NamedTuple

from sandtable.engine import Action, Seat
from sandtable.players.hands import Hands, Value
from sandtable.players.imagining import Imagination, Knowledge, Thinker, fork
from sandtable.players.thinking import Budget, Purse

LIMIT = 6
"""Choices that are looked at in one decision."""
WORLDS = 200
"""Enough is known after so many worlds."""
FEW = 3
"""Worlds before anything is believed."""
SERIOUS = 4
"""Rollouts for each choice without which a decision is not looked into: the budget is saved for the next one."""
HOPELESS = 1.6
"""Standard errors below the first choice at which another one is given up."""
LEAST = 0.012
"""What another choice must gain at least: the judgement of positions is no finer than that."""
CLEAR = 1.0
"""Standard errors above the first choice that another one must reach."""
SPREAD = 0.02
"""How far two choices are usually apart in one world: steadies small samples."""
WORTHWHILE = 0.3
"""Seconds of thinking for which helping hands are called."""


class Verdict(NamedTuple):
    """What a comparison came to."""

    best: int
    gain: float
    """What the best is better than the first, in the worth of positions (0 to 1)."""
    worlds: int


class Choice(NamedTuple):
    """An action and the player who goes on after it."""

    action: Action
    mind: Thinker


def compare(
    count: int,
    value: Value,
    spent: Callable[[], float],
    prepare: Callable[[Sequence[int], int], None] = lambda choices, world: None,
) -> Verdict:
    """Which of so many choices is best; the first one stands unless another is clearly better.

    All are tried in the same worlds; half of the others is given up in each round of the budget (sequential halving).
    `prepare` is told before which values will be asked for.
    """
    alive = list(range(1, count))
    gaps: dict[int, list[float]] = {choice: [] for choice in alive}
    rounds = max(1, ceil(log2(count)))
    done, world = 0, 0
    while alive and world < WORLDS and spent() < 1:
        prepare([0, *alive], world)
        first = value(0, world)
        tried: dict[int, float] = {}
        for choice in alive:
            other = None if first is None or spent() >= 1 else value(choice, world)
            if other is None:
                break
            tried[choice] = other
        if first is None or len(tried) < len(alive):
            break
        for choice in alive:
            gaps[choice].append(tried[choice] - first)
        world += 1
        if world >= FEW:
            alive = [choice for choice in alive if any(gaps[choice]) and _lead(gaps[choice], -HOPELESS) > 0]
            while done + 1 < rounds and spent() >= (done + 1) / rounds:
                done += 1
                alive = sorted(alive, key=lambda choice: -sum(gaps[choice]))[: max(1, len(alive) // 2)]
    ranked = [(_lead(gaps[choice], CLEAR), choice) for choice in alive if len(gaps[choice]) >= FEW]
    lead, best = max(ranked, default=(0.0, 0))
    gain = sum(gaps[best]) / len(gaps[best]) if best else 0.0
    return Verdict(best, gain, world) if lead > 0 and gain >= LEAST else Verdict(0, 0.0, world)


def _lead(gaps: Sequence[float], errors: float) -> float:
    """The mean of the gaps, less so many standard errors."""
    n = len(gaps)
    mean = sum(gaps) / n
    spread = sum((gap - mean) ** 2 for gap in gaps) + SPREAD * SPREAD
    return mean - errors * sqrt(spread / n / n)


class Veteran:
    """Looks ahead: tries its choices in imagined games; the longer it may think, the better."""

    thinks: ClassVar[bool] = True

    def __init__(self, know: Knowledge, budget: Budget, hands: int = 1) -> None:
        self.explanation = ""
        self._know = know
        self._base = know.base()
        self._purse = Purse(budget)
        self._hands = 1 if budget.rollouts else hands
        """Processes to think with; what shall depend on the seed alone is thought through in one."""

    def choose(self, seat: Seat, source: random.Random) -> Action:
        """The choice of the simpler player, unless another one does clearly better in imagined games."""
        self._purse.earn()
        memory = fork(self._base)
        own = self._base.choose(seat, source)
        self.explanation = self._base.explanation
        seed = source.getrandbits(48)
        if len(seat.actions()) == 1:
            return own
        choices = choices_of(self._know, seat, self._base, memory, own, seed)
        if len(choices) < 2:
            return own
        share = (len(choices) - 1) / (LIMIT - 1)
        horizon, limit = self._reach(len(choices), share)
        if limit < 2:
            self._purse.doubt()
            return own
        self._purse.open(horizon, share)
        verdict = self._look_ahead(seat, choices[:limit], seed, horizon)
        self._purse.close()
        chosen, self._base = choices[verdict.best]
        if chosen != own:
            gain = f"{verdict.gain:+.0%} against the plain choice"
            self.explanation = f"{seat.describe(chosen).text}: {gain}, looking ahead in {verdict.worlds} worlds"
        return chosen

    def _reach(self, count: int, share: float) -> tuple[int, int]:
        """How far to look, and how many choices to look at: nearer where the budget does not reach farther."""
        found = (1, 0)
        for horizon in range(self._know.horizon, 0, -1):
            found = (horizon, int(min(count, self._purse.affords(horizon, share) / SERIOUS)))
            if found[1] >= 2:
                break
        return found

    def _look_ahead(self, seat: Seat, choices: Sequence[Choice], seed: int, horizon: int) -> Verdict:
        purse = self._purse
        dream = Imagination(seat, self._know._replace(horizon=horizon), seed, lambda: purse.spent < 1)

        def value(number: int, world: int) -> float | None:
            return dream.value(*choices[number], world)

        def counted(of: Value) -> Value:
            def one(number: int, world: int) -> float | None:
                purse.count()
                return of(number, world)

            return one

        if self._hands == 1 or purse.allowed < WORTHWHILE:
            return compare(len(choices), counted(value), lambda: purse.spent)
        with closing(Hands(self._hands, value)) as hands:
            return compare(len(choices), counted(hands.value), lambda: purse.spent, hands.prepare)


def choices_of(know: Knowledge, seat: Seat, player: Thinker, memory: Thinker, own: Action, seed: int) -> list[Choice]:
    """What to look at in a decision: the own choice of the simpler player, and others beside it.

    `memory` is the player as it was before it chose.
    """
    first = Choice(own, player)
    if know.variants is not None:
        return [first, *(Choice(*pair) for pair in know.variants(player, seat, own))][:LIMIT]
    if know.candidates is not None:
        found = list(know.candidates(fork(memory), seat, LIMIT))
        if len(found) < 2:  # nothing in this decision matters
            return [first]
    else:
        found = list(seat.actions())
        random.Random(seed).shuffle(found)
    legal = seat.actions()
    others = [action for action in dict.fromkeys(found) if action != own and action in legal]
    return [first, *(Choice(action, told(fork(memory), seat, action)) for action in others[: LIMIT - 1])]


def told(player: Thinker, seat: Seat, action: Action) -> Thinker:
    """A player that has been told to do something else than it would have chosen (its method `took`, if it has one)."""
    listen = getattr(player, "took", None)
    if listen is not None:
        listen(seat, action)
    return player
