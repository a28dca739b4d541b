"""Unit Size numbers: how much a unit counts where its bulk matters (A1.6)."""

from __future__ import annotations

from sandtable.games.squad.ground.setting import unit_kind, weapon_kind
from sandtable.games.squad.pieces.counters import Gun
from sandtable.games.squad.pieces.model import SquadState, Unit

SMC, HALF_SQUAD, SQUAD, GUN, LARGE = 1, 2, 3, 4, 5


def us_number(state: SquadState, unit: Unit) -> int:
    """The US# of a unit, with the Gun that it mans (A1.6)."""
    guns = [weapon_kind(state.weapons[name]).counter for name in unit.weapons]
    sizes = [gun.size for gun in guns if isinstance(gun, Gun)]
    if sizes:
        return LARGE if "large" in sizes else GUN
    kind = unit_kind(state, unit)
    if kind.squad:
        return SQUAD
    return HALF_SQUAD if kind.mmc else SMC


def half_squads(state: SquadState, unit: Unit) -> int:
    """Half-squads that a unit counts as; a single man counts as none."""
    return unit_kind(state, unit).size
