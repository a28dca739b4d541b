"""Coming on from off board: where units stand beside the map, and what going there costs (3.3)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.games.squad.ground.counters import mf_in
from sandtable.games.squad.ground.map import NO_SIDE, Ground, Way
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.space.grid import NO_CELL

OPEN_GROUND = 2
"""Half MF of Open Ground, which off-board hexes count as (3.3)."""


def off_board_cost(state: SquadState, cell: int) -> int:
    """Half MF to enter the off-board ground beside an edge hex."""
    return setting_of(state).ground.off_board.get(cell, OPEN_GROUND)


def cost_from_off_board(state: SquadState, cell: int, *, road: bool, units: Sequence[str] = ()) -> int:
    """Half MF to enter an edge hex from off board; `road`: along a road that goes on off the map (3.3).

    `units`: who goes, where it does not follow from the position.
    """
    setting = setting_of(state)
    cost = rate_from_off_board(setting.ground, cell, road=road) + mf_in(state, cell)
    if theirs := setting.points.their_cost:
        way = Way(cell, NO_SIDE, cost, road=0, choice=False, change=0, paved=False)
        cost += sum([int(item[1]) for lines in theirs for item in lines(state, units, way, road)])
    return cost


def rate_from_off_board(ground: Ground, cell: int, *, road: bool) -> int:
    """Half MF of the terrain of an edge hex for who comes from off board, counters aside (3.3)."""
    return OPEN_GROUND if road and not ground.in_building[cell] else ground.entry_cost(cell)


def road_off_board(state: SquadState, cell: int) -> bool:
    """Whether a road of an edge hex goes on off the map, so that it counts for the road bonus (3.3)."""
    return road_leads_off(setting_of(state).ground, cell)


def road_leads_off(ground: Ground, cell: int) -> bool:
    """Whether a road of a hex goes on off the map."""
    sides = ground.sides[cell]
    return any(sides[side] == NO_CELL for side, _ in ground.facts[cell].roads)


def entry_cells(state: SquadState, group: str) -> tuple[int, ...]:
    """Edge hexes beside which a group may set up off board."""
    setting = setting_of(state)
    edge = state.entered.get(group, "")
    if edge and edge in setting.edges_of(group):
        return setting.edges_of(group)[edge]
    return setting.entry_areas[group]


def beside_next(state: SquadState, unit: Unit) -> list[int]:
    """Edge hexes next along the edge that the unit's group may use."""
    cells = entry_cells(state, unit.group)
    near = setting_of(state).ground.near[unit.beside]
    return [cell for cell in cells if cell in near]
