"""Who may fire ordnance, at which hexes and with which ammunition (3.2.4, 3.3.1, 3.4, 3.5, 4.4, 4.5, 6.2, 6.9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sandtable.engine.part import Bar
from sandtable.games.squad.fire.direction import director_bar
from sandtable.games.squad.fire.eligibility import (
    BLOCKED_LINE,
    FIRED,
    MALFUNCTIONED,
    NO_SHOT_LEFT,
    Firer,
    in_sight,
    possible_hiding_hexes,
    usable,
)
from sandtable.games.squad.fire.switches import FireRules
from sandtable.games.squad.ground.doors import part_bar
from sandtable.games.squad.ground.guns import manned_gun, range_limits
from sandtable.games.squad.ground.knowledge import concealed, enemy_hexes, hidden
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.marks import hurried, waits
from sandtable.games.squad.ground.movers import mf_spent_here, moving_units
from sandtable.games.squad.ground.setting import Setting, setting_of, weapon_kind
from sandtable.games.squad.ground.stacks import units_at
from sandtable.games.squad.ground.switches import GroundRules
from sandtable.games.squad.ordnance.model import OrdnanceDraft, Shoot
from sandtable.games.squad.ordnance.switches import OrdnanceRules
from sandtable.games.squad.ordnance.tohit import (
    ATT,
    ITT,
    OWN_TABLE,
    SMOKES,
    STIELGRANATE_RANGE,
    is_stielgranate,
    special_ammo,
    to_hit_number,
)
from sandtable.games.squad.pieces.counters import Gun
from sandtable.games.squad.pieces.model import FINAL_FIRE, FIRST_FIRE, NO_MARKER, PREP_FIRE, SquadState, Unit, Weapon

CHART_END = 24
"""The To Hit chart ends here (ruling D-7)."""

NO_ORDNANCE: Bar = ("It is no ordnance: fire it as part of a fire attack", "6.0")
SW_ONCE: Bar = ("Only Guns use Intensive Fire; this support weapon has lost its Rate of Fire", "3.2.4")
INTENSIVE_DONE: Bar = (
    "Intensive Fire, the Area Target Type or a turn without Rate of Fire was its last shot of this Player Turn",
    "3.2.4",
)
MOVED_ORDNANCE: Bar = ("Guns and mortars that moved in the MPh may not fire in the AFPh; those that stood may", "3.5")
ONE_LEADER: Bar = ("A leader alone may not fire it; two leaders may", "4.4.1")
FINAL_MARKED: Bar = ("Its crew bears a Final Fire counter: it fires again in the next Player Turn", "1.2.4.1")
ADJACENT_INTENSIVE: Bar = ("It bears a First Fire counter: Intensive Fire reaches only adjacent hexes now", "3.4")
TOO_NEAR: Bar = ("The target is closer than its minimum range: pick one farther away", "6.9")
BEYOND: Bar = ("The target is beyond its range: pick a nearer one", "3.2.4")
SHAPED_CHARGE: Bar = ("HEAT harms only targets in buildings, and Guns: pick such a target", "4.4")


# -- whether it may fire at all -----------------------------------------------------------


def shooter_bar(state: SquadState, weapon: Weapon, mode: str) -> Bar | None:
    """Why an ordnance weapon may not fire in this phase (3.2.4, 3.3.1, 3.4, 3.5, 4.0)."""
    setting = setting_of(state)
    kind = weapon_kind(weapon)
    if not kind.ordnance or not setting.rules.of(OrdnanceRules).ordnance:
        return NO_ORDNANCE
    if weapon.broken:
        return MALFUNCTIONED
    marker = weapon.marker
    again = marker != NO_MARKER
    bar = usable(setting, state, weapon, kind, "first" if again else mode)
    if bar is not None:
        return bar
    owner = state.units[weapon.owner]
    if again:
        as_prepared = mode == "advancing" and waits(setting, owner)
        return _intensive_bar(weapon, gun=kind.gun, mode="prep" if as_prepared else mode)
    if weapon.shots and owner.marker >= FINAL_FIRE:
        return FINAL_MARKED
    if hurried(setting, owner, mode) and weapon.moved and not kind.latw:
        return MOVED_ORDNANCE
    if kind.latw and setting.kinds[owner.group, owner.kind].smc and not helpers(state, owner):
        return ONE_LEADER
    return None


def _intensive_bar(weapon: Weapon, *, gun: bool, mode: str) -> Bar | None:
    """Why a weapon that has lost its ROF may not use Intensive Fire (3.2.4, 3.3.1, 3.4)."""
    if not gun:
        return SW_ONCE
    marker = weapon.marker
    if marker > FINAL_FIRE:
        return INTENSIVE_DONE
    if mode == "first":
        return None if marker == FIRST_FIRE else FIRED
    if mode == "final":
        return None if marker == FIRST_FIRE or (marker == FINAL_FIRE and weapon.shots) else FIRED
    return None if mode == "prep" and marker == PREP_FIRE and weapon.shots else FIRED


def helpers(state: SquadState, owner: Unit) -> list[str]:
    """Other leaders in the hex who may serve a leader's light anti-tank weapon with him (4.4.1)."""
    kinds = setting_of(state).kinds
    return [
        unit.id
        for unit in units_at(state, owner.at, owner.side)
        if unit.id != owner.id
        and kinds[unit.group, unit.kind].smc
        and unit.good_order
        and not unit.used
        and not unit.directed
        and unit.marker == NO_MARKER
    ]


