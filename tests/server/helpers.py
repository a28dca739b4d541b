"""A server in the test's own event loop, and clients that speak with it as any client would."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import uvicorn
import websockets

from sandtable.server.app import make_app
from sandtable.server.protocol import configured
from sandtable.server.settings import Settings
from sandtable.server.store.base import put_right

SECONDS = 60


def run(story: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a story in an event loop; a story that hangs fails."""

    async def bounded() -> None:
        await asyncio.wait_for(story(), 300)

    asyncio.run(bounded())


def settings_for(tmp_path: Path, **changes: Any) -> Settings:
    """Settings for tests: no pauses, generous limits."""
    plain: dict[str, Any] = {
        "port": 0,
        "database": str(tmp_path / "test.sqlite"),
        "games": ("server.outpost:GAME",),
        "watch_pause": 0,
        "fast_pause": 0,
        "hidden_pause": (0, 0),
        "accounts_per_minute": 1000,
        "matches_per_hour": 10_000,
        "messages_per_second": 10_000,
        "message_burst": 10_000,
        "requests_per_second": 10_000,
        "request_burst": 10_000,
        "connections": 1000,
        "private_webhooks": True,
        "seeded_duels": True,
    }
    return Settings(**{**plain, **changes})


class Running:
    """A running server."""

    def __init__(self, server: uvicorn.Server, app: Any, port: int) -> None:
        self.server = server
        self.state = app.state
        self.url = f"http://127.0.0.1:{port}"

    @asynccontextmanager
    async def client(self, name: str = "") -> AsyncIterator[Client]:
        """A guest."""
        async with httpx.AsyncClient(base_url=self.url, timeout=SECONDS) as http:
            client = Client(http, self.url)
            answer = await client.post("/api/guest", {"name": name, "token": True})
            client.token = answer["token"]
            client.user = answer["user"]
            yield client


@asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[Running]:
    """Serve in this event loop, at a free port."""
    app = make_app(settings)
    config = configured(app, settings)
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    task = asyncio.get_running_loop().create_task(server.serve())
    while not server.started:
        if task.done():
            task.result()
            raise AssertionError("the server did not start")
        await asyncio.sleep(0.005)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield Running(server, app, port)
    finally:
        server.should_exit = True
        await task


class Answered(AssertionError):
    """A request that was refused."""

    def __init__(self, status: int, error: dict[str, Any]) -> None:
        super().__init__(f"{status}: {error}")
        self.status = status
        self.code = error["code"]
        self.text = error["text"]


class Client:
    """An account's HTTP side."""

    def __init__(self, http: httpx.AsyncClient, url: str) -> None:
        self.http = http
        self.url = url
        self.token = ""
        self.user: dict[str, Any] = {}

    async def post(self, path: str, body: Any, method: str = "POST") -> Any:
        answer = await self.http.request(method, path, json=body)
        return self._read(answer)

    async def get(self, path: str, **query: Any) -> Any:
        return self._read(await self.http.get(path, params=query))

    def _read(self, answer: httpx.Response) -> Any:
        body = answer.json()
        if answer.status_code >= 400:
            raise Answered(answer.status_code, body["error"])
        return body

    async def new_match(self, **wish: Any) -> dict[str, Any]:
        answer = await self.post("/api/matches", {"game": "outpost", **wish})
        match: dict[str, Any] = answer["match"]
        return match

    async def join(self, link: str) -> dict[str, Any]:
        answer: dict[str, Any] = await self.post("/api/join", {"token": link.rpartition("/")[2]})
        return answer

    @asynccontextmanager
    async def live(self, match_id: str, **query: Any) -> AsyncIterator[Live]:
        """A connection to a match."""
        text = "&".join(f"{name}={value}" for name, value in query.items())
        url = f"{self.url.replace('http', 'ws')}/api/matches/{match_id}/live?{text}"
        headers = {"Authorization": f"Bearer {self.token}"}
        async with websockets.connect(url, additional_headers=headers, compression=None, max_size=None) as socket:
            yield Live(socket)


class Live:
    """A connection; it keeps everything that it was told and applies patches as a client does."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.told: list[dict[str, Any]] = []
        self.view: dict[str, Any] = {}
        self.actions: list[dict[str, Any]] = []
        self.last: dict[str, Any] = {}
        self.result: Any = None
        self._number = 0

    async def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(self.socket.recv(), SECONDS))
        self.told.append(message)
        if message["t"] in ("welcome", "update"):
            self.last = {**self.last, **message}
            self.actions = message.get("actions", [])
            self.result = message.get("result", self.result)
            if "view" in message:
                self.view = message["view"]
            else:
                assert message["base"] == self.view["version"]
                self.view = patched(self.view, message["patch"])
            assert self.view["version"] == message["version"]
        return message

    async def until(self, kind: str, /, **fields: Any) -> dict[str, Any]:
        """The next message of a kind (with such fields)."""
        while True:
            message = await self.receive()
            if message["t"] == kind and all(message.get(name) == value for name, value in fields.items()):
                return message

    async def send(self, kind: str, /, **fields: Any) -> int:
        self._number += 1
        await self.socket.send(json.dumps({"t": kind, "id": self._number, **fields}))
        return self._number

    async def ask(self, kind: str, /, **fields: Any) -> dict[str, Any]:
        """Send a message and wait for the answer with its number."""
        number = await self.send(kind, **fields)
        while True:
            message = await self.receive()
            if message.get("id") == number:
                return message

    async def act(self, n: int = 0, **fields: Any) -> dict[str, Any]:
        """Do the choice with that number, and wait until the view shows it."""
        answer = await self.ask("act", version=self.view["version"], n=n, **fields)
        if answer["t"] == "done":
            await self.at(answer["version"])
        return answer

    async def at(self, version: int) -> None:
        """Wait until the view has come so far."""
        while self.view["version"] < version:
            await self.receive()

    def choice(self, group: str, **fields: Any) -> int:
        """The number of the first choice of a group."""
        for choice in self.actions:
            if choice.get("group") == group and all(choice.get(name) == value for name, value in fields.items()):
                return int(choice["n"])
        raise AssertionError(f"there is no {group} {fields} among {self.actions}")


def patched(view: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    """A view with a patch applied, as `docs/api.md` says."""
    new = {**view, **{name: value for name, value in patch.items() if name != "pieces"}}
    pieces = patch.get("pieces")
    if isinstance(pieces, list):
        new["pieces"] = pieces
    elif pieces:
        put = {piece["id"]: piece for piece in pieces["put"]}
        kept = [put.pop(piece["id"], piece) for piece in view["pieces"] if piece["id"] not in pieces["gone"]]
        new["pieces"] = [*kept, *put.values()]
    return new


@contextmanager
def later(seconds: float) -> Iterator[None]:
    """So much time has gone by."""
    put_right(round(seconds * 1000))
    try:
        yield
    finally:
        put_right(-round(seconds * 1000))


def state_of(running: Running, match_id: str) -> Any:
    """The server's own match (for tests that must look behind the curtain)."""
    return running.state.hall._live[match_id].match


def as_json(value: Any) -> Any:
    """A value as clients see it."""
    return json.loads(msgspec.json.encode(value))
