"""Switches of advance and close combat: what a game leaves out, adds or words otherwise."""

from __future__ import annotations

import msgspec


class CombatRules(msgspec.Struct, frozen=True, kw_only=True):
    """What is in force; the defaults are those of the Starter Kit."""

    advance_cx: bool = True
    """Advancing into a hex that takes all MF makes CX (3.7)."""
    transfer_before_advance: bool = False
    """Weapons are transferred only at the start of the APh (guide)."""
    drop_in_close_combat: bool = False
    """Weapons may be dropped at the start of a close combat (guide)."""
    ambush: bool = True
    hidden_bar_advance: bool = True
    """Hidden units keep others from advancing into their hex; otherwise they show themselves in the CCPh (A11.19)."""
    broken_cc_drm: int = -2
