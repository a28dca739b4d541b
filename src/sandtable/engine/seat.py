"""A seat at a match: all that one player, human or computer, can see and do."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from sandtable.engine.dice import SampledDice
from sandtable.engine.events import Event
from sandtable.engine.match import Actions, Match
from sandtable.engine.state import Action
from sandtable.engine.view import Description, Preview, Refusal


class Seat:
    """One side's access to a match; there is no way from here to what is hidden from the side."""

    __slots__ = ("__match", "side")

    def __init__(self, match: Match, side: str) -> None:
        self.__match = match
        self.side = side

    @property
    def game_id(self) -> str:
        """The game being played."""
        return self.__match.header.game

    @property
    def scenario(self) -> str:
        """The scenario being played."""
        return self.__match.header.scenario

    @property
    def options(self) -> dict[str, str]:
        """The options of the match that are not at their defaults."""
        return dict(self.__match.header.options)

    @property
    def sides(self) -> tuple[str, ...]:
        """All sides of the match."""
        return self.__match.sides

    @property
    def version(self) -> int:
        """The number of steps so far."""
        return self.__match.version

    def actions(self) -> Actions:
        """The side's legal actions."""
        return self.__match.actions(self.side)

    def view(self) -> dict[str, Any]:
        """What the side may know."""
        return self.__match.view(self.side)

    def describe(self, action: Action) -> Description:
        """An action in words."""
        return self.__match.describe(self.side, action)

    def preview(self, action: Action) -> Preview | None:
        """Tally and odds of an action."""
        return self.__match.preview(self.side, action)

    def refusals(self) -> Sequence[Refusal]:
        """What a rule forbids now."""
        return self.__match.refusals(self.side)

    def events(self, since: int = 0) -> list[tuple[int, Event]]:
        """What the side knows to have happened."""
        return self.__match.events(self.side, since=since)

    def imagine(self, source: random.Random) -> Match:
        """A match as it might be: what is hidden is dealt anew, and the dice are others."""
        copy = self.__match.clone(SampledDice(source))
        dealt = copy.game.reshuffle(copy.state, self.side, source)
        if dealt is not None:
            copy.adopt(dealt)
        copy.forget()
        return copy
