"""Actions and events of every phase, and the frame of the guide's stacking limits (3.0, G17)."""

from __future__ import annotations

from sandtable.engine import Action, Event, Frame


class Excess(Frame, frozen=True):
    """Too many units of a side are in a hex at the end of a phase: the enemy removes some (guide)."""

    at: int
    side: str


class RemoveExcess(Action, frozen=True):
    """Eliminate an enemy unit that is too many in its hex (guide)."""

    unit: str


class EndPhase(Action, frozen=True):
    """Nothing more in this phase."""


class Done(Action, frozen=True):
    """Nothing more in this step."""


class PhaseBegan(Event, frozen=True):
    """A phase begins."""

    turn: int
    side: str
    phase: str


class TurnBegan(Event, frozen=True):
    """A Player Turn begins."""

    turn: int
    side: str


class MarkersRemoved(Event, frozen=True):
    """Markers were taken off at the end of a phase."""

    what: str
    units: tuple[str, ...]
