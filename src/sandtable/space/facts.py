"""What the rules know about one hex of a board: the facts that a board file writes down."""

from __future__ import annotations

from typing import Literal

import msgspec

RoadType = Literal["dirt", "paved"]
Material = Literal["stone", "wood"]


class Shape(msgspec.Struct, frozen=True):
    """Hints for drawing the hex: how much of it the terrain covers and which hexside midpoints it reaches."""

    cover: float = 0.0
    """Share of the hex's area that its woods, grain, orchard, building ... covers (0: the drawing rule's own)."""
    reach: tuple[int, ...] = ()
    """Hexsides whose midpoint the terrain covers."""
    high: float = -1.0
    """Share of the hex's area at its highest level, for hexes that a crest line crosses (-1: not given)."""
    angle: int | None = None
    """Direction of a building's long wall in degrees, clockwise from due right."""
    offset: tuple[int, int] = (0, 0)
    """Where the middle of the terrain lies from the hex centre, in pixels."""


NO_SHAPE = Shape()


class HexFacts(msgspec.Struct, frozen=True):
    """One hex of a board (1.1.1)."""

    terrain: str = "open"
    """Kind name of the terrain table."""
    level: int = 0
    """Elevation of the centre dot."""
    roads: tuple[tuple[int, RoadType], ...] = ()
    """Hexsides that a road crosses, each with its surface."""
    building: str | None = None
    """Building the hex belongs to; hexes with the same id form one multi-hex building."""
    material: Material | None = None
    storeys: int = 0
    """Upper levels of the building; the Starter Kit ignores them."""
    woods_road: bool = False
    orchard_road: bool = False
    crest: tuple[int, ...] = ()
    """Hexsides across which the level changes."""
    crest_line: bool = False
    """A crest line runs through the hex."""
    sides: tuple[tuple[int, str], ...] = ()
    """Hexside terrain such as walls and hedges."""
    half: bool = False
    """Part of the hex lies off the board."""
    shape: Shape = NO_SHAPE

    @property
    def road_sides(self) -> tuple[int, ...]:
        """Hexsides crossed by any road."""
        return tuple(side for side, _ in self.roads)

    @property
    def has_road(self) -> bool:
        """Whether a road runs through the hex."""
        return bool(self.roads)
