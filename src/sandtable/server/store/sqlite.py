"""SQLite: one thread writes and gathers what comes at the same time into one commit; another one reads.

A third one brings what was written from the write-ahead log into the file: it waits for the disk, and nobody for it.
"""

from __future__ import annotations

import asyncio
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]
try:
    import msvcrt
except ImportError:
    msvcrt = None  # type: ignore[assignment]

from sandtable.server.store.base import SIGN_OF_LIFE, Conflict, NotSaved, Row, Statement, Store, StoreError, now

BUSY_SECONDS = 2.0
CHECK_SECONDS = 600.0
"""How often a big file is searched for damage; a small one is at every check."""
SMALL = 20_000_000
GATHER = 64
"""The most writes that share a commit."""
TIDY_COMMITS = 200
"""After so many commits what was written is brought from the log into the file, beside the writing."""
LONG_LOG = 8_000
"""Pages of a log that is never quite brought over while everybody plays on: then the writer does the rest itself."""

LATE = 40
"""So often tidying may come too late, on a busy machine, before the writer does it itself and waits for the disk."""

Work = Callable[[sqlite3.Connection], Any]
Job = tuple[Work, "asyncio.Future[Any]", asyncio.AbstractEventLoop]


def _identity(path: str) -> tuple[int, int]:
    """Which file stands under a name."""
    found = os.stat(path)
    return found.st_dev, found.st_ino


def sentence(error: sqlite3.Error) -> str:
    """What is wrong with the database and what to do."""
    text = str(error)
    if "locked" in text or "busy" in text:
        return "The database is locked by another program: nothing has changed, try again in a moment."
    if "full" in text:
        return "The disk is full: nothing has changed; make room and try again."
    if "readonly" in text:
        return "The database may not be written: check the permissions of its file."
    return f"The database cannot be used: {text}."


