"""The objectives of a board that was made: six places worth fighting for, spread over it, as table A10a has them."""

from __future__ import annotations

from sandtable.space.making.sketch import Sketch
from sandtable.space.objectives import Objective

SIX = 6


def objectives(sketch: Sketch, *, by_bank: bool) -> tuple[Objective, ...]:
    """Six objectives from left to right; on a river board each names a place on either bank."""
    if not by_bank:
        return tuple(Objective((sketch.grid.names[cell],)) for cell in _spread(sketch, list(sketch.cells)))
    wet = {column: _middle(sketch, column) for column in range(sketch.grid.columns)}
    upper = [c for c in sketch.cells if sketch.grid.axes[c][1] < wet[sketch.column(c)]]
    lower = [c for c in sketch.cells if sketch.grid.axes[c][1] > wet[sketch.column(c)]]
    pairs = zip(_spread(sketch, upper), _spread(sketch, lower), strict=True)
    return tuple(Objective((sketch.grid.names[one], sketch.grid.names[other]), nearer=True) for one, other in pairs)


def _middle(sketch: Sketch, column: int) -> int:
    rows = [sketch.grid.axes[c][1] for c in sketch.cells if sketch.column(c) == column and len(sketch.bed[c]) > 0]
    return sum(rows) // len(rows) if rows else sketch.grid.rows


def _spread(sketch: Sketch, cells: list[int]) -> list[int]:
    """The worthiest places, none close to another."""
    worth = {
        cell: _worth(sketch, cell) for cell in cells if cell not in sketch.half and not _is_under_water(sketch, cell)
    }
    ranked = sorted(worth, key=lambda cell: (-worth[cell], cell))
    for apart in (6, 5, 4, 3, 2, 1):
        chosen: list[int] = []
        for cell in ranked:
            if len(chosen) < SIX and sketch.distance(cell, chosen) >= apart:
                chosen.append(cell)
        if len(chosen) == SIX and (apart < 4 or min(worth[cell] for cell in chosen) > 1):
            return sorted(chosen, key=lambda cell: (sketch.column(cell), cell))
    return ranked[:SIX]


def _is_under_water(sketch: Sketch, cell: int) -> bool:
    return bool(sketch.bed[cell]) and not sketch.roads[cell]


def _worth(sketch: Sketch, cell: int) -> int:
    """What a place is worth: a landmark, a large building, a house, a summit, a crossroads."""
    worth = 0
    if cell in sketch.notable:
        worth += 6
    if cell in sketch.building:
        first = sketch.building[cell]
        worth += 4 + min(3, sum(other == first for other in sketch.building.values())) if first == cell else 0
    if sketch.level[cell] and all(sketch.level[cell] >= sketch.level[other] for other in sketch.around(cell)):
        worth += 1 + sketch.level[cell]
    if len(sketch.roads[cell]) > 2 and not any(other in sketch.half for other in sketch.around(cell)):
        worth += 3
    return worth
