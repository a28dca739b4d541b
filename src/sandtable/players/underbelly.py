"""The players of Soft Underbelly, and what a player that looks ahead must know of the game."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action, Seat
from sandtable.players.underbelly_recruit import Recruit
from sandtable.players.underbelly_regular import Regular
from sandtable.players.underbelly_worth import worth

PLAYERS = {"regular": Regular}
HORIZON = 2
"""Player turns that are looked ahead: what one does, and what the enemy makes of it."""

__all__ = ["HORIZON", "PLAYERS", "Recruit", "Regular", "candidates", "quick", "worth"]


def quick() -> Regular:
    """The player of imagined games."""
    return Regular()


def candidates(player: Regular, seat: Seat, limit: int) -> Sequence[Action]:
    """The choices that deserve a look: commands, and whether to stand or to go on in a battle."""
    return player.candidates(seat, limit)
