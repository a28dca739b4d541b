"""Taking back again and again costs no more each time."""

from __future__ import annotations

import random

import pytest

import sandtable
from sandtable.engine import Match
from sandtable.engine import match as engine_match
from sandtable.engine.dice import RecordedDice


def long_match() -> Match:
    source = random.Random(3)
    for seed in range(50):
        match = sandtable.new("tiny/post", seed=seed)
        while match.outcome is None and match.version < 60:
            side = match.to_act[0]
            match.apply(side, source.choice(match.actions(side)))
        if match.version == 60:
            return match
    raise AssertionError("no match is long enough")


@pytest.fixture
def repeated(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Counts the actions that are carried out again."""
    count: list[int] = []

    def counted(rolls: tuple[object, ...]) -> RecordedDice:
        count.append(1)
        return RecordedDice(rolls)  # type: ignore[arg-type]

    monkeypatch.setattr(engine_match, "RecordedDice", counted)
    return count


def test_a_step_and_its_taking_back_many_times(repeated: list[int]) -> None:
    match = long_match()
    before = match.view()
    side = match.to_act[0]
    for _ in range(50):
        match.apply(side, match.actions(side)[0])
        match.rewind(1, side)
    assert len(repeated) < 60 + 50 * 4
    again = match.view()
    assert {**again, "version": 60} == before


def test_going_back_step_by_step(repeated: list[int]) -> None:
    match = long_match()
    while match.version < 60 + 58:
        match.rewind(1, "red")
    assert len(repeated) < 60 + 58 * (engine_match.NEAR + 2)
