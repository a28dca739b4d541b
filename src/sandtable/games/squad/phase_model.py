"""Frames, actions and events of rally, rout, advance and close combat (3.1, 3.6, 3.7, 3.8)."""

from __future__ import annotations

import msgspec

from sandtable.engine import Action, Event, Frame

# -- frames -----------------------------------------------------------------------------


class RallyPhase(Frame, frozen=True):
    """The steps b to g of the Rally Phase; each step is the ATTACKER's first (3.1)."""

    step: str = "a"
    side: str = ""
    acted: tuple[str, ...] = ()
    """Units that have had their one action: recovery or repair."""
    self_rallied: bool = False
    """The ATTACKER has used his self-rally of one MMC (3.1 e)."""
    keep: tuple[str, ...] = ()
    """Units that keep their DM counter (3.1 g)."""


class RoutPhase(Frame, frozen=True):
    """Broken units rout one at a time, the ATTACKER's first (3.6)."""

    side: str = ""
    waiting: tuple[str, ...] = ()
    """Units that may rout and can."""
    bound: tuple[str, ...] = ()
    """Those of them that must."""
    done: tuple[str, ...] = ()
    """Units that have routed, and leaders who went with them."""
    fresh: bool = False
    """The lists hold for the present position."""


class RoutOption(msgspec.Struct, frozen=True, array_like=True):
    """A step that a routing unit may take, with its cost in half MF."""

    to: int
    road: bool
    cost: int


class Rout(Frame, frozen=True):
    """A broken unit on the rout (3.6)."""

    unit: str
    start: int
    leaders: tuple[str, ...] = ()
    """Leaders who rout along."""
    spent: int = 0
    """Half MF."""
    hexes: int = 0
    came: int = -1
    seen: tuple[int, ...] = ()
    """Hexes of enemies in whose sight it has been in this RtPh."""
    goals: tuple[int, ...] = ()
    """Buildings and woods that it may rout to; none: any hex will do."""
    reached: bool = False
    """It has been in one of them."""
    steps: tuple[RoutOption, ...] = ()
    """The steps that it may take now."""
    crawls: tuple[int, ...] = ()
    """Hexes into which it may Low Crawl."""
    can_stop: bool = False
    dropped: bool = False
    """Weapons have been left behind: there is no way back."""


class Claim(Frame, frozen=True):
    """Only units whose Guns have acquired a target could interdict: their side may let the router go (3.6, 6.10)."""

    unit: str
    by: tuple[str, ...]


class AdvancePhase(Frame, frozen=True):
    """The ATTACKER advances (3.7)."""


class AdvanceDraft(Frame, frozen=True):
    """Units of one hex that will advance together (3.7)."""

    units: tuple[str, ...]


class CloseCombatPhase(Frame, frozen=True):
    """The ATTACKER picks the order of close combats (3.8)."""

    done: tuple[int, ...] = ()


class CombatAttack(msgspec.Struct, frozen=True, omit_defaults=True):
    """A declared CC attack, by the first unit of each group that takes part (3.8)."""

    side: str
    units: tuple[str, ...]
    targets: tuple[str, ...]


class Combat(Frame, frozen=True):
    """Close combat in one hex: stacks are arranged, ambush, attacks are declared and resolved (3.8)."""

    at: int
    step: str = "stack"
    """`stack`, `ambush`, `declare`, `resolve` or `over`."""
    side: str = ""
    pairs: tuple[tuple[str, str], ...] = ()
    """Leaders with the MMC that they are stacked on; others fight alone."""
    ambusher: str = ""
    attacks: tuple[CombatAttack, ...] = ()
    declared: tuple[str, ...] = ()
    """Sides that have declared."""
    units: tuple[str, ...] = ()
    """Attackers of the attack that is being put together."""
    targets: tuple[str, ...] = ()


PhaseFrame = RallyPhase | RoutPhase | Rout | Claim | AdvancePhase | AdvanceDraft | CloseCombatPhase | Combat


# -- actions ----------------------------------------------------------------------------


class Done(Action, frozen=True):
    """Nothing more in this step."""


class Repair(Action, frozen=True):
    """Try to repair a malfunctioned weapon (3.1 c)."""

    weapon: str


class Transfer(Action, frozen=True):
    """Give a weapon to another unit of the hex (3.1 d, 3.7)."""

    weapon: str
    unit: str


class SelfRally(Action, frozen=True):
    """A broken unit tries to rally by itself (3.1 e)."""

    unit: str


class RallyUnit(Action, frozen=True):
    """A broken unit tries to rally, helped by a leader (3.1 f)."""

    unit: str
    leader: str


class KeepDm(Action, frozen=True):
    """Keep the DM counter of a unit, so that it may rout again (3.1 g)."""

    unit: str


class StartRout(Action, frozen=True):
    """Pick a broken unit that will rout now (3.6)."""

    unit: str


class VoluntaryBreak(Action, frozen=True):
    """Break a unit at will, so that it may rout (guide)."""

    unit: str


class TakeLeader(Action, frozen=True):
    """A leader routs along with the unit (3.6)."""

    leader: str


class RoutStep(Action, frozen=True):
    """Rout into an adjacent hex; `road`: along the road at its rate."""

    to: int
    road: bool = False


