"""Where units of a group may be set up (1.3, 1.2.6, 6.3, 6.4)."""

from __future__ import annotations

from sandtable.engine import Play
from sandtable.games.squad.cards.scenario import Group, NoHip
from sandtable.games.squad.ground.counters import FORTIFIED, lay
from sandtable.games.squad.ground.setting import Setting, setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.stacks import fits, has_enemy, units_at
from sandtable.games.squad.ordnance.switches import OrdnanceRules
from sandtable.games.squad.pieces.counters import Gun
from sandtable.games.squad.pieces.model import Counter, SquadState, Unit, Weapon


def unplaced(state: SquadState, group: str) -> list[Unit]:
    """Units of a group that are not on the map yet."""
    return [unit for unit in state.units.values() if unit.group == group and unit.at < 0]


def gun_of(state: SquadState, unit: Unit) -> Weapon | None:
    """The Gun that a unit possesses."""
    for name in unit.weapons:
        if weapon_kind(state.weapons[name]).gun:
            return state.weapons[name]
    return None


def gun_cells(state: SquadState, group: str, *, but: str = "") -> list[int]:
    """Hexes of the Guns of a group that are placed."""
    found = []
    for unit in state.units.values():
        if unit.group == group and unit.at >= 0 and unit.id != but and gun_of(state, unit) is not None:
            found.append(unit.at)
    return found


def may_place(state: SquadState, name: str, cell: int) -> bool:
    """Whether a unit of a group may set up in a hex of its area."""
    setting = setting_of(state)
    unit = state.units[name]
    group = setting.groups[unit.group]
    ground = setting.ground
    if has_enemy(state, cell, unit.side) or not fits(state, cell, unit.side, [unit]):
        return False
    present = units_at(state, cell, unit.side)
    if group.max_mmc_per_hex and unit_kind(state, unit).mmc:
        same = [other for other in present if other.group == group.id and unit_kind(state, other).mmc]
        if len(same) >= group.max_mmc_per_hex:
            return False
    if any(other.group in group.not_with for other in present):
        return False
    if group.same_building or group.not_in_building_of:
        building = ground.building[cell]
        if group.same_building and any(ground.building[c] != building for c in _cells(state, group.id)):
            return False
        if building and any(
            ground.building[c] == building for other in group.not_in_building_of for c in _cells(state, other)
        ):
            return False
    gun = gun_of(state, unit)
    return gun is None or gun_may_stand(state, group, gun, cell)


def _cells(state: SquadState, group: str) -> list[int]:
    return [unit.at for unit in state.units.values() if unit.group == group and unit.at >= 0]


def gun_may_stand(state: SquadState, group: Group, gun: Weapon, cell: int) -> bool:
    """Guns: which fit into buildings (1.2.6), and the distances that a card asks for."""
    setting = setting_of(state)
    ground = setting.ground
    counter = weapon_kind(gun).counter
    if ground.in_building[cell] and isinstance(counter, Gun) and not counter.building:
        return False
    spacing = group.guns
    if spacing is None:
        return True
    ranges = ground.ranges[cell]
    if spacing.from_buildings and any(
        ranges[other] < spacing.from_buildings for cells in ground.buildings.values() for other in cells
    ):
        return False
    others = gun_cells(state, group.id, but=gun.owner)
    if any(ranges[other] < spacing.apart for other in others):
        return False
    return not (spacing.near and others and all(ranges[other] > spacing.near for other in others))


def missing(state: SquadState, group: Group) -> str:
    """What is still wrong with a group's set-up, in words; empty: nothing."""
    if unplaced(state, group.id):
        return "some units are not placed yet"
    if group.guns is not None and group.guns.near:
        cells = gun_cells(state, group.id)
        ranges = setting_of(state).ground.ranges
        for cell in cells:
            if len(cells) > 1 and not any(ranges[cell][c] <= group.guns.near for c in cells if c != cell):
                return f"a Gun stands more than {group.guns.near} hexes from all others"
    return ""


def emplaced_at_start(state: SquadState, gun: Weapon) -> bool:
    """A Gun is emplaced unless on a paved road or manned by other than a crew (6.3)."""
    unit = state.units[gun.owner]
    return unit_kind(state, unit).crew and not setting_of(state).ground.paved[unit.at]


def hip_allowed(state: SquadState, gun: Weapon) -> bool:
    """An emplaced Gun and its crew may set up hidden unless a special rule forbids it (6.4)."""
    return emplaced_at_start(state, gun) and hip_in_group(setting_of(state), gun.group)


def hip_in_group(setting: Setting, group: str) -> bool:
    """Whether the emplaced Guns of a group may set up hidden (6.4)."""
    barred = any(isinstance(rule, NoHip) and group in rule.groups for rule in setting.scenario.ssr)
    return setting.rules.of(OrdnanceRules).ordnance and not barred


def may_hide(state: SquadState, unit: Unit) -> bool:
    """Whether a unit mans a Gun that can be set up hidden, off the paved roads (6.3, 6.4)."""
    gun = gun_of(state, unit)
    return gun is not None and unit_kind(state, unit).crew and hip_in_group(setting_of(state), gun.group)


def group_stands(play: Play[SquadState], group: Group) -> None:
    """A group is set up: the building that a special rule fortifies is known now."""
    state = play.state
    setting = setting_of(state)
    fortified = setting.fortified
    if fortified is not None and fortified.group == group.id:
        cells = _cells(state, group.id)
        fortify(state, setting.ground.building[cells[0]] if cells else "")


def fortify(state: SquadState, building: str) -> None:
    """Every Location of a building gets the TEM of the special rule."""
    setting = setting_of(state)
    rule = setting.fortified
    if rule is not None:
        for cell in setting.ground.buildings.get(building, ()):
            lay(state, cell, Counter(FORTIFIED, setting.groups[rule.group].side, rule.tem))
