"""Bots play at a house with many tables whose processes are killed; what they were promised is compared."""

from __future__ import annotations

import asyncio
import json
import random
import ssl
import time
from collections import Counter
from contextlib import AsyncExitStack
from typing import Any

import httpx
import msgspec
import websockets

from server.conftest import Postgres
from server.manytables import Balancer, Process, house, share

PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""No certificates are looked at here, and reading them for every request would take longer than the request."""
CHECKS = 8
"""Tables that are compared with their records at a time."""


class Table:
    """A match of two bots, or of one and a computer player; after its end another one."""

    def __init__(self, url: str, number: int, pause: float, ended: asyncio.Event, *, computer: bool) -> None:
        self.url, self.pause, self.ended, self.computer = url, pause, ended, computer
        self.source = random.Random(number)
        self.promised: dict[str, dict[int, list[Any]]] = {}
        self.sent: dict[str, dict[int, list[list[Any]]]] = {}
        self.tokens: dict[str, str] = {}
        self.acknowledged = 0
        self.faults: list[str] = []
        self.lost: dict[tuple[str, str], float] = {}
        self.away: list[float] = []
        """Seconds for which a seat was without a connection."""
        self.refused: Counter[str] = Counter()
        self.doing: dict[str, str] = {}

    async def request(self, path: str, body: dict[str, Any] | None, token: str = "") -> Any:
        """A request that is made again until it is answered."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        while True:
            try:
                async with httpx.AsyncClient(base_url=self.url, headers=headers, timeout=20, verify=PLAIN) as http:
                    answer = await (http.get(path) if body is None else http.post(path, json=body))
                    if answer.status_code < 500 and answer.status_code != 408:  # a request that came too slowly
                        return answer.text if path.endswith("/record") else answer.json()
            except httpx.TransportError:
                pass
            await asyncio.sleep(0.1)

    async def play(self) -> None:
        """Match after match until told to stop."""
        while not self.ended.is_set():
            guests = [await self.request("/api/guest", {"token": True}) for _ in range(2)]
            if any("token" not in guest for guest in guests):
                self.faults.append(f"a guest was refused: {guests}")
                continue
            mine, other = [guest["token"] for guest in guests]
            opponent = {"kind": "computer", "level": "random"} if self.computer else {"kind": "invitation"}
            wish = {"game": "outpost", "seats": {"red": {"kind": "me"}, "blue": opponent}}
            answer = await self.request("/api/matches", wish, mine)
            if "match" not in answer:
                self.faults.append(f"a new match was refused: {answer}")
                continue
            match = answer["match"]
            self.tokens[match["id"]] = mine
            self.promised[match["id"]], self.sent[match["id"]] = {}, {}
            seats = [self.seat(match["id"], "red", mine)]
            if not self.computer:
                link = match["invitations"]["blue"].rpartition("/")[2]
                while "error" in await self.request("/api/join", {"token": link}, other):
                    card = await self.request(f"/api/matches/{match['id']}", None, other)
                    if "match" in card and card["match"]["yours"]:
                        break  # the first try was carried out, but its answer was lost
                seats.append(self.seat(match["id"], "blue", other))
            await asyncio.gather(*seats)

    async def seat(self, match: str, side: str, token: str) -> None:
        """Play one side to the end, coming back whenever the connection is lost."""
        while not self.ended.is_set():
            try:
                address = f"{self.url.replace('http', 'ws')}/api/matches/{match}/live?side={side}"
                floor = max(self.promised[match], default=0)
                headers = {"Authorization": f"Bearer {token}"}
                async with websockets.connect(
                    address, additional_headers=headers, compression=None, max_size=None, open_timeout=20
                ) as socket:
                    if await self._until_over(socket, match, side, floor):
                        return
            except (OSError, websockets.WebSocketException, TimeoutError):
                self.lost.setdefault((match, side), time.monotonic())
                await asyncio.sleep(0.05)

    async def _until_over(self, socket: Any, match: str, side: str, floor: int) -> bool:
        """Play on one connection. What was acknowledged before it, or by it, is never missing in a whole picture."""
        promised, sent = self.promised[match], self.sent[match]
        under_way: dict[int, tuple[int, list[Any]]] = {}
        chosen = -1
        while not self.ended.is_set():
            try:
                message = msgspec.json.decode(await asyncio.wait_for(socket.recv(), 5))
            except TimeoutError:
                await socket.send('{"t": "resync"}')
                continue
            kind = message["t"]
            self.doing[side] = f"{kind} {message.get('version', '')} {message.get('code', '')} chose {chosen}"
            if kind == "done" and message["id"] in under_way:
                version, action = under_way.pop(message["id"])
                promised[version + 1] = action
                floor = max(floor, version + 1)
                self.acknowledged += 1
            elif kind == "chat":
                self.doing["told"] = message["lines"][-1]["text"]
            elif kind == "refused":
                self.refused[message["code"]] += 1
                chosen = -1
                await asyncio.sleep(0.2)
                await socket.send('{"t": "resync"}')
            elif kind in ("welcome", "update"):
                if kind == "welcome":
                    if (match, side) in self.lost:
                        self.away.append(time.monotonic() - self.lost.pop((match, side)))
                    if message["version"] < floor:
                        self.faults.append(f"{match}: an acknowledged action was lost")
                    if message["orders"]["forced"]:
                        orders = {"forced": False, "idle": False}
                        await socket.send(json.dumps({"t": "orders", "orders": orders}))
                if message.get("result"):
                    return True
                if message["actions"] and message["version"] != chosen:
                    await asyncio.sleep(self.source.random() * 2 * self.pause)
                    chosen = version = message["version"]
                    action = [side, self.source.choice(message["actions"])["action"]]
                    number = len(under_way) + 1000 * version
                    under_way[number] = (version, action)
                    sent.setdefault(version + 1, []).append(action)
                    act = {"t": "act", "id": number, "version": version, "action": action[1]}
                    await socket.send(json.dumps(act))
        return False

    async def state(self) -> dict[str, Any]:
        """How the last match stands, for whoever wants to know why it does not go on."""
        match, token = list(self.tokens.items())[-1]
        card = (await self.request(f"/api/matches/{match}", None, token)).get("match", {})
        known = {name: card.get(name) for name in ("id", "version", "to_act", "status", "seats")}
        return {**known, "computer": self.computer, "lost": [side for _, side in self.lost], "doing": dict(self.doing)}

    async def check(self) -> int:
        """Compare every promise with the record: nothing lost, nothing done that was not asked for at that step."""
        for match, promised in self.promised.items():
            text = await self.request(f"/api/matches/{match}/record", None, self.tokens[match])
            if text.startswith('{"error"'):
                await self._ended_by(match)
                text = await self.request(f"/api/matches/{match}/record", None, self.tokens[match])
            steps = [line for line in map(json.loads, text.splitlines()) if isinstance(line, list)]
            for version, action in promised.items():
                if steps[version - 1][:2] != action:
                    self.faults.append(f"{match}: step {version} is another one than was acknowledged")
            for version, step in enumerate(steps, 1):
                asked = step[:2] in self.sent[match].get(version, []) or (self.computer and step[0] == "blue")
                if not asked:
                    self.faults.append(f"{match}: step {version} was asked for by nobody")
        return sum(map(len, self.promised.values()))

    async def _ended_by(self, match: str) -> None:
        """Resign, so that the record can be had."""
        headers = {"Authorization": f"Bearer {self.tokens[match]}"}
        address = f"{self.url.replace('http', 'ws')}/api/matches/{match}/live?side=red"
        async with websockets.connect(address, additional_headers=headers, compression=None, max_size=None) as socket:
            await socket.send('{"t": "resign", "id": 1}')
            while json.loads(await asyncio.wait_for(socket.recv(), 20)).get("id") != 1:
                pass


