"""Trains a player in a few minutes: which kinds of actions are worth choosing, learnt by policy gradient.

    python examples/learn.py pbi/crossroads attacker

The policy is as simple as can be: one number for each kind of action (move, shoot, pass ...). An action is chosen with
a probability that grows with the number of its kind. After every few games the numbers of what was done in games that
went better than usual are raised and those of the others lowered (REINFORCE). The opponent chooses at random. Nothing
is used but the PettingZoo interface, so the same loop works for every game and for larger policies.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandtable import env
from sandtable.sim.statistics import Share, share

Numbers = NDArray[np.float64]
Kinds = NDArray[np.int16]


def say(words: str) -> None:
    """Tell how it goes."""
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


def choose(kinds: Kinds, weights: Numbers, source: np.random.Generator) -> tuple[int, Numbers]:
    """An action by the policy, and how its logarithmic probability changes with the weights."""
    worth = weights[kinds]
    chances = np.exp(worth - worth.max())
    chances /= chances.sum()
    chosen = int(source.choice(len(kinds), p=chances))
    slope = np.zeros_like(weights)
    slope[kinds[chosen]] = 1.0
    np.subtract.at(slope, kinds, chances)
    return chosen, slope


class Played(NamedTuple):
    """A game of the policy against random choice."""

    reward: float
    """Of the whole game: winning, and the pieces that are left."""
    won: bool
    slopes: Numbers
    """How the probability of all its choices changes with the weights."""


def play(table: Any, side: str, weights: Numbers, source: np.random.Generator) -> Played:
    """Play a game."""
    table.reset(seed=int(source.integers(1 << 30)))
    slopes = np.zeros_like(weights)
    reward, won = 0.0, False
    for agent in table.agent_iter():
        seen, earned, ended, cut, _ = table.last()
        if agent == side:
            reward += earned
            won = bool(ended and earned > 0.5)
        if ended or cut:
            table.step(None)
            continue
        legal = int(seen["action_mask"].sum())
        if agent == side:
            action, slope = choose(seen["action_kinds"][:legal], weights, source)
            slopes += slope
        else:
            action = int(source.integers(legal))
        table.step(action)
    return Played(reward, won, slopes)


def wins(table: Any, side: str, weights: Numbers, games: int, seed: int) -> Share:
    """How often the policy wins."""
    source = np.random.default_rng(seed)
    return share(sum(play(table, side, weights, source).won for _ in range(games)), games)


def train(
    table: Any,
    side: str,
    *,
    rounds: int = 20,
    games: int = 16,
    seed: int = 1,
    rate: float = 0.6,
    tell: Callable[[str], object] = say,
) -> Numbers:
    """The weights after so many rounds of so many games each."""
    source = np.random.default_rng(seed)
    weights = np.zeros(len(table.kinds))
    drift = np.zeros_like(weights)
    for number in range(1, rounds + 1):
        played = [play(table, side, weights, source) for _ in range(games)]
        rewards = np.array([game.reward for game in played])
        better = (rewards - rewards.mean()) / (rewards.std() + 0.1)
        slope = np.mean([gain * game.slopes for gain, game in zip(better, played, strict=True)], axis=0)
        drift = 0.7 * drift + 0.3 * slope
        weights = weights + rate * drift / max(float(np.linalg.norm(drift)), 1.0)
        tell(f"round {number:2}: reward {rewards.mean():+.2f}, won {sum(game.won for game in played)} of {games}")
    return weights


def main() -> None:
    """Train and compare with random choice."""
    parser = argparse.ArgumentParser(description="Learn which kinds of actions are worth choosing.")
    parser.add_argument("scenario", nargs="?", default="pbi/crossroads")
    parser.add_argument("side", nargs="?", default="attacker")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--games", type=int, default=16, help="games a round")
    parser.add_argument("--trials", type=int, default=100, help="games to measure with")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    table = env.aec(wanted.scenario, material=1.0)
    if wanted.side not in table.possible_agents:
        parser.error(f"there is no side {wanted.side!r}; the sides are {', '.join(table.possible_agents)}")
    weights = train(table, wanted.side, rounds=wanted.rounds, games=wanted.games, seed=wanted.seed)
    before = wins(table, wanted.side, np.zeros_like(weights), wanted.trials, wanted.seed + 1)
    after = wins(table, wanted.side, weights, wanted.trials, wanted.seed + 1)
    order = np.argsort(weights)
    say("learnt to seek: " + ", ".join(f"{table.kinds[n]} {weights[n]:+.1f}" for n in order[::-1][:5]))
    say("learnt to shun: " + ", ".join(f"{table.kinds[n]} {weights[n]:+.1f}" for n in order[:5]))
    say(f"{wanted.side} wins against random choice: {before} at random, {after} after learning")


if __name__ == "__main__":
    main()
