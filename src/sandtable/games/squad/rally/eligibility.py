"""Who may do what in the Rally Phase, and with which modifiers (3.1)."""

from __future__ import annotations

from sandtable.engine import Tally
from sandtable.engine.part import Bar
from sandtable.games.squad.cards.charts import RALLY_DRM
from sandtable.games.squad.effects.morale import leadership, morale_level
from sandtable.games.squad.ground.cover import shelter_of
from sandtable.games.squad.ground.doors import barred, part_bar
from sandtable.games.squad.ground.knowledge import hidden
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.possession import ACTED, NOT_GOOD_ORDER
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.stacks import (
    STACK_LEADERS,
    STACK_SQUADS,
    adjacent_enemies,
    has_enemy,
    stacking_of,
    units_at,
)
from sandtable.games.squad.pieces.model import SquadState, Unit, Weapon
from sandtable.games.squad.rally.switches import RallyRules

CASUALTY_DR = 12
WEAPON_LOST_DR = 6
"""A repair dr that removes the weapon (3.1 c)."""

NOT_BROKEN: Bar = ("It is not broken: only broken units rally", "3.1")
TRIED: Bar = ("It has tried to rally in this Player Turn: it may again in the next", "3.1")
IN_MELEE: Bar = ("It is held in Melee and may do nothing but close combat", "3.8")


# -- c: repair --------------------------------------------------------------------------


def repair_bar(state: SquadState, weapon: Weapon, acted: tuple[str, ...]) -> Bar | None:
    """Why a weapon may not be repaired now (3.1 c)."""
    if not weapon.broken:
        return ("It has not malfunctioned: there is nothing to repair", "3.1")
    if not weapon.owner:
        return ("Nobody possesses it: it must be recovered first", "3.1")
    owner = state.units[weapon.owner]
    if not owner.good_order or owner.at < 0:
        return NOT_GOOD_ORDER
    if owner.id in acted:
        return ACTED
    if setting_of(state).foreign(owner, weapon):
        return ("A unit repairs weapons of its own nationality only", "3.1")
    if not weapon_kind(weapon).repair:
        return ("It has no repair number: it stays broken", "3.1")
    if not setting_of(state).may_repair(weapon, state.turn):
        return ("A special rule forbids its repair in this turn: try in a later one", "SSR")
    return None


# -- d: transfer ------------------------------------------------------------------------


def transfer_bar(state: SquadState, weapon: Weapon, unit: Unit) -> Bar | None:
    """Why a weapon may not be given to a unit (3.1 d, 4.0)."""
    if not weapon.owner:
        return ("Nobody possesses it: it must be recovered", "4.0")
    if weapon.recovered:
        return ("It was recovered or has changed hands in this phase: it may be transferred in a later one", "4.0")
    owner = state.units[weapon.owner]
    if owner.id == unit.id or owner.side != unit.side or owner.at != unit.at or unit.at < 0:
        return ("Weapons change hands within a hex, between two units", "3.1")
    if not owner.good_order or not unit.good_order or hidden(owner) or hidden(unit):
        return NOT_GOOD_ORDER
    if unit_kind(state, unit).dummy:
        return ("Nobody is there to take it", "A12.11")
    if weapon_kind(weapon).gun and not _gun_fits(state, weapon, owner, unit):
        return ("Whoever mans a Gun counts as a squad: the hex would hold more than three", "3.3")
    return None


def _gun_fits(state: SquadState, weapon: Weapon, owner: Unit, unit: Unit) -> bool:
    """Whether the stacking limits allow a unit to man a Gun, which makes it a squad's size (3.3)."""
    kind = unit_kind(state, unit)
    if not kind.mans_guns or kind.size > 1:
        return True
    others = [other for other in units_at(state, unit.at, unit.side) if other.id not in (owner.id, unit.id)]
    size, leaders = stacking_of(state, others)
    kept = [name for name in owner.weapons if name != weapon.id and weapon_kind(state.weapons[name]).gun]
    his = unit_kind(state, owner)
    size += 2 + (2 if his.size == 1 and kept else his.size)
    return size <= STACK_SQUADS and leaders <= STACK_LEADERS


# -- e and f: rally ---------------------------------------------------------------------


