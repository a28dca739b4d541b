"""What happens in a battle, as facts; `words.py` puts them into sentences."""

from __future__ import annotations

from sandtable.engine import Event


class ArmyReady(Event, frozen=True):
    side: str
    points: int


class Placed(Event, frozen=True):
    unit: str
    pieces: tuple[str, ...]
    at: str


class TurnBegan(Event, frozen=True):
    side: str
    turn: int


class AssetUsed(Event, frozen=True):
    side: str
    asset: str


class CommanderActed(Event, frozen=True):
    side: str
    what: str
    at: str
    well: bool = True
    unit: str = ""


class MoraleTested(Event, frozen=True):
    unit: str
    problems: tuple[str, ...]
    result: str
    """holds, silent or routs."""
    at: str = ""


class UnitRemoved(Event, frozen=True):
    unit: str
    why: str


class Motivated(Event, frozen=True):
    unit: str
    at: str
    well: bool


class PointsRolled(Event, frozen=True):
    unit: str
    at: str
    ap: int
    residual: bool = False


class Moved(Event, frozen=True):
    pieces: tuple[str, ...]
    start: str
    at: str


class Faced(Event, frozen=True):
    piece: str
    facing: int
    at: str


class Shot(Event, frozen=True):
    """Small arms or a flamethrower shot."""

    shooters: tuple[str, ...]
    start: str
    at: str
    hits: int
    reacting: bool = False


class GunShot(Event, frozen=True):
    """A gun or anti-tank weapon shot, or was not ready in time."""

    shooter: str
    start: str
    at: str
    result: str
    """hit, missed or too late."""
    target: str = ""


class Penetrated(Event, frozen=True):
    target: str
    aspect: str
    effects: int
    saves: int
    at: str


class Bombed(Event, frozen=True):
    """Mortar bombs or shells fell."""

    side: str
    at: str
    smoke: bool = False


class Drifted(Event, frozen=True):
    """Where the shots fell; empty: off the table."""

    placed: tuple[str, ...]
    fell: tuple[str, ...]


class PinnedDown(Event, frozen=True):
    pieces: tuple[str, ...]
    at: str


class Unpinned(Event, frozen=True):
    pieces: tuple[str, ...]
    at: str
    well: bool


class CasualtyTended(Event, frozen=True):
    unit: str
    at: str
    well: bool


class Lost(Event, frozen=True):
    piece: str
    name: str
    side: str
    at: str
    how: str


class GunSilenced(Event, frozen=True):
    piece: str
    at: str


class Saved(Event, frozen=True):
    piece: str
    at: str


class MadeImmobile(Event, frozen=True):
    piece: str
    at: str


class Recovered(Event, frozen=True):
    piece: str
    at: str
    well: bool


class SetOut(Event, frozen=True):
    """A weapon or gun was deployed or packed up."""

    piece: str
    at: str
    deployed: bool


class Boarded(Event, frozen=True):
    pieces: tuple[str, ...]
    vehicle: str
    at: str


class Alighted(Event, frozen=True):
    pieces: tuple[str, ...]
    at: str


class LeftTable(Event, frozen=True):
    """An empty wheeled transport went home."""

    piece: str
    at: str


class AssaultBegan(Event, frozen=True):
    assaulters: tuple[str, ...]
    start: str
    at: str


class AssaultEnded(Event, frozen=True):
    side: str
    """The side that assaulted."""
    at: str
    won: bool
    dead_assaulters: int
    dead_targets: int


class FellBack(Event, frozen=True):
    pieces: tuple[str, ...]
    start: str
    at: str


class OfficerSought(Event, frozen=True):
    unit: str
    well: bool


class NewOfficer(Event, frozen=True):
    unit: str
    piece: str
    at: str


class SmokeLifted(Event, frozen=True):
    at: str


class ReinforcementRolled(Event, frozen=True):
    unit: str
    well: bool


class Arrived(Event, frozen=True):
    unit: str
    at: str


class CountedDown(Event, frozen=True):
    left: int


class ObjectiveTaken(Event, frozen=True):
    side: str
    at: str
    worth: int
