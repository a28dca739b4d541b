"""The terrain part: put these among the parts of a game, and `TerrainRules` into its ruleset."""

from __future__ import annotations

from sandtable.games.asl.terrain import claims, going, wet
from sandtable.games.asl.terrain.cover import covers, opens
from sandtable.games.asl.terrain.ground import GROUND
from sandtable.games.squad.part import Part

TERRAIN: tuple[Part, ...] = (Part(ground=GROUND, covers=covers, opens=opens), claims.PART, going.PART, wet.PART)
