"""What there is in a battle: pieces, units, the frames of the procedure and the state."""

from __future__ import annotations

import msgspec

from sandtable.engine import Frame, Outcome, State
from sandtable.games.pbi.rulings import Rules


class Piece(msgspec.Struct, frozen=True, omit_defaults=True):
    """A foot base, a towed gun or a vehicle."""

    id: str
    side: str
    unit: str
    kind: str
    at: str = ""
    """Its square; empty: off the table."""
    within: str = ""
    """The vehicle that carries or tows it."""
    section: int = 0
    facing: int = 0
    officer: bool = False
    pinned: bool = False
    deployed: bool = False
    immobile: bool = False
    acted: bool = False
    """It has had its action points in this turn of its side."""
    reacted: bool = False
    """It has shot in this turn of the enemy."""
    ap: int = 0
    shots: int = 0
    special: int = 0
    """Shots of anti-tank weapons, mortars and flamethrowers."""
    weapon: str = ""
    """Of what carries men: the one that has shot from it in this turn, itself or one of them."""
    silenced: bool = False
    """Of a transport: its mounted machine-gun is lost."""
    moved: int = 0
    """Squares moved in its side's last turn."""
    aimed: str = ""
    """The square of its last shot."""


class Unit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A platoon, a weapons platoon, a gun, a troop of vehicles or the company commander."""

    id: str
    side: str
    name: str
    kind: str
    quality: str
    nation: str
    strength: int
    """Foot bases at the start."""
    casualties: int = 0
    """Casualty marks."""
    officer: str = ""
    """alive, dead, or empty: it never had one."""
    off: bool = False
    """It waits off the table."""
    gone: bool = False
    done: bool = False
    silent: bool = False
    """Morale: no motivation."""
    urged: bool = False
    """The company commander motivates it this turn."""


# -- frames -----------------------------------------------------------------------------


class Muster(Frame, frozen=True):
    """A side puts its army together."""

    side: str
    nation: str
    quality: str
    points: int
    units: tuple[tuple[str, str], ...] = ()
    """(entry, quality) of what has been taken."""
    assets: tuple[str, ...] = ()


class DrawUp(Frame, frozen=True):
    """Armies are complete: what starts off the table is settled, and setting up begins."""


class SetUp(Frame, frozen=True):
    """A side sets up section by section."""

    side: str


class Turn(Frame, frozen=True):
    """A side's turn at one of its twelve printed steps."""

    side: str
    step: int = 0


class Assets(Frame, frozen=True):
    """Step 1."""

    side: str
    used: int = 0


class Placing(Frame, frozen=True):
    """An off-table strike is placed."""

    side: str
    smoke: bool
    shape: str = "square"


class Encouraging(Frame, frozen=True):
    """A unit is chosen for the asset of encouragement."""

    side: str


class Deviating(Frame, frozen=True):
    """Shots that have deviated; somebody may ask for a re-roll."""

    side: str
    """The side that shoots."""
    squares: tuple[str, ...]
    """Where the shots were placed."""
    drift: tuple[int, ...]
    """Squares over (or, below zero, short) for each."""
    direction: int
    smoke: bool
    mortar: str = ""
    """The mortar; empty: off-table artillery."""
    shots: int = 1
    """Mortar shots on the square."""
    asked: bool = False


class Commander(Frame, frozen=True):
    """Step 2: the company commander's three things."""

    side: str
    left: int = 3
    done: tuple[str, ...] = ()


class Units(Frame, frozen=True):
    """Steps 5 to 7: units one after the other."""

    side: str


class Activation(Frame, frozen=True):
    """A unit has its turn: group after group."""

    unit: str


class Acting(Frame, frozen=True):
    """Foot bases spend action points; those of the first team act together."""

    unit: str
    teams: tuple[tuple[str, ...], ...]
    residual: bool = False


class Driving(Frame, frozen=True):
    """Vehicles or a gun spend action points, one after the other."""

    pieces: tuple[str, ...]
    only_move: bool = False


class Rerolling(Frame, frozen=True):
    """A vehicle group has rolled and may roll again."""

    pieces: tuple[str, ...]
    ap: int


class Window(Frame, frozen=True):
    """The other side may shoot at a square."""

    side: str
    """The side that may react."""
    target: str
    why: str
    """opportunity, return or assault."""
    shooters: str = ""
    """The one square that may shoot; empty: any."""
    sure: bool = False
    """It is known that somebody can shoot."""


class Hits(Frame, frozen=True):
    """The owner chooses which of his pieces take hits, then all saves are rolled."""

    side: str
    square: str
    source: str
    """The square the shots came from; empty: from above."""
    hits: int
    how: str
    """small arms, HE, bombs, or shells from off the table."""
    taken: tuple[str, ...] = ()


class Escape(Frame, frozen=True):
    """The owner chooses who died with a destroyed transport."""

    side: str
    pieces: tuple[str, ...]
    deaths: int


class Losses(Frame, frozen=True):
    """The owner chooses his casualties of an assault."""

    side: str
    pieces: tuple[str, ...]
    kills: int
    square: str
    against_at: bool = False


class Fight(Frame, frozen=True):
    """An assault in its stages."""

    side: str
    assaulters: tuple[str, ...]
    origin: str
    square: str
    riders: tuple[str, ...] = ()
    """The men on the assaulting vehicles."""
    stage: str = "fight"


class Promotion(Frame, frozen=True):
    """Step 6: a new officer is chosen."""

    unit: str


class Arrival(Frame, frozen=True):
    """Step 10: an arriving unit chooses where it enters."""

    unit: str


class PbiState(State):
    """A battle."""

    ground: str
    """The table and the rulings about it (see `table.ground_key`)."""
    rules: Rules = Rules()
    turn: int = 1
    pieces: dict[str, Piece] = {}
    units: dict[str, Unit] = {}
    at: dict[str, tuple[str, ...]] = {}
    """The pieces in each square that are not carried by another, for quick looks."""
    cargo: dict[str, tuple[str, ...]] = {}
    """What each vehicle carries or tows."""
    smoke: dict[str, str] = {}
    """Smoked squares, with the side that laid the smoke."""
    bombed: dict[str, int] = {}
    """HE mortar hits on each square in this turn."""
    objectives: dict[str, int] = {}
    """What each objective is worth."""
    control: dict[str, str] = {}
    assets: dict[str, tuple[str, ...]] = {}
    points: dict[str, int] = {}
    """Victory points for enemy units."""
    hurry: dict[str, int] = {}
    """What is added to a side's reinforcement rolls this turn."""
    toll: dict[str, int] = {}
    """Dead of each side in the assault being fought."""
    zones: dict[str, int] = {}
    """How many rows from its edge each side sets up in."""
    countdown: int = 21
    outcome: Outcome | None = None
    stack: list[Frame] = []
