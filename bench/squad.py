"""Random play and memory of the squad-level games."""

from __future__ import annotations

import random
import time
import tracemalloc
from collections.abc import Iterator
from typing import Any

import msgspec

import sandtable

ACTIONS = 15_000
ROUNDS = 5


def figures() -> Iterator[dict[str, Any]]:
    """All figures of this part; processor time, the best of several rounds."""
    yield {
        "name": "actions a second, aslsk2/S15, random play with legal actions listed",
        "value": max(actions_per_second("aslsk2/S15") for _ in range(ROUNDS)),
        "unit": "/s",
        "must": 15_000,
    }
    yield {
        "name": "memory of one match without its log, aslsk2/S15",
        "value": match_memory("aslsk2/S15") / 1e6,
        "unit": "MB",
        "must": 1.0,
        "better": "lower",
    }


def actions_per_second(scenario: str) -> float:
    """Random play through `Match`."""
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


def match_memory(scenario: str) -> float:
    """Bytes of the state of a match in the middle of its play, every value counted as if nothing was shared."""
    match = sandtable.new(scenario, seed=1)
    source = random.Random(1)
    while match.to_act and match.version < 400:
        side = match.to_act[0]
        match.apply(side, source.choice(match.actions(side)))
    text = msgspec.json.encode(match.state)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    copy = msgspec.json.decode(text, type=match.game.state_type)
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert copy == match.state
    return float(after - before)
