"""Switches of morale and effects: what a game leaves out, adds or words otherwise."""

from __future__ import annotations

import msgspec


class EffectRules(msgspec.Struct, frozen=True, kw_only=True):
    """What is in force; the defaults are those of the Starter Kit."""

    elr: bool = True
    pin_on_morale_check: bool = True
    """Passing a MC by exactly the number pins (3.2.3)."""
    wounds: bool = True
    """Casualty Reduction wounds a leader; otherwise it eliminates him."""
    leader_loss: bool = True
    """LLMC and LLTC (3.2.3)."""
    weapon_destruction: bool = True
    """KIA and K may destroy or malfunction weapons (4.0)."""
    original_12_breaks: bool = True
    """An original 12 breaks a unit even if its final DR would pass (3.2.3); in the guide it is only reduced."""
    selection_ties: bool = False
    """Random Selection takes all who tie with the last one (guide, ruling D-15)."""
    field_promotion: bool = True
