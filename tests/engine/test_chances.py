"""Exact odds, compared with an independent library and with counting."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import icepool
import pytest

from sandtable.engine.odds import at_least, at_most, check_each, count_passing, map_chances, sum_of_dice, then


@pytest.mark.parametrize(("n", "sides"), [(1, 6), (2, 6), (3, 6), (4, 10), (5, 2)])
def test_sums_of_dice(n: int, sides: int) -> None:
    die = n @ icepool.d(sides)
    assert sum_of_dice(n, sides) == {total: die.probability(total) for total in die.outcomes()}


def test_at_most_and_at_least() -> None:
    assert at_most(7) == Fraction(21, 36)
    assert at_most(1) == 0
    assert at_most(12) == 1
    assert at_least(5) == Fraction(2, 6)
    assert at_least(11, 2) == Fraction(3, 36)


def test_how_many_pass() -> None:
    chances = [Fraction(1, 2), Fraction(1, 3), Fraction(5, 6)]
    expected = [Fraction(0)] * 4
    for results in product((0, 1), repeat=3):
        p = Fraction(1)
        for result, chance in zip(results, chances, strict=True):
            p *= chance if result else 1 - chance
        expected[sum(results)] += p
    assert count_passing(chances) == expected
    assert count_passing([]) == [1]


def test_check_each_unit() -> None:
    units = {
        "a": {"ok": Fraction(3, 4), "broken": Fraction(1, 4)},
        "b": {"ok": Fraction(1, 2), "pinned": Fraction(1, 2)},
    }
    joint = check_each(units)
    assert joint["broken", "pinned"] == Fraction(1, 8)
    assert sum(joint.values()) == 1


def test_a_second_step_depends_on_the_first() -> None:
    hit = {"hit": at_most(8), "miss": 1 - at_most(8)}
    effect = then(
        hit,
        lambda result: {"kill": Fraction(1, 6), "none": Fraction(5, 6)} if result == "hit" else {"none": Fraction(1)},
    )
    assert effect["kill"] == Fraction(26, 36) / 6
    assert map_chances(sum_of_dice(2), lambda total: total % 2)[0] == Fraction(1, 2)
