"""Guns on the map: hiding, emplacement, gunshields, Covered Arcs and Acquired Targets (6.3, 6.4, 6.6, 6.10, 6.11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.squad.cards.tables import gun_figures
from sandtable.games.squad.ground.knowledge import hidden_units
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.model import FollowTarget
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.sight import los
from sandtable.games.squad.ground.stacks import come_out, name_of, units_at, update_weapon
from sandtable.games.squad.part import Item
from sandtable.games.squad.pieces.counters import Gun
from sandtable.games.squad.pieces.events import AcquisitionLost, TargetAcquired, Turned
from sandtable.games.squad.pieces.model import Acquired, SquadState, Unit, Weapon

HIP_RANGE = 16
"""A hidden Gun in the open is seen from this far (6.4)."""
EMPLACEMENT = int(gun_figures("emplacement")["tem"])
GUNSHIELD, GUNSHIELD_MORTAR = [int(gun_figures("gunshield")["drm"][by]) for by in ("normal", "mortar")]
SHIELD = "gunshield"
"""Its name in the tallies."""
MOST_ACQUIRED = -2
INTERDICTION_RANGE = 16


# -- Hidden Initial Placement -----------------------------------------------------------


def check_hip(play: Play[SquadState], side: str, cells: Sequence[int]) -> None:
    """Good Order units of a side have come to hexes: hidden enemy Guns in the open that they see are revealed (6.4)."""
    state = play.state
    setting = setting_of(state)
    ground = setting.ground
    hinders = state.hinders or setting.points.hinders
    for name in hidden_units(state, setting.others[side]):
        unit = state.units[name]
        if not ground.open[unit.at]:
            continue
        row, ranges = ground.los_row(unit.at), ground.ranges[unit.at]
        for cell in cells:
            near = ranges[cell] <= HIP_RANGE and row[cell] != BLOCKED
            if near and hinders and los(state, cell, unit.at) == BLOCKED:
                continue
            if near and any(other.good_order for other in units_at(state, cell, side)):
                come_out(play, unit, "in the open and in sight of an enemy")
                break


# -- the Gun that a unit mans -----------------------------------------------------------


def manned_gun(state: SquadState, unit: Unit) -> Weapon | None:
    """The Gun that a unit possesses (1.2.6)."""
    for name in unit.weapons:
        weapon = state.weapons[name]
        if weapon_kind(weapon).gun:
            return weapon
    return None


def counter_of(weapon: Weapon) -> Gun:
    """The printed values of a Gun."""
    counter = weapon_kind(weapon).counter
    assert isinstance(counter, Gun)
    return counter


def emplacement_item(state: SquadState, unit: Unit) -> Item | None:
    """The Emplacement TEM of a crew and its Gun, which stands in the place of any other TEM (6.3)."""
    weapon = manned_gun(state, unit) if unit.weapons else None
    if weapon is None or not weapon.emplaced or not unit_kind(state, unit).crew:
        return None
    return "Emplacement", EMPLACEMENT, "6.3"


def shield_item(state: SquadState, sources: Sequence[int], unit: Unit, *, mortar: bool = False) -> Item | None:
    """The gunshield of a Good Order crew against fire through the Covered Arc of its Gun (6.6)."""
    weapon = manned_gun(state, unit) if unit.weapons else None
    if weapon is None or not counter_of(weapon).gunshield or weapon.facing < 0:
        return None
    if not unit.good_order or unit.hazardous or not unit_kind(state, unit).crew:
        return None
    ground = setting_of(state).ground
    if not all(ground.in_arc(unit.at, weapon.facing, source) for source in sources):
        return None
    return SHIELD, GUNSHIELD_MORTAR if mortar else GUNSHIELD, "6.6"


def gun_item(state: SquadState, sources: Sequence[int], unit: Unit) -> Item | None:
    """Emplacement or gunshield of the Gun that a unit mans, against small arms from these hexes (6.3, 6.6)."""
    return emplacement_item(state, unit) or shield_item(state, sources, unit)


def turns_between(facing: int, other: int) -> int:
    """Hexspines between two Covered Arcs (3.2.4)."""
    return min((facing - other) % 6, (other - facing) % 6)


def turn(play: Play[SquadState], weapon: Weapon, facing: int) -> Weapon:
    """A Gun points at another hexspine (3.2.4)."""
    if facing == weapon.facing:
        return weapon
    steps = turns_between(weapon.facing, facing)
    new = update_weapon(play, weapon, facing=facing, turned=weapon.turned + steps)
    play.emit(Turned(weapon=weapon.id, at=name_of(play.state, play.state.units[weapon.owner].at), facing=facing))
    return new


def can_interdict(state: SquadState, unit: Unit, cell: int, *, mortars_only: bool = False) -> bool:
    """Whether the Gun or mortar of a unit could hit a router at under 17 hexes without changing its CA (3.6)."""
    setting = setting_of(state)
    if unit.broken or unit.pinned or unit.melee or unit.cx or unit.at < 0 or unit_kind(state, unit).smc:
        return False
    distance = setting.ground.ranges[unit.at][cell]
    if not 0 < distance <= INTERDICTION_RANGE:
        return False
    for name in unit.weapons:
        weapon = state.weapons[name]
        kind = weapon_kind(weapon)
        if not kind.ordnance or kind.latw or weapon.broken or (mortars_only and not kind.mortar):
            continue
        if weapon.facing >= 0 and not setting.ground.in_arc(unit.at, weapon.facing, cell):
            continue
        low, high = range_limits(state, weapon)
        if low <= distance and (high is None or distance <= high):
            return True
    return False


def range_limits(state: SquadState, weapon: Weapon) -> tuple[int, int | None]:
    """Least and greatest range of a weapon on the scenario's date; None: no limit (6.9)."""
    counter = weapon_kind(weapon).counter
    if isinstance(counter, Gun):
        return counter.ranges(setting_of(state).date)
    return counter.min_range or 1, counter.max_range or counter.range


