"""Frames, actions and events of advance and close combat (3.7, 3.8)."""

from __future__ import annotations

import msgspec

from sandtable.engine import Action, Event, Frame


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


class RolledAttack(msgspec.Struct, frozen=True, omit_defaults=True):
    """A CC attack whose DR has been made and has not taken effect yet (3.8)."""

    attack: CombatAttack
    units: tuple[str, ...] = ()
    """All who attacked; nobody if they or their targets had left before."""
    targets: tuple[str, ...] = ()
    odds: str = ""
    kill: int = 0
    dice: tuple[int, ...] = ()
    final: int = 0
    picked: tuple[str, ...] = ()
    """Whom its Casualty Reduction falls on, where that had to be known before it takes effect."""


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
    rolls: tuple[RolledAttack, ...] = ()
    """Of the declared attacks, those that have been rolled while their effects are still to come."""


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