async def _all_go_on(tables: list[Table], playing: list[asyncio.Future[None]], seconds: float) -> list[int]:
    """Wait until every table has had another action acknowledged; the numbers of those that are stuck."""
    before = [table.acknowledged for table in tables]
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for task in playing:
            if task.done():
                task.result()
        if all(table.acknowledged > count for table, count in zip(tables, before, strict=True)):
            return []
        await asyncio.sleep(0.05)
    return [n for n, (table, count) in enumerate(zip(tables, before, strict=True)) if table.acknowledged <= count]


async def _all_back(tables: list[Table]) -> list[float]:
    """Wait until everybody has a connection; for how long each had none since this was last asked."""
    end = time.monotonic() + 20
    while any(table.lost for table in tables) and time.monotonic() < end:
        await asyncio.sleep(0.05)
    late = [time.monotonic() - since for table in tables for since in table.lost.values()]
    back = [seconds for table in tables for seconds in table.away]
    for table in tables:
        table.away.clear()
    return back + late


async def _checked(table: Table, turn: asyncio.Semaphore) -> int:
    async with turn:
        return await table.check()


async def _kill(victim: Process) -> None:
    """Kill a process and start it again."""
    victim.kill()
    victim.launch()
    await victim.answers()
    await asyncio.sleep(0.5)


