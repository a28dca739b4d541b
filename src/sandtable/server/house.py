"""A house with many tables: what the processes of one PostgreSQL tell each other, and the time they go by.

A server on SQLite is a house of one process; everything here then costs nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import socket
import time
from collections.abc import Awaitable, Callable

from sandtable.server.store import Statement, Store, StoreError
from sandtable.server.store.base import now, put_right
from sandtable.server.store.postgres import CHANNEL, PostgresStore

log = logging.getLogger("sandtable.server")

BEAT_SECONDS = 1.0
GONE_MS = 3_000
"""A process that has given no sign of life for so long is gone."""
DOWN_MS = 10_000
"""If none has for so long, the house was closed: nobody's clock ran."""
SURE_SECONDS = 0.2
"""The database's clock is gone by if it was told within this time."""
JUMP_MS = 2_000
"""The database's clock was set if it differs by more from what the processes have counted."""

CLOCK = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint, (SELECT value FROM meta WHERE key = 'clock')"
SET_CLOCK = (
    "INSERT INTO meta AS m (key, value) VALUES ('clock', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value "
    "WHERE m.value = ? RETURNING 1"
)
ALIVE = (
    "INSERT INTO processes (name, kind, seen) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET seen = excluded.seen"
)
OTHERS = "SELECT name FROM processes WHERE seen > ?"
OPEN_SINCE = "SELECT value FROM meta WHERE key = 'open'"
KEEP_OPEN = (
    "INSERT INTO meta AS m (key, value) VALUES ('open', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value "
    "WHERE m.value = ? RETURNING 1"
)
TAKE_WHEEL = (
    "INSERT INTO drives AS d (match_id, process, until) VALUES (?, ?, ?) ON CONFLICT (match_id) DO UPDATE "
    "SET process = excluded.process, until = excluded.until WHERE d.process = excluded.process OR d.until < ? "
    "RETURNING 1"
)
KEEP_WHEELS = "UPDATE drives SET until = ? WHERE process = ? AND match_id = ANY(?::text[]) RETURNING match_id"
LET_GO = "DELETE FROM drives WHERE process = ? AND match_id = ANY(?::text[])"

CLEAN_BEATS = 60
"""Every so many beats what nobody needs any more is thrown away."""
OLD_MS = 60_000
LEFT_OVER = (
    ("DELETE FROM presence WHERE process NOT IN (SELECT name FROM processes WHERE seen > ?) RETURNING 1", OLD_MS),
    ("DELETE FROM processes WHERE seen < ? RETURNING 1", OLD_MS),
    ("DELETE FROM drives WHERE until < ? RETURNING 1", OLD_MS),
    ("DELETE FROM jobs WHERE created < ? RETURNING 1", 24 * 3600 * 1000),
    ("DELETE FROM limits WHERE free_at < ?::double precision RETURNING 1", 7 * 24 * 3600 * 1000),
)
"""What processes that were killed have left behind, and callers who have long been quiet, with their age."""

Hear = Callable[[str, list[str]], None]


class House:
    """The processes that serve the same matches; here: this one alone."""

    shared = False
    deaf = False
    """Whether something that others did may have been missed."""

    def __init__(self) -> None:
        self.name = f"{socket.gethostname()[:40]}-{os.getpid()}-{secrets.token_hex(3)}"
        self.since = now()
        """Since when the house has been open without a break: nobody's clock runs while it is closed."""
        self.alive: set[str] = {self.name}

    async def open(self, hear: Hear, look: Callable[[], Awaitable[None]]) -> None:
        """Begin to hear what others do, and to look now and then whether something was missed."""

    async def close(self) -> None:
        """Go."""

    def tell(self, kind: str, *words: str) -> list[Statement]:
        """What tells the others, as part of a write."""
        return []

    async def say(self, kind: str, *words: str) -> None:
        """Tell the others something that is not kept."""

    async def drives(self, match_id: str) -> bool:
        """Whether this process does what goes on by itself in a match."""
        return True

    async def leaves(self, match_ids: list[str]) -> None:
        """Other processes may go on with what this one did by itself."""


