"""The players of Soft Underbelly, and what a player that looks ahead must know of the game."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action, Seat
from sandtable.players.underbelly_recruit import Recruit
from sandtable.players.underbelly_regular import Regular, Seasoned
from sandtable.players.underbelly_worth import worth

PLAYERS = {"regular": Regular}
base = Seasoned
HORIZON = 2
"""Player turns that are looked ahead: what one does, and what the enemy makes of it."""

__all__ = ["HORIZON", "PLAYERS", "Recruit", "Regular", "base", "quick", "variants", "worth"]


def quick() -> Regular:
    """The player of imagined games."""
    return Regular()


def variants(player: Regular, seat: Seat, own: Action) -> Sequence[tuple[Action, Regular]]:
    """Other choices that deserve a look: styles for a phase, commands, and whether to stand or to go on in a battle."""
    return player.variants(seat, own)
