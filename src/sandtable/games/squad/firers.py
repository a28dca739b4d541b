"""Who may fire, with what and at what: markers, ranges, use of weapons, Mandatory Fire Groups (3.2.2 to 4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from sandtable.games.squad.defensive_fire import mf_spent_here
from sandtable.games.squad.ground import BLOCKED
from sandtable.games.squad.kinds import WeaponKind, printed_weapon
from sandtable.games.squad.model import FINAL_FIRE, FIRST_FIRE, NO_MARKER, SquadState, Unit, Weapon
from sandtable.games.squad.morale import leads
from sandtable.games.squad.setting import Setting, setting, weapon_kind
from sandtable.games.squad.sight import los

Bar = tuple[str, str]
"""Why something may not fire, and the rule."""

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
    kind_of = setting(state).kinds[unit.group, unit.kind]
    return Firer(name, unit, None, None, unit.marker, kind_of.range)


# -- whether it may fire at all -----------------------------------------------------------


def unit_bar(card: Setting, unit: Unit, mode: str) -> Bar | None:
    """Why a unit may not fire its own FP in this phase (3.2, 3.4, 3.5, 4.0)."""
    kind = card.kinds[unit.group, unit.kind]
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
    return MANHANDLED if mode == "advancing" and unit.hazardous else None


def weapon_bar(card: Setting, state: SquadState, weapon: Weapon, mode: str) -> Bar | None:
    """Why a machine gun, flamethrower or IFE Gun may not fire in this phase (3.4, 3.5, 4.0, 4.1, 4.2, 6.8)."""
    kind = weapon_kind(weapon)
    if not kind.fp or not (kind.mg or kind.flamethrower or kind.gun):
        return ORDNANCE
    return usable(card, state, weapon, kind, mode) or (MALFUNCTIONED if weapon.broken else None)


def usable(card: Setting, state: SquadState, weapon: Weapon, kind: WeaponKind, mode: str) -> Bar | None:
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
    if mode == "advancing":
        if weapon.shots or owner.hazardous:
            return FIRED if weapon.shots else MANHANDLED
        if weapon.moved and (kind.gun or (kind.type in ("MMG", "HMG") and not card.rules.moved_mg_fire)):
            return MOVED_WEAPON
    if kind.flamethrower and owner.pinned:
        return PINNED_FLAMES
    if weapon.id in owner.used:
        return None
    if kind.flamethrower and _has_used_flames(state, owner):
        return ("A unit may not use two flamethrowers: another unit must fire this one", "4.2")
    his = card.kinds[owner.group, owner.kind]
    if not his.mmc:
        if kind.gun:
            return ("A Gun must be manned by a squad, half-squad or crew", "3.2.4")
        if owner.directed and not acted_in_mph(card, owner, mode):
            return DIRECTED
        return ONE_WEAPON if owner.used else None
    if his.squad:
        too_many = len(owner.used) > 1 or (len(owner.used) == 1 and owner.marker != NO_MARKER)
        return TWO_WEAPONS if too_many else None
    return ONE_WEAPON if owner.used or owner.marker != NO_MARKER else None


def _has_used_flames(state: SquadState, unit: Unit) -> bool:
    fired = [state.weapons.get(name) or state.gone.get(name) for name in unit.used]
    return any(weapon is not None and printed_weapon(weapon.kind).flamethrower for weapon in fired)


def may_join_use(card: Setting, unit: Unit, *, own: bool, weapons: Iterable[str]) -> Bar | None:
    """Why a unit may not fire its own FP and these weapons together, with what it has fired (4.0)."""
    kind = card.kinds[unit.group, unit.kind]
    used = {*unit.used, *weapons}
    own = own or (unit.marker != NO_MARKER and kind.mmc)
    if kind.squad:
        return TWO_WEAPONS if len(used) > 2 or (len(used) == 2 and own and len(unit.used) != 2) else None
    if not kind.mmc:
        return ONE_WEAPON if len(used) > 1 else None
    return ONE_WEAPON if len(used) > 1 or (used and own and not unit.used) else None


def elements(card: Setting, state: SquadState, unit: Unit, mode: str) -> Iterator[Firer]:
    """What a unit may fire with in this phase: its own FP and its weapons."""
    if unit_bar(card, unit, mode) is None:
        yield Firer(unit.id, unit, None, None, unit.marker, card.kinds[unit.group, unit.kind].range)
    for name in unit.weapons:
        weapon = state.weapons[name]
        if weapon_bar(card, state, weapon, mode) is None:
            kind = weapon_kind(weapon)
            yield Firer(name, unit, weapon, kind, weapon.marker, kind.range)


# -- whether it reaches a target ------------------------------------------------------------


class Aim(NamedTuple):
    """A line from a hex to a target hex: what all firers of the hex share."""

    source: int
    target: int
    distance: int
    fired: tuple[str, ...]
    """Who has fired along this line already (Mandatory Fire Group)."""
    directed: bool
    """A leader of the hex could direct fire."""
    shots: int = 99
    """Shots that the MF spent in the location allow."""


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
            if distance > closest_enemy(setting(state), state, firer.unit.side, aim.source):
                return CLOSER_ENEMY
    if mode == "first" and state.shots.get(firer.id, 0) >= aim.shots:
        return NO_SHOT_LEFT
    if aim.fired and firer.id not in aim.fired and not firer.alone and not (firer.weapon and firer.weapon.shots):
        return None if _apart_from_its_weapons(firer, aim, mode) else SEPARATE
    return None


def _apart_from_its_weapons(firer: Firer, aim: Aim, mode: str) -> bool:
    """Whether a unit uses Subsequent First Fire at what only its own machine guns have fired at (4.1)."""
    again = mode == "first" and firer.weapon is None and firer.marker >= FIRST_FIRE
    return again and all([name in firer.unit.weapons for name in aim.fired])


def line_key(source: int, target: int) -> str:
    """The key of a line in `state.volleys`."""
    return f"{source}-{target}"


def aim_of(card: Setting, state: SquadState, side: str, source: int, target: int, mode: str) -> Aim:
    """The line from a hex to a target as its firers see it."""
    ground = card.ground
    distance = ground.ranges[source][target]
    limit = card.rules.mg_range_limit
    directed = bool(limit) and distance > limit and any(_could_direct(card, state, source, side))
    shots = mf_spent_here(state) if mode == "first" else 99
    return Aim(source, target, distance, state.volleys.get(line_key(source, target), ()), directed, shots)


def _could_direct(card: Setting, state: SquadState, source: int, side: str) -> Iterator[bool]:
    for name in state.stacks.get(source, ()):
        unit = state.units[name]
        if unit.side == side and leads(card, unit):
            yield True


def closest_enemy(card: Setting, state: SquadState, side: str, source: int) -> int:
    """Range to the closest known enemy unit in sight of a hex; in the guide of any armed one (3.3.1, G19)."""
    ranges, row = card.ground.ranges[source], card.ground.los_row(source)
    units = state.units
    unseen = card.rules.closest_armed
    best = 99
    for cell, names in state.stacks.items():
        if ranges[cell] >= best or (row[cell] == BLOCKED and not unseen):
            continue
        if state.smoke and los(state, source, cell) == BLOCKED:
            continue
        if any([units[name].side != side and _counts_as_close(card, units[name]) for name in names]):
            best = ranges[cell]
    return best


def _counts_as_close(card: Setting, unit: Unit) -> bool:
    """Known enemies; the guide looks only at armed ones."""
    if unit.hip:
        return False
    return not card.rules.closest_armed or bool(unit.weapons) or card.kinds[unit.group, unit.kind].mmc


def in_sight(card: Setting, state: SquadState, source: int, target: int) -> bool:
    """Whether a line may be tried: it is clear, or lines are only checked once the attack is declared (3.2.1)."""
    if not card.rules.free_los:
        return True
    if state.smoke:
        return los(state, source, target) != BLOCKED
    return card.ground.los_row(source)[target] != BLOCKED


# -- targets of a fire phase ----------------------------------------------------------------


def enemy_hexes(state: SquadState, side: str) -> list[int]:
    """Hexes with a known enemy."""
    units = state.units
    found = []
    for cell, names in state.stacks.items():
        for name in names:
            unit = units[name]
            if unit.side != side and not unit.hip:
                found.append(cell)
                break
    return found


@lru_cache(maxsize=100)
def _hiding_places(card: Setting, side: str) -> tuple[int, ...]:
    """Hexes in which a side could set up."""
    areas = [card.setup_areas.get(group.id, ()) for group in card.groups.values() if group.side == side]
    return tuple(sorted({cell for area in areas for cell in area}))


@lru_cache(maxsize=4096)
def _places_in_sight(card: Setting, side: str, source: int) -> tuple[int, ...]:
    """Hiding places of a side that a hex sees, Smoke aside, the nearest first."""
    row, ranges = card.ground.los_row(source), card.ground.ranges[source]
    free = card.rules.free_los
    seen = [cell for cell in _hiding_places(card, side) if not free or row[cell] != BLOCKED]
    return tuple(sorted(seen, key=lambda cell: ranges[cell]))


def suspects(card: Setting, state: SquadState, side: str) -> bool:
    """Whether enemy Guns are hidden somewhere."""
    return any([unit.hip and unit.side != side for unit in state.units.values()])


def suspect_hexes(card: Setting, state: SquadState, side: str) -> list[int]:
    """Hexes where hidden enemy Guns might be (6.4)."""
    if not suspects(card, state, side):
        return []
    units, stacks = state.units, state.stacks
    return [
        cell
        for cell in _hiding_places(card, card.others[side])
        if cell not in stacks or not any([not units[name].hip for name in stacks[cell]])
    ]


def suspects_seen(card: Setting, state: SquadState, side: str, source: int) -> list[int]:
    """Hexes in sight where hidden enemy Guns might be: fire may search them as Area Fire (6.4)."""
    units, stacks = state.units, state.stacks
    return [
        cell
        for cell in _places_in_sight(card, card.others[side], source)
        if cell not in stacks or not any([not units[name].hip for name in stacks[cell]])
    ]


def targets_of(state: SquadState, side: str, firer: Firer, mode: str) -> list[int]:
    """Hexes that a firer may aim at in a fire phase (3.2.2, 3.4, 3.5)."""
    card = setting(state)
    cells = enemy_hexes(state, side)
    if suspects(card, state, side):
        cells += suspects_seen(card, state, side, firer.unit.at)
    return list(_reached(card, state, side, firer, cells, mode))


def _reached(
    card: Setting, state: SquadState, side: str, firer: Firer, cells: Iterable[int], mode: str
) -> Iterator[int]:
    """The hexes among these that a firer may aim at."""
    source = firer.unit.at
    ranges, row = card.ground.ranges[source], card.ground.los_row(source)
    reach, plain = _reaches(card, firer, mode)
    simple = _simple(card, state, source)
    for target in cells:
        distance = ranges[target]
        if not 0 < distance <= reach:
            continue
        if simple and distance <= plain:
            if row[target] != BLOCKED:
                yield target
        elif in_sight(card, state, source, target):
            aim = aim_of(card, state, side, source, target, mode)
            if reach_bar(state, firer, aim, mode, card.rules.mg_range_limit) is None:
                yield target


def _reaches(card: Setting, firer: Firer, mode: str) -> tuple[int, int]:
    """The range of a firer, and the range up to which nothing but the line of sight is to be looked at."""
    reach = 1 if mode == "final" and firer.marker >= FIRST_FIRE else 2 * firer.range
    limit = card.rules.mg_range_limit
    return reach, min(reach, limit) if limit and firer.kind is not None else reach


def _simple(card: Setting, state: SquadState, source: int) -> bool:
    """Whether range and terrain alone decide: no Smoke, no earlier fire of the hex that binds others, free lines."""
    if state.smoke or not card.rules.free_los:
        return False
    start = f"{source}-"
    return not state.volleys or not any([key.startswith(start) for key in state.volleys])


def start_firers(state: SquadState, side: str, mode: str) -> list[str]:
    """Units and weapons that may start a fire attack in a fire phase, in the order of the stacks."""
    card = setting(state)
    enemies = enemy_hexes(state, side)
    hidden = suspects(card, state, side)
    units = state.units
    found = []
    for source, names in state.stacks.items():
        places: list[int] | None = None
        nearest, simple = 0, False
        for name in names:
            unit = units[name]
            if unit.side != side or unit.broken or unit.melee:
                continue
            for firer in elements(card, state, unit, mode):
                if not nearest:
                    simple = _simple(card, state, source)
                    nearest = _nearest(card, state, side, source, enemies, hidden) if simple else 99
                reach, plain = _reaches(card, firer, mode)
                if nearest <= plain:
                    found.append(firer.id)
                    continue
                if simple and nearest > reach:
                    continue
                if places is None:
                    places = enemies + (suspects_seen(card, state, side, source) if hidden else [])
                for _ in _reached(card, state, side, firer, places, mode):
                    found.append(firer.id)
                    break
    return found


def _nearest(card: Setting, state: SquadState, side: str, source: int, enemies: Iterable[int], hidden: bool) -> int:
    """Range to the nearest hex in sight with a known enemy or, if some are hidden, with room for one; else 99."""
    ranges, row = card.ground.ranges[source], card.ground.los_row(source)
    best: int = min([ranges[cell] for cell in enemies if row[cell] != BLOCKED and cell != source], default=99)
    if hidden:
        units, stacks = state.units, state.stacks
        for cell in _places_in_sight(card, card.others[side], source):
            if ranges[cell] >= best:
                break
            if cell != source and (cell not in stacks or not any([not units[name].hip for name in stacks[cell]])):
                return ranges[cell]
    return best


def may_start(state: SquadState, side: str, mode: str) -> bool:
    """Whether a side is asked in a fire phase: it could fire or destroy something, or has hidden Guns."""
    card = setting(state)
    units = state.units
    for weapon in state.weapons.values():
        if weapon.owner and units[weapon.owner].side == side and units[weapon.owner].at >= 0:
            return True
    mine = [unit for unit in units.values() if unit.side == side and unit.at >= 0]
    if not any([unit_bar(card, unit, mode) is None for unit in mine]):
        return False
    return bool(start_firers(state, side, mode))


def first_firers(state: SquadState, side: str, cell: int) -> list[str]:
    """Units and weapons of the DEFENDER that may fire now at the movers in a hex (3.3.1)."""
    card = setting(state)
    shots = mf_spent_here(state)
    if shots < 1:
        return []
    limit = card.rules.mg_range_limit
    units = state.units
    found = []
    for source, names in state.stacks.items():
        if source == cell or not any([units[name].side == side for name in names]):
            continue
        if not in_sight(card, state, source, cell):
            continue
        aim: Aim | None = None
        for name in names:
            unit = units[name]
            if unit.side != side or unit.broken or unit.melee:
                continue
            for firer in elements(card, state, unit, "first"):
                if aim is None:
                    aim = aim_of(card, state, side, source, cell, "first")
                if reach_bar(state, firer, aim, "first", limit) is None:
                    found.append(firer.id)
    return found


# -- direction ----------------------------------------------------------------------------


def acted_in_mph(card: Setting, leader: Unit, mode: str) -> bool:
    """Whether what a leader did was in the MPh and leaves him free in the DFPh: one action a phase (1.2.1, 4.0)."""
    return mode == "final" and leader.marker == FIRST_FIRE and not card.rules.leader_acts_once


def director_bar(state: SquadState, leader: Unit, firers: Iterable[Firer], mode: str) -> Bar | None:
    """Why a leader may not direct these firers (1.2.1, 3.2.2, 3.4, G14, G35)."""
    card = setting(state)
    if card.kinds[leader.group, leader.kind].mmc:
        return ("Only leaders direct fire: add the unit to the fire group instead", "3.2.2")
    if leader.pinned:
        return ("A pinned leader may not use his leadership: fire without him", "3.2.3")
    if not leads(card, leader):
        return BROKEN if leader.broken else MELEE
    free = acted_in_mph(card, leader, mode)
    if leader.used and not free:
        return ("He has fired a weapon in this phase and so lends nobody his leadership in it", "4.0")
    if mode == "advancing" and leader.hazardous:
        return MANHANDLED
    firing = list(firers)
    if any(firer.kind is not None and firer.kind.flamethrower for firer in firing):
        return ("Leadership does not help flamethrowers: fire without him", "4.2")
    if not leader.directed:
        return DIRECTED if leader.marker != NO_MARKER and not (free and leader.used) else None
    same = all(firer.unit.id in leader.directed for firer in firing)
    if mode == "prep":
        again = same and all(firer.weapon is not None and firer.weapon.shots for firer in firing)
        return None if again else DIRECTED
    if mode == "advancing":
        return DIRECTED
    return None if same else ("He may only direct the firers again whom he directed before", "3.4")
