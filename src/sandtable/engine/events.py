"""Events say what happened, as typed facts, each with the sides that may know it."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from sandtable.engine.tally import Tally

OBSERVER = ""
"""Stands in `Event.to` for those who only look on."""


class Event(msgspec.Struct, frozen=True, tag=True, omit_defaults=True, kw_only=True):
    """A fact; `to` names the sides that may know it (None: everybody, also observers)."""

    reveals: ClassVar[bool] = False
    """Whether the event tells a side something new that cannot be taken back."""

    to: tuple[str, ...] | None = None

    def known_to(self, side: str | None) -> bool:
        """Whether a side (None: an observer) may know the event."""
        return self.to is None or (OBSERVER if side is None else side) in self.to


class Rolled(Event, frozen=True):
    """Dice were rolled; made by the engine for every roll."""

    why: str
    sides: int
    faces: tuple[int, ...]
    by: str = ""
    tally: Tally | None = None


class Decided(Event, frozen=True):
    """The rules chose for a side that nobody plays: which table, which roll, which row, and why that one."""

    side: str
    table: str
    row: str
    faces: tuple[int, ...] = ()
    why: str = ""
    rule: str = ""


class TookBack(Event, frozen=True):
    """A side took its last action back."""

    side: str
    with_consent: bool = False


class Ended(Event, frozen=True):
    """The match has an outcome."""

    winner: str
    reason: str
    rule: str = ""


class Note(Event, frozen=True):
    """A line of words for the log: what a player thought, or a reminder."""

    text: str
    by: str = ""
    rule: str = ""
