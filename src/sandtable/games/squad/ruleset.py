"""Switches of the squad-level family: what a game leaves out, adds or words otherwise."""

from __future__ import annotations

import msgspec


class Ruleset(msgspec.Struct, frozen=True, kw_only=True):
    """What is in force; the defaults are those of the Starter Kit."""

    name: str = "aslsk2"
    free_los: bool = True
    """Match option: lines of sight may be looked at before an attack is declared (3.2.1)."""

    # Fire and effects
    cowering: bool = True
    rate_of_fire: bool = True
    breakdown: bool = True
    ordnance: bool = True
    hindrances: bool = True
    assault_fire: bool = True
    moved_mg_fire: bool = False
    """MMG and HMG that moved fire in the AFPh too (guide)."""
    mg_range_limit: int = 16
    """Range beyond which only directed MG fire (4.1); 0: no limit."""
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
    leader_acts_once: bool = False
    """A leader who fired a weapon directs nobody in that Player Turn, and the other way round (ruling F-3)."""
    voluntary_destruction: bool = True
    """Weapons may be destroyed by their owners (4.0)."""
    partial_group_must_fire: bool = False
    """What is left of a fire group after a blocked line of sight must fire (guide)."""

    # Movement and Defensive First Fire
    double_time: bool = True
    assault_movement_needs_mf: bool = True
    """Assault Movement may not take all MF (3.3)."""
    stacking_at_phase_end: bool = False
    """Stacking limits count only at the end of a phase, and the enemy removes what is too much (guide)."""
    smoke_grenades: bool = True
    recovery_half_mf: int = 2
    """Half MF of a recovery attempt in the MPh (3.3); the guide names none but the MF that the weapon's PP take."""
    residual_reduced: bool = True
    """DRM from outside the target hex lower the Residual FP (3.3.1)."""
    closest_armed: bool = False
    """Armed enemies, seen or not, forbid Subsequent First Fire at those farther away (guide)."""
    protective_fire_uses_all: bool = True
    """Final Protective Fire takes all FP and usable MG of a unit (3.3.1)."""
    residual_again_if_larger: bool = False
    """Residual FP that has grown attacks again in the same location (guide)."""

    # Rally, rout, advance, close combat
    mmc_self_rally: bool = True
    """The ATTACKER may self-rally one MMC (3.1 e); crews may always."""
    leader_self_rally_only_without_leader: bool = False
    repair: bool = True
    rally_steps: str = "bcdefg"
    """Order of the steps of the Rally Phase (3.1); the guide transfers at any time, so after the rallies."""
    recovery_below: int = 6
    """A recovery dr must be less than this (3.1 b)."""
    recovery_needs_no_enemy: bool = False
    """Nothing is recovered in a hex with a Known enemy (guide)."""
    voluntary_break: bool = False
    """Units in sight may break at will in the RtPh to rout (guide)."""
    shared_hex_failure: bool = False
    """A broken unit in an enemy's hex is eliminated in the RtPh (guide)."""
    never_rout_adjacent: bool = False
    """A routing unit may never move adjacent to an enemy (guide)."""
    low_crawl_away: bool = False
    """Low Crawl into the open in sight must lead away from the nearest Known enemy (guide)."""
    any_range_forces_rout: bool = False
    """Also pinned enemies in normal range force units in the open to rout (guide)."""
    dm_stays_adjacent: bool = True
    """DM is not removed beside a Known enemy (3.1 g)."""
    advance_cx: bool = True
    """Advancing into a hex that takes all MF makes CX (3.7)."""
    transfer_before_advance: bool = False
    """Weapons are transferred only at the start of the APh (guide)."""
    drop_in_close_combat: bool = False
    """Weapons may be dropped at the start of a close combat (guide)."""
    ambush: bool = True
    broken_cc_drm: int = -2
    melee_needs_unbroken: bool = True
    field_promotion: bool = True

    # Special rules of a scenario
    smoke: bool = True
    """Smoke of any kind may be placed."""
    elevation_mf: int = 0
    """Extra MF for each change of elevation off paved roads."""
    off_board_terrain: bool = False
    foreign_leader_drm: int = 0
    """DRM when a leader rallies or directs units of another nationality."""


STARTER_KIT = Ruleset()

GUIDE = Ruleset(
    name="aslguide",
    cowering=False,
    rate_of_fire=False,
    breakdown=False,
    ordnance=False,
    hindrances=False,
    assault_fire=False,
    moved_mg_fire=True,
    mg_range_limit=0,
    elr=False,
    pin_on_morale_check=False,
    wounds=False,
    leader_loss=False,
    weapon_destruction=False,
    original_12_breaks=False,
    voluntary_destruction=False,
    partial_group_must_fire=True,
    closest_armed=True,
    protective_fire_uses_all=False,
    residual_again_if_larger=True,
    double_time=False,
    assault_movement_needs_mf=False,
    stacking_at_phase_end=True,
    smoke_grenades=False,
    recovery_half_mf=0,
    residual_reduced=False,
    mmc_self_rally=False,
    leader_self_rally_only_without_leader=True,
    repair=False,
    rally_steps="bcefdg",
    recovery_below=7,
    recovery_needs_no_enemy=True,
    voluntary_break=True,
    shared_hex_failure=True,
    never_rout_adjacent=True,
    low_crawl_away=True,
    any_range_forces_rout=True,
    dm_stays_adjacent=False,
    advance_cx=False,
    transfer_before_advance=True,
    drop_in_close_combat=True,
    ambush=False,
    broken_cc_drm=0,
    melee_needs_unbroken=False,
    field_promotion=False,
    smoke=False,
)
