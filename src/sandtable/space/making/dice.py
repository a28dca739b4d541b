"""Chance for the making of boards: whole numbers only, the same on every machine."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


class Dice:
    """A stream of numbers that depends on its key alone."""

    def __init__(self, *key: object) -> None:
        self._key = "|".join(map(str, key)).encode()
        self._count = 0
        self._pool = b""

    def below(self, limit: int) -> int:
        """A number from 0 to one less than the limit, each equally likely."""
        if limit <= 1:
            return 0
        top = (1 << 32) // limit * limit
        while True:
            number = int.from_bytes(self._four(), "big")
            if number < top:
                return number % limit

    def _four(self) -> bytes:
        if not self._pool:
            stream = hashlib.blake2b(self._key, salt=self._count.to_bytes(16, "big"))
            self._pool = stream.digest()
            self._count += 1
        taken, self._pool = self._pool[:4], self._pool[4:]
        return taken

    def between(self, low: int, high: int) -> int:
        """A number from low to high, both included."""
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        """True so many times in a hundred."""
        return self.below(100) < percent

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items."""
        return items[self.below(len(items))]

    def weighted(self, choices: Sequence[tuple[Item, int]]) -> Item:
        """One of the items, each as likely as its weight says."""
        left = self.below(sum(weight for _, weight in choices))
        for item, weight in choices:
            left -= weight
            if left < 0:
                return item
        return choices[-1][0]

    def shuffled(self, items: Iterable[Item]) -> list[Item]:
        """The items in any order."""
        found = list(items)
        for last in range(len(found) - 1, 0, -1):
            other = self.below(last + 1)
            found[last], found[other] = found[other], found[last]
        return found
