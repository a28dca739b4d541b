"""Switches of Molotov cocktails; each belongs to a ruling (docs/rulings/asl.md)."""

from __future__ import annotations

import msgspec


class MolotovRules(msgspec.Struct, frozen=True, kw_only=True):
    """What is in force."""

    nations: tuple[str, ...] = ("partisan",)
    """Nationalities whose units may use MOL (A22.6, S12.211)."""
    fires_too: bool = False
    """Half-squads and crews fire along with the MOL that they throw (V-3)."""
    sides_without: tuple[str, ...] = ()
    """Sides that have none all the same (SA-121)."""
