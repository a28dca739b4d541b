"""One open WebSocket: who it is, as whom it plays, and what waits to be sent."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from typing import Any, ClassVar

import msgspec

from sandtable.server.accounts import User

MOST_WAITING = 500
"""Messages that may wait for a slow reader before it is cut off."""
MOST_BYTES = 1_000_000
"""Bytes that may wait for one before another message is too much."""
MOST_BYTES_OF_ACCOUNT = 4_000_000
"""The same for all connections of an account."""

PACES = ("watch", "fast", "skip")


class Connection:
    """A client's connection to one match; sending never waits, a writer task empties the queue."""

    __slots__ = ("close_code", "full", "id", "listening", "pace", "queue", "side", "user", "waiting")

    of_accounts: ClassVar[Counter[str]] = Counter()
    """Bytes that wait for the connections of each account."""

    def __init__(self, user: User, side: str | None, *, full: bool) -> None:
        self.id = secrets.token_hex(8)
        self.user = user
        self.side = side
        self.full = full
        self.pace = "watch"
        self.queue: asyncio.Queue[str | None] = asyncio.Queue()
        self.close_code = 1000
        self.waiting = 0
        self.listening: asyncio.Task[Any] | None = None
        """The task that waits for the client's next message."""

    def send_text(self, text: str) -> None:
        """Put an encoded message into the queue."""
        if self.close_code != 1000:
            return
        slow = self.queue.qsize() >= MOST_WAITING or self.waiting > MOST_BYTES
        if slow or (self.waiting and self.of_accounts[self.user.id] > MOST_BYTES_OF_ACCOUNT):
            self._cut_off()
        else:
            self._count(len(text))
            self.queue.put_nowait(text)

    async def next_text(self) -> str | None:
        """The next message to be written; None: the connection ends."""
        text = await self.queue.get()
        if text is not None:
            self._count(-len(text))
        return text

    def _count(self, size: int) -> None:
        self.waiting += size
        self.of_accounts[self.user.id] += size
        if self.of_accounts[self.user.id] <= 0:
            del self.of_accounts[self.user.id]

    def drop(self) -> None:
        """Forget what waits to be sent."""
        while not self.queue.empty():
            self.queue.get_nowait()
        self._count(-self.waiting)

    def _cut_off(self) -> None:
        """The reader is too slow: nothing more is said to it or heard from it."""
        self.drop()
        self.part(4408)

    def send(self, message: dict[str, Any]) -> None:
        """Put a message into the queue."""
        self.send_text(msgspec.json.encode(message).decode())

    def part(self, code: int) -> None:
        """End the connection, and hear nothing more from it, be it that it does not read what it is told."""
        self.close(code)
        if self.listening is not None:
            self.listening.cancel()

    def close(self, code: int) -> None:
        """End the connection after what is waiting, with a code that says why."""
        if self.close_code == 1000:
            self.close_code = code
            self.queue.put_nowait(None)
