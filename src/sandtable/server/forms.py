"""What the server keeps about a match beside its record: seats, set-up, clocks, requests, result."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.engine.tools import Orders


class Clock(msgspec.Struct, frozen=True):
    """The time of a match: a bank for each side and what is added after each decision, in seconds."""

    bank: int
    increment: int = 0


class Partner(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody who shares a side with whoever has its seat, or an open place for one."""

    side: str
    token: str = ""
    """What the link of an open place ends with."""
    user: str = ""
    name: str = ""
    units: tuple[str, ...] = ()
    """His platoon; what is in nobody's is the commander's."""


class Setup(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was agreed before the match, beside the rules' own options."""

    clock: Clock | None = None
    on_fault: str = "ask"
    """`ask`, `replace` or `forfeit`: what becomes of a computer player that breaks down."""
    lesson: str = ""
    skipped: tuple[int, ...] = ()
    """Steps of the lesson that its player has left out."""
    partners: tuple[Partner, ...] = ()
    """Those who share a side with its commander, who has the seat."""


class SeatRow(msgspec.Struct):
    """Who plays a side."""

    side: str
    kind: str
    """`person`, `computer` or `open`."""
    user: str | None = None
    name: str = ""
    guest: bool = False
    level: str = ""
    invitation: str | None = None
    orders: Orders = Orders()
    opened_by: str | None = None
    """The account that opened the seat, for which its invitation is."""
    stalled: str = ""
    """The level of a computer player that has broken down here: a person has been asked what to do."""


class Clocks(msgspec.Struct, frozen=True):
    """What is left to each side at a moment, in milliseconds."""

    left: dict[str, int]
    at: int

    def at_time(self, now: int, running: tuple[str, ...], since: int = 0) -> Clocks:
        """The clocks later, those of the deciding sides having run, but not before the house was open."""
        gone = max(0, now - max(self.at, since))
        return Clocks({side: left - gone * (side in running) for side, left in self.left.items()}, now)

    def plus(self, sides: tuple[str, ...], increment_ms: int) -> Clocks:
        """The clocks of sides that have decided, with their increment."""
        return Clocks({side: left + increment_ms * (side in sides) for side, left in self.left.items()}, self.at)


class Request(msgspec.Struct, frozen=True):
    """A question from one player to the others."""

    kind: str
    """`undo` or `draw`."""
    by: str
    agreed: tuple[str, ...] = ()
    """The accounts that have agreed so far."""


class Result(msgspec.Struct, frozen=True):
    """How a match ended, also other than by the rules."""

    winner: str
    reason: str
    rule: str = ""
    how: str = "rules"


class ChatLine(msgspec.Struct, frozen=True):
    """Something said."""

    n: int
    name: str
    side: str
    text: str
    at: int
    room: str = "all"


def side_name(side: str) -> str:
    """A side in a sentence for people."""
    return side.replace("_", " ").capitalize()


def one_line(text: str) -> str:
    """A text in one line, of characters that can be seen."""
    return " ".join("".join([letter if letter.isprintable() else " " for letter in text]).split())


def to_json(value: Any) -> str:
    """Text for a column."""
    return msgspec.json.encode(value).decode()
