"""Roads: smooth lines through the hexsides they cross, drawn on over the board's edge."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import msgspec
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

from sandtable.space.cells import Cell, opposite, toward
from sandtable.space.facts import HexFacts, RoadType
from sandtable.space.grid import Point

WIDTH = 14.0
"""Width of a road in pixels."""
BEND = 0.95
"""How far a bend is pulled towards the hex centre."""


class RoadPiece(msgspec.Struct, frozen=True):
    """One stretch of road inside one hex."""

    hex: str
    surface: RoadType
    points: tuple[Point, ...]
    square: bool = False
    """The road widens to a market square here."""

    @property
    def line(self) -> LineString:
        """The middle of the road."""
        return LineString(self.points)

    @property
    def area(self) -> BaseGeometry:
        """The ground the road covers."""
        return self.line.buffer(WIDTH / 2, cap_style="round")


def road_pieces(hexes: Mapping[str, HexFacts], cells: Mapping[str, Cell]) -> list[RoadPiece]:
    """Every stretch of road of a board."""
    pieces: list[RoadPiece] = []
    along = _hexside_roads(hexes, cells)
    for name, facts in hexes.items():
        if facts.roads:
            found = _in_hex(cells[name], facts, along.get(name, {}))
            square = is_square(facts)
            pieces.extend(msgspec.structs.replace(piece, square=square) for piece in found)
    return pieces


def with_stubs(hexes: Mapping[str, HexFacts], cells: Mapping[str, Cell]) -> dict[str, HexFacts]:
    """The hexes as they are drawn: to a bridge that has fallen the road still leads, from either side."""
    found = dict(hexes)
    for name in [name for name, facts in hexes.items() if facts.bridge_rubble]:
        ends: list[tuple[int, RoadType]] = []
        for side, other in enumerate(cells[name].neighbours):
            surface = dict(hexes[other].roads).get(opposite(side)) if other is not None and other in hexes else None
            if surface is not None:
                ends.append((side, surface))
        found[name] = msgspec.structs.replace(hexes[name], roads=tuple(ends))
    return found


def is_square(facts: HexFacts) -> bool:
    """A road hex of open ground that gives its cover: the road widens to a market square."""
    return facts.terrain == "open" and bool(facts.roads) and facts.shape.cover > 0


def _hexside_roads(hexes: Mapping[str, HexFacts], cells: Mapping[str, Cell]) -> dict[str, dict[int, Point]]:
    """Roads that leave the board along the hexside of two edge hexes: where they meet each hex's roads.

    Two half hexes of an edge column list their common side, and both list the next hex inland: the
    road then runs along their common side to the edge and not through either centre.
    """
    found: dict[str, dict[int, Point]] = {}
    for name, facts in hexes.items():
        upper = cells[name]
        lower_name = upper.neighbours[3]
        if not facts.half or lower_name is None or 3 not in facts.road_sides:
            continue
        lower_facts = hexes.get(lower_name)
        if lower_facts is None or 0 not in lower_facts.road_sides:
            continue
        for side, low_side, corner in ((2, 1, 3), (4, 5, 4)):
            inland = upper.neighbours[side]
            if inland is None or side not in facts.road_sides or low_side not in lower_facts.road_sides:
                continue
            meeting = upper.corners[corner]
            found[name] = {3: meeting, side: meeting}
            found[lower_name] = {0: meeting, low_side: meeting}
            found[inland] = {opposite(side): meeting, opposite(low_side): meeting}
    return found


def _in_hex(cell: Cell, facts: HexFacts, along: Mapping[int, Point]) -> list[RoadPiece]:
    surface = dict(facts.roads)
    if along and facts.half:
        meeting = next(iter(along.values()))
        edge = (cell.centre[0], meeting[1])
        return [RoadPiece(cell.name, facts.roads[0][1], (edge, meeting))]
    ends: dict[Point, RoadType] = {}
    for side in facts.road_sides:
        ends.setdefault(along.get(side, cell.side_midpoint(side)), surface[side])
    points = list(ends)
    if len(points) == 1:
        return [RoadPiece(cell.name, ends[points[0]], (points[0], cell.centre))]
    pieces = []
    joined: set[Point] = set()
    for first, second in combinations(points, 2):
        if ends[first] == ends[second] and (len(points) == 2 or _is_straight(cell, first, second)):
            pieces.append(RoadPiece(cell.name, ends[first], curve(first, cell.centre, second)))
            joined |= {first, second}
    pieces += [RoadPiece(cell.name, ends[point], (point, cell.centre)) for point in points if point not in joined]
    return pieces


def _is_straight(cell: Cell, first: Point, second: Point) -> bool:
    """Whether two ends of a junction lie far enough apart to be joined by one gentle line."""
    cx, cy = cell.centre
    dot = (first[0] - cx) * (second[0] - cx) + (first[1] - cy) * (second[1] - cy)
    return dot < -0.4 * 32 * 32


def curve(start: Point, middle: Point, end: Point, pieces: int = 12) -> tuple[Point, ...]:
    """A cubic curve that leaves both hexsides squarely and passes close to the hex centre."""
    first, second = toward(start, middle, BEND), toward(end, middle, BEND)
    points = []
    for step in range(pieces + 1):
        t = step / pieces
        u = 1 - t
        weights = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
        knots = (start, first, second, end)
        points.append(
            (
                sum(weight * knot[0] for weight, knot in zip(weights, knots, strict=True)),
                sum(weight * knot[1] for weight, knot in zip(weights, knots, strict=True)),
            )
        )
    return tuple(points)
