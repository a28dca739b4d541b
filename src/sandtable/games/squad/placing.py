"""Where units of a group may be set up (1.3, 1.2.6, 6.3, 6.4)."""

from __future__ import annotations

from sandtable.engine import Play
from sandtable.games.squad.counters import Gun
from sandtable.games.squad.model import SquadState, Unit, Weapon
from sandtable.games.squad.scenario_types import Group, NoHip
from sandtable.games.squad.setting import setting, unit_kind, weapon_kind
from sandtable.games.squad.stacks import fits, has_enemy, units_at


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
    card = setting(state)
    unit = state.units[name]
    group = card.groups[unit.group]
    ground = card.ground
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
    card = setting(state)
    ground = card.ground
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
        ranges = setting(state).ground.ranges
        for cell in cells:
            if len(cells) > 1 and not any(ranges[cell][c] <= group.guns.near for c in cells if c != cell):
                return f"a Gun stands more than {group.guns.near} hexes from all others"
    return ""


def emplaced_at_start(state: SquadState, gun: Weapon) -> bool:
    """A Gun is emplaced unless on a paved road or manned by other than a crew (6.3)."""
    unit = state.units[gun.owner]
    return unit_kind(state, unit).crew and not setting(state).ground.paved[unit.at]


def hip_allowed(state: SquadState, gun: Weapon) -> bool:
    """An emplaced Gun and its crew may set up hidden unless a special rule forbids it (6.4)."""
    if not emplaced_at_start(state, gun) or not setting(state).rules.ordnance:
        return False
    rules = setting(state).scenario.ssr
    return not any(isinstance(rule, NoHip) and gun.group in rule.groups for rule in rules)


def group_stands(play: Play[SquadState], group: Group) -> None:
    """A group is set up: the building that a special rule fortifies is known now."""
    state = play.state
    card = setting(state)
    fortified = card.fortified
    if fortified is not None and fortified.group == group.id:
        cells = _cells(state, group.id)
        state.entered["fortified"] = card.ground.building[cells[0]] if cells else ""
