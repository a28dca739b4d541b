"""Taking up weapons: recovery, and who may man a Gun (3.1 b, 3.3, 4.0)."""

from __future__ import annotations

from sandtable.engine import Tally
from sandtable.engine.part import Bar
from sandtable.games.squad.cards.charts import figures
from sandtable.games.squad.ground.knowledge import hidden
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.stacks import STACK_SQUADS, has_enemy, stacking_of, units_at
from sandtable.games.squad.ground.switches import GroundRules
from sandtable.games.squad.pieces.model import SquadState, Unit, Weapon

CX_RECOVERY = int(figures("counter_exhausted")["recovery_drm"])
ACTED: Bar = ("It has had its one action of this Rally Phase: another unit may act", "3.1")
NOT_GOOD_ORDER: Bar = ("Only Good Order units may do that: rally it first, or let another unit act", "3.1")


def recovery_bar(state: SquadState, unit: Unit, acted: tuple[str, ...]) -> Bar | None:
    """Why a unit may not try to recover a weapon in its hex (3.1 b, 4.0, G33)."""
    if hidden(unit) or not unit.good_order or unit_kind(state, unit).dummy:
        return NOT_GOOD_ORDER
    if unit.id in acted:
        return ACTED
    if setting_of(state).rules.of(GroundRules).recovery_needs_no_enemy and has_enemy(state, unit.at, unit.side):
        return ("Enemies are in the same hex: beat them first", "G33")
    return None


def recovery_tally(unit: Unit) -> Tally:
    """The drm of a recovery dr (3.1 b)."""
    return Tally.of("Recovery", [("CX", CX_RECOVERY, "3.1")] if unit.cx else [])


def may_man(state: SquadState, weapon: Weapon, unit: Unit) -> bool:
    """Whether a unit can take a weapon, and the stacking limits allow it: who mans a Gun is a squad's size (3.3)."""
    kind = unit_kind(state, unit)
    if kind.dummy or not weapon_kind(weapon).gun:
        return not kind.dummy
    if not kind.mans_guns or kind.size > 1:
        return True
    others = [other for other in units_at(state, unit.at, unit.side) if other.id != unit.id]
    return stacking_of(state, others)[0] + 2 <= STACK_SQUADS
