"""Who may fire, with what and at what: markers, ranges, use of weapons, Mandatory Fire Groups (3.2.2 to 4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sandtable.engine.part import Bar
from sandtable.games.squad.effects.morale import leads
from sandtable.games.squad.fire.mandatory import NOTHING, Earlier, earlier_fire, is_bound
from sandtable.games.squad.fire.switches import FireRules
from sandtable.games.squad.ground.doors import part_bar
from sandtable.games.squad.ground.knowledge import concealed, enemy_hexes, faces_hidden_guns, seems_empty
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.marks import hurried
from sandtable.games.squad.ground.movers import mf_spent_here
from sandtable.games.squad.ground.setting import Setting, setting_of, weapon_kind
from sandtable.games.squad.ground.sight import los, sees
from sandtable.games.squad.pieces.kinds import WeaponKind, printed_weapon
from sandtable.games.squad.pieces.model import FINAL_FIRE, FIRST_FIRE, NO_MARKER, SquadState, Unit, Weapon
from sandtable.space.remembered import remembered

FIRED: Bar = ("It has fired already: only what keeps its Rate of Fire, or bears no counter, fires again", "3.2")
BROKEN: Bar = ("It is broken and may only rout and rally", "3.2.3")
MELEE: Bar = ("It is locked in Melee and fights only in the Close Combat Phase", "3.8")
NO_FP: Bar = ("A leader has no firepower of his own; let him direct a unit or fire a machine gun", "1.2.1")
MANHANDLED: Bar = ("It has pushed a Gun in this Player Turn: it fires again in the next one", "6.5")
FORFEITED: Bar = ("It has forfeited its own firepower by firing weapons: it fires again in the next Player Turn", "4.0")
TWO_WEAPONS: Bar = ("A squad may fire one weapon besides its own firepower, or two without it", "4.0")
ONE_WEAPON: Bar = ("It may fire one weapon in a Player Turn, and then not its own firepower", "4.0")
MALFUNCTIONED: Bar = ("It has malfunctioned; try to repair it in the Rally Phase", "4.1")
UNPOSSESSED: Bar = ("Nobody possesses it: a Good Order unit must recover it first", "1.2.4")
PINNED_FLAMES: Bar = ("A pinned unit cannot fire a flamethrower, only its own firepower and other weapons", "4.2")
MOVED_WEAPON: Bar = ("It was moved in this Player Turn: light machine guns and squads may fire now", "3.5")
ORDNANCE: Bar = ("It fires by the To Hit process: shoot with it as ordnance", "3.2.4")
DIRECTED: Bar = ("He has directed fire in this Player Turn: he may direct only the same firers again", "1.2.1")
OFF_BOARD: Bar = ("It is not on the map: it must enter first", "3.2.1")

TOO_FAR: Bar = ("The target is beyond double its normal range: pick a nearer one", "3.2.2")
NEEDS_LEADER: Bar = ("Beyond 16 hexes a machine gun needs a leader to direct it", "4.1")
ADJACENT_ONLY: Bar = ("It bears a First Fire counter: it fires only at adjacent hexes now", "3.4")
FPF_ADJACENT: Bar = ("It bears a Final Fire counter: only Final Protective Fire at adjacent movers", "3.3.1")
BEYOND_NORMAL: Bar = ("Subsequent First Fire does not reach beyond normal range: wait until they come closer", "3.3.1")
CLOSER_ENEMY: Bar = (
    "A closer enemy forbids Subsequent First Fire at these: fire at the closest",
    "3.3.1",
)
NO_SHOT_LEFT: Bar = (
    "It has fired at them as often as they have spent MF in this location: wait for their next MF",
    "3.3.1",
)
SEPARATE: Bar = (
    "Others of its hex have fired at this target, and it had to fire with them: pick another target",
    "3.2.2",
)
NONE_NEAR = 99
"""A range beyond that of all weapons."""
NO_HEXES: frozenset[int] = frozenset()
BLOCKED_LINE: Bar = ("The line of sight is blocked: pick a target in sight", "3.2.1")


class Firer(NamedTuple):
    """A unit with its own FP, or a weapon in somebody's hands, as something that may fire."""

    id: str
    unit: Unit
    weapon: Weapon | None
    kind: WeaponKind | None
    marker: int
    range: int
    """Normal range."""

    @property
    def alone(self) -> bool:
        """Flamethrowers and Guns never join a fire group (4.2, 6.8)."""
        return self.kind is not None and not self.kind.mg


