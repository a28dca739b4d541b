"""Giving up: what becomes of a unit that surrenders (A20)."""

from __future__ import annotations

from sandtable.engine import Play
from sandtable.games.squad.ground.stacks import eliminate
from sandtable.games.squad.pieces.model import SquadState, Unit


def give_up(play: Play[SquadState], unit: Unit, captor: str, why: str) -> None:
    """A unit surrenders to a side; it counts as eliminated."""
    eliminate(play, unit, why)
