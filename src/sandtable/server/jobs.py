"""Computer players of a house with many processes: their decisions are jobs in the database, for any worker to take."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from typing import Any, NamedTuple

import msgspec

from sandtable.engine import Action, Match
from sandtable.engine.record import Header
from sandtable.players import thinks
from sandtable.players.hands import hands_for
from sandtable.server.computers import TRIES, Computers, PlayerFault, Worker, patience, put, read_action, state_of
from sandtable.server.house import House
from sandtable.server.refusal import Overtaken
from sandtable.server.settings import BadSetting, Settings
from sandtable.server.store import Statement, Store, StoreError, open_store
from sandtable.server.store.base import now
from sandtable.server.store.postgres import PostgresStore
from sandtable.server.worker import Answer, Question

log = logging.getLogger("sandtable.server")

LEASE_MS = 3_000
"""A job whose worker has given no sign of life for so long is taken by another."""
RENEW_SECONDS = 0.8
LOOK_SECONDS = 1.0
"""So often the queue is looked at, should a notice be lost."""
FAILED = 10
"""In the count of tries a player's own failure weighs as much as so many workers that were lost with the job."""
HEAD_START_MS = 500
"""A worker takes a match that it knows before others that have waited a little longer, but nobody waits for ever."""
HEADERS = 500
"""Beginnings of matches that are remembered."""

KEY = "match_id = ? AND version = ? AND side = ? AND level = ?"
ADD = (
    "INSERT INTO jobs (match_id, version, side, level, slow, seed, state, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT DO NOTHING"
)
TAKE = (
    "UPDATE jobs SET worker = ?, until = ?, tries = tries + 1, began = ? WHERE (match_id, version, side, level) = "
    "(SELECT match_id, version, side, level FROM jobs WHERE answer IS NULL AND until < ? AND slow = ? "
    f"ORDER BY created - CASE WHEN match_id = ANY(?::text[]) THEN {HEAD_START_MS} ELSE 0 END "
    "LIMIT 1 FOR UPDATE SKIP LOCKED) "
    "RETURNING match_id, version, side, level, seed, state, tries, created"
)
RENEW = f"UPDATE jobs SET until = ? WHERE {KEY} AND worker = ? AND answer IS NULL RETURNING 1"
DONE = f"UPDATE jobs SET answer = ? WHERE {KEY} AND worker = ? AND answer IS NULL"
GIVE_BACK = f"UPDATE jobs SET worker = '', until = 0 WHERE {KEY} AND worker = ? AND answer IS NULL"
TRY_AGAIN = f"UPDATE jobs SET worker = '', until = 0, tries = ? WHERE {KEY} AND worker = ? AND answer IS NULL"
QUEUE = (
    "SELECT count(*) FILTER (WHERE until >= ?), count(*) FILTER (WHERE until < ?), "
    "min(created) FILTER (WHERE until < ?) FROM jobs WHERE answer IS NULL"
)


class Job(NamedTuple):
    """A decision that a worker has taken."""

    match: str
    version: int
    side: str
    level: str
    seed: str
    state: str
    tries: int
    created: int

    @property
    def failures(self) -> int:
        """How often its player has failed; that a worker was killed is not its fault."""
        return self.tries // FAILED

    @property
    def key(self) -> tuple[str, int, str, str]:
        """What names it."""
        return self.match, self.version, self.side, self.level


async def queue_of(store: Store) -> tuple[int, int, float]:
    """Decisions under way, those that wait, and how many seconds the first of these has waited."""
    at = now()
    ((busy, waiting, first),) = await store.read(QUEUE, at, at, at)
    return busy, waiting, max(0, at - first) / 1000 if first is not None else 0.0


async def look_at_queue(database: str) -> dict[str, float]:
    """The queue of a house, for whoever keeps it."""
    store = await open_store(database, existing=True)
    try:
        if not isinstance(store, PostgresStore):
            raise BadSetting("Only a house on PostgreSQL has a queue: name it with --database postgresql://...")
        busy, waiting, seconds = await queue_of(store)
    finally:
        await store.close()
    return {"busy": busy, "waiting": waiting, "seconds": seconds}