# -- whether it reaches a hex -------------------------------------------------------------


def aim_bar(state: SquadState, weapon: Weapon, target: int, mode: str) -> Bar | None:
    """Why a weapon may not fire at a hex at all (3.2.1, 3.2.4, 3.4, 6.9)."""
    spent = mf_spent_here(state) if mode == "first" else 99
    return _aim_bar(setting_of(state), state, weapon, target, mode, _reach(state, weapon), spent)


def _aim_bar(
    setting: Setting, state: SquadState, weapon: Weapon, target: int, mode: str, reach: tuple[int, int], spent: int
) -> Bar | None:
    """The same, for a weapon whose reach is known; `spent`: MF of the movers there."""
    owner = state.units[weapon.owner]
    distance = setting.ground.ranges[owner.at][target]
    if mode == "final" and weapon.marker == FIRST_FIRE and distance > 1:
        return ADJACENT_INTENSIVE
    if state.shots.get(weapon.id, 0) >= spent:
        return NO_SHOT_LEFT
    if distance < reach[0]:
        return TOO_NEAR
    if distance > reach[1]:
        return BEYOND
    if not in_sight(setting, state, owner.at, target):
        return BLOCKED_LINE
    if not setting.points.bars_targets:
        return None
    return part_bar(state, "aim", owner.side, target, mode) or part_bar(state, "line", owner, weapon, target, mode)


def _reach(state: SquadState, weapon: Weapon) -> tuple[int, int]:
    """The nearest and the farthest range of a weapon (6.9, ruling D-7)."""
    low, high = range_limits(state, weapon)
    kind = weapon_kind(weapon)
    if kind.latw:
        return max(low, 1), kind.range
    return max(low, 1), CHART_END if high is None else min(high, CHART_END)


def heat_works(state: SquadState, target: int, mode: str) -> bool:
    """Whether a shaped charge may be fired at a hex: a building, or a Gun in it (4.4, 6.2)."""
    if setting_of(state).ground.in_building[target]:
        return True
    if mode == "first":
        units = [state.units[name] for name in moving_units(state)]
    else:
        units = units_at(state, target)
    return any(not concealed(state, unit) and unit.weapons and manned_gun(state, unit) is not None for unit in units)


def ammunition(state: SquadState, weapon: Weapon, target: int, mode: str) -> list[tuple[str, str]]:
    """Target types and ammunition that a weapon may use against a hex (3.2.4, 6.0, 6.2)."""
    kind = weapon_kind(weapon)
    counter = kind.counter
    own_only = _own_only(state, weapon, target)
    if kind.latw:
        return [(OWN_TABLE, "H")] if not own_only and heat_works(state, target, mode) else []
    found = []
    types = (ATT,) if kind.mortar else (ITT, ATT)
    if not own_only:
        if not isinstance(counter, Gun) or counter.he == "yes" or _has(state, weapon, "HE"):
            found += [(target_type, "HE") for target_type in types]
        if isinstance(counter, Gun) and counter.ap:
            found.append((ITT, "AP"))
        if _has(state, weapon, "H") and heat_works(state, target, mode):
            distance = setting_of(state).ground.ranges[state.units[weapon.owner].at][target]
            if not is_stielgranate(weapon, "H") or distance <= STIELGRANATE_RANGE:
                found.append((ITT, "H"))
    found += [(ATT, smoke) for smoke in SMOKES if _has(state, weapon, smoke) and may_smoke(state, mode, smoke)]
    return found


