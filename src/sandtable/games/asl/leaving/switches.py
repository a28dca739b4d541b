"""Switches of leaving close combat, and the rulings on what the rules leave open."""

from __future__ import annotations

import msgspec


class LeavingRules(msgspec.Struct, frozen=True, kw_only=True):
    """What is in force; the defaults are the rulings of docs/rulings."""

    cover_unlimited: bool = True
    """Each friend who stays counts +1 for those who withdraw; off: together they make up for the -2 (SA-116)."""
    rolled_stands: bool = True
    """Whom an earlier DR of the same CC has hurt does not Infiltrate; off: he escapes it (SA-117)."""
    bound_next: bool = True
    """Broken units must withdraw from the next CCPh on; off: they die in the CCPh in which a Melee begins (SA-118)."""
