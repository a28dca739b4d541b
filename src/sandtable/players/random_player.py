"""The random player: any legal action, each as likely as the others."""

from __future__ import annotations

import random

from sandtable.engine import Action, Seat


class RandomPlayer:
    """Takes any legal action."""

    explanation = ""

    def choose(self, seat: Seat, source: random.Random) -> Action:
        """One of the legal actions."""
        actions = seat.actions()
        action: Action = actions[source.randrange(len(actions))]
        return action
