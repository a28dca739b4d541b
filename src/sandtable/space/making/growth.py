"""What grows: woods with clearings, fields of grain, orchards by farms, brush, marsh by the water, crags on hills."""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt

from sandtable.space.grid import NO_CELL
from sandtable.space.making.sketch import Sketch

LONGEST = 3
"""A field is at most so many times as long as broad."""


def woods(sketch: Sketch, wanted: int, *, patch: tuple[int, int]) -> None:
    """Woods until so many hexes are wooded; some grow from the trees at the edge, and roads may run through them."""
    dice = sketch.dice
    built = list(sketch.building)

    def allowed(cell: int) -> bool:
        if cell in sketch.kept or sketch.terrain[cell] != "open" or cell in sketch.building or cell in sketch.squares:
            return False
        if _is_full(sketch, cell):
            return False
        return not sketch.roads[cell] or (not sketch.bed[cell] and sketch.distance(cell, built) > 1)

    for _ in range(60):
        have = len(sketch.of_terrain("woods"))
        if have >= wanted:
            return
        left = wanted - have
        size = min(left, dice.between(*patch) if left * 6 > wanted else dice.between(1, 3))
        edge = [cell for cell in sketch.of_terrain("woods") if cell in sketch.half]
        start = dice.pick(edge) if edge and dice.chance(35) else -1
        seeds = [c for c in sketch.around(start) if allowed(c)] if start >= 0 else []
        if not seeds:
            seeds = [cell for cell in sketch.cells if allowed(cell) and not sketch.roads[cell]]
        if not seeds:
            return
        grown = sketch.grow([dice.pick(seeds)], size, allowed, compact=2 if dice.chance(40) else 1)
        for cell in grown:
            sketch.terrain[cell] = "woods"
        if len(grown) >= 14:
            _clear(sketch, grown)


def _is_full(sketch: Sketch, cell: int) -> bool:
    """Open water, which nothing grows in."""
    return len(sketch.bed[cell]) > 2 or "water" in sketch.bed[cell].values() or "ocean" in sketch.bed[cell].values()


def _clear(sketch: Sketch, grown: list[int]) -> None:
    """A clearing in large woods."""
    inside = [c for c in grown if c not in sketch.edge and all(sketch.terrain[o] == "woods" for o in sketch.around(c))]
    if inside and sketch.dice.chance(60):
        good = set(inside)
        size = sketch.dice.between(1, 3)
        for cell in sketch.grow([sketch.dice.pick(inside)], size, good.__contains__, compact=1):
            sketch.terrain[cell] = "open"
            sketch.kept.add(cell)


