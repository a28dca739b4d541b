"""Frames, actions and events of fire attacks (3.2.2, 3.2.3, 3.4, 3.5)."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from sandtable.engine import Action, Event, Frame


class FireAttack(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fire attack as declared: who fires what at which hex (3.2.2).

    `mode`: prep, first, final or advancing. In Defensive Fire the markers tell what is Subsequent First Fire or
    Final Protective Fire.
    """

    side: str
    """The firing side."""
    target: int
    mode: str
    units: tuple[str, ...] = ()
    """Units that fire their own FP, and leaders who help another one to serve a machine gun (4.1)."""
    weapons: tuple[str, ...] = ()
    """Machine guns, IFE Guns or flamethrowers that fire."""
    leaders: tuple[str, ...] = ()
    """Leaders who direct."""
    forgo: bool = False
    """Weapons give up their Rate of Fire, so as to leave Residual FP (3.3.1)."""
    thrower: str = ""
    """Which of those who fire throws something along with it; a part says what (A22.6)."""
    thrown: bool = False
    """It is thrown as declared: no check has failed."""
    also: int = -1
    """Another Location that the same fire and the same DR attack, where a part knows such fire (A7.34)."""

    def by_location(self) -> tuple[FireAttack, ...]:
        """The attack as each of its Locations meets it, the one aimed at first."""
        return (self,) if self.also < 0 else (self, replace(self, target=self.also, also=self.target))


class FirePhaseFrame(Frame, frozen=True):
    """A phase in which one side fires; who may start an attack is listed once and again after each attack."""

    listed: bool = False
    firers: tuple[str, ...] = ()
    shooters: tuple[str, ...] = ()


class PrepFirePhase(FirePhaseFrame, frozen=True):
    """The ATTACKER fires (3.2.5)."""


class DefensiveFirePhase(FirePhaseFrame, frozen=True):
    """The DEFENDER's Final Fire (3.4)."""


class AdvancingFirePhase(FirePhaseFrame, frozen=True):
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
    checked: bool = False
    """The lines of sight of these firers have been checked; nobody may join them any more (3.2.1)."""
    thrower: str = ""
    """Which of them throws something along with the fire of the group (A22.6)."""
    also: int = -1
    """Another Location that the fire covers as well (`FireAttack.also`)."""


class DestroyDraft(Frame, frozen=True):
    """A side looks for weapons of its own to destroy (4.0)."""

    side: str


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
    """Fire; `forgo`: give up Rate of Fire, so as to leave Residual FP (3.3.1)."""

    forgo: bool = False


class StartDestroying(Action, frozen=True):
    """Look for weapons of one's own to destroy (4.0)."""


class DestroyWeapon(Action, frozen=True):
    """Destroy a weapon of one's own; this counts as its use (4.0)."""

    weapon: str


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
    """The final DR against the first known target."""
    result: str
    cowered: int = 0
    """Columns lost by cowering."""
    others: tuple[tuple[str, str], ...] = ()
    """Targets to which other modifiers apply, with their results."""


class AlsoFired(Event, frozen=True):
    """The same fire, with the same DR, at the other one of two Locations (A7.34)."""

    by: str
    at: str
    fp: float
    column: int
    items: tuple[tuple[str, float], ...]
    """Its DRM that are not those at the first Location."""
    dr: int
    result: str
    others: tuple[tuple[str, str], ...] = ()
    """Targets to which other modifiers apply, with their results."""


class LineBlocked(Event, frozen=True):
    """The LOS of an attack proved blocked; its firers have fired (3.2.1)."""

    firers: tuple[str, ...]
    frm: str
    at: str


class ResidualAttack(Event, frozen=True):
    """Residual FP attacked moving units (3.3.1)."""

    at: str
    fp: int
    dr: int
    result: str
    others: tuple[tuple[str, str], ...] = ()


class RateKept(Event, frozen=True):
    """A weapon kept its Rate of Fire and may fire again (1.2.4.1)."""

    weapon: str
    at: str
