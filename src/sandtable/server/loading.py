"""A match from the store into memory: the whole of it, or what other processes have added since."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.engine import Match, get_game
from sandtable.engine.errors import SandtableError
from sandtable.engine.record import Header, Step
from sandtable.engine.tools import Orders
from sandtable.server import sharing
from sandtable.server.forms import ChatLine, Clocks, Request, Result, SeatRow, Setup, to_json
from sandtable.server.live import SNAPSHOT_STEPS, LiveMatch
from sandtable.server.rebuild import Logged, Passed, entries_of, play_on, read_record_of, rebuild_with_log
from sandtable.server.refusal import Refused
from sandtable.server.salvage import NothingLeft, Salvaged, Snapshot, compare, salvage
from sandtable.server.seats import SEAT, seat_of_row
from sandtable.server.store import Statement
from sandtable.server.store.base import now

if TYPE_CHECKING:
    from sandtable.server.hall import Hall

log = logging.getLogger("sandtable.server")

MATCH = (
    "SELECT title, creator, status, header, start, setup, watch, clocks, requests, result, created, changed, version, "
    "revision FROM matches WHERE id = ?"
)
SKEW_MS = 3_000
"""So far the time of two processes may differ."""
SEATS = f"SELECT {SEAT} FROM seats s LEFT JOIN users u ON u.id = s.user_id WHERE s.match_id = ? ORDER BY s.position"
STEPS = "SELECT n, entry, why, passed FROM steps WHERE match_id = ? AND n > ? AND n <= ? ORDER BY n"
NEWS = f"""
SELECT setup, clocks, requests, result, changed, version, revision,
  (SELECT json_agg(json_build_array(n, entry, why, passed) ORDER BY n) FROM steps WHERE match_id = m.id AND n > ?),
  (SELECT json_agg(json_build_array({SEAT}) ORDER BY s.position)
     FROM seats s LEFT JOIN users u ON u.id = s.user_id WHERE s.match_id = m.id),
  (SELECT json_agg(json_build_array(n, name, side, text, at, room) ORDER BY n)
     FROM chat WHERE match_id = m.id AND n > ?),
  (SELECT json_agg(json_build_array(side, user_id)) FROM seen WHERE match_id = m.id)
