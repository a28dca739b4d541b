"""Helping hands: processes in which the imagined games of one decision are played side by side."""

from __future__ import annotations

import contextlib
import gc
import os
import select
import signal
import struct
import sys
import warnings
from collections import deque
from collections.abc import Callable, Sequence
from math import isnan, nan
from typing import NamedTuple

from sandtable.engine.errors import SandtableError

VARIABLE = "SANDTABLE_HANDS"
"""The environment variable with the number of processes that a player who looks ahead may think with."""
MOST = 64
_TASK = struct.Struct("=ii")
_ANSWER = struct.Struct("=d")

Value = Callable[[int, int], float | None]
"""What a choice comes to in a world, both by number; None: no time for it."""


class BadHands(SandtableError):
    """A number of processes that nobody can think with."""


def processors() -> int:
    """How many processes make sense here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def usual_hands() -> int:
    """The number of this environment: SANDTABLE_HANDS, or one; only Linux can make more in an instant."""
    said = _said()
    return (said or 1) if sys.platform == "linux" else 1


def hands_for(players: int, spare: int = 0) -> str:
    """What the variable says, or else the processors of this machine shared among so many players, but a few spared."""
    return str(_said() or min(MOST, max(1, (processors() - spare) // players)))


def _said() -> int:
    """What the variable says; 0: nothing."""
    text = os.environ.get(VARIABLE)
    if not text:
        return 0
    if not text.isdecimal() or not 1 <= int(text) <= MOST:
        raise BadHands(f"The environment variable {VARIABLE} is {text[:40]!r}: write a whole number from 1 to {MOST}.")
    return int(text)


class _Hand(NamedTuple):
    """A process, and the pipes to and from it."""

    process: int
    questions: int
    answers: int


Task = tuple[int, int]
"""A choice and a world."""


class Hands:
    """So many processes, forked from this one, that work out values; to be closed."""

    def __init__(self, count: int, value: Value) -> None:
        self._value = value
        self._idle: list[_Hand] = []
        self._busy: dict[int, tuple[_Hand, Task]] = {}
        self._waiting: deque[Task] = deque()
        self._known: dict[Task, float | None] = {}
        self._asked: set[Task] = set()
        with contextlib.suppress(BlockingIOError):  # no more processes are allowed here: fewer hands will do
            for _ in range(count):
                self._idle.append(self._grow())

    def _grow(self) -> _Hand:
        theirs, questions = os.pipe()
        answers, back = os.pipe()
        with warnings.catch_warnings():
            # The one other thread of a worker only sleeps and looks for its parent.
            warnings.simplefilter("ignore", DeprecationWarning)
            try:
                process = os.fork()
            except OSError:
                for fd in (theirs, questions, answers, back):
                    os.close(fd)
                raise
        if not process:
            try:
                for fd in (questions, answers, *(end for hand in self._idle for end in hand[1:])):
                    os.close(fd)
                _work(theirs, back, self._value)
            finally:
                os._exit(1)
        os.close(theirs)
        os.close(back)
        return _Hand(process, questions, answers)

    def prepare(self, choices: Sequence[int], world: int) -> None:
        """Work out the values of these choices in a world, and begin with the next ones so that no hand is idle."""
        count = len(self._idle) + len(self._busy)
        for number in range(world, world + 1 + -(-count // len(choices))):
            for choice in choices:
                if (choice, number) not in self._asked:
                    self._asked.add((choice, number))
                    self._waiting.append((choice, number))
        while any((choice, world) not in self._known for choice in choices):
            self._hand_out()
            if not self._busy:  # no hand is left
                self._known.update({(choice, world): self._value(choice, world) for choice in choices})
            self._collect()

    def value(self, choice: int, world: int) -> float | None:
        """A value that has been prepared."""
        return self._known[choice, world]

    def _hand_out(self) -> None:
        while self._idle and self._waiting:
            hand, task = self._idle.pop(), self._waiting.popleft()
            self._busy[hand.answers] = hand, task
            with contextlib.suppress(BrokenPipeError):  # it is gone, which shows when the answer is due
                os.write(hand.questions, _TASK.pack(*task))

    def _collect(self) -> None:
        for pipe in select.select(list(self._busy), [], [])[0] if self._busy else []:
            hand, task = self._busy.pop(pipe)
            answer = os.read(pipe, _ANSWER.size)
            if len(answer) == _ANSWER.size:
                value = _ANSWER.unpack(answer)[0]
                self._known[task] = None if isnan(value) else value
                self._idle.append(hand)
            else:  # it is gone: what it stumbled over shows here
                _end(hand)
                self._known[task] = self._value(*task)

    def close(self) -> None:
        """End the processes."""
        for hand in (*self._idle, *(hand for hand, _ in self._busy.values())):
            _end(hand)
        self._idle, self._busy = [], {}


def _end(hand: _Hand) -> None:
    os.kill(hand.process, signal.SIGKILL)
    os.waitpid(hand.process, 0)
    os.close(hand.questions)
    os.close(hand.answers)


def _work(questions: int, answers: int, value: Value) -> None:
    """Work out what is asked for until nobody asks any more; runs in a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interruption is the parent's business
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1):  # whoever listens to the parent must hear at once that it is gone
        os.dup2(nothing, fd)
    gc.freeze()
    while len(task := os.read(questions, _TASK.size)) == _TASK.size:
        found = value(*_TASK.unpack(task))
        os.write(answers, _ANSWER.pack(nan if found is None else found))
