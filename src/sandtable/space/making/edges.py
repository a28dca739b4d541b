"""The edges that all geomorphic boards share: where roads leave, where trees stand, everything at level 0."""

from __future__ import annotations

from sandtable.space.making.sketch import Sketch

TREES = (*(f"{column}{row}" for row in (0, 10) for column in "HJLNTVXZ"), "A4", "A7", "GG4", "GG7")
"""Half hexes with woods on all but a few printed boards."""
TOP, BOTTOM = ("I1", "Q1", "Y1"), ("I10", "Q10", "Y10")
"""Hexes from which roads leave at the long sides."""
WEST, EAST = "B5", "FF5"
"""Hexes from which roads leave at the short sides, along the hexside between the half hexes 5 and 6."""
_ALONG = {
    WEST: (("A5", (2, 3)), ("A6", (0, 1)), ("B5", (4, 5))),
    EAST: (("GG5", (3, 4)), ("GG6", (0, 5)), ("FF5", (1, 2))),
}


EXITS = (*TOP, *BOTTOM, WEST, EAST)
"""All hexes from which roads leave."""


def set_edges(sketch: Sketch) -> None:
    """Trees on the edge, and every half hex settled."""
    sketch.kept |= sketch.half
    for name in TREES:
        sketch.terrain[sketch.named(name)] = "woods"


def open_exit(sketch: Sketch, name: str) -> int:
    """Let a road leave from the hex of that name; the hex."""
    cell = sketch.named(name)
    if name in _ALONG:
        for place, sides in _ALONG[name]:
            sketch.roads[sketch.named(place)] |= set(sides)
    else:
        sketch.roads[cell].add(0 if name in TOP else 3)
    return cell
