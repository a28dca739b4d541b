"""Shares with intervals, and paired comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

Z95 = 1.959964


class Share(NamedTuple):
    """A share of n cases with its 95% interval."""

    value: float
    low: float
    high: float
    n: int

    def __str__(self) -> str:
        return f"{self.value:.1%} ({self.low:.1%} to {self.high:.1%}, n = {self.n})"


def share(points: float, n: int, z: float = Z95) -> Share:
    """Wilson's interval; points may be halves (draws)."""
    if n == 0:
        return Share(0.0, 0.0, 1.0, 0)
    p = points / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return Share(p, max(0.0, middle - reach), min(1.0, middle + reach), n)


class Difference(NamedTuple):
    """A mean difference with its 95% interval."""

    value: float
    low: float
    high: float
    n: int

    @property
    def clear(self) -> bool:
        """Whether the interval leaves zero out."""
        return self.low > 0 or self.high < 0


def paired_difference(first: Sequence[float], second: Sequence[float], z: float = Z95) -> Difference:
    """The mean of second minus first over pairs, with the normal interval."""
    gaps = [b - a for a, b in zip(first, second, strict=True)]
    n = len(gaps)
    if n == 0:
        return Difference(0.0, 0.0, 0.0, 0)
    mean = sum(gaps) / n
    if n == 1:
        return Difference(mean, float("-inf"), float("inf"), 1)
    variance = sum((gap - mean) ** 2 for gap in gaps) / (n - 1)
    # A spread of zero in a small sample is not certainty: allow for one pair that would have gone the other way.
    reach = z * sqrt(max(variance, 1 / n) / n)
    return Difference(mean, mean - reach, mean + reach, n)