class SharedHouse(House):
    """Several processes on one PostgreSQL."""

    shared = True

    def __init__(self, store: PostgresStore, kind: str = "serve") -> None:
        super().__init__()
        self._store = store
        self._kind = kind
        self._wheels: dict[str, int] = {}
        self._beating: asyncio.Task[None] | None = None
        self._hear: Hear = lambda kind, words: None
        self._look: Callable[[], Awaitable[None]] | None = None
        self.deaf = True

    async def open(self, hear: Hear, look: Callable[[], Awaitable[None]]) -> None:
        self._hear, self._look = hear, look
        await self._store.listen(self._heard)
        await self._beat()
        self.deaf = False
        self._beating = asyncio.get_running_loop().create_task(self._live_on())

    async def close(self) -> None:
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.gather(self._beating, return_exceptions=True)
        with contextlib.suppress(StoreError):
            await self._store.write(
                Statement("DELETE FROM drives WHERE process = ?", (self.name,)),
                Statement("DELETE FROM presence WHERE process = ?", (self.name,)),
                Statement("DELETE FROM processes WHERE name = ?", (self.name,)),
                *self.tell("gone"),
            )
        await self._store.stop_listening()

    # -- hearing and telling ------------------------------------------------------------

    def tell(self, kind: str, *words: str) -> list[Statement]:
        return [Statement("SELECT pg_notify(?, ?)", (CHANNEL, " ".join([self.name, kind, *words])))]

    async def say(self, kind: str, *words: str) -> None:
        with contextlib.suppress(StoreError):
            await self._store.write(*self.tell(kind, *words))

    def _heard(self, text: str) -> None:
        who, kind, *words = text.split(" ")
        if who == self.name:
            return
        self.alive.add(who)  # whoever says something is there
        if kind == "gone":
            self.alive.discard(who)
        try:
            self._hear(kind, [*words, who])
        except Exception:
            log.exception("%s from another process could not be followed", kind)

    # -- living -------------------------------------------------------------------------

    async def _live_on(self) -> None:
        beats = 0
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            beats += 1
            try:
                if self.deaf:
                    await self._store.listen(self._heard)
                await self._beat()
                self.deaf = False
                if self._look is not None:  # a notice that was lost loses nothing
                    await self._look()
                if beats % CLEAN_BEATS == 0:
                    await self.clean()
            except StoreError as error:
                if not self.deaf:
                    log.warning("other processes are not heard: %s", error)
                self.deaf = True
            except Exception:
                log.exception("a sign of life failed")

    async def clean(self) -> None:
        """Throw away what nobody needs any more."""
        for sql, age in LEFT_OVER:
            at = now() - age
            await self._store.ask(sql, float(at) if "double" in sql else at)

    async def _beat(self) -> None:
        """Give a sign of life, by the connection that listens; and go by the time of the house."""
        await self._set_time()
        at = now()
        ear = self._store.through_the_ear
        await ear(ALIVE, self.name, self._kind, at)
        self.alive = {self.name, *[row[0] for row in await ear(OTHERS, at - GONE_MS)]}
        await self._stay_open(at)
        if self._wheels:
            until = at + GONE_MS
            asked = list(self._wheels)
            kept = {row[0] for row in await ear(KEEP_WHEELS, until, self.name, asked)}
            for match_id in asked:  # another process may have taken one that was kept too late
                if match_id in kept and match_id in self._wheels:
                    self._wheels[match_id] = until
                else:
                    self._wheels.pop(match_id, None)

    async def _set_time(self) -> None:
        """The time of the house is the database's clock, made even where that was set while somebody counted."""
        began = time.monotonic()
        ((clock, correction),) = await self._store.through_the_ear(CLOCK)
        took = time.monotonic() - began
        if took > BEAT_SECONDS or (took > SURE_SECONDS and self._beating is not None):
            return  # who knows when that was
        ahead = clock + round(took * 500) + int(correction or 0) - now()  # it was asked in the middle of that time
        if self._beating is None:  # at the start there is nothing to compare with
            put_right(ahead)
        elif abs(ahead) < JUMP_MS:
            put_right(ahead // 4)
        elif await self._others_agree(now() + ahead):
            put_right(ahead)  # this machine slept, or started with a wrong time
        else:
            new = str(int(correction or 0) - ahead)
            await self._store.ask(SET_CLOCK, new, correction or "0")

    async def _others_agree(self, clock: int) -> bool:
        """Whether another process goes by the time that the database shows."""
        ((newest,),) = await self._store.through_the_ear("SELECT max(seen) FROM processes WHERE name <> ?", self.name)
        return newest is not None and abs(clock - newest) < GONE_MS

    async def _stay_open(self, at: int) -> None:
        """Keep in the database that the house is open: since when, and when last."""
        rows = await self._store.through_the_ear(OPEN_SINCE)
        old = rows[0][0] if rows else ""
        since, seen = map(int, old.split()) if old else (at, at)
        if not since <= at or at - seen > DOWN_MS:
            since = at
        if at - seen > BEAT_SECONDS * 1000 or not old or since == at:
            await self._store.ask(KEEP_OPEN, f"{since} {at}", old)
            rows = await self._store.through_the_ear(OPEN_SINCE)
        self.since = int(rows[0][0].split()[0])

    # -- what goes on by itself ---------------------------------------------------------

    async def drives(self, match_id: str) -> bool:
        at = now()
        if self._wheels.get(match_id, 0) > at + BEAT_SECONDS * 1000:
            return True
        taken = await self._store.ask(TAKE_WHEEL, match_id, self.name, at + GONE_MS, at)
        if taken:
            self._wheels[match_id] = at + GONE_MS
        else:
            self._wheels.pop(match_id, None)
        return bool(taken)

    async def leaves(self, match_ids: list[str]) -> None:
        mine = [match_id for match_id in match_ids if self._wheels.pop(match_id, None)]
        if mine:
            with contextlib.suppress(StoreError):
                await self._store.ask(LET_GO, self.name, mine)


def house_of(store: Store, kind: str = "serve") -> House:
    """The house that goes with a database."""
    return SharedHouse(store, kind) if isinstance(store, PostgresStore) else House()
