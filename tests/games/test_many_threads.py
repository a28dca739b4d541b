"""Matches that are played in many threads at once go as they go alone: what games remember is never mixed up."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable.engine import Seat
from sandtable.players import make_player

MATCHES, STEPS = 4, 30
PLAYED = {
    "aslguide/intro": "random",
    "aslsk2/S14": "random",
    "aslsk2/S15": "regular",
    "pbi/generated": "regular",
    "sasl/1": "random",
    "underbelly/campaign": "random",
    "underbelly/historical": "regular",
}


@pytest.fixture
def hurried() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def played(what: str, seed: int) -> list[Any]:
    """The moments of a match: the side, its legal list, a preview, what all see, and how it stands."""
    match = sandtable.new(what, seed=seed)
    players = {side: make_player(match.header.game, PLAYED[what]) for side in match.sides}
    source = random.Random(seed)
    moments: list[Any] = []
    while match.to_act and len(moments) < STEPS:
        side = match.to_act[0]
        legal = list(match.actions(side))
        action = players[side].choose(Seat(match, side), source)
        moments.append((side, legal, action, match.preview(side, action), msgspec.to_builtins(match.view(side))))
        match.apply(side, action)
    moments.append(match.position())
    return moments


@pytest.mark.parametrize("what", PLAYED)
@pytest.mark.usefixtures("hurried")
def test_matches_in_many_threads_go_as_they_go_alone(what: str) -> None:
    alone = [played(what, seed) for seed in range(MATCHES)]
    with ThreadPoolExecutor(MATCHES) as threads:
        together = list(threads.map(lambda seed: played(what, seed), range(MATCHES)))
    for seed, (one, other) in enumerate(zip(alone, together, strict=True)):
        assert one == other, f"the match of seed {seed} went another way"