def _locked(path: str) -> int:
    """Keep other servers off a file for as long as this process lives: two would not know of each other's moves."""
    beside = f"{os.path.realpath(path)}-serving"
    try:
        lock = os.open(beside, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise StoreError(f"The database {path} cannot be opened: {error}.") from None
    try:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif msvcrt is not None:
            msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
    except OSError:
        os.close(lock)
        raise StoreError(
            f"Another server runs with the database {path}: stop it first, or use PostgreSQL for several."
        ) from None
    return lock


class SqliteStore(Store):
    """A database in one file."""

    def __init__(self, path: str, *, power_safe: bool = False) -> None:
        self.path = path
        self._power_safe = power_safe
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._reads: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._files: dict[str, tuple[int, int]] = {}
        """The file and its log as they were when the database was opened."""
        self._checked = -CHECK_SECONDS
        self._lock: int | None = None
        self._commits = 0
        self._untidy: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._tidying = threading.Lock()
        self._long_log = False
        self._since = 0
        """Commits since the log was last known to be short."""

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode=WAL")
        # NORMAL loses nothing when the process dies; only FULL waits for the disk, against a loss of power.
        connection.execute(f"PRAGMA synchronous={'FULL' if self._power_safe else 'NORMAL'}")
        connection.execute("PRAGMA foreign_keys=ON")
        return connection

    async def open(self, *, existing: bool = False, alone: bool = False) -> None:
        if alone:
            self._lock = _locked(self.path)
        if existing:
            self._must_be_ours()
        try:
            if not Path(self.path).exists():
                os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))  # secrets are in it
            writer, reader, tidier = self._connect(), self._connect(), self._connect()
            writer.execute("PRAGMA wal_autocheckpoint=0")
            writer.execute("SELECT name FROM sqlite_master LIMIT 1")
            self._files = {path: _identity(path) for path in (self.path, f"{self.path}-wal")}
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"The database {self.path} cannot be opened: {error}.") from None
        self._threads = [
            threading.Thread(target=self._write_on, args=(writer,), name="sqlite-writer", daemon=True),
            threading.Thread(target=self._read_on, args=(reader,), name="sqlite-reader", daemon=True),
            threading.Thread(target=self._tidy_on, args=(tidier,), name="sqlite-tidier", daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        await self.migrate()

    def _must_be_ours(self) -> None:
        """Refuse a file that is not there or is not ours, without touching it."""
        if not Path(self.path).is_file():
            raise StoreError(f"There is no database {self.path}: check its name.")
        try:
            connection = sqlite3.connect(f"{Path(self.path).resolve().as_uri()}?mode=ro", uri=True)
            try:
                found = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'migrations'").fetchall()
            finally:
                connection.close()
        except sqlite3.Error as error:
            raise StoreError(f"The database {self.path} cannot be opened: {error}.") from None
        if not found:
            raise StoreError(f"There are no matches of Sandtable in {self.path}: check its name.")

    async def check(self) -> None:
        self._still_there()
        await self.write(Statement(SIGN_OF_LIFE, (str(now()),), 1))
        if time.monotonic() - self._checked >= CHECK_SECONDS or os.path.getsize(self.path) < SMALL:
            self._checked = time.monotonic()
            await asyncio.to_thread(self._check_pages)

    def _check_pages(self) -> None:
        """Look for damage, with a connection of its own: it takes a while."""
        try:
            connection = self._connect()
            try:
                found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            finally:
                connection.close()
        except sqlite3.Error as error:
            found = str(error)
        if found != "ok":
            self._checked = -CHECK_SECONDS
            raise StoreError(f"The database is damaged ({found}): stop the server and bring a backup back.")

    def _still_there(self, *, written: bool = False) -> None:
        """What is written into a file that was moved away or removed would be lost; so would what is in its log."""
        for path, identity in self._files.items():
            try:
                there = _identity(path) == identity
            except OSError:
                there = False
            if not there:
                what = "file" if path == self.path else "log"
                raise NotSaved(
                    f"The {what} of the database is no longer in its place: nothing has changed; put it back or start "
                    "the server anew.",
                    unsure=written,
                )

    async def close(self) -> None:
        self._jobs.put(None)
        self._reads.put(None)
        self._untidy.put(False)
        for thread in self._threads:
            await asyncio.to_thread(thread.join)
        self._threads = []
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    async def read(self, sql: str, *parameters: Any) -> list[Row]:
        rows: list[Row] = await self._hand(self._reads, lambda c: c.execute(sql, parameters).fetchall())
        return rows

    async def read_all(self, *queries: str) -> list[list[Row]]:
        def work(connection: sqlite3.Connection) -> list[list[Row]]:
            connection.execute("BEGIN")
            try:
                return [connection.execute(query).fetchall() for query in queries]
            finally:
                connection.execute("COMMIT")

        rows: list[list[Row]] = await self._hand(self._reads, work)
        return rows

    async def write(self, *statements: Statement) -> None:
        def work(connection: sqlite3.Connection) -> None:
            for sql, parameters, must in statements:
                touched = connection.execute(sql, parameters).rowcount
                if must is not None and touched != must:
                    raise Conflict("Something else was saved in the meantime: look again.")

        await self._hand(self._jobs, work)

    async def _hand(self, to: queue.SimpleQueue[Job | None], work: Work) -> Any:
        if not self._threads:
            raise NotSaved("The database is closed.")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        to.put((work, future, loop))
        return await future

    def _read_on(self, connection: sqlite3.Connection) -> None:
        while (job := self._reads.get()) is not None:
            try:
                _settle(job, job[0](connection), None)
            except Exception as error:
                _settle(job, None, _translated(error))
        connection.close()

    def _write_on(self, connection: sqlite3.Connection) -> None:
        job = self._jobs.get()
        while job is not None:
            batch, last = [job], False
            while len(batch) < GATHER:
                try:
                    following = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if following is None:
                    last = True
                    break
                batch.append(following)
            self._commit(connection, batch)
            job = None if last else self._jobs.get()
        connection.close()

    def _commit(self, connection: sqlite3.Connection, batch: list[Job]) -> None:
        """Write a batch in one transaction; a statement that fails takes back only its own job."""
        good: list[Job] = []
        try:
            try:
                self._still_there()
            except NotSaved:
                _bring_over(connection)  # this connection still knows what was in a log that is gone
                raise
            connection.execute("BEGIN IMMEDIATE")
            for job in batch:
                connection.execute("SAVEPOINT job")
                try:
                    job[0](connection)
                    good.append(job)
                except Exception as error:
                    if not connection.in_transaction:  # a full disk takes the whole transaction back
                        raise
                    connection.execute("ROLLBACK TO job")
                    _settle(job, None, _translated(error))
                connection.execute("RELEASE job")
            connection.execute("COMMIT")
            self._still_there(written=True)
        except Exception as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            for job in batch:
                _settle(job, None, _translated(error))
            return
        for job in good:
            _settle(job, None, None)
        self._commits += 1
        self._since += 1
        if self._commits % TIDY_COMMITS == 0:
            self._untidy.put(True)
        if self._since > LATE * TIDY_COMMITS:
            with self._tidying:  # on a slow disk the tidier may be at it for long: the log grows no further meanwhile
                if _bring_over(connection, "RESTART") >= 0:
                    self._long_log, self._since = False, 0
        elif self._long_log:
            _bring_over(connection)
            self._long_log = False

    def _tidy_on(self, connection: sqlite3.Connection) -> None:
        while self._untidy.get():
            if not self._long_log:
                with self._tidying:
                    pages = _bring_over(connection)
                    self._long_log = pages > LONG_LOG
                    if 0 <= pages <= LONG_LOG:
                        self._since = 0
        connection.close()


def _bring_over(connection: sqlite3.Connection, how: str = "PASSIVE") -> int:
    """Bring what was written from the log into the file; the pages of the log, -1: somebody else is at it."""
    try:
        busy, pages, _ = connection.execute(f"PRAGMA wal_checkpoint({how})").fetchone()
    except sqlite3.Error:  # the disk is full, say: it stays in the log, and whoever writes is told
        return 0
    return -1 if busy else int(pages)


def _translated(error: Exception) -> Exception:
    if isinstance(error, sqlite3.IntegrityError):
        return Conflict(f"This does not fit what is saved already: {error}.")
    # After a failure of the disk nobody knows what reached it.
    return NotSaved(sentence(error), unsure="I/O" in str(error)) if isinstance(error, sqlite3.Error) else error


def _settle(job: Job, value: Any, error: Exception | None) -> None:
    _, future, loop = job

    def tell() -> None:
        if not future.done():
            if error is None:
                future.set_result(value)
            else:
                future.set_exception(error)

    try:
        loop.call_soon_threadsafe(tell)
    except RuntimeError:  # the loop has ended: nobody waits any more
        return
