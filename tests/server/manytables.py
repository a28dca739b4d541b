"""Several servers and workers on one PostgreSQL, and a balancer before them that picks at random."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from server.crashing import environment, free_port

SERVE = """
import sys
from sandtable.server.run import run
from sandtable.server.settings import Settings
big = 10**9
run(Settings(port=int(sys.argv[1]), database=sys.argv[2], games=("server.outpost:GAME",), hidden_pause=(0, 0.01),
    watch_pause=0, fast_pause=0, accounts_per_minute=big, matches_per_hour=big, messages_per_second=big, workers=0,
    message_burst=big, requests_per_second=10**6, request_burst=big, connections=big), lambda: None)
"""

WORK = """
import sys
from sandtable.server.settings import Settings
from sandtable.server.work import run_workers
ready = lambda: print("ready", flush=True)
run_workers(Settings(database=sys.argv[2], workers=1, games=("server.outpost:GAME",)), ready)
"""


class Process:
    """A server or a worker in a process of its own."""

    def __init__(self, database: str, *, serves: bool = True) -> None:
        self.database = database
        self.serves = serves
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def launch(self) -> None:
        """Start it, without waiting."""
        code = SERVE if self.serves else WORK
        arguments = [sys.executable, "-c", code, str(self.port), self.database]
        told = None if self.serves else subprocess.PIPE
        self.process = subprocess.Popen(arguments, env=environment(), stdout=told)

    async def answers(self) -> None:
        """Wait until it can be reached."""
        assert self.process is not None
        if self.process.stdout is not None:
            assert await asyncio.to_thread(self.process.stdout.readline), "the worker did not start"
            return
        async with httpx.AsyncClient() as http:
            for _ in range(1200):
                assert self.process.poll() is None, f"it died by itself: {self.process.returncode}"
                try:
                    if (await http.get(f"{self.url}/health")).status_code == 200:
                        return
                except httpx.TransportError:
                    pass
                await asyncio.sleep(0.05)
        raise AssertionError("the process did not start")

    def kill(self) -> None:
        """kill -9; it must still be there to be killed."""
        assert self.process is not None
        assert self.process.poll() is None, f"it died by itself: {self.process.returncode}"
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """End it properly."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class Balancer:
    """Leads every connection to a process that is there, chosen at random; it knows nothing of sessions."""

    def __init__(self, processes: list[Process], source: random.Random) -> None:
        self._processes = processes
        self._source = source
        self._server: asyncio.Server | None = None
        self.url = ""

    async def open(self) -> None:
        """Begin to listen."""
        self._server = await asyncio.start_server(self._lead, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def close(self) -> None:
        """Lead nobody any more."""
        if self._server is not None:
            self._server.close()

    async def _lead(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        order = self._source.sample(self._processes, len(self._processes))
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            for process in order:
                try:
                    back = await asyncio.open_connection("127.0.0.1", process.port)
                except OSError:
                    continue
                await asyncio.gather(_pass(reader, back[1]), _pass(back[0], writer))
                break
        writer.close()


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def house(database: str, servers: int, workers: int) -> AsyncIterator[tuple[list[Process], list[Process]]]:
    """So many processes, all running."""
    serving = [Process(database) for _ in range(servers)]
    working = [Process(database, serves=False) for _ in range(workers)]
    try:
        for process in (*serving, *working):
            process.launch()
        for process in (*serving, *working):
            await process.answers()
        yield serving, working
    finally:
        for process in (*serving, *working):
            process.stop()


def share(values: list[float], part: float) -> float:
    """A share of sorted values lies below this one."""
    found = sorted(values)
    return round(found[min(len(found) - 1, int(len(found) * part))], 3) if found else 0.0
