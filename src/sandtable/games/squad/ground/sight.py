"""Line of sight in play: terrain by the map's table, Smoke and other counters on top; who is Known (1.2.5, 3.2.1)."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.squad.cards.charts import figures
from sandtable.games.squad.ground.knowledge import concealed
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.model import SquadState, Unit

HINDRANCE_LIMIT = int(figures("hindrance")["blocks"])
"""Hindrances of this sum block the line (3.2.1)."""


def los(state: SquadState, source: int, target: int) -> int:
    """Hindrance of the line from a firer's hex to a target hex, or BLOCKED (3.2.1)."""
    setting = setting_of(state)
    value = setting.ground.line(source, target)
    if value == BLOCKED:
        return BLOCKED
    if not setting.hindrances:
        return 0
    if state.hinders or setting.points.hinders:
        value += counter_hindrance(state, source, target) if state.hinders else 0
        value += sum([hinder(state, source, target) for hinder in setting.points.hinders])
        if value >= HINDRANCE_LIMIT:
            return BLOCKED
    return value


def sees(state: SquadState, source: int, target: int) -> bool:
    """Whether there is a line of sight between two hexes."""
    setting = setting_of(state)
    if state.hinders or setting.points.hinders:
        return los(state, source, target) != BLOCKED
    return setting.ground.line(source, target) != BLOCKED


def hindered(state: SquadState) -> bool:
    """Whether anything but terrain hinders lines: counters, or what a part knows of."""
    return bool(state.hinders) or bool(setting_of(state).points.hinders)


def counter_hindrance(state: SquadState, source: int, target: int) -> int:
    """Hindrance of Smoke and other counters in, between and out of the two hexes (1.2.5)."""
    ground = setting_of(state).ground
    start, end = ground.hex_of(source), ground.hex_of(target)
    if start == end:
        return 0
    hinders = state.hinders
    value = hindrance_in(state, target)
    if start in hinders:
        value += sum(hinders[start])
    return value + sum([hinders[cell][0] for cell in ground.crossed(start, end) if cell in hinders])


def hindrance_in(state: SquadState, place: int) -> int:
    """Hindrance of the counters in a hex itself: of its clouds of Smoke the thickest (1.2.5, ruling M-20)."""
    found = state.hinders.get(setting_of(state).ground.hex_of(place))
    return found[0] if found else 0


def unsure_in_sight(state: SquadState, cell: int, side: str) -> bool:
    """Whether units of a side that see a hex lie under a "?": their enemy may not learn what they can do."""
    return any(
        [
            unit.concealed and unit.side == side and sees(state, at, cell)
            for unit in state.units.values()
            if (at := unit.at) >= 0
        ]
    )


def known_enemies(state: SquadState, cell: int, side: str) -> Iterator[Unit]:
    """Enemy units to which a unit of the side in this hex has a line of sight (2.0)."""
    setting = setting_of(state)
    row, knows = setting.ground.los_row(cell), setting.points.knows
    more = hindered(state)
    for unit in state.units.values():
        if unit.side == side or unit.at < 0 or unit.hip or unit.concealed or row[unit.at] == BLOCKED:
            continue
        if (knows and concealed(state, unit)) or (more and los(state, unit.at, cell) == BLOCKED):
            continue
        yield unit
