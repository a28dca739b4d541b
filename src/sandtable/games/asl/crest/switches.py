"""Switches of Crest status, and the rulings on what the rules leave open."""

from __future__ import annotations

import msgspec


class CrestRules(msgspec.Struct, frozen=True, kw_only=True):
    """What is in force; the defaults are the rulings of docs/rulings/asl.md."""

    crest_status: bool = True
    """Infantry may take Crest status (ruling T-9)."""
    crest_over_its_front: bool = True
    """Who takes it as he enters a hex faces the hexside that he came over (ruling T-11)."""
    crest_latw_over_front: bool = True
    """LATW are fired over the front of a Crest only; off: to all sides (ruling T-12)."""
    crest_fights_below: bool = True
    """Enemies who advance into the hex fight those at Crest; off: only those IN it (ruling T-13)."""
    crest_broken_go_down: bool = True
    """Broken units go down INTO the hex when the RtPh begins; off: they rout from the Crest (ruling T-14)."""
    crest_weapons_fall: bool = True
    """A weapon left at a Crest lies IN the hex when the phase ends; off: it lies at the Crest (ruling T-15)."""
