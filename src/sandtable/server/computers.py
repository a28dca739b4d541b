"""The computer players' side of the server: worker processes, started when they are first needed."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from sandtable.engine import Action, Match
from sandtable.players import read_level, thinks
from sandtable.players.hands import VARIABLE, hands_for
from sandtable.players.thinking import usual_budget
from sandtable.server.rebuild import entry_text
from sandtable.server.settings import Settings
from sandtable.server.worker import Answer, Question

log = logging.getLogger("sandtable.server")

LINE_LIMIT = 64_000_000
START_SECONDS = (15.0, 30.0, 60.0)
"""Seconds that a worker may take to start, at first, the second time and from then on: a stopped one never does."""
ROOM_SECONDS = 1.0
"""Where no process could be started, the next try is so much later."""

TRIES = 3
"""How often a decision is tried before a player has broken down; a dead worker may be nobody's fault."""
PATIENCE = (20.0, 30.0, 60.0)
"""Seconds that a decision may take at the first, second and last try, beside the player's own budget."""


class PlayerFault(Exception):
    """A computer player that hangs, dies or does not choose; the words go on from its name.

    The words are for everybody at the table. What exactly went wrong is for the log alone: it may name what is hidden.
    """

    def __init__(self, words: str, detail: str = "") -> None:
        super().__init__(f"{words}: {detail}" if detail else words)
        self.words = words


