"""Outlines from pixels: the geometry of an imported board, so that the same painter draws it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from sandtable.space.footprint import Building
from sandtable.space.geometry import BoardGeometry
from sandtable.space.outline import without_gaps
from sandtable.space.terrain import TerrainKind, terrain_table

if TYPE_CHECKING:
    from sandtable.space.raster import Raster

SPECKLE = 12.0
"""Patches and gaps of fewer pixels are scanning noise."""


def trace(raster: Raster) -> BoardGeometry:
    """Outlines of all terrain of a raster."""
    areas: dict[str, BaseGeometry] = {}
    buildings: list[Building] = []
    hexsides: dict[str, BaseGeometry] = {}
    party_walls: dict[str, BaseGeometry] = {}
    paving: dict[str, BaseGeometry] = {"dirt": Polygon(), "paved": Polygon()}
    table = terrain_table()
    for code in np.unique(raster.terrain):
        kind = table.by_code.get(int(code))
        if kind is None or kind.name == "open":
            continue
        outline = _outline(raster.terrain == code, closing=_closing(kind))
        if outline.is_empty:
            continue
        if kind.name.startswith("rowhouse_wall"):
            party_walls[kind.name] = outline
        elif kind.is_building:
            buildings += _buildings(kind, outline)
        elif kind.group == "road":
            surface = "paved" if kind.name == "paved_road" else "dirt"
            paving[surface] = unary_union([paving[surface], outline])
        elif kind.hexside:
            hexsides[kind.name] = outline
        else:
            areas[kind.name] = outline
    lowest = int(raster.levels.min())
    levels = range(lowest + 1, int(raster.levels.max()) + 1)
    return BoardGeometry(
        areas=areas,
        buildings=tuple(buildings),
        roads=(),
        paving=paving,  # type: ignore[arg-type]
        hills={level: _outline(raster.levels >= level) for level in levels},
        lowest=lowest,
        hexsides=hexsides,
        party_walls=party_walls,
    )


def _closing(kind: TerrainKind) -> float:
    """Speckled fields are drawn as one field."""
    return 2.5 if kind.group in ("grain", "other") else 0.6


def _buildings(kind: TerrainKind, outline: BaseGeometry) -> list[Building]:
    return [
        Building(f"{kind.name}{number}", kind.name, kind.material or "wood", (), (part.simplify(1.5),))
        for number, part in enumerate(getattr(outline, "geoms", [outline]))
    ]


def _outline(mask: NDArray[np.bool_], *, closing: float = 0.6) -> BaseGeometry:
    """Polygons around the set pixels, with straightened stairs and without speckle."""
    padded = np.zeros((mask.shape[0], mask.shape[1] + 2), dtype=np.int8)
    padded[:, 1:-1] = mask
    steps = np.diff(padded, axis=1)
    rows, starts = np.nonzero(steps == 1)
    _, ends = np.nonzero(steps == -1)
    runs = [box(start, row, end, row + 1) for row, start, end in zip(rows, starts, ends, strict=True)]
    joined = unary_union(runs).buffer(closing, join_style="mitre").buffer(-closing, join_style="mitre")
    parts = [part for part in getattr(joined, "geoms", [joined]) if part.area >= SPECKLE]
    smooth = unary_union(parts).simplify(0.9).buffer(0)
    return without_gaps(smooth, SPECKLE)
