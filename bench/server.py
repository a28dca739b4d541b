"""The server's figures: how soon an action is seen, by how many, in how many games at a time.

The server runs in a process of its own with a SQLite file; the clients share another. `sandtable bench server` measures
all, `python -m bench.server GAME/SCENARIO` another game.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import websockets

from sandtable.engine import game_names
from sandtable.server.run import free_port

ROOT = Path(__file__).resolve().parent.parent
ACTIONS = 400
SPECTATORS, SPECTATED = 200, 60
GAMES, SECONDS = 200, 5
BUSY_GAMES, BUSY_SECONDS = 50, 5
ROUNDS = 3
"""The best of several rounds counts, as the machine is shared."""

START = """
import sys
from sandtable.server.run import run
from sandtable.server.settings import Settings
big = 10**9
run(Settings(port=int(sys.argv[1]), database=sys.argv[2], games=("server.outpost:GAME",), hidden_pause=(0, 0),
    accounts_per_minute=big, matches_per_hour=big, messages_per_second=big, message_burst=big,
    requests_per_second=big, request_burst=big, connections=big), lambda: None)
"""


@contextmanager
def server() -> Iterator[str]:
    """A server with a fresh database; ended afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port("127.0.0.1", 0)
        path = os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])
        arguments = [sys.executable, "-c", START, str(port), str(Path(folder) / "bench.sqlite")]
        process = subprocess.Popen(arguments, env={**os.environ, "PYTHONPATH": path})
        url = f"http://127.0.0.1:{port}"
        try:
            for _ in range(400):
                try:
                    if httpx.get(f"{url}/api/health").status_code == 200:
                        break
                except httpx.TransportError:
                    time.sleep(0.05)
            else:
                raise RuntimeError("the server did not start")
            yield url
        finally:
            process.terminate()
            process.wait()


class Table:
    """A game whose two sides are played by two connections of one account."""

    def __init__(self, client: Client, match: dict[str, Any]) -> None:
        self.client = client
        self.id = match["id"]
        self.sides: list[str] = match["sides"]
        self.watch = match["watch"]
        self.sockets: dict[str, Any] = {}
        self.version = 0
        self.choices: dict[str, int] = {}
        self.over = False
        self._seed = 1

    async def sit(self) -> None:
        """Connect both sides."""
        for side in self.sides:
            self.sockets[side] = await self.client.connect(self.id, side)
            await self._read(side, "welcome", 0)

    async def _read(self, side: str, kind: str, version: int) -> None:
        while True:
            message = json.loads(await self.sockets[side].recv())
            if message["t"] == "refused":
                raise RuntimeError(message["text"])
            if message["t"] in ("welcome", "update"):
                self.choices[side] = len(message["actions"])
                self.version = max(self.version, message["version"])
                self.over = self.over or bool(message.get("result"))
                if message["t"] == kind and message["version"] >= version:
                    return

    async def act(self) -> float:
        """One action; the seconds until the acting side and all others have their new view."""
        side = next(side for side in self.sides if self.choices[side])
        # A fixed sequence that is not always the first choice, so that the game moves on.
        self._seed = (self._seed * 1103515245 + 12345) % 2**31
        n = (self._seed >> 8) % self.choices[side]
        wanted = self.version + 1
        started = time.perf_counter()
        await self.sockets[side].send(json.dumps({"t": "act", "version": self.version, "n": n}))
        await asyncio.gather(*[self._read(side, "update", wanted) for side in self.sides])
        return time.perf_counter() - started

    async def leave(self) -> None:
        """Disconnect."""
        for socket in self.sockets.values():
            await socket.close()


class Client:
    """An account that makes and plays games."""

    def __init__(self, url: str, http: httpx.AsyncClient, token: str, game: str) -> None:
        self.url = url
        self.http = http
        self.token = token
        self.game, _, self.scenario = game.partition("/")

    async def connect(self, match: str, side: str) -> Any:
        """A connection to a match."""
        address = f"{self.url.replace('http', 'ws', 1)}/api/matches/{match}/live?side={side}"
        headers = {"Authorization": f"Bearer {self.token}"}
        return await websockets.connect(address, additional_headers=headers, compression=None, max_size=None)

    async def table(self, seed: int = 1) -> Table:
        """A new game at which both sides sit; forced choices are left to the players."""
        kinds = {"kind": "me"}
        body = {"game": self.game, "scenario": self.scenario, "seed": seed}
        info = (await self.http.get("/api/games")).json()["games"]
        scenarios = next(game["scenarios"] for game in info if game["id"] == self.game)
        sides = next(s["sides"] for s in scenarios if not self.scenario or s["id"] == self.scenario)
        answer = await self.http.post("/api/matches", json={**body, "seats": dict.fromkeys(sides, kinds)})
        table = Table(self, answer.json()["match"])
        await table.sit()
        for side, socket in table.sockets.items():
            await socket.send(json.dumps({"t": "orders", "id": 1, "orders": {"forced": False}}))
            while json.loads(await socket.recv())["t"] != "done":
                continue
            assert side in table.sides
        return table


