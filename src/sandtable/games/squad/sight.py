"""Line of sight in play: terrain from the map's table, Smoke on top, and who is Known to whom (1.2.5, 3.2.1)."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.squad.charts import SMOKE
from sandtable.games.squad.ground import BLOCKED
from sandtable.games.squad.model import SquadState, Unit
from sandtable.games.squad.setting import setting

HINDRANCE_LIMIT = 6
"""Hindrances of this sum block the line (3.2.1)."""


def los(state: SquadState, source: int, target: int) -> int:
    """Hindrance of the line from a firer's hex to a target hex, or BLOCKED (3.2.1)."""
    card = setting(state)
    value = card.ground.los_row(source)[target]
    if value == BLOCKED:
        return BLOCKED
    if not card.rules.hindrances:
        return 0
    if state.smoke:
        value += smoke_hindrance(state, source, target)
        if value >= HINDRANCE_LIMIT:
            return BLOCKED
    return value


def sees(state: SquadState, source: int, target: int) -> bool:
    """Whether there is a line of sight between two hexes."""
    if state.smoke:
        return los(state, source, target) != BLOCKED
    return setting(state).ground.los_row(source)[target] != BLOCKED


def smoke_hindrance(state: SquadState, source: int, target: int) -> int:
    """Hindrance of Smoke in, between and out of the two hexes (1.2.5)."""
    smoke = state.smoke
    if source == target:
        return 0
    value = smoke_in(state, target)
    if source in smoke:
        value += smoke_in(state, source) + max(SMOKE[cloud.kind].out for cloud in smoke[source])
    return value + sum(smoke_in(state, cell) for cell in setting(state).ground.crossed(source, target))


def smoke_in(state: SquadState, cell: int) -> int:
    """Hindrance of the Smoke in a hex itself: one a hex, the thickest of its clouds (1.2.5, ruling M-20)."""
    clouds = state.smoke.get(cell)
    return max([SMOKE[cloud.kind].hindrance for cloud in clouds]) if clouds else 0


def known_enemies(state: SquadState, cell: int, side: str) -> Iterator[Unit]:
    """Enemy units to which a unit of the side in this hex has a line of sight (2.0)."""
    row = setting(state).ground.los_row(cell)
    smoke = bool(state.smoke)
    for unit in state.units.values():
        if unit.side != side and unit.at >= 0 and row[unit.at] != BLOCKED and not unit.hip:
            if smoke and los(state, unit.at, cell) == BLOCKED:
                continue
            yield unit
