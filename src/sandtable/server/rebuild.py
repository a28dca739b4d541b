"""A match from its stored record, with the log in words; and entries of the record as text."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from sandtable.engine import Event, Match, Record, Rolled, get_game, replay
from sandtable.engine.dice import Roll
from sandtable.engine.errors import Divergence
from sandtable.engine.events import OBSERVER
from sandtable.engine.game import Game
from sandtable.engine.record import Entry, Header, Number, Takeback, read_body
from sandtable.engine.tally import Tally

log = logging.getLogger("sandtable.server")


class Logged(msgspec.Struct, frozen=True, gc=False):
    """A line of the log, ready to be sent, with the sides that may know it (None: everybody).

    There are more of them than of anything else in memory, and none is ever part of a cycle: no search for garbage.
    """

    version: int
    to: tuple[str, ...] | None
    raw: msgspec.Raw

    def known_to(self, side: str | None) -> bool:
        """Whether a side (None: an observer) may know the line."""
        return self.to is None or (OBSERVER if side is None else side) in self.to


class RolledDice(msgspec.Struct):
    """Dice of a log line."""

    sides: int
    faces: tuple[int, ...]
    why: str = ""


class Line(msgspec.Struct, omit_defaults=True):
    """A line of the log as clients get it."""

    id: str
    version: int
    kind: str
    text: str
    cells: tuple[str, ...] = ()
    private: bool = False
    by: str = ""
    dice: RolledDice | None = None
    tally: Tally | None = None
    event: Any = None


def lines_of(game: Game[Any], version: int, told: Sequence[tuple[Event, str]]) -> list[Logged]:
    """The log lines of one step, from its events and the words for them.

    Lines are numbered among those of the same readers: a gap would tell that others know more.
    """
    numbers: dict[tuple[str, ...] | None, int] = {}
    lines: list[Logged] = []
    for event, text in told:
        to = event.to
        numbers[to] = number = numbers.get(to, 0) + 1
        line = Line(
            id=f"{version}.{number}" if to is None else f"{version}.{'+'.join(to)}.{number}",
            version=version,
            kind=type(event).__name__,
            text=text,
            cells=game.place(event),
            private=to is not None and OBSERVER not in to,
            by=str(getattr(event, "by", "") or getattr(event, "side", "")),
            event=event,
        )
        if isinstance(event, Rolled):
            line.dice = RolledDice(event.sides, event.faces, event.why)
        line.tally = getattr(event, "tally", None)
        lines.append(Logged(version, to, msgspec.Raw(msgspec.json.encode(line))))
    return lines


def narrator(game: Game[Any]) -> Callable[[Event, Any], str]:
    """Finds words for events; a game that fails to find them must not stop the match."""

    def say(event: Event, state: Any) -> str:
        try:
            return game.words(event, state)
        except Exception:
            log.exception("%s has no words for %r", game.id, event)
            return type(event).__name__

    return say


def entry_text(entry: Entry) -> str:
    """An entry of the record as a line of JSON, in the record's own form."""
    if isinstance(entry, Takeback):
        value: Any = {"takeback": entry.steps, "side": entry.side, "consent": entry.consent}
    elif isinstance(entry, Number):
        value = {"number": entry.number, "side": entry.side}
    else:
        value = [entry.side, entry.action, *([entry.rolls] if entry.rolls else [])]
    return msgspec.json.encode(value).decode()


def read_record_of(header: Header, start: Sequence[Roll], entries: Sequence[str], *, strange: bool = False) -> Record:
    """The record from the texts of its entries; with `strange` actions, if the game may not know them any more."""
    values: list[Any] = [{"start": start}] if start else []
    values += [msgspec.json.decode(text) for text in entries]
    record = read_body(header.public(), values, get_game(header.game).action_type, strange=strange)
    return msgspec.structs.replace(record, secret=header.secret)


def entries_of(match: Match, texts: Sequence[str]) -> tuple[Entry, ...]:
    """Entries of a match's record from their texts."""
    return read_body(
        match.header.public(), [msgspec.json.decode(text) for text in texts], match.game.action_type
    ).entries


def play_on(match: Match, entries: Sequence[Entry], each: Callable[[int], None] = lambda number: None) -> None:
    """Play further entries of its record in a match; dice that differ raise Divergence."""
    for number, entry in enumerate(entries, match.version + 1):
        if isinstance(entry, Takeback):
            match.rewind(entry.steps, entry.side, consent=entry.consent)
        elif isinstance(entry, Number):
            match.add_number(entry.side, entry.number)
        else:
            match.apply(entry.side, entry.action)
            if match.last_rolls != entry.rolls:
                raise Divergence(f"step {number} rolls other dice", number)
        each(number)


def rebuild(record: Record, each: Callable[[Match, int], None]) -> Match:
    """Play a record again, calling `each` with the match after every step; raises Divergence."""
    return replay(record, steps=len(record.entries), each=each)


def rebuild_with_log(
    record: Record, check: Callable[[Match, int], None] = lambda match, number: None
) -> tuple[Match, list[Logged]]:
    """The match and its whole log; `check` is called after every step and may break it off."""
    lines: list[Logged] = []

    def each(match: Match, number: int) -> None:
        check(match, number)
        match.narrator = match.narrator or narrator(match.game)
        lines.extend(lines_of(match.game, number, match.told(number)))

    return rebuild(record, each), lines


class Passed(NamedTuple):
    """An optional step that was passed for a side."""

    side: str
    step: str
    text: str

    def line(self, version: int) -> Logged:
        """The line of the log that tells its player of it."""
        line = Line(
            id=f"{version}.{self.side}.passed",
            version=version,
            kind="Passed",
            text=self.text,
            private=True,
            by=self.side,
            event={"step": self.step},
        )
        return Logged(version, (self.side,), msgspec.Raw(msgspec.json.encode(line)))
