"""Frames, actions and events of leaving close combat (A11.2-A11.41)."""

from __future__ import annotations

from sandtable.engine import Action, Event, Frame
from sandtable.engine.part import Field

WITHDRAWING = "withdrawing"
"""The mark of a unit whose Withdrawal has been declared."""
BOUND: Field[tuple[str, ...]] = Field("bound_to_withdraw", tuple[str, ...], ())
"""Broken units that were in Melee when the CCPh began and must be out of it when it ends (A11.16)."""
WITHDRAWS, INFILTRATES, AMBUSHES = "withdraws", "infiltrates", "ambushes"
"""Why a unit leaves a close combat."""


class Withdrawing(Frame, frozen=True):
    """A side declares at the start of the CCPh who withdraws from Melee (A11.2)."""

    side: str


class Leaving(Frame, frozen=True):
    """Units of a side leave a close combat: those that withdraw must, the others may (A11.21, A11.22, A11.41)."""

    side: str
    at: int
    groups: tuple[tuple[str, ...], ...]
    """Units that go together: a MMC with its leaders."""
    why: str = WITHDRAWS


class Withdraw(Action, frozen=True):
    """Declare that a unit withdraws from Melee (A11.2)."""

    unit: str


class StayInMelee(Action, frozen=True):
    """Take the declaration back."""

    unit: str


class LeaveTo(Action, frozen=True):
    """A unit, with those who go with it, leaves the close combat for a Location (A11.21)."""

    unit: str
    to: int


class StayAndFight(Action, frozen=True):
    """Those who might leave stay where they are."""


class WithdrawalDeclared(Event, frozen=True):
    """Units are going to withdraw from a Melee (A11.2)."""

    units: tuple[str, ...]
    at: str
    must: bool = False
    """They are broken and have no choice (A11.16)."""


class LeftCombat(Event, frozen=True):
    """Units have left a close combat."""

    units: tuple[str, ...]
    frm: str
    at: str
    why: str
    cx: tuple[str, ...] = ()
    """Those that became CX by it."""


class NoWayOut(Event, frozen=True):
    """Units that were to withdraw have nowhere to go (A11.21)."""

    units: tuple[str, ...]
    at: str