async def _restart(postgres: Postgres) -> None:
    """Stop the database and start it again."""
    await asyncio.to_thread(postgres.stop)
    await asyncio.to_thread(postgres.start)
    await asyncio.sleep(2)


async def under_fire(
    postgres: Postgres,
    database: str,
    *,
    servers: int = 4,
    workers: int = 2,
    tables: int = 200,
    kills: int = 100,
    restarts: int = 5,
    pause: float = 3.0,
    seed: int = 1,
    tell: Any = None,
) -> dict[str, Any]:
    """Kill any process so many times and restart PostgreSQL while bots play; what was promised is compared."""
    source, ended = random.Random(seed), asyncio.Event()
    async with AsyncExitStack() as stack:
        serving, working = await stack.enter_async_context(house(database, servers, workers))
        balancer = Balancer(serving, random.Random(seed))
        await balancer.open()
        crowd = [Table(balancer.url, n, pause, ended, computer=n % 4 == 3) for n in range(tables)]
        playing = [asyncio.ensure_future(table.play()) for table in crowd]
        stuck = await _all_go_on(crowd, playing, 120)
        assert not stuck, f"tables did not begin: {[(crowd[n].faults[-2:], dict(crowd[n].refused)) for n in stuck]}"
        break_at = {(kills * (n + 1)) // (restarts + 1) for n in range(restarts)}
        back: list[float] = []
        back_after_restart: list[float] = []
        for number in range(kills):
            await asyncio.sleep(0.3 + source.random())
            await _kill(source.choice([*serving, *working]))
            if number in break_at:
                back += await _all_back(crowd)
                await _restart(postgres)
                back_after_restart += await _all_back(crowd)
            if tell is not None and number % 10 == 9:
                tell({"kills": number + 1, "acknowledged": sum(table.acknowledged for table in crowd)})
        back += await _all_back(crowd)
        stuck = await _all_go_on(crowd, playing, 60)
        told_of_stuck = [await crowd[n].state() for n in stuck]
        ended.set()
        await asyncio.gather(*playing)
        turn = asyncio.Semaphore(CHECKS)
        promises = sum(await asyncio.gather(*[_checked(table, turn) for table in crowd]))
        refused = sum([table.refused for table in crowd], Counter())
        await balancer.close()
    return {
        "kills": kills,
        "restarts_of_postgresql": restarts,
        "matches": sum(len(table.promised) for table in crowd),
        "promises": promises,
        "faults": [fault for table in crowd for fault in table.faults][:10],
        "fault_count": sum(len(table.faults) for table in crowd),
        "stuck": len(stuck),
        "stuck_tables": told_of_stuck,
        "came_back": len(back),
        "back_p50_s": share(back, 0.5),
        "back_p95_s": share(back, 0.95),
        "back_max_s": share(back, 1),
        "back_after_restart_p95_s": share(back_after_restart, 0.95),
        "refused": dict(refused),
    }
