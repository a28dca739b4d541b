"""The hall: matches are found, loaded from the store, kept in memory while somebody needs them, and changed."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Coroutine
from typing import Any

import msgspec

from sandtable.engine import Match, Record, get_game
from sandtable.engine.errors import SandtableError
from sandtable.engine.game import Game
from sandtable.engine.record import Header
from sandtable.engine.tools import Orders
from sandtable.players import level_name
from sandtable.server.accounts import Accounts, User
from sandtable.server.album import made_from
from sandtable.server.catalogue import Catalogue
from sandtable.server.computers import Computers
from sandtable.server.forms import ChatLine, Clocks, Request, Result, SeatRow, Setup, to_json
from sandtable.server.live import SNAPSHOT_STEPS, LiveMatch
from sandtable.server.notices import Notices
from sandtable.server.orders import told
from sandtable.server.rebuild import Logged, read_record_of, rebuild_with_log
from sandtable.server.refusal import NO_MATCH, Refused
from sandtable.server.rooms import Rooms
from sandtable.server.salvage import Salvaged, Snapshot, salvage
from sandtable.server.seats import check_change, newly_seen, statements
from sandtable.server.settings import Settings
from sandtable.server.store import NotSaved, Statement, Store, StoreError
from sandtable.server.store.base import now
from sandtable.server.tokens import new_secret_token

log = logging.getLogger("sandtable.server")

RECOVER_SECONDS = 0.5
SWEEP_SECONDS = 60.0
LISTED = 500
"""Matches that a list has at once."""
ALBUM_SECONDS = 60.0
"""So long after a start older matches are looked after: players come first."""
KEEP_ALBUM = "INSERT INTO albums (match_id, rules, pages) VALUES (?, ?, ?) ON CONFLICT (match_id) DO NOTHING"

MATCH = (
    "SELECT title, creator, status, header, start, setup, watch, clocks, requests, result, created, changed "
    "FROM matches WHERE id = ?"
)
SEATS = (
    "SELECT s.side, s.kind, s.user_id, u.name, u.name_key, s.level, s.invitation, s.orders, s.opened_by "
    "FROM seats s LEFT JOIN users u ON u.id = s.user_id WHERE s.match_id = ? ORDER BY s.position"
)
MINE = (
    "(SELECT match_id FROM seats WHERE user_id = ? UNION SELECT id FROM matches WHERE creator = ? "
    "UNION SELECT match_id FROM members WHERE user_id = ? AND observer = 1)"
)
LIST = (
    "SELECT id, game, scenario, title, status, version, to_act, turn, phase, result, created, changed, creator "
    f"FROM matches WHERE id IN {MINE} ORDER BY changed DESC, id LIMIT ? OFFSET ?"
)
SEATS_OF_ALL = (
    "SELECT s.match_id, s.side, s.kind, s.user_id, u.name, u.name_key, s.level, s.invitation, s.orders, s.opened_by "
    f"FROM seats s LEFT JOIN users u ON u.id = s.user_id WHERE s.match_id IN {MINE} ORDER BY s.position"
)


class Hall:
    """All matches of a server."""

    def __init__(self, settings: Settings, store: Store, accounts: Accounts, catalogue: Catalogue) -> None:
        self.settings = settings
        self.store = store
        self.accounts = accounts
        self.catalogue = catalogue
        self.computers = Computers(settings)
        self.notices = Notices(settings, accounts)
        self.rooms = Rooms()
        self.open = True
        self._live: OrderedDict[str, LiveMatch] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveMatch]] = {}
        self._recovering: set[asyncio.Task[None]] = set()
        self._started = now()

    # -- finding ------------------------------------------------------------------------

    async def get(self, match_id: str) -> LiveMatch:
        """A match by its id, from memory or from the store."""
        live = self._live.get(match_id)
        if live is not None:
            self._live.move_to_end(match_id)
            live.used = time.monotonic()
            if live.trouble:
                await self.refresh(live)
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
        rows = await self._read(MATCH, match_id)
        if not rows:
            raise Refused("not_found", NO_MATCH)
        live = LiveMatch(self, match_id, rows[0][0], rows[0][1])
        await self._fill(live, rows[0])
        self._live[match_id] = live
        self._make_room()
        live.driver.wake()
        return live

    async def _read(self, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
        try:
            return await self.store.read(sql, *parameters)
        except NotSaved as error:
            raise Refused("not_saved", str(error)) from None

    async def _fill(self, live: LiveMatch, row: tuple[Any, ...]) -> None:
        """Everything about a match from the store; its state is rebuilt from the record, in a thread."""
        _, _, status, header_text, start, setup, watch, clocks, requests, result, created, changed = row
        header = msgspec.json.decode(header_text, type=Header)
        steps = await self._read("SELECT n, entry, why FROM steps WHERE match_id = ? ORDER BY n", live.id)
        seats = await self._read(SEATS, live.id)
        sql = "SELECT n, name, side, text, at, room FROM chat WHERE match_id = ? ORDER BY n"
        chat = await self._read(sql, live.id)
        if [step[0] for step in steps] != list(range(1, len(steps) + 1)):
            raise Refused("not_now", "The record of this match has a gap: ask the keeper of the server.")

        def work() -> tuple[Match, list[Logged]]:
            entries = [step[1] for step in steps]
            return rebuild_with_log(read_record_of(header, msgspec.json.decode(start), entries))

        lost = ""
        try:
            live.match, live.log = await self.rooms.open(header.game, header.scenario, work)
            live.album = None
        except Exception as error:  # whatever other rules make of an old record
            log.warning("match %s cannot be rebuilt: %s: %s", live.id, type(error).__name__, error)
            lost = await self._salvage(live, header, start, [step[1] for step in steps], str(error))
        live.kept = live.version - live.version % SNAPSHOT_STEPS
        if not live.match.header.secret:
            live.match.header = header
        live.study = status == "study"
        live.setup = msgspec.json.decode(setup, type=Setup)
        live.watch = watch
        live.seats = {seat.side: seat for seat in map(_seat, seats)}
        live.requests = msgspec.json.decode(requests, type=tuple[Request, ...])
        live.result = msgspec.json.decode(result, type=Result) if result else None
        live.clocks = msgspec.json.decode(clocks, type=Clocks) if clocks else None
        if live.clocks is not None and not self._started <= live.clocks.at <= now():
            live.clocks = Clocks(live.clocks.left, self._started)  # nobody's clock runs while the server is down
        if lost and live.result is None and not live.study:
            await self._end_of_old_rules(live, lost)
        live.chat = [ChatLine(*line) for line in chat]
        live.why = {n: why for n, _, why in steps if why}
        watched = await self._read("SELECT side, user_id FROM seen WHERE match_id = ?", live.id)
        live.seen = {(side, user) for side, user in watched}
        live.acted = {entry.side for entry in live.match.record().entries}
        live.created, live.changed = created, changed
        view = live.match.game.view(live.match.state, None)
        live.turn, live.phase = view.turn, view.phase

    async def _salvage(self, live: LiveMatch, header: Header, start: str, entries: list[str], error: str) -> str:
        """What can be had of a match that other rules played; a sentence if it cannot go on."""
        snapshots = await self._read("SELECT n, rules, dice, state FROM snapshots WHERE match_id = ?", live.id)
        albums = await self._read("SELECT pages FROM albums WHERE match_id = ?", live.id)

        def work() -> Salvaged:
            try:
                record = read_record_of(header, msgspec.json.decode(start), entries)
            except SandtableError:  # even the actions are others now
                record = Record(header, (), secret=header.secret)
            kept = Snapshot(*snapshots[0]) if snapshots else None
            return salvage(get_game(header.game), record, kept, albums[0][0] if albums else "", error)

        try:
            found = await self.rooms.do("studies", work)
        except SandtableError as fault:
            raise Refused("not_now", f"This match cannot be opened: {fault}") from None
        live.match, live.log, live.album = found.match, found.log, found.album
        return found.lost

    async def _end_of_old_rules(self, live: LiveMatch, why: str) -> None:
        """A running match that cannot go on is over, and says why."""
        live.result = Result("", why[:500], how="rules changed")
        sql = "UPDATE matches SET status = 'over', result = ?, to_act = '[]', automatic = 0, changed = ? WHERE id = ?"
        await self.store.write(Statement(sql, (to_json(live.result), now(), live.id), 1))

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
        task = asyncio.get_running_loop().create_task(work)
        self._recovering.add(task)
        task.add_done_callback(self._recovering.discard)

    async def refresh(self, live: LiveMatch) -> None:
        """Read a match anew whose memory may differ from the store, and tell everybody."""
        async with live.lock:
            if not live.trouble:
                return
            rows = await self._read(MATCH, live.id)
            await self._fill(live, rows[0])
            live.trouble = False
            live.welcome_all()
        live.driver.wake()

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
            if not live.connections and not live.driver.busy and not live.lock.locked():
                del self._live[match_id]

    async def sweep(self) -> None:
        """Now and then, let go of matches that are over and that nobody has looked at for a while."""
        while self.open:
            await asyncio.sleep(SWEEP_SECONDS)
            self.let_go(time.monotonic() - SWEEP_SECONDS)

    def let_go(self, since: float) -> None:
        """Let go of matches that are over and were last used before a time."""
        for match_id, live in list(self._live.items()):
            used = live.connections or live.driver.busy or live.lock.locked() or live.used > since
            if (live.result or live.study) and not used:
                del self._live[match_id]

    def keep(self, live: LiveMatch) -> None:
        """A match that was just made stays in memory."""
        self._live[live.id] = live
        self._make_room()

    async def resume(self) -> None:
        """After a start: go on with everything that goes on by itself."""
        for (match_id,) in await self.store.read("SELECT id FROM matches WHERE automatic = 1 AND status <> 'over'"):
            try:
                await self.get(match_id)
            except Refused as refused:
                log.warning("match %s: %s", match_id, refused.text)

    async def close(self) -> None:
        """Say good-bye to everybody; what was saved stays."""
        self.open = False
        for task in self._recovering:
            task.cancel()
        for live in self._live.values():
            await live.driver.stop()
            for connection in live.connections:
                connection.close(1012)
        try:
            await self.store.write(*[line for live in self._live.values() for line in live.last_snapshot()])
        except StoreError as error:
            log.warning("the last positions were not kept: %s", error)
        await self.computers.close()
        await self.notices.close()
        self.rooms.close()

    # -- telling ------------------------------------------------------------------------

    def summary(self, live: LiveMatch, user_id: str | None) -> dict[str, Any]:
        """A match as its players and observers see it; with no account: the card of an invitation."""
        header = live.match.header
        card = self._card(header.game, header.scenario)
        card.update(
            id=live.id,
            title=live.title,
            options=header.options,
            status=live.status,
            version=live.version,
            sides=header.sides,
            seats=[self.seat_card(live, seat) for seat in live.seats.values()],
            to_act=live.to_act,
            turn=live.turn,
            phase=live.phase,
            clock=live.setup.clock,
            result=live.result,
            created=live.created,
            changed=live.changed,
            commitment=header.commitment,
            numbers=tuple(live.match.numbers()),
            seeded=header.seed is not None,
            hidden=live.hidden(),
            custom=header.position is not None,
            own_map=type(live.match.game).scene_of is not Game.scene_of,
            lesson=self.catalogue.lesson(header.game, live.setup.lesson),
        )
        if user_id is not None:
            yours = live.sides_of(user_id)
            creator = live.creator == user_id
            card.update(yours=yours, your_turn=any(side in live.to_act for side in yours), creator=creator)
            card["watch"] = f"/#/watch/{live.watch}" if live.watch and (creator or yours) else None
            card["invitations"] = {
                seat.side: f"/#/join/{seat.invitation}"
                for seat in live.seats.values()
                if seat.invitation and user_id == (seat.opened_by or live.creator)
            }
        return card

    def _card(self, game_id: str, scenario_id: str) -> dict[str, Any]:
        game_title, scenario_title = self.catalogue.titles(game_id, scenario_id)
        return {"game": game_id, "scenario": scenario_id, "game_title": game_title, "scenario_title": scenario_title}

    def seat_card(self, live: LiveMatch | None, seat: SeatRow) -> dict[str, Any]:
        """A seat as everybody sees it."""
        card: dict[str, Any] = {"side": seat.side, "kind": seat.kind, "name": seat.name, "guest": seat.guest}
        if seat.kind == "computer":
            card.update(level=seat.level, name=level_name(seat.level))
            card["stalled"] = live is not None and live.driver.stalled(seat)
        card["connected"] = live is not None and seat.kind == "person" and live.present(seat.side)
        return card

    async def list_of(self, user: User, *, archived: bool = False) -> list[dict[str, Any]]:
        """The newest matches of an account: those that wait for it first, then by last change."""
        return (await self.page_of(user, archived=archived))[0]

    async def page_of(self, user: User, *, archived: bool = False, skip: int = 0) -> tuple[list[dict[str, Any]], bool]:
        """So many matches of an account after the first ones, and whether there are more."""
        rows = await self._read(LIST, user.id, user.id, user.id, LISTED + 1, skip)
        more, rows = len(rows) > LISTED, rows[:LISTED]
        put_away = await self._read("SELECT match_id FROM members WHERE user_id = ? AND archived = 1", user.id)
        gone = {row[0] for row in put_away}
        seats: dict[str, list[SeatRow]] = {}
        for number, *seat in await self._read(SEATS_OF_ALL, user.id, user.id, user.id):
            seats.setdefault(number, []).append(_seat(tuple(seat)))
        found = [
            {**self._listed(row, seats.get(row[0], []), user), "archived": row[0] in gone}
            for row in rows
            if archived or row[0] not in gone
        ]
        return sorted(found, key=lambda match: not match["your_turn"]), more

    def _listed(self, row: tuple[Any, ...], seats: list[SeatRow], user: User) -> dict[str, Any]:
        number, game, scenario, title, status, version, to_act, turn, phase, result, made, changed, creator = row
        live = self._live.get(number)
        yours = [seat.side for seat in seats if seat.user == user.id]
        acting: list[str] = msgspec.json.decode(to_act) if status in ("running", "waiting") else []
        return {
            **self._card(game, scenario),
            "id": number,
            "title": title,
            "status": status,
            "version": version,
            "turn": turn,
            "phase": phase,
            "sides": [seat.side for seat in seats],
            "seats": [self.seat_card(live, seat) for seat in seats],
            "to_act": acting,
            "yours": yours,
            "your_turn": any(side in acting for side in yours),
            "creator": creator == user.id,
            "result": msgspec.json.decode(result) if result else None,
            "created": made,
            "changed": changed,
        }

    # -- seats --------------------------------------------------------------------------

    async def change_seat_to_computer(self, live: LiveMatch, side: str, level: str) -> None:
        """A computer player takes a seat. The lock is held."""
        await self._keep_seat(live, SeatRow(side, "computer", level=level))

    async def open_seat(self, live: LiveMatch, side: str, user: User) -> None:
        """A seat waits for whoever has the invitation. The lock is held."""
        await self._keep_seat(live, SeatRow(side, "open", invitation=new_secret_token(), opened_by=user.id))

    async def take_seat(self, live: LiveMatch, side: str, user: User) -> None:
        """A person takes a seat. The lock is held."""
        await self._keep_seat(live, SeatRow(side, "person", user.id, user.name, user.guest))

    async def _keep_seat(self, live: LiveMatch, seat: SeatRow) -> None:
        check_change(live, seat)
        old = live.seats[seat.side]
        sql = (
            "UPDATE seats SET kind = ?, user_id = ?, level = ?, invitation = ?, orders = ?, opened_by = ? "
            "WHERE match_id = ? AND side = ? AND kind = ?"
        )
        kept = (seat.kind, seat.user, seat.level, seat.invitation, to_json(seat.orders), seat.opened_by)
        row = (*kept, live.id, seat.side, old.kind)
        live.seats[seat.side] = seat
        seen = newly_seen(live, live.match)
        status, automatic = live.status, live.result is None and live.driver.next_of(live.match) is not None
        change = "UPDATE matches SET status = ?, automatic = ?, changed = ? WHERE id = ?"
        try:
            await self.store.write(
                Statement(sql, row, 1),
                Statement(change, (status, int(automatic), now(), live.id), 1),
                *statements(live, seen),
            )
        except NotSaved as error:
            live.seats[seat.side] = old
            raise Refused("not_saved", str(error)) from None
        live.seen.update(seen)
        for connection in list(live.connections):
            if connection.side == seat.side and connection.user.id != seat.user:
                connection.close(4409)
        live.driver.try_again(seat.side)
        live.tell_match()
        live.driver.wake()

    async def keep_orders(self, live: LiveMatch, side: str, orders: Orders) -> None:
        """Other standing orders of a seat."""
        sql = "UPDATE seats SET orders = ? WHERE match_id = ? AND side = ?"
        try:
            await self.store.write(Statement(sql, (to_json(orders), live.id, side), 1))
        except NotSaved as error:
            raise Refused("not_saved", str(error)) from None
        live.seats[side].orders = orders
        live.broadcast({"t": "orders", "orders": told(orders)}, lambda connection: connection.side == side)
        live.driver.wake()

    def part_from(self, user_id: str, code: int) -> None:
        """Close all connections of an account."""
        for live in self._live.values():
            for connection in live.connections:
                if connection.user.id == user_id:
                    connection.close(code)

    async def archive(self, live: LiveMatch, user: User, archived: bool) -> None:
        """Take a match out of an account's list, or put it back."""
        sql = (
            "INSERT INTO members (match_id, user_id, archived) VALUES (?, ?, ?) "
            "ON CONFLICT (match_id, user_id) DO UPDATE SET archived = excluded.archived"
        )
        await self.store.write(Statement(sql, (live.id, user.id, int(archived))))

    async def by_invitation(self, token: str) -> tuple[LiveMatch, str]:
        """The match and the side that an invitation is for."""
        rows = await self._read("SELECT match_id, side FROM seats WHERE invitation = ?", token)
        if not rows:
            raise Refused("not_found", "This invitation is not valid, or somebody has taken the seat.")
        return await self.get(rows[0][0]), rows[0][1]

    async def observe(self, token: str, user: User) -> LiveMatch:
        """Let an account observe the match of a watch link."""
        rows = await self._read("SELECT id FROM matches WHERE watch = ?", token)
        if not rows:
            raise Refused("not_found", "This link is not valid.")
        sql = (
            "INSERT INTO members (match_id, user_id, observer) VALUES (?, ?, 1) "
            "ON CONFLICT (match_id, user_id) DO UPDATE SET observer = 1"
        )
        await self.store.write(Statement(sql, (rows[0][0], user.id)))
        return await self.get(rows[0][0])


def _seat(row: tuple[Any, ...]) -> SeatRow:
    side, kind, user, name, key, level, invitation, orders, opened = row
    standing = msgspec.json.decode(orders, type=Orders)
    return SeatRow(side, kind, user, name or "", user is not None and key is None, level, invitation, standing, opened)