def firer_of(state: SquadState, name: str) -> Firer:
    """A unit or weapon by its id."""
    weapon = state.weapons.get(name)
    if weapon is not None:
        kind = weapon_kind(weapon)
        return Firer(name, state.units[weapon.owner], weapon, kind, weapon.marker, kind.range)
    unit = state.units[name]
    kind_of = setting_of(state).kinds[unit.group, unit.kind]
    return Firer(name, unit, None, None, unit.marker, kind_of.range)


# -- whether it may fire at all -----------------------------------------------------------


def unit_bar(setting: Setting, state: SquadState, unit: Unit, mode: str) -> Bar | None:
    """Why a unit may not fire its own FP in this phase (3.2, 3.4, 3.5, 4.0)."""
    kind = setting.kinds[unit.group, unit.kind]
    if not kind.fp:
        return NO_FP
    if unit.broken:
        return BROKEN
    if unit.melee:
        return MELEE
    if unit.at < 0:
        return OFF_BOARD
    if unit.marker != NO_MARKER and mode != "first" and (mode != "final" or unit.marker >= FINAL_FIRE):
        return FIRED
    if unit.used and (not kind.squad or len(unit.used) > 1):
        return FORFEITED
    if mode == "advancing" and unit.hazardous:
        return MANHANDLED
    return part_bar(state, "fire", unit, None, mode) if "fire" in setting.points.barred else None


def weapon_bar(setting: Setting, state: SquadState, weapon: Weapon, mode: str) -> Bar | None:
    """Why a machine gun, flamethrower or IFE Gun may not fire in this phase (3.4, 3.5, 4.0, 4.1, 4.2, 6.8)."""
    kind = weapon_kind(weapon)
    if not kind.fp or not (kind.mg or kind.flamethrower or kind.gun):
        return ORDNANCE
    return usable(setting, state, weapon, kind, mode) or (MALFUNCTIONED if weapon.broken else None)


def usable(setting: Setting, state: SquadState, weapon: Weapon, kind: WeaponKind, mode: str) -> Bar | None:
    """Why a weapon may not be used by its owner in this phase, malfunction aside (3.5, 4.0)."""
    if not weapon.owner:
        return UNPOSSESSED
    owner = state.units[weapon.owner]
    if owner.broken:
        return BROKEN
    if owner.melee:
        return MELEE
    if owner.at < 0:
        return OFF_BOARD
    marker = weapon.marker
    if marker != NO_MARKER and mode != "first" and (mode != "final" or marker >= FINAL_FIRE):
        return FIRED
    if marker > FINAL_FIRE or (kind.flamethrower and marker != NO_MARKER):
        # to fire again is for units, machine guns and IFE Guns only (3.3.1, 3.4)
        return FIRED
    if hurried(setting, owner, mode):
        if weapon.shots or owner.hazardous:
            return FIRED if weapon.shots else MANHANDLED
        if weapon.moved and (
            kind.gun or (kind.type in ("MMG", "HMG") and not setting.rules.of(FireRules).moved_mg_fire)
        ):
            return MOVED_WEAPON
    if kind.flamethrower and owner.pinned:
        return PINNED_FLAMES
    if "fire" in setting.points.barred and (bar := part_bar(state, "fire", owner, weapon, mode)):
        return bar
    if weapon.id in owner.used:
        return None
    if kind.flamethrower and _has_used_flames(state, owner):
        return ("A unit may not use two flamethrowers: another unit must fire this one", "4.2")
    return _one_more_weapon(setting, owner, kind, mode)


def _one_more_weapon(setting: Setting, owner: Unit, kind: WeaponKind, mode: str) -> Bar | None:
    """Why a unit may not use another weapon beside those that it has used (3.2.4, 4.0)."""
    his = setting.kinds[owner.group, owner.kind]
    if kind.gun and not his.mans_guns:
        return ("A Gun must be manned by a squad, half-squad or crew", "3.2.4")
    if his.smc:
        if owner.directed and not acted_in_mph(setting, owner, mode):
            return DIRECTED
        return ONE_WEAPON if owner.used else None
    if his.squad:
        too_many = len(owner.used) > 1 or (len(owner.used) == 1 and owner.marker != NO_MARKER)
        return TWO_WEAPONS if too_many else None
    return ONE_WEAPON if owner.used or owner.marker != NO_MARKER else None


def _has_used_flames(state: SquadState, unit: Unit) -> bool:
    fired = [state.weapons.get(name) or state.gone.get(name) for name in unit.used]
    return any(weapon is not None and printed_weapon(weapon.kind).flamethrower for weapon in fired)


