"""What grows: woods with clearings, fields of grain, orchards by farms, brush, marsh by the water, crags on hills."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.space.grid import NO_CELL
from sandtable.space.making.sketch import Sketch


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
        size = min(wanted - have, dice.between(*patch))
        edge = [cell for cell in sketch.of_terrain("woods") if cell in sketch.half]
        start = dice.pick(edge) if edge and dice.chance(35) else -1
        seeds = [c for c in sketch.around(start) if allowed(c)] if start >= 0 else []
        if not seeds:
            seeds = [cell for cell in sketch.cells if allowed(cell) and not sketch.roads[cell]]
        if not seeds:
            return
        grown = sketch.grow([dice.pick(seeds)], size, allowed, compact=2 if dice.chance(60) else 1)
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
    if inside and sketch.dice.chance(70):
        middle = sketch.dice.pick(inside)
        sketch.terrain[middle] = "open"
        sketch.kept.add(middle)


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
    long, broad = dice.between(0, 5), dice.pick((1, 2))
    broad = (long + broad) % 6
    length = max(1, (size + 1) // max(1, dice.between(1, max(1, size // 3))))
    rows: list[int] = []
    cell = start
    while cell != NO_CELL and len(rows) < size:
        here = cell
        for _ in range(length):
            if here == NO_CELL or not sketch.is_free(here) or here in sketch.half or len(rows) >= size:
                break
            rows.append(here)
            here = sketch.beyond[here][long]
        cell = sketch.beyond[cell][broad]
        if cell != NO_CELL and not sketch.is_free(cell):
            break
    return rows or [start]


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
    for _ in range(200):
        if done >= wanted:
            return
        starts = [cell for cell in sketch.cells if _is_bounded(sketch, cell)]
        if not starts:
            return
        kind = "wall" if dice.chance(wall) else "hedge"
        done += _run(sketch, dice.pick(starts), kind, min(wanted - done, dice.between(3, 8)))


def _is_bounded(sketch: Sketch, cell: int) -> bool:
    """Ground that somebody would put a fence round."""
    if cell in sketch.half or sketch.bed[cell] or sketch.sides[cell]:
        return False
    if sketch.terrain[cell] in ("grain", "orchard", "graveyard") and not sketch.roads[cell]:
        return True
    return sketch.is_free(cell) and any(o in sketch.building or sketch.roads[o] for o in sketch.around(cell))


def _run(sketch: Sketch, cell: int, kind: str, length: int) -> int:
    """A fence along the border between ground of one kind and what lies beyond; how long it became."""
    ground = sketch.terrain[cell]
    side = sketch.dice.between(0, 5)
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
