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

AVENUES = (8, 16, 24)
"""Hexrows I, Q and Y, from which roads leave at the long sides."""


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
    """Avenues down the board, streets aslant between them, until so many hexes have a road."""
    dice = sketch.dice
    exits = [open_exit(sketch, name) for name in (*TOP, *BOTTOM, WEST, EAST)]
    uneven = unevenness(sketch, 2)
    for top, bottom in zip(TOP, BOTTOM, strict=True):
        link(sketch, sketch.named(top), {sketch.named(bottom)}, uneven)
    sketch.centres.append(sketch.named("Q5"))
    starts = [(column, row, way) for column in AVENUES for row in range(1, 10) for way in (1, 2, 4, 5)]
    for column, row, way in dice.shuffled(starts):
        if sum(map(bool, sketch.roads)) + 8 > plan.roads:
            break
        _street(sketch, sketch.grid.at(column, row), way, dice.between(5, 8))
    connect(sketch, exits, sketch.named("Q5"))


def _street(sketch: Sketch, start: int, way: int, length: int) -> None:
    """A straight street to the next one, kept a block apart from those that run beside it."""
    if start == NO_CELL or not sketch.roads[start] or sketch.bed[start]:
        return
    path = [start]
    for cell in sketch.runs(start, way):
        if cell in sketch.half or sketch.bed[cell] or _is_close(sketch, path, cell):
            return
        path.append(cell)
        if sketch.roads[cell]:
            sketch.lay_road(path)
            return
        if len(path) > length + 1:
            return


def _is_close(sketch: Sketch, path: list[int], cell: int) -> bool:
    """Whether another street runs within a block of this one, except where they meet."""
    if sketch.range(path[0], cell) < 3 or sketch.roads[cell]:
        return False
    near = [c for c in sketch.within(cell, 2) if sketch.roads[c] and c not in path]
    ahead = sketch.beyond[cell][sketch.side_to(path[-1], cell)]
    return any(sketch.range(ahead, c) > 2 if ahead != NO_CELL else True for c in near)


def _houses(sketch: Sketch, plan: Plan) -> None:
    """A few large buildings first, then houses and rows of houses along every street."""
    dice = sketch.dice
    builder = Builder(sketch, stone=plan.stone, storeys=plan.storeys)
    inner = [c for c in sketch.free() if c not in sketch.edge]
    for size in (plan.largest, max(4, plan.largest - dice.between(1, 3))):
        for place in dice.shuffled(inner)[:40]:
            cells = builder.block(place, size) if builder.is_site(place) else []
            if len(cells) == size:
                builder.put(cells)
                sketch.notable.append(cells[0])
                break
    streets = road_hexes(sketch)
    sites = [c for c in sketch.free() if sketch.distance(c, streets) == 1]
    rest = [c for c in sketch.free() if sketch.distance(c, streets) == 2]
    for places in (sites, sites, rest):
        settle(
            sketch, builder, dice.shuffled(places), count=plan.buildings, hexes=plan.built, largest=min(5, plan.largest)
        )
