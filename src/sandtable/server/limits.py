"""Limits on how often something may be done: token buckets, one for each caller, held over all processes together."""

from __future__ import annotations

import hashlib
import hmac
import time
from collections import Counter, OrderedDict
from ipaddress import ip_address, ip_network

from sandtable.server.refusal import Refused
from sandtable.server.store import NotSaved, Store
from sandtable.server.store.base import now
from sandtable.server.store.postgres import PostgresStore
from sandtable.server.tokens import Signer

CALLERS = 10_000
"""Callers that are remembered; those that have long been quiet are forgotten."""

TAKE = (
    "INSERT INTO limits AS l (key, free_at) VALUES (?, ?) ON CONFLICT (key) DO UPDATE "
    "SET free_at = greatest(l.free_at, ?) + ? WHERE greatest(l.free_at, ?) + ? <= ? RETURNING 1"
)
ADD = (
    "INSERT INTO limits AS l (key, free_at, count) VALUES (?, ?, 1) ON CONFLICT (key) DO UPDATE "
    "SET count = l.count + 1, free_at = excluded.free_at RETURNING count"
)


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


class Memory:
    """Who came how often, as far as this process knows."""

    def __init__(self) -> None:
        self._buckets: dict[str, OrderedDict[str, Bucket]] = {}
        """By limit: however many come to one of them, nobody is forgotten at another."""
        self._counts: Counter[str] = Counter()

    async def take(self, key: str, rate: float, burst: float) -> float:
        """Take one of a key's bucket; 0, or the seconds until there is one."""
        buckets = self._buckets.setdefault(key.partition(" ")[0], OrderedDict())
        bucket = buckets.get(key)
        if bucket is None:
            bucket = buckets[key] = Bucket(rate, burst)
            if len(buckets) > CALLERS:
                buckets.popitem(last=False)
        buckets.move_to_end(key)
        return bucket.take()

    async def add(self, key: str) -> None:
        """Count one more of something."""
        self._counts[key] += 1
        if len(self._counts) > CALLERS:
            del self._counts[next(iter(self._counts))]

    async def count(self, key: str) -> int:
        """How many there were."""
        return self._counts.get(key, 0)

    async def forget(self, key: str) -> None:
        """Begin again from nothing."""
        self._counts.pop(key, None)


class SharedMemory(Memory):
    """The same for all processes of a house; keys are kept as marks, not as the addresses in them.

    While the database is away each process goes by what it knows itself.
    """

    def __init__(self, store: PostgresStore, secret: bytes) -> None:
        super().__init__()
        self._store = store
        self._secret = secret

    def _mark(self, key: str) -> str:
        return hmac.digest(self._secret, key.encode(), hashlib.sha256)[:16].hex()

    async def take(self, key: str, rate: float, burst: float) -> float:
        wait = await super().take(key, rate, burst)
        if wait:
            return wait
        mark, at, cost = self._mark(key), float(now()), 1000 / rate
        try:
            if await self._store.ask(TAKE, mark, at + cost, at, cost, at, cost, at + burst * cost + 0.01):
                return 0
            rows = await self._store.read("SELECT free_at FROM limits WHERE key = ?", mark)
        except NotSaved:
            return 0
        full = rows[0][0] if rows else at
        return max(0.001, (full + cost - at - burst * cost) / 1000)

    async def add(self, key: str) -> None:
        await super().add(key)
        try:
            await self._store.ask(ADD, self._mark(key), float(now()))
        except NotSaved:
            return

    async def count(self, key: str) -> int:
        try:
            rows = await self._store.read("SELECT count FROM limits WHERE key = ?", self._mark(key))
        except NotSaved:
            return await super().count(key)
        return rows[0][0] if rows else 0

    async def forget(self, key: str) -> None:
        await super().forget(key)
        try:
            await self._store.ask("DELETE FROM limits WHERE key = ? RETURNING 1", self._mark(key))
        except NotSaved:
            return


def memory_of(store: Store, signer: Signer) -> Memory:
    """Where callers are counted: with the house's database for all processes."""
    return SharedMemory(store, signer.key) if isinstance(store, PostgresStore) else Memory()


class Limit:
    """So much for each caller."""

    def __init__(self, memory: Memory, name: str, rate: float, burst: float) -> None:
        self._memory = memory
        self._name = name
        self._rate = rate
        self._burst = burst

    async def check(self, caller: str) -> None:
        """Refuse a caller who comes too often."""
        wait = await self._memory.take(f"{self._name} {caller}", self._rate, self._burst)
        if wait:
            seconds = int(wait) + 1
            raise Refused("too_many", f"That was too often: try again in {seconds} s.", retry=seconds)


def network_of(address: str) -> str:
    """Whom an address counts for: of IPv6 its network of 64 bits, for who has one address has all of those."""
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if known.version == 4:
        return address
    return str(known.ipv4_mapped or ip_network((known, 64), strict=False))
