"""The works: put these after the terrain among the parts of a game, and `WorksRules` into its ruleset."""

from __future__ import annotations

from sandtable.games.asl.works import breaking, digging, mines, pillboxes, sheltering, wire
from sandtable.games.squad.part import Part

WORKS: tuple[Part, ...] = (pillboxes.PART, breaking.PART, sheltering.PART, digging.PART, wire.PART, mines.PART)