class Bench:
    """Workers of this process that take jobs of the house, each one after another."""

    def __init__(self, settings: Settings, store: PostgresStore, house: House) -> None:
        self._settings = settings
        self._store = store
        self._house = house
        self._news: list[asyncio.Event] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._workers: list[Worker] = []
        self._begun: OrderedDict[str, tuple[Header, Any]] = OrderedDict()
        self.done = 0
        self.waited = 0.0
        """Seconds that the jobs which were taken here had waited, in all."""

    def open(self) -> None:
        """Begin to take jobs."""
        count = self._settings.workers
        hands = hands_for(max(1, count), spare=1)
        for slow in [False] * count + [True] * count:
            worker, news = Worker(self._settings.games, hands), asyncio.Event()
            self._workers.append(worker)
            self._news.append(news)
            work = self._work(worker, news, f"{self._house.name}/{len(self._workers)}", slow)
            self._tasks.append(asyncio.get_running_loop().create_task(work))

    def wake(self) -> None:
        """There may be something to do."""
        for news in self._news:
            news.set()

    async def close(self) -> None:
        """Give jobs back and end."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for worker in self._workers:
            await worker.stop()

    async def _work(self, worker: Worker, news: asyncio.Event, name: str, slow: bool) -> None:
        while True:
            try:
                at = now()
                rows = await self._store.ask(TAKE, name, at + LEASE_MS, at, at, slow, list(worker.knows))
                if rows:
                    await self._answer(worker, name, Job(*rows[0]))
                    continue
            except StoreError as error:
                log.info("no job was taken: %s", error)
            except Exception:
                log.exception("a job has failed")
            news.clear()
            try:
                await asyncio.wait_for(news.wait(), LOOK_SECONDS)
            except TimeoutError:
                continue

    async def _answer(self, worker: Worker, name: str, job: Job) -> None:
        """Let the player choose, while the job is kept; a job that was lost meanwhile is nobody's here any more."""
        if worker.knows.get(job.match, 0) > job.version:  # the match has gone on: nobody needs this any more
            await self._store.write(Statement(f"DELETE FROM jobs WHERE {KEY}", job.key), *self._told(job))
            return
        self.done, self.waited = self.done + 1, self.waited + max(0, now() - job.created) / 1000
        thinking = asyncio.ensure_future(self._think(worker, job))
        keeping = asyncio.ensure_future(self._keep(name, job, thinking))
        try:
            text = msgspec.json.encode(await thinking).decode()
            await self._store.write(Statement(DONE, (text, *job.key, name), 1), *self._told(job))
        except asyncio.CancelledError:
            if not thinking.cancelled() or asyncio.current_task().cancelling():  # type: ignore[union-attr]
                thinking.cancel()
                await asyncio.gather(thinking, return_exceptions=True)
                await self._store.write(Statement(GIVE_BACK, (*job.key, name)), *self._house.tell("job"))
                raise
            log.info("a job was lost to another worker")
        except PlayerFault as fault:
            await self._failed(name, job, fault)
        finally:
            keeping.cancel()

    async def _failed(self, name: str, job: Job, fault: PlayerFault) -> None:
        log.warning("match %s: the computer player %s of %s %s", job.match, job.level, job.side, fault)
        failures = job.failures + 1
        if failures < TRIES:
            again = Statement(TRY_AGAIN, (failures * FAILED, *job.key, name))
            await self._store.write(again, *self._house.tell("job"))
            self.wake()
            return
        text = msgspec.json.encode(Answer(fault=fault.words)).decode()
        await self._store.write(Statement(DONE, (text, *job.key, name)), *self._told(job))

    def _told(self, job: Job) -> list[Statement]:
        asyncio.get_running_loop().call_soon(self.answered, job.match)
        return self._house.tell("answer", job.match)

    def answered(self, match_id: str) -> None:
        """A job is done; whoever waits for it in this process looks at once."""

    async def _keep(self, name: str, job: Job, thinking: asyncio.Future[Answer]) -> None:
        """Give a sign of life for a job as long as it is worked on."""
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            try:
                if not await self._store.ask(RENEW, now() + LEASE_MS, *job.key, name):
                    thinking.cancel()
                    return
            except StoreError:
                continue

    async def _think(self, worker: Worker, job: Job) -> Answer:
        if job.tries >= TRIES * FAILED:
            raise PlayerFault("died")
        header, start = await self._beginning(job.match)

        async def question(known: int) -> Question:
            sql = "SELECT entry FROM steps WHERE match_id = ? AND n > ? AND n <= ? ORDER BY n"
            rows = await self._store.read(sql, job.match, known, job.version)
            entries: list[Any] = [msgspec.Raw(row[0].encode()) for row in rows]
            seed = int(job.seed) + job.failures
            return Question(job.match, job.side, job.level, seed, header, start, known, entries, job.state)

        seconds = min(patience(header.game, job.level, job.failures), self._settings.think_seconds)
        return await put(worker, job.match, job.version, question, seconds, afresh=bool(job.state))

    async def _beginning(self, match_id: str) -> tuple[Header, Any]:
        """The public header of a match and its first dice."""
        if match_id not in self._begun:
            rows = await self._store.read("SELECT header, start FROM matches WHERE id = ?", match_id)
            if not rows:
                raise PlayerFault("found no match")
            header = msgspec.json.decode(rows[0][0], type=Header).public()
            self._begun[match_id] = header, msgspec.json.decode(rows[0][1])
            if len(self._begun) > HEADERS:
                self._begun.popitem(last=False)
        return self._begun[match_id]


