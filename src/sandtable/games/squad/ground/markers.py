"""Markers that come off many units or weapons at once."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from sandtable.games.squad.pieces.model import NO_MARKER, SquadState, Unit, Weapon


def change_units(state: SquadState, wanted: Callable[[Unit], bool], **changes: object) -> tuple[str, ...]:
    """Change all units that are wanted; returns their ids."""
    found = tuple([unit.id for unit in state.units.values() if wanted(unit)])
    for name in found:
        state.units[name] = replace(state.units[name], **changes)
    return found


def change_weapons(state: SquadState, wanted: Callable[[Weapon], bool], **changes: object) -> None:
    """Change all weapons that are wanted."""
    for name, weapon in list(state.weapons.items()):
        if wanted(weapon):
            state.weapons[name] = replace(weapon, **changes)


def clear_weapons(state: SquadState, side: str) -> None:
    """Fire markers come off the weapons of a side."""
    units = state.units
    change_weapons(
        state,
        lambda w: w.marker != NO_MARKER and (units[w.owner].side if w.owner else w.side) == side,
        marker=NO_MARKER,
    )
