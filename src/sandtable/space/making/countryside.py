"""Boards of the open country: from hills and water by way of roads and houses to what grows there."""

from __future__ import annotations

from sandtable.space.making.edges import BOTTOM, EAST, TOP, WEST, open_exit, set_edges
from sandtable.space.making.growth import fields, hedges, lined_roads, patches, soak, woods
from sandtable.space.making.houses import Builder, along_streets, church_and_square, settle
from sandtable.space.making.plans import Plan
from sandtable.space.making.relief import raise_hills
from sandtable.space.making.sketch import Sketch
from sandtable.space.making.water import bridge_over, close_beds, lay_stream, pond, river, sea
from sandtable.space.making.ways import bridges, connect, loops, network_of, road_hexes, spur


def country(sketch: Sketch, plan: Plan) -> None:
    """A board of any type but the city."""
    set_edges(sketch)
    _ground(sketch, plan)
    _roads(sketch, plan)
    _houses(sketch, plan)
    _growth(sketch, plan)
    close_beds(sketch)


def _ground(sketch: Sketch, plan: Plan) -> None:
    """Water that shapes the board, hills, and streams that flow down from them."""
    dice = sketch.dice
    if plan.type == "river":
        river(sketch, plan.wet)
    if plan.type == "beach":
        sea(sketch, plan.wet)
    raise_hills(sketch, plan.raised, plan.top, 1 if plan.raised < 12 else dice.between(2, 4))
    if plan.type in ("river", "beach"):
        return
    left = plan.wet
    kind = dice.pick(("stream", "stream", "gully"))
    for _ in range(3):
        if left < 4:
            break
        left -= len(lay_stream(sketch, min(left, dice.between(14, 32)), kind))
    if left > 0:
        pond(sketch, min(left, 4))


def _roads(sketch: Sketch, plan: Plan) -> None:
    dice = sketch.dice
    hub = _hub(sketch)
    sketch.centres.append(hub)
    if plan.type == "river":
        _river_roads(sketch)
    else:
        names = [WEST, EAST, *TOP, *(BOTTOM if plan.type != "beach" else ())]
        exits = [open_exit(sketch, name) for name in names]
        few = 2 if plan.type == "woods" else 1
        _network(sketch, exits, hub, dice.between(few, few + 1 if plan.type != "village" else 1))
    if plan.type == "village":
        for radius in (3, 4, 5):
            loops(sketch, hub, radius, plan.roads)
    for _ in range(8):
        forks = [cell for cell in road_hexes(sketch) if _may_fork(sketch, cell)]
        if sum(map(bool, sketch.roads)) >= plan.roads or not forks:
            break
        spur(sketch, dice.pick(forks), dice.between(3, 6))
    bridges(sketch, "stone_bridge" if dice.chance(50) else "wooden_bridge")


def _may_fork(sketch: Sketch, cell: int) -> bool:
    """Whether a track may branch off: not close to where roads meet or end."""
    if len(sketch.roads[cell]) != 2 or cell in sketch.edge:
        return False
    return all(len(sketch.roads[other]) in (0, 2) for other in sketch.within(cell, 2))


def _network(sketch: Sketch, exits: list[int], hub: int, alone: int) -> None:
    """Roads from the exits to the hub; some exits only have a track of their own that ends in the fields."""
    dice = sketch.dice
    apart = sorted(dice.shuffled([cell for cell in exits if cell != hub])[:alone])
    sketch.apart = {near for cell in apart for near in sketch.within(cell, 1)} - set(exits) | set(apart)
    connect(sketch, [cell for cell in exits if cell not in apart], hub)
    sketch.apart = set()
    for cell in apart:
        for _ in range(4):
            if len(network_of(sketch, cell)) < 4:
                spur(sketch, cell, dice.between(2, 5), alone=True)


def _river_roads(sketch: Sketch) -> None:
    """A road on each bank, and bridges at some of the hexrows from which roads leave."""
    dice = sketch.dice
    rows = dice.shuffled(("I", "Q", "Y"))[: dice.between(1, 2)]
    for name in rows:
        bridge_over(sketch, name, dice.pick(("stone_bridge", "wooden_bridge")))
    for names in (TOP, BOTTOM):
        exits = [open_exit(sketch, name) for name in names]
        _network(sketch, exits, exits[1], 1 if names == BOTTOM or dice.chance(40) else 0)
        for name in rows:
            ends = [c for c in road_hexes(sketch) if sketch.grid.names[c].rstrip("0123456789") == name]
            near = [c for c in ends if len(network_of(sketch, c)) < 40]
            connect(sketch, near, exits[1])


