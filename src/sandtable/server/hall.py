"""The hall: matches are found, loaded from the store, kept in memory while somebody needs them, and changed."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

import msgspec

from sandtable.engine import Match
from sandtable.engine.errors import SandtableError
from sandtable.server.accounts import Accounts, User
from sandtable.server.album import made_from
from sandtable.server.catalogue import Catalogue
from sandtable.server.house import House
from sandtable.server.jobs import computers_of
from sandtable.server.live import LiveMatch
from sandtable.server.loading import MATCH, catch_up, fill
from sandtable.server.metrics import Counts
from sandtable.server.notices import Notices
from sandtable.server.presence import presence_of
from sandtable.server.refusal import NO_MATCH, Overtaken, Refused
from sandtable.server.rooms import Rooms
from sandtable.server.settings import Settings
from sandtable.server.store import Conflict, NotSaved, Statement, Store, StoreError
from sandtable.server.store.base import now

log = logging.getLogger("sandtable.server")

T = TypeVar("T")

RECOVER_SECONDS = 0.5
SWEEP_SECONDS = 20.0
ALBUM_SECONDS = 60.0
"""So long after a start older matches are looked after: players come first."""
TURNS = 5
"""How often something is tried anew because another process was first."""
CHANGE = "UPDATE matches SET revision = revision + 1 WHERE id = ? AND revision = ?"
LEFT_ALONE = (
    "SELECT m.id FROM matches m LEFT JOIN drives d ON d.match_id = m.id WHERE m.automatic = 1 "
    "AND m.status IN ('running', 'waiting') AND (d.until IS NULL OR d.until < ?) LIMIT 50"
)
"""Matches that should go on by themselves, but nobody sees to it."""
KEEP_ALBUM = "INSERT INTO albums (match_id, rules, pages) VALUES (?, ?, ?) ON CONFLICT (match_id) DO NOTHING"


class Hall:
    """All matches of a server."""

    def __init__(
        self, settings: Settings, store: Store, accounts: Accounts, catalogue: Catalogue, house: House | None = None
    ) -> None:
        self.settings = settings
        self.store = store
        self.accounts = accounts
        self.catalogue = catalogue
        self.house = house or House()
        self.presence = presence_of(self.house, store)
        self.counts = Counts()
        self.computers = computers_of(settings, store, self.house)
        self.notices = Notices(settings, accounts, store)
        self.rooms = Rooms()
        self.open = True
        self._live: OrderedDict[str, LiveMatch] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveMatch]] = {}
        self._recovering: set[asyncio.Task[None]] = set()
        self._behind: dict[str, bool] = {}
        self.began = time.monotonic()

    @property
    def loaded(self) -> int:
        """How many matches are in memory."""
        return len(self._live)

    def in_memory(self, match_id: str) -> LiveMatch | None:
        """A match if it is in memory now."""
        return self._live.get(match_id)

    # -- finding ------------------------------------------------------------------------

    async def get(self, match_id: str) -> LiveMatch:
        """A match by its id, from memory or from the store."""
        live = self._live.get(match_id)
        if live is not None:
            self._live.move_to_end(match_id)
            live.used = time.monotonic()
            if live.trouble:
                await self.refresh(live)
            else:
                await self.catch_up(live)
            return live
        task = self._loading.get(match_id)
        if task is None:
            task = self._loading[match_id] = asyncio.ensure_future(self._load(match_id))
            task.add_done_callback(lambda _: self._loading.pop(match_id, None))
        return await asyncio.shield(task)

    async def for_user(self, match_id: str, user: User) -> LiveMatch:
        """A match that the account plays in or may observe; otherwise it does not exist."""
        live = await self.get(match_id)
        asked = any(seat.opened_by == user.id for seat in live.seats.values())  # he still looks for a substitute
        if live.sides_of(user.id) or asked or live.creator == user.id or await self._observes(match_id, user.id):
            return live
        raise Refused("not_found", NO_MATCH)

    async def _observes(self, match_id: str, user_id: str) -> bool:
        sql = "SELECT 1 FROM members WHERE match_id = ? AND user_id = ? AND observer = 1"
        return bool(await self.store.read(sql, match_id, user_id))

    async def _load(self, match_id: str) -> LiveMatch:
        rows = await self.read(MATCH, match_id)
        if not rows:
            raise Refused("not_found", NO_MATCH)
        live = LiveMatch(self, match_id, rows[0][0], rows[0][1])
        await fill(self, live, rows[0])
        self._live[match_id] = live
        self._make_room()
        await self.catch_up(live)  # whatever was told while it was read
        live.driver.wake()
        return live

    async def read(self, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """Rows of the store; that it is away is a refusal."""
        try:
            return await self.store.read(sql, *parameters)
        except NotSaved as error:
            raise Refused("not_saved", str(error)) from None

    async def write(self, live: LiveMatch, *statements: Statement, counted: bool = False) -> None:
        """Change something of a match in the store, unless another process was first. The lock is held.

        The change is counted, unless one of the statements does so.
        """
        change = [] if counted else [Statement(CHANGE, (live.id, live.revision), 1)]
        try:
            await self.store.write(*statements, *change, *self.house.tell("match", live.id))
        except Conflict:
            raise Overtaken from None
        live.revision += 1

    async def do(self, live: LiveMatch, work: Callable[[], Awaitable[T]]) -> T:
        """Do something in a match; if another process was first, catch up and look again.

        A caller who is cut off in the middle does not stop it: nobody else has the match before it is done.
        """
        return await asyncio.shield(asyncio.ensure_future(self._do(live, work)))

    async def _do(self, live: LiveMatch, work: Callable[[], Awaitable[T]]) -> T:
        async with live.lock:
            for _ in range(TURNS):
                try:
                    return await work()
                except Overtaken:
                    await self._after_another(live)
            return await work()

    async def catch_up(self, live: LiveMatch) -> None:
        """Take up what other processes may have done in a match."""
        if self.house.shared:
            async with live.lock:
                await catch_up(self, live)

    async def _after_another(self, live: LiveMatch) -> None:
        """What was refused because of another process is looked at anew with what that one did. The lock is held."""
        before = live.revision
        if self.house.shared:
            await catch_up(self, live)
        if live.revision == before and not live.trouble:  # it does not fit for another reason: read it anew
            live.trouble = True
        if live.trouble:
            await self._read_anew(live)

    def keep_album(self, live: LiveMatch) -> None:
        """Keep every step of a match that is over, so that it can be looked at under other rules too."""
        self._beside(self._keep_album(live.id, live.match))

    async def _keep_album(self, match_id: str, match: Match) -> None:
        record = msgspec.structs.replace(match.record(), secret=match.header.secret, outcome=None)
        try:
            pages = await self.rooms.do("studies", lambda: made_from(match.game, record, match).packed())
            await self.store.write(Statement(KEEP_ALBUM, (match_id, str(match.game.rules_version), pages)))
        except (SandtableError, RuntimeError) as error:
            log.warning("match %s: its steps cannot be kept: %s", match_id, error)

    async def keep_old_albums(self) -> None:
        """After a start: keep the steps of matches that were over before that was done."""
        await asyncio.sleep(ALBUM_SECONDS)
        rows = await self.store.read(
            "SELECT id FROM matches WHERE status = 'over' AND id NOT IN (SELECT match_id FROM albums)"
        )
        for (match_id,) in rows:
            try:
                live = await self.get(match_id)
                if live.album is None and live.match.version == live.version:
                    await self._keep_album(match_id, live.match)
            except Refused as refused:
                log.warning("match %s: %s", match_id, refused.text)
            await asyncio.sleep(1)

    def _beside(self, work: Coroutine[Any, Any, None]) -> None:
        async def quietly() -> None:
            try:
                await work
            except (Refused, StoreError) as error:  # the database is away; when it is back everything is compared
                log.info("something beside was not done: %s", error)

        task = asyncio.get_running_loop().create_task(quietly())
        self._recovering.add(task)
        task.add_done_callback(self._recovering.discard)

    async def refresh(self, live: LiveMatch) -> None:
        """Read a match anew whose memory may differ from the store, and tell everybody."""
        async with live.lock:
            if not live.trouble:
                return
            await self._read_anew(live)
        live.driver.wake()

    async def _read_anew(self, live: LiveMatch) -> None:
        rows = await self.read(MATCH, live.id)
        await fill(self, live, rows[0])
        live.trouble = False
        live.audience.welcome_all()

    def recover(self, live: LiveMatch) -> None:
        """Read a match anew as soon as the store answers, so that everybody sees what was really saved."""

        async def work() -> None:
            while live.trouble and self.open:
                try:
                    await self.refresh(live)
                except Refused:
                    await asyncio.sleep(RECOVER_SECONDS)

        self._beside(work())

    def _make_room(self) -> None:
        """Let go of matches that nobody looks at, the longest unused first."""
        for match_id, live in list(self._live.items()):
            if len(self._live) <= self.settings.live_matches:
                return
            if not live.audience.connections and not live.driver.busy and not live.lock.locked():
                self._forget(match_id)

    def _forget(self, match_id: str) -> None:
        del self._live[match_id]
        self._beside(self.house.leaves([match_id]))

    async def sweep(self) -> None:
        """Now and then, let go of matches that are over and that nobody has looked at for a while."""
        while self.open:
            await asyncio.sleep(SWEEP_SECONDS)
            self.let_go(time.monotonic() - SWEEP_SECONDS)

    def let_go(self, since: float) -> None:
        """Let go of matches that are over and were last used before a time."""
        for match_id, live in list(self._live.items()):
            used = live.audience.connections or live.driver.busy or live.lock.locked() or live.used > since
            if (live.result or live.study) and not used:
                self._forget(match_id)

    def keep(self, live: LiveMatch) -> None:
        """A match that was just made stays in memory."""
        self._live[live.id] = live
        self._make_room()

    async def resume(self) -> None:
        """After a start: go on with everything that goes on by itself."""
        for (match_id,) in await self.store.read("SELECT id FROM matches WHERE automatic = 1 AND status <> 'over'"):
            await self._wake(match_id)

    async def _wake(self, match_id: str) -> None:
        try:
            (await self.get(match_id)).driver.wake()
        except Refused as refused:
            log.warning("match %s: %s", match_id, refused.text)

    # -- other processes ----------------------------------------------------------------

    async def enter_house(self) -> None:
        """Begin to follow what other processes do, and to go on with what goes on by itself."""
        await self.house.open(self._hear, self._look)
        await self.computers.open()

    def _hear(self, kind: str, words: list[str]) -> None:
        """Another process has done something."""
        if kind in ("job", "answer"):
            self.computers.hear(kind, words)
        elif kind == "part":
            self._part_here(words[0], int(words[1]))
        elif kind == "gone":
            for live in self._live.values():
                live.others_changed()
        elif words[0] in self._live:
            self._hear_of(self._live[words[0]], kind, words)

    def _hear_of(self, live: LiveMatch, kind: str, words: list[str]) -> None:
        if kind == "match":
            self._follow(live)
        elif kind == "presence":
            self._beside(self._look_around(live))
        elif kind == "thinking":
            live.driver.thinks(words[1])

    def _follow(self, live: LiveMatch) -> None:
        """Catch up with a match soon; many notices at once are one reason."""
        under_way = live.id in self._behind
        self._behind[live.id] = True
        if not under_way:
            self._beside(self._catch_up(live))

    async def _catch_up(self, live: LiveMatch) -> None:
        try:
            while self._behind[live.id]:
                self._behind[live.id] = False
                async with live.lock:
                    await catch_up(self, live)
        except Refused as refused:  # the database is away; when it is back everything is compared
            log.info("match %s: %s", live.id, refused.text)
        finally:
            del self._behind[live.id]

    async def _look_around(self, live: LiveMatch) -> None:
        live.elsewhere = await self.presence.elsewhere(live.id)
        live.others_changed()

    async def _look(self) -> None:
        """Compare what is in memory with the store, and take up what nobody goes on with."""
        at = now()
        sql = "SELECT id, revision FROM matches WHERE id = ANY(?::text[])"
        for match_id, revision in await self.store.read(sql, list(self._live)):
            found = self._live.get(match_id)
            if found is not None and found.revision != revision:
                self._follow(found)
        came = self.presence.epochs()
        for user_id, epoch in await self.store.read(
            "SELECT id, epoch FROM users WHERE id = ANY(?::text[])", list(came)
        ):
            if epoch != came.get(user_id, epoch):
                self._part_here(user_id, 4401)
        await self.presence.compare()
        for live in list(self._live.values()):
            there = [guest for guest in live.elsewhere if guest.process in self.house.alive]
            if len(there) < len(live.elsewhere):
                live.elsewhere = there
                live.others_changed()
        for (match_id,) in await self.store.read(LEFT_ALONE, at):
            if await self.house.drives(match_id):
                self._beside(self._wake(match_id))

    async def close(self) -> None:
        """Say good-bye to everybody; what was saved stays."""
        self.open = False
        for task in self._recovering:
            task.cancel()
        for live in self._live.values():
            await live.driver.stop()
            for connection in live.audience.connections:
                connection.close(1012)
        await self.computers.close()
        await self.house.close()
        try:
            await self.store.write(*[line for live in self._live.values() for line in live.last_snapshot()])
        except StoreError as error:
            log.warning("the last positions were not kept: %s", error)
        await self.notices.close()
        self.rooms.close()

    # -- who comes and goes --------------------------------------------------------------

    async def part_from(self, user_id: str, code: int) -> None:
        """Close all connections of an account, to whichever process."""
        self._part_here(user_id, code)
        await self.house.say("part", user_id, str(code))

    def _part_here(self, user_id: str, code: int) -> None:
        for live in self._live.values():
            for connection in live.audience.connections:
                if connection.user.id == user_id:
                    connection.part(code)

    async def by_invitation(self, token: str) -> tuple[LiveMatch, str]:
        """The match and the side that an invitation is for."""
        match_id, dot, _ = token.partition(".")
        if dot and (live := await self._shared(match_id, token)) is not None:
            return live
        rows = await self.read("SELECT match_id, side FROM seats WHERE invitation = ?", token)
        if not rows:
            raise Refused("not_found", "This invitation is not valid, or somebody has taken the seat.")
        return await self.get(rows[0][0]), rows[0][1]

    async def _shared(self, match_id: str, token: str) -> tuple[LiveMatch, str] | None:
        """The match and the side that somebody is invited to share."""
        if not await self.read("SELECT 1 FROM matches WHERE id = ?", match_id):
            return None
        live = await self.get(match_id)
        return next(((live, one.side) for one in live.setup.partners if one.token == token), None)

    async def observe(self, token: str, user: User) -> LiveMatch:
        """Let an account observe the match of a watch link."""
        rows = await self.read("SELECT id FROM matches WHERE watch = ?", token)
        if not rows:
            raise Refused("not_found", "This link is not valid.")
        sql = (
            "INSERT INTO members (match_id, user_id, observer) VALUES (?, ?, 1) "
            "ON CONFLICT (match_id, user_id) DO UPDATE SET observer = 1"
        )
        await self.store.write(Statement(sql, (rows[0][0], user.id)))
        return await self.get(rows[0][0])
