"""Limits on how often something may be done: token buckets, one for each caller."""

from __future__ import annotations

import time
from collections import OrderedDict

from sandtable.server.refusal import Refused


class Bucket:
    """Fills with time up to a burst; each use takes one."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = self._left = burst
        self._at = time.monotonic()

    def take(self) -> float:
        """Take one; 0 if there was one, else the seconds until there is."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left >= 1:
            self._left -= 1
            return 0
        return (1 - self._left) / self._rate


class Limit:
    """A bucket for each caller; callers that have long been quiet are forgotten."""

    def __init__(self, rate: float, burst: float, *, callers: int = 10_000) -> None:
        self._rate = rate
        self._burst = burst
        self._callers = callers
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def check(self, caller: str) -> None:
        """Refuse a caller who comes too often."""
        bucket = self._buckets.get(caller)
        if bucket is None:
            bucket = self._buckets[caller] = Bucket(self._rate, self._burst)
            if len(self._buckets) > self._callers:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(caller)
        wait = bucket.take()
        if wait:
            seconds = int(wait) + 1
            raise Refused("too_many", f"That was too often: try again in {seconds} s.", retry=seconds)
