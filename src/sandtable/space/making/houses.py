"""Buildings: along streets, round a square with a church, in rows, in farms; of wood or stone, some with storeys."""

from __future__ import annotations

import itertools
from collections.abc import Collection

from sandtable.space.making.sketch import Sketch


class Builder:
    """Puts up buildings until a plan is fulfilled: so much of stone, so many upper levels."""

    def __init__(self, sketch: Sketch, *, stone: int, storeys: int) -> None:
        self.sketch = sketch
        self.stone = stone
        """Stone of a thousand hexes with a building."""
        self.storeys = storeys
        """Upper levels of a hundred hexes with a building."""
        self.count = self.hexes = self._stone = self._levels = 0

    def is_site(self, cell: int) -> bool:
        """Whether a house may stand there: free, not at the edge, and not touching another one's hexes too closely."""
        sketch = self.sketch
        return sketch.is_free(cell) and cell not in sketch.half

    def put(self, cells: list[int], *, row: bool = False, church: bool = False) -> None:
        """One building; in a row its hexes are divided by party walls."""
        sketch, dice = self.sketch, self.sketch.dice
        stone = church or 1000 * self._stone < self.stone * (self.hexes + len(cells) * dice.between(0, 100) // 100)
        short = self.storeys * (self.hexes + len(cells)) - 100 * self._levels
        most = 2 if len(cells) > 1 or church else 1
        level = min(most, max(0, (short + 50 * len(cells)) // (100 * len(cells)))) if self.storeys else 0
        if church:
            level = 2 if self.storeys > 60 else 1 if self.storeys else 0
        kind = ("stone_building" if stone else "wooden_building") + (f"_{level}" if level else "")
        for cell in cells:
            sketch.building[cell] = cells[0]
            sketch.terrain[cell] = kind
        if level:
            sketch.stairs.update(cells[:: 3 if len(cells) > 2 else 1][:2])
        if len(cells) == 1 and not church and dice.chance(35):
            sketch.parts[cells[0]] = dice.between(2, 3)
        if row:
            for one, other in itertools.pairwise(cells):
                side = sketch.side_to(one, other)
                sketch.rowhouse[one].add(side)
                sketch.rowhouse[other].add((side + 3) % 6)
        self.count += 1
        self.hexes += len(cells)
        self._stone += len(cells) if stone else 0
        self._levels += level * len(cells)

    def straight(self, cell: int, size: int) -> list[int]:
        """Sites in a straight line along the street beside them."""
        sketch = self.sketch
        best: list[int] = [cell]
        for side in sketch.dice.shuffled(range(3)):
            line = [cell]
            for way in (side, side + 3):
                for other in sketch.runs(cell, way):
                    if len(line) >= size or not self._fits(other, line):
                        break
                    line = [*line, other] if way == side else [other, *line]
            if len(line) > len(best):
                best = line
        return best

    def block(self, cell: int, size: int) -> list[int]:
        """Sites of one large, compact building."""
        return self.sketch.grow([cell], size, lambda other: self._fits(other, []), compact=3)

    def _fits(self, cell: int, own: Collection[int]) -> bool:
        return self.is_site(cell) and not any(
            other in self.sketch.building and other not in own for other in self.sketch.around(cell)
        )


def along_streets(sketch: Sketch, middle: int, radius: int) -> list[int]:
    """Free hexes beside a street, the nearer to the middle the sooner."""
    found = [
        cell
        for cell in sketch.free()
        if sketch.range(middle, cell) <= radius and any(sketch.roads[other] for other in sketch.around(cell))
    ]
    return sorted(found, key=lambda cell: (sketch.range(middle, cell), cell))


def church_and_square(sketch: Sketch, builder: Builder, middle: int) -> None:
    """The square at the middle of a village, and the church beside it."""
    if sketch.roads[middle] and not sketch.bed[middle]:
        sketch.squares.add(middle)
    sites = [cell for cell in sketch.within(middle, 2) if builder.is_site(cell)]
    if not sites:
        return
    first = min(sites, key=lambda cell: (sketch.range(middle, cell), cell))
    more = [cell for cell in sketch.around(first) if builder.is_site(cell)]
    cells = [first, *sketch.dice.shuffled(more)[:1]] if sketch.dice.chance(50) else [first]
    builder.put(cells, church=True)
    sketch.notable.append(first)
    yards = [cell for cell in sketch.around(first) if sketch.is_free(cell) and cell not in sketch.edge]
    for cell in sketch.dice.shuffled(yards)[: sketch.dice.between(0, 1)]:
        sketch.terrain[cell] = "graveyard"


def settle(sketch: Sketch, builder: Builder, sites: list[int], *, count: int, hexes: int, largest: int) -> None:
    """Houses on the sites until there are so many, of so many hexes in all."""
    dice = sketch.dice
    for cell in sites:
        left, spare = count - builder.count, hexes - builder.hexes
        if left <= 0 or spare <= 0:
            return
        if not builder.is_site(cell):
            continue
        crowd = sum(other in sketch.building for other in sketch.around(cell))
        if crowd > 2 or (crowd and dice.chance(25 * crowd)):
            continue
        mean = spare * 100 // left
        size = 1
        if left > 1 and mean > 100 and dice.below(100) < min(75, mean - 100):
            size = min(largest, dice.weighted(((2, 5), (3, 3), (4, 2))))
        line = builder.straight(cell, size) if size > 1 else [cell]
        builder.put(line, row=len(line) > 2 and dice.chance(60))
