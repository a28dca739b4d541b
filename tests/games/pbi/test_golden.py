"""Recorded games, one for each ready-made battle: they must replay to the same end for ever.

A record that no longer replays means that the rules have changed: raise `Pbi.rules_version`, keep the old record out of
the way, and play a new one with `record(name)`.
"""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import msgspec
import pytest

import sandtable
from sandtable.engine import Match, Seat
from sandtable.games.pbi.battles import READY_MADE
from sandtable.players.pbi import Recruit

GOLDEN = Path(__file__).parent / "golden"


def record(name: str, seed: int = 1944) -> Match:
    """A full game between two computer players."""
    match = sandtable.new(f"pbi/{name}", seed=seed)
    source = random.Random(seed)
    players = {side: (Recruit(), Seat(match, side)) for side in match.sides}
    while match.to_act:
        player, seat = players[match.to_act[0]]
        match.apply(match.to_act[0], player.choose(seat, source))
    return match


def digest(match: Match) -> str:
    """The state at the end in a few letters."""
    return hashlib.sha256(msgspec.json.encode(match.state)).hexdigest()[:16]


ENDS = {
    "crossroads": ("attacker", "adb07649de591221"),
    "bocage": ("defender", "8791d8934b60af70"),
    "village": ("defender", "5a85ae24b4d085d1"),
}
"""Winner, and what the last state comes to."""


@pytest.mark.parametrize("name", READY_MADE)
def test_a_recorded_game_replays_to_the_same_end(name: str) -> None:
    match = sandtable.replay(GOLDEN / f"{name}.jsonl")
    assert match.outcome is not None
    assert (match.outcome.winner, digest(match)) == ENDS[name]


def test_every_ready_made_battle_has_a_record() -> None:
    assert {path.stem for path in GOLDEN.glob("*.jsonl")} == set(READY_MADE)
