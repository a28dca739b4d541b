"""Frames, actions and events of ordnance and special weapons (3.2.4, 4.2 to 4.5, 6)."""

from __future__ import annotations

import msgspec

from sandtable.engine import Action, Event, Frame


class Acquired(msgspec.Struct, frozen=True, omit_defaults=True):
    """An Acquired Target counter of a weapon (6.10, 6.11)."""

    at: int
    level: int
    """-1 or -2."""
    area: bool = False
    """It belongs to the hex (Area Target Type), not to the unit."""
    units: tuple[str, ...] = ()


class OrdnanceDraft(Frame, frozen=True):
    """A shot of a Gun, mortar or light anti-tank weapon is being declared."""

    side: str
    mode: str
    weapon: str
    target: int = -1
    leader: str = ""


OrdnanceFrame = OrdnanceDraft


class StartShot(Action, frozen=True):
    """Pick an ordnance weapon that will fire."""

    weapon: str


class Shoot(Action, frozen=True):
    """Fire the ordnance at a hex."""

    target: int
    target_type: str
    ammo: str = "HE"
    intensive: bool = False
    backblast: str = ""


class TurnGun(Action, frozen=True):
    """Change a Gun's Covered Arc without firing (3.2.4)."""

    weapon: str
    facing: int


class Manhandle(Action, frozen=True):
    """Try to push a Gun into an adjacent hex (6.5)."""

    weapon: str
    to: int


class Shot(Event, frozen=True):
    """Ordnance made a To Hit roll."""

    weapon: str
    at: str
    target_type: str
    ammo: str
    number: int
    dr: int
    hit: bool
    critical: bool = False


class Turned(Event, frozen=True):
    """A Gun has a new Covered Arc."""

    weapon: str
    at: str
    facing: int
