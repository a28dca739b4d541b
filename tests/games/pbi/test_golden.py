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
from msgspec.structs import replace

import sandtable
from sandtable.engine import Match, Seat
from sandtable.games.pbi.battles import READY_MADE
from sandtable.games.pbi.rulings import Rules
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
    """The state at the end in a few letters; new rulings with their defaults do not change it."""
    return hashlib.sha256(msgspec.json.encode(replace(match.state, rules=Rules()))).hexdigest()[:16]


ENDS = {
    "crossroads": ("attacker", "e9d2ba3d8ec10aca"),
    "bocage": ("attacker", "19c216a41f280e8d"),
    "village": ("defender", "517ab616d51fdcf1"),
}
"""Winner, and what the last state comes to."""


@pytest.mark.parametrize("name", READY_MADE)
def test_a_recorded_game_replays_to_the_same_end(name: str) -> None:
    match = sandtable.replay(GOLDEN / f"{name}.jsonl")
    assert match.outcome is not None
    assert (match.outcome.winner, digest(match)) == ENDS[name]
    assert match.view("attacker")["prompt"] == "The battle is over"


def test_every_ready_made_battle_has_a_record() -> None:
    assert {path.stem for path in GOLDEN.glob("*.jsonl")} == set(READY_MADE)


def test_some_record_was_played_by_the_rules_as_they_are_now() -> None:
    versions = [
        msgspec.json.decode(path.read_text("utf-8").partition("\n")[0])["rules_version"]
        for path in GOLDEN.glob("*.jsonl")
    ]
    assert max(versions) == sandtable.new("pbi/village", seed=1).header.rules_version
