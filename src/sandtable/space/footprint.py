"""Buildings: rotated rectangles, and footprints that run over the hexsides of multi-hex buildings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise

import msgspec
from shapely import affinity
from shapely.geometry import LineString, Polygon, box
from shapely.geometry import Point as Spot
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from sandtable.space.cells import Cell, chance, toward
from sandtable.space.facts import HexFacts, Material
from sandtable.space.grid import Point
from sandtable.space.outline import fit, without_gaps

USUAL_COVER = 0.27
"""Share of a hex that a building covers when the board file does not say."""
NEAR_ROAD = 46.0
"""A building stands square to a road that is not farther than this."""

COURTYARD = 220.0
"""A smaller gap inside a building is roofed over."""
HALF_HEX = 32.3
LONG_END = 1.45
"""Length of a two-hex building in each of its hexes, in parts of the way from hexside to dot."""
AWAY = 17.0
"""Distance from the centre dot of buildings that leave it in the open or share the hex with others."""


PARTY_WALL = 4.0
"""Thickness of the wall between two houses of a row."""


class Building(msgspec.Struct, frozen=True):
    """One building: its footprint and the hexes it stands in."""

    id: str
    terrain: str
    material: Material
    hexes: tuple[str, ...]
    parts: tuple[Polygon, ...]


def buildings(
    hexes: Mapping[str, HexFacts], cells: Mapping[str, Cell], *, roads: BaseGeometry, frame: Polygon
) -> list[Building]:
    """Every building of a board."""
    groups: dict[str, list[str]] = {}
    for name, facts in hexes.items():
        if facts.building is not None:
            groups.setdefault(facts.building, []).append(name)
    return [_building(id, names, hexes, cells, roads, frame) for id, names in groups.items()]


def _building(
    id: str,
    names: list[str],
    hexes: Mapping[str, HexFacts],
    cells: Mapping[str, Cell],
    roads: BaseGeometry,
    frame: Polygon,
) -> Building:
    first = hexes[names[0]]
    if len(names) == 1:
        shape = _detached(cells[names[0]], first, roads, frame)
    elif len(names) == 2 and not any(hexes[name].shape.aside for name in names):
        shape = _long_house([cells[name] for name in names], [hexes[name] for name in names], frame)
    else:
        wings = [_wing(cells[name], hexes[name], set(names), frame) for name in names]
        # mitred, so that walls stay straight where wings meet at a slight angle
        shape = unary_union(wings).buffer(5, join_style="mitre").buffer(-5, join_style="mitre")
        shape = without_gaps(shape, COURTYARD)
    parts = tuple(part for part in getattr(shape, "geoms", [shape]) if part.area > 1)
    return Building(id, first.terrain, first.material or "wood", tuple(names), parts)


def party_walls(
    hexes: Mapping[str, HexFacts], cells: Mapping[str, Cell], built: list[Building]
) -> dict[str, BaseGeometry]:
    """Walls between the houses of a row: along the hexside, as far as the building goes, and as high as it."""
    found: dict[str, list[BaseGeometry]] = {}
    for building in built:
        kind = party_wall(hexes[building.hexes[0]].storeys)
        footprint = unary_union(building.parts).buffer(1)
        for name in building.hexes:
            corners = cells[name].corners
            for side in hexes[name].rowhouse:
                line = LineString([corners[side], corners[(side + 1) % 6]])
                found.setdefault(kind, []).append(line.buffer(PARTY_WALL / 2).intersection(footprint))
    return {kind: unary_union(walls) for kind, walls in sorted(found.items())}


def party_wall(storeys: int) -> str:
    """The kind of party wall of a building with so many upper levels."""
    return f"rowhouse_wall_{min(storeys, 3)}" if storeys else "rowhouse_wall"


def _detached(cell: Cell, facts: HexFacts, roads: BaseGeometry, frame: Polygon) -> BaseGeometry:
    """One or more rectangles that stand free in a single hex."""
    inside = cell.polygon.intersection(frame)
    cover = facts.shape.cover / 100 or USUAL_COVER
    angle = _angle(cell, facts, roads)
    spots = _spots(cell, facts, roads)

    def figure(size: float) -> BaseGeometry:
        rectangles = [
            _rectangle(spot, 70 * size / len(spots) ** 0.5, angle + 90 * (index % 2), _aspect(cell.name, index))
            for index, spot in enumerate(spots)
        ]
        return unary_union(rectangles).intersection(inside)

    return fit(figure, cover * inside.area)


def _spots(cell: Cell, facts: HexFacts, roads: BaseGeometry) -> list[Point]:
    """Where the middle of each separate building stands."""
    cx, cy = cell.centre
    dx, dy = facts.shape.offset
    parts = facts.shape.parts
    if parts == 1 and not facts.shape.aside:
        return [(cx + dx, cy + dy)]
    turn = 2 * math.pi * chance("spot", cell.name)
    if not roads.is_empty and roads.distance(Spot(cell.centre)) < NEAR_ROAD:
        near = roads.boundary.interpolate(roads.boundary.project(Spot(cell.centre)))
        turn = math.atan2(cy - near.y, cx - near.x)
    turns = [turn + 2 * math.pi * part / parts for part in range(parts)]
    spots = [(cx + dx + AWAY * math.cos(angle), cy + dy + AWAY * math.sin(angle)) for angle in turns]
    if not facts.shape.aside:
        # one stands on the dot, a little off its middle, and the others beside it
        middle = (cx + dx, cy + dy)
        beside = [toward(middle, spot, 1.3) for spot in spots[1:]]
        return [toward(middle, spots[0], 0.35), *beside]
    return spots


def _angle(cell: Cell, facts: HexFacts, roads: BaseGeometry) -> float:
    """Direction of the long wall: as given, else along the nearest road, else by the hex's name."""
    if facts.shape.angle is not None:
        return float(facts.shape.angle)
    middle = Spot(cell.centre)
    if not roads.is_empty and roads.distance(middle) < NEAR_ROAD:
        edge = roads.boundary
        near = edge.project(middle)
        a, b = edge.interpolate(near - 4), edge.interpolate(near + 4)
        return math.degrees(math.atan2(b.y - a.y, b.x - a.x))
    return (0.0, 30.0, 60.0, 90.0, 120.0, 150.0)[int(chance("angle", cell.name) * 5.999)]


