"""Random Events (2.): filled in by the tables A11, P9 and x9."""

from __future__ import annotations

from sandtable.engine import Play
from sandtable.games.sasl.dice import say
from sandtable.games.squad.pieces.model import SquadState


def happen(play: Play[SquadState], side: str) -> None:
    """A Random Event of a side."""
    say(play, "A11", "none", (), f"no event of the {side} side is played yet", "2.3")