def _own_only(state: SquadState, weapon: Weapon, target: int) -> bool:
    side = state.units[weapon.owner].side
    present = [unit for unit in units_at(state, target) if unit.side == side or not hidden(unit)]
    return bool(present) and all(unit.side == side for unit in present)


def _has(state: SquadState, weapon: Weapon, ammo: str) -> bool:
    """Whether a weapon may still try for a Special Ammo (6.2)."""
    return ammo not in weapon.depleted and special_ammo(state, weapon, ammo) is not None


def may_smoke(state: SquadState, mode: str, ammo: str) -> bool:
    """Smoke and WP: at the start of the PFPh or DFPh; WP also as Defensive First Fire (1.2.5, 6.2)."""
    if not setting_of(state).rules.of(GroundRules).smoke:
        return False
    if mode == "first":
        return ammo == "WP"
    return mode in ("prep", "final") and not other_fire(state)


def other_fire(state: SquadState) -> bool:
    """Whether anything but Smoke has been fired in this phase (6.2)."""
    if state.fire_begun:
        return True
    return any(weapon.shots and weapon.id not in state.only_smoke for weapon in state.weapons.values())


# -- lists ------------------------------------------------------------------------------


def known_targets(state: SquadState, weapon: Weapon, mode: str, cells: Iterable[int]) -> list[int]:
    """Hexes among these that a weapon may fire at now."""
    return list(_known_targets(setting_of(state), state, weapon, mode, cells))


def _known_targets(
    setting: Setting, state: SquadState, weapon: Weapon, mode: str, cells: Iterable[int]
) -> Iterator[int]:
    reach = _reach(state, weapon)
    spent = mf_spent_here(state) if mode == "first" else 99
    for cell in cells:
        if _aim_bar(setting, state, weapon, cell, mode, reach, spent) is None and ammunition(state, weapon, cell, mode):
            yield cell


def all_targets(state: SquadState, weapon: Weapon, mode: str) -> list[int]:
    """Every hex that a weapon may fire at: Smoke, Area Fire at empty hexes, and known enemies (6.2, 6.4)."""
    setting = setting_of(state)
    source = state.units[weapon.owner].at
    ranges, row = setting.ground.ranges[source], setting.ground.los_row(source)
    least, most = range_limits(state, weapon)
    limit = CHART_END if most is None else min(most, CHART_END)
    free = setting.rules.of(FireRules).free_los
    cells = [
        c for c in range(setting.ground.places) if least <= ranges[c] <= limit and not (free and row[c] == BLOCKED)
    ]
    return known_targets(state, weapon, mode, cells)


def start_shots(state: SquadState, side: str, mode: str) -> list[str]:
    """Ordnance that may start a shot in a fire phase; any but a light anti-tank weapon may fire at empty hexes."""
    setting = setting_of(state)
    if not setting.rules.of(OrdnanceRules).ordnance:
        return []
    found = []
    enemies: list[int] | None = None
    for weapon in state.weapons.values():
        if not _mine(setting, state, weapon, side) or shooter_bar(state, weapon, mode) is not None:
            continue
        if enemies is None:
            enemies = enemy_hexes(state, side)
        if _worth_aiming(setting, state, weapon, mode, enemies):
            found.append(weapon.id)
    return found


def _mine(setting: Setting, state: SquadState, weapon: Weapon, side: str) -> bool:
    if not weapon.owner or weapon.broken or not weapon_kind(weapon).ordnance:
        return False
    owner = state.units[weapon.owner]
    return owner.side == side and owner.at >= 0 and not owner.broken and not owner.melee


