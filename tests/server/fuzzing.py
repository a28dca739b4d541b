"""A fuzzer over all message types and request bodies: whatever is sent, the answer is a refusal in a sentence."""

from __future__ import annotations

import asyncio
import json
import logging
import random
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import websockets

from sandtable.server.messages import Any_
from server.helpers import Client, serving, settings_for

KINDS = sorted(kind.__struct_config__.tag for kind in Any_.__args__)  # type: ignore[attr-defined]

BODIES = (
    ("PUT", "/api/me"),
    ("POST", "/api/me/email"),
    ("POST", "/api/guest"),
    ("POST", "/api/register"),
    ("POST", "/api/login"),
    ("POST", "/api/matches"),
    ("POST", "/api/records"),
    ("POST", "/api/join"),
    ("POST", "/api/watch"),
    ("POST", "/api/matches/MATCH/archive"),
    ("POST", "/api/matches/MATCH/lesson"),
    ("POST", "/api/matches/MATCH/seats/red"),
    ("POST", "/api/matches/MATCH/seats/nobody"),
)

WORDS = (
    "", "red", "blue", "c3", "zz9", "r1", "all", "undo", "draw", "always", "never", "\x00", "\ud7ff", "\u202e",
    "'; DROP TABLE", "../../etc", "x" * 300, "outpost", "aslsk2", "S9", "random", "computer@1", "9" * 40, "-1",
    "http://[", "a@b.cd", "NaN",
)  # fmt: skip

FIELDS = (
    "id", "t", "version", "n", "action", "then", "kind", "agree", "text", "room", "orders", "pieces", "to", "via", "a",
    "b", "side", "pace", "number", "rules", "unit", "do", "only", "absent", "forced", "type", "piece", "target", "at",
    "name", "password", "old_password", "notify", "email", "webhook", "on", "settings", "code", "game", "scenario",
    "options", "seats", "clock", "bank", "increment", "observers", "on_fault", "position", "seed", "lesson", "record",
    "title", "token", "archived", "level", "fresh", "state", "stack", "units",
)  # fmt: skip


class Fuzzer:
    """Makes values that somebody could send who does not mean well."""

    def __init__(self, seed: int) -> None:
        self.source = random.Random(seed)

    def value(self, depth: int = 0) -> Any:
        """Any value of JSON."""
        pick = self.source.random()
        if pick < 0.3:
            return self.source.choice(WORDS)
        if pick < 0.5:
            return self.source.choice((0, 1, -1, 7, 2**31, 2**63, -(2**63), 10**30, 1e308, 0.5))
        if pick < 0.65:
            return self.source.choice((None, True, False))
        if depth > 3:
            return {}
        if pick < 0.8:
            return [self.value(depth + 1) for _ in range(self.source.randrange(4))]
        return {self.source.choice(FIELDS): self.value(depth + 1) for _ in range(self.source.randrange(5))}

    def table(self, kind: str | None = None) -> dict[str, Any]:
        """An object with some fields."""
        made = {self.source.choice(FIELDS): self.value() for _ in range(self.source.randrange(6))}
        return {**made, "t": kind} if kind is not None else made

    def text(self, value: Any) -> str | bytes:
        """Its text, now and then damaged."""
        text = json.dumps(value)
        pick = self.source.random()
        if pick < 0.05 and text:
            at = self.source.randrange(len(text))
            return text[:at] + self.source.choice(("", "}", "\x00", '"', "[" * 50)) + text[at + 1 :]
        if pick < 0.08:
            return self.source.randbytes(self.source.randrange(40))
        return text


class Tracebacks(logging.Handler):
    """Counts what was logged with a traceback."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[0] is not None:
            self.found.append(self.format(record))


async def fuzz(folder: Path, count: int, seed: int) -> dict[str, Any]:
    """Send so many messages and bodies to a server; what came of it."""
    fuzzer, answers = Fuzzer(seed), Counter[str]()
    tracebacks = Tracebacks()
    logging.getLogger("sandtable").addHandler(tracebacks)
    logging.getLogger("asyncio").addHandler(tracebacks)
    accepted: list[str] = []
    try:
        async with serving(settings_for(folder)) as running, running.client("Anna") as anna, running.client() as bert:
            seats = {"red": {"kind": "me"}, "blue": {"kind": "invitation"}}
            match = await anna.new_match(seats=seats, seed=7)
            await bert.join(match["invitations"]["blue"])
            live = running.state.hall._live[match["id"]]
            by_socket = asyncio.ensure_future(_messages(fuzzer, bert, match["id"], count * 2 // 3, answers))
            await _bodies(fuzzer, anna, match["id"], count - count * 2 // 3, answers, accepted)
            await by_socket
            if live.version or live.result:
                accepted.append(f"the match is at step {live.version}, {live.result}")
    finally:
        logging.getLogger("sandtable").removeHandler(tracebacks)
        logging.getLogger("asyncio").removeHandler(tracebacks)
    return {"sent": count, "answers": dict(answers), "accepted": accepted, "tracebacks": tracebacks.found}


async def _messages(fuzzer: Fuzzer, client: Client, match: str, count: int, answers: Counter[str]) -> None:
    """Messages of a player whose turn it is not; those that would rightly end the match are left out."""
    url = f"{client.url.replace('http', 'ws')}/api/matches/{match}/live"
    headers = {"Authorization": f"Bearer {client.token}"}
    sent = 0
    while sent < count:
        async with websockets.connect(url, additional_headers=headers, compression=None, max_size=None) as socket:
            await socket.recv()
            try:
                while sent < count:
                    kind = fuzzer.source.choice(KINDS)
                    table = fuzzer.table(kind if fuzzer.source.random() < 0.9 else None)
                    if kind in ("resign", "offer_draw", "number") and table.get("t") == kind:
                        table["id"] = {"no": "number"}  # right otherwise
                    if kind == "act":  # its own side may act: whatever it names must not be an action
                        table["version"] = fuzzer.source.choice((99, -1, "1", None))
                    whole = isinstance(table.get("id"), dict)  # damaged it might become right
                    await socket.send(json.dumps(table) if whole else fuzzer.text(table))
                    sent += 1
                    if sent % 50 == 0 or sent == count:
                        await _hear(socket, answers)
            except websockets.ConnectionClosed:
                answers["closed"] += 1


async def _hear(socket: Any, answers: Counter[str]) -> None:
    """Everything that was answered so far."""
    await socket.send('{"t": "ping", "id": "so far"}')
    while True:
        message = json.loads(await asyncio.wait_for(socket.recv(), 60))
        if message.get("id") == "so far":
            return
        answers[message.get("code", message["t"])] += 1


async def _bodies(
    fuzzer: Fuzzer, client: Client, match: str, count: int, answers: Counter[str], accepted: list[str]
) -> None:
    async with httpx.AsyncClient(base_url=client.url, timeout=60, cookies=client.http.cookies) as http:
        for _ in range(count):
            method, path = fuzzer.source.choice(BODIES)
            body = fuzzer.text(fuzzer.table() if fuzzer.source.random() < 0.9 else fuzzer.value())
            headers = {"Content-Type": "application/json"}
            answer = await http.request(method, path.replace("MATCH", match), content=body, headers=headers)
            answers[f"HTTP {answer.status_code}"] += 1
            if answer.status_code >= 500:
                accepted.append(f"{method} {path} {body!r}: {answer.status_code} {answer.text}")
            elif answer.status_code < 300 and path in ("/api/register", "/api/login", "/api/join", "/api/watch"):
                accepted.append(f"{method} {path} {body!r}: {answer.text}")