class Queue(Computers):
    """Puts decisions into the house's queue and waits for what a worker chooses, here or elsewhere."""

    def __init__(self, settings: Settings, store: PostgresStore, house: House) -> None:
        self._store = store
        self._house = house
        self._waiting: dict[str, asyncio.Event] = {}
        self.bench = Bench(settings, store, house)
        self.bench.answered = self._answered  # type: ignore[method-assign]

    async def open(self) -> None:
        self.bench.open()

    def hear(self, kind: str, words: list[str]) -> None:
        if kind == "job":
            self.bench.wake()
        else:
            self._answered(words[0])

    def _answered(self, match_id: str) -> None:
        if match_id in self._waiting:
            self._waiting[match_id].set()

    async def queue(self) -> tuple[int, int, float]:
        return await queue_of(self._store)

    async def choose(self, match: Match, side: str, level: str, seed: int) -> tuple[Action, str]:
        name = match.header.match_id
        key = (name, match.version, side, level)
        slow = thinks(match.header.game, level)
        row = (*key, slow, str(seed), state_of(match), now())
        event = self._waiting[name] = asyncio.Event()
        older = Statement("DELETE FROM jobs WHERE match_id = ? AND version < ?", (name, match.version))
        told = [*self._house.tell("job"), *self._house.tell("thinking", name, side)]
        try:
            await self._store.write(older, Statement(ADD, row), *told)
            self.bench.wake()
            while True:
                event.clear()
                rows = await self._store.read(f"SELECT answer FROM jobs WHERE {KEY}", *key)
                if rows and rows[0][0]:
                    break
                if not rows:  # another process has made the move, or the database has forgotten the job with a crash
                    if await self._store.read("SELECT 1 FROM matches WHERE id = ? AND version <> ?", *key[:2]):
                        raise Overtaken
                    await self._store.write(Statement(ADD, row), *told)
                    self.bench.wake()
                try:
                    await asyncio.wait_for(event.wait(), LOOK_SECONDS)
                except TimeoutError:
                    continue
        finally:
            self._waiting.pop(name, None)
        await self._store.write(Statement(f"DELETE FROM jobs WHERE {KEY}", key))
        answer = msgspec.json.decode(rows[0][0], type=Answer)
        if answer.fault:
            raise PlayerFault(answer.fault)
        return read_action(match, answer)

    async def close(self) -> None:
        await self.bench.close()


def computers_of(settings: Settings, store: Store, house: House) -> Computers:
    """Who lets the computer players of a house think."""
    return Queue(settings, store, house) if isinstance(store, PostgresStore) else Computers(settings)
