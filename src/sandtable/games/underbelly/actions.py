"""What a player can do: moves that he would name at the table."""

from __future__ import annotations

from sandtable.engine import Action


class Place(Action, frozen=True):
    """Set up a unit (3.2)."""

    unit: str
    at: str


class Plot(Action, frozen=True):
    """Write down the turn of an End-Run; 0: none (8.10)."""

    turn: int


class Substitute(Action, frozen=True):
    """Withdraw this unit instead (10.4)."""

    unit: str


class ActivateTac(Action, frozen=True):
    """Spend a CP on tactical airpower (9.9)."""


class DeclineTac(Action, frozen=True):
    """Do without tactical airpower in this turn (9.9)."""


class DesignateCorps(Action, frozen=True):
    """Make a mixed stack the multi-national corps (6.5)."""

    at: str


class LaunchEndRun(Action, frozen=True):
    """Reveal the plot and launch the invasion (8.11)."""


class Move(Action, frozen=True):
    """A regular move command (9.4), perhaps in column (12.7)."""

    at: str
    column: bool = False


class MoveFight(Action, frozen=True):
    """A move-fight command (9.6)."""

    at: str


class Attack(Action, frozen=True):
    """A regular attack command (9.5)."""

    at: str
    target: str


class FightMove(Action, frozen=True):
    """A fight-move command (9.7)."""

    at: str
    target: str


class Enter(Action, frozen=True):
    """Command a stack in a holding box (9.4, 10.2, 10.3, 8.16)."""

    box: str
    kind: str = "move"


class Add(Action, frozen=True):
    """Add a unit to the stack."""

    unit: str


class Begin(Action, frozen=True):
    """The stack is complete: pay and go."""


class Cancel(Action, frozen=True):
    """Give up what is being put together; nothing is spent."""


class Go(Action, frozen=True):
    """Move the group to a hex by the cheapest way (12.1)."""

    to: str


class Leave(Action, frozen=True):
    """Leave a unit of the group behind here (9.4)."""

    unit: str


class Halt(Action, frozen=True):
    """The group ends its move."""


class PortMove(Action, frozen=True):
    """Move from port to port (12.5)."""

    to: str


class Exit(Action, frozen=True):
    """Move off the map from row 10xx (4.1, 8.16, 8.18)."""


class Assault(Action, frozen=True):
    """Attack a hex at the end of a move-fight (9.6)."""

    target: str


class Decline(Action, frozen=True):
    """Do not attack, do not open the port, do not commit: the choice not taken."""


class Withhold(Action, frozen=True):
    """Keep a unit out of the attack (9.5)."""

    unit: str


class UseTac(Action, frozen=True):
    """Commit a TAC unit to the battle (9.14)."""


class UseBombers(Action, frozen=True):
    """Commit the heavy bombers for 2 CP (13.6)."""


class Resolve(Action, frozen=True):
    """Begin the battle."""


class Shoot(Action, frozen=True):
    """One shot: who fires and at whom (13.3)."""

    unit: str
    target: str


class CeaseFire(Action, frozen=True):
    """Fire no more at units that are already eliminated (13.10)."""


class BreakOff(Action, frozen=True):
    """Break off the attack (13.2, step 4)."""


class PressOn(Action, frozen=True):
    """Go on with the attack."""


class Retreat(Action, frozen=True):
    """Announce a retreat (13.2, step 6)."""


class Stand(Action, frozen=True):
    """Hold the hex."""


class Restore(Action, frozen=True):
    """Take back a step lost by this unit (13.10)."""

    unit: str


class RetreatTo(Action, frozen=True):
    """Retreat into a hex: the whole stack, or one unit of it (13.9)."""

    to: str
    unit: str = ""


class Advance(Action, frozen=True):
    """Advance after combat with these units; none: stay (13.8)."""

    units: tuple[str, ...]


class Replenish(Action, frozen=True):
    """Give a replacement step to a reduced division (9.16, 9.17)."""

    unit: str


class Reclaim(Action, frozen=True):
    """Bring a unit back from the dead pile (9.16, 9.17)."""

    unit: str


class BuildFort(Action, frozen=True):
    """Construct a fortification: choose the hex next (9.8)."""


class Site(Action, frozen=True):
    """The hex of a fortification or of the air drop."""

    at: str


class SupplyByAir(Action, frozen=True):
    """Put the aerial supply marker on a hex for 2 CP (11.7)."""

    at: str


class ActivateAirborne(Action, frozen=True):
    """Make the 82nd Airborne ready to drop for 2 CP (9.12)."""


class Drop(Action, frozen=True):
    """Drop the 82nd Airborne: choose the hex next (12.9)."""


class PassDrop(Action, frozen=True):
    """Do not drop now, or not at all in this game turn."""

    rest: bool = False


class SendEndRun(Action, frozen=True):
    """Reinforce the End-Run (8.15)."""

    units: tuple[str, ...]


class ConsultEndRun(Action, frozen=True):
    """Roll on the End-Run Invasion Table (8.17)."""


class OpenBari(Action, frozen=True):
    """Place the Bari port supply marker (11.10)."""


class ShowTop(Action, frozen=True):
    """Put this unit on top of its stack (6.9)."""

    unit: str


class Eliminate(Action, frozen=True):
    """Eliminate a unit of an over-stacked hex (6.8)."""

    unit: str


class EndPhase(Action, frozen=True):
    """End the CP Expenditure Phase (5.2)."""
