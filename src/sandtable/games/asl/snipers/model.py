"""State, frames, actions and events of Snipers (A14)."""

from __future__ import annotations

import msgspec

from sandtable.engine import Action, Event, Frame
from sandtable.engine.part import Field

LEAST_SAN = 2


class Sniper(msgspec.Struct, frozen=True, omit_defaults=True):
    """The Sniper of a side: its activation number, and where its counter lies."""

    san: int
    at: int = -1
    pinned: bool = False


SNIPERS: Field[dict[str, Sniper]] = Field("snipers", dict[str, Sniper], {})
"""By side; a side without an entry has none."""


class SniperActs(Frame, frozen=True):
    """A Sniper may attack, or be placed anew (A14.2)."""

    side: str
    dr: int


class SniperAims(Frame, frozen=True):
    """The Sniper's owner picks between the enemy Sniper and the units of a hex (A14.21)."""

    side: str
    dr: int
    at: int


class Checking(Frame, frozen=True):
    """Units of the Location that was attacked may look for the Sniper (A14.4)."""

    side: str
    at: int


class Snipe(Action, frozen=True):
    """The Sniper attacks."""


class MoveSniper(Action, frozen=True):
    """The Sniper counter is placed anew instead."""


class SnipeUnits(Action, frozen=True):
    """Aim at the units."""


class SnipeSniper(Action, frozen=True):
    """Aim at the enemy Sniper."""


class CheckForSniper(Action, frozen=True):
    """Look for the Sniper."""


class LetSniperGo(Action, frozen=True):
    """Do not look for the Sniper."""


class SniperActive(Event, frozen=True):
    """A DR has called a Sniper; a dr of 1 or 2 works."""

    side: str
    dr: int
    at: str = ""


class SniperMoved(Event, frozen=True):
    """The Sniper counter lies in another hex."""

    side: str
    at: str


class SniperAttacked(Event, frozen=True):
    """A Sniper has attacked a unit."""

    side: str
    unit: str
    at: str
    dr: int


class SniperHit(Event, frozen=True):
    """Something has happened to a Sniper."""

    side: str
    at: str
    killed: bool
    san: int = 0


class SniperSought(Event, frozen=True):
    """Units have looked for a Sniper; what comes of it is seen, the final DR only by those who know the units."""

    reveals = True

    units: tuple[str, ...]
    at: str
    dr: int | None
