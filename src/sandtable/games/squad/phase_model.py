"""Frames, actions and events of rally, rout, advance and close combat (3.1, 3.6, 3.7, 3.8)."""

from __future__ import annotations

from sandtable.engine import Action, Event, Frame


class RallyPhase(Frame, frozen=True):
    """The steps b to g of the Rally Phase; each step is the ATTACKER's first (3.1)."""

    step: str = "a"
    side: str = ""


class RoutPhase(Frame, frozen=True):
    """Broken units rout, the ATTACKER's first (3.6)."""

    side: str = ""


class AdvancePhase(Frame, frozen=True):
    """The ATTACKER advances (3.7)."""


class CloseCombatPhase(Frame, frozen=True):
    """The ATTACKER picks the order of close combats (3.8)."""

    done: tuple[int, ...] = ()


PhaseFrame = RallyPhase | RoutPhase | AdvancePhase | CloseCombatPhase


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


class ControlChanged(Event, frozen=True):
    """A building or hex changed hands."""

    place: str
    side: str
    at: str = ""
