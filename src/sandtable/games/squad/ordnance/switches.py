"""Switches of ordnance: what a game leaves out, adds or words otherwise."""

from __future__ import annotations

import msgspec


class OrdnanceRules(msgspec.Struct, frozen=True, kw_only=True):
    """What is in force; the defaults are those of the Starter Kit."""

    ordnance: bool = True
    card_target_size: bool = False
    """Match option: the signs of the card for the target size of Guns (ruling D-34)."""
    intensive_after_area: bool = False
    """Match option: Intensive Fire is open to a Gun that used the Area Target Type (ruling O-1)."""
