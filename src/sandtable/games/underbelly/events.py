"""What happened, as typed facts; the German hears nothing of what lies hidden in Allied stacks (6.9)."""

from __future__ import annotations

from sandtable.engine import Event


class TurnBegan(Event, frozen=True):
    turn: int


class PhaseBegan(Event, frozen=True):
    side: str
    cp: int


class ScenarioDecided(Event, frozen=True):
    scenario: str


class Plotted(Event, frozen=True):
    """The Allied player wrote something down; only he knows what."""

    turn: int = -1


class Arrived(Event, frozen=True):
    """Reinforcements reached a holding box (10.2, 10.3)."""

    units: tuple[str, ...]
    box: str


class Withdrawn(Event, frozen=True):
    reveals = True
    unit: str
    instead_of: str = ""


class Commanded(Event, frozen=True):
    """CP were spent (9.19)."""

    side: str
    what: str
    cost: int
    at: str = ""
    cells: tuple[str, ...] = ()


class Moved(Event, frozen=True):
    """Counters went from one place to another; units that lie hidden are only counted."""

    side: str
    origin: str
    at: str
    count: int
    units: tuple[str, ...] = ()


class Appeared(Moved, frozen=True):
    """A move that shows a unit which lay hidden, in a stack or in the Allied box."""

    reveals = True


class Named(Event, frozen=True):
    """The units of the last move by name, for their owner."""

    units: tuple[str, ...]


class Shown(Event, frozen=True):
    """A unit that lay hidden in a stack came to its top."""

    reveals = True
    unit: str
    at: str


class Allowance(Event, frozen=True):
    """A unit with a question mark has rolled its movement factor (2.12)."""

    unit: str
    mf: int


class Deployed(Event, frozen=True):
    """Both forces lie on the Battle Board (13.2, step 1)."""

    reveals = True
    attacker: str
    origin: str
    at: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]


class Shot(Event, frozen=True):
    unit: str
    target: str
    need: int
    die: int
    hit: bool
    at: str
    eliminated: bool = False
    extra: bool = False


class Rubble(Event, frozen=True):
    target: str
    at: str


class BattleEnded(Event, frozen=True):
    at: str
    how: str
    """broken off, retreat, cleared, held or port."""


class StepRestored(Event, frozen=True):
    unit: str


class TacCommitted(Event, frozen=True):
    side: str
    at: str


class Died(Event, frozen=True):
    unit: str
    why: str
    at: str = ""


class Replaced(Event, frozen=True):
    """A replacement step; a hidden unit is not named (6.9)."""

    side: str
    unit: str = ""
    reclaimed: bool = False


class FortBuilt(Event, frozen=True):
    at: str


class FortLost(Event, frozen=True):
    at: str


class PortOpened(Event, frozen=True):
    at: str


class PortLost(Event, frozen=True):
    at: str
    why: str


class Captured(Event, frozen=True):
    """Control of a town or city changed (7.7)."""

    at: str
    side: str


class SupplySwitched(Event, frozen=True):
    turn: int


class SfLeft(Event, frozen=True):
    why: str


class AirSupply(Event, frozen=True):
    at: str


class Dropped(Event, frozen=True):
    at: str


class EndRunLaunched(Event, frozen=True):
    reveals = True
    units: tuple[str, ...]


class EndRunJoined(Event, frozen=True):
    reveals = True
    side: str
    units: tuple[str, ...]


class EndRunRolled(Event, frozen=True):
    result: int
    steps: int = 0


class Exited(Event, frozen=True):
    reveals = True
    units: tuple[str, ...]
    at: str


class Assembled(Event, frozen=True):
    """Units of II SS Panzer Corps or 5th Panzer Army are ready (8.5, 8.7)."""

    units: tuple[str, ...]
    corps: str


class Raid(Event, frozen=True):
    at: str = ""
    sunk: bool = False
