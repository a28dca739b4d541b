"""Dice: fair, committed, and loud when a script does not fit."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from sandtable.engine import BranchingDice, RecordedDice, SampledDice, ScriptedDice, StreamDice
from sandtable.engine.dice import commitment, secret_of_seed
from sandtable.engine.errors import DiceError

SECRET = bytes(range(32))

CHI_SQUARE_5_DF = 20.5
"""Exceeded by fair dice once in a thousand; the seed is fixed, so the test is not."""


def chi_square(counts: Counter[int], sides: int) -> float:
    expected = counts.total() / sides
    return sum((counts[face] - expected) ** 2 / expected for face in range(1, sides + 1))


def test_a_million_rolls_are_fair() -> None:
    dice = StreamDice(SECRET)
    faces = dice.roll(6, 1_000_000, "fairness")
    assert chi_square(Counter(faces), 6) < CHI_SQUARE_5_DF
    pairs = Counter((a - 1) * 6 + b for a, b in zip(faces[::2], faces[1::2], strict=True))
    assert chi_square(pairs, 36) < 70  # 35 degrees of freedom


@pytest.mark.parametrize("sides", [1, 2, 10, 100, 256, 257, 1000, 70_000])
def test_any_number_of_sides(sides: int) -> None:
    faces = StreamDice(SECRET).roll(sides, 3000, "range")
    assert min(faces) >= 1
    assert max(faces) <= sides
    assert max(faces) > sides * 0.98


def test_no_value_beyond_the_last_full_range_is_used() -> None:
    # 252 to 255 would favour the faces 1 to 4: a stream of such bytes must be skipped.
    dice = StreamDice(SECRET)
    dice._block, dice._number = bytes([252, 253, 254, 255, 5] + [0] * 27), 0
    assert dice.roll(6, 2, "rejection") == (6, 1)


def test_the_stream_is_pinned() -> None:
    """Old records depend on this stream: it may never change."""
    assert StreamDice(SECRET).roll(6, 12, "pin") == (4, 1, 2, 6, 5, 2, 2, 6, 2, 4, 2, 6)
    assert commitment(SECRET, "m1") == "05e3848c4e92ab8f0ff5c5f64ce6deba7a767699ddf3ee25665c2ffa5dfa3c88"


def test_clones_and_positions_roll_the_same_again() -> None:
    dice = StreamDice(SECRET)
    dice.roll(6, 45, "before")
    mark = dice.position
    first = dice.clone().roll(6, 50, "clone")
    assert dice.roll(6, 50, "original") == first
    dice.position = mark
    assert dice.roll(6, 50, "again") == first


def test_seeds_and_secrets_differ() -> None:
    assert StreamDice(secret_of_seed(1)).roll(6, 30, "") != StreamDice(secret_of_seed(2)).roll(6, 30, "")
    assert commitment(SECRET, "a") != commitment(SECRET, "b")


def test_a_short_secret_is_refused() -> None:
    with pytest.raises(DiceError, match="32 bytes"):
        StreamDice(b"short")


def test_scripted_dice_fail_when_too_few() -> None:
    dice = ScriptedDice(3, 4)
    assert dice.roll(6, 2, "first") == (3, 4)
    with pytest.raises(DiceError, match="morale check"):
        dice.roll(6, 1, "morale check")


def test_scripted_dice_fail_when_too_many() -> None:
    dice = ScriptedDice(3, 4)
    dice.roll(6, 1, "one")
    with pytest.raises(DiceError, match="1 scripted dice"):
        dice.done()


def test_scripted_dice_know_the_faces() -> None:
    with pytest.raises(DiceError, match="says 7 for a die of 6 sides"):
        ScriptedDice(7).roll(6, 1, "x")


def test_recorded_dice_refuse_another_kind_of_roll() -> None:
    dice = RecordedDice([(6, (1, 2))])
    with pytest.raises(DiceError, match="2d6 where 1d10"):
        dice.roll(10, 1, "x")
    assert dice.roll(6, 2, "x") == (1, 2)
    with pytest.raises(DiceError, match="no roll"):
        dice.roll(6, 2, "x")


def test_sampled_dice_are_fair_too() -> None:
    faces = SampledDice(random.Random(5)).roll(6, 60_000, "")
    assert chi_square(Counter(faces), 6) < CHI_SQUARE_5_DF


def test_branching_dice_take_every_outcome_once() -> None:
    dice = BranchingDice()
    seen: list[tuple[int, ...]] = []
    total = 0.0
    while True:
        first = dice.roll(6, 1, "a")
        rest = dice.roll(2, 2, "b") if first == (6,) else ()
        seen.append(first + rest)
        total += dice.probability
        if not dice.advance():
            break
    assert len(seen) == len(set(seen)) == 5 + 4
    assert total == pytest.approx(1)
