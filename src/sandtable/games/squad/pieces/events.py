"""What happens to pieces, whoever does it: breaking, pinning, losses, discoveries."""

from __future__ import annotations

from sandtable.engine import Event


class MoraleChecked(Event, frozen=True):
    """A unit took a morale check or a pin task check."""

    unit: str
    at: str
    what: str
    passed: bool
    dr: int = 0
    """The final DR."""
    kind: str = ""
    """What the unit was when it checked."""


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
    was: str = ""


class Wounded(Event, frozen=True):
    """A leader was wounded."""

    unit: str
    at: str


class Eliminated(Event, frozen=True):
    """A unit was eliminated."""

    unit: str
    at: str
    why: str = ""
    side: str = ""


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


class SmokePlaced(Event, frozen=True):
    """Smoke lies in a hex now."""

    at: str
    smoke: str
    by: str = ""


class SmokeRemoved(Event, frozen=True):
    """Smoke has gone, or thinned to another kind."""

    at: str
    smoke: str
    now: str = ""


class CounterRemoved(Event, frozen=True):
    """A counter has gone from its Location, or was flipped to another kind."""

    at: str
    counter: str
    now: str = ""


class Dropped(Event, frozen=True):
    """A weapon lies unpossessed in its hex."""

    unit: str
    weapon: str
    at: str


class ResidualPlaced(Event, frozen=True):
    """Residual FP lies in a hex now."""

    at: str
    fp: int


class HiddenHex(Event, frozen=True):
    """A mover ran into a hidden Gun and was put back (6.4)."""

    reveals = True
    units: tuple[str, ...]
    at: str


class TargetAcquired(Event, frozen=True):
    """A weapon has acquired a target, or holds it now in another hex (6.10, 6.11)."""

    weapon: str
    at: str
    level: int
    area: bool


class AcquisitionLost(Event, frozen=True):
    """A weapon's Acquired Target counter is removed (6.10)."""

    weapon: str
    at: str


class Turned(Event, frozen=True):
    """A Gun has a new Covered Arc."""

    weapon: str
    at: str
    facing: int


class ControlChanged(Event, frozen=True):
    """A building or hex changed hands."""

    place: str
    side: str
    at: str = ""


class Promoted(Event, frozen=True):
    """A leader was created in the field, or nobody was found fit (5.3)."""

    unit: str
    """The MMC that he comes from."""
    leader: str
    """His id, empty: none was created."""
    kind: str
    at: str


class MeleeEnded(Event, frozen=True):
    """Nobody is held in Melee in this hex any more (3.8)."""

    at: str
