"""Learning environments: steps a second of random agents, observations included."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

SCENARIOS = ("aslguide/intro", "aslsk2/S15", "pbi/crossroads", "underbelly/campaign")
SECONDS = 4.0


def figures() -> Iterator[dict[str, Any]]:
    """A figure for each game; there is no target."""
    for scenario in SCENARIOS:
        yield {"name": f"steps of {scenario}", "value": _steps(scenario), "unit": "steps/s", "better": "higher"}


def _steps(scenario: str) -> float | None:
    from sandtable import env

    try:
        import numpy as np

        table = env.aec(scenario)
    except env.NoPettingZoo:
        return None
    source = np.random.default_rng(1)
    steps, start = 0, time.perf_counter()
    while True:
        table.reset(seed=1)
        for _ in table.agent_iter():
            seen, _, ended, cut, _ = table.last()
            if time.perf_counter() - start > SECONDS:
                return steps / (time.perf_counter() - start)
            table.step(None if ended or cut else int(source.integers(int(seen["action_mask"].sum()))))
            steps += 1
