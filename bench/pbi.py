"""Random play of PBI and the time that its computer player takes."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

import sandtable
from sandtable.engine import Seat
from sandtable.games.pbi.battles import READY_MADE
from sandtable.players.pbi import Recruit

ACTIONS = 6_000
ROUNDS = 6


def figures() -> Iterator[dict[str, Any]]:
    """All figures of this part, in processor time of one core; the best of several rounds, as the machine is shared."""
    for name in (*READY_MADE, "generated"):
        sandtable.new(f"pbi/{name}", seed=0)  # the table and its lines of sight are made once
        yield {
            "name": f"actions a second, pbi/{name}, random play",
            "value": max(actions_per_second(f"pbi/{name}") for _ in range(ROUNDS)),
            "unit": "/s",
            "must": 15_000,
        }
    yield {
        "name": "one choice of the recruit",
        "value": min(choice_milliseconds() for _ in range(ROUNDS)),
        "unit": "ms",
        "must": 100,
        "better": "lower",
    }


def actions_per_second(scenario: str) -> float:
    """Random play through `Match`, with the start of matches and the listing of legal actions."""
    rnd = random.Random(1).random
    done = seed = 0
    start = time.process_time()
    while done < ACTIONS:
        match = sandtable.new(scenario, seed=seed)
        seed += 1
        while match.to_act and done < ACTIONS:
            side = match.to_act[0]
            legal = match.actions(side).all
            match.apply(side, legal[int(rnd() * len(legal))])
            done += 1
    return done / (time.process_time() - start)


def choice_milliseconds() -> float:
    """A game of the recruit against itself, by choice."""
    match = sandtable.new("pbi/bocage", seed=1)
    source, player = random.Random(1), Recruit()
    spent, number = 0.0, 0
    while match.to_act:
        seat = Seat(match, match.to_act[0])
        start = time.process_time()
        action = player.choose(seat, source)
        spent += time.process_time() - start
        number += 1
        match.apply(seat.side, action)
    return 1000 * spent / number
