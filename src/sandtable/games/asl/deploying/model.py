"""Frames, actions and events of Deploying and Recombining (A1.31, A1.32)."""

from __future__ import annotations

from sandtable.engine import Action, Event, Frame


class Reforming(Frame, frozen=True):
    """A side deploys and recombines at the start of a RPh (A1.3)."""

    side: str
    acted: tuple[str, ...] = ()
    """Squads and leaders that have tried to Deploy."""
    joined: tuple[str, ...] = ()
    """Units that have recombined, and leaders who do nothing else in this RPh."""


class Deploy(Action, frozen=True):
    """A squad tries to become two half-squads; leader empty: it needs none (A1.31)."""

    unit: str
    leader: str = ""


class Recombine(Action, frozen=True):
    """Two half-squads become a squad (A1.32)."""

    unit: str
    other: str
    leader: str = ""


class DeployAtSetUp(Action, frozen=True):
    """A squad sets up as two half-squads (A2.9)."""

    unit: str


class EndReforming(Action, frozen=True):
    """Deploy and recombine no more."""


class Deployed(Event, frozen=True):
    """A squad has become two half-squads, or has failed to; the final DR only for those who know who took part."""

    unit: str
    other: str
    at: str
    success: bool
    dr: int | None = 0


class Recombined(Event, frozen=True):
    """Two half-squads have become a squad."""

    unit: str
    other: str
    at: str
