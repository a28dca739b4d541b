"""How soon another process of a house shows an action, and how many actions two processes carry out."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import subprocess
import sys
import time
from contextlib import AsyncExitStack
from typing import Any

import httpx
import websockets

from server.conftest import Postgres
from server.crashing import environment
from server.manytables import Process, house, share


class Watched:
    """A match whose seats one account holds, each at two processes; the time of every picture is kept."""

    def __init__(self) -> None:
        self.sockets: dict[str, Any] = {}
        self.seen: dict[str, dict[int, float]] = {}
        self.last: dict[str, dict[str, Any]] = {}
        self.news = asyncio.Event()

    async def begin(self, stack: AsyncExitStack, urls: dict[str, str]) -> None:
        """Make a match, sit down, and begin to read."""
        async with httpx.AsyncClient(base_url=urls["red"], timeout=30) as http:
            token = (await http.post("/api/guest", json={"token": True})).json()["token"]
            headers = {"Authorization": f"Bearer {token}"}
            seats = {"red": {"kind": "me"}, "blue": {"kind": "me"}}
            answer = await http.post("/api/matches", json={"game": "outpost", "seats": seats}, headers=headers)
            match = answer.json()["match"]["id"]
        for name, url in urls.items():
            address = f"{url.replace('http', 'ws')}/api/matches/{match}/live?full=1&side={name.partition(' ')[0]}"
            socket = websockets.connect(address, additional_headers=headers, compression=None, max_size=None)
            self.sockets[name] = await stack.enter_async_context(socket)
            self.seen[name] = {}
            reading = asyncio.ensure_future(self._read(name))
            stack.callback(reading.cancel)

    async def _read(self, name: str) -> None:
        with contextlib.suppress(websockets.WebSocketException):
            while True:
                message = json.loads(await self.sockets[name].recv())
                if message["t"] in ("welcome", "update"):
                    self.seen[name].setdefault(message["version"], time.monotonic())
                    self.last[name] = {**self.last.get(name, {}), **message}
                    self.news.set()

    async def all_at(self, version: int) -> None:
        """Wait until every seat has seen a version."""
        while any(self.last.get(name, {}).get("version", -1) < version for name in self.sockets):
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), 30)


async def latency_across(database: str, *, actions: int = 300) -> dict[str, float]:
    """How much later a seat at another process sees an action than one at the same process, in milliseconds."""
    here: list[float] = []
    there: list[float] = []
    async with AsyncExitStack() as stack:
        (one, other), _ = await stack.enter_async_context(house(database, 2, 0))
        urls = {"red": one.url, "blue": one.url, "red elsewhere": other.url, "blue elsewhere": other.url}
        while len(here) < actions:
            async with AsyncExitStack() as inner:
                match = Watched()
                await match.begin(inner, urls)
                await match.all_at(0)
                for side in ("red", "blue"):  # one step at a time
                    plain = {"t": "orders", "orders": {"forced": False, "idle": False}}
                    await match.sockets[side].send(json.dumps(plain))
                await asyncio.sleep(0.2)
                while len(here) < actions and not match.last["red"].get("result"):
                    mover, watcher = ("red", "blue") if match.last["red"]["actions"] else ("blue", "red")
                    version = match.last[mover]["version"]
                    action = random.Random(version).choice(match.last[mover]["actions"])["action"]
                    began = time.monotonic()
                    act = {"t": "act", "version": version, "action": action}
                    await match.sockets[mover].send(json.dumps(act))
                    await match.all_at(version + 1)
                    here.append((match.seen[watcher][version + 1] - began) * 1000)
                    there.append((match.seen[f"{watcher} elsewhere"][version + 1] - began) * 1000)
                    await asyncio.sleep(0.02)
    return {
        "actions": len(here),
        "same_p50_ms": share(here, 0.5),
        "same_p95_ms": share(here, 0.95),
        "across_p50_ms": share(there, 0.5),
        "across_p95_ms": share(there, 0.95),
        "later_p95_ms": round(share(there, 0.95) - share(here, 0.95), 2),
    }


LOAD = """
import asyncio, json, sys
from server.howsoon import load
sys.stdout.write(json.dumps(asyncio.run(load(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))) + chr(10))
"""


async def load(url: str, matches: int, seconds: float) -> int:
    """Both sides of so many matches, as quick as it goes; the actions that were acknowledged."""
    done = 0
    end = time.monotonic() + seconds

    async def one(number: int) -> None:
        nonlocal done
        source = random.Random(number)
        async with httpx.AsyncClient(base_url=url, timeout=60) as http:
            token = (await http.post("/api/guest", json={"token": True})).json()["token"]
            headers = {"Authorization": f"Bearer {token}"}
            seats = {"red": {"kind": "me"}, "blue": {"kind": "me"}}
            while time.monotonic() < end:
                answer = await http.post("/api/matches", json={"game": "outpost", "seats": seats}, headers=headers)
                address = f"{url.replace('http', 'ws')}/api/matches/{answer.json()['match']['id']}/live?full=1"
                async with websockets.connect(address, additional_headers=headers, compression=None) as socket:
                    while time.monotonic() < end:
                        message = json.loads(await asyncio.wait_for(socket.recv(), 60))
                        if message["t"] == "done":
                            done += 1
                        if message["t"] not in ("welcome", "update"):
                            continue
                        if message.get("result"):
                            break
                        if message["actions"]:
                            choice = source.choice(message["actions"])
                            act = {"t": "act", "id": 1, "version": message["version"], "n": choice["n"]}
                            await socket.send(json.dumps(act))
                        elif message["handover"]:
                            await socket.send(json.dumps({"t": "seat", "side": message["handover"]["to"]}))

    await asyncio.gather(*[one(number) for number in range(matches)])
    return done


def _pin(core: int, process: Process, mark: str, postgres: Postgres) -> None:
    """Keep a server, and the database's processes that work for it, to one processor."""
    assert process.process is not None
    for task in os.listdir(f"/proc/{process.process.pid}/task"):
        os.sched_setaffinity(int(task), {core})
    for pid in postgres.backends(mark):
        os.sched_setaffinity(pid, {core})


async def throughput(postgres: Postgres, name: str, *, seconds: float = 15, matches: int = 20) -> dict[str, float]:
    """Actions a second of one process on one processor, and of two on two; each processor has its own bots too."""
    database = postgres.database(name)
    found: dict[str, list[float]] = {"one": [], "two": []}
    marks = ["house_a", "house_b"]
    processes = [Process(f"{database}?application_name={mark}") for mark in marks]
    try:
        for process in processes:
            process.launch()
            await process.answers()
        for round_ in range(4):
            both = processes if round_ % 2 else processes[:1]
            crowds = []
            for core, process in enumerate(both):
                arguments = [sys.executable, "-c", LOAD, process.url, str(matches), str(seconds)]
                crowd = subprocess.Popen(arguments, env=environment(), stdout=subprocess.PIPE)
                os.sched_setaffinity(crowd.pid, {core})
                crowds.append(crowd)
            for _ in range(5):
                await asyncio.sleep(0.5)
                for core, process in enumerate(processes):
                    _pin(core, process, marks[core], postgres)
            told = [(await asyncio.to_thread(crowd.communicate))[0] for crowd in crowds]
            found["two" if len(both) == 2 else "one"].append(sum(map(int, told)) / seconds)
    finally:
        for process in processes:
            process.stop()
    one, two = max(found["one"]), max(found["two"])
    return {"one_per_s": round(one, 1), "two_per_s": round(two, 1), "times": round(two / one, 2)}