def rally_bar(state: SquadState, unit: Unit) -> Bar | None:
    """Why a unit may not try to rally at all (3.1)."""
    if not unit.broken:
        return NOT_BROKEN
    if unit.melee:
        return IN_MELEE
    return TRIED if unit.rally_tried else part_bar(state, "rally", unit)


def self_rally_bar(state: SquadState, unit: Unit, *, tried: int) -> Bar | None:
    """Why a unit may not self-rally; `tried`: so many MMC of the ATTACKER have (1.2.3, 3.1 e, G5)."""
    bar = rally_bar(state, unit)
    if bar is not None:
        return bar
    rules = setting_of(state).rules
    kind = unit_kind(state, unit)
    if not kind.self_rally and not rules.of(RallyRules).mmc_self_rally:
        return ("It needs a leader to rally", "G5")
    if rules.of(RallyRules).self_rally_only_without_leader and unbroken_leaders(state, unit):
        return ("An unbroken leader with it must rally it", "A10.63" if rules.of(RallyRules).mmc_self_rally else "G5")
    if kind.self_rally:
        return None
    if unit.side != state.attacker:
        return ("Only the ATTACKER may self-rally a unit without the box around its broken morale", "3.1")
    if tried >= max([allow(state, unit.side) for allow in setting_of(state).points.self_rallies], default=1):
        return ("The ATTACKER has self-rallied one such unit already: others need a leader", "3.1")
    return None


def unbroken_leaders(state: SquadState, unit: Unit) -> list[Unit]:
    """Good Order leaders stacked with a unit."""
    return [
        other
        for other in units_at(state, unit.at, unit.side)
        if other.good_order
        and other.id != unit.id
        and unit_kind(state, other).leads
        and (not other.marks or barred(setting_of(state), other, "lead") is None)
    ]


def rally_leaders(state: SquadState, unit: Unit, acted: tuple[str, ...]) -> list[Unit]:
    """Leaders who may rally a unit: one action a phase, but all the units they are stacked with (1.2.1, 3.1 f)."""
    present = unbroken_leaders(state, unit)
    kinds = setting_of(state).kinds
    if kinds[unit.group, unit.kind].superior:
        return []
    above = [leader for leader in present if kinds[leader.group, leader.kind].superior]
    return [leader for leader in above or present if leader.id not in acted]


def rally_tally(state: SquadState, unit: Unit, leader: Unit | None) -> Tally:
    """The DRM of a rally attempt; without a leader it is a self-rally (3.1 e, G5)."""
    setting = setting_of(state)
    items: list[tuple[str, float, str]] = []
    if unit.dm:
        items.append(("DM", RALLY_DRM["dm"].value or 0, "3.1"))
    if terrain := shelter_of(state, unit):
        items.append((terrain, RALLY_DRM["terrain"].value or 0, "3.1"))
    if leader is None:
        items.append(("self-rally", RALLY_DRM["self_rally"].value or 0, "3.1"))
    else:
        items.append((f"leader {short(state, leader)}", leadership(state, leader), "3.1"))
        items.append(("leader of another nationality", setting.foreign_drm(leader, unit), "SSR"))
    items += [line for lines in setting.points.rally for line in lines(state, unit, leader)]
    return Tally.of(f"Rally of {unit_kind(state, unit).name}", items)


def rallies(state: SquadState, unit: Unit, original: int, drm: int) -> bool:
    """Whether a DR rallies a unit: its broken morale or less, but never an original 12 (3.1 f)."""
    return original != CASUALTY_DR and original + drm <= morale_level(state, unit)


# -- g: Desperation Morale --------------------------------------------------------------


def dm_stays(state: SquadState, unit: Unit) -> bool:
    """DM is not removed beside a Known enemy (3.1 g, G6)."""
    if not setting_of(state).rules.of(RallyRules).dm_stays_adjacent:
        return False
    return has_enemy(state, unit.at, unit.side) or next(adjacent_enemies(state, unit.at, unit.side), None) is not None


def may_keep_dm(state: SquadState, unit: Unit) -> bool:
    """A broken unit outside woods and buildings may keep its DM counter (3.1 g)."""
    return unit.broken and unit.dm and not shelter_of(state, unit) and not dm_stays(state, unit)
