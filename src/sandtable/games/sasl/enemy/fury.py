"""Berserk units (A4 row 12, RE 41): they go berserk here, and charge as the full rules say (A15.4, S6.301)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Play
from sandtable.games.asl.heat import berserk
from sandtable.games.asl.heat.who import exempt
from sandtable.games.sasl.dice import say
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.pieces.model import SquadState, Unit


def go_berserk(
    play: Play[SquadState], cell: int, units: Sequence[Unit], table: str, key: str, faces: Sequence[int]
) -> bool:
    """Whether the units of a Location go berserk: those who can, if they see a Known FRIENDLY unit (SA-48)."""
    state = play.state
    able = [unit for unit in units if not exempt(state, unit) and berserk.target_of(state, unit) >= 0]
    if not able:
        say(play, table, key, faces, f"{name_of(state, cell)}: no unit to charge, so row 10 is used", "SA-48")
        return False
    say(play, table, key, faces, f"{name_of(state, cell)}: goes berserk", "S9.2")
    for unit in able:
        if unit.id in state.units:
            berserk.go_berserk(play, state.units[unit.id])
    return True
