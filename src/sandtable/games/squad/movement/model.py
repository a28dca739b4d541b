"""Frames, actions and events of the Movement Phase and of Defensive First Fire windows (3.3, 3.3.1).

MF are counted in halves here, because grain costs one and a half.
"""

from __future__ import annotations

from sandtable.engine import Action, Event, Frame


class PlaceCharge(Action, frozen=True):
    """Place a Demolition Charge in an adjacent hex (4.3)."""

    unit: str
    weapon: str
    at: int


class MovementPhase(Frame, frozen=True):
    """The ATTACKER picks units to move (3.3)."""


class StackDraft(Frame, frozen=True):
    """A stack is put together before it moves; nothing is declared yet."""

    units: tuple[str, ...]
    double: tuple[str, ...] = ()


class Move(Frame, frozen=True):
    """The moving stack goes on, step by step; `state.moving` holds it."""


class Reaction(Frame, frozen=True):
    """The DEFENDER may fire at the moving units after they spent MF (3.3.1).

    The window also opens where nobody known can fire while hidden Guns may be about, so that it tells nothing.
    """

    firers: tuple[str, ...] = ()
    """Units and weapons that may fire now; worked out again after each attack."""
    shooters: tuple[str, ...] = ()
    """Ordnance that may fire now."""
    stale: bool = False


class Spent(Frame, frozen=True):
    """MF have been spent: Residual FP attacks, then the DEFENDER's window, then what the MF were for."""

    step: int = 0
    charge: PlaceCharge | None = None
    """A Demolition Charge that lies once the fire is survived (4.3)."""
    ends: tuple[str, ...] = ()
    """Units whose MPh ends after the fire (3.3, 6.5)."""


class StartMove(Action, frozen=True):
    """Pick a unit that will move."""

    unit: str


class AddMover(Action, frozen=True):
    """Take another unit of the hex into the stack."""

    unit: str


class RemoveMover(Action, frozen=True):
    """Leave a unit out of the stack again."""

    unit: str


class DoubleTime(Action, frozen=True):
    """This unit will Double Time (3.3)."""

    unit: str


class BeginMove(Action, frozen=True):
    """The stack as drafted starts its MPh; `assault`: by Assault Movement."""

    assault: bool = False


class CancelMove(Action, frozen=True):
    """Put the draft aside."""


class Step(Action, frozen=True):
    """Enter an adjacent hex; `road`: along the road at its rate."""

    to: int
    road: bool = False


class StepAside(Action, frozen=True):
    """Off the map: go on along the edge to stand beside another edge hex."""

    to: int


class ExitMap(Action, frozen=True):
    """Leave the map over an edge for the victory conditions."""


class SmokeGrenade(Action, frozen=True):
    """Try to place smoke in the unit's own hex (1 MF) or an adjacent one (2 MF)."""

    unit: str
    at: int


class Recover(Action, frozen=True):
    """Try to recover an unpossessed weapon for 1 MF (MPh) or as the action of the RPh."""

    unit: str
    weapon: str


class DropWeapon(Action, frozen=True):
    """Drop possession of a weapon."""

    weapon: str


class Detach(Action, frozen=True):
    """This unit waits while the rest of the stack goes on first."""

    unit: str


class Stop(Action, frozen=True):
    """The units that move now end their MPh here."""


class Pass(Action, frozen=True):
    """Let it happen: no fire at these MF."""


class MoveBegan(Event, frozen=True):
    """A stack starts its MPh."""

    units: tuple[str, ...]
    at: str
    assault: bool = False
    double: tuple[str, ...] = ()


class Moved(Event, frozen=True):
    """Units entered a hex."""

    units: tuple[str, ...]
    frm: str
    at: str
    mf: float
    road: bool = False


class MfSpent(Event, frozen=True):
    """Units spent MF without entering a hex."""

    units: tuple[str, ...]
    at: str
    mf: float
    what: str


class MoveEnded(Event, frozen=True):
    """Units ended their MPh."""

    units: tuple[str, ...]
    at: str


class Exited(Event, frozen=True):
    """A unit left the map for the victory conditions."""

    unit: str
    at: str
    points: int


class Recovered(Event, frozen=True):
    """A unit took possession of a weapon, or failed to."""

    unit: str
    weapon: str
    at: str
    success: bool
