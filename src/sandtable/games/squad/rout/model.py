"""Frames, actions and events of the Rout Phase (3.6)."""

from __future__ import annotations

import msgspec

from sandtable.engine import Action, Event, Frame


class RoutPhase(Frame, frozen=True):
    """Broken units rout one at a time, the ATTACKER's first (3.6)."""

    side: str = ""
    waiting: tuple[str, ...] = ()
    """Units that may rout and can."""
    bound: tuple[str, ...] = ()
    """Those of them that must."""
    done: tuple[str, ...] = ()
    """Units that have routed, and leaders who went with them."""
    fresh: bool = False
    """The lists hold for the present position."""


class RoutOption(msgspec.Struct, frozen=True, array_like=True):
    """A step that a routing unit may take, with its cost in half MF."""

    to: int
    road: bool
    cost: int


class Rout(Frame, frozen=True):
    """A broken unit on the rout (3.6)."""

    unit: str
    start: int
    leaders: tuple[str, ...] = ()
    """Leaders who rout along."""
    spent: int = 0
    """Half MF."""
    hexes: int = 0
    came: int = -1
    seen: tuple[int, ...] = ()
    """Hexes of enemies in whose sight it has been in this RtPh."""
    goals: tuple[int, ...] = ()
    """Buildings and woods that it may rout to; none: any hex will do."""
    reached: bool = False
    """It has been in one of them."""
    steps: tuple[RoutOption, ...] = ()
    """The steps that it may take now."""
    crawls: tuple[int, ...] = ()
    """Hexes into which it may Low Crawl."""
    can_stop: bool = False
    dropped: bool = False
    """Weapons have been left behind: there is no way back."""


class Claim(Frame, frozen=True):
    """Only units whose Guns have acquired a target could interdict: their side may let the router go (3.6, 6.10)."""

    unit: str
    by: tuple[str, ...]


class StartRout(Action, frozen=True):
    """Pick a broken unit that will rout now (3.6)."""

    unit: str


class VoluntaryBreak(Action, frozen=True):
    """Break a unit at will, so that it may rout (guide)."""

    unit: str


class TakeLeader(Action, frozen=True):
    """A leader routs along with the unit (3.6)."""

    leader: str


class RoutStep(Action, frozen=True):
    """Rout into an adjacent hex; `road`: along the road at its rate."""

    to: int
    road: bool = False


class LowCrawl(Action, frozen=True):
    """Rout one hex with all MF, safe from Interdiction (3.6)."""

    to: int


class EndRout(Action, frozen=True):
    """The routing unit stops here."""


class CancelRout(Action, frozen=True):
    """Pick another unit: this one has not begun to rout."""


class ClaimInterdiction(Action, frozen=True):
    """This unit interdicts the router, and its Gun loses its Acquired Target (3.6, 6.10)."""

    unit: str


class LetGo(Action, frozen=True):
    """Do not interdict."""


class RoutBegan(Event, frozen=True):
    """A broken unit routs, with leaders who go along (3.6)."""

    unit: str
    leaders: tuple[str, ...]
    at: str


class Routed(Event, frozen=True):
    """A unit routed into a hex (3.6)."""

    units: tuple[str, ...]
    frm: str
    at: str
    mf: float
    crawled: bool = False


class Interdicted(Event, frozen=True):
    """A routing unit must check its morale (3.6)."""

    unit: str
    by: str
    at: str


class RoutEnded(Event, frozen=True):
    """A routing unit has stopped (3.6)."""

    unit: str
    at: str
