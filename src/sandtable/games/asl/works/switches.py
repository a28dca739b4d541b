"""Switches of the works: what a game leaves out, and the rulings on them."""

from __future__ import annotations

import msgspec


class WorksRules(msgspec.Struct, frozen=True, kw_only=True):
    """What is in force; the defaults are the rulings of docs/rulings/asl.md."""

    entrenching: bool = True
    """Units may dig foxholes in the PFPh (B27.11)."""
    partisans_dig: bool = True
    """Partisans may entrench; in Solitaire ASL they do not (S12.211)."""
    outside_first: bool = True
    """Fire at a hex with a pillbox goes at those outside it, if there are any (B30.34, ruling W-5)."""
    pillbox_havens: bool = True
    """A rout may lead into a pillbox (B30.5, ruling W-8)."""
    mines_attack_owner: bool = True
    """Mines attack units of the side that laid them too (B28.4)."""
