"""Buildings: along streets, round a square with a church, in rows, in farms; of wood or stone, some with storeys."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

from sandtable.space.grid import NO_CELL
from sandtable.space.making.sketch import Sketch


class Builder:
    """Puts up buildings until a plan is fulfilled: so much of stone, so many upper levels."""

    def __init__(self, sketch: Sketch, *, hexes: int, stone: int, storeys: int) -> None:
        self.sketch = sketch
        self.planned = hexes
        """Hexes that shall have a building in the end."""
        self.stone = hexes * stone // 1000
        """Hexes that shall have one of stone."""
        self.storeys = storeys
        """Upper levels of a hundred hexes with a building."""
        self.count = self.hexes = self._stone = self._levels = 0

    def is_site(self, cell: int) -> bool:
        """Whether a house may stand there: free, not at the edge, and not touching another one's hexes too closely."""
        sketch = self.sketch
        return sketch.is_free(cell) and cell not in sketch.half

    def put(
        self,
        cells: list[int],
        *,
        row: bool = False,
        church: bool = False,
        joined: Collection[tuple[int, int]] | None = None,
    ) -> None:
        """One building; in a row its hexes are divided by party walls. Each hex is joined to the one before."""
        sketch, dice = self.sketch, self.sketch.dice
        left, spare = self.stone - self._stone, max(1, self.planned - self.hexes)
        stone = church or (left >= len(cells) and dice.below(spare) < left)
        short = self.storeys * (self.hexes + len(cells)) - 100 * self._levels
        most = 2 if len(cells) > 1 or church else 1
        level = min(most, max(0, (short + 50 * len(cells)) // (100 * len(cells)))) if self.storeys else 0
        if church:
            level = 2 if self.storeys > 60 else 1 if self.storeys else 0
        kind = ("stone_building" if stone else "wooden_building") + (f"_{level}" if level else "")
        for cell in cells:
            sketch.building[cell] = cells[0]
            sketch.terrain[cell] = kind
        for one, other in pairwise(cells) if joined is None else joined:
            side = sketch.side_to(one, other)
            sketch.wings[one].add(side)
            sketch.wings[other].add((side + 3) % 6)
        if level:
            sketch.stairs.update(cells[:: 3 if len(cells) > 2 else 1][:2])
        if len(cells) == 1 and not church and dice.chance(35):
            sketch.parts[cells[0]] = dice.between(2, 3)
        if row:
            for one, other in pairwise(cells):
                side = sketch.side_to(one, other)
                sketch.rowhouse[one].add(side)
                sketch.rowhouse[other].add((side + 3) % 6)
        self.count += 1
        self.hexes += len(cells)
        self._stone += len(cells) if stone else 0
        self._levels += level * len(cells)

    def straight(self, cell: int, size: int) -> list[int]:
        """Sites in a straight line, along the street beside them if there is room."""
        best: list[int] = [cell]
        for side in sorted(self.sketch.dice.shuffled(range(3)), key=lambda side: not self._is_street(cell, side)):
            line = self._line(cell, side, size)
            if len(line) == size:
                return line
            if len(line) > len(best):
                best = line
        return best

    def _is_street(self, cell: int, side: int) -> bool:
        """Whether a street beside the hex runs in that direction."""
        return any({side, side + 3} <= self.sketch.roads[other] for other in self.sketch.around(cell))

    def _line(self, cell: int, side: int, size: int) -> list[int]:
        line = [cell]
        for way in (side, side + 3):
            for other in self.sketch.runs(cell, way):
                if len(line) >= size or not self._fits(other, line):
                    break
                line = [*line, other] if way == side else [other, *line]
        return line

    def angle(self, cell: int) -> list[int]:
        """Sites of a building of three hexes round a corner, or of fewer where there is no room."""
        sketch = self.sketch
        for side in sketch.dice.shuffled(range(6)):
            second = sketch.beyond[cell][side]
            if second == NO_CELL or not self._fits(second, [cell]):
                continue
            third = sketch.beyond[second][(side + sketch.dice.pick((1, 5))) % 6]
            if third != NO_CELL and self._fits(third, [cell, second]):
                return [cell, second, third]
        return [cell]

    def hall(self, cell: int, size: int) -> tuple[list[int], list[tuple[int, int]]]:
        """Sites of one large building, a long front with wings behind it; and which of its hexes are joined."""
        sketch = self.sketch
        for along in sketch.dice.shuffled(range(6)):
            wings = min(sketch.dice.between(1, 3), size - 3)
            front = self._ray(cell, along, size - wings)
            if len(front) < size - wings:
                continue
            cells, joined = list(front), list(pairwise(front))
            behind = (along + sketch.dice.pick((1, 2, 4, 5))) % 6
            for root in (front[0], front[-1], front[len(front) // 2])[:wings]:
                wing = sketch.beyond[root][behind]
                if wing != NO_CELL and wing not in cells and self._fits(wing, cells):
                    cells.append(wing)
                    joined.append((root, wing))
            if len(cells) == size:
                return cells, joined
        return [], []

    def _ray(self, cell: int, side: int, size: int) -> list[int]:
        """Sites in a straight line that begins at a hex."""
        line = [cell] if self._fits(cell, []) else []
        for other in self.sketch.runs(cell, side):
            if not line or len(line) >= size or not self._fits(other, line):
                break
            line.append(other)
        return line

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
        if size == 3 and dice.chance(35):
            builder.put(builder.angle(cell))
            continue
        line = builder.straight(cell, size) if size > 1 else [cell]
        builder.put(line, row=len(line) > 2 and dice.chance(60))
