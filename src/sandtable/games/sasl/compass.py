"""Directions on the map: the FBE is west, hexrows run along the EBE (1.5 of the missions' configurations)."""

from __future__ import annotations

from sandtable.games.squad.ground.setting import Setting, setting_of
from sandtable.games.squad.pieces.model import SquadState
from sandtable.space.grid import NO_CELL
from sandtable.space.remembered import remembered

OPPOSITE = {"west": "east", "east": "west", "north": "south", "south": "north"}
_CLOCK = ("top", "right", "bottom", "left")
_EDGES = ("north", "east", "south", "west")
_FORWARD = {"top": (5, 0, 1), "bottom": (4, 3, 2), "left": (4, 5), "right": (2, 1)}
"""Hexsides towards each side of the picture: left-forward, forward, right-forward (S3.322)."""


def lies(setting: Setting, edge: str) -> str:
    """Where an edge of the compass lies on the picture."""
    north = _CLOCK.index(setting.scenario.map.north)
    return _CLOCK[(_EDGES.index(edge) + north) % 4]


@remembered(256)
def edge_cells(setting: Setting, edge: str) -> tuple[int, ...]:
    """The hexes along an edge."""
    return setting.edge((edge,))


@remembered(256)
def distances(setting: Setting, edge: str) -> tuple[int, ...]:
    """For each Location the hexes between it and an edge."""
    cells = edge_cells(setting, edge)
    return tuple([min([row[cell] for cell in cells]) for row in setting.ground.ranges])


def east_of(setting: Setting, cell: int) -> float:
    """How far east a hex lies."""
    x, y = setting.ground.grid.centre(setting.ground.hex_of(cell))
    return {"bottom": y, "top": -y, "right": x, "left": -x}[lies(setting, "east")]


def order_key(state: SquadState, cell: int) -> tuple[float, float, float]:
    """The order of ENEMY Locations (S6.1): north to south by hexrow, from the FBE outward, the highest first."""
    setting = setting_of(state)
    x, y = setting.ground.grid.centre(setting.ground.hex_of(cell))
    south = {"bottom": y, "top": -y, "right": x, "left": -x}[lies(setting, "south")]
    return (round(south), round(east_of(setting, cell)), -setting.ground.level[cell])


def forward(state: SquadState, cell: int, edge: str, dr: int) -> int:
    """The hex of the rosette (S3.322) that a dr points to, NO_CELL off the map."""
    setting = setting_of(state)
    sides = _FORWARD[lies(setting, edge)]
    side = sides[(dr - 1) * len(sides) // 6]
    return setting.ground.sides[cell][side] if cell < setting.ground.size else NO_CELL
