"""The engine's own cost, measured with the tiny game of the tests."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

import sandtable
from sandtable.engine import Match
from sandtable.engine.state import Action

ACTIONS = 60_000
ROUNDS = 5


def figures() -> Iterator[dict[str, Any]]:
    """All figures of this part; the best of several rounds, as the machine is shared."""
    yield {
        "name": "actions a second, tiny game, random play",
        "value": max(actions_per_second("tiny/post", ACTIONS) for _ in range(ROUNDS)),
        "unit": "/s",
        "must": 50_000,
    }
    yield {
        "name": "clone + apply + drop, as a multiple of apply alone",
        "value": min(clone_ratio() for _ in range(ROUNDS)),
        "must": 2.0,
        "better": "lower",
    }


def actions_per_second(scenario: str, actions: int) -> float:
    """Random play through `Match`, with the listing of legal actions."""
    source = random.Random(1)
    rnd = source.random
    done = seed = 0
    start = time.perf_counter()
    while done < actions:
        match = sandtable.new(scenario, seed=seed)
        seed += 1
        while match.to_act and done < actions:
            side = match.to_act[0]
            legal = match.actions(side).all
            match.apply(side, legal[int(rnd() * len(legal))])
            done += 1
    return done / (time.perf_counter() - start)


def clone_ratio() -> float:
    """The time to clone, apply and drop, over that of applying alone, for the same actions."""
    steps: list[tuple[Match, str, Action]] = []
    for seed in range(40):
        match = sandtable.new("tiny/post", seed=seed)
        source = random.Random(seed)
        while match.to_act:
            side = match.to_act[0]
            action = source.choice(match.actions(side))
            steps.append((match.clone(), side, action))
            match.apply(side, action)
    clock = time.perf_counter
    alone = whole = 0.0
    for match, side, action in steps:
        start = clock()
        copy = match.clone()
        cloned = clock()
        copy.apply(side, action)
        applied = clock()
        del copy
        whole += clock() - start
        alone += applied - cloned
    return whole / alone
