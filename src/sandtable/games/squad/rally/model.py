"""Frames, actions and events of the Rally Phase (3.1)."""

from __future__ import annotations

from sandtable.engine import Action, Event, Frame


class RallyPhase(Frame, frozen=True):
    """The steps b to g of the Rally Phase; each step is the ATTACKER's first (3.1)."""

    step: str = "a"
    side: str = ""
    acted: tuple[str, ...] = ()
    """Units that have had their one action: recovery or repair."""
    self_rallied: int = 0
    """So many MMC of the ATTACKER have tried to self-rally (3.1 e)."""
    keep: tuple[str, ...] = ()
    """Units that keep their DM counter (3.1 g)."""


class Repair(Action, frozen=True):
    """Try to repair a malfunctioned weapon (3.1 c)."""

    weapon: str


class Transfer(Action, frozen=True):
    """Give a weapon to another unit of the hex (3.1 d, 3.7)."""

    weapon: str
    unit: str


class SelfRally(Action, frozen=True):
    """A broken unit tries to rally by itself (3.1 e)."""

    unit: str


class RallyUnit(Action, frozen=True):
    """A broken unit tries to rally, helped by a leader (3.1 f)."""

    unit: str
    leader: str


class KeepDm(Action, frozen=True):
    """Keep the DM counter of a unit, so that it may rout again (3.1 g)."""

    unit: str


class Repaired(Event, frozen=True):
    """A repair was tried: it worked, failed, or the weapon is lost (3.1 c)."""

    unit: str
    weapon: str
    at: str
    result: str
    """`repaired`, `failed` or `lost`."""


class Transferred(Event, frozen=True):
    """A weapon changed hands."""

    weapon: str
    frm: str
    unit: str
    at: str


class RallyTried(Event, frozen=True):
    """A broken unit tried to rally (3.1)."""

    unit: str
    at: str
    dr: int | None
    """The final DR; None to enemies who cannot know whether somebody helped: it would tell how well."""
    rallied: bool
    leader: str = ""