def may_join_use(setting: Setting, unit: Unit, *, own: bool, weapons: Iterable[str]) -> Bar | None:
    """Why a unit may not fire its own FP and these weapons together, with what it has fired (4.0)."""
    kind = setting.kinds[unit.group, unit.kind]
    used = {*unit.used, *weapons}
    own = own or (unit.marker != NO_MARKER and kind.fires)
    if kind.squad:
        return TWO_WEAPONS if len(used) > 2 or (len(used) == 2 and own and len(unit.used) != 2) else None
    if not kind.fires:
        return ONE_WEAPON if len(used) > 1 else None
    return ONE_WEAPON if len(used) > 1 or (used and own and not unit.used) else None


def elements(setting: Setting, state: SquadState, unit: Unit, mode: str) -> Iterator[Firer]:
    """What a unit may fire with in this phase: its own FP and its weapons."""
    if unit_bar(setting, state, unit, mode) is None:
        yield Firer(unit.id, unit, None, None, unit.marker, setting.kinds[unit.group, unit.kind].range)
    for name in unit.weapons:
        weapon = state.weapons[name]
        if weapon_bar(setting, state, weapon, mode) is None:
            kind = weapon_kind(weapon)
            yield Firer(name, unit, weapon, kind, weapon.marker, kind.range)


# -- whether it reaches a target ------------------------------------------------------------


class Aim(NamedTuple):
    """A line from a hex to a target hex: what all firers of the hex share."""

    source: int
    target: int
    distance: int
    directed: bool
    """A leader of the hex could direct fire."""
    earlier: Earlier = NOTHING
    """What was fired along this line before (Mandatory Fire Group)."""
    shots: int = 99
    """Shots that the MF spent in the location allow."""
    barred: bool = False
    """Some part may say that it is no target."""


def reach_bar(state: SquadState, firer: Firer, aim: Aim, mode: str, limit: int) -> Bar | None:
    """Why a firer may not fire along a line (3.2.2, 3.3.1, 3.4, 4.1, G19)."""
    distance = aim.distance
    if distance > 2 * firer.range:
        return TOO_FAR
    if limit and distance > limit and firer.kind is not None and not aim.directed:
        return NEEDS_LEADER
    if firer.marker >= FIRST_FIRE:
        if mode == "final" and distance > 1:
            return ADJACENT_ONLY
        if mode == "first":
            if firer.marker >= FINAL_FIRE and distance > 1:
                return FPF_ADJACENT
            if distance > firer.range:
                return BEYOND_NORMAL
            if distance > closest_enemy(setting_of(state), state, firer.unit.side, aim.source):
                return CLOSER_ENEMY
    if mode == "first" and state.shots.get(firer.id, 0) >= aim.shots:
        return NO_SHOT_LEFT
    if aim.earlier.fired and not firer.alone and is_bound(state, firer.unit, firer.weapon, aim.earlier, mode):
        return SEPARATE
    if not aim.barred:
        return None
    bar = part_bar(state, "aim", firer.unit.side, aim.target, mode)
    return bar or part_bar(state, "line", firer.unit, firer.weapon, aim.target, mode)


def aim_of(
    setting: Setting, state: SquadState, side: str, source: int, target: int, mode: str, spent: int | None = None
) -> Aim:
    """The line from a hex to a target as its firers see it; `spent`: MF of the movers there, where they are known."""
    ground = setting.ground
    distance = ground.ranges[source][target]
    limit = setting.rules.of(FireRules).mg_range_limit
    directed = bool(limit) and distance > limit and any(_could_direct(setting, state, source, side))
    if spent is None:
        spent = mf_spent_here(state) if mode == "first" else 99
    earlier = earlier_fire(state, source, target) if state.fired_along else NOTHING
    return Aim(source, target, distance, directed, earlier, spent, setting.points.bars_targets)


def _could_direct(setting: Setting, state: SquadState, source: int, side: str) -> Iterator[bool]:
    for name in state.stacks.get(source, ()):
        unit = state.units[name]
        if unit.side == side and leads(setting, unit):
            yield True


