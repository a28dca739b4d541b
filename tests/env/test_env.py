"""Learning environments pass PettingZoo's own tests."""

from __future__ import annotations

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from sandtable import env
from sandtable.engine import register
from sandtable.env.adapters import TooManyActions
from server.outpost import GAME


def test_the_turn_based_form_passes_the_api_test() -> None:
    api_test(env.aec("tiny/post"), num_cycles=300)


def test_the_turn_based_form_passes_the_seed_test() -> None:
    seed_test(lambda: env.aec("tiny/post"), num_cycles=80)


def test_the_simultaneous_form_passes_its_tests() -> None:
    parallel_api_test(env.parallel("tiny/post"), num_cycles=200)
    parallel_seed_test(lambda: env.parallel("tiny/post"))


@pytest.mark.parametrize("scenario", ["aslguide/intro", "aslsk2/S14", "pbi/crossroads", "underbelly/campaign"])
def test_every_game_passes_the_tests_of_both_forms(scenario: str) -> None:
    api_test(env.aec(scenario), num_cycles=12)
    seed_test(lambda: env.aec(scenario), num_cycles=6)
    parallel_api_test(env.parallel(scenario), num_cycles=6)
    parallel_seed_test(lambda: env.parallel(scenario), num_cycles=6)


def test_an_agent_sees_only_what_its_side_may_know() -> None:
    register(GAME)  # the tiny game with a map
    table = env.aec("outpost/post")
    table.reset(seed=1)
    table.step(0)  # blue hides its ambusher
    seen = {side: table.observe(side)["observation"] for side in ("red", "blue")}
    places = (len(seen["red"]) - 6) // 6
    own_of_blue = seen["blue"][:places].sum()
    others_of_red = seen["red"][places : 2 * places].sum()
    assert own_of_blue > others_of_red


def test_masks_are_the_legal_actions() -> None:
    table = env.aec("tiny/post")
    table.reset(seed=1)
    assert table.observe("blue")["action_mask"].sum() == 5
    assert list(np.flatnonzero(table.observe("red")["action_mask"])) == [0]
    with pytest.raises(ValueError, match="not legal"):
        table.step(9)


def test_a_space_that_is_too_small_says_so() -> None:
    table = env.aec("tiny/post", max_actions=2)
    table.reset(seed=1)
    with pytest.raises(TooManyActions, match="max_actions=5"):
        table.observe("blue")
