"""Roads: from the places where they leave the board to each other, round obstacles, over bridges, up gentle slopes."""

from __future__ import annotations

from collections.abc import Callable, Collection

from sandtable.space.cells import opposite
from sandtable.space.grid import NO_CELL
from sandtable.space.making.sketch import DEAR, Sketch

STEP, ON_ROAD, BESIDE, CLIMB, CROSSING, SHARP = 10, 2, 9, 14, 30, 60
"""What a hex of road costs: new, on a road that is there, beside one, per level, over water, for a sharp bend."""


def unevenness(sketch: Sketch, most: int = 9) -> list[int]:
    """What makes roads wind: some hexes cost a little more than others."""
    return [sketch.dice.below(most) for _ in sketch.cells]


def road_cost(sketch: Sketch, uneven: list[int]) -> Callable[[int, int, int], int]:
    """The cost of one more hex of road on the board as it is now."""
    roads, beds, level, beyond = sketch.roads, sketch.bed, sketch.level, sketch.beyond
    enter = [_entering(sketch, cell, uneven[cell]) for cell in sketch.cells]

    def cost(entered: int, cell: int, side: int) -> int:
        other = beyond[cell][side]
        price = enter[other]
        climb = level[cell] - level[other]
        if price >= DEAR or side == entered or not -2 < climb < 2:
            return DEAR
        if (beds[cell] or beds[other]) and _is_askew(sketch, entered, cell, side):
            return DEAR
        if side in roads[cell]:
            return ON_ROAD
        if climb:
            price += CLIMB
        if entered >= 0 and (side - entered) % 6 in (1, 5):
            price += SHARP
        return price

    return cost


def _entering(sketch: Sketch, cell: int, uneven: int) -> int:
    """What a hex costs a new road: none along the edge, through a house or into open water."""
    if cell in sketch.half or cell in sketch.building or cell in sketch.apart or _is_flooded(sketch, cell):
        return DEAR
    price = STEP + uneven + (CROSSING if sketch.bed[cell] else 0)
    if not sketch.roads[cell]:
        # a road that merely passes one neighbour counts less than one that runs beside
        price += BESIDE * max(0, sum(bool(sketch.roads[near]) for near in sketch.around(cell)) - 1)
    return price


def _is_askew(sketch: Sketch, entered: int, cell: int, side: int) -> bool:
    """Whether a road would not cross a bed straight and on a bridge of its own."""
    if sketch.bed[cell] and (entered < 0 or side != opposite(entered) or side in sketch.bed[cell]):
        return True
    other, back = sketch.beyond[cell][side], opposite(side)
    if not sketch.bed[other]:
        return False
    crossed = back in sketch.bed[other] or side in sketch.bed[other]
    return crossed or (bool(sketch.roads[other]) and back not in sketch.roads[other])


def _is_flooded(sketch: Sketch, cell: int) -> bool:
    """Whether open water fills the hex, or a bed ends or forks in it."""
    kinds = set(sketch.bed[cell].values())
    return bool(kinds) and (bool(kinds & {"water", "river", "ocean"}) or len(sketch.bed[cell]) != 2)


def road_hexes(sketch: Sketch) -> list[int]:
    """Hexes on roads at which another may begin or end."""
    return [cell for cell in sketch.cells if sketch.roads[cell] and not sketch.bed[cell] and cell not in sketch.half]


def link(sketch: Sketch, start: int, goals: Collection[int], uneven: list[int]) -> list[int]:
    """Lay the cheapest road to one of the goals; the hexes of it, none where there is no way."""
    path = sketch.way(start, goals, road_cost(sketch, uneven))
    sketch.lay_road(path)
    return path


def network_of(sketch: Sketch, start: int) -> set[int]:
    """Road hexes that hang together with a hex."""
    reached, todo = {start}, [start]
    while todo:
        here = todo.pop()
        for side in sorted(sketch.roads[here]):
            other = sketch.beyond[here][side]
            if other != NO_CELL and other not in reached:
                reached.add(other)
                todo.append(other)
    return reached


def connect(sketch: Sketch, exits: list[int], hub: int) -> None:
    """Every exit gets a road to the hub or to the nearest road that leads there."""
    uneven = unevenness(sketch)
    for start in exits:
        if start in network_of(sketch, hub):
            continue
        goals = {cell for cell in network_of(sketch, hub) if not sketch.bed[cell] and cell not in sketch.half}
        link(sketch, start, goals | {hub}, uneven)


def spur(sketch: Sketch, start: int, length: int, *, alone: bool = False) -> int:
    """A track that ends after a few hexes, at a farm or in a field; where it ends. Alone it meets no other road."""
    cost = road_cost(sketch, unevenness(sketch, 20))
    others = [cell for cell in sketch.cells if sketch.roads[cell] and cell not in network_of(sketch, start)]
    goals = [
        cell
        for cell in sketch.cells
        if sketch.range(start, cell) == length and sketch.is_free(cell) and cell not in sketch.edge
    ]
    if alone:
        goals = [cell for cell in goals if sketch.distance(cell, others) > 1]
    if not goals:
        return start
    path = sketch.way(start, {sketch.dice.pick(goals)}, cost)
    if len(path) < 2 or len(path) > length + 3 or (alone and any(cell in others for cell in path)):
        return start
    sketch.lay_road(path)
    return path[-1]


def loops(sketch: Sketch, middle: int, radius: int, wanted: int) -> None:
    """Streets round a middle, until so many hexes have a road."""
    dice = sketch.dice
    uneven = unevenness(sketch, 5)
    ring = [cell for cell in sketch.cells if sketch.range(middle, cell) == radius and cell not in sketch.edge]
    corners = [cell for cell in ring if sketch.is_free(cell) or sketch.roads[cell]]
    for _ in range(6):
        if sum(map(bool, sketch.roads)) >= wanted or not corners:
            return
        start = dice.pick(corners)
        if sketch.bed[start]:
            continue
        if not sketch.roads[start]:
            link(sketch, start, set(road_hexes(sketch)), uneven)
        if not sketch.roads[start]:
            continue
        others = [c for c in road_hexes(sketch) if radius <= sketch.range(start, c) <= radius + 2]
        if others:
            _fresh(sketch, start, dice.pick(others), uneven)


def _fresh(sketch: Sketch, start: int, goal: int, uneven: list[int]) -> None:
    """A second way between two places that does not follow the first."""
    cost = road_cost(sketch, uneven)

    def anew(entered: int, cell: int, side: int) -> int:
        price = cost(entered, cell, side)
        return price + 4 * STEP if side in sketch.roads[cell] else price

    sketch.lay_road(sketch.way(start, {goal}, anew))


def bridges(sketch: Sketch, kind: str) -> None:
    """A bridge wherever a road crosses a bed."""
    for cell in sketch.cells:
        if sketch.roads[cell] and sketch.bed[cell]:
            sketch.terrain[cell] = kind
            sketch.notable.append(cell)
