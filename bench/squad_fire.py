"""The preview of a fire attack: tally and exact odds against a stack of four."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import sandtable
from sandtable.engine import Match
from sandtable.games.squad import fire_preview
from sandtable.games.squad.fire_model import AddFirer, AimAt, ResolveFire, StartFire
from sandtable.games.squad.setting import ground_of

ROUNDS = 150
SIDE = "allied"
FIRERS = [
    {"id": "a1", "kind": "american 7-4-7", "at": "C3"},
    {"id": "a2", "kind": "american 6-6-6", "at": "C3"},
]
STACKS = {
    "a leader and three squads": ["italian 9-1", "italian 3-4-7", "italian 3-4-6", "italian 3-4-6"],
    "two leaders and two squads": ["italian 9-2", "italian 8-0", "italian 3-4-7", "italian 3-4-6"],
}


def figures() -> Iterator[dict[str, Any]]:
    """All figures of this part; the best of several rounds, as the machine is shared."""
    for words, stack in STACKS.items():
        match = attack_on(stack)
        for name, fresh in (("first preview", True), ("another preview", False)):
            yield {
                "name": f"{name} of fire at {words}",
                "value": min(seconds(match, fresh=fresh) for _ in range(ROUNDS)) * 1000,
                "unit": "ms",
                "must": 5.0,
                "better": "lower",
            }


def attack_on(stack: list[str]) -> Match:
    """A drafted attack without terrain modifiers, so that every result of the table can come."""
    targets = [{"id": f"t{n}", "kind": kind, "at": "E3"} for n, kind in enumerate(stack)]
    state = {"phase": "PFPh", "attacker": SIDE, "units": [*FIRERS, *targets]}
    match = sandtable.new({"game": "aslsk2", "scenario": "S9", "state": state}, seed=1)
    for action in (StartFire("a1"), AimAt(ground_of(match.state).index("E3")), AddFirer("a2")):
        match.apply(SIDE, action)
    return match


def seconds(match: Match, *, fresh: bool) -> float:
    """The processor's time of one preview; `fresh`: odds kept from earlier previews of the stack are dropped."""
    if fresh:
        fire_preview._stack_odds.cache_clear()
    start = time.process_time()
    match.preview(SIDE, ResolveFire())
    return time.process_time() - start
