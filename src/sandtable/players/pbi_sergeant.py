"""A recruit who has been under fire: the quick opponent of a veteran's imagined games."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action
from sandtable.games.pbi import actions as a
from sandtable.players.pbi_recruit import Recruit, Table


class Watchful(Table):
    """The table with an eye on who sees a square."""

    def seen_by(self, square: str) -> int:
        """How many enemies see a square."""
        sees = self.g.sees[square]
        return sum(number for at, number in self.enemies.items() if at in sees)

    def worth(self, square: str) -> float:
        """How good it is for foot to be in a square; who is in a hurry looks less around."""
        danger = min(self.seen_by(square), 8) * 0.16 * (2.2 - self.cover(square))
        return super().worth(square) - (0.5 if self.hurry else 1.0) * danger


class Sergeant(Recruit):
    """Keeps out of the enemy's sight and sees to the casualties; plays at once."""

    look = Watchful

    def _other(self, table: Table, action: Action, actions: Sequence[Action]) -> tuple[float, str]:
        if isinstance(action, (a.Recover, a.Comfort)):
            return (0.35 if isinstance(action, a.Recover) else 0.5), "fewer casualties, better morale"
        return super()._other(table, action, actions)
