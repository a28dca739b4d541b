"""Who is connected to a match, to whichever process; and how many connections an account has."""

from __future__ import annotations

import contextlib
from collections import Counter
from typing import NamedTuple

from sandtable.server.connection import Connection
from sandtable.server.house import GONE_MS, House
from sandtable.server.store import Statement, Store, StoreError
from sandtable.server.store.base import now

ENTER = (
    "INSERT INTO presence (id, process, match_id, user_id, side, pace) VALUES (?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (id) DO UPDATE SET side = excluded.side, pace = excluded.pace"
)
COUNT = "SELECT count(*) FROM presence p JOIN processes h ON h.name = p.process WHERE p.user_id = ? AND h.seen > ?"


class Guest(NamedTuple):
    """Somebody who is connected to another process."""

    process: str
    user: str
    side: str
    """Empty for observers."""
    pace: str


class Presence:
    """The connections of one process, which is the only one."""

    def __init__(self) -> None:
        self._here: dict[str, tuple[Connection, str]] = {}
        self._accounts: Counter[str] = Counter()

    async def enter(self, connection: Connection, match_id: str, most: int) -> bool:
        """A connection comes; False: the account has too many."""
        if self._accounts[connection.user.id] >= most:
            return False
        self._accounts[connection.user.id] += 1
        self._here[connection.id] = (connection, match_id)
        return True

    async def leave(self, connection: Connection) -> None:
        """A connection goes."""
        if self._here.pop(connection.id, None) is not None:
            self._accounts[connection.user.id] -= 1
            if not self._accounts[connection.user.id]:
                del self._accounts[connection.user.id]

    async def change(self, connection: Connection) -> None:
        """A connection looks from another side, or wants another pace."""

    async def elsewhere(self, match_id: str) -> list[Guest]:
        """Those who are connected to a match by other processes."""
        return []

    async def compare(self) -> None:
        """Mend what others are told of this process."""

    @property
    def connections(self) -> int:
        """How many there are."""
        return len(self._here)

    def epochs(self) -> dict[str, int]:
        """The accounts that are connected here, as they were when they came."""
        return {connection.user.id: connection.user.epoch for connection, _ in self._here.values()}


class SharedPresence(Presence):
    """The connections of all processes of a house, in its database."""

    def __init__(self, house: House, store: Store) -> None:
        super().__init__()
        self._house = house
        self._store = store

    def _row(self, connection: Connection, match_id: str) -> Statement:
        row = (connection.id, self._house.name, match_id, connection.user.id, connection.side or "", connection.pace)
        return Statement(ENTER, row)

    async def enter(self, connection: Connection, match_id: str, most: int) -> bool:
        if not await super().enter(connection, match_id, most):
            return False
        try:
            await self._store.write(self._row(connection, match_id), *self._house.tell("presence", match_id))
            if (await self._store.read(COUNT, connection.user.id, now() - GONE_MS))[0][0] <= most:
                return True
        except StoreError:
            await self.leave(connection)
            raise
        await self.leave(connection)
        return False

    async def leave(self, connection: Connection) -> None:
        _, match_id = self._here.get(connection.id, (None, ""))
        await super().leave(connection)
        with contextlib.suppress(StoreError):
            gone = Statement("DELETE FROM presence WHERE id = ?", (connection.id,))
            await self._store.write(gone, *self._house.tell("presence", match_id))

    async def change(self, connection: Connection) -> None:
        if connection.id in self._here:
            match_id = self._here[connection.id][1]
            with contextlib.suppress(StoreError):
                await self._store.write(self._row(connection, match_id), *self._house.tell("presence", match_id))

    async def elsewhere(self, match_id: str) -> list[Guest]:
        sql = "SELECT process, user_id, side, pace FROM presence WHERE match_id = ? AND process <> ?"
        return [Guest(*row) for row in await self._store.read(sql, match_id, self._house.name)]

    async def compare(self) -> None:
        rows = await self._store.read("SELECT id FROM presence WHERE process = ?", self._house.name)
        kept = {row[0] for row in rows}
        missing = [self._row(*self._here[number]) for number in self._here.keys() - kept]
        wrong = [Statement("DELETE FROM presence WHERE id = ?", (number,)) for number in kept - self._here.keys()]
        if missing or wrong:
            await self._store.write(*missing, *wrong)


def presence_of(house: House, store: Store) -> Presence:
    """Whoever counts the connections of a house."""
    return SharedPresence(house, store) if house.shared else Presence()
