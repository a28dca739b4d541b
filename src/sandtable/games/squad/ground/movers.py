"""Defensive First Fire: the windows in which the DEFENDER may fire at movers, and Residual FP (3.3.1)."""

from __future__ import annotations

from sandtable.engine import Play
from sandtable.games.squad.cards.tables import IFT_DRM
from sandtable.games.squad.ground.counters import RESIDUAL, counters_at, cover_of, lay, take_up
from sandtable.games.squad.ground.cover import in_the_open, mover_of
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.part import Item
from sandtable.games.squad.pieces.events import ResidualPlaced
from sandtable.games.squad.pieces.model import OFF_MAP, Counter, Mover, SquadState, Unit

FFNAM: Item = ("FFNAM", IFT_DRM["ffnam"].value or 0, IFT_DRM["ffnam"].rule)
OPEN: Item = ("open", 0, "1.1.1")
FFMO: Item = ("FFMO", IFT_DRM["ffmo"].value or 0, IFT_DRM["ffmo"].rule)
HAZARDOUS: Item = ("Hazardous Movement", IFT_DRM["hazardous_movement"].value or 0, IFT_DRM["hazardous_movement"].rule)


def moving_units(state: SquadState) -> tuple[str, ...]:
    """The units that Defensive First Fire would attack now: those that spent the last MF together."""
    if state.moving is None:
        return ()
    return tuple([name for name in state.moving.active if name in state.units])


def mf_spent_here(state: SquadState) -> int:
    """Whole MF that the movers have spent in their present location: so many shots a firer has (3.3.1)."""
    moving = state.moving
    if moving is None:
        return 0
    return max([mover.here for mover in moving.movers if mover.id in moving.active], default=0) // 2


def shots_left(state: SquadState, firer: str) -> int:
    """How often a unit or weapon may still fire at the movers in this location (3.3.1)."""
    return mf_spent_here(state) - state.shots.get(firer, 0)


def note_shot(state: SquadState, firer: str) -> None:
    """A unit or weapon has fired at the movers (3.3.1)."""
    state.shots[firer] = state.shots.get(firer, 0) + 1


def movement_items(state: SquadState, source: int, unit: Unit, hindrance: int, *, mortar: bool = False) -> list[Item]:
    """FFNAM and FFMO, or Hazardous Movement, of a unit fired at in the MPh (3.3.1, 6.5)."""
    if unit.hazardous and not unit.pinned:
        return [HAZARDOUS]
    mover = mover_of(state, unit.id)
    if mover is None or unit.pinned or (not mover.spent and not mover.here):
        return []
    return _movement_lines(
        unit, mover, in_open=not hindrance and in_the_open(state, source, unit.at, mover, mortar=mortar)
    )


def _movement_lines(unit: Unit, mover: Mover, *, in_open: bool) -> list[Item]:
    items: list[Item] = []
    if not mover.assault or unit.broken:
        items.append(FFNAM)
    if in_open:
        items.append(FFMO)
    return items


def residual_items(state: SquadState, unit: Unit) -> list[Item]:
    """DRM of a Residual FP attack: TEM of the location, FFNAM and FFMO (3.3.1)."""
    ground, cell = setting_of(state).ground, unit.at
    mover = mover_of(state, unit.id)
    on_road = mover is not None and mover.road_rate and not ground.in_building[cell]
    tem = 0 if on_road else ground.tem[cell]
    items: list[Item] = [(ground.kinds[cell].title.lower(), tem, "1.1.1")] if tem else []
    if (laid := cover_of(state, cell, unit)) and laid[1] >= tem:
        items = [laid]
    for cover in setting_of(state).points.covers:
        changed = cover(state, OFF_MAP, cell, unit, False, items[0] if items else OPEN)
        items = [changed] if changed[1] else []
    if unit.hazardous and not unit.pinned:
        return [*items, HAZARDOUS]
    if mover is not None and not unit.pinned:
        covered = bool(setting_of(state).points.covers) and any([item[1] > 0 for item in items])
        items += _movement_lines(unit, mover, in_open=(ground.open[cell] or on_road) and not covered)
    return items


def leave_residual(play: Play[SquadState], cell: int, fp: int) -> None:
    """Mark a hex with Residual FP; only a larger one replaces what lies there (3.3.1)."""
    state = play.state
    present = counters_at(state, cell, RESIDUAL)
    if fp > max([counter.value for counter in present], default=0):
        for counter in present:
            take_up(state, cell, counter)
        lay(state, cell, Counter(RESIDUAL, value=fp))
        play.emit(ResidualPlaced(at=name_of(state, cell), fp=fp))
