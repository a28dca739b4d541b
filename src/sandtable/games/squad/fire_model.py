"""Frames, actions and events of fire attacks and their effects (3.2.2, 3.2.3, 3.4, 3.5)."""

from __future__ import annotations

import msgspec

from sandtable.engine import Action, Event, Frame


class FireAttack(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fire attack as declared: who fires what at which hex (3.2.2).

    `mode`: prep, first, subsequent, final, advancing, residual, charge, hit (an Ordnance hit), backblast.
    """

    side: str
    """The firing side."""
    target: int
    mode: str
    units: tuple[str, ...] = ()
    """Units that fire their own FP."""
    weapons: tuple[str, ...] = ()
    """Machine guns, IFE Guns or flamethrowers that fire."""
    leaders: tuple[str, ...] = ()
    """Leaders who direct."""
    victims: tuple[str, ...] = ()
    """Units attacked; empty: all that the mode attacks in the hex."""


class PrepFirePhase(Frame, frozen=True):
    """The ATTACKER fires (3.2.5)."""


class DefensiveFirePhase(Frame, frozen=True):
    """The DEFENDER's Final Fire (3.4)."""


class AdvancingFirePhase(Frame, frozen=True):
    """The ATTACKER's units that did not Prep Fire fire at half FP (3.5)."""


class FireDraft(Frame, frozen=True):
    """A fire attack is being put together; nothing is committed before it is resolved.

    It is pushed on top of a fire phase, or on top of a Reaction with the target hex given.
    """

    side: str
    mode: str
    units: tuple[str, ...] = ()
    weapons: tuple[str, ...] = ()
    leaders: tuple[str, ...] = ()
    target: int = -1


FireFrame = PrepFirePhase | DefensiveFirePhase | AdvancingFirePhase | FireDraft


class StartFire(Action, frozen=True):
    """Pick a unit or weapon that will fire."""

    firer: str


class AddFirer(Action, frozen=True):
    """Take another unit or weapon into the fire group."""

    firer: str


class RemoveFirer(Action, frozen=True):
    """Leave a unit or weapon out of the fire group again."""

    firer: str


class AddDirector(Action, frozen=True):
    """A leader directs the attack."""

    leader: str


class RemoveDirector(Action, frozen=True):
    """The leader does not direct after all."""

    leader: str


class AimAt(Action, frozen=True):
    """Choose the target hex."""

    at: int


class ResolveFire(Action, frozen=True):
    """Fire."""


class CancelFire(Action, frozen=True):
    """Put the draft aside."""


class Fired(Event, frozen=True):
    """A fire attack was resolved on the IFT."""

    by: str
    firers: tuple[str, ...]
    at: str
    mode: str
    fp: float
    column: int
    dr: int
    result: str
    cowered: int = 0


class LineBlocked(Event, frozen=True):
    """The LOS of an attack proved blocked; its firers have fired (3.2.1)."""

    firers: tuple[str, ...]
    frm: str
    at: str


class MoraleChecked(Event, frozen=True):
    """A unit took a morale check or a pin task check."""

    unit: str
    at: str
    what: str
    passed: bool
    dr: int = 0
    """The final DR."""


class LeaderLost(Event, frozen=True):
    """A leader was eliminated or broke: units stacked with him check (3.2.3)."""

    leader: str
    at: str
    eliminated: bool


class Broke(Event, frozen=True):
    """A unit broke."""

    unit: str
    at: str


class Pinned(Event, frozen=True):
    """A unit was pinned."""

    unit: str
    at: str


class Reduced(Event, frozen=True):
    """A unit was replaced by another: Casualty Reduction or a loss of quality."""

    unit: str
    at: str
    now: str
    why: str


class Wounded(Event, frozen=True):
    """A leader was wounded."""

    unit: str
    at: str


class Eliminated(Event, frozen=True):
    """A unit was eliminated."""

    unit: str
    at: str
    why: str = ""


class WeaponBroke(Event, frozen=True):
    """A weapon malfunctioned or was removed."""

    weapon: str
    at: str
    removed: bool = False


class MadeDesperate(Event, frozen=True):
    """A broken unit came under Desperation Morale."""

    unit: str
    at: str


class Revealed(Event, frozen=True):
    """A hidden Gun and its crew are on the map now (6.4)."""

    reveals = True
    unit: str
    weapon: str
    at: str
    why: str = ""
