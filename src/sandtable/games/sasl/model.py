"""What a mission remembers beside units and weapons: S?, VPO, the roster, the ENEMY's orders; its events."""

from __future__ import annotations

import msgspec

from sandtable.engine import Event, Frame
from sandtable.engine.part import Field
from sandtable.games.squad.pieces.model import OFF_MAP

FRIENDLY, ENEMY = "friendly", "enemy"
HOLD, ADVANCE = "Hold", "Advance"
MOVE, FIRE, ENTRENCH, PANIC, NOTHING = "Move", "Fire", "Entrench", "Panic", "nothing"
"""What a Location was ordered to do in this ENEMY Player Turn (S6.2)."""
WAIT = "Opportunity Fire"
"""What a unit does in place of a Move Command (S9.2)."""


class Suspect(msgspec.Struct, frozen=True, omit_defaults=True):
    """A S? counter (S3.1): nothing is known of it, for nothing is decided before it is Activated."""

    id: str
    at: int = OFF_MAP
    attitude: str = HOLD
    edge: str = "west"
    """The map edge that it moves towards (S3.322)."""
    beside: int = OFF_MAP
    """Off the map: the edge hex where it enters (S4.21)."""
    colour: str = "black"
    """Tells apart those that came by different ways (S3.2)."""
    card: str = ""
    """The card that it is generated from, empty: the ENEMY's (P9 34)."""
    front: int = -1
    """At the Crest of its hex: the middle hexside of its front; -1: it is not (S4.14)."""
    checked: tuple[str, ...] = ()
    """What has triggered an Activation Check against it in this phase (S5.1)."""


