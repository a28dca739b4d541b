"""Several servers and workers on one PostgreSQL behind a balancer, killed again and again while bots play."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import ssl
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx
import msgspec
import websockets

from server.conftest import Postgres
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


PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""No certificates are looked at here, and reading them for every request would take longer than the request."""
CHECKS = 8
"""Tables that are compared with their records at a time."""


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
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
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


async def _checked(table: Table, turn: asyncio.Semaphore) -> int:
    async with turn:
        return await table.check()


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
    source = random.Random(seed)
    ended = asyncio.Event()
    async with AsyncExitStack() as stack:
        serving, working = await stack.enter_async_context(house(database, servers, workers))
        balancer = Balancer(serving, random.Random(seed))
        await balancer.open()
        crowd = [Table(balancer.url, n, pause, ended, computer=n % 4 == 3) for n in range(tables)]
        playing = [asyncio.ensure_future(table.play()) for table in crowd]
        stuck = await _all_go_on(crowd, playing, 120)
        told = {n: (list(crowd[n].promised), crowd[n].faults[-2:], dict(crowd[n].refused)) for n in stuck}
        assert not stuck, f"tables did not begin: {told}"
        break_at = {(kills * (n + 1)) // (restarts + 1) for n in range(restarts)}
        back: list[float] = []
        for number in range(kills):
            await asyncio.sleep(0.3 + source.random())
            for table in crowd:
                table.away.clear()
            victim = source.choice([*serving, *working])
            victim.kill()
            victim.launch()
            await victim.answers()
            await asyncio.sleep(0.5)
            if victim.serves:
                back += [seconds for table in crowd for seconds in table.away]
            if number in break_at:
                await asyncio.to_thread(postgres.stop)
                await asyncio.to_thread(postgres.start)
                await asyncio.sleep(2)
            if tell is not None and number % 10 == 9:
                tell({"kills": number + 1, "acknowledged": sum(table.acknowledged for table in crowd)})
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
        "refused": dict(refused),
    }


# -- how soon and how much --------------------------------------------------------------


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
from server.manytables import load
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
