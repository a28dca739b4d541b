"""Guns: Hidden Initial Placement and what movement does to Acquired Targets (6.4, 6.10)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Play
from sandtable.games.squad.ground import BLOCKED
from sandtable.games.squad.model import SquadState
from sandtable.games.squad.setting import setting
from sandtable.games.squad.stacks import reveal, units_at

HIP_RANGE = 16
"""A hidden Gun in the open is seen from this far (6.4)."""


def hidden_units(state: SquadState, side: str) -> list[str]:
    """Units of a side that are hidden."""
    return [unit.id for unit in state.units.values() if unit.hip and unit.side == side]


def check_hip(play: Play[SquadState], side: str, cells: Sequence[int]) -> None:
    """Good Order units of a side have come to hexes: hidden enemy Guns in the open that they see are revealed (6.4)."""
    state = play.state
    card = setting(state)
    ground = card.ground
    for name in hidden_units(state, card.others[side]):
        unit = state.units[name]
        if not ground.open[unit.at]:
            continue
        row, ranges = ground.los_row(unit.at), ground.ranges[unit.at]
        for cell in cells:
            near = ranges[cell] <= HIP_RANGE and row[cell] != BLOCKED
            if near and any(other.good_order for other in units_at(state, cell, side)):
                reveal(play, unit, "seen in the open")
                break


def moved_units(play: Play[SquadState], names: Sequence[str], frm: int, to: int) -> None:
    """Units have gone from one hex to another: Acquired Targets follow them or stay behind (6.10, 6.11)."""
