"""Exact chances: sums of dice, and how many of several units pass a check."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from typing import TypeVar

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)

Chances = dict[T, Fraction]
"""Outcomes with their probabilities, which add up to one."""


@functools.cache
def _sums(n: int, sides: int) -> tuple[tuple[int, int], ...]:
    ways = {0: 1}
    for _ in range(n):
        following: dict[int, int] = {}
        for total, count in ways.items():
            for face in range(1, sides + 1):
                following[total + face] = following.get(total + face, 0) + count
        ways = following
    return tuple(sorted(ways.items()))


PAIRS = tuple([(first, second) for first in range(1, 7) for second in range(1, 7)])
"""The 36 rolls of two dice that are told apart."""
TWO_DICE = tuple([(total, count / 36) for total, count in _sums(2, 6)])
"""The sums of two dice with their chances, as plain numbers for estimates that must be quick."""


def sum_of_dice(n: int, sides: int = 6) -> Chances[int]:
    """The chances of each sum of n dice."""
    return {total: Fraction(count, sides**n) for total, count in _sums(n, sides)}


def at_most(target: float, n: int = 2, sides: int = 6) -> Fraction:
    """The chance that n dice come to the target or less."""
    return Fraction(sum(count for total, count in _sums(n, sides) if total <= target), sides**n)


def at_least(target: float, n: int = 1, sides: int = 6) -> Fraction:
    """The chance that n dice come to the target or more."""
    return Fraction(sum(count for total, count in _sums(n, sides) if total >= target), sides**n)


def map_chances(chances: Mapping[T, Fraction], to: Callable[[T], U]) -> Chances[U]:
    """Rename outcomes; those that fall together are added."""
    result: Chances[U] = {}
    for outcome, p in chances.items():
        new = to(outcome)
        result[new] = result.get(new, Fraction(0)) + p
    return result


def then(chances: Mapping[T, Fraction], following: Callable[[T], Mapping[U, Fraction]]) -> Chances[U]:
    """The chances after a second step that depends on the first."""
    result: Chances[U] = {}
    for outcome, p in chances.items():
        for new, q in following(outcome).items():
            result[new] = result.get(new, Fraction(0)) + p * q
    return result


def count_passing(chances: Iterable[Fraction]) -> list[Fraction]:
    """How many of several independent checks pass: entry k is the chance of exactly k."""
    counts = [Fraction(1)]
    for p in chances:
        following = [Fraction(0)] * (len(counts) + 1)
        for k, q in enumerate(counts):
            following[k] += q * (1 - p)
            following[k + 1] += q * p
        counts = following
    return counts


def check_each(units: Mapping[T, Mapping[U, Fraction]]) -> Chances[tuple[U, ...]]:
    """The joint chances of independent results, one for each unit, in the units' order."""
    result: Chances[tuple[U, ...]] = {(): Fraction(1)}
    for chances in units.values():
        result = {(*done, new): p * q for done, p in result.items() for new, q in chances.items()}
    return result
