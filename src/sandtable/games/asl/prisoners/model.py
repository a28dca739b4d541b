"""Frames, actions and events of prisoners (A20)."""

from __future__ import annotations

from sandtable.engine import Action, Event, Frame
from sandtable.engine.part import Field

CAPTURING: Field[tuple[str, ...]] = Field("capturing", tuple[str, ...], ())
"""Units that a declared CC attack tries to capture (A20.22)."""
TAKEN: Field[tuple[str, ...]] = Field("taken", tuple[str, ...], ())
"""Units that such an attack has overcome: whole ones, and `half NAME` where half of a squad is lost."""


class Surrendering(Frame, frozen=True):
    """Broken units of a Location that cannot get away surrender; their captor takes or refuses them (A20.21)."""

    at: int
    units: tuple[str, ...]
    side: str
    """The captor's side."""


class Escaping(Frame, frozen=True):
    """Prisoners of a broken or fighting guard may try to get away at the start of a CCPh (A20.55)."""

    guard: str
    side: str


class AcceptSurrender(Action, frozen=True):
    """Take the units prisoner; this unit guards them."""

    guard: str


class RefuseSurrender(Action, frozen=True):
    """No Quarter (A20.3)."""


class TryCapture(Action, frozen=True):
    """The close combat attack stands, and tries to take prisoners (A20.22)."""


class ChangeGuard(Action, frozen=True):
    """Another unit of the Location guards a prisoner (A20.5)."""

    prisoner: str
    guard: str


class AbandonPrisoners(Action, frozen=True):
    """The guard lets its prisoners go (A20.5)."""

    guard: str


class Massacre(Action, frozen=True):
    """The guard kills its prisoners (A20.4)."""

    guard: str


class TryEscape(Action, frozen=True):
    """The prisoners try to escape (A20.55)."""


class StayCaptive(Action, frozen=True):
    """They do not try."""


class QuarterRefused(Event, frozen=True):
    """A side gives No Quarter from now on (A20.3)."""

    side: str
    at: str


class GuardChanged(Event, frozen=True):
    """A prisoner has another guard."""

    unit: str
    guard: str
    at: str


class Freed(Event, frozen=True):
    """A prisoner is free, without arms unless it is a single man (A20.5, A20.551)."""

    unit: str
    at: str
    why: str


class EscapeFailed(Event, frozen=True):
    """Prisoners have failed to get away."""

    guard: str
    at: str


class PrisonerHit(Event, frozen=True):
    """Fire has hit a prisoner (A20.54)."""

    unit: str
    at: str
    killed: bool
    passed: bool = False


class Rearmed(Event, frozen=True):
    """An unarmed unit has got arms (A20.551)."""

    unit: str
    at: str
    now: str
