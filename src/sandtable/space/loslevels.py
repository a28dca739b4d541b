"""Lines of sight between Locations: hexes at their ground, and places above or below it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from sandtable.space.los import BLOCKED, Los, LosEngine, LosTable


class LevelTable:
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
        self._lifted = np.array([*self._raised, *range(size, len(self._hexes))], np.int32)
        self._joined = frozenset(joined) | {(other, one) for one, other in joined}
        self._rows: list[bytes | None] = [None] * len(self._hexes)

    @property
    def engine(self) -> LosEngine:
        """What judges the lines."""
        return self._table.engine

    def row(self, start: int) -> bytes:
        """Hindrance from one Location to each other one, BLOCKED where there is no line of sight."""
        return self._rows[start] or self._make_row(start)

    def value(self, start: int, end: int) -> int:
        """Hindrance between two Locations, or BLOCKED."""
        size, raised = self._size, self._raised
        if start < size and end < size and start not in raised and end not in raised:
            return self._table.value(start, end)
        start, end = max(start, end), min(start, end)
        row = self._rows[start]
        if row is not None:
            return row[end]
        row = self._rows[end]
        return row[start] if row is not None else self._make_row(start)[end]

    def explain(self, start: int, end: int) -> Los:
        """Why the table says what it says about one line."""
        heights = (int(self._heights[start]), int(self._heights[end]))
        return self.engine.explain(int(self._hexes[start]), int(self._hexes[end]), heights=heights)

    def _make_row(self, start: int) -> bytes:
        here, height = int(self._hexes[start]), int(self._heights[start])
        row = np.zeros(len(self._hexes), np.uint8)
        ends = np.arange(len(row), dtype=np.int32)
        if start < self._size and start not in self._raised:
            row[: self._size] = np.frombuffer(self._table.row(start), np.uint8)
            ends = self._lifted
        ends = ends[self._hexes[ends] != here]
        there, heights = self._hexes[ends], self._heights[ends]
        starts, lifts = np.full(len(ends), here, np.int32), np.full(len(ends), height, np.int32)
        turned = starts > there
        row[ends] = self.engine.values(
            np.where(turned, there, starts),
            np.where(turned, starts, there),
            (np.where(turned, heights, lifts), np.where(turned, lifts, heights)),
        )
        for other in np.flatnonzero(self._hexes == here).tolist():
            row[other] = 0 if other == start or (start, other) in self._joined else BLOCKED
        made = self._rows[start] = row.tobytes()
        return made
