"""Frames, actions and events of ordnance and special weapons (3.2.4, 4.2 to 4.5, 6)."""

from __future__ import annotations

from sandtable.engine import Action, Event, Frame


class OrdnanceDraft(Frame, frozen=True):
    """A shot of a Gun, mortar or light anti-tank weapon is being declared."""

    side: str
    mode: str
    weapon: str
    target: int = -1
    leader: str = ""
    """The leader who directs, or who serves the weapon of another leader."""
    anywhere: bool = False
    """Hexes without a known enemy are offered as well."""


class TurnGuns(Frame, frozen=True):
    """A fire phase ends: Guns may change their Covered Arcs without firing (3.2.4)."""

    side: str
    done: tuple[str, ...] = ()


class FaceGun(Frame, frozen=True):
    """A Gun has been manhandled into a hex and is given a Covered Arc there (6.5)."""

    side: str
    weapon: str


class StartShot(Action, frozen=True):
    """Pick an ordnance weapon that will fire."""

    weapon: str


class AimAnywhere(Action, frozen=True):
    """Show the hexes without a known enemy too."""


class Shoot(Action, frozen=True):
    """Fire the ordnance at the hex aimed at."""

    target_type: str
    """ITT or ATT; LATW for the table of a light anti-tank weapon."""
    ammo: str = "HE"
    """HE, AP, H (HEAT), s (Smoke) or WP."""
    facing: int = -1
    """New Covered Arc, -1: as it is."""
    backblast: str = ""
    """In a building: `avoided` by +2, or `suffered` (4.4.2)."""
    forgo: bool = False
    """Rate of Fire is given up for Residual FP (3.3.1)."""


class TurnGun(Action, frozen=True):
    """Point a Gun at another hexspine (3.2.4)."""

    weapon: str
    facing: int


class KeepArcs(Action, frozen=True):
    """No more Covered Arcs are changed."""


class KeepAcquired(Action, frozen=True):
    """The Acquired Target counter goes with this unit (6.10)."""

    unit: str


class Manhandle(Action, frozen=True):
    """Try to push a Gun into an adjacent hex (6.5); `road`: along the road."""

    weapon: str
    to: int
    road: bool = False


class SetOffCharge(Action, frozen=True):
    """A Demolition Charge that was placed in the MPh attacks (4.3)."""

    weapon: str


class Shot(Event, frozen=True):
    """Ordnance made a To Hit roll; `final` is the DR against the first target."""

    weapon: str
    at: str
    target_type: str
    ammo: str
    number: int
    dr: int
    final: int
    hit: bool
    critical: bool = False
    kept_rof: bool = False
    intensive: bool = False


class NoAmmunition(Event, frozen=True):
    """The weapon had none of the Special Ammo and has not fired (6.2)."""

    weapon: str
    at: str
    ammo: str


class LastRound(Event, frozen=True):
    """The weapon has used up its Special Ammo (6.2)."""

    weapon: str
    at: str
    ammo: str


class OrdnanceHit(Event, frozen=True):
    """The effect of a hit on the IFT; no result where no enemy is known in the hex."""

    weapon: str
    at: str
    column: int
    dr: int
    result: str
    unit: str = ""
    """The unit that suffers a Critical Hit on its own column."""


class GunHit(Event, frozen=True):
    """A Direct Hit, or a Critical Hit, on a Gun (6.7)."""

    weapon: str
    at: str
    destroyed: bool


class Manhandled(Event, frozen=True):
    """A Gun was pushed, or was not moved (6.5)."""

    weapon: str
    at: str
    outcome: str
    """`moved`, `moved and stopped` or `stuck`."""


class ChargeWentOff(Event, frozen=True):
    """A Demolition Charge attacked, or failed (4.3)."""

    weapon: str
    at: str
    dr: int
    failed: bool
    result: str = ""


class Backblast(Event, frozen=True):
    """The blast of a light anti-tank weapon in a building (4.4.2)."""

    weapon: str
    at: str
    dr: int
    result: str
