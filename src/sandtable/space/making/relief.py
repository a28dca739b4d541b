"""Hills with contours: ridges grown hex by hex, each level on the one below; cliffs where two levels meet."""

from __future__ import annotations

from sandtable.space.grid import NO_CELL
from sandtable.space.making.sketch import Sketch

NARROW = 4
"""A hill of fewer hexes than this bears no further level."""


def raise_hills(sketch: Sketch, size: int, top: int, hills: int) -> None:
    """Hills of so many hexes in all, the highest up to the top level."""
    dice = sketch.dice
    foot = _foot(sketch)
    inner = [cell for cell in sketch.cells if cell not in foot and not sketch.bed[cell]]
    if size <= 0 or top <= 0:
        return
    for number in range(hills):
        left = size - sum(level > 0 for level in sketch.level)
        if left < 2:
            return
        share = left if number == hills - 1 else max(2, left * dice.between(35, 65) // 100)
        heights = [cell for cell in sketch.cells if sketch.level[cell] > 0]
        places = [cell for cell in inner if not sketch.level[cell] and sketch.distance(cell, heights) > 2]
        if not places:
            return
        summit = top if number == 0 else dice.between(1, top)
        _hill(sketch, dice.pick(places), share, summit, foot)
    set_cliffs(sketch)


def _foot(sketch: Sketch) -> set[int]:
    """Ground that stays at level 0: the edge, and here more, there less of what lies beside it."""
    foot = set(sketch.edge)
    for cell in sorted(sketch.edge):
        if sketch.dice.chance(30):
            foot.update(sketch.within(cell, sketch.dice.between(1, 3)))
    return foot


def _hill(sketch: Sketch, middle: int, size: int, top: int, foot: set[int]) -> None:
    """One hill; every level covers the inner part of the one below."""
    dice = sketch.dice
    axis = dice.between(0, 2)
    ground = sketch.grow([middle], size, lambda cell: cell not in foot and _may_rise(sketch, cell), axis=axis)
    for level in range(1, top + 1):
        for cell in ground:
            sketch.level[cell] = level
        inside = {cell for cell in ground if all(sketch.level[other] >= level for other in sketch.around(cell))}
        # here and there the next level comes up to the crest line, which makes a cliff
        steep = {cell for cell in ground if _lower(sketch, cell, level) == 1 and dice.chance(12)}
        rest = inside | (steep if len(inside) >= NARROW else set())
        if not rest or (len(ground) < NARROW and level < top - 1):
            return
        wanted = max(1, len(ground) * dice.between(25, 45) // 100)
        seeds = sorted(inside) or sorted(rest)
        chosen = rest
        ground = sketch.grow([dice.pick(seeds)], wanted, lambda cell: cell in chosen, axis=axis)  # noqa: B023


def _may_rise(sketch: Sketch, cell: int) -> bool:
    """No second hill in the way, and no water."""
    return not sketch.level[cell] and not sketch.bed[cell]


def _lower(sketch: Sketch, cell: int, level: int) -> int:
    return sum(sketch.level[other] < level for other in sketch.around(cell))


def set_cliffs(sketch: Sketch) -> None:
    """A cliff on every hexside between ground two levels apart."""
    for cell in sketch.cells:
        for side, other in enumerate(sketch.beyond[cell]):
            if other != NO_CELL and abs(sketch.level[cell] - sketch.level[other]) > 1:
                sketch.set_side(cell, side, "cliff")
