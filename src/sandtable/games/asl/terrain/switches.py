"""Switches of the terrain: what a game leaves out, and the rulings on what the rules or the boards do not say."""

from __future__ import annotations

import msgspec


class TerrainRules(msgspec.Struct, frozen=True, kw_only=True):
    """What is in force; the defaults are the rulings of docs/rulings/asl.md."""

    wall_advantage: bool = True
    """Wall Advantage decides between the TEM of a hexside and that of the hex (B9.32); off: the better one counts."""
    wall_claims_asked: bool = False
    """Both sides are asked for Wall Advantage at the end of each RPh (ruling T-2)."""
    climbing: bool = True
    """Cliffs may be climbed (B11.4, ruling T-5)."""
    storeys_absent: bool = True
    """There are no Locations above the ground of buildings yet (ruling T-1)."""
