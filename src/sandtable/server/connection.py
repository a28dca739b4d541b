"""One open WebSocket: who it is, as whom it plays, and what waits to be sent."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from sandtable.server.accounts import User

MOST_WAITING = 500
"""Messages that may wait for a slow reader before it is cut off."""

PACES = ("watch", "fast", "skip")


class Connection:
    """A client's connection to one match; sending never waits, a writer task empties the queue."""

    __slots__ = ("close_code", "full", "pace", "queue", "side", "user")

    def __init__(self, user: User, side: str | None, *, full: bool) -> None:
        self.user = user
        self.side = side
        self.full = full
        self.pace = "watch"
        self.queue: asyncio.Queue[str | None] = asyncio.Queue()
        self.close_code = 1000

    def send_text(self, text: str) -> None:
        """Put an encoded message into the queue."""
        if self.queue.qsize() >= MOST_WAITING:
            self.close(4408)
        else:
            self.queue.put_nowait(text)

    def send(self, message: dict[str, Any]) -> None:
        """Put a message into the queue."""
        self.send_text(msgspec.json.encode(message).decode())

    def close(self, code: int) -> None:
        """End the connection after what is waiting, with a code that says why."""
        if self.close_code == 1000:
            self.close_code = code
            self.queue.put_nowait(None)
