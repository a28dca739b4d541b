"""Berserk units (A4 row 12, RE 41): the part of the family that knows them decides what they do."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Play
from sandtable.games.sasl.dice import say
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.pieces.model import SquadState, Unit


def go_berserk(
    play: Play[SquadState], cell: int, units: Sequence[Unit], table: str, key: str, faces: Sequence[int]
) -> bool:
    """Whether the units of a Location go berserk; until berserk is played the next line of the table counts (SA-48)."""
    say(play, table, key, faces, f"{name_of(play.state, cell)}: berserk is not played yet, row 10 instead", "SA-48")
    return False
