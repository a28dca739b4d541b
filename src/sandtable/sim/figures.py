"""Figures that a report tells: losses by turn, who leads when, and how far dice decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sandtable.sim.playing import Result
from sandtable.sim.statistics import Share, share

FEW = 5
"""Games that a side must have won and lost before its turning points are told."""
LUCK_NAMES = {
    "low": ("worst quarter (highest)", "third quarter", "second quarter", "best quarter (lowest)"),
    "high": ("worst quarter (lowest)", "third quarter", "second quarter", "best quarter (highest)"),
    "": ("lowest quarter", "second quarter", "third quarter", "highest quarter"),
}
"""Quarters of the games by a side's dice: where low or high rolls are good, and where it depends."""


def mean(values: Sequence[float]) -> float:
    """The mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def spread(values: Sequence[float]) -> tuple[float, float]:
    """Between which values four of five lie."""
    ordered = sorted(values)
    last = len(ordered) - 1
    return ordered[round(last * 0.1)], ordered[round(last * 0.9)]


def turns_of(games: Sequence[Result]) -> list[str]:
    """The turns of the longest game, in their order."""
    longest = max(games, key=lambda game: len(game.strength))
    return [turn for turn, _ in longest.strength]


def losses_by_turn(games: Sequence[Result], sides: Sequence[str]) -> list[dict[str, float]]:
    """For each turn: pieces lost by each side, on average over the games that came so far."""
    found = []
    for n, turn in enumerate(turns_of(games)):
        reached = sum(1 for game in games if len(game.strength) > n)
        lost = dict.fromkeys(sides, 0.0)
        for game in games:
            for side, _, when in game.losses:
                if when == turn and side in lost:
                    lost[side] += 1
        found.append({side: count / max(reached, 1) for side, count in lost.items()})
    return found


class Lead(NamedTuple):
    """The mean lead of the first side at the end of a turn, in games that `winner` won."""

    turn: int
    winner: str
    value: float


def _lead(game: Result, sides: Sequence[str], turns: Sequence[str]) -> float:
    """Pieces that the second side has lost by then, less those of the first."""
    first, second = sides[0], sides[1]
    done = [side for side, _, when in game.losses if when in turns]
    return float(done.count(second) - done.count(first))


def leads(games: Sequence[Result], sides: Sequence[str]) -> list[Lead]:
    """How the exchange of losses stands after each turn, for the games that either side wins; those over count on."""
    turns = turns_of(games)
    found = []
    for winner in sides[:2]:
        won = [game for game in games if game.winner == winner]
        for n in range(1, len(turns) + 1) if won else ():
            found.append(Lead(n, winner, mean([_lead(game, sides, turns[:n]) for game in won])))
    return found


def turning_point(found: Sequence[Lead], games: Sequence[Result], sides: Sequence[str]) -> str:
    """In which turn won and lost games part most, in a sentence."""
    first, second = sides[0], sides[1]
    counts = {side: sum(1 for game in games if game.winner == side) for side in (first, second)}
    few = min(counts, key=lambda side: counts[side])
    if counts[few] < FEW:
        return f"{few} won {counts[few]} games, too few to tell where games turn."
    gaps = {lead.turn: lead.value for lead in found if lead.winner == first}
    for lead in found:
        if lead.winner == second:
            gaps[lead.turn] -= lead.value
    steps = {turn: gap - gaps.get(turn - 1, 0.0) for turn, gap in gaps.items()}
    turn = max(steps, key=lambda turn: steps[turn])
    if steps[turn] <= 0:
        return "Losses do not tell the games that are won from those that are lost."
    return (
        f"Games that {first} wins and those that {second} wins part most in turn {turn}: by {steps[turn]:.1f} pieces."
    )


def ahead_wins(games: Sequence[Result], sides: Sequence[str]) -> list[tuple[str, Share]]:
    """After each turn: how often the side that has lost fewer pieces so far wins; games without a lead are left out."""
    turns = turns_of(games)
    found = []
    for n, turn in enumerate(turns, 1):
        points, cases = 0.0, 0
        for game in games:
            lead = _lead(game, sides, turns[:n])
            if len(game.strength) < n or not lead or not game.winner:
                continue
            cases += 1
            points += game.winner == (sides[0] if lead > 0 else sides[1])
        if cases:
            found.append((turn, share(points, cases)))
    return found


def _dice(game: Result, sides: Sequence[str], good: str) -> float:
    """How much better the first side's dice were than the second's (higher, where neither is always good)."""
    gap = game.luck.get(sides[0], 0.0) - game.luck.get(sides[1], 0.0)
    return -gap if good == "low" else gap


def by_luck(games: Sequence[Result], sides: Sequence[str], good: str) -> list[Share]:
    """Wins of the first side in four quarters of the games, by its dice against the other's."""
    ordered = sorted(games, key=lambda game: (_dice(game, sides, good), game.number))
    found = []
    for n in range(4):
        part = ordered[n * len(ordered) // 4 : (n + 1) * len(ordered) // 4]
        if part:
            found.append(share(sum(game.winner == sides[0] for game in part), len(part)))
    return found


def luck_words(games: Sequence[Result], sides: Sequence[str], good: str) -> str:
    """How often the side with the better dice wins, in a sentence."""
    points, cases = 0.0, 0
    for game in games:
        dice = _dice(game, sides, good)
        if dice and game.winner:
            cases += 1
            points += game.winner == (sides[0] if dice > 0 else sides[1])
    better = "better" if good else "higher"
    return f"The side with the {better} dice won {share(points, cases)} of the games."
