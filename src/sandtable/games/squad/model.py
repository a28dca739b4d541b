"""The state of a squad-level game: units, weapons, markers in hexes, and what is going on."""

from __future__ import annotations

import msgspec

from sandtable.engine import Outcome, State
from sandtable.games.squad.fire_model import FireFrame
from sandtable.games.squad.move_model import MoveFrame, Moving
from sandtable.games.squad.ordnance_model import Acquired, OrdnanceFrame
from sandtable.games.squad.phase_model import PhaseFrame
from sandtable.games.squad.setup_model import SetupFrame

OFF_MAP = -1
"""Stands for a hex where a unit or weapon is not on the map."""

NO_MARKER, PREP_FIRE, FIRST_FIRE, FINAL_FIRE, INTENSIVE_FIRE = range(5)
"""Fire markers, in the order in which they replace each other within a Player Turn."""


class Unit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A squad, half-squad, crew or leader (1.2.1, 1.2.2); its printed values are those of its kind."""

    id: str
    side: str
    kind: str
    """Nationality and name of the counter, such as `german 4-6-7`."""
    at: int = OFF_MAP
    group: str = ""
    """Group of the scenario it belongs to: ELR, special rules."""
    weapons: tuple[str, ...] = ()
    """Weapons it possesses (1.2.4)."""
    broken: bool = False
    dm: bool = False
    pinned: bool = False
    cx: bool = False
    wounded: bool = False
    melee: bool = False
    hip: bool = False
    marker: int = NO_MARKER
    """Fire marker for its own FP, or of a leader who directed fire."""
    used: tuple[str, ...] = ()
    """Weapons it has fired in this Player Turn (4.0)."""
    directed: tuple[str, ...] = ()
    """Of a leader: the firers he has directed in this Player Turn (3.2.2, 3.4)."""
    moved: bool = False
    """It has moved, or its MPh has ended, in this Player Turn."""
    hazardous: bool = False
    """It has tried to manhandle a Gun in this Player Turn (6.5)."""
    exhausted: bool = False
    """CX at the start of this MPh, which forbids Double Time (3.3)."""
    tried: bool = False
    """It has had its one action of this RPh, or its rally attempt (3.1)."""
    advanced: bool = False
    """It has advanced in this APh (3.7)."""
    engaged: bool = False
    """It came into this hex by an advance against enemies in this Player Turn (3.8)."""
    beside: int = OFF_MAP
    """Off the map: the edge hex beside which it stands (3.3)."""

    @property
    def good_order(self) -> bool:
        """Neither broken nor held in Melee (2.0)."""
        return not self.broken and not self.melee


class Weapon(msgspec.Struct, frozen=True, omit_defaults=True):
    """A support weapon or Gun (1.2.4, 1.2.6); possessed ones are where their owner is."""

    id: str
    side: str
    """The side it came with; in the hands of another nationality it is captured (5.5)."""
    kind: str
    group: str = ""
    owner: str = ""
    """Unit that possesses it, empty: unpossessed."""
    at: int = OFF_MAP
    """Its hex while unpossessed; OFF_MAP otherwise."""
    broken: bool = False
    """Malfunctioned."""
    marker: int = NO_MARKER
    shots: int = 0
    """Shots in this phase, for Rate of Fire."""
    facing: int = -1
    """Hexspine at which a Gun points, -1: it has no Covered Arc."""
    turned: int = 0
    """Hexspines by which the Covered Arc was changed in this phase (3.2.4)."""
    emplaced: bool = False
    hip: bool = False
    moved: bool = False
    """It was moved in this Player Turn (3.5, 4.0)."""
    recovered: bool = False
    """It was recovered in this phase and may not be transferred (4.0)."""
    depleted: tuple[str, ...] = ()
    """Special Ammo it has run out of or never had (6.2)."""
    acquired: Acquired | None = None


class Smoke(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Smoke counter in a hex; its kind is a line of the smoke table (1.2.5)."""

    kind: str
    side: str


class Charge(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Demolition Charge placed in a hex in this MPh (4.3)."""

    weapon: str
    kind: str
    at: int
    by: str
    cx: bool = False
    elite: bool = True
    frm: int = OFF_MAP
    """The hex it was placed from."""
    lowered: int = 0
    """What captured or Inexperienced use takes off its X# (5.4, 5.5)."""


class Gone(msgspec.Struct, frozen=True, omit_defaults=True):
    """A unit or weapon that has left play."""

    id: str
    side: str
    kind: str
    how: str
    """`eliminated`, `exited` or `destroyed`."""
    group: str = ""
    points: int = 0
    """Victory points that it was worth when it left."""


class SquadState(State):
    """Everything that a squad-level match remembers."""

    setting: str = ""
    """Key of the scenario with its options: map, rules, orders of battle (never changes)."""
    turn: int = 1
    attacker: str = ""
    """The side whose Player Turn it is (2.0)."""
    phase: str = "set-up"
    units: dict[str, Unit] = {}
    weapons: dict[str, Weapon] = {}
    gone: dict[str, Gone] = {}
    stacks: dict[int, tuple[str, ...]] = {}
    """Units on the map by hex; kept by `stacks.py`."""
    loose: dict[int, tuple[str, ...]] = {}
    """Unpossessed weapons by hex; kept by `stacks.py`."""
    smoke: dict[int, tuple[Smoke, ...]] = {}
    residual: dict[int, int] = {}
    """Residual FP by hex (3.3.1)."""
    charges: list[Charge] = []
    control: dict[str, str] = {}
    """Buildings and hexes that victory asks about, with the side that controls them."""
    points: dict[str, int] = {}
    """Victory points by side, for units that left the map."""
    halves: dict[str, int] = {}
    """Victory points by side, for halves of enemy squads lost by Casualty Reduction."""
    entered: dict[str, str] = {}
    """Groups of reinforcements that have been decided on: the edge chosen, or a note."""
    moving: Moving | None = None
    """The stack that is moving now (3.3)."""
    shots: dict[str, int] = {}
    """Defensive First Fire shots at the movers in their present hex, by firer (3.3.1)."""
    volleys: dict[str, tuple[str, ...]] = {}
    """Who has fired from a hex at another one in this phase, or at these MF (Mandatory Fire Groups, 3.2.2)."""
    serial: int = 0
    """Number of the last unit made in play, for new ids."""
    stack: list[SetupFrame | PhaseFrame | MoveFrame | FireFrame | OrdnanceFrame] = []
    outcome: Outcome | None = None
