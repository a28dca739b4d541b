"""Switches of lines of sight, possession and stacks: what a game leaves out, adds or words otherwise."""

from __future__ import annotations

import msgspec


class GroundRules(msgspec.Struct, frozen=True, kw_only=True):
    """What is in force; the defaults are those of the Starter Kit."""

    hindrances: bool = True
    smoke: bool = True
    """Smoke of any kind may be placed."""
    recovery_needs_no_enemy: bool = False
    """Nothing is recovered in a hex with a Known enemy (guide)."""
    melee_needs_unbroken: bool = True
    foreign_leader_drm: int = 0
    """DRM when a leader rallies or directs units of another nationality."""
