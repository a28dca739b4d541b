"""What the server asks of a database, and the numbered migrations."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, NamedTuple

from sandtable.engine.errors import SandtableError

Row = tuple[Any, ...]


class StoreError(SandtableError):
    """The database cannot be used; the sentence says why."""


class NotSaved(StoreError):
    """A write that did not take place, or of which nobody knows whether it did (`unsure`)."""

    def __init__(self, sentence: str, *, unsure: bool = False) -> None:
        super().__init__(sentence)
        self.unsure = unsure


class Conflict(NotSaved):
    """A write that does not fit what is in the database; it did not take place."""


class Statement(NamedTuple):
    """One statement of a write; parameters stand as question marks."""

    sql: str
    parameters: Sequence[Any] = ()
    must: int | None = None
    """How many rows must be touched; any other number takes the whole write back."""


SIGN_OF_LIFE = (
    "INSERT INTO meta (key, value) VALUES ('checked', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)


class Migration(NamedTuple):
    """A numbered step of the tables' history."""

    number: int
    statements: tuple[str, ...]


def migrations() -> list[Migration]:
    """All migrations in their order."""
    folder = files("sandtable.server.store").joinpath("migrations")
    found = []
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".sql"):
            parts = file.read_text(encoding="utf-8").split(";\n")
            found.append(Migration(int(file.name[:4]), tuple(part.strip() for part in parts if part.strip())))
    return found


_anchor = time.time_ns() - time.monotonic_ns()


def now() -> int:
    """Milliseconds since 1970, counted on from the start of the process: a clock that is set does not change them."""
    return (_anchor + time.monotonic_ns()) // 1_000_000


def put_right(ahead: int) -> None:
    """The time of the house is so many milliseconds ahead of ours: go by it."""
    global _anchor
    _anchor += ahead * 1_000_000


class Store(ABC):
    """A database: reads, and writes that happen whole or not at all."""

    shared = False
    """Whether several processes may use it at once."""

    @abstractmethod
    async def open(self, *, existing: bool = False, alone: bool = False) -> None:
        """Connect, and bring the tables up to date; an `existing` database must have tables already.

        `alone`: no other process may keep it open so, where only one can (SQLite).
        """

    @abstractmethod
    async def check(self) -> None:
        """Whether it can be read and written and is in order; raises StoreError with what is wrong."""

    @abstractmethod
    async def close(self) -> None:
        """Finish what is under way and disconnect."""

    @abstractmethod
    async def read(self, sql: str, *parameters: Any) -> list[Row]:
        """The rows of a query."""

    @abstractmethod
    async def write(self, *statements: Statement) -> None:
        """Carry out all statements in one transaction; when this returns they are saved."""

    @abstractmethod
    async def read_all(self, *queries: str) -> list[list[Row]]:
        """The rows of several queries, all of the same moment."""

    async def migrate(self) -> None:
        """Carry out the migrations that are not in the database yet."""
        await self.write(
            Statement("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, applied BIGINT NOT NULL)")
        )
        done = {row[0] for row in await self.read("SELECT number FROM migrations")}
        known = migrations()
        if done and max(done) > max(migration.number for migration in known):
            raise StoreError("The database was written by a later version of Sandtable: update Sandtable.")
        for migration in known:
            if migration.number not in done:
                mark = Statement("INSERT INTO migrations (number, applied) VALUES (?, ?)", (migration.number, now()), 1)
                await self.write(*[Statement(sql) for sql in migration.statements], mark)
