"""Switches of the Rout Phase: what a game leaves out, adds or words otherwise."""

from __future__ import annotations

import msgspec


class RoutRules(msgspec.Struct, frozen=True, kw_only=True):
    """What is in force; the defaults are those of the Starter Kit."""

    voluntary_break: bool = False
    """Units in sight may break at will in the RtPh to rout (guide)."""
    shared_hex_failure: bool = False
    """A broken unit in an enemy's hex is eliminated in the RtPh (guide)."""
    never_rout_adjacent: bool = False
    """A routing unit may never move adjacent to an enemy (guide)."""
    low_crawl_away: bool = False
    """Low Crawl into the open in sight must lead away from the nearest Known enemy (guide)."""
    any_range_forces_rout: bool = False
    """Also pinned enemies in normal range force units in the open to rout (guide)."""