def _worth_aiming(setting: Setting, state: SquadState, weapon: Weapon, mode: str, enemies: Sequence[int]) -> bool:
    adjacent = mode == "final" and weapon.marker == FIRST_FIRE
    if not weapon_kind(weapon).latw and not adjacent:
        return True
    if next(_known_targets(setting, state, weapon, mode, enemies), None) is not None:
        return True
    searched = [] if adjacent else possible_hiding_hexes(setting, state, state.units[weapon.owner].side)
    return next(_known_targets(setting, state, weapon, mode, searched), None) is not None


def first_shooters(state: SquadState, side: str, cell: int) -> list[str]:
    """Ordnance of the DEFENDER that may fire now at the movers in a hex (3.3.1)."""
    setting = setting_of(state)
    spent = mf_spent_here(state)
    if not setting.rules.of(OrdnanceRules).ordnance or spent < 1:
        return []
    found = []
    for weapon in state.weapons.values():
        if not _mine(setting, state, weapon, side) or state.units[weapon.owner].at == cell:
            continue
        if _aim_bar(setting, state, weapon, cell, "first", _reach(state, weapon), spent) is not None:
            continue
        if shooter_bar(state, weapon, "first") is not None:
            continue
        if ammunition(state, weapon, cell, "first"):
            found.append(weapon.id)
    return found


def directors(state: SquadState, draft: OrdnanceDraft) -> list[str]:
    """Leaders who may direct a support weapon, or serve it with its leader (4.4.1, 4.5); never for Guns."""
    weapon = state.weapons[draft.weapon]
    kind = weapon_kind(weapon)
    if draft.leader or kind.gun:
        return []
    owner = state.units[weapon.owner]
    if setting_of(state).kinds[owner.group, owner.kind].smc:
        return helpers(state, owner) if kind.latw else []
    firer = Firer(weapon.id, owner, weapon, kind, weapon.marker, kind.range)
    return [
        unit.id
        for unit in units_at(state, owner.at, owner.side)
        if director_bar(state, unit, [firer], draft.mode) is None
    ]


def facings(state: SquadState, weapon: Weapon, target: int) -> list[int]:
    """Covered Arcs from which a Gun may fire at a hex; -1: as it stands (3.2.4)."""
    if not weapon_kind(weapon).gun or weapon.facing < 0:
        return [-1]
    spines = setting_of(state).ground.spines_towards(state.units[weapon.owner].at, target)
    return [-1 if spine == weapon.facing else spine for spine in spines]


def _blasts_back(state: SquadState, draft: OrdnanceDraft, owner: Unit) -> bool:
    """Whether the backblast of a LATW must be avoided or suffered; whoever has waited finds a place (4.4.2, C5.34)."""
    setting = setting_of(state)
    if not weapon_kind(state.weapons[draft.weapon]).latw or not setting.ground.in_building[owner.at]:
        return False
    return draft.mode != "advancing" or not waits(setting, owner)


def shots_of(state: SquadState, draft: OrdnanceDraft) -> list[Shoot]:
    """Every way in which the shot of a draft may be fired (3.2.4, 4.4.2, 6.2)."""
    weapon = state.weapons[draft.weapon]
    kind = weapon_kind(weapon)
    owner = state.units[weapon.owner]
    if kind.latw and setting_of(state).kinds[owner.group, owner.kind].smc and not draft.leader:
        return []
    blasts = ("avoided", "suffered") if _blasts_back(state, draft, owner) else ("",)
    distance = setting_of(state).ground.ranges[owner.at][draft.target]
    turns = facings(state, weapon, draft.target)
    rates = draft.mode == "first" and kind.rof > 0 and weapon.marker == NO_MARKER and not owner.pinned
    found = []
    for target_type, ammo in ammunition(state, weapon, draft.target, draft.mode):
        if to_hit_number(state, weapon, target_type, distance, ammo=ammo) is None:
            continue
        leaves = rates and ammo not in ("AP", *SMOKES) and (kind.mortar or target_type == ITT)
        for facing in turns:
            for blast in blasts:
                found.append(Shoot(target_type, ammo, facing, blast))
                if leaves:
                    found.append(Shoot(target_type, ammo, facing, blast, forgo=True))
    return found
