"""Hills: the ground at or above each level, bounded by crest lines."""

from __future__ import annotations

from collections.abc import Mapping

from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from sandtable.space.cells import Cell
from sandtable.space.facts import HexFacts
from sandtable.space.outline import Patch, patches, soften

USUAL_HIGH = (1.0, 0.83, 0.72, 0.6, 0.52, 0.42, 0.35)
"""Share of a hex at its own level, by the number of its lower neighbours."""

CORNER = 0.5
"""How far a crest line follows the hexside between two hexes of the hill towards the corner."""
SMOOTHING = 7.0


def hills(hexes: Mapping[str, HexFacts], cells: Mapping[str, Cell], *, frame: Polygon) -> dict[int, BaseGeometry]:
    """For each level above the lowest, the ground that lies at least that high."""
    levels = sorted({facts.ground for facts in hexes.values()})
    return {level: _plateau(level, hexes, cells, frame) for level in levels[1:]}


def _plateau(level: int, hexes: Mapping[str, HexFacts], cells: Mapping[str, Cell], frame: Polygon) -> BaseGeometry:
    whole, parts = [], []
    for name, facts in hexes.items():
        if facts.ground < level:
            continue
        cell = cells[name]
        cliffs = [side for side, kind in facts.sides if kind == "cliff"]
        reach = [side for side in range(6) if side in cliffs or _as_high(hexes, cell.neighbours[side], level)]
        if len(reach) == 6:
            whole.append(cell.polygon)
            continue
        share = facts.shape.high / 100 if facts.shape.high else USUAL_HIGH[6 - len(reach)]
        if facts.ground > level:
            share = USUAL_HIGH[6 - len(reach)]
        parts.append(Patch(cell, reach, share, corner=CORNER, seed=f"hill{level}"))
    return soften(unary_union([*whole, *patches(parts, frame)]).buffer(0.2), SMOOTHING).intersection(frame)


def _as_high(hexes: Mapping[str, HexFacts], name: str | None, level: int) -> bool:
    """Off the board the hill goes on."""
    return name is None or name not in hexes or hexes[name].ground >= level