class LowCrawl(Action, frozen=True):
    """Rout one hex with all MF, safe from Interdiction (3.6)."""

    to: int


class EndRout(Action, frozen=True):
    """The routing unit stops here."""


class CancelRout(Action, frozen=True):
    """Pick another unit: this one has not begun to rout."""


class ClaimInterdiction(Action, frozen=True):
    """This unit interdicts the router, and its Gun loses its Acquired Target (3.6, 6.10)."""

    unit: str


class LetGo(Action, frozen=True):
    """Do not interdict."""


class StartAdvance(Action, frozen=True):
    """Pick a unit that will advance (3.7)."""

    unit: str


class AddAdvancer(Action, frozen=True):
    """Take another unit of the hex along."""

    unit: str


class RemoveAdvancer(Action, frozen=True):
    """Leave a unit out again."""

    unit: str


class AdvanceTo(Action, frozen=True):
    """The units advance into a hex (3.7)."""

    to: int


class CancelAdvance(Action, frozen=True):
    """Put the draft aside."""


class PickCombat(Action, frozen=True):
    """Resolve the close combat in this hex next (3.8)."""

    at: int


class StackOn(Action, frozen=True):
    """Stack a leader on a MMC, with which he will attack and defend; no unit: he fights alone (3.8)."""

    leader: str
    unit: str = ""


class JoinAttack(Action, frozen=True):
    """Take a unit, with the leaders on it, into the attack (3.8)."""

    unit: str


class AttackUnit(Action, frozen=True):
    """Attack an enemy unit, with the leaders on it (3.8)."""

    unit: str


class DeclareAttack(Action, frozen=True):
    """The attack stands as it has been put together (3.8)."""


class ClearAttack(Action, frozen=True):
    """Put this attack aside and start it again."""


class AttackAll(Action, frozen=True):
    """One attack of all who are free against all who are not attacked yet (3.8)."""


# -- events -----------------------------------------------------------------------------


class PhaseBegan(Event, frozen=True):
    """A phase begins."""

    turn: int
    side: str
    phase: str


class TurnBegan(Event, frozen=True):
    """A Player Turn begins."""

    turn: int
    side: str


class MarkersRemoved(Event, frozen=True):
    """Markers were taken off at the end of a phase."""

    what: str
    units: tuple[str, ...]


class ControlChanged(Event, frozen=True):
    """A building or hex changed hands."""

    place: str
    side: str
    at: str = ""


class Repaired(Event, frozen=True):
    """A repair was tried: it worked, failed, or the weapon is lost (3.1 c)."""

    unit: str
    weapon: str
    at: str
    result: str
    """`repaired`, `failed` or `lost`."""


class Transferred(Event, frozen=True):
    """A weapon changed hands."""

    weapon: str
    frm: str
    unit: str
    at: str


class RallyTried(Event, frozen=True):
    """A broken unit tried to rally (3.1)."""

    unit: str
    at: str
    dr: int
    """The final DR."""
    rallied: bool
    leader: str = ""


class Promoted(Event, frozen=True):
    """A leader was created in the field, or nobody was found fit (5.3)."""

    unit: str
    """The MMC that he comes from."""
    leader: str
    """His id, empty: none was created."""
    kind: str
    at: str


class RoutBegan(Event, frozen=True):
    """A broken unit routs, with leaders who go along (3.6)."""

    unit: str
    leaders: tuple[str, ...]
    at: str


class Routed(Event, frozen=True):
    """A unit routed into a hex (3.6)."""

    units: tuple[str, ...]
    frm: str
    at: str
    mf: float
    crawled: bool = False


class Interdicted(Event, frozen=True):
    """A routing unit must check its morale (3.6)."""

    unit: str
    by: str
    at: str


class RoutEnded(Event, frozen=True):
    """A routing unit has stopped (3.6)."""

    unit: str
    at: str


class Advanced(Event, frozen=True):
    """Units advanced (3.7)."""

    units: tuple[str, ...]
    frm: str
    at: str
    cx: tuple[str, ...] = ()
    """Those that became CX by it."""


class CombatBegan(Event, frozen=True):
    """The close combat of a hex begins (3.8)."""

    at: str


class Ambushed(Event, frozen=True):
    """The ambush dr of both sides (3.8)."""

    at: str
    side: str
    """The ambushing side, empty: no ambush."""


class AttackDeclared(Event, frozen=True):
    """A CC attack was declared (3.8)."""

    side: str
    units: tuple[str, ...]
    targets: tuple[str, ...]
    odds: str
    at: str


class CombatResolved(Event, frozen=True):
    """A CC attack was resolved on the CCT (3.8)."""

    side: str
    units: tuple[str, ...]
    targets: tuple[str, ...]
    odds: str
    kill: int
    dr: int
    """The final DR."""
    result: str
    """`eliminated`, `reduced` or `none`."""
    at: str


class MeleeBegan(Event, frozen=True):
    """Units of both sides are locked in Melee (3.8)."""

    at: str


class MeleeEnded(Event, frozen=True):
    """Nobody is held in Melee in this hex any more (3.8)."""

    at: str
