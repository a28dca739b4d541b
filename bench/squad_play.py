"""Random play of the squad-level games, and the memory of one match."""

from __future__ import annotations

import random
import time
import tracemalloc
from collections.abc import Iterator
from typing import Any

import sandtable
from sandtable.engine import Match

ACTIONS = 12_000
ROUNDS = 4


def figures() -> Iterator[dict[str, Any]]:
    """All figures of this part; the best of several rounds, as the machine is shared."""
    for scenario, must in (("aslsk2/S15", 15_000), ("aslsk2/S9", None), ("aslguide/intro", None)):
        sandtable.new(scenario, seed=0)  # the map and its lines of sight are made once
        yield {
            "name": f"actions a second, {scenario}, random play",
            "value": max(actions_per_second(scenario) for _ in range(ROUNDS)),
            "unit": "/s",
            "must": must,
        }
    yield {
        "name": "memory of one match of aslsk2/S15 without its log",
        "value": megabytes("aslsk2/S15"),
        "unit": "MB",
        "must": 1.0,
        "better": "lower",
    }


def actions_per_second(scenario: str) -> float:
    """Random play through `Match`, with the listing of legal actions; in time of the processor, one core."""
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


def megabytes(scenario: str) -> float:
    """What a state in the middle of a game takes beyond the shared map: the cost of keeping one more of it."""
    match: Match = sandtable.new(scenario, seed=1)
    source = random.Random(1)
    while match.to_act and match.state.turn < 3:
        legal = match.actions(match.to_act[0]).all
        match.apply(match.to_act[0], legal[int(source.random() * len(legal))])
    position = match.position()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = sandtable.new(position, seed=1)
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert kept.state is not None
    return (after - before) / 1e6
