"""Opportunity Firers: their counter, the action that names them, and its event (A7.25)."""

from __future__ import annotations

from sandtable.engine import Action, Event

OPPORTUNITY = "opportunity"
"""The counter of an Opportunity Firer."""


class WaitToFire(Action, frozen=True):
    """A unit waits: it does not move, and fires at full strength in the AFPh (A7.25)."""

    unit: str


class Waits(Event, frozen=True):
    """A unit is an Opportunity Firer now."""

    unit: str
    at: str