def closest_enemy(setting: Setting, state: SquadState, side: str, source: int) -> int:
    """Range to the closest known enemy unit in sight of a hex; in the guide of any armed one (3.3.1, G19)."""
    ranges = setting.ground.ranges[source]
    units = state.units
    unseen = setting.rules.of(FireRules).closest_armed
    hinders, line = state.hinders or setting.points.hinders, setting.ground.line
    best = 99
    for cell, names in state.stacks.items():
        if ranges[cell] >= best:
            continue
        if los(state, source, cell) == BLOCKED if hinders else not unseen and line(source, cell) == BLOCKED:
            continue
        if any([units[name].side != side and _counts_as_close(setting, state, units[name]) for name in names]):
            best = ranges[cell]
    return best


def _counts_as_close(setting: Setting, state: SquadState, unit: Unit) -> bool:
    """Known enemies; the guide looks only at armed ones."""
    if concealed(state, unit):
        return False
    return (
        not setting.rules.of(FireRules).closest_armed
        or bool(unit.weapons)
        or setting.kinds[unit.group, unit.kind].fires
    )


def in_sight(setting: Setting, state: SquadState, source: int, target: int) -> bool:
    """Whether a line may be tried: it is clear, or lines are only checked once the attack is declared (3.2.1)."""
    return sees(state, source, target) or not setting.rules.of(FireRules).free_los


# -- targets of a fire phase ----------------------------------------------------------------


@remembered(100)
def _hiding_places(setting: Setting, side: str) -> tuple[int, ...]:
    """Hexes in which a side could set up."""
    areas = [setting.setup_areas.get(group.id, ()) for group in setting.groups.values() if group.side == side]
    return tuple(sorted({cell for area in areas for cell in area}))


@remembered(4096)
def _places_in_sight(setting: Setting, side: str, source: int) -> tuple[int, ...]:
    """Hiding places of a side that a hex sees, Smoke aside, the nearest first."""
    row, ranges = setting.ground.los_row(source), setting.ground.ranges[source]
    free = setting.rules.of(FireRules).free_los
    seen = [cell for cell in _hiding_places(setting, side) if not free or row[cell] != BLOCKED]
    return tuple(sorted(seen, key=lambda cell: ranges[cell]))


def possible_hiding_hexes(setting: Setting, state: SquadState, side: str) -> list[int]:
    """Hexes where hidden enemy Guns might be (6.4)."""
    if not faces_hidden_guns(state, side):
        return []
    stacks = state.stacks
    return [
        cell for cell in _hiding_places(setting, setting.others[side]) if cell not in stacks or seems_empty(state, cell)
    ]


def hiding_hexes_in_sight(setting: Setting, state: SquadState, side: str, source: int) -> list[int]:
    """Hexes in sight where hidden enemy Guns might be: fire may search them as Area Fire (6.4)."""
    stacks = state.stacks
    return [
        cell
        for cell in _places_in_sight(setting, setting.others[side], source)
        if cell not in stacks or seems_empty(state, cell)
    ]


def targets_of(state: SquadState, side: str, firer: Firer, mode: str) -> list[int]:
    """Hexes that a firer may aim at in a fire phase (3.2.2, 3.4, 3.5)."""
    setting = setting_of(state)
    cells = enemy_hexes(state, side)
    if faces_hidden_guns(state, side):
        cells += hiding_hexes_in_sight(setting, state, side, firer.unit.at)
    return list(_reached(setting, state, side, firer, cells, mode))


def _reached(
    setting: Setting, state: SquadState, side: str, firer: Firer, cells: Iterable[int], mode: str
) -> Iterator[int]:
    """The hexes among these that a firer may aim at."""
    source = firer.unit.at
    ranges = setting.ground.ranges[source]
    limit = setting.rules.of(FireRules).mg_range_limit
    reach, plain = _reaches(limit, firer, mode)
    simple = _plain(setting, state) and source not in _fired_from(state)
    row = setting.ground.los_row(source) if simple else b""
    for target in cells:
        distance = ranges[target]
        if not 0 < distance <= reach:
            continue
        if simple and distance <= plain:
            if row[target] != BLOCKED:
                yield target
        elif in_sight(setting, state, source, target):
            aim = aim_of(setting, state, side, source, target, mode)
            if reach_bar(state, firer, aim, mode, limit) is None:
                yield target


def _reaches(limit: int, firer: Firer, mode: str) -> tuple[int, int]:
    """The range of a firer, and the range up to which nothing but the line of sight is to be looked at.

    `limit`: a machine gun needs a leader beyond it.
    """
    reach = 1 if mode == "final" and firer.marker >= FIRST_FIRE else 2 * firer.range
    return reach, min(reach, limit) if limit and firer.kind is not None else reach


