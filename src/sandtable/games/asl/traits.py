"""What a nationality or class makes of a unit: Lax and Stealthy (A11.17, A11.18)."""

from __future__ import annotations

from sandtable.games.squad.ground.setting import unit_kind
from sandtable.games.squad.ground.stacks import inexperienced
from sandtable.games.squad.pieces.model import SquadState, Unit


def lax(state: SquadState, unit: Unit) -> bool:
    """Careless troops: Inexperienced MMC (A11.18)."""
    return unit_kind(state, unit).mmc and inexperienced(state, unit)


def stealthy(state: SquadState, unit: Unit) -> bool:
    """Careful troops (A11.17)."""
    return False
