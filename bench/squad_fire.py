"""The previews of a fire attack and of an ordnance shot: tally and exact odds against a stack of four."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import sandtable
from sandtable.engine import Action, Match
from sandtable.games.squad.fire import preview as fire_preview
from sandtable.games.squad.fire.model import AddFirer, AimAt, ResolveFire, StartFire
from sandtable.games.squad.ground.setting import ground_of
from sandtable.games.squad.ordnance.model import Shoot, StartShot

ROUNDS = 150
SIDE = "allied"
FIRERS = [
    {"id": "a1", "kind": "american 7-4-7", "at": "C3"},
    {"id": "a2", "kind": "american 6-6-6", "at": "C3"},
]
HOWITZER = {"id": "w", "kind": "american M2A1 105mm ART", "owner": "a1", "facing": 0}
SHOT = Shoot("ITT", "HE", 2)
STACKS = {
    "a leader and three squads": ["italian 9-1", "italian 3-4-7", "italian 3-4-6", "italian 3-4-6"],
    "two leaders and two squads": ["italian 9-2", "italian 8-0", "italian 3-4-7", "italian 3-4-6"],
}


def figures() -> Iterator[dict[str, Any]]:
    """All figures of this part; the best of several rounds, as the machine is shared."""
    for words, stack in STACKS.items():
        for what, match, action in (("fire", attack_on(stack), ResolveFire()), ("a shot", shot_at(stack), SHOT)):
            for name, fresh in (("first preview", True), ("another preview", False)):
                yield {
                    "name": f"{name} of {what} at {words}",
                    "value": min(seconds(match, action, fresh=fresh) for _ in range(ROUNDS)) * 1000,
                    "unit": "ms",
                    "must": 5.0,
                    "better": "lower",
                }


def attack_on(stack: list[str]) -> Match:
    """A drafted attack without terrain modifiers, so that every result of the table can come."""
    match = position(stack, FIRERS, [])
    for action in (StartFire("a1"), AimAt(ground_of(match.state).index("E3")), AddFirer("a2")):
        match.apply(SIDE, action)
    return match


def shot_at(stack: list[str]) -> Match:
    """A drafted shot of a 105mm howitzer."""
    match = position(stack, [{"id": "a1", "kind": "american 2-2-7", "at": "C3"}], [HOWITZER])
    for action in (StartShot("w"), AimAt(ground_of(match.state).index("E3"))):
        match.apply(SIDE, action)
    return match


def position(stack: list[str], firers: list[dict[str, str]], weapons: list[dict[str, Any]]) -> Match:
    """Firers in wC3 and Italians in wE3."""
    targets = [{"id": f"t{n}", "kind": kind, "at": "E3"} for n, kind in enumerate(stack)]
    state = {"phase": "PFPh", "attacker": SIDE, "units": [*firers, *targets], "weapons": weapons}
    return sandtable.new({"game": "aslsk2", "scenario": "S9", "state": state}, seed=1)


def seconds(match: Match, action: Action, *, fresh: bool) -> float:
    """The processor's time of one preview; `fresh`: odds kept from earlier previews of the stack are dropped."""
    if fresh:
        fire_preview.stack_odds.cache_clear()
    start = time.process_time()
    match.preview(SIDE, action)
    return time.process_time() - start