def _plain(setting: Setting, state: SquadState) -> bool:
    """Whether range and terrain alone decide: no Smoke, free lines, and no part that has a say."""
    points = setting.points
    return not (state.hinders or points.hinders or points.bars_targets) and setting.rules.of(FireRules).free_los


def _fired_from(state: SquadState) -> frozenset[int]:
    """Hexes whose earlier fire may bind others of them."""
    fired = state.fired_along
    return frozenset([int(key.partition("-")[0]) for key in fired]) if fired else NO_HEXES


def start_firers(state: SquadState, side: str, mode: str) -> list[str]:
    """Units and weapons that may start a fire attack in a fire phase, in the order of the stacks."""
    setting = setting_of(state)
    enemies = enemy_hexes(state, side)
    searching = faces_hidden_guns(state, side)
    if not enemies and not searching:
        return []
    free, fired = _plain(setting, state), _fired_from(state)
    limit = setting.rules.of(FireRules).mg_range_limit
    units = state.units
    found = []
    for source, names in state.stacks.items():
        places: list[int] | None = None
        nearest, simple = 0, False
        for name in names:
            unit = units[name]
            if unit.side != side or unit.broken or unit.melee:
                continue
            if not nearest:
                simple = free and source not in fired
                nearest = _nearest(setting, state, side, source, enemies, searching) if simple else NONE_NEAR
                if simple and nearest == NONE_NEAR:
                    break  # nobody of this hex sees a target
            for firer in elements(setting, state, unit, mode):
                reach, plain = _reaches(limit, firer, mode)
                if nearest <= plain:
                    found.append(firer.id)
                    continue
                if simple and nearest > reach:
                    continue
                if places is None:
                    places = enemies + (hiding_hexes_in_sight(setting, state, side, source) if searching else [])
                for _ in _reached(setting, state, side, firer, places, mode):
                    found.append(firer.id)
                    break
    return found


def _nearest(
    setting: Setting, state: SquadState, side: str, source: int, enemies: Iterable[int], searching: bool
) -> int:
    """Range to the nearest hex in sight with a known enemy or, if some are hidden, with room for one."""
    ranges, row = setting.ground.ranges[source], setting.ground.los_row(source)
    best: int = min([ranges[cell] for cell in enemies if row[cell] != BLOCKED and cell != source], default=NONE_NEAR)
    if searching:
        stacks = state.stacks
        for cell in _places_in_sight(setting, setting.others[side], source):
            if ranges[cell] >= best:
                break
            if cell != source and (cell not in stacks or seems_empty(state, cell)):
                return ranges[cell]
    return best


def is_asked(state: SquadState, side: str) -> bool:
    """Whether a side that can start no fire attack is asked in a fire phase all the same.

    It may have weapons to shoot with or to destroy; and who is not asked would tell that his concealed units cannot
    fire.
    """
    units = state.units
    for weapon in state.weapons.values():
        if weapon.owner and (owner := units[weapon.owner]).side == side and owner.at >= 0:
            return True
    return any([unit.concealed and unit.side == side and unit.at >= 0 for unit in units.values()])


def first_firers(state: SquadState, side: str, cell: int) -> list[str]:
    """Units and weapons of the DEFENDER that may fire now at the movers in a hex (3.3.1)."""
    setting = setting_of(state)
    shots = mf_spent_here(state)
    if shots < 1:
        return []
    rules, line = setting.rules.of(FireRules), setting.ground.line
    limit = rules.mg_range_limit
    plain = rules.free_los and not state.hinders and not setting.points.hinders
    units = state.units
    found = []
    for source, names in state.stacks.items():
        # a hex that is held by one side alone is nearly every hex
        if source == cell or (units[names[0]].side != side and all([units[name].side != side for name in names])):
            continue
        if line(source, cell) == BLOCKED if plain else not in_sight(setting, state, source, cell):
            continue
        aim: Aim | None = None
        for name in names:
            unit = units[name]
            if unit.side != side or unit.broken or unit.melee:
                continue
            for firer in elements(setting, state, unit, "first"):
                if aim is None:
                    aim = aim_of(setting, state, side, source, cell, "first", shots)
                if reach_bar(state, firer, aim, "first", limit) is None:
                    found.append(firer.id)
    return found


# -- direction ----------------------------------------------------------------------------


def acted_in_mph(setting: Setting, leader: Unit, mode: str) -> bool:
    """Whether what a leader did was in the MPh and leaves him free in the DFPh: one action a phase (1.2.1, 4.0)."""
    return mode == "final" and leader.marker == FIRST_FIRE and not setting.rules.of(FireRules).leader_acts_once
