"""Frames, actions and events of concealment (A12)."""

from __future__ import annotations

from sandtable.engine import Action, Event, Frame


class Detected(Frame, frozen=True):
    """Enemies have run into concealed units: their owner shows at least one of them (A12.15)."""

    side: str
    at: int


class Disclosing(Frame, frozen=True):
    """A side may show concealed units before the enemy routs (A10.533)."""

    side: str


class Searching(Frame, frozen=True):
    """Units that have spent the MF for it search the hexes around them (A12.152)."""

    units: tuple[str, ...]
    at: int
    left: int = -1
    """Hexes that they may still search; -1: the dr has not been made."""
    searched: tuple[int, ...] = ()


class ShowUnit(Action, frozen=True):
    """Take the "?" off a unit (A12.14)."""

    unit: str


class KeepConcealed(Action, frozen=True):
    """Show nobody."""


class Search(Action, frozen=True):
    """The moving units end their move by searching the hexes around them (A12.152)."""


class SearchHex(Action, frozen=True):
    """Search this hex."""

    at: int


class EndSearch(Action, frozen=True):
    """Search no more hexes."""


class MopUp(Action, frozen=True):
    """Mop up a building (A12.153)."""

    building: str


class HideUnit(Action, frozen=True):
    """Set up a unit hidden (A12.3)."""

    unit: str


class ConcealmentGained(Event, frozen=True):
    """Units lie under a "?" now (A12.12)."""

    units: tuple[str, ...]
    at: str
    why: str = ""


class ConcealmentFailed(Event, frozen=True):
    """A concealment dr was too high (A12.122)."""

    unit: str
    at: str


class ConcealmentLost(Event, frozen=True):
    """A unit has lost its "?" (A12.14)."""

    reveals = True
    unit: str
    at: str
    why: str = ""


class PutUnderQuestion(Event, frozen=True):
    """A hidden unit is on the map now, under a "?" (A12.31)."""

    reveals = True
    side: str
    at: str
    why: str = ""


class DummyRemoved(Event, frozen=True):
    """Nobody was there (A12.11)."""

    reveals = True
    side: str
    at: str


class Proved(Event, frozen=True):
    """A concealed unit had to show for a moment that it is real (A12.14)."""

    reveals = True
    side: str
    at: str


class StrengthShown(Event, frozen=True):
    """Concealed units show what they are before a close combat (A11.19)."""

    reveals = True
    units: tuple[str, ...]
    at: str


class Glimpsed(Event, frozen=True):
    """A unit under a "?" leaves something behind for everybody to see."""

    reveals = True
    side: str
    at: str


class ForcesSeen(Event, frozen=True):
    """Set-up is over: what does not lie under a "?" is seen now (A12.12)."""

    reveals = True


class KeptUnderFire(Event, frozen=True):
    """Units under a "?" are attacked where no enemy sees them and keep it, unless it hurts (A12.14)."""

    reveals = True
    side: str
    at: str


class Bumped(Event, frozen=True):
    """Units have run into concealed enemies and are thrown back (A12.15)."""

    reveals = True
    units: tuple[str, ...]
    at: str


class Searched(Event, frozen=True):
    """A hex has been searched (A12.152)."""

    reveals = True
    side: str
    at: str
    found: bool


class SearchBegan(Event, frozen=True):
    """Units search the hexes around them."""

    units: tuple[str, ...]
    at: str
    hexes: int


class MoppedUp(Event, frozen=True):
    """A building has been mopped up (A12.153)."""

    reveals = True
    side: str
    units: tuple[str, ...]
    at: str
    cleared: bool
