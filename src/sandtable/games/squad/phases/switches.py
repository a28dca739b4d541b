"""Switches of the sequence of play: what a game leaves out, adds or words otherwise."""

from __future__ import annotations

import msgspec


class PhaseRules(msgspec.Struct, frozen=True, kw_only=True):
    """What is in force; the defaults are those of the Starter Kit."""

    stacking_at_phase_end: bool = False
    """Stacking limits count only at the end of a phase, and the enemy removes what is too much (guide)."""
    concealed_take_control: bool = False
    """Units under a "?" gain Control without showing themselves (ruling C-3)."""