def _hub(sketch: Sketch) -> int:
    """A hex near the middle of the board, on level ground, where roads may meet."""
    q = sketch.named("Q5")
    near = [c for c in sketch.within(q, 3) if sketch.is_free(c) and not sketch.level[c]]
    near = near or [c for c in sketch.within(q, 6) if sketch.is_free(c) and c not in sketch.edge]
    near = near or [c for c in sketch.within(q, 12) if sketch.is_free(c)]
    return sketch.dice.pick(near)


def _houses(sketch: Sketch, plan: Plan) -> None:
    dice = sketch.dice
    builder = Builder(sketch, hexes=plan.built, stone=plan.stone, storeys=plan.storeys)
    if plan.type == "village" or (plan.type in ("river", "beach") and plan.buildings > 12):
        hub = max(road_hexes(sketch), key=lambda cell: (-sketch.distance(cell, sketch.centres), cell))
        sketch.centres[0] = hub
        if dice.chance(50):
            sketch.paved |= set(sketch.within(hub, dice.between(3, 6)))
        church_and_square(sketch, builder, hub)
        sites = along_streets(sketch, hub, dice.between(6, 8))
        sites = dice.shuffled(sites[: len(sites) // 2]) + dice.shuffled(sites[len(sites) // 2 :])
        settle(sketch, builder, sites, count=plan.buildings * 4 // 5, hexes=plan.built * 4 // 5, largest=plan.largest)
    while builder.count < plan.buildings and builder.hexes < plan.built:
        before = builder.count
        _farm(sketch, builder, plan)
        if builder.count == before:
            return


def _farm(sketch: Sketch, builder: Builder, plan: Plan) -> None:
    """A house or two by a road, away from the others."""
    dice = sketch.dice
    built = list(sketch.building)
    sites = [
        c for c in sketch.free() if any(sketch.roads[o] for o in sketch.around(c)) and sketch.distance(c, built) > 3
    ]
    if not sites:
        sites = [c for c in sketch.free() if sketch.distance(c, built) > 1]
    if not sites:
        return
    first = dice.pick(sites)
    sketch.centres.append(first)
    near = [first, *dice.shuffled(sketch.around(first))]
    count = min(plan.buildings, builder.count + dice.between(1, 3))
    settle(sketch, builder, near, count=count, hexes=plan.built, largest=plan.largest)


def _growth(sketch: Sketch, plan: Plan) -> None:
    dice = sketch.dice
    homes = list(sketch.building)
    patches(sketch, "orchard", plan.orchard * 3 // 4, size=(2, 7), where=lambda c: 1 <= sketch.distance(c, homes) <= 3)
    lined_roads(sketch, plan.orchard - len(sketch.of_terrain("orchard")))
    big = (12, 40) if plan.grain > 60 else (2, 14)
    fields(sketch, plan.grain, size=big, near=sketch.centres)
    wet = [cell for cell in sketch.cells if sketch.bed[cell]]
    if sketch.version > 1:
        for mouth in sketch.mouths:
            soak(sketch, mouth, min(plan.rough, dice.between(1, 3)))
    if wet:
        marsh = plan.rough * dice.between(20, 50) // 100
        patches(
            sketch, "marsh", marsh, size=(2, 6), where=lambda c: sketch.distance(c, wet) == 1 and not sketch.level[c]
        )
    high = [cell for cell in sketch.cells if sketch.level[cell]]
    if high and dice.chance(40):
        patches(sketch, "crag", plan.rough * 2 // 5, size=(2, 6), where=lambda c: sketch.level[c] > 0)
    done = len(sketch.of_terrain("marsh", "crag", "graveyard"))
    large = (6, 26) if plan.woods > 110 else (3, 18)
    if plan.woods > 110:
        woods(sketch, plan.woods, patch=large)
        patches(sketch, "brush", plan.rough - done, size=(2, 7))
    else:
        patches(sketch, "brush", plan.rough - done, size=(2, 7), compact=1)
        woods(sketch, plan.woods, patch=large)
    hedges(sketch, plan.hexsides, wall=dice.between(20, 60))
