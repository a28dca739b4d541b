"""What the rules know about one hex of a board: the facts that a board file writes down."""

from __future__ import annotations

from typing import Literal

import msgspec

from sandtable.space.terrain import TerrainKind, terrain_table

RoadType = Literal["dirt", "paved"]
Material = Literal["stone", "wood"]


class Shape(msgspec.Struct, frozen=True):
    """Hints for drawing a hex; they change outlines, never what the hex is."""

    cover: int = 0
    """Percent of the hex's area that its woods, grain, building ... covers (0: the drawing rule's own)."""
    reach: tuple[int, ...] = ()
    """Hexsides whose midpoint the terrain covers."""
    high: int = 0
    """Percent of the hex's area at its own level, where a crest line crosses it (0: the drawing rule's own)."""
    parts: int = 1
    """Number of separate buildings in the hex."""
    aside: bool = False
    """The centre dot lies in the open although the building makes it a building hex."""
    angle: int | None = None
    """Direction of a building's long wall in degrees, clockwise from due right."""
    offset: tuple[int, int] = (0, 0)
    """Where the middle of a building lies from the hex centre, in pixels."""


NO_SHAPE = Shape()


class HexFacts(msgspec.Struct, frozen=True):
    """One hex of a board (1.1.1)."""

    terrain: str = "open"
    """Kind name of the terrain table; road hexes are open ground, woods_road, orchard_road or grain."""
    level: int = 0
    """Elevation of the centre dot."""
    roads: tuple[tuple[int, RoadType], ...] = ()
    """Hexsides that a road crosses in rising order, each with its surface."""
    building: str | None = None
    """Building the hex belongs to; hexes with the same id form one multi-hex building."""
    crest: tuple[int, ...] = ()
    """Hexsides across which the level of the centre dots changes."""
    crest_line: bool = False
    """A crest line runs through the hex."""
    sides: tuple[tuple[int, str], ...] = ()
    """Hexside terrain such as walls and hedges, by its kind name."""
    half: bool = False
    """Part of the hex lies off the board."""
    shape: Shape = NO_SHAPE
    bed: tuple[tuple[int, str], ...] = ()
    """Hexsides crossed by the bed of a gully, a stream or a river, each with the kind of the bed."""
    rowhouse: tuple[int, ...] = ()
    """Hexsides on which a party wall divides a row of houses."""
    stairs: bool = False
    """Stairs lead to the upper levels of the building."""

    @property
    def kind(self) -> TerrainKind:
        """The hex's line of the terrain table."""
        return terrain_table()[self.terrain]

    @property
    def material(self) -> Material | None:
        """Stone or wood, of a building hex."""
        return self.kind.material if self.building is not None else None

    @property
    def storeys(self) -> int:
        """Upper levels of the building; the Starter Kit ignores them."""
        return self.kind.storeys if self.building is not None else 0

    @property
    def wooden(self) -> HexFacts:
        """The same hex with its building of wood and its roads unpaved."""
        name = self.terrain.replace("stone_", "wooden_")
        terrain = name if self.kind.is_building and name in terrain_table() else self.terrain
        return msgspec.structs.replace(self, terrain=terrain, roads=tuple([(side, "dirt") for side, _ in self.roads]))

    @property
    def is_bridge(self) -> bool:
        """The road of the hex runs over a bridge, and the centre dot lies on it."""
        return self.terrain.endswith("_bridge")

    @property
    def bridge_rubble(self) -> bool:
        """A bridge has fallen into the bed of the hex."""
        return bool(self.bed) and self.kind.in_bed

    @property
    def ground(self) -> int:
        """Level of the ground beside a bed; everywhere else that of the centre dot."""
        return self.level + 1 if self.bed and not self.is_bridge else self.level

    @property
    def woods_road(self) -> bool:
        """A road runs through the woods of the hex."""
        return self.kind.group == "woods" and bool(self.roads)

    @property
    def orchard_road(self) -> bool:
        """The hex is a tree-lined road."""
        return self.kind.group == "orchard" and bool(self.roads)

    @property
    def road_sides(self) -> tuple[int, ...]:
        """Hexsides crossed by any road."""
        return tuple(side for side, _ in self.roads)

    @property
    def has_road(self) -> bool:
        """Whether a road runs through the hex."""
        return bool(self.roads)