async def client(url: str, http: httpx.AsyncClient, game: str) -> Client:
    """A guest."""
    token = (await http.post("/api/guest", json={"token": True})).json()["token"]
    return Client(url, http, token, game)


async def one_game(player: Client) -> list[float]:
    """The times of one action after another."""
    times: list[float] = []
    table = await player.table()
    while len(times) < ACTIONS:
        if table.over:
            await table.leave()
            table = await player.table(len(times))
        times.append(await table.act())
    await table.leave()
    return times[20:]


async def spectators(player: Client) -> list[float]:
    """The times until the last of many spectators has seen an action."""
    table = await player.table()
    sockets = [await player.connect(table.id, "observer") for _ in range(SPECTATORS)]

    async def seen(socket: Any, version: int) -> None:
        mark = f'"version":{version},'
        while True:
            text = await socket.recv()
            if text.startswith('{"t":"update"') and mark in text[:60]:
                return

    times: list[float] = []
    while len(times) < SPECTATED and not table.over:
        wanted = table.version + 1
        started = time.perf_counter()
        watching = asyncio.gather(*[seen(socket, wanted) for socket in sockets])
        await table.act()
        await watching
        times.append(time.perf_counter() - started)
    await asyncio.gather(*[socket.close() for socket in sockets])
    await table.leave()
    return times


async def many_games(player: Client) -> list[float]:
    """The times of actions in many games at a time, one a second in each."""
    tables = [await player.table(seed) for seed in range(GAMES)]
    times: list[float] = []

    async def play(table: Table, delay: float) -> None:
        await asyncio.sleep(delay)
        begun = time.perf_counter()
        for number in range(1, SECONDS + 1):
            if table.over:
                return
            times.append(await table.act())
            await asyncio.sleep(max(0.0, begun + number - time.perf_counter()))

    await asyncio.gather(*[play(table, n / GAMES) for n, table in enumerate(tables)])
    for table in tables:
        await table.leave()
    return times


async def busy_games(player: Client) -> float:
    """Actions a second over many games that are played as fast as they go."""
    tables = [await player.table(seed) for seed in range(BUSY_GAMES)]
    end = time.perf_counter() + BUSY_SECONDS
    done = 0

    async def play(table: Table) -> None:
        nonlocal done
        while time.perf_counter() < end and not table.over:
            await table.act()
            done += 1
            if table.over:
                await table.leave()
                table = await player.table(done)

    started = time.perf_counter()
    await asyncio.gather(*[play(table) for table in tables])
    return done / (time.perf_counter() - started)


async def measure(url: str, game: str) -> dict[str, float]:
    """All figures of a game, in milliseconds and actions a second."""
    async with httpx.AsyncClient(base_url=url, timeout=120) as http:
        player = await client(url, http, game)
        alone = min([await one_game(player) for _ in range(ROUNDS)], key=_p95)
        watched = min([await spectators(player) for _ in range(ROUNDS)], key=_p95)
        many = min([await many_games(player) for _ in range(ROUNDS)], key=_p95)
        busy = max([await busy_games(player) for _ in range(ROUNDS)])
    return {
        "action to updated view, p50": statistics.median(alone) * 1000,
        "action to updated view, p95": _p95(alone) * 1000,
        f"{SPECTATORS} spectators all updated, p95": _p95(watched) * 1000,
        f"{GAMES} games, one action a second each, p95": _p95(many) * 1000,
        f"actions a second over {BUSY_GAMES} games": busy,
    }


def _p95(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)]


MUST = (5.0, 15.0, 60.0, 60.0, 300.0)


def figures(games: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """The figures of the tiny test game, and of a squad-level scenario where there is one."""
    wanted = games or ("outpost", *(["aslsk2/S9"] if "aslsk2" in game_names() else []))
    found: list[dict[str, Any]] = []
    for game in wanted:
        with server() as url:
            measured = asyncio.run(measure(url, game))
        for (name, value), must in zip(measured.items(), MUST, strict=True):
            rate = name.startswith("actions")
            unit, better = ("/s", "higher") if rate else ("ms", "lower")
            figure = {"name": f"{game}: {name}", "value": round(value, 2), "unit": unit, "must": must}
            found.append({**figure, "better": better})
    return found


if __name__ == "__main__":
    print(json.dumps({"figures": figures(tuple(sys.argv[1:]))}, indent=2))
