"""Switches of fire: what a game leaves out, adds or words otherwise."""

from __future__ import annotations

import msgspec


class FireRules(msgspec.Struct, frozen=True, kw_only=True):
    """What is in force; the defaults are those of the Starter Kit."""

    free_los: bool = True
    """Match option: lines of sight may be looked at before an attack is declared (3.2.1)."""
    cowering: bool = True
    rate_of_fire: bool = True
    breakdown: bool = True
    assault_fire: bool = True
    assault_fire_after_waiting: bool = False
    """Opportunity Firers have the Assault Fire bonus too (A7.25, ruling SA-123)."""
    moved_mg_fire: bool = False
    """MMG and HMG that moved fire in the AFPh too (guide)."""
    mg_range_limit: int = 16
    """Range beyond which only directed MG fire (4.1); 0: no limit."""
    leader_acts_once: bool = False
    """A leader who fired a weapon directs nobody in that Player Turn, and the other way round (ruling F-3)."""
    direct_members: bool = False
    """A leader may direct the members of his group again one by one, with all their weapons (ruling F-3)."""
    voluntary_destruction: bool = True
    """Weapons may be destroyed by their owners (4.0)."""
    partial_group_must_fire: bool = False
    """What is left of a fire group after a blocked line of sight must fire (guide)."""
    residual_reduced: bool = True
    """DRM from outside the target hex lower the Residual FP (3.3.1)."""
    closest_armed: bool = False
    """Armed enemies, seen or not, forbid Subsequent First Fire at those farther away (guide)."""
    subsequent_fire_apart: bool = True
    """A unit may use Subsequent First Fire apart from its machine gun (4.1); the guide knows no exception."""
    protective_fire_uses_all: bool = True
    """Final Protective Fire takes all FP and usable MG of a unit (3.3.1)."""
    protective_12_reduces_one: bool = False
    """An original 12 of Final Protective Fire reduces one of its firers, at random; the others break (A8.31)."""
    residual_again_if_larger: bool = False
    """Residual FP that has grown attacks again in the same location (guide)."""
