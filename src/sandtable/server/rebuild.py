"""A match from its stored record, with the log in words; and entries of the record as text."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from sandtable.engine import Event, Match, Record, Rolled, get_game, replay
from sandtable.engine.dice import Roll
from sandtable.engine.game import Game
from sandtable.engine.record import Header, Step, Takeback, read_body

log = logging.getLogger("sandtable.server")


class Logged(NamedTuple):
    """A line of the log, ready to be sent, with the sides that may know it (None: everybody)."""

    version: int
    to: tuple[str, ...] | None
    raw: msgspec.Raw

    def known_to(self, side: str | None) -> bool:
        """Whether a side (None: an observer) may know the line."""
        return self.to is None or side in self.to


class Line(msgspec.Struct, omit_defaults=True):
    """A line of the log as clients get it."""

    id: str
    version: int
    kind: str
    text: str
    cells: tuple[str, ...] = ()
    private: bool = False
    by: str = ""
    dice: dict[str, Any] | None = None
    tally: Any = None
    event: Any = None


def lines_of(game: Game[Any], state: Any, version: int, events: Sequence[Event]) -> list[Logged]:
    """The log lines of one step.

    Lines are numbered among those of the same readers: a gap would tell that others know more.
    """
    numbers: dict[tuple[str, ...] | None, int] = {}
    lines: list[Logged] = []
    for event in events:
        to = event.to
        numbers[to] = number = numbers.get(to, 0) + 1
        line = Line(
            id=f"{version}.{number}" if to is None else f"{version}.{'+'.join(to)}.{number}",
            version=version,
            kind=type(event).__name__,
            text=_words(game, event, state),
            cells=game.place(event),
            private=to is not None,
            by=str(getattr(event, "by", "") or getattr(event, "side", "")),
            event=event,
        )
        if isinstance(event, Rolled):
            line.dice = {"sides": event.sides, "faces": event.faces, "why": event.why}
        line.tally = getattr(event, "tally", None)
        lines.append(Logged(version, to, msgspec.Raw(msgspec.json.encode(line))))
    return lines


def _words(game: Game[Any], event: Event, state: Any) -> str:
    """An event in words; a game that fails to find them must not stop the match."""
    try:
        return game.words(event, state)
    except Exception:
        log.exception("%s has no words for %r", game.id, event)
        return type(event).__name__


def entry_text(entry: Step | Takeback) -> str:
    """An entry of the record as a line of JSON, in the record's own form."""
    if isinstance(entry, Takeback):
        value: Any = {"takeback": entry.steps, "side": entry.side, "consent": entry.consent}
    else:
        value = [entry.side, entry.action, *([entry.rolls] if entry.rolls else [])]
    return msgspec.json.encode(value).decode()


def read_record_of(header: Header, start: Sequence[Roll], entries: Sequence[str]) -> Record:
    """The record from the texts of its entries."""
    values: list[Any] = [{"start": start}] if start else []
    values += [msgspec.json.decode(text) for text in entries]
    record = read_body(header.public(), values, get_game(header.game).action_type)
    return msgspec.structs.replace(record, secret=header.secret)


def rebuild(record: Record, each: Callable[[Match, int], None]) -> Match:
    """Play a record again, calling `each` with the match after every step; raises Divergence."""
    return replay(record, steps=len(record.entries), each=each)


def rebuild_with_log(record: Record) -> tuple[Match, list[Logged]]:
    """The match and its whole log."""
    lines: list[Logged] = []

    def each(match: Match, number: int) -> None:
        events = [event for _, event in match.events(since=number, everything=True)]
        lines.extend(lines_of(match.game, match.state, number, events))

    return rebuild(record, each), lines
