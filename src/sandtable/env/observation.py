"""What an agent observes: numbers made from a side's view, of one shape for a whole scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

PLANES = 6
"""Own pieces, others' pieces, own pieces with a marker, others' with a marker, marks, places of the decision."""
TRACKS = 4
"""Tracks that are told; after them come whether the side decides, and how far the match is."""


class Observer:
    """Turns views of one scenario into arrays of one shape."""

    def __init__(self, cells: Sequence[str], length: int) -> None:
        self._index = {name: n for n, name in enumerate(cells)}
        self._places = max(len(cells), 1)
        self._length = length
        self.size = self._places * PLANES + TRACKS + 2

    def look(self, view: Mapping[str, Any], side: str, *, acts: bool) -> NDArray[np.float32]:
        """The view as numbers between 0 and 1 (counts are divided by 8)."""
        planes = np.zeros((PLANES, self._places), dtype=np.float32)
        for piece in view.get("pieces", ()):
            place = self._index.get(piece["at"])
            if place is not None:
                other = 0 if piece.get("side") == side else 1
                planes[other, place] += 0.125
                if piece.get("markers"):
                    planes[2 + other, place] += 0.125
        for mark in view.get("marks", ()):
            place = self._index.get(mark["at"])
            if place is not None:
                planes[4, place] += 0.125
        for cell in view.get("focus", ()):
            place = self._index.get(cell)
            if place is not None:
                planes[5, place] = 1.0
        tail = np.zeros(TRACKS + 2, dtype=np.float32)
        for n, track in enumerate(view.get("tracks", ())[:TRACKS]):
            tail[n] = max(track["at"], 0) / max(len(track["boxes"]), 1)
        tail[TRACKS] = float(acts)
        tail[TRACKS + 1] = min(view["version"] / self._length, 1.0)
        seen: NDArray[np.float32] = np.minimum(np.concatenate([planes.ravel(), tail]), np.float32(1.0))
        return seen
