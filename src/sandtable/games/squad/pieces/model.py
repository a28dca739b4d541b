"""The state of a squad-level game: units, weapons, markers in hexes, and what is going on."""

from __future__ import annotations

import msgspec

from sandtable.engine import Frame, Outcome, State

OFF_MAP = -1
"""Stands for a hex where a unit or weapon is not on the map."""

NO_MARKER, PREP_FIRE, FIRST_FIRE, FINAL_FIRE, INTENSIVE_FIRE = range(5)
"""Fire markers, in the order in which they replace each other within a Player Turn."""


class ResidualMet(msgspec.Struct, frozen=True):
    """The Residual FP attack that a unit met in a location: its DRM and its FP (3.3.1)."""

    at: int
    drm: int
    fp: int


class Mover(msgspec.Struct, frozen=True, omit_defaults=True):
    """A unit of the moving stack."""

    id: str
    start: int
    """The hex where it began its MPh (the edge hex beside it if off board)."""
    leader: str = ""
    """The leader it started with, if it may use his bonus."""
    spent: int = 0
    """Half MF spent so far."""
    here: int = 0
    """Half MF spent in the present location."""
    hexes: int = 0
    """Hexes entered."""
    came: int = -1
    """The hex it came from into its present one, -1: it has not moved."""
    road: bool = True
    """All MF so far were spent crossing road hexsides."""
    road_rate: bool = False
    """It entered its present hex at the road rate (1.1.1)."""
    assault: bool = False
    double: bool = False
    hazardous: bool = False
    smoke: bool = False
    """It has tried to place smoke grenades (3.3)."""
    dropped_pp: int = 0
    """PP of weapons that it carried in this MPh and has no more: they still count (4.0, ruling M-9)."""
    green: bool = False
    """It has been Inexperienced in this MPh, so that a leader whom it meets gives it no MF (5.4)."""
    burden: tuple[str, ...] = ()
    """Weapons that it carries in this move; others that moved before must stay (4.0)."""
    residual: tuple[ResidualMet, ...] = ()
    """Residual FP that has attacked it in this MPh, the last attack in each location (3.3.1)."""
    ended: bool = False


class Moving(msgspec.Struct, frozen=True, omit_defaults=True):
    """The moving stack: all its members and those that move on together now."""

    movers: tuple[Mover, ...]
    active: tuple[str, ...]

    def mover(self, unit: str) -> Mover | None:
        """The member of that id."""
        for mover in self.movers:
            if mover.id == unit:
                return mover
        return None


class Acquired(msgspec.Struct, frozen=True, omit_defaults=True):
    """An Acquired Target counter of a weapon (6.10, 6.11)."""

    at: int
    level: int
    """-1 or -2."""
    area: bool = False
    """It belongs to the hex (Area Target Type), not to the unit."""
    units: tuple[str, ...] = ()
    """Units that carry the 1/2" counter; none: the hex where the target was last seen keeps it."""


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
    concealed: bool = False
    """It lies under a "?": its enemies see that something is there, and no more."""
    marker: int = NO_MARKER
    """Fire marker for its own FP, or of a leader who directed fire."""
    used: tuple[str, ...] = ()
    """Weapons it has fired in this Player Turn (4.0)."""
    directed: tuple[str, ...] = ()
    """Of a leader: the units and weapons whose fire he may direct again in this Player Turn (3.2.2, 3.4)."""
    moved: bool = False
    """It has moved, or its MPh has ended, in this Player Turn."""
    hazardous: bool = False
    """It has tried to manhandle a Gun in this Player Turn (6.5)."""
    exhausted: bool = False
    """CX at the start of this MPh, which forbids Double Time (3.3)."""
    within: str = ""
    """What it is in or on, by id: a foxhole, a pillbox, a vehicle; empty: the Location itself."""
    lifted: int = 0
    """What conditions that parts give it add to its morale level: fanatic, berserk."""
    marks: tuple[str, ...] = ()
    """Conditions that parts give it, by name."""
    rally_tried: bool = False
    """It has had its rally attempt of this RPh (3.1)."""
    hurt: bool = False
    """In the odds of an attack: a single man whom this attack has wounded."""
    advanced: bool = False
    """It has advanced in this APh (3.7)."""
    engaged: bool = False
    """It came into this hex by an advance against enemies in this Player Turn (3.8)."""
    beside: int = OFF_MAP
    """Off the map: the edge hex beside which it stands (3.3)."""

    @property
    def good_order(self) -> bool:
        """Neither broken nor held in Melee (2.0), nor berserk (A.7)."""
        return not self.broken and not self.melee and (not self.marks or "berserk" not in self.marks)


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


class Counter(msgspec.Struct, frozen=True, omit_defaults=True):
    """A counter that lies in a Location: Smoke, Residual FP, a charge; its kind is a line of the table of counters."""

    kind: str
    side: str = ""
    value: int = 0
    """Its own figure: the FP of Residual FP, the X# of a charge, the TEM of a fortified building."""
    id: str = ""
    """The weapon that it was, or the name by which units are within it."""
    frm: int = OFF_MAP
    """The Location it was placed from (4.3)."""
    cx: bool = False
    """A CX unit placed it (4.3)."""


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
    counters: dict[int, tuple[Counter, ...]] = {}
    """Counters by Location; kept by `ground/counters.py`."""
    hinders: dict[int, tuple[int, int]] = {}
    """Hexes whose counters hinder lines: into or through, and how much more out of; kept by `ground/counters.py`."""
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
    fired_along: dict[str, tuple[str, ...]] = {}
    """By line: who has fired from a hex at another in this phase, or at these MF (Mandatory Fire Groups, 3.2.2)."""
    left_out: dict[str, tuple[str, ...]] = {}
    """Who of them did not take part in a later attack along the same line, and so fires no more along it (3.2.2)."""
    only_smoke: tuple[str, ...] = ()
    """Weapons that have fired nothing but Smoke in this phase (6.2)."""
    fire_begun: bool = False
    """Something else than Smoke has been fired in this phase, so that Smoke comes too late (6.2)."""
    serial: int = 0
    """Number of the last unit made in play, for new ids."""
    stack: list[Frame] = []
    """What is going on; a game names the frames of its parts."""
    outcome: Outcome | None = None