class Objective(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Victory Point Objective (S14): its Locations, who controls each, and what its value depends on."""

    id: str
    cells: tuple[int, ...]
    owners: tuple[str, ...]
    board: str = ""
    worth: int = 0
    """VP of a fortification that is a VPO; 0: the value is rolled at Mission end {A10b}."""
    was_friendly: bool = False

    def owner(self) -> str:
        """The side that controls all of it, empty: it is divided."""
        return self.owners[0] if len(set(self.owners)) == 1 else ""


class Roster(msgspec.Struct, frozen=True, omit_defaults=True):
    """The figures of the roster sheet."""

    enemy_san: int = 0
    friendly_san: int = 0
    ac: int = 3
    enemy_re: str = "3/4"
    friendly_re: str = "3/4"
    boobytrap: str = ""
    pool: int = 0
    """S? that wait off board."""
    placed: int = 0
    """S? set up before play."""
    road: int = 0
    """Hexes of the shortest Road Network."""
    special: str = ""
    """The special forces that the ENEMY's squads are, or `ordinary`, since the first was generated (S12.22)."""
    activated: int = 0
    """ENEMY units that have been Activated."""
    used: tuple[str, ...] = ()
    """Events that may not happen again (S2.31)."""
    follow: tuple[str, ...] = ()
    """Events whose reinforcement dr is still made each ENEMY RPh."""
    drm: int = 0
    """DRM on A1 by events."""
    fort_drm: int = 0
    """drm on A5 by events."""
    calm: bool = False
    """The ENEMY's attack is called off: no negative DRM on A1 (RE 74)."""
    attitude: str = ""
    """The Prevailing Attitude since an event changed it (RE 74)."""
    evacuate: int = 0
    """The last turn of an evacuation (RE 75-76)."""
    boards: int = 1
    """Boards on the map or that have been on it."""
    ahead: tuple[int, ...] = ()
    """Boards to be added at the next quiet moment."""
    strikes: tuple[str, ...] = ()
    """What attacks first thing in the coming PFPh: `mines 8 v7K5`, `boobytrap 7 v7K5`, `sniper 1 friendly`."""


class Order(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an ENEMY unit does in this Player Turn, and since which roll."""

    what: str
    done: bool = False
    rule: str = ""
    """The automatic action that it is (S6.3)."""


class Volley(msgspec.Struct, frozen=True, omit_defaults=True):
    """An attack that a Fire Command has chosen: who fires what at which hex."""

    firers: tuple[str, ...]
    target: int
    ordnance: bool = False
    area: bool = False
    cells: tuple[int, ...] = ()
    """Locations that it fires from."""
    also: int = -1
    """The other Location of Spraying Fire (A9.5)."""


class March(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Move Command under way: who, how, the way to go, and what ends it."""

    units: tuple[str, ...]
    how: str
    """`assault`, `full`, `double`."""
    path: tuple[int, ...] = ()
    wander: str = ""
    """RAS or REH: each step is diced for."""
    stop: tuple[str, ...] = ()
    command: str = ""
    aim: str = ""
    """What the line of the table that was obeyed goes for."""


SUSPECTS: Field[dict[str, Suspect]] = Field("suspects", dict[str, Suspect], {})
OBJECTIVES: Field[dict[str, Objective]] = Field("objectives", dict[str, Objective], {})
ROSTER: Field[Roster] = Field("roster", Roster, Roster())
ORDERS: Field[dict[str, Order]] = Field("orders", dict[str, Order], {})
VOLLEYS: Field[list[Volley]] = Field("volleys", list[Volley], [])
MARCH: Field[March | None] = Field("march", March | None, None)
TRIED: Field[dict[str, int]] = Field("tried", dict[str, int], {})
"""ENEMY units whose Fire Command has been rolled in this phase, and those that have tried to advance (S8, S11.4)."""
SCORE: Field[dict[str, float]] = Field("score", dict[str, float], {})
"""VP gained in play by side and reason, such as `friendly boards`."""
ATTITUDES: Field[dict[str, str]] = Field("attitudes", dict[str, str], {})
"""Activated units with another Attitude than the Prevailing one (S3.2)."""
ROAD: Field[dict[int, str]] = Field("road", dict[int, str], {})
"""Hexes of the Road Network with the side that controls them (Mission 5)."""
VERDICT: Field[tuple[tuple[str, float, float], ...]] = Field("verdict", tuple[tuple[str, float, float], ...], ())
"""The VP at Mission end line by line: what, FRIENDLY, ENEMY (S12.6)."""
FIELDS = (VERDICT, ROAD, SUSPECTS, OBJECTIVES, ROSTER, ORDERS, VOLLEYS, MARCH, TRIED, SCORE, ATTITUDES)


class RollMission(Frame, frozen=True):
    """Everything that a mission rolls before play: nations, date, boards, forces, VPO, S? (12. to 15.)."""


class SuspectsPlaced(Event, frozen=True):
    """S? were set up on a board (S4.1)."""

    board: str
    number: int
    case: str


class SuspectMoved(Event, frozen=True):
    """A S? moved, or came on from off board (S3.321, S4.21)."""

    suspect: str
    frm: str
    at: str
    via: tuple[str, ...] = ()
    stays: str = ""
    """Why it goes no farther, where the ground or others end its move."""


STRONGPOINT = "strongpoint"
"""What stands for the S? where a strongpoint is found: there was none (P9 02-03)."""


class Activated(Event, frozen=True):
    """A S? became what table A1 says (S5.6)."""

    suspect: str
    at: str
    units: tuple[str, ...]
    dummy: bool = False


class ObjectiveTaken(Event, frozen=True):
    """A side gained Control of a VPO Location (S14)."""

    objective: str
    at: str
    side: str


class BoardJoined(Event, frozen=True):
    """A board was activated along the EBE (S13)."""

    board: str


class PointsGained(Event, frozen=True):
    """VP were gained in play (S12.6)."""

    side: str
    points: float
    why: str


class Tallied(Event, frozen=True):
    """The VP of both sides at Mission end, line by line (S12.6)."""

    lines: tuple[tuple[str, float, float], ...]
    """(what, FRIENDLY VP, ENEMY VP)."""