FROM matches m WHERE id = ? AND revision <> ?"""
"""All that is new in a match, of one moment and in one question (PostgreSQL)."""
CHAT = "SELECT n, name, side, text, at, room FROM chat WHERE match_id = ? AND n > ? ORDER BY n"


async def fill(hall: Hall, live: LiveMatch, row: tuple[Any, ...]) -> None:
    """Everything about a match from the store; its state is rebuilt from the record, in a thread."""
    _, _, status, header_text, start, setup, watch, clocks, requests, result, created, changed, version, revision = row
    header = msgspec.json.decode(header_text, type=Header)
    steps = await hall.read(STEPS, live.id, 0, version)
    seats = await hall.read(SEATS, live.id)
    chat = await hall.read(CHAT, live.id, 0)
    snapshots = await hall.read("SELECT n, rules, dice, state FROM snapshots WHERE match_id = ?", live.id)
    kept = Snapshot(*snapshots[0]) if snapshots else None
    if [step[0] for step in steps] != list(range(1, version + 1)):
        raise Refused("not_now", "The record of this match has a gap: ask the keeper of the server.")

    def work() -> tuple[Match, list[Logged]]:
        entries = [step[1] for step in steps]
        record = read_record_of(header, msgspec.json.decode(start), entries)
        return rebuild_with_log(record, lambda match, number: compare(match, number, kept))

    lost = ""
    live.study, live.revision = status == "study", revision
    live.result = msgspec.json.decode(result, type=Result) if result else None
    live.kept = kept.n if kept else -1
    try:
        live.match, live.log = await hall.rooms.open(header.game, header.scenario, work)
        live.album = live.whole = None
    except Exception as error:  # whatever other rules make of an old record
        log.warning("match %s cannot be rebuilt: %s: %s", live.id, type(error).__name__, error)
        lost = await _salvage(hall, live, header, start, [step[1] for step in steps], kept, str(error))
    if not live.match.header.secret:
        live.match.header = header
    live.setup = msgspec.json.decode(setup, type=Setup)
    live.watch = watch
    live.seats = {seat.side: seat for seat in map(seat_of_row, seats)}
    live.requests = msgspec.json.decode(requests, type=tuple[Request, ...])
    live.clocks = _clocks(clocks)
    if lost and live.result is None and not live.study:
        await _end_of_old_rules(hall, live, lost)
    live.chat = [ChatLine(*line) for line in chat]
    live.why = {n: why for n, _, why, _ in steps if why}
    _keep_passed(live, steps)
    watched = await hall.read("SELECT side, user_id FROM seen WHERE match_id = ?", live.id)
    live.seen = {(side, user) for side, user in watched}
    live.acted = {entry.side for entry in live.match.record().entries if isinstance(entry, Step)}
    live.created, live.changed = created, changed
    live.elsewhere = await hall.presence.elsewhere(live.id)
    view = live.match.game.view(live.match.state, None)
    live.turn, live.phase = view.turn, view.phase


def _clocks(text: str | None) -> Clocks | None:
    """The clocks as they were kept; a moment that has yet to come was kept before a clock was set."""
    kept = msgspec.json.decode(text, type=Clocks) if text else None
    return Clocks(kept.left, now()) if kept is not None and kept.at > now() + SKEW_MS else kept


def _keep_passed(live: LiveMatch, steps: Sequence[tuple[Any, ...]]) -> None:
    """Which optional steps were passed for a side, and the lines of the log that tell of them."""
    live.passed = {}
    for n, _, _, text in steps:
        if text:
            live.passed[n] = passed = Passed(*msgspec.json.decode(text))
            at = next((at for at, line in enumerate(live.log) if line.version > n), len(live.log))
            live.log.insert(at, passed.line(n))


async def _salvage(
    hall: Hall, live: LiveMatch, header: Header, start: str, entries: list[str], kept: Snapshot | None, error: str
) -> str:
    """What can be had of a match that other rules played; a sentence if it cannot go on."""
    albums = await hall.read("SELECT pages FROM albums WHERE match_id = ?", live.id)

    def work() -> Salvaged:
        game = get_game(header.game)
        record = read_record_of(header, msgspec.json.decode(start), entries, strange=True)
        return salvage(game, record, kept, albums[0][0] if albums else "", error)

    try:
        found = await hall.rooms.do("studies", work)
    except NothingLeft as fault:
        if live.result is None and not live.study:
            await _end_of_old_rules(hall, live, str(fault))
        raise Refused("not_now", f"This match cannot be opened: {fault}") from None
    except SandtableError as fault:
        raise Refused("not_now", f"This match cannot be opened: {fault}") from None
    live.match, live.log, live.album, live.whole = found.match, found.log, found.album, found.whole
    return found.lost


async def _end_of_old_rules(hall: Hall, live: LiveMatch, why: str) -> None:
    """A running match that cannot go on is over, and says why."""
    live.result = Result("", why[:500], how="rules changed")
    sql = "UPDATE matches SET status = 'over', result = ?, to_act = '[]', automatic = 0, changed = ? WHERE id = ?"
    await hall.write(live, Statement(sql, (to_json(live.result), now(), live.id), 1))


# -- what others did --------------------------------------------------------------------


async def catch_up(hall: Hall, live: LiveMatch) -> None:
    """Take up what other processes have done in a match, and tell those who look at it here. The lock is held."""
    heard = live.chat[-1].n if live.chat else 0
    rows = await hall.read(NEWS, live.version, heard, live.id, live.revision)
    if not rows:
        return
    setup, clocks, requests, result, changed, version, revision, *lists = rows[0]
    steps, seats, chat, watched = [msgspec.json.decode(text) if text else [] for text in lists]
    candidate = await _played_on(hall, live, steps) if steps else live.match
    if candidate is None or candidate.version != version:
        live.trouble = True  # it does not join: read the whole of it
        hall.recover(live)
        return
    live.seen = {(side, user) for side, user in watched}
    shared = live.setup.partners
    live.setup = msgspec.json.decode(setup, type=Setup)
    _take_seats(live, [seat_of_row(row) for row in seats])
    had_asked, had_result, before = live.requests, live.result, live.version
    live.match, live.revision, live.changed = candidate, revision, changed
    live.requests = msgspec.json.decode(requests, type=tuple[Request, ...])
    live.result = msgspec.json.decode(result, type=Result) if result else None
    live.clocks = _clocks(clocks)
    live.acted |= {entry.side for entry in candidate.record().entries[before:] if isinstance(entry, Step)}
    for n, _, why, text in steps:
        if why:
            live.why[n] = why
        if text:
            live.passed[n] = Passed(*msgspec.json.decode(text))
    automatic = None if live.result else live.driver.next_of(candidate)
    live.pending = automatic.side if automatic else ""
    if steps:
        live.driver.thinking = ""
    asked, ended = had_asked != live.requests, had_result != live.result
    if steps or asked or ended:
        live.follow(before, asked=asked, ended=ended)
    if live.setup.partners != shared:
        sharing.told(live)
    for line in chat:
        live.audience.tell_chat(ChatLine(*line))
    live.driver.wake()


async def _played_on(hall: Hall, live: LiveMatch, steps: Sequence[tuple[Any, ...]]) -> Match | None:
    """The match with the steps that others added; None if they do not join on here."""

    def work() -> Match | None:
        try:
            candidate = live.match.clone()
            play_on(candidate, entries_of(candidate, [step[1] for step in steps]))
        except Exception as error:
            log.warning("match %s: what another process did does not join on: %r", live.id, error)
            return None
        return candidate

    if live.match.header.position is None and len(steps) < SNAPSHOT_STEPS:
        return work()
    return await hall.rooms.do("questions", work)


def _take_seats(live: LiveMatch, seats: list[SeatRow]) -> None:
    """Seats that others have changed: whoever has lost one is sent away, the rest are told."""
    old, live.seats = live.seats, {seat.side: seat for seat in seats}
    changed = {seat.side for seat in seats if seat != old.get(seat.side)}
    if not changed:
        return
    for connection in list(live.audience.connections):
        side = connection.side
        if side in changed and side not in live.sides_of(connection.user.id):
            connection.part(4409)
    for side in changed:
        if live.seats[side].orders != old[side].orders:
            live.audience.tell_orders(side)
    if any(_shown(live.seats[side]) != _shown(old[side]) for side in changed):
        live.audience.tell_match()


def _shown(seat: SeatRow) -> SeatRow:
    return msgspec.structs.replace(seat, orders=Orders())
