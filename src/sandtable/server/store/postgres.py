"""PostgreSQL through asyncpg: a small pool that finds its way back after the server was restarted."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import re
from collections.abc import Callable
from importlib import import_module
from importlib.resources import files
from typing import Any

from sandtable.server.store.base import SIGN_OF_LIFE, Conflict, NotSaved, Row, Statement, Store, StoreError, now

CONNECTIONS = 8
LOCK = 7_263_410_955
"""The advisory lock under which tables are made: of processes that start at once one makes them, the others wait."""
LOCK_SECONDS = 300.0
CHANNEL = "sandtable"
MOST = 8
"""Statements of a write that are sent as one."""
ATTEMPTS = 4
PAUSE = 0.25


@functools.cache
def numbered(sql: str) -> str:
    """The statement with $1, $2 ... in the place of question marks."""
    first, *others = sql.split("?")
    return first + "".join(f"${n}{part}" for n, part in enumerate(others, 1))


TOUCHED = re.compile(r"(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)")


@functools.lru_cache(500)
def together(parts: tuple[tuple[str, int | None], ...]) -> str | None:
    """Several statements as one, which happens whole or not at all; None where two of them touch the same table.

    A statement that touches another number of rows than it must divides by zero, which takes everything back.
    """
    tables = [table for sql, _ in parts for table in TOUCHED.findall(sql)]
    if len(tables) != len(set(tables)) or any("CREATE" in sql or "ALTER" in sql for sql, _ in parts):
        return None
    named, counted = [], []
    for number, (sql, must) in enumerate(parts):
        ending = "" if sql.startswith("SELECT") or " RETURNING " in sql else " RETURNING 1"
        named.append(f"s{number} AS ({sql}{ending})")
        count = f"(SELECT count(*) FROM s{number})"
        counted.append(count if must is None else f"1 / (CASE WHEN {count} = {must} THEN 1 ELSE 0 END)")
    return numbered(f"WITH {', '.join(named)} SELECT {', '.join(counted)}")


class PostgresStore(Store):
    """A database of a PostgreSQL server."""

    shared = True

    def __init__(self, url: str) -> None:
        self.url = url
        self._pool: Any = None
        self._ear: Any = None

    async def open(self, *, existing: bool = False, alone: bool = False) -> None:
        try:
            asyncpg: Any = import_module("asyncpg")
        except ImportError:
            raise StoreError("PostgreSQL needs the package asyncpg: install sandtable[postgres].") from None
        self._lost = (
            OSError,
            asyncpg.PostgresConnectionError,
            asyncpg.InterfaceError,
            asyncpg.OperatorInterventionError,
        )
        self._pg = asyncpg
        logging.getLogger("asyncpg.pool").setLevel(logging.ERROR)  # that the database is away is told once, by us
        try:
            plain = type("Plain", (asyncpg.Connection,), {"__slots__": (), "get_reset_query": lambda _: ""})
            self._pool = await asyncpg.create_pool(
                self.url, min_size=1, max_size=CONNECTIONS, command_timeout=15, timeout=5, connection_class=plain
            )
        except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError) as error:
            raise StoreError(f"The PostgreSQL database cannot be opened: {type(error).__name__}: {error}.") from None
        async with self._pool.acquire() as connection:
            if existing and await connection.fetchval("SELECT to_regclass('migrations')") is None:
                raise StoreError("There are no matches of Sandtable in this PostgreSQL database: check its name.")
            try:
                await connection.execute(f"SELECT pg_advisory_lock({LOCK})", timeout=LOCK_SECONDS)
            except TimeoutError:
                raise StoreError("Another process has been making the tables for minutes: look at it.") from None
            try:
                await self.migrate()
                await connection.execute(files("sandtable.server.store").joinpath("house.sql").read_text("utf-8"))
            finally:
                await connection.execute(f"SELECT pg_advisory_unlock({LOCK})")

    async def check(self) -> None:
        await self.write(Statement(SIGN_OF_LIFE, (str(now()),), 1))

    async def close(self) -> None:
        await self.stop_listening()
        if self._pool is not None:
            await self._pool.close()
            self._pool = None

    async def read(self, sql: str, *parameters: Any) -> list[Row]:
        for attempt in range(ATTEMPTS):
            try:
                return [tuple(row) for row in await self._pool.fetch(numbered(sql), *parameters)]
            except self._lost as error:
                if attempt == ATTEMPTS - 1:
                    raise _away(error) from None
            except (self._pg.PostgresError, TimeoutError) as error:
                raise NotSaved(_sentence(error)) from None
            await asyncio.sleep(PAUSE)
        raise AssertionError("the last attempt returns or raises")

    async def ask(self, sql: str, *parameters: Any) -> list[Row]:
        """A single statement that changes something and tells what; it is not tried again."""
        try:
            return [tuple(row) for row in await self._pool.fetch(numbered(sql), *parameters)]
        except (*self._lost, self._pg.PostgresError, TimeoutError) as error:
            raise _away(error, unsure=True) from None

    async def listen(self, hear: Callable[[str], None]) -> None:
        """Hear what other processes say, until the connection is lost; raises NotSaved if there is none."""
        await self.stop_listening()
        try:
            ear = await self._pg.connect(self.url, timeout=5, command_timeout=5)
            await ear.add_listener(CHANNEL, lambda *said: hear(said[3]))
        except (*self._lost, self._pg.PostgresError, TimeoutError) as error:
            raise _away(error) from None
        self._ear = ear

    async def through_the_ear(self, sql: str, *parameters: Any) -> list[Row]:
        """Ask by the connection that listens: its answer shows that it still hears."""
        if self._ear is None:
            raise NotSaved("Nothing is heard from the other processes.")
        try:
            return [tuple(row) for row in await self._ear.fetch(numbered(sql), *parameters)]
        except (*self._lost, self._pg.PostgresError, TimeoutError) as error:
            raise _away(error) from None

    async def stop_listening(self) -> None:
        """Hear nothing more."""
        ear, self._ear = self._ear, None
        if ear is not None:
            with contextlib.suppress(Exception):
                await ear.close(timeout=1)

    async def read_all(self, *queries: str) -> list[list[Row]]:
        try:
            async with (
                self._pool.acquire() as connection,
                connection.transaction(isolation="repeatable_read", readonly=True),
            ):
                return [[tuple(row) for row in await connection.fetch(query)] for query in queries]
        except self._lost as error:
            raise _away(error) from None

    async def write(self, *statements: Statement) -> None:
        if not statements:
            return
        whole = together(tuple([(sql, must) for sql, _, must in statements])) if len(statements) < MOST else None
        connection = await self._connection()
        sent = whole is not None
        try:
            if whole is not None:
                await connection.execute(whole, *[value for _, values, _ in statements for value in values])
                return
            async with connection.transaction():
                for sql, parameters, must in statements:
                    answer = await connection.execute(numbered(sql), *parameters)
                    if must is not None and int(answer.rpartition(" ")[2]) != must:
                        raise Conflict("Something else was saved in the meantime: look again.")
                sent = True
        except self._pg.DivisionByZeroError:
            raise Conflict("Something else was saved in the meantime: look again.") from None
        except self._pg.IntegrityConstraintViolationError as error:
            raise Conflict(f"This does not fit what is saved already: {error}.") from None
        except self._lost as error:
            raise _away(error, unsure=sent) from None
        except TimeoutError as error:
            raise _away(error, unsure=True) from None
        except self._pg.PostgresError as error:
            raise NotSaved(_sentence(error), unsure=sent) from None
        finally:
            await self._release(connection)

    async def _connection(self) -> Any:
        """A connection that answers; one that was lost with a restart is replaced."""
        for attempt in range(ATTEMPTS):
            try:
                connection = await self._pool.acquire(timeout=5)
                if not connection.is_closed():
                    return connection
                await self._release(connection)
            except (*self._lost, self._pg.PostgresError, TimeoutError) as error:
                if attempt == ATTEMPTS - 1:
                    raise _away(error) from None
            await asyncio.sleep(PAUSE)
        raise NotSaved("The database does not answer: nothing has changed, try again in a moment.")

    async def _release(self, connection: Any) -> None:
        try:
            await self._pool.release(connection)
        except (*self._lost, TimeoutError):
            return


def _away(error: BaseException, *, unsure: bool = False) -> NotSaved:
    what = "it is not certain whether this was saved: look again" if unsure else "nothing has changed"
    return NotSaved(f"The database does not answer ({type(error).__name__}): {what}.", unsure=unsure)


def _sentence(error: BaseException) -> str:
    if getattr(error, "sqlstate", "") == "53100":
        return "The disk of the database is full: nothing has changed; make room and try again."
    return f"The database cannot be used: {error}."
