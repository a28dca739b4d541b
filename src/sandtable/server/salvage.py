"""Matches of older rules: they go on from a position that was kept, or can at least be looked at."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from sandtable.engine import Match, Record, StreamDice
from sandtable.engine.errors import Divergence, SandtableError
from sandtable.engine.game import Game
from sandtable.engine.record import Entry, Number
from sandtable.reading import decode
from sandtable.server.album import Album, unpacked
from sandtable.server.rebuild import Line, Logged, lines_of, narrator, play_on, rebuild
from sandtable.server.store import Statement

log = logging.getLogger("sandtable.server")


class Snapshot(NamedTuple):
    """A state that was kept after step n, and how far the dice had got."""

    n: int
    rules: str
    dice: int
    state: str


def compare(match: Match, number: int, kept: Snapshot | None) -> None:
    """A record that other rules still play, but to another position than was kept, raises Divergence."""
    if kept is None or number != kept.n:
        return
    try:
        state = decode(kept.state, match.game.state_type)
    except msgspec.MsgspecError:  # states have another form now: nothing to compare
        return
    if state != match.state:
        raise Divergence(f"the position after step {number} comes out differently", number)


class NothingLeft(SandtableError):
    """Not even the first moment of a match can be had under these rules."""


class Salvaged(NamedTuple):
    """What could be saved of a match whose record cannot be played again."""

    match: Match
    log: list[Logged]
    album: Album | None
    lost: str
    """Why it cannot go on; empty: it can."""
    whole: Record | None = None
    """The record, if the match has only the first steps of it."""


def salvage(game: Game[Any], record: Record, snapshot: Snapshot | None, album: str, error: str) -> Salvaged:
    """The most that can be had: all steps from the album, the position from the snapshot, or the first steps."""
    lines, prefix = _first_steps(record)
    then, now = record.header.rules_version, game.rules_version
    versions = f" (version {then} then, {now} now)" if then != now else ""
    why = f"The rules of {game.title} have been changed since this match began{versions}: {error}"
    if album:
        try:
            book = unpacked(game, album)
            lines = book.log
            state = book.state(len(book) - 1)
            game.view(state, None)
            match = Match.resumed(game, _header(record), state, _dice(record), record.entries, record.start)
            match.version = len(book) - 1 if book.of is None else book.of
            return Salvaged(match, book.log, book, why)
        except Exception as fault:  # other types, other tables: whatever it is, there are other ways
            log.warning("an album cannot be shown under these rules: %r", fault)
    if snapshot is not None:
        try:
            match, later = _from_snapshot(game, record, snapshot)
            note = f"The rules have been changed: the match goes on from the position after step {snapshot.n}."
            return Salvaged(match, [*lines, _note(snapshot.n, note), *later], None, "")
        except Exception as fault:
            log.warning("a snapshot cannot be taken up under these rules: %r", fault)
            why = f"{why} (and the position that was kept after step {snapshot.n} does not fit either: {fault})"
    if prefix is None:
        raise NothingLeft(why)
    return Salvaged(prefix, lines, None, why, record)


def _header(record: Record) -> Any:
    return msgspec.structs.replace(record.header, secret=record.secret)


def _dice(record: Record, entries: Sequence[Entry] | None = None) -> StreamDice:
    dice = StreamDice(bytes.fromhex(record.secret or "00" * 32))
    for entry in record.entries if entries is None else entries:
        if isinstance(entry, Number):
            dice.mix(entry.side, entry.number)
    return dice


def _from_snapshot(game: Game[Any], record: Record, snapshot: Snapshot) -> tuple[Match, list[Logged]]:
    """The match from a kept state on; the steps after it must come out as they did."""
    state = decode(snapshot.state, game.state_type)
    before = record.entries[: snapshot.n]
    dice = _dice(record, before)
    dice.position = snapshot.dice
    match = Match.resumed(game, _header(record), state, dice, before, record.start)
    for side in (*match.sides, None):
        game.view(match.state, side)
    match.narrator = narrator(game)
    lines: list[Logged] = []
    play_on(
        match, record.entries[snapshot.n :], lambda number: lines.extend(lines_of(game, number, match.told(number)))
    )
    for side in match.to_act:
        for action in match.actions(side):
            match.describe(side, action)
    return match, lines


def _first_steps(record: Record) -> tuple[list[Logged], Match | None]:
    """The log and the match as far as the record can be played again."""
    lines: list[Logged] = []
    last: list[Match] = []

    def each(match: Match, number: int) -> None:
        match.narrator = match.narrator or narrator(match.game)
        lines.extend(lines_of(match.game, number, match.told(number)))
        last[:] = [match.clone()]

    with contextlib.suppress(Exception):  # that it fails is why we are here
        rebuild(record, each)
    return lines, last[0] if last else None


def _note(version: int, text: str) -> Logged:
    line = Line(id=f"{version}.rules", version=version, kind="Note", text=text)
    return Logged(version, None, msgspec.Raw(msgspec.json.encode(line)))


KEEP_STATE = (
    "INSERT INTO snapshots (match_id, n, rules, dice, state) VALUES (?, ?, ?, ?, ?) ON CONFLICT (match_id) DO UPDATE "
    "SET n = excluded.n, rules = excluded.rules, dice = excluded.dice, state = excluded.state "
    "WHERE excluded.n >= snapshots.n"
)


def snapshot_statement(match_id: str, match: Match) -> Statement:
    """What keeps the state of a match."""
    state = msgspec.json.encode(match.state).decode()
    kept = Snapshot(match.version, str(match.game.rules_version), match.dice.position, state)
    return Statement(KEEP_STATE, (match_id, *kept))
