"""Rows of lines of sight, one a place, made when asked for and no farther than asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]

BANDS = (12, 24, 255)
"""Ranges up to which the lines of a place are worked out together: most questions are about places nearby."""

UNKNOWN = 254
"""Stands in a part of a row for a line that is not known yet."""


class LineRows(ABC):
    """Lines between numbered places: `rows.row(a)[b]`.

    Threads may ask at once: a row never holds a wrong line, at worst one that has to be worked out again.
    """

    def __init__(self, size: int) -> None:
        self._rows: list[bytes | None] = [None] * size
        self._parts: dict[int, bytes] = {}
        """Rows that are known up to a range."""
        self._reach = np.full(size, -1, np.int16)
        """Up to which range the row of each place is known."""

    @abstractmethod
    def _ranges(self, start: int) -> NDArray[np.integer]:
        """Ranges from a place to all."""

    @abstractmethod
    def _work_out(self, start: int, ends: Ints) -> NDArray[np.uint8]:
        """The lines from a place to some, maybe itself among them."""

    def row(self, start: int) -> bytes:
        """Hindrance from one place to each other one, BLOCKED where there is no line of sight."""
        return self._rows[start] or self._make_row(start)

    def value(self, start: int, end: int) -> int:
        """Hindrance between two places, or BLOCKED; a line is the same from both ends, so either row will do."""
        row = self._rows[start]
        if row is not None:
            return row[end]
        row = self._rows[end]
        return row[start] if row is not None else self._line(start, end)

    def _line(self, start: int, end: int) -> int:
        """A line between two places of which no whole row is known."""
        row = self._parts.get(start)
        if row is not None and row[end] != UNKNOWN:
            return row[end]
        row = self._parts.get(end)
        if row is not None and row[start] != UNKNOWN:
            return row[start]
        apart = int(self._ranges(start)[end])
        return self._extend(start, next(band for band in BANDS if apart <= band))[end]

    def _make_row(self, start: int) -> bytes:
        made = self._rows[start] = self._extend(start, BANDS[-1])
        self._parts.pop(start, None)
        return made

    def _extend(self, start: int, reach: int) -> bytes:
        """Work out the lines of a place up to a range, beyond those that are known."""
        part = self._parts.get(start) or bytes([UNKNOWN]) * len(self._rows)
        row = np.frombuffer(part, np.uint8).copy()
        ranges = self._ranges(start)
        wanted = (row == UNKNOWN) & (ranges <= reach)
        for other in np.flatnonzero(wanted & (ranges <= self._reach)).tolist():  # known from the other end
            row[other] = (self._parts.get(other) or self.row(other))[start]
        others = np.flatnonzero(wanted & (row == UNKNOWN)).astype(np.int32)
        row[others] = self._work_out(start, others)
        made = row.tobytes()
        self._parts[start] = made
        self._reach[start] = reach
        return made
