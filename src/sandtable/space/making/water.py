"""Gullies and streams that flow downhill, ponds, rivers with long bridges, and the sea."""

from __future__ import annotations

from sandtable.space.cells import opposite
from sandtable.space.grid import NO_CELL
from sandtable.space.making.edges import EXITS
from sandtable.space.making.sketch import DEAR, Sketch


def lay_stream(sketch: Sketch, length: int, kind: str) -> list[int]:
    """A stream or gully of about so many hexes that never climbs; its hexes from source to end."""
    dice = sketch.dice
    uneven = [dice.below(40) for _ in sketch.cells]
    inner = [cell for cell in sketch.cells if _may_flow(sketch, cell)]
    flows = set(inner)
    if not inner:
        return []
    highest = max(sketch.level[cell] for cell in inner)
    sources = [cell for cell in inner if sketch.level[cell] >= min(1, highest)]
    source = dice.pick(sources)

    def cost(entered: int, cell: int, side: int) -> int:
        other = sketch.beyond[cell][side]
        if other not in flows or sketch.level[other] > sketch.level[cell]:
            return DEAR
        if sketch.level[cell] - sketch.level[other] > 1 or (entered >= 0 and (side - entered) % 6 in (0, 1, 5)):
            return DEAR
        # it winds rather than runs straight on
        return 10 + uneven[other] + (14 if (side - entered) % 6 == 3 else 0)

    far = max(4, length * 3 // 4)
    goals = [c for c in inner if far - 1 <= sketch.range(source, c) <= far + 1]
    goals = [c for c in goals if sketch.level[c] <= sketch.level[source]]
    if sketch.version > 1:
        # down from the hills, not round them
        goals = [c for c in goals if sketch.level[c] < sketch.level[source]] or goals
    if not goals:
        return []
    path = sketch.way(source, {dice.pick(goals)}, cost)
    path = _without_kinks(sketch, path)
    if len(path) < 4:
        return []
    sketch.lay_bed(path, kind)
    if kind == "stream":
        sketch.mouths.append(path[-1])
    return path


def _may_flow(sketch: Sketch, cell: int) -> bool:
    """Inside the board, off the roads, and not beside another bed."""
    if sketch.distance(cell, [sketch.named(name) for name in EXITS]) < 2:
        return False
    if cell in sketch.edge or cell in sketch.kept or sketch.bed[cell] or sketch.roads[cell]:
        return False
    return not any(sketch.bed[other] for other in sketch.around(cell))


def _without_kinks(sketch: Sketch, path: list[int]) -> list[int]:
    """The path up to where it would touch itself."""
    for number, cell in enumerate(path):
        if any(other in path[: max(0, number - 1)] for other in sketch.around(cell)):
            return path[:number]
    return path


def fill_water(sketch: Sketch, cells: list[int], kind: str) -> None:
    """Open water in whole hexes."""
    for cell in cells:
        sketch.terrain[cell] = "open"
        sketch.bed[cell] = dict.fromkeys(range(6), kind)
        sketch.kept.add(cell)


def pond(sketch: Sketch, size: int) -> None:
    """A small sheet of water on level ground."""

    def allowed(cell: int) -> bool:
        near = sketch.around(cell)
        level = all(sketch.level[other] == sketch.level[cell] and not sketch.roads[other] for other in near)
        return sketch.is_free(cell) and _may_flow(sketch, cell) and level

    places = [cell for cell in sketch.cells if allowed(cell)]
    if places:
        first = sketch.dice.pick(places)
        good = set(places)
        fill_water(sketch, sketch.grow([first], size, good.__contains__), "water")


def river(sketch: Sketch, wanted: int) -> None:
    """A river along the board, from one short side to the other: there always in the half hexes 4 to 7."""
    dice = sketch.dice
    width = max(2, min(5, wanted // 33))
    grid = sketch.grid
    cells = {sketch.named(f"{column}{row}") for column in ("A", "GG") for row in (4, 5, 6, 7)}
    upper, size = 6, 8  # in half hexes, as the half-rows of the grid count
    for column in range(1, grid.columns - 1):
        upper += dice.pick((-1, -1, 0, 0, 1, 1))
        size += dice.pick((-1, 0, 0, 1))
        size = max(2 * width - 1, min(2 * width + 2, size))
        # back to the middle in time for the other end
        left = grid.columns - 1 - column
        upper = max(6 - left, 3, min(upper, 17 - size, 6 + left))
        size = max(8 - left, min(size, 8 + left))
        low, high = upper, upper + size
        for cell in range(grid.starts[column], grid.starts[column + 1]):
            if low < grid.axes[cell][1] <= high and cell not in sketch.edge:
                cells.add(cell)
    fill_water(sketch, sorted(cells), "water")


def bridge_over(sketch: Sketch, name: str, kind: str) -> bool:
    """A road straight along a hexrow from bank to bank, on a bridge where it crosses water."""
    column = [cell for cell in sketch.cells if sketch.grid.names[cell].rstrip("0123456789") == name]
    wet = [cell for cell in column if sketch.bed[cell]]
    if not wet or wet != column[column.index(wet[0]) : column.index(wet[-1]) + 1]:
        return False
    first, last = column[column.index(wet[0]) - 1], column[column.index(wet[-1]) + 1]
    if (first in sketch.edge and first in sketch.half) or last in sketch.half:
        return False
    sketch.lay_road([first, *wet, last])
    for cell in wet:
        sketch.terrain[cell] = kind
    sketch.notable.append(wet[len(wet) // 2])
    return True


def sea(sketch: Sketch, wanted: int) -> None:
    """The sea along the lower long side, a strip of beach before it; at the short sides always at the same hexes."""
    dice = sketch.dice
    grid = sketch.grid
    begin = 17
    depth = max(2, min(6, wanted // 33 * 2))
    ocean = {sketch.named(f"{column}{row}") for column in ("A", "GG") for row in (9, 10)}
    beach = {sketch.named(f"{column}8") for column in ("A", "GG")}
    for column in range(1, grid.columns - 1):
        begin += dice.pick((-1, 0, 0, 1))
        left = grid.columns - 1 - column
        begin = max(20 - depth - 2, 16 - left, min(begin, 16 + left, 17))
        for cell in range(grid.starts[column], grid.starts[column + 1]):
            half_row = grid.axes[cell][1]
            if half_row >= begin:
                ocean.add(cell)
            elif half_row >= begin - 3:
                beach.add(cell)
    for cell in sorted(beach):
        sketch.terrain[cell] = "beach"
        sketch.kept.add(cell)
    fill_water(sketch, sorted(ocean), "ocean")


def close_beds(sketch: Sketch) -> None:
    """Beds written on both sides of every hexside between two wet hexes of the same water."""
    for cell in sketch.cells:
        for side, kind in list(sketch.bed[cell].items()):
            other = sketch.beyond[cell][side]
            if other != NO_CELL and kind in ("water", "ocean") and not sketch.bed[other].get(opposite(side)):
                del sketch.bed[cell][side]
                if not sketch.bed[cell]:
                    sketch.bed[cell] = {side: kind}
