"""What units are worth by the scenario's values (1.3)."""

from __future__ import annotations

from sandtable.games.squad.cards.scenario import ExitPoints, PointValues
from sandtable.games.squad.ground.setting import Setting, setting_of, unit_kind
from sandtable.games.squad.pieces.kinds import UnitKind
from sandtable.games.squad.pieces.model import SquadState, Unit


def worth(state: SquadState, unit: Unit) -> int:
    """Victory points of a unit by the scenario's values (1.3)."""
    values = point_values(setting_of(state))
    if values is None:
        return 0
    return points_of(values, unit_kind(state, unit))


def points_of(values: PointValues, kind: UnitKind) -> int:
    """Victory points of a kind of unit by a scenario's values; leaders count by their printed modifier (1.3)."""
    if kind.squad:
        return values.squad
    if kind.half_squad:
        return values.half_squad
    if kind.crew:
        return values.crew or values.half_squad
    if not kind.leads:
        return 0
    modifier = f"{kind.leadership:+d}" if kind.leadership else "0"
    return values.leader.get(modifier, 0)


def point_values(setting: Setting) -> PointValues | None:
    """The point values of a scenario, if it has any."""
    for condition in setting.scenario.conditions:
        if isinstance(condition, ExitPoints):
            return condition.values
    return None
