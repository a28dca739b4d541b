"""City boards: streets that cross, rows of houses along them, large buildings, yards and parks."""

from __future__ import annotations

from sandtable.space.grid import NO_CELL
from sandtable.space.making.edges import BOTTOM, EAST, TOP, WEST, open_exit, set_edges
from sandtable.space.making.growth import fields, hedges, lined_roads, patches, woods
from sandtable.space.making.houses import Builder, settle
from sandtable.space.making.plans import Plan
from sandtable.space.making.sketch import Sketch
from sandtable.space.making.water import close_beds, lay_stream, pond
from sandtable.space.making.ways import bridges, connect, link, road_hexes, unevenness

QUARTERS = ((2, 8), (8, 16), (16, 24), (24, 30))
"""Hexrows between which streets run: I, Q and Y, from which roads leave at the long sides, are avenues."""
LOWEST, HIGHEST = 3, 17
"""Half hexes from the upper edge between which streets run."""


def city(sketch: Sketch, plan: Plan) -> None:
    """A city board."""
    dice = sketch.dice
    set_edges(sketch)
    sketch.paved |= set(sketch.cells)
    if plan.wet >= 8:
        lay_stream(sketch, plan.wet, dice.pick(("gully", "stream", "stream")))
    _streets(sketch, plan)
    bridges(sketch, "stone_bridge")
    _houses(sketch, plan)
    if plan.wet >= 3 and not any(sketch.bed):
        pond(sketch, min(plan.wet, 4))
    patches(sketch, "orchard", plan.orchard * 2 // 3, size=(2, 6))
    lined_roads(sketch, plan.orchard - len(sketch.of_terrain("orchard")))
    fields(sketch, plan.grain, size=(2, 6), near=[])
    patches(sketch, "brush", plan.rough, size=(2, 5))
    woods(sketch, plan.woods, patch=(2, 8))
    hedges(sketch, plan.hexsides, wall=70)
    close_beds(sketch)


def _streets(sketch: Sketch, plan: Plan) -> None:
    """Avenues down the board, in each quarter streets aslant between them, until so many hexes have a road."""
    dice = sketch.dice
    exits = [open_exit(sketch, name) for name in (*TOP, *BOTTOM, WEST, EAST)]
    uneven = unevenness(sketch, 2)
    for top, bottom in zip(TOP, BOTTOM, strict=True):
        link(sketch, sketch.named(top), {sketch.named(bottom)}, uneven)
    middle = min(road_hexes(sketch), key=lambda cell: (sketch.range(cell, sketch.named("Q5")), cell))
    sketch.centres.append(middle)
    connect(sketch, exits, middle)
    lines = [line for quarter in QUARTERS for line in _slants(sketch, *quarter)]
    for line in dice.shuffled(lines):
        if sum(map(bool, sketch.roads)) + 5 > plan.roads:
            break
        _street(sketch, line)
    for cell in dice.shuffled(road_hexes(sketch)):
        if sum(map(bool, sketch.roads)) + 2 > plan.roads:
            break
        _street(sketch, [cell, *list(sketch.runs(cell, dice.pick((0, 3))))[: dice.between(3, 6)]])


def _slants(sketch: Sketch, first: int, last: int) -> list[list[int]]:
    """The lines of parallel streets in one quarter, a block apart, each from its left to its right end."""
    dice = sketch.dice
    grid = sketch.grid
    way = dice.pick((1, -1))
    apart = dice.pick((6, 6, 8))
    found = []
    offset = dice.below(apart // 2) * 2
    for half_row in range(-20 + offset, 40, apart):
        cells: list[int] = []
        for column in range(first, last + 1):
            row = half_row + way * (column - first) + (first % 2 != grid.raised)
            cell = grid.at_axes(column, row) if LOWEST <= row <= HIGHEST else NO_CELL
            if cell == NO_CELL and cells:
                break
            if cell != NO_CELL:
                cells.append(cell)
        if len(cells) > 3:
            found.append(cells)
    return found


def _street(sketch: Sketch, line: list[int]) -> None:
    """Lay a street as far as it keeps off beds and houses and does not run beside another; it must start from one."""
    if not any(sketch.roads[cell] for cell in line):
        return
    path: list[int] = []
    for cell in line:
        beside = sum(bool(sketch.roads[near]) for near in sketch.around(cell) if near not in line)
        if sketch.bed[cell] or cell in sketch.half or (not sketch.roads[cell] and beside > 1):
            if any(sketch.roads[done] for done in path):
                break
            path = []
            continue
        path.append(cell)
    if len(path) > 2 and any(sketch.roads[cell] for cell in path):
        sketch.lay_road(path)


def _houses(sketch: Sketch, plan: Plan) -> None:
    """A few large buildings first, then houses and rows of houses along every street."""
    dice = sketch.dice
    builder = Builder(sketch, hexes=plan.built, stone=plan.stone, storeys=plan.storeys)
    inner = [c for c in sketch.free() if c not in sketch.edge]
    for size in (plan.largest, max(5, plan.largest - dice.between(1, 2))):
        for place in dice.shuffled(inner)[:40]:
            cells, joined = builder.hall(place, size)
            if cells:
                builder.put(cells, joined=joined)
                sketch.notable.append(cells[0])
                break
    streets = road_hexes(sketch)
    sites = [c for c in sketch.free() if sketch.distance(c, streets) == 1]
    rest = [c for c in sketch.free() if sketch.distance(c, streets) == 2]
    for places in (sites, sites, rest):
        settle(
            sketch, builder, dice.shuffled(places), count=plan.buildings, hexes=plan.built, largest=min(5, plan.largest)
        )
