"""Frames, events and names of Heat of Battle (A15)."""

from __future__ import annotations

from sandtable.engine import Event, Frame
from sandtable.engine.part import Field

HERO = "Hero 1-4-9"
"""The counter of a hero, of every nationality (A15.2)."""
HEROIC, BERSERK = "heroic", "berserk"
FIGHTING: Field[tuple[str, ...]] = Field("berserk_fighting", tuple[str, ...], ())
"""Berserk units that have enemies in their Location when the CCPh begins (A15.46)."""


class Charges(Frame, frozen=True):
    """The berserk units of the ATTACKER charge, one stack after the other (A15.43)."""

    units: tuple[str, ...] = ()
    """The stack that is charging now."""
    target: int = -1
    """Where it charges to, in sight or not (A15.43)."""
    done: tuple[str, ...] = ()
    struck: bool = False
    """The enemies in whose Location it is have fired at it."""


class HeatRolled(Event, frozen=True):
    """A Heat of Battle DR was made (A15.1)."""

    unit: str
    at: str
    dr: int
    result: str


class HeroAppeared(Event, frozen=True):
    """A hero has stepped out of the ranks of a unit (A15.21)."""

    unit: str
    hero: str
    at: str


class BecameHeroic(Event, frozen=True):
    """A leader is heroic now (A15.22)."""

    unit: str
    at: str


class Hardened(Event, frozen=True):
    """A unit is exchanged for a better one (A15.3)."""

    unit: str
    at: str
    was: str
    now: str


class WentBerserk(Event, frozen=True):
    """A unit has gone berserk (A15.4)."""

    unit: str
    at: str


class Calmed(Event, frozen=True):
    """A unit is no longer berserk (A15.46)."""

    unit: str
    at: str


class Charged(Event, frozen=True):
    """Berserk units charge the nearest enemy (A15.43)."""

    units: tuple[str, ...]
    at: str
    target: str
