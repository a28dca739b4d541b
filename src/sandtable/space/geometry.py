"""The geometry of a board made from its hex facts: what is drawn is what blocks."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from shapely import affinity
from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from sandtable.space.beds import Bed, beds, bridges
from sandtable.space.cells import Cell
from sandtable.space.facts import HexFacts, RoadType
from sandtable.space.footprint import Building, buildings, party_walls
from sandtable.space.outline import Patch, patches, soften, without_gaps
from sandtable.space.relief import hills
from sandtable.space.roadlines import RoadPiece, is_square, road_pieces, with_stubs

USUAL_COVER = {"woods": 0.72, "grain": 0.9}
"""Share of a hex that its terrain covers when the board file does not say."""
VERGE = 2.0
"""Open strip on either side of a road through woods."""
CORNER = {"woods": 0.35, "grain": 0.5}
"""How far a patch follows a hexside that it reaches towards the next corner."""

SMALLEST_GREEN = 400.0
"""Smaller islands between roads are paved over."""
SMALLEST_GAP = {"woods": 90.0, "grain": 500.0}
"""Smaller clearings are not drawn."""
SMOOTHING = {"woods": 2.5, "grain": 6.0}
"""Radius to which notches and points of an outline are rounded."""


class BoardGeometry(msgspec.Struct, frozen=True):
    """Outlines of everything on a board, in board pixels."""

    areas: dict[str, BaseGeometry]
    """Ground covered by each kind of area terrain."""
    buildings: tuple[Building, ...]
    roads: tuple[RoadPiece, ...]
    paving: dict[RoadType, BaseGeometry]
    """All ground covered by each road surface: the roads themselves and market squares."""
    hills: dict[int, BaseGeometry]
    """Ground at or above each level over the lowest."""
    lowest: int
    hexsides: dict[str, BaseGeometry]
    """Lines of walls, hedges and other hexside terrain."""
    beds: tuple[Bed, ...] = ()
    """Gullies, streams and rivers that run through hexes."""
    bridges: dict[str, BaseGeometry] = {}
    """Bridges by their kind."""
    party_walls: dict[str, BaseGeometry] = {}
    """Walls between the houses of a row, by their kind."""

    def placed(self, matrix: tuple[float, float, float, float, float, float]) -> BoardGeometry:
        """The same outlines moved and turned by an affine matrix (a, b, d, e, x, y)."""

        def move(shape: BaseGeometry) -> BaseGeometry:
            return affinity.affine_transform(shape, matrix)

        return BoardGeometry(
            areas={kind: move(area) for kind, area in self.areas.items()},
            buildings=tuple(
                msgspec.structs.replace(building, parts=tuple(move(part) for part in building.parts))
                for building in self.buildings
            ),
            roads=tuple(msgspec.structs.replace(piece, points=tuple(move(piece.line).coords)) for piece in self.roads),
            paving={surface: move(area) for surface, area in self.paving.items()},
            hills={level: move(hill) for level, hill in self.hills.items()},
            lowest=self.lowest,
            hexsides={kind: move(line) for kind, line in self.hexsides.items()},
            beds=tuple(msgspec.structs.replace(bed, area=move(bed.area)) for bed in self.beds),
            bridges={kind: move(area) for kind, area in self.bridges.items()},
            party_walls={kind: move(area) for kind, area in self.party_walls.items()},
        )


def make_geometry(hexes: Mapping[str, HexFacts], cells: Mapping[str, Cell], frame: Polygon) -> BoardGeometry:
    """Draw a board from its hex facts."""
    pieces = road_pieces(with_stubs(hexes, cells), cells)
    paving: dict[RoadType, BaseGeometry] = {
        "dirt": _paving("dirt", pieces, hexes, cells, frame),
        "paved": _paving("paved", pieces, hexes, cells, frame),
    }
    roads = unary_union(list(paving.values()))
    kinds = sorted({drawn_as(facts) for facts in hexes.values() if is_area(facts)})
    built = buildings(hexes, cells, roads=roads, frame=frame)
    return BoardGeometry(
        areas={kind: _area(kind, hexes, cells, frame, roads) for kind in kinds},
        buildings=tuple(built),
        roads=tuple(pieces),
        paving=paving,
        hills=hills(hexes, cells, frame=frame),
        lowest=min(facts.ground for facts in hexes.values()),
        hexsides=_hexsides(hexes, cells),
        beds=tuple(beds(hexes, cells, frame)),
        bridges=bridges(hexes, cells, pieces),
        party_walls=party_walls(hexes, cells, built),
    )


def is_area(facts: HexFacts) -> bool:
    """Whether the hex holds terrain that is drawn as an outline of its own."""
    if facts.is_bridge or facts.bridge_rubble or (facts.bed and facts.terrain in dict(facts.bed).values()):
        return False
    return facts.building is None and facts.terrain != "open" and not facts.kind.is_building


def drawn_as(facts: HexFacts) -> str:
    """The kind of the outline: the trees of a woods-road are woods, those of an orchard-road an orchard."""
    return {"woods_road": "woods", "orchard_road": "orchard"}.get(facts.terrain, facts.terrain)


def _paving(
    surface: RoadType,
    pieces: list[RoadPiece],
    hexes: Mapping[str, HexFacts],
    cells: Mapping[str, Cell],
    frame: Polygon,
) -> BaseGeometry:
    """Roads of one surface, with the market squares to which they widen."""
    areas = [piece.area for piece in pieces if piece.surface == surface]
    squares = [
        Patch(cells[name], facts.road_sides, facts.shape.cover / 100, wobble=0.0)
        for name, facts in hexes.items()
        if is_square(facts) and surface in dict(facts.roads).values()
    ]
    whole = unary_union([*areas, soften(unary_union(patches(squares, frame)).buffer(0.3), 9.0)])
    return without_gaps(whole.buffer(3).buffer(-3), SMALLEST_GREEN)


def _hexsides(hexes: Mapping[str, HexFacts], cells: Mapping[str, Cell]) -> dict[str, BaseGeometry]:
    found: dict[str, list[LineString]] = {}
    for name, facts in hexes.items():
        corners = cells[name].corners
        for side, kind in facts.sides:
            found.setdefault(kind, []).append(LineString([corners[side], corners[(side + 1) % 6]]))
    return {kind: unary_union(lines) for kind, lines in sorted(found.items())}


def _area(
    kind: str, hexes: Mapping[str, HexFacts], cells: Mapping[str, Cell], frame: Polygon, roads: BaseGeometry
) -> BaseGeometry:
    """All ground covered by one kind of terrain."""
    wanted, exact = [], []
    lane = roads.buffer(VERGE)
    for name, facts in hexes.items():
        if not is_area(facts) or drawn_as(facts) != kind:
            continue
        cell = cells[name]
        carve = lane if facts.roads else None
        if facts.kind.inherent:
            whole = cell.polygon.intersection(frame)
            exact.append(whole.difference(roads) if carve is not None else whole)
            continue
        reach = set(facts.shape.reach)
        if carve is not None:
            reach |= {side for side in facts.road_sides if _is(hexes, cell.neighbours[side], kind)}
        cover = facts.shape.cover / 100 or USUAL_COVER.get(kind, 0.85)
        near = {side for side in range(6) if side not in reach and _is(hexes, cell.neighbours[side], kind)}
        corner = CORNER.get(kind, 0.5)
        wanted.append(Patch(cell, reach, cover, near, carve, corner, seed=kind))
    if not wanted:
        return unary_union(exact)
    carved = [cells[name].polygon for name, facts in hexes.items() if facts.roads and drawn_as(facts) == kind]
    # the lane closes the gap in the trees while the outline is smoothed, and is cut out again afterwards
    cut = lane.intersection(unary_union(carved))
    # a hair wider, so that pieces that end at the same hexside grow together
    joined = unary_union([*patches(wanted, frame), cut]).buffer(0.3)
    smooth = soften(joined, SMOOTHING.get(kind, 3.0), smallest_gap=SMALLEST_GAP.get(kind, 150.0))
    smooth = smooth.difference(cut.buffer(0.5)).buffer(-0.8).buffer(0.8)
    return unary_union([smooth, *exact]).intersection(frame)


def _is(hexes: Mapping[str, HexFacts], name: str | None, kind: str) -> bool:
    return name is not None and name in hexes and drawn_as(hexes[name]) == kind
