"""What the tables ask about the battlefield: Targets, Known units, range, VPO, cover (S8, 9.)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.games.asl.crest.model import ENTRENCHED, at_crest
from sandtable.games.asl.works import model as works
from sandtable.games.sasl.compass import order_key
from sandtable.games.sasl.model import ATTITUDES, ENEMY, FRIENDLY, OBJECTIVES, ROSTER, SUSPECTS
from sandtable.games.sasl.readings import reading
from sandtable.games.sasl.rolled import rolled_in
from sandtable.games.squad.ground.guns import range_limits
from sandtable.games.squad.ground.knowledge import concealed, hidden
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import sharing_room, units_at
from sandtable.games.squad.ordnance.shots import CHART_END
from sandtable.games.squad.pieces.model import SquadState, Unit, Weapon

HEAVY = ("MMG", "HMG", "MTR")
"""Kinds of SW that make their owner hold a HW, beside Guns (A3f)."""


def attitude(state: SquadState, unit: Unit) -> str:
    """The Attitude of an Activated unit: the Prevailing one, unless an event said otherwise (S3.2)."""
    return ATTITUDES.of(state).get(unit.id) or prevailing(state)


def prevailing(state: SquadState) -> str:
    """The Prevailing Attitude: the mission's, unless an event has changed it (S3.2, RE 74)."""
    return ROSTER.of(state).attitude or rolled_in(state).rules.attitude


def foes_at(state: SquadState, cell: int) -> list[Unit]:
    """FRIENDLY units in a Location that are not hidden."""
    lip = cell in setting_of(state).ground.floors
    found = units_at(state, cell, FRIENDLY) if lip else sharing_room(state, cell, FRIENDLY)
    return [unit for unit in found if not hidden(unit)]


def foes(state: SquadState) -> list[Unit]:
    """All FRIENDLY units on the map that are not hidden."""
    return [unit for unit in state.units.values() if unit.side == FRIENDLY and unit.at >= 0 and not hidden(unit)]


def seen_from(state: SquadState, cell: int) -> list[Unit]:
    """FRIENDLY units that are seen from a Location."""
    return [unit for unit in foes(state) if sees(state, cell, unit.at)]


def known(state: SquadState, units: Iterable[Unit]) -> list[Unit]:
    """Those that are not concealed."""
    return [unit for unit in units if not concealed(state, unit)]


def normal_range(state: SquadState, units: Sequence[Unit]) -> int:
    """The longest normal range of the inherent FP of some units."""
    return max([unit_kind(state, unit).range for unit in units], default=0)


def targets_from(state: SquadState, cell: int, units: Sequence[Unit]) -> list[Unit]:
    """FRIENDLY units that some units could fire at from a Location: in LOS, within long range."""
    ranges = setting_of(state).ground.ranges[cell]
    reach = 2 * normal_range(state, units)
    spans = [_span(state, state.weapons[name]) for unit in units for name in unit.weapons]
    return [
        unit
        for unit in seen_from(state, cell)
        if ranges[unit.at] <= reach or any([low <= ranges[unit.at] <= high for low, high in spans])
    ]


def _span(state: SquadState, weapon: Weapon) -> tuple[int, int]:
    """The nearest and the farthest range of a weapon; a broken one has none."""
    kind = weapon_kind(weapon)
    if weapon.broken:
        return 1, 0
    if kind.ordnance and not kind.latw:
        low, high = range_limits(state, weapon)
        return low, min(high or CHART_END, CHART_END)
    return 0, 2 * kind.range if kind.mg else kind.range


def heavy(state: SquadState, unit: Unit) -> bool:
    """Whether a unit has a working HW of its own side (A3f)."""
    return any(is_heavy(unit, state.weapons[name]) for name in unit.weapons)


def has_heavy(state: SquadState, unit: Unit) -> bool:
    """Whether a unit has a HW at all: one that is broken or captured counts too (A3f)."""
    return any([_heavy_kind(state.weapons[name]) for name in unit.weapons])


def is_heavy(unit: Unit, weapon: Weapon) -> bool:
    """Whether a weapon is a working HW of its holder's own side (A3f)."""
    return not weapon.broken and weapon.side == unit.side and _heavy_kind(weapon)


def _heavy_kind(weapon: Weapon) -> bool:
    kind = weapon_kind(weapon)
    return kind.gun or kind.type in HEAVY


def has_gun(state: SquadState, unit: Unit) -> bool:
    """Whether a unit mans a Gun, which keeps it where it is."""
    return any(weapon_kind(state.weapons[name]).gun for name in unit.weapons)


def in_objective(state: SquadState, cell: int) -> bool:
    """Whether a Location belongs to a VPO, as the Crest of one of its hexes does."""
    cell = setting_of(state).ground.floor_of(cell)
    return any(cell in one.cells for one in OBJECTIVES.of(state).values())


def tem_at(state: SquadState, cell: int) -> int:
    """The TEM of a Location to those in it: a Crest entrenches (B20.91, SA-127)."""
    ground = setting_of(state).ground
    return max(ground.tem[cell], ENTRENCHED) if cell in ground.floors else ground.tem[cell]


def in_position(state: SquadState, unit: Unit) -> bool:
    """Whether a unit is in an improved position: a Crest is none (S6.312, SA-128)."""
    return bool(unit.within) and (reading(state, "crest_position") == "on" or not at_crest(state, unit))


def objective_cells(state: SquadState, owner: str = "") -> list[int]:
    """VPO Locations, of one side's Control or all."""
    return [
        cell
        for one in OBJECTIVES.of(state).values()
        for cell, side in zip(one.cells, one.owners, strict=True)
        if not owner or side == owner
    ]


def locations(state: SquadState) -> list[int]:
    """Locations with Activated ENEMY units, in the order in which they act (S6.1)."""
    cells = [cell for cell in state.stacks if any(state.units[n].side == ENEMY for n in state.stacks[cell])]
    return sorted(cells, key=lambda cell: order_key(state, cell))


def watchers(state: SquadState, cell: int) -> int:
    """How many FRIENDLY units see a Location."""
    return len(seen_from(state, cell))


def room_at(state: SquadState, cell: int) -> bool:
    """Whether no FRIENDLY unit bars a Location from being entered by movement."""
    return not foes_at(state, cell)


def shunned(state: SquadState, to: int) -> bool:
    """Known mines keep S? and ENEMY Infantry out, but not of a FRIENDLY VPO or from beside one (S3.322, S9.26)."""
    mines = works.MINES.of(state).get(to)
    if mines is None or not mines.known:
        return False
    near = {to, *setting_of(state).ground.near[to]}
    return not near & set(objective_cells(state, FRIENDLY))


def suspect_near(state: SquadState, cell: int, hexes: int) -> bool:
    """Whether a S? is within so many hexes."""
    ranges = setting_of(state).ground.ranges[cell]
    return any(one.at >= 0 and ranges[one.at] <= hexes for one in SUSPECTS.of(state).values())
