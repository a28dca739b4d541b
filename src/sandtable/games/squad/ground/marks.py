"""Counters that parts put on units: putting them on, taking them off, and what they bar."""

from __future__ import annotations

from sandtable.engine import Play
from sandtable.games.squad.ground.setting import Setting, setting_of
from sandtable.games.squad.ground.stacks import update
from sandtable.games.squad.pieces.model import SquadState, Unit


def mark(play: Play[SquadState], unit: Unit, name: str) -> Unit:
    """Put a counter on a unit; a second one of its kind does nothing."""
    return unit if name in unit.marks else update(play, unit, marks=(*unit.marks, name))


def unmark(play: Play[SquadState], unit: Unit, name: str) -> Unit:
    """Take a counter off a unit."""
    rest = tuple([other for other in unit.marks if other != name])
    return update(play, unit, marks=rest) if name in unit.marks else unit


def waits(setting: Setting, unit: Unit) -> bool:
    """Whether a unit has waited to fire, so that it fires in the AFPh as it would in the PFPh (A7.25)."""
    marks = setting.points.marks
    return any([name in marks and marks[name].waits for name in unit.marks])


def hurried(setting: Setting, unit: Unit, mode: str) -> bool:
    """Whether a unit fires under the limits of the AFPh, as all do that have not waited to fire (3.5, A7.25)."""
    return mode == "advancing" and not (unit.marks and waits(setting, unit))


def expire_marks(play: Play[SquadState], moment: str) -> None:
    """Take off the counters whose time has come: `CCPh ends` and the like."""
    going = setting_of(play.state).points.marks_going.get(moment)
    if going is None:
        return
    for unit in [unit for unit in play.state.units.values() if going.intersection(unit.marks)]:
        update(play, unit, marks=tuple([name for name in unit.marks if name not in going]))
