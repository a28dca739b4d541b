"""Defensive First Fire: the windows in which the DEFENDER may fire at movers, and Residual FP (3.3.1)."""

from __future__ import annotations

from sandtable.engine import Play
from sandtable.games.squad.cover import Item, in_the_open, mover_of
from sandtable.games.squad.model import SquadState, Unit
from sandtable.games.squad.move_model import ResidualPlaced
from sandtable.games.squad.part import Part
from sandtable.games.squad.setting import setting
from sandtable.games.squad.stacks import name_of


def moving_units(state: SquadState) -> tuple[str, ...]:
    """The units that Defensive First Fire would attack now: those that spent the last MF together."""
    if state.moving is None:
        return ()
    return tuple([name for name in state.moving.active if name in state.units])


def mf_spent_here(state: SquadState) -> int:
    """Whole MF that the movers have spent in their present location: so many shots a firer has (3.3.1)."""
    if state.moving is None:
        return 0
    return max((mover.here // 2 for mover in state.moving.movers if mover.id in state.moving.active), default=0)


def shots_left(state: SquadState, firer: str) -> int:
    """How often a unit or weapon may still fire at the movers in this location (3.3.1)."""
    return mf_spent_here(state) - state.shots.get(firer, 0)


def note_shot(state: SquadState, firer: str) -> None:
    """A unit or weapon has fired at the movers (3.3.1)."""
    state.shots[firer] = state.shots.get(firer, 0) + 1


def movement_items(state: SquadState, source: int, unit: Unit, hindrance: int, *, mortar: bool = False) -> list[Item]:
    """FFNAM and FFMO, or Hazardous Movement, of a unit fired at in the MPh (3.3.1, 6.5)."""
    if unit.hazardous and not unit.pinned:
        return [("Hazardous Movement", -2, "6.5")]
    mover = mover_of(state, unit.id)
    if mover is None or unit.pinned or (not mover.spent and not mover.here):
        return []
    items: list[Item] = []
    if not mover.assault or unit.broken:
        items.append(("FFNAM", -1, "3.3.1"))
    if not hindrance and in_the_open(state, source, unit.at, mover, mortar=mortar):
        items.append(("FFMO", -1, "3.3.1"))
    return items


def residual_items(state: SquadState, unit: Unit) -> list[Item]:
    """DRM of a Residual FP attack: TEM of the location, FFNAM and FFMO (3.3.1)."""
    card = setting(state)
    ground, cell = card.ground, unit.at
    mover = mover_of(state, unit.id)
    on_road = mover is not None and mover.road_rate and not ground.in_building[cell]
    tem = card.fortified_tem(state, cell) or (0 if on_road else ground.tem[cell])
    items: list[Item] = [(ground.kinds[cell].title.lower(), tem, "1.1.1")] if tem else []
    if unit.hazardous and not unit.pinned:
        return [*items, ("Hazardous Movement", -2, "6.5")]
    if mover is not None and not unit.pinned:
        if not mover.assault or unit.broken:
            items.append(("FFNAM", -1, "3.3.1"))
        if ground.open[cell] or on_road:
            items.append(("FFMO", -1, "3.3.1"))
    return items


def leave_residual(play: Play[SquadState], cell: int, fp: int) -> None:
    """Mark a hex with Residual FP; only a larger one replaces what lies there (3.3.1)."""
    state = play.state
    if fp > state.residual.get(cell, 0):
        state.residual[cell] = fp
        play.emit(ResidualPlaced(at=name_of(state, cell), fp=fp))


PART = Part()
