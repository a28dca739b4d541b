"""The recruit of Soft Underbelly."""

from __future__ import annotations

import random

import pytest

import sandtable
from sandtable.engine import Match, Seat
from sandtable.players import make_player


def winner(scenario: str, seed: int, levels: dict[str, str]) -> str:
    """Who wins a match between computer players."""
    outcome = contest(scenario, seed, levels).outcome
    assert outcome is not None
    return outcome.winner


def contest(scenario: str, seed: int, levels: dict[str, str]) -> Match:
    """A whole match between computer players."""
    match = sandtable.new(f"underbelly/{scenario}", seed=seed)
    source = random.Random(seed)
    players = {side: make_player("underbelly", level) for side, level in levels.items()}
    while match.to_act:
        (side,) = match.to_act
        action = players[side].choose(Seat(match, side), source)
        assert players[side].explanation or levels[side] == "random"
        match.apply(side, action)
    return match


@pytest.mark.parametrize("scenario", ["historical", "wat"])
def test_the_allied_recruit_beats_random_play(scenario: str) -> None:
    levels = {"allied": "recruit", "german": "random"}
    assert [winner(scenario, seed, levels) for seed in range(3)] == ["allied"] * 3


def test_the_german_recruit_beats_random_play() -> None:
    levels = {"allied": "random", "german": "recruit"}
    assert [winner("wat", seed, levels) for seed in range(2)] == ["german"] * 2


def test_the_same_seed_gives_the_same_match() -> None:
    one, two = (contest("wat", 4, {"allied": "recruit", "german": "random"}) for _ in range(2))
    assert one.record() == two.record()