class Worker:
    """One worker process and what it remembers."""

    def __init__(self, games: tuple[str, ...], hands: str) -> None:
        self._games = games
        self._hands = hands
        self._process: asyncio.subprocess.Process | None = None
        self.knows: dict[str, int] = {}
        self._late = 0
        """How often in a row it has not started in time."""

    async def _pipes(self) -> tuple[asyncio.StreamWriter, asyncio.StreamReader]:
        if self._process is None or self._process.returncode is not None:
            self.knows = {}
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "sandtable.server.worker",
                *self._games,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), VARIABLE: self._hands},
                limit=LINE_LIMIT,
            )
            assert self._process.stdout is not None
            # Starting takes a while on a busy machine; it is no fault of the player.
            seconds = START_SECONDS[min(self._late, len(START_SECONDS) - 1)]
            self._late += 1
            await asyncio.wait_for(self._process.stdout.readline(), seconds)
            self._late = 0
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout

    async def ask(self, question: Question, seconds: float) -> Answer:
        """Put a question and wait for the answer; a worker that hangs is ended."""
        try:
            writer, reader = await self._pipes()
            writer.write(msgspec.json.encode(question) + b"\n")
            line = await asyncio.wait_for(_answer(writer, reader), seconds)
        except TimeoutError:
            await self.stop()
            raise PlayerFault(f"did not choose within {seconds:g} s") from None
        except ConnectionError:
            line = b""
        except OSError as error:  # the machine has no room for another process, or its files are just being replaced
            await asyncio.sleep(ROOM_SECONDS)
            raise PlayerFault("could not be started", str(error)) from None
        except asyncio.CancelledError:
            await self.stop()  # its answer would come to the next question
            raise
        if not line.endswith(b"\n"):  # it may have died in the middle of its answer
            await self.stop()
            raise PlayerFault("died")
        try:
            return msgspec.json.decode(line, type=Answer)
        except msgspec.DecodeError as error:  # somebody else writes there, too
            await self.stop()  # its answer would come to the next question
            raise PlayerFault("answered nonsense", str(error)) from None

    async def stop(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        self.knows = {}
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _answer(writer: asyncio.StreamWriter, reader: asyncio.StreamReader) -> bytes:
    """The next line, once a question is taken: a worker that was stopped does not even do that."""
    await writer.drain()
    return await reader.readline()


def patience(game: str, level: str, failures: int) -> float:
    """How long a decision may take before it is taken from a worker: what hangs is soon given to another."""
    budget = (read_level(game, level)[1] or usual_budget()).at_once if thinks(game, level) else 0
    return PATIENCE[min(failures, len(PATIENCE) - 1)] + 2 * budget


async def put(
    worker: Worker,
    name: str,
    version: int,
    question: Callable[[int], Awaitable[Question]],
    seconds: float,
    *,
    afresh: bool = False,
) -> Answer:
    """Put a question about a match to a worker, with as much of its record as it does not know yet."""
    known = 0 if afresh else worker.knows.get(name, 0)
    while True:
        answer = await worker.ask(await question(known), seconds)
        if answer.knows is None:
            break
        if answer.knows == known or answer.knows > version:
            await worker.stop()
            answer.knows = 0
        known = answer.knows
    if answer.fault:
        worker.knows.pop(name, None)
        raise PlayerFault("failed", answer.fault)
    worker.knows[name] = version
    return answer


def state_of(match: Match) -> str:
    """The state of a match that cannot be played again from its record."""
    return msgspec.json.encode(match.state).decode() if match.taken_up else ""


def read_action(match: Match, answer: Answer) -> tuple[Action, str]:
    """What a player chose, and why."""
    try:
        action: Action = msgspec.convert(answer.action, match.game.action_type)
    except msgspec.ValidationError as error:
        raise PlayerFault("chose nothing that makes sense", str(error)) from None
    return action, answer.why[:2000]


class Pool:
    """Workers of which one is taken for a question and given back."""

    def __init__(self, settings: Settings) -> None:
        count = max(1, settings.workers)
        hands = hands_for(count, spare=1)  # one processor is left to the server itself
        self.all = [Worker(settings.games, hands) for _ in range(count)]
        self._idle = list(self.all)
        self._free = asyncio.Condition()

    async def take(self, match_id: str) -> Worker:
        """A worker that is free, if possible one that knows the match."""
        async with self._free:
            while not self._idle:
                await self._free.wait()
            worker = next((worker for worker in self._idle if match_id in worker.knows), self._idle[0])
            self._idle.remove(worker)
            return worker

    async def give_back(self, worker: Worker) -> None:
        """A worker has answered."""
        async with self._free:
            self._idle.append(worker)
            self._free.notify_all()  # one who was told alone might be giving up just then


class Computers:
    """Lets computer players think, as many at a time as there are workers.

    Those that look ahead have workers of their own: who plays at once does not wait for who thinks.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._quick, self._slow = Pool(settings), Pool(settings)

    async def choose(self, match: Match, side: str, level: str, seed: int) -> tuple[Action, str]:
        """What a computer player does in the place of a side, and why."""
        fault = PlayerFault("was not asked")
        for number in range(TRIES):
            pool = self._slow if thinks(match.header.game, level) else self._quick
            worker = await pool.take(match.header.match_id)
            try:
                return await self._ask(worker, match, side, level, seed, number)
            except PlayerFault as again:
                log.warning("match %s: the computer player %s of %s %s", match.header.match_id, level, side, again)
                fault = again
            finally:
                await pool.give_back(worker)
        raise fault

    async def _ask(
        self, worker: Worker, match: Match, side: str, level: str, seed: int, failures: int
    ) -> tuple[Action, str]:
        name, state = match.header.match_id, state_of(match)

        async def question(known: int) -> Question:
            entries: list[Any] = [msgspec.Raw(entry_text(entry).encode()) for entry in match.record().entries[known:]]
            header = match.header.public()
            return Question(name, side, level, seed + failures, header, match.start_rolls, known, entries, state)

        seconds = min(patience(match.header.game, level, failures), self._settings.think_seconds)
        answer = await put(worker, name, match.version, question, seconds, afresh=bool(state))
        return read_action(match, answer)

    async def open(self) -> None:
        """Begin; workers are started when they are needed."""

    def hear(self, kind: str, words: list[str]) -> None:
        """Another process has said something about jobs."""

    async def queue(self) -> tuple[int, int, float]:
        """Decisions under way, those that wait, and how many seconds the first of these has waited."""
        return 0, 0, 0.0

    async def close(self) -> None:
        """End all workers."""
        for worker in (*self._quick.all, *self._slow.all):
            await worker.stop()
