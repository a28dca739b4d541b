"""A server that is killed again and again while games are played, and clients that check what they were promised."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import websockets

TESTS = Path(__file__).resolve().parent.parent

START = """
import sys
from sandtable.server.run import run
from sandtable.server.settings import Settings
big = 10**9
run(Settings(port=int(sys.argv[1]), database=sys.argv[2], games=("server.outpost:GAME",), hidden_pause=(0, 0.01),
    watch_pause=0, fast_pause=0, accounts_per_minute=big, matches_per_hour=big, messages_per_second=big,
    message_burst=big, requests_per_second=big, request_burst=big, connections=big), lambda: None)
"""


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def environment() -> dict[str, str]:
    """For processes of the server: our sources, and bytecode kept for the next start, as an installed one has it."""
    path = os.pathsep.join([str(TESTS.parent / "src"), str(TESTS)])
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": path, "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / "sandtable-bytecode")}


class Killable:
    """A server in a process of its own."""

    def __init__(self, database: str) -> None:
        self.database = database
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """Start and wait until it answers."""
        arguments = [sys.executable, "-c", START, str(self.port), self.database]
        self._process = subprocess.Popen(arguments, env=environment())
        async with httpx.AsyncClient() as http:
            for _ in range(600):
                try:
                    if (await http.get(f"{self.url}/api/health")).status_code == 200:
                        return
                except httpx.TransportError:
                    await asyncio.sleep(0.05)
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        """kill -9; it must still be there to be killed."""
        assert self._process is not None
        assert self._process.poll() is None, f"the server died by itself: {self._process.returncode}"
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        """End it properly."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait()


class Player:
    """Plays both sides of matches, one after another, and remembers every action that was acknowledged."""

    def __init__(self, server: Killable, seed: int) -> None:
        self.server = server
        self.source = random.Random(seed)
        self.token = ""
        self.promised: dict[str, dict[int, list[Any]]] = {}
        self.reconnected = 0
        self.acknowledged = 0
        self.killed_at = 0.0
        self.waited: list[float] = []
        """Seconds from each kill to the next action that was acknowledged."""

    async def post(self, path: str, body: dict[str, Any]) -> Any:
        """A request that is made again until the server answers."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        while True:
            try:
                async with httpx.AsyncClient(base_url=self.server.url, headers=headers, timeout=20) as http:
                    return (await http.post(path, json=body)).json()
            except httpx.TransportError:
                await asyncio.sleep(0.05)

    async def play(self, ended: asyncio.Event) -> None:
        """Play until told to stop."""
        self.token = (await self.post("/api/guest", {"token": True}))["token"]
        seats = {"red": {"kind": "me"}, "blue": {"kind": "me"}}
        while not ended.is_set():
            answer = await self.post("/api/matches", {"game": "outpost", "seats": seats})
            match = answer["match"]["id"]
            self.promised[match] = {}
            while not ended.is_set():
                try:
                    if await self._until_over(match, ended):
                        break
                except (OSError, websockets.WebSocketException):
                    self.reconnected += 1
                    await asyncio.sleep(0.02)

    async def _until_over(self, match: str, ended: asyncio.Event) -> bool:
        address = f"{self.server.url.replace('http', 'ws')}/api/matches/{match}/live?full=1"
        headers = {"Authorization": f"Bearer {self.token}"}
        promised = self.promised[match]
        async with websockets.connect(address, additional_headers=headers, compression=None, max_size=None) as ws:
            sent: list[tuple[int, list[Any]]] = []
            side = ""
            while not ended.is_set():
                message = json.loads(await asyncio.wait_for(ws.recv(), 20))
                if message["t"] == "done":
                    version, action = sent[message["id"]]
                    promised[version + 1] = action
                    self.acknowledged += 1
                    if self.killed_at:
                        self.waited.append(time.monotonic() - self.killed_at)
                        self.killed_at = 0.0
                if message["t"] not in ("welcome", "update"):
                    continue
                if message["t"] == "welcome":
                    side = message["side"]
                    assert message["version"] >= max(promised, default=0), "an acknowledged action was lost"
                if message.get("result"):
                    return True
                if message["actions"]:
                    choice = self.source.choice(message["actions"])
                    version, number = message["version"], len(sent)
                    sent.append((version, [side, choice["action"]]))
                    act = {"t": "act", "id": number, "version": version, "action": choice["action"]}
                    await ws.send(json.dumps(act))
                elif message["handover"]:
                    await ws.send(json.dumps({"t": "seat", "side": message["handover"]["to"]}))
        return False

    async def check(self) -> int:
        """Compare every promise with the record; the number of promises."""
        headers = {"Authorization": f"Bearer {self.token}"}
        async with httpx.AsyncClient(base_url=self.server.url, headers=headers, timeout=60) as http:
            for match, promised in self.promised.items():
                text = (await http.get(f"/api/matches/{match}/record")).text
                lines = [json.loads(line) for line in text.splitlines()]
                steps = [line for line in lines if isinstance(line, list)]
                for version, (side, action) in promised.items():
                    assert steps[version - 1][:2] == [side, action], f"step {version} of {match} is another one"
        return sum(map(len, self.promised.values()))


async def _progress(crowd: list[Player], playing: list[asyncio.Future[None]]) -> None:
    """Wait until every player has had another action acknowledged."""
    before = [player.acknowledged for player in crowd]
    while any(player.acknowledged <= count for player, count in zip(crowd, before, strict=True)):
        for task in playing:
            if task.done():
                task.result()
        await asyncio.sleep(0.01)


async def crash(database: str, *, kills: int, players: int, seed: int) -> dict[str, Any]:
    """Kill the server so many times at random moments under load; raises if a promise was broken."""
    server = Killable(database)
    await server.start()
    source = random.Random(seed)
    ended = asyncio.Event()
    crowd = [Player(server, seed + number) for number in range(players)]
    playing = [asyncio.ensure_future(player.play(ended)) for player in crowd]
    try:
        for _ in range(kills):
            await _progress(crowd, playing)
            await asyncio.sleep(source.random() * 0.5)
            server.kill()
            for player in crowd:
                player.killed_at = time.monotonic()
            await server.start()
        await _progress(crowd, playing)  # everybody has found the way back
        ended.set()
        await asyncio.gather(*playing)
        promises = sum([await player.check() for player in crowd])
        matches = sum(len(player.promised) for player in crowd)
        reconnected = sum(player.reconnected for player in crowd)
        waited = sorted(seconds for player in crowd for seconds in player.waited)
        late = waited[int(len(waited) * 0.95)] if waited else 0.0
        return {
            "kills": kills,
            "promises": promises,
            "matches": matches,
            "reconnected": reconnected,
            "first_again_p50": round(waited[len(waited) // 2], 2) if waited else 0.0,
            "first_again_p95": round(late, 2),
        }
    finally:
        for task in playing:
            task.cancel()
        server.stop()
