"""Lines of sight between Locations: hexes at their ground, and places above or below it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from sandtable.space.los import BLOCKED, Los, LosEngine, LosTable


class LevelTable:
    """All lines of a map with further Locations: hexes come first, then the others in their order.

    `others` gives the hex and the height above its ground of each; `joined` the pairs of Locations of one hex
    between which there is a line, such as by a stairwell.
    """

    def __init__(
        self, table: LosTable, others: Sequence[tuple[int, int]], joined: Collection[tuple[int, int]] = ()
    ) -> None:
        size = table.grid.size
        self._table = table
        self._size = size
        self._hexes = np.array([*range(size), *[cell for cell, _ in others]], np.int32)
        self._heights = np.array([0] * size + [height for _, height in others], np.int32)
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
        if start < self._size and end < self._size:
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
        first = 0
        if start < self._size:
            first = self._size
            row[:first] = np.frombuffer(self._table.row(start), np.uint8)
        ends, heights = self._hexes[first:], self._heights[first:]
        away = np.flatnonzero(ends != here)
        ends, heights = ends[away], heights[away]
        starts, lifts = np.full(len(ends), here, np.int32), np.full(len(ends), height, np.int32)
        turned = starts > ends
        row[first + away] = self.engine.values(
            np.where(turned, ends, starts),
            np.where(turned, starts, ends),
            (np.where(turned, heights, lifts), np.where(turned, lifts, heights)),
        )
        for other in np.flatnonzero(self._hexes == here).tolist():
            row[other] = 0 if other == start or (start, other) in self._joined else BLOCKED
        made = self._rows[start] = row.tobytes()
        return made