def _aspect(name: str, index: int) -> float:
    return 1.1 + 0.3 * chance("aspect", name, index)


def _rectangle(middle: Point, size: float, angle: float, aspect: float) -> Polygon:
    long, short = size * aspect**0.5 / 2, size / aspect**0.5 / 2
    upright = box(middle[0] - long, middle[1] - short, middle[0] + long, middle[1] + short)
    return affinity.rotate(upright, angle, origin=middle)


def _long_house(pair: list[Cell], facts: list[HexFacts], frame: Polygon) -> BaseGeometry:
    """A building over one hexside: one width, each end as long as its hex's share asks for."""
    first, second = pair
    moved = [hex.shape.offset for hex in facts]
    x, y = first.side_midpoint(first.neighbours.index(second.name))
    joint = (x + sum(dx for dx, _ in moved) / 2, y + sum(dy for _, dy in moved) / 2)
    middles = [(cell.centre[0] + dx, cell.centre[1] + dy) for cell, (dx, dy) in zip(pair, moved, strict=True)]
    insides = [cell.polygon.intersection(frame) for cell in pair]
    areas = [
        (hex.shape.cover / 100 or USUAL_COVER + 0.1) * inside.area for hex, inside in zip(facts, insides, strict=True)
    ]
    # as wide as leaves both ends somewhat beyond the dots
    half = min(30.0, sum(areas) / 2 / (2 * HALF_HEX * LONG_END))

    def end(number: int) -> BaseGeometry:
        middle, inside = middles[number], insides[number]

        def figure(size: float) -> BaseGeometry:
            line = LineString([toward(middle, joint, 1.1), toward(middle, joint, 0.85 - 1.75 * size)])
            return line.buffer(half, cap_style="flat").intersection(inside)

        return fit(figure, areas[number])

    whole = unary_union([end(0), end(1)])
    # a house moved aside runs past the end of the hexside: its wall stays straight there
    gap = 6 if any(offset != (0, 0) for offset in moved) else 1
    return whole.buffer(gap, join_style="mitre").buffer(-gap, join_style="mitre").simplify(0.3)


def _wing(cell: Cell, facts: HexFacts, group: set[str], frame: Polygon) -> BaseGeometry:
    """The part of a multi-hex building that stands in one hex: arms to the hexsides it crosses."""
    inside = cell.polygon.intersection(frame)
    sides = [side for side in facts.shape.reach if cell.neighbours[side] in group]
    if not sides:
        sides = [side for side in range(6) if cell.neighbours[side] in group]
    cover = facts.shape.cover / 100 or USUAL_COVER + 0.1 * len(sides)

    middles = [cell.side_midpoint(side) for side in sides]
    outside = [toward(cell.centre, middle, 1.1) for middle in middles]

    def figure(size: float) -> BaseGeometry:
        half = 2.5 + 34 * size
        if facts.shape.aside and len(sides) > 1:
            # past the dot, from hexside to hexside
            ways = [
                LineString([outside[one], middles[one], middles[two], outside[two]])
                for one, two in pairwise(range(len(sides)))
            ]
            drawn = unary_union([way.buffer(half, cap_style="flat", join_style="mitre") for way in ways])
        elif facts.shape.aside:
            inner = toward(cell.centre, middles[0], 0.75 - size)
            drawn = LineString([outside[0], inner]).buffer(0.7 * half, cap_style="flat")
        elif len(sides) == 1:
            end = toward(cell.centre, middles[0], -min(half * 0.9, 19.0) / HALF_HEX)
            drawn = LineString([outside[0], end]).buffer(half, cap_style="flat")
        else:
            arms = [LineString([point, cell.centre]).buffer(half, cap_style="flat") for point in outside]
            drawn = unary_union([*arms, _block(cell, sides, half)])
        return drawn.intersection(inside)

    return fit(figure, cover * inside.area)


def _block(cell: Cell, sides: list[int], half: float) -> Polygon:
    """The square where arms meet, turned like the first of them."""
    x, y = cell.side_midpoint(sides[0])
    angle = math.degrees(math.atan2(y - cell.centre[1], x - cell.centre[0]))
    return _rectangle(cell.centre, 2 * half, angle, 1.0)
