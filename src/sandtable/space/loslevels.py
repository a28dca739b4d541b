"""Lines of sight between Locations: hexes at their ground, and places above or below it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sandtable.space.los import BLOCKED, Los, LosEngine, LosTable
from sandtable.space.losrows import Ints, LineRows


class LevelTable(LineRows):
    """All lines of a map with further Locations: hexes come first, then the others in their order.

    `others` gives the hex and the height above its ground of each; `joined` the pairs of Locations of one hex
    between which there is a line, such as by a stairwell; `raised` the hexes whose ground lies so many levels above
    the centre dot of the board, such as bridges.
    """

    def __init__(
        self,
        table: LosTable,
        others: Sequence[tuple[int, int]],
        joined: Collection[tuple[int, int]] = (),
        raised: Mapping[int, int] | None = None,
    ) -> None:
        size = table.grid.size
        self._table = table
        self._size = size
        self._hexes = np.array([*range(size), *[cell for cell, _ in others]], np.int32)
        self._raised = dict(raised or {})
        ground = [self._raised.get(cell, 0) for cell in range(size)]
        self._heights = np.array(ground + [ground[cell] + height for cell, height in others], np.int32)
        self._joined = frozenset(joined) | {(other, one) for one, other in joined}
        super().__init__(len(self._hexes))

    @property
    def engine(self) -> LosEngine:
        """What judges the lines."""
        return self._table.engine

    def value(self, start: int, end: int) -> int:
        """Hindrance between two Locations, or BLOCKED."""
        size, raised = self._size, self._raised
        if start >= size or start in raised:
            return super().value(start, end)
        return self._table.value(start, end) if end < size and end not in raised else super().value(end, start)

    def _is_plain(self, place: int) -> bool:
        """Whether a Location is the ground of a hex, of which the table of the hexes knows."""
        return place < self._size and place not in self._raised

    def explain(self, start: int, end: int) -> Los:
        """Why the table says what it says about one line."""
        heights = (int(self._heights[start]), int(self._heights[end]))
        return self.engine.explain(int(self._hexes[start]), int(self._hexes[end]), heights=heights)

    def _ranges(self, start: int) -> NDArray[np.integer]:
        """In hexes, 0 within a hex."""
        found: NDArray[np.integer] = self._table.grid.ranges[self._hexes[start]].take(self._hexes)
        return found

    def _make_row(self, start: int) -> bytes:
        if self._is_plain(start):
            self._table.row(start)
        return super()._make_row(start)

    def _work_out(self, start: int, ends: Ints) -> NDArray[np.uint8]:
        found = np.zeros(len(ends), np.uint8)
        here = self._hexes[start]
        plain = (ends < self._size) & (self._heights[ends] == 0) & self._is_plain(start)
        found[plain] = [self._table.value(start, end) for end in ends[plain].tolist()]
        inside = ~plain & (self._hexes[ends] == here)
        joined = [other == start or (start, other) in self._joined for other in ends[inside].tolist()]
        found[inside] = np.where(joined, 0, BLOCKED)
        far = np.flatnonzero(~plain & ~inside)
        there, heights = self._hexes[ends[far]], self._heights[ends[far]]
        starts, lifts = np.full(len(far), here, np.int32), np.full(len(far), self._heights[start], np.int32)
        turned = starts > there
        found[far] = self.engine.values(
            np.where(turned, there, starts),
            np.where(turned, starts, there),
            (np.where(turned, heights, lifts), np.where(turned, lifts, heights)),
        )
        return found
