"""Molotov cocktails: who is given them, the actions of a draft, and what happens (A22.6)."""

from __future__ import annotations

from sandtable.engine import Action, Event
from sandtable.engine.part import Field

GIVEN: Field[tuple[str, ...]] = Field("molotovs_given", tuple[str, ...], ())
"""Units that may use MOL although their counters are of another nationality."""


class ThrowMolotov(Action, frozen=True):
    """A unit of the fire group will throw a MOL if it has one to hand."""

    unit: str


class KeepMolotov(Action, frozen=True):
    """Nobody throws a MOL after all."""


class MolotovChecked(Event, frozen=True):
    """A MOL check was made."""

    unit: str
    at: str
    dr: int
    """The final dr."""
    passed: bool
    alone: bool = False
    """There was nothing but the MOL to attack with."""


class MolotovBurst(Event, frozen=True):
    """The MOL burst in the hands of the thrower."""

    unit: str
    at: str
    alone: bool = False


class NoFlame(Event, frozen=True):
    """A Flame would have been lit; they are not played yet."""

    at: str
