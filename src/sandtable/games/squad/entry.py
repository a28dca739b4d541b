"""Coming on from off board: where units stand beside the map, and what going there costs (3.3)."""

from __future__ import annotations

from sandtable.games.squad.model import SquadState, Unit
from sandtable.games.squad.setting import setting
from sandtable.space.grid import NO_CELL

OPEN_GROUND = 2
"""Half MF of Open Ground, which off-board hexes count as (3.3)."""


def off_board_cost(state: SquadState, cell: int) -> int:
    """Half MF to enter the off-board ground beside an edge hex."""
    return setting(state).ground.off_board.get(cell, OPEN_GROUND)


def road_off_board(state: SquadState, cell: int) -> bool:
    """Whether a road of an edge hex goes on off the map, so that it counts for the road bonus (3.3)."""
    ground = setting(state).ground
    sides = ground.sides[cell]
    return any(sides[side] == NO_CELL for side, _ in ground.facts[cell].roads)


def entry_cells(state: SquadState, group: str) -> tuple[int, ...]:
    """Edge hexes beside which a group may set up off board."""
    card = setting(state)
    edge = state.entered.get(group, "")
    if edge and edge in card.edges_of(group):
        return card.edges_of(group)[edge]
    return card.entry_areas[group]


def beside_next(state: SquadState, unit: Unit) -> list[int]:
    """Edge hexes next along the edge that the unit's group may use."""
    cells = entry_cells(state, unit.group)
    near = setting(state).ground.near[unit.beside]
    return [cell for cell in cells if cell in near]
