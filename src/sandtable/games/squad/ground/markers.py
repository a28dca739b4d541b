"""Markers that come off many units or weapons at once."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.games.squad.pieces.model import NO_MARKER, SquadState, Unit, Weapon


def change_units(state: SquadState, units: list[Unit], **changes: object) -> None:
    """Change many units in the same way."""
    for unit in units:
        state.units[unit.id] = replace(unit, **changes)


def change_weapons(state: SquadState, weapons: list[Weapon], **changes: object) -> None:
    """Change many weapons in the same way."""
    for weapon in weapons:
        state.weapons[weapon.id] = replace(weapon, **changes)


def clear_weapons(state: SquadState, side: str) -> None:
    """Fire markers come off the weapons of a side."""
    marked = [weapon for weapon in state.weapons.values() if weapon.marker != NO_MARKER]
    own = [weapon for weapon in marked if (state.units[weapon.owner].side if weapon.owner else weapon.side) == side]
    change_weapons(state, own, marker=NO_MARKER)