# -- Acquired Targets -------------------------------------------------------------------


def acquired_by(state: SquadState) -> Iterator[Weapon]:
    """Weapons that have a target acquired."""
    for weapon in state.weapons.values():
        if weapon.acquired is not None:
            yield weapon


def acquisition(state: SquadState, weapon: Weapon, target: int, unit: str = "") -> int:
    """The DRM of a weapon's Acquired Target counter against a unit in a hex, or against the hex (6.10, 6.11)."""
    held = weapon.acquired
    if held is None or held.at != target:
        return 0
    return held.level if held.area or unit in held.units or not carriers(state, held) else 0


def carriers(state: SquadState, held: Acquired) -> list[str]:
    """Units that still carry a 1/2" counter; those that left play leave it to their hex (6.10)."""
    return [name for name in held.units if name in state.units]


def lose_acquisition(play: Play[SquadState], weapon: Weapon) -> Weapon:
    """A weapon's Acquired Target counter is removed (6.10)."""
    if weapon.acquired is None:
        return weapon
    play.emit(AcquisitionLost(weapon=weapon.id, at=name_of(play.state, weapon.acquired.at)))
    return update_weapon(play, weapon, acquired=None)


def lose_acquisitions(play: Play[SquadState], unit: Unit) -> None:
    """A unit fires its own FP, interdicts, leaves its hex or is no longer in Good Order (6.10)."""
    for name in play.state.units[unit.id].weapons:
        lose_acquisition(play, play.state.weapons[name])


def acquire(play: Play[SquadState], weapon: Weapon, target: int, units: Sequence[str], *, area: bool) -> None:
    """A To Hit DR at a target gains -1, or flips a counter that was on it to -2 (6.10, 6.11).

    The counter changes its size with the target type; the level goes on.
    """
    held = weapon.acquired
    same = held is not None and held.at == target
    if same and held is not None and not held.area and units and (marked := carriers(play.state, held)):
        same = any(name in marked for name in units)
    level = max(held.level - 1, MOST_ACQUIRED) if same and held is not None else -1
    now = Acquired(target, level, area, () if area else tuple(units))
    if now == held:
        return
    update_weapon(play, weapon, acquired=now)
    play.emit(TargetAcquired(weapon=weapon.id, at=name_of(play.state, target), level=level, area=area))


def moved_units(play: Play[SquadState], names: Sequence[str], frm: int, to: int) -> None:
    """Units have gone from one hex to another: Acquired Targets follow them or stay behind (6.10, 6.11).

    It may push a frame that asks the firer, so the caller has nothing more to do with the top of the stack.
    """
    state = play.state
    if not names:
        return
    for name in names:
        if state.units[name].weapons:
            lose_acquisitions(play, state.units[name])
    side = state.units[names[0]].side
    for weapon in list(acquired_by(state)):
        held = weapon.acquired
        assert held is not None
        if held.area or not weapon.owner or state.units[weapon.owner].side == side:
            continue
        if carriers(state, held):
            _follow(play, weapon, held, [name for name in names if name in held.units], to)
        elif held.at == to:
            # whoever enters the hex where a target was last seen receives its counter
            update_weapon(play, weapon, acquired=replace(held, units=tuple(names)))


def _follow(play: Play[SquadState], weapon: Weapon, held: Acquired, gone: Sequence[str], to: int) -> None:
    """Some of the acquired units have moved: the counter goes along while they are in sight (6.10)."""
    if not gone:
        return
    state = play.state
    stayed = tuple([name for name in held.units if name not in gone and name in state.units])
    if los(state, state.units[weapon.owner].at, to) == BLOCKED:
        update_weapon(play, weapon, acquired=replace(held, units=stayed))
    elif stayed:
        side = state.units[weapon.owner].side
        play.push(FollowTarget(side, weapon.id, tuple(gone), stayed, to))
    else:
        update_weapon(play, weapon, acquired=replace(held, at=to, units=tuple(gone)))
        play.emit(TargetAcquired(weapon=weapon.id, at=name_of(state, to), level=held.level, area=False))
