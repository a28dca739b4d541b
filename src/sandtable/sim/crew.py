"""Processes that play games; a player that takes its process down, or hangs in it, loses only its own game."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any, NamedTuple

import msgspec

from sandtable.engine.errors import SandtableError
from sandtable.sim.playing import Dead, Plan, play_game
from sandtable.space.remembered import forget_maps

Finished = tuple[bytes, str | None]
"""A result as JSON, and the record."""

GRACE = 5.0
"""Seconds beyond its limit after which a player that cannot be interrupted is ended with its process."""
LOOK = 1.0
TRIES = 3
"""How often a game is begun in a process that dies before the first decision."""


class CrewFailed(SandtableError):
    """Games cannot be played in processes of their own here."""


class Task(NamedTuple):
    """A game to play."""

    plan: Plan
    number: int
    keep_record: bool
    dead: Dead
    tries: int = 0
    place: int = 0


def play_one(plan: Plan, number: int, keep_record: bool) -> Finished:
    """Play one game; runs in a worker."""
    return _finished(Task(plan, number, keep_record, {}), None)


def _finished(task: Task, tell: Callable[[str, int], None] | None) -> Finished:
    result, match = play_game(task.plan, task.number, dead=task.dead, tell=tell)
    lines = match.record().to_lines() if task.keep_record else None
    if match.game.own_maps:
        del match
        forget_maps()
    return msgspec.json.encode(result), lines


def _work(questions: Connection, marks: Any, register: Callable[[], object] | None) -> None:
    """Play what is asked for until there is no more; `marks` tells the parent who is deciding, and since when."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interruption is the parent's business
    if register is not None:
        register()
    while True:
        try:
            task: Task | None = questions.recv()
        except EOFError:
            return
        if task is None:
            return
        sides = list(task.plan.players)

        def tell(side: str, version: int, sides: list[str] = sides) -> None:
            marks[:] = [sides.index(side), version, time.monotonic()]

        answer: Finished | Exception
        try:
            answer = _finished(task, tell)
        except Exception as error:
            answer = error
        marks[:] = [-1, -1, 0.0]
        questions.send(answer)


class _Worker:
    """One process and the game it plays."""

    def __init__(self, register: Callable[[], object] | None) -> None:
        context = multiprocessing.get_context("spawn")
        self.link, theirs = context.Pipe()
        self.marks: Any = context.Array("d", [-1, -1, 0.0], lock=False)
        self.process = context.Process(target=_work, args=(theirs, self.marks, register), daemon=True)
        self.process.start()
        theirs.close()
        self.task: Task | None = None

    def give(self, task: Task) -> None:
        self.task = task
        self.marks[:] = [-1, -1, 0.0]
        self.link.send(task)

    def hangs(self) -> bool:
        """Whether a decision has gone on beyond its limit and beyond grace."""
        since = self.marks[2]
        limit = self.task.plan.decision_seconds + GRACE if self.task else 0.0
        return bool(since > 0 and time.monotonic() - since > limit)

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.link.close()


class Crew:
    """A number of processes; used with `with`."""

    def __init__(self, jobs: int, register: Callable[[], object] | None = None) -> None:
        self._jobs = jobs
        self._register = register
        self._workers: list[_Worker] = []

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        while self._workers:
            self._workers.pop().end()

    def play(self, plan: Plan, numbers: Sequence[int], keep_records: bool) -> Iterator[Finished]:
        """Games of a plan, each as it ends."""
        for _, finished in self.play_all(((plan, number) for number in numbers), keep_records):
            yield finished

    def play_all(self, games: Iterable[tuple[Plan, int]], keep_records: bool = False) -> Iterator[tuple[int, Finished]]:
        """Games of any plans, begun in their order, each with its place in it as it ends.

        The next one is asked for when a process is free.
        """
        coming = (Task(plan, number, keep_records, {}, place=place) for place, (plan, number) in enumerate(games))
        again: deque[Task] = deque()
        while True:
            while self._idle() or len(self._workers) < self._jobs:
                task = again.popleft() if again else next(coming, None)
                if task is None:
                    break
                self._free().give(task)
            at_work = [worker for worker in self._workers if worker.task is not None]
            if not at_work:
                return
            wait([worker.link for worker in at_work], LOOK)
            for worker in at_work:
                begun = worker.task
                finished = self._look_at(worker, again)
                if finished is not None and begun is not None:
                    yield begun.place, finished

    def _idle(self) -> list[_Worker]:
        return [worker for worker in self._workers if worker.task is None]

    def _free(self) -> _Worker:
        """A process that has nothing to do, a new one if need be."""
        if not self._idle():
            self._workers.append(_Worker(self._register))
        return self._idle()[0]

    def _look_at(self, worker: _Worker, again: deque[Task]) -> Finished | None:
        """What a worker has finished; a game whose process is gone is put back."""
        task = worker.task
        assert task is not None
        how = ""
        try:
            if worker.link.poll():
                answer: Finished | Exception = worker.link.recv()
                worker.task = None
                if isinstance(answer, Exception):
                    raise answer
                return answer
            if worker.process.is_alive() and worker.hangs():
                how = f"it thought longer than {task.plan.decision_seconds:g} s and could not be interrupted"
            elif worker.process.is_alive():
                return None
        except (EOFError, ConnectionError):
            pass
        worker.process.join(0 if how else GRACE)
        again.append(_judged(task, worker, how or f"its process died (exit code {worker.process.exitcode})"))
        worker.end()
        self._workers[self._workers.index(worker)] = _Worker(self._register)
        return None


def _judged(task: Task, worker: _Worker, how: str) -> Task:
    """The game again; this time the player that brought the process down breaks down at that step."""
    side_number, version, _ = worker.marks
    if side_number < 0:
        if task.tries + 1 >= TRIES:
            raise CrewFailed(f"Game {task.number} cannot be played in a process of its own: {how}.")
        return task._replace(tries=task.tries + 1)
    side = list(task.plan.players)[int(side_number)]
    if side in task.dead:
        raise CrewFailed(f"Game {task.number} has brought its process down again in the hands of {side}: {how}.")
    return task._replace(dead={**task.dead, side: (int(version), how)})
