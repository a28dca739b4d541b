"""Switches of movement: what a game leaves out, adds or words otherwise."""

from __future__ import annotations

import msgspec


class MovementRules(msgspec.Struct, frozen=True, kw_only=True):
    """What is in force; the defaults are those of the Starter Kit."""

    double_time: bool = True
    assault_movement_needs_mf: bool = True
    """Assault Movement may not take all MF (3.3)."""
    recovery_half_mf: int = 2
    """Half MF of a recovery attempt in the MPh (3.3); the guide names none but the MF that the weapon's PP take."""
    recovery_below: int = 6
    """A recovery dr must be less than this (3.1 b)."""
    elevation_mf: int = 0
    """Extra MF for each change of elevation off paved roads."""
