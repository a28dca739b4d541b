"""What one of those who fire throws along with the fire of the group; a part says what it is and does (A22.6)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Play, Tally
from sandtable.games.squad.fire.model import FireAttack, FireDraft
from sandtable.games.squad.pieces.model import SquadState, Unit

THROWN = "thrown"
"""Stands for what a unit has thrown among the weapons that it has used in a Player Turn (4.0)."""
FACES = range(1, 7)


class Throwing:
    """What is thrown: a check before the dice, FP on top of the group's, and what the coloured die does to it."""

    what = ""
    """What it is called in odds and log."""

    def able(self, state: SquadState, draft: FireDraft) -> Sequence[str]:
        """Units of the group that may throw, the one most likely to succeed first."""
        return ()

    def tally(self, state: SquadState, attack: FireAttack) -> Tally:
        """The modifiers of the check."""
        raise TypeError(f"{type(self).__name__} does not say what modifies its check")

    def chance(self, state: SquadState, attack: FireAttack) -> float:
        """The chance that the check is passed."""
        return 1.0

    def check(self, play: Play[SquadState], attack: FireAttack) -> bool:
        """Make the check."""
        return True

    def instead(self, state: SquadState, unit: Unit) -> bool:
        """Whether a unit that throws does so instead of firing itself (4.0)."""
        return False

    def items(self, state: SquadState, attack: FireAttack) -> Sequence[tuple[str, float, str]]:
        """FP that it adds after all changes, with the rule."""
        return ()

    def left(self, state: SquadState, attack: FireAttack, coloured: int) -> FireAttack:
        """What is left of the attack by the coloured die of its DR; pure, for the odds ask it too."""
        return attack

    def tell(self, play: Play[SquadState], attack: FireAttack, coloured: int) -> None:
        """Say what the coloured die did, before the attack takes effect."""

    def settle(self, play: Play[SquadState], attack: FireAttack, coloured: int) -> None:
        """What becomes of the thrower once the attack has taken effect."""