def fields(sketch: Sketch, wanted: int, *, size: tuple[int, int], near: list[int]) -> list[list[int]]:
    """Fields of grain: broad strips that follow the grain of the hexes; the hexes of each."""
    dice = sketch.dice
    found: list[list[int]] = []
    for _ in range(60):
        have = len(sketch.of_terrain("grain"))
        if wanted - have < 1:
            break
        places = [cell for cell in sketch.free() if cell not in sketch.edge and not _near_grain(sketch, cell)]
        if not places:
            break
        places.sort(key=lambda cell: (sketch.distance(cell, near) // 3, cell)) if near else None
        start = dice.pick(places[: max(12, len(places) // 2)])
        field = _strip(sketch, start, min(wanted - have, dice.between(*size)))
        for cell in field:
            sketch.terrain[cell] = "grain"
        found.append(field)
    return found


def _near_grain(sketch: Sketch, cell: int) -> bool:
    return any(sketch.terrain[other] == "grain" for other in sketch.around(cell))


def _strip(sketch: Sketch, start: int, size: int) -> list[int]:
    """A parallelogram of free hexes, as far as there is room."""
    dice = sketch.dice
    # a long and narrow field looks like no farmer's
    broad = 1 if sketch.version == 1 else max(1, isqrt(size // LONGEST))
    while (broad + 1) * (broad + 1) <= size and dice.chance(80):
        broad += 1
    length = (size + broad - 1) // broad
    best: list[int] = [start]
    for way in dice.shuffled(range(6)):
        for turn in (1, 2):
            field = _rows(sketch, start, way, (way + turn) % 6, length, broad)
            if sketch.version > 1:
                field = _shortened(field, length)
            if len(field) > len(best):
                best = field
    return best[:size]


def _rows(sketch: Sketch, start: int, along: int, across: int, length: int, broad: int) -> list[int]:
    """Rows side by side; one that is much shorter than the first ends the field."""
    field: list[int] = []
    first = start
    for number in range(broad):
        row: list[int] = []
        here = first
        while here != NO_CELL and len(row) < length and sketch.is_free(here) and here not in sketch.half:
            row.append(here)
            here = sketch.beyond[here][along]
        if number and 3 * len(row) < 2 * length:
            break
        length = len(row)
        field += row
        first = sketch.beyond[first][across]
        if first == NO_CELL:
            break
    return field


def _shortened(field: list[int], length: int) -> list[int]:
    """A field for which there was room in few rows only, without what makes it too long."""
    rows = max(1, (len(field) + length - 1) // length)
    across = (len(field) + rows - 1) // rows
    kept = min(across, LONGEST * rows)
    return [cell for row in range(rows) for cell in field[row * across : row * across + kept]]


def patches(
    sketch: Sketch,
    kind: str,
    wanted: int,
    *,
    size: tuple[int, int],
    where: Callable[[int], bool] = lambda cell: True,
    compact: int = 2,
) -> None:
    """Patches of some growth on free ground until there are so many hexes of it."""
    dice = sketch.dice
    for _ in range(40):
        left = wanted - len(sketch.of_terrain(kind))
        if left < 1:
            return
        places = [cell for cell in sketch.free() if where(cell)] or []
        if not places:
            return
        grown = sketch.grow([dice.pick(places)], min(left, dice.between(*size)), sketch.is_free, compact=compact)
        for cell in grown:
            sketch.terrain[cell] = kind


def soak(sketch: Sketch, mouth: int, size: int) -> None:
    """Marsh round the place where a stream ends, so that its water goes somewhere."""
    level = sketch.level[mouth]
    near = [cell for cell in sketch.around(mouth) if sketch.is_free(cell) and sketch.level[cell] <= level]
    for cell in sketch.dice.shuffled(near)[:size]:
        sketch.terrain[cell] = "marsh"


def lined_roads(sketch: Sketch, wanted: int) -> None:
    """Avenues: stretches of road between orchard trees."""
    lanes = [c for c in sketch.cells if len(sketch.roads[c]) == 2 and _may_line(sketch, c)]
    dice = sketch.dice
    while wanted > 0 and lanes:
        grown = sketch.grow([dice.pick(lanes)], min(wanted, dice.between(2, 4)), set(lanes).__contains__)
        for cell in grown:
            sketch.terrain[cell] = "orchard"
        lanes = [cell for cell in lanes if cell not in grown]
        wanted -= len(grown)


def _may_line(sketch: Sketch, cell: int) -> bool:
    plain = sketch.terrain[cell] == "open" and not sketch.bed[cell] and cell not in sketch.squares
    return plain and cell not in sketch.kept and cell not in sketch.edge


def hedges(sketch: Sketch, wanted: int, *, wall: int) -> None:
    """Hedges and walls round fields, orchards and yards, and along roads, until so many hexsides have one."""
    dice = sketch.dice
    done = 0
    for _ in range(120):
        if done >= wanted:
            return
        kind = "wall" if dice.chance(wall) else "hedge"
        length = min(wanted - done, dice.between(3, 9))
        grown = [cell for cell in sketch.cells if _is_tended(sketch, cell)]
        yards = [cell for cell in sketch.cells if _is_yard(sketch, cell)]
        lanes = [cell for cell in sketch.cells if _is_lane(sketch, cell)]
        yard = 3 if sketch.version == 1 else 2
        places, lay = dice.weighted(((((grown), _run), 5), ((yards, _run), yard), ((lanes, _lane), 3)))
        if places:
            done += lay(sketch, dice.pick(places), kind, length)


def _is_tended(sketch: Sketch, cell: int) -> bool:
    """Ground that somebody would put a fence round."""
    if cell in sketch.half or sketch.bed[cell] or sketch.sides[cell] or sketch.roads[cell]:
        return False
    return sketch.terrain[cell] in ("grain", "orchard", "graveyard")


def _is_yard(sketch: Sketch, cell: int) -> bool:
    """Open ground beside a house."""
    open_ground = sketch.is_free(cell) and not sketch.sides[cell]
    return open_ground and any(other in sketch.building for other in sketch.around(cell))


def _is_lane(sketch: Sketch, cell: int) -> bool:
    """A road that may have a hedge beside it."""
    if len(sketch.roads[cell]) != 2 or cell in sketch.half or sketch.bed[cell] or sketch.sides[cell]:
        return False
    return sketch.terrain[cell] == "open"


def _lane(sketch: Sketch, cell: int, kind: str, length: int) -> int:
    """A fence along one side of a road; how long it became."""
    done = 0
    back, ahead = sketch.dice.shuffled(sorted(sketch.roads[cell]))
    while done < length and _is_lane(sketch, cell):
        side = (ahead + 1) % 6
        while side != back:
            if done < length and _may_fence(sketch, cell, side):
                sketch.set_side(cell, side, kind)
                done += 1
            side = (side + 1) % 6
        cell, back = sketch.beyond[cell][ahead], (ahead + 3) % 6
        if cell == NO_CELL or len(sketch.roads[cell]) != 2:
            break
        ahead = next(side for side in sorted(sketch.roads[cell]) if side != back)
    return done


def _run(sketch: Sketch, cell: int, kind: str, length: int) -> int:
    """A fence along the border between ground of one kind and what lies beyond; how long it became."""
    ground = sketch.terrain[cell]
    side = _corner_of_yard(sketch, cell) if ground == "open" and sketch.version > 1 else sketch.dice.between(0, 5)
    done = 0
    for _ in range(3 * length + 6):
        if done >= length:
            break
        other = sketch.beyond[cell][side]
        if other != NO_CELL and _same_ground(sketch, cell, other, ground) and ground != "open":
            # the field goes on there: follow its border
            cell, side = other, (side + 4) % 6
            continue
        if _may_fence(sketch, cell, side):
            sketch.set_side(cell, side, kind)
            done += 1
        elif done:
            break
        side = (side + 1) % 6
        if ground == "open" and done >= 4:
            break
    return done


def _corner_of_yard(sketch: Sketch, cell: int) -> int:
    """The hexside at which a fence joins the house beside the yard."""
    beside = [side for side, other in enumerate(sketch.beyond[cell]) if other in sketch.building]
    return (sketch.dice.pick(beside) + 1) % 6


def _same_ground(sketch: Sketch, cell: int, other: int, ground: str) -> bool:
    return sketch.terrain[other] == ground and not sketch.roads[other] and not sketch.bed[other] and cell != other


def _may_fence(sketch: Sketch, cell: int, side: int) -> bool:
    other = sketch.beyond[cell][side]
    if other == NO_CELL or other in sketch.half or cell in sketch.half or side in sketch.sides[cell]:
        return False
    if side in sketch.roads[cell] or sketch.bed[other] or sketch.bed[cell]:
        return False
    woody = {sketch.terrain[cell], sketch.terrain[other]} == {"woods"}
    same_house = cell in sketch.building and sketch.building[cell] == sketch.building.get(other)
    return not woody and not same_house
