"""Long work beside the event loop: each kind in a room of its own, so that none keeps another waiting."""

from __future__ import annotations

import asyncio
import functools
import logging
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from sandtable.server.refusal import Refused

log = logging.getLogger("sandtable.server")

T = TypeVar("T")

AT_ONCE = 4
"""Pieces of work that one account may have waiting or under way in a room."""
LOADED = 24
"""Pages that one address may ask for at once; as a browser does when it opens a match ..."""
DRAWN = 2
"""... of which so many wait in the room itself, where everybody else waits too."""

SIZES = {"matches": 2, "questions": 2, "studies": 1, "records": 1, "stories": 1, "pages": 1}
"""Threads of each room: matches are opened and begun, players' questions answered, matches looked back at, records that
somebody brings played again, matches told, maps drawn."""


PLACES = 1_000
"""Maps that are remembered to be prepared."""


class Rooms:
    """The rooms of a server."""

    def __init__(self) -> None:
        self._pools = {name: ThreadPoolExecutor(size, f"sandtable-{name}") for name, size in SIZES.items()}
        self._busy: Counter[tuple[str, str]] = Counter()
        self._asked: Counter[str] = Counter()
        self._first: dict[tuple[str, str], asyncio.Lock] = {}
        self._lines: dict[str, asyncio.Semaphore] = {}
        self._known: set[tuple[str, str]] = set()

    async def do(self, room: str, work: Callable[..., T], *arguments: Any, account: str = "") -> T:
        """Do a piece of work in a room; an account that has too much waiting there is refused."""
        mine = (room, account)
        if account and self._busy[mine] >= AT_ONCE:
            raise Refused("too_many", "Your last requests are still being worked on: wait for them.", retry=1)
        self._busy[mine] += 1
        try:
            call = functools.partial(work, *arguments)
            return await asyncio.get_running_loop().run_in_executor(self._pools[room], call)
        finally:
            self._busy[mine] -= 1
            if not self._busy[mine]:
                del self._busy[mine]

    async def draw(self, address: str, work: Callable[..., T], *arguments: Any) -> T:
        """Find or make a page; who asks for many at once waits behind himself, and not everybody behind him."""
        if self._asked[address] >= LOADED:
            raise Refused("too_many", "Your last requests are still being worked on: wait for them.", retry=1)
        self._asked[address] += 1
        try:
            async with self._lines.setdefault(address, asyncio.Semaphore(DRAWN)):
                return await self.do("pages", work, *arguments)
        finally:
            self._asked[address] -= 1
            if not self._asked[address]:
                del self._asked[address], self._lines[address]

    async def open(self, game: str, scenario: str, work: Callable[..., T], *arguments: Any, account: str = "") -> T:
        """Begin or open a match; of many that need the same map only the first prepares it, the others wait."""
        place = (game, scenario)
        if place in self._known:
            return await self.do("matches", work, *arguments, account=account)
        try:
            async with self._first.setdefault(place, asyncio.Lock()):
                result = await self.do("matches", work, *arguments, account=account)
                if len(self._known) < PLACES:
                    self._known.add(place)
                return result
        finally:
            self._first.pop(place, None)

    def close(self) -> None:
        """Take no more work."""
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
