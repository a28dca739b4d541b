"""Guns: Hidden Initial Placement and what movement does to Acquired Targets (6.4, 6.10)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Play
from sandtable.games.squad.cover import Item
from sandtable.games.squad.ground import BLOCKED
from sandtable.games.squad.model import SquadState, Unit
from sandtable.games.squad.setting import setting, unit_kind, weapon_kind
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


def gun_item(state: SquadState, sources: Sequence[int], unit: Unit) -> Item | None:
    """Emplacement or gunshield of the Gun that a unit mans, against fire from these hexes (6.3, 6.6).

    It stands in the place of any other TEM; the better one counts.
    """
    kind = unit_kind(state, unit)
    grid = setting(state).ground.grid
    for name in unit.weapons:
        weapon = state.weapons[name]
        gun = weapon_kind(weapon)
        if not gun.gun or not kind.crew:
            continue
        if weapon.emplaced:
            return "Emplacement", 2, "6.3"
        shielded = getattr(gun.counter, "gunshield", False) and unit.good_order and not unit.hazardous
        if shielded and all(grid.in_covered_arc(unit.at, weapon.facing, source) for source in sources):
            return "gunshield", 2, "6.6"
    return None
