"""Workers that are killed or stopped at any moment: it is noticed soon, and the decision is tried again."""

from __future__ import annotations

import asyncio
import errno
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable.server import computers
from sandtable.server.computers import PlayerFault, Pool, Worker
from sandtable.server.worker import Question
from server.helpers import run, serving, settings_for

SOON = 10
"""Seconds; much less than a decision may take."""


def question(state: str = "") -> Question:
    match = sandtable.new("tiny/post", seed=3)
    return Question("m1", "blue", "random", 1, match.header.public(), match.start_rolls, 0, [], state)


async def worker_that(does: str) -> Worker:
    """A worker whose process does something else than to answer."""
    worker = Worker((), "1")
    worker._process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", does, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    return worker


def test_half_an_answer_is_none() -> None:
    async def story() -> None:
        worker = await worker_that("import sys; sys.stdin.readline(); print('{\"why\": \"The', end='', flush=True)")
        with pytest.raises(PlayerFault, match="died"):
            await worker.ask(question(), SOON)

    run(story)


def test_a_stopped_worker_that_does_not_even_read_is_given_up() -> None:
    async def story() -> None:
        worker = await worker_that("import time; time.sleep(600)")
        asking = worker.ask(question("x" * 5_000_000), 0.2)
        with pytest.raises(PlayerFault, match="did not choose within"):
            await asyncio.wait_for(asking, SOON)

    run(story)


def test_what_is_no_answer_does_not_move_answers_to_other_questions() -> None:
    async def story() -> None:
        worker = await worker_that("import sys; sys.stdin.readline(); print('out of memory\\n{}', flush=True)")
        with pytest.raises(PlayerFault, match="answered nonsense"):
            await worker.ask(question(), SOON)
        assert worker._process is None, "what it says next would come to the next question"

    run(story)


def test_a_machine_without_room_for_a_process_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start = asyncio.create_subprocess_exec
    refused: list[Any] = []

    async def short_of_room(*words: Any, **more: Any) -> Any:
        if len(refused) < 2:
            refused.append(words)
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        return await start(*words, **more)

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            monkeypatch.setattr(asyncio, "create_subprocess_exec", short_of_room)
            match = await anna.new_match(seats={"blue": {"kind": "computer"}})
            async with anna.live(match["id"]) as live:
                await live.until("welcome")
                while not live.actions:
                    await live.receive()
                assert len(refused) == 2
                assert not [message for message in live.told if message["t"] == "chat"]

    run(story)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")
def test_a_hand_does_not_hide_that_its_worker_is_gone() -> None:
    words = "import time; from sandtable.players.hands import Hands; print('ready', flush=True); "
    words += "Hands(2, lambda choice, world: time.sleep(60)).prepare([0, 1], 0)"
    with subprocess.Popen([sys.executable, "-c", words], stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        worker.stdout.readline()
        time.sleep(0.5)  # the hands are at work
        worker.kill()
        killed = time.monotonic()
        assert worker.stdout.read() == ""
        assert time.monotonic() - killed < SOON


def test_nobody_waits_for_a_worker_because_another_gave_up(tmp_path: Path) -> None:
    """The one who is told that a worker is free has left at this very moment."""

    async def story() -> None:
        pool = Pool(settings_for(tmp_path))
        worker = await pool.take("m1")
        first, second = (asyncio.ensure_future(pool.take(name)) for name in ("m2", "m3"))
        await asyncio.sleep(0)
        await pool.give_back(worker)
        first.cancel()
        assert await asyncio.wait_for(second, SOON) is worker

    run(story)


@pytest.mark.parametrize(("how", "moments"), [("SIGKILL", 6), ("SIGSTOP", 2)])
def test_a_lost_worker_keeps_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, moments: int
) -> None:
    monkeypatch.setattr(computers, "PATIENCE", (2.0, 20.0, 60.0))
    monkeypatch.setattr(computers, "START_SECONDS", (2.0, 20.0, 60.0))
    source = random.Random(1)

    async def story() -> None:
        async with serving(settings_for(tmp_path)) as running, running.client() as anna:
            (worker,) = running.state.hall.computers._quick.all
            for _ in range(moments):
                match = await anna.new_match(seats={"blue": {"kind": "computer"}})
                async with anna.live(match["id"]) as live:
                    await live.until("welcome")
                    await asyncio.sleep(2 * source.random())  # it starts, or thinks, or has answered
                    if worker._process is not None and worker._process.returncode is None:
                        os.kill(worker._process.pid, getattr(signal, how))
                    began = time.monotonic()
                    while not live.actions:
                        await live.receive()
                    assert time.monotonic() - began < 30
                    assert not [message for message in live.told if message["t"] == "chat"]

    run(story)
