"""Switches of Crest status, and the rulings on what the rules leave open."""

from __future__ import annotations

import msgspec


class CrestRules(msgspec.Struct, frozen=True, kw_only=True):
    """What is in force; the defaults are the rulings of docs/rulings/asl.md."""

    crest_status: bool = True
    """Infantry may take Crest status (ruling T-9)."""
    crest_over_its_front: bool = True
    """Who takes it as he enters a hex faces the hexside that he came over (ruling T-11)."""
    crest_fights_below: bool = True
    """Enemies who advance into the hex fight those at Crest; off: only those IN it (ruling T-13)."""
