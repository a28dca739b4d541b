"""A toy part: a tower on every building, a Location of its own above the hex. Nothing in the shared rules knows it."""

from __future__ import annotations

from sandtable.games.squad.ground.map import Ground, Location
from sandtable.games.squad.part import Part

LEVELS = 2
STAIRS = 4
"""Half MF up or down."""


def towers(ground: Ground) -> list[Location]:
    """One on the first hex of each building."""
    cells = [cells[0] for cells in ground.buildings.values()]
    return [Location(cell, "tower", LEVELS, leads=((ground.names[cell], STAIRS),)) for cell in cells]


PART = Part(locations=towers)
