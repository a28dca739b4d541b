"""The rulesets of the games: which switches of the parts they set."""

from __future__ import annotations

from sandtable.games.squad.combat.switches import CombatRules
from sandtable.games.squad.effects.switches import EffectRules
from sandtable.games.squad.fire.switches import FireRules
from sandtable.games.squad.ground.switches import GroundRules
from sandtable.games.squad.movement.switches import MovementRules
from sandtable.games.squad.ordnance.switches import OrdnanceRules
from sandtable.games.squad.part import Ruleset
from sandtable.games.squad.phases.switches import PhaseRules
from sandtable.games.squad.rally.switches import RallyRules
from sandtable.games.squad.rout.switches import RoutRules
from sandtable.games.squad.scenario.switches import ScenarioRules

STARTER_KIT = Ruleset(
    "aslsk2",
    GroundRules(),
    PhaseRules(),
    EffectRules(),
    FireRules(),
    OrdnanceRules(),
    MovementRules(),
    RallyRules(),
    RoutRules(),
    CombatRules(),
    ScenarioRules(),
)

GUIDE = Ruleset(
    "aslguide",
    GroundRules(hindrances=False, recovery_needs_no_enemy=True, melee_needs_unbroken=False, smoke=False),
    PhaseRules(stacking_at_phase_end=True),
    EffectRules(
        elr=False,
        pin_on_morale_check=False,
        wounds=False,
        leader_loss=False,
        weapon_destruction=False,
        original_12_breaks=False,
        selection_ties=True,
        field_promotion=False,
    ),
    FireRules(
        cowering=False,
        rate_of_fire=False,
        breakdown=False,
        assault_fire=False,
        moved_mg_fire=True,
        mg_range_limit=0,
        voluntary_destruction=False,
        partial_group_must_fire=True,
        closest_armed=True,
        subsequent_fire_apart=False,
        protective_fire_uses_all=False,
        residual_again_if_larger=True,
        residual_reduced=False,
    ),
    OrdnanceRules(ordnance=False),
    MovementRules(double_time=False, assault_movement_needs_mf=False, recovery_half_mf=0, recovery_below=7),
    RallyRules(
        mmc_self_rally=False,
        self_rally_only_without_leader=True,
        repair=False,
        rally_steps="bcefdg",
        dm_stays_adjacent=False,
    ),
    RoutRules(
        voluntary_break=True,
        shared_hex_failure=True,
        never_rout_adjacent=True,
        low_crawl_away=True,
        any_range_forces_rout=True,
    ),
    CombatRules(
        advance_cx=False, transfer_before_advance=True, drop_in_close_combat=True, ambush=False, broken_cc_drm=0
    ),
    ScenarioRules(),
)
