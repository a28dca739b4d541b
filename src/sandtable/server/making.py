"""New matches: from a scenario, a position or a lesson; and records that somebody brings to look at."""

from __future__ import annotations

import time
from typing import Any

import msgspec

from sandtable.engine import Match, Record, get_game, get_scenario, new, read_record
from sandtable.engine.errors import SandtableError
from sandtable.players import levels, read_level
from sandtable.players.thinking import check_fits
from sandtable.server import seats
from sandtable.server.accounts import User
from sandtable.server.forms import Clock, Clocks, Result, SeatRow, Setup, one_line, to_json
from sandtable.server.hall import Hall
from sandtable.server.live import LiveMatch
from sandtable.server.rebuild import Logged, entry_text, lines_of, narrator, rebuild_with_log
from sandtable.server.refusal import Refused
from sandtable.server.salvage import snapshot_statement
from sandtable.server.store import Statement
from sandtable.server.store.base import now
from sandtable.server.tokens import new_id, new_secret_token

DAY = 24 * 3600
TITLE = 80
MOST_STEPS = 20_000
STUDY_SECONDS = 20
"""Processor time that a record may take to be played again."""

ADD_MATCH = (
    "INSERT INTO matches (id, game, scenario, title, creator, status, header, start, setup, watch, version, to_act, "
    "turn, phase, clocks, requests, result, automatic, created, changed) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '[]', ?, ?, ?, ?)"
)
ADD_SEAT = (
    "INSERT INTO seats (match_id, side, position, kind, user_id, level, invitation, opened_by) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
ADD_STEP = "INSERT INTO steps (match_id, n, entry, at) VALUES (?, ?, ?, ?)"


class SeatWish(msgspec.Struct):
    """Who should play a side."""

    kind: str
    level: str = ""
    partner: int = 0
    """Which partner's sharing of the side ends."""


class MatchWish(msgspec.Struct):
    """The body of a request for a new match."""

    game: str
    scenario: str = ""
    options: dict[str, str] = {}
    title: str = ""
    seats: dict[str, SeatWish] = {}
    clock: Clock | None = None
    observers: bool = True
    on_fault: str = "ask"
    position: dict[str, Any] | None = None
    seed: int | None = None
    lesson: str = ""


class RecordWish(msgspec.Struct):
    """The body of a request that brings a record."""

    record: str
    title: str = ""


async def make_match(hall: Hall, user: User, wish: MatchWish) -> LiveMatch:
    """Start a match and save it."""
    if wish.on_fault not in ("ask", "replace", "forfeit"):
        raise Refused("bad_request", "`on_fault` is ask, replace or forfeit.")
    check_clock(wish.clock)
    match_id = new_id("m")
    try:
        match = await hall.rooms.open(wish.game, wish.scenario, _start, hall, wish, match_id, account=user.id)
    except SandtableError as error:
        raise Refused("bad_request", str(error)) from None
    live = LiveMatch(hall, match_id, one_line(wish.title)[:TITLE], user.id)
    live.setup = Setup(wish.clock, wish.on_fault, wish.lesson)
    live.watch = new_secret_token() if wish.observers else None
    live.seats = {seat.side: seat for seat in seats_of(hall, user, match, wish)}
    if any(seat.kind == "open" for seat in live.seats.values()):
        refuse_known_dice(hall, match)
    if wish.clock:
        live.clocks = Clocks(dict.fromkeys(match.sides, wish.clock.bank * 1000), now())
    outcome = match.outcome
    live.result = Result(outcome.winner, outcome.reason, outcome.rule) if outcome else None
    match.narrator = narrator(match.game)
    await _keep(hall, live, match, lines_of(match.game, 0, match.told(0)), match.record())
    live.driver.wake()
    return live


def _start(hall: Hall, wish: MatchWish, match_id: str) -> Match:
    if wish.lesson:
        lesson = hall.catalogue.whole_lesson(wish.game, wish.lesson)
        what: Any = lesson.position or f"{wish.game}/{lesson.scenario}"
        return new(what, seed=lesson.seed, options=wish.options, match_id=match_id)
    if wish.position is not None:
        return new(wish.position, seed=wish.seed, options=wish.options, match_id=match_id)
    game = get_game(wish.game)
    scenario = get_scenario(game, wish.scenario).id if wish.scenario else game.scenarios()[0].id
    return new(f"{game.id}/{scenario}", seed=wish.seed, options=wish.options, match_id=match_id)


def refuse_known_dice(hall: Hall, match: Match) -> None:
    """Nobody is invited to a match whose dice its maker can know."""
    if match.header.seed is not None and not hall.settings.seeded_duels:
        raise Refused("bad_request", "With a seed the dice can be known beforehand: nobody else can be invited.")


def check_clock(clock: Clock | None) -> None:
    """A clock that makes sense."""
    if clock is not None and not (10 <= clock.bank <= 365 * DAY and 0 <= clock.increment <= 30 * DAY):
        raise Refused("bad_request", "A clock has a bank of 10 s to a year and an increment of up to 30 days.")


def seats_of(hall: Hall, user: User, match: Match, wish: MatchWish) -> list[SeatRow]:
    """The seats of a new match; sides that are not mentioned are mine (the first) or a computer player's."""
    strange = [side for side in wish.seats if side not in match.sides]
    if strange:
        raise Refused("bad_request", f"There is no side {strange[0][:40]}; the sides are {', '.join(match.sides)}.")
    own = _own_side(match, wish)
    if wish.lesson and (opponent := hall.catalogue.whole_lesson(match.header.game, wish.lesson).opponent):
        me = seat_of(hall, user, match.header.game, own, SeatWish("me"))
        return [me if side == own else SeatRow(side, "computer", level=opponent) for side in match.sides]
    wishes = {side: wish.seats.get(side, SeatWish("me" if side == own else "computer")) for side in match.sides}
    led = seats.ruled(match)  # whoever is wished for such a side
    return [
        SeatRow(side, "computer", level=seats.RULES)
        if side in led
        else seat_of(hall, user, match.header.game, side, seat)
        for side, seat in wishes.items()
    ]


def _own_side(match: Match, wish: MatchWish) -> str:
    """The side that falls to whoever starts the match without saying more."""
    if wish.lesson:
        return next((lesson.side for lesson in match.game.lessons() if lesson.id == wish.lesson), match.sides[0])
    free = [side for side in match.sides if side not in seats.ruled(match)]
    taken = any(seat.kind in ("me", "hotseat") for side, seat in wish.seats.items() if side in free)
    return "" if taken else free[0]


def seat_of(hall: Hall, user: User, game: str, side: str, wish: SeatWish) -> SeatRow:
    """One seat as wished."""
    if wish.kind in ("me", "hotseat"):
        return SeatRow(side, "person", user.id, user.name, user.guest)
    if wish.kind == "computer":
        return SeatRow(side, "computer", level=checked_level(hall, game, wish.level))
    if wish.kind == "invitation":
        return SeatRow(side, "open", invitation=new_secret_token(), opened_by=user.id)
    raise Refused("bad_request", "A seat is me, hotseat, computer or invitation.")


def checked_level(hall: Hall, game: str, level: str) -> str:
    """A level that plays the game, perhaps with a budget (`veteran@2`); the best simple one if none is named."""
    known = levels(game)
    if not level:
        return "recruit" if "recruit" in known else "random"
    if level.partition("@")[0] not in known:
        raise Refused("bad_request", f"{game} has no computer player of that level; it has {', '.join(known)}.")
    try:
        _, budget = read_level(game, level)
        if budget is not None:
            check_fits(budget, hall.settings.think_seconds)
    except SandtableError as error:
        raise Refused("bad_request", str(error)) from None
    if budget is not None and budget.rollouts:
        raise Refused("bad_request", "On a server a player thinks for seconds, not rollouts: write veteran@2.")
    return level


async def make_study(hall: Hall, user: User, wish: RecordWish) -> LiveMatch:
    """Keep a record that somebody brought, to be looked at."""

    def work() -> tuple[Record, Match, list[Logged]]:
        record = read_record(wish.record)
        if len(record.entries) > min(MOST_STEPS, get_game(record.header.game).length_limit):
            raise Refused("too_big", f"The record has {len(record.entries):,} steps: that is too long.")
        began = time.thread_time()

        def in_time(match: Match, number: int) -> None:
            if time.thread_time() - began > STUDY_SECONDS:
                raise Refused("too_big", f"The record takes more than {STUDY_SECONDS} s of playing again.")

        return record, *rebuild_with_log(record, in_time)

    try:
        record, match, log = await hall.rooms.do("records", work, account=user.id)
    except SandtableError as error:
        raise Refused("bad_request", str(error)) from None
    live = LiveMatch(hall, new_id("m"), one_line(wish.title)[:TITLE] or f"Record of {match.header.scenario}", user.id)
    live.study = True
    live.seats = {side: SeatRow(side, "closed") for side in match.sides}
    outcome = record.outcome or match.outcome or record.ended
    live.result = Result(outcome.winner, outcome.reason, outcome.rule) if outcome else None
    await _keep(hall, live, match, log, record)
    return live


async def _keep(hall: Hall, live: LiveMatch, match: Match, log: list[Logged], record: Record) -> None:
    live.match, live.log = match, log
    live.created = live.changed = at = now()
    view = match.game.view(match.state, None)
    live.turn, live.phase = view.turn, view.phase
    header = msgspec.structs.replace(match.header, secret=record.secret or match.header.secret)
    row = (
        live.id,
        header.game,
        header.scenario,
        live.title,
        live.creator,
        live.status,
        to_json(header),
        to_json(match.start_rolls),
        to_json(live.setup),
        live.watch,
        match.version,
        to_json(live.to_act),
        live.turn,
        live.phase,
        to_json(live.clocks) if live.clocks else None,
        to_json(live.result) if live.result else None,
        int(not live.study and live.result is None and live.driver.next_of(match) is not None),
        at,
        at,
    )
    statements = [Statement(ADD_MATCH, row, 1)]
    for number, seat in enumerate(live.seats.values()):
        seat_row = (live.id, seat.side, number, seat.kind, seat.user, seat.level, seat.invitation, seat.opened_by)
        statements.append(Statement(ADD_SEAT, seat_row, 1))
    if not live.study:
        seen = seats.newly_seen(live, match)
        statements += [*seats.statements(live, seen), snapshot_statement(live.id, match)]
        live.seen.update(seen)
    for number, entry in enumerate(record.entries, 1):
        statements.append(Statement(ADD_STEP, (live.id, number, entry_text(entry), at), 1))
    await hall.store.write(*statements)
    hall.keep(live)
