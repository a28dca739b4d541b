"""Switches of the works: what a game leaves out, and the rulings on them."""

from __future__ import annotations

import msgspec


class WorksRules(msgspec.Struct, frozen=True, kw_only=True):
    """What is in force; the defaults are the rulings of docs/rulings/asl.md."""

    entrenching: bool = True
    partisans_dig: bool = True
    """Partisans may entrench; in Solitaire ASL they do not (S12.211)."""
    """Units may dig foxholes in the PFPh (B27.11)."""
    outside_first: bool = True
    """Fire at a hex with a pillbox goes at those outside it, if there are any (B30.34, ruling W-5)."""
    mines_attack_owner: bool = True
    """Mines attack units of the side that laid them too (B28.4)."""
