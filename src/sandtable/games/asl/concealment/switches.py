"""Switches of concealment; each belongs to a ruling (docs/rulings/asl.md)."""

from __future__ import annotations

import msgspec


class ConcealmentRules(msgspec.Struct, frozen=True, kw_only=True):
    """What is in force."""

    proof_is_automatic: bool = True
    """A concealed enemy who alone sees a unit proves at once that he is real, so that it loses its "?" (C-2)."""
    enter_concealed: bool = True
    """Good Order units come on under a "?" without being asked (C-4)."""
