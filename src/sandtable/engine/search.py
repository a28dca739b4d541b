"""Every outcome of an action with its probability, and node counts of small positions."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.engine.dice import BranchingDice
from sandtable.engine.match import Match
from sandtable.engine.state import Action


def branches(match: Match, side: str, action: Action) -> Iterator[tuple[float, Match]]:
    """All matches that an action can lead to, one for each outcome of the dice it rolls."""
    dice = BranchingDice()
    while True:
        after = match.clone(dice)
        after.apply(side, action)
        probability = dice.probability
        after.dice = dice.clone()
        yield probability, after
        if not dice.advance():
            return


def count_nodes(match: Match, depth: int) -> int:
    """The number of ways in which the next `depth` actions and their dice can go."""
    if depth == 0:
        return 1
    if match.outcome is not None:
        return 0
    return sum(
        count_nodes(after, depth - 1)
        for side in match.to_act
        for action in match.actions(side)
        for _, after in branches(match, side, action)
    )
