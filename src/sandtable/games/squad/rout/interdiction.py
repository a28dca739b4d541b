"""Interdiction: which enemies make routing in the open dangerous (3.6)."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.squad.ground.cover import in_the_open
from sandtable.games.squad.ground.doors import part_bar
from sandtable.games.squad.ground.guns import can_interdict
from sandtable.games.squad.ground.knowledge import concealed
from sandtable.games.squad.ground.setting import Setting, setting_of, weapon_kind
from sandtable.games.squad.ground.sight import los
from sandtable.games.squad.ground.stacks import units_at
from sandtable.games.squad.pieces.model import Mover, SquadState, Unit


def interdictors(
    state: SquadState, cell: int, side: str, mover: Mover | None = None, *, pinned_too: bool = False
) -> Iterator[Unit]:
    """Enemies that could apply FFMO to a unit of the side routing in a hex, in normal range and sight (3.6, G28).

    `mover` tells how it came there; `pinned_too`: also those who only threaten it (guide).
    """
    setting = setting_of(state)
    ground, knows = setting.ground, setting.points.knows
    barred = "interdict" in setting.points.barred
    if not ground.open[cell] and not (mover is not None and mover.road_rate):
        return
    ranges = ground.ranges[cell]
    direct: dict[int, bool] = {}
    indirect: dict[int, bool] = {}
    for unit in state.units.values():
        source = unit.at
        if unit.side == side or unit.broken or source < 0 or source == cell or unit.hip or unit.concealed:
            continue
        if (knows and concealed(state, unit)) or (not pinned_too and not _free(unit)):
            continue
        if not _reaches(setting, state, unit, ranges[source], cell):
            continue
        if source not in direct:
            clear = los(state, source, cell) == 0
            direct[source] = clear and in_the_open(state, source, cell, mover)
            indirect[source] = clear and not direct[source] and in_the_open(state, source, cell, mover, mortar=True)
        able = direct[source] or (indirect[source] and can_interdict(state, unit, cell, mortars_only=True))
        if able and (not barred or part_bar(state, "interdict", unit) is None):
            yield unit


def _free(unit: Unit) -> bool:
    """Neither pinned, CX nor in Melee (3.6)."""
    return not (unit.pinned or unit.cx or unit.melee)


def _reaches(setting: Setting, state: SquadState, unit: Unit, distance: int, cell: int) -> bool:
    """Whether a unit could fire with one FP or more in normal range, or hit as Ordnance under 17 hexes (3.6)."""
    kind = setting.kinds[unit.group, unit.kind]
    if kind.fp >= 1 and distance <= kind.range:
        return True
    if not unit.weapons:
        return False
    for name in unit.weapons:
        weapon = state.weapons[name]
        printed = weapon_kind(weapon)
        if weapon.broken or distance > printed.range or not (printed.mg or printed.flamethrower):
            continue
        if kind.mmc or (printed.mg and _two_leaders(state, unit)):
            return True
    return kind.mmc and can_interdict(state, unit, cell)


def _two_leaders(state: SquadState, unit: Unit) -> bool:
    """A lone leader with a MG cannot interdict, two stacked together can (3.6, 4.1)."""
    kinds = setting_of(state).kinds
    return any(
        other.id != unit.id and not other.broken and _free(other) and kinds[other.group, other.kind].smc
        for other in units_at(state, unit.at, unit.side)
    )
