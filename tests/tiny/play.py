"""Random play of Outpost for tests, the demo and the benchmarks."""

from __future__ import annotations

import random

import sandtable
from sandtable.engine import Match


def random_match(seed: int, steps: int = 10_000) -> Match:
    """A match played at random to its end, or for so many steps."""
    match = sandtable.new("tiny/post", seed=seed)
    source = random.Random(seed)
    while match.to_act and match.version < steps:
        side = match.to_act[0]
        actions = match.actions(side)
        match.apply(side, actions[int(source.random() * len(actions))])
    return match
