"""The worked example of learning, in a short version; kinds of actions and rewards for pieces."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from sandtable import env


@pytest.fixture(scope="module")
def learn() -> ModuleType:
    path = Path(__file__).resolve().parents[2] / "examples" / "learn.py"
    spec = importlib.util.spec_from_file_location("learn", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["learn"] = module
    spec.loader.exec_module(module)
    return module


def test_the_kind_of_every_legal_action_is_observed() -> None:
    table = env.aec("tiny/post")
    table.reset(seed=1)
    seen = table.observe("blue")
    legal = table._table.match.actions("blue").all
    named = [table.kinds[n] for n in seen["action_kinds"][: len(legal)]]
    assert named == [type(action).__name__ for action in legal]
    assert not table.observe("red")["action_kinds"].any(), "who owes no decision may only pass"


def test_rewards_for_pieces_sum_up_to_what_is_left() -> None:
    table = env.aec("pbi/crossroads", material=0.5)
    table.reset(seed=3)
    start = table._table._weigh()
    source = np.random.default_rng(3)
    earned = dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        seen, reward, ended, cut, _ = table.last()
        earned[agent] += reward
        table.step(None if ended or cut else int(source.integers(int(seen["action_mask"].sum()))))
    match, end = table._table.match, table._table._weigh()
    assert match.outcome is not None
    for side, total in earned.items():
        won = 1.0 if match.outcome.winner == side else -1.0
        assert total == pytest.approx(won + 0.5 * (end[side] - start[side]))


def test_the_slope_is_that_of_the_logarithmic_probability(learn: ModuleType) -> None:
    kinds, weights = np.array([0, 1, 1, 2], dtype=np.int16), np.array([0.3, -0.2, 0.8])

    def logarithm(at: np.ndarray, chosen: int) -> float:
        worth = at[kinds]
        return float(worth[chosen] - np.log(np.exp(worth).sum()))

    chosen, slope = learn.choose(kinds, weights, np.random.default_rng(1))
    for n in range(3):
        step = np.zeros(3)
        step[n] = 1e-6
        rise = (logarithm(weights + step, chosen) - logarithm(weights - step, chosen)) / 2e-6
        assert slope[n] == pytest.approx(rise, abs=1e-6)


def test_a_short_training_is_repeatable_and_learns_something(learn: ModuleType) -> None:
    said: list[str] = []
    table = env.aec("tiny/post", material=1.0)
    first, second = (learn.train(table, "red", rounds=3, games=8, seed=2, tell=said.append) for _ in range(2))
    assert (first == second).all()
    assert first.any()
    assert said[0].startswith("round  1: reward")
    assert learn.wins(table, "red", first, 10, 5).n == 10
