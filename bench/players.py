"""Computer players: the time of their decisions and of whole games, regular against regular, and of imagined games."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import sandtable
from sandtable.engine import Seat, get_game
from sandtable.players import Player, make_player

GAMES = 2
LIMITS = {"aslsk2": (50.0, 300.0, 30.0), "sasl": (50.0, 300.0, 30.0)}
"""By game: what the mean and the 95th percentile of a decision (ms) and a whole game (s) must reach."""


class Times(NamedTuple):
    """What some games took, in processor time of one core."""

    mean: float
    late: float
    slowest_game: float


def figures() -> Iterator[dict[str, Any]]:
    """All figures of this part: every scenario of the squad-level games, one of each other game."""
    for game, names in scenarios().items():
        measured = [times(f"{game}/{name}") for name in names]
        limits = LIMITS.get(game, (None, None, None))
        values = [max(column) for column in zip(*measured, strict=True)]
        words = ("decision, mean", "decision, 95th percentile", "slowest whole game")
        for word, value, unit, must in zip(words, values, ("ms", "ms", "s"), limits, strict=True):
            name = f"regular, {game}, {word} (the worst of {len(names)} scenarios)"
            yield {"name": name, "value": value, "unit": unit, "must": must, "better": "lower"}


def scenarios() -> dict[str, list[str]]:
    """The scenarios that are measured, by game."""
    return {
        "aslsk2": [info.id for info in get_game("aslsk2").scenarios()],
        "aslguide": ["intro"],
        "underbelly": ["historical"],
        "pbi": ["village"],
        "sasl": ["1", "2", "5", "8"],
    }


def times(scenario: str) -> Times:
    """Regular against regular."""
    sandtable.new(scenario, seed=0)  # the map and its lines of sight are made once
    decisions: list[float] = []
    slowest = 0.0
    for seed in range(1, GAMES + 1):
        match = sandtable.new(scenario, seed=seed)
        players: dict[str, Player] = {side: make_player(match.header.game, "regular") for side in match.sides}
        source = random.Random(seed)
        start = time.process_time()
        while match.to_act:
            side = match.to_act[0]
            before = time.process_time()
            action = players[side].choose(Seat(match, side), source)
            decisions.append((time.process_time() - before) * 1000)
            match.apply(side, action)
        slowest = max(slowest, time.process_time() - start)
    decisions.sort()
    return Times(sum(decisions) / len(decisions), decisions[int(len(decisions) * 0.95)], slowest)
