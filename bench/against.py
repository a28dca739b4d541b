"""This tree against another one, such as the commit before: random play and a regular's games, in turns in one run.

    git worktree add /tmp/before COMMIT
    python bench/against.py /tmp/before [--rounds 7] [--games 12] [--only S15]

Each tree has one process, and the two take turns game by game: the same seeds, by the same lines below, with this
interpreter. A seed gives the same game in every round, and of each of its steps the quickest round counts, for whatever
else runs on the machine only slows it down. Where rules have changed the games differ: so the steps are also compared
kind by kind, as often as each comes up in the games of the other tree.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RANDOM_PLAY = ("aslsk2/S15", "aslsk2/S9", "aslguide/intro", "underbelly/historical", "pbi/village")
REGULAR = ("aslsk2/S9",)

COMMON = """
import gc, json, random, sys, time
import sandtable
scenario, most = sys.argv[1], int(sys.argv[2])
sandtable.new(scenario, seed=0)
"""

PLAY = (
    COMMON
    + """
def game(seed):
    rnd = random.Random(seed).random
    steps, kinds, listed = [], [], 0
    gc.collect()
    match = sandtable.new(scenario, seed=seed)
    while match.to_act and len(steps) < most:
        side, frame = match.to_act[0], type(match.state.stack[-1]).__name__
        start = time.perf_counter()
        legal = match.actions(side).all
        action = legal[int(rnd() * len(legal))]
        match.apply(side, action)
        steps.append(time.perf_counter() - start)
        kinds.append(frame + type(action).__name__)
        listed += len(legal)
    return {"steps": steps, "kinds": kinds, "listed": listed}
"""
)

GAME = (
    COMMON
    + """
from sandtable.engine import Seat
from sandtable.players import make_player
def game(seed):
    match = sandtable.new(scenario, seed=seed)
    players = {side: make_player(match.header.game, "regular") for side in match.sides}
    source = random.Random(seed)
    steps, kinds, chosen = [], [], []
    gc.collect()
    while match.to_act:
        side, frame = match.to_act[0], type(match.state.stack[-1]).__name__
        match.actions(side).all  # the list is the match's work, not the player's
        start = time.perf_counter()
        action = players[side].choose(Seat(match, side), source)
        steps.append(time.perf_counter() - start)
        kinds.append(frame + type(action).__name__)
        start = time.perf_counter()
        match.apply(side, action)
        steps.append(time.perf_counter() - start)
        kinds.append("apply")
        chosen.append(repr(action))
    return {"steps": steps, "kinds": kinds, "chosen": chosen}
"""
)

SERVE = """
for line in sys.stdin:
    print(json.dumps(game(int(line))), flush=True)
"""


class Worker:
    """The process of a tree, which plays a game when it is told a seed."""

    def __init__(self, tree: Path, code: str, scenario: str, most: int) -> None:
        environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "PYTHONHASHSEED": "0"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", code + SERVE, scenario, str(most)],
            env=environment,
            cwd=tree,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.best: dict[int, dict[str, Any]] = {}
        """Each game with the quickest round of every step."""

    def play(self, seed: int) -> None:
        """Play the game of a seed once more."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{seed}\n")
        process.stdin.flush()
        made = json.loads(process.stdout.readline())
        known = self.best.setdefault(seed, made)
        known["steps"] = [min(pair) for pair in zip(known["steps"], made["steps"], strict=True)]

    def kinds(self) -> dict[str, tuple[int, float]]:
        """How often each kind of step came up, and its seconds."""
        found: dict[str, tuple[int, float]] = {}
        for made in self.best.values():
            for kind, seconds in zip(made["kinds"], made["steps"], strict=True):
                number, spent = found.get(kind, (0, 0.0))
                found[kind] = number + 1, spent + seconds
        return found

    def end(self) -> None:
        """Let the process go."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def compare(name: str, code: str, trees: tuple[Path, Path], games: int, rounds: int, most: int) -> list[Worker]:
    """Play the games of both trees in turns."""
    workers = [Worker(tree, code, name, most) for tree in trees]
    for turn in range(rounds):
        for seed in range(games):
            for worker in workers if (turn + seed) % 2 == 0 else workers[::-1]:
                worker.play(seed)
    for worker in workers:
        worker.end()
    return workers


def line(label: str, before: float, now: float) -> None:
    """Print a figure of both trees."""
    print(f"{label:58} {before:9,.1f} {now:9,.1f}   {now / before:.2f}", flush=True)


def told(label: str, other: dict[str, tuple[int, float]], own: dict[str, tuple[int, float]]) -> None:
    """Steps a second of both trees, and of those kinds that come up in both, as often as in the other."""
    rates = [
        sum(number for number, _ in tree.values()) / sum(spent for _, spent in tree.values()) for tree in (other, own)
    ]
    line(label, *rates)
    common = {kind: other[kind][0] for kind in other if kind in own}
    number = sum(common.values())
    same = [sum(tree[kind][1] / tree[kind][0] * often for kind, often in common.items()) for tree in (other, own)]
    line("  the same kinds of steps, as often as in the other", *[number / spent for spent in same])


def main() -> None:
    """Measure both trees and print a line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path, help="the folder of the other tree")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--games", type=int, default=12, help="games of random play; a sixth of it of regulars")
    parser.add_argument("--actions", type=int, default=1500, help="the most of one game")
    parser.add_argument("--only", default="", help="measure only what has this in its name")
    chosen = parser.parse_args()
    trees = (chosen.other.resolve(), ROOT)
    print(f"{'':58} {'other':>9} {'this':>9}   this/other")
    for name in RANDOM_PLAY:
        if chosen.only not in f"{name}, random":
            continue
        other, own = compare(name, PLAY, trees, chosen.games, chosen.rounds, chosen.actions)
        told(f"{name}: random play, actions a second", other.kinds(), own.kinds())
        lengths = [
            sum(made["listed"] for made in worker.best.values())
            / sum(len(made["steps"]) for made in worker.best.values())
            for worker in (other, own)
        ]
        line("  legal actions in a list", *lengths)
    for name in REGULAR:
        if chosen.only not in f"{name}, regular":
            continue
        other, own = compare(name, GAME, trees, max(1, chosen.games // 6), chosen.rounds, chosen.actions)
        whole = [sum(sum(made["steps"]) for made in worker.best.values()) for worker in (other, own)]
        line(f"{name}: regular, games a minute", *[60 * len(own.best) / spent for spent in whole])
        thought = [{kind: seen for kind, seen in worker.kinds().items() if kind != "apply"} for worker in (other, own)]
        told(f"{name}: regular, decisions a second", *thought)
        for seed in own.best:
            pairs = zip(other.best[seed]["chosen"], own.best[seed]["chosen"], strict=False)
            first = next((n for n, pair in enumerate(pairs) if pair[0] != pair[1]), None)
            print(f"  seed {seed}: {'the same choices' if first is None else f'they differ from the {first + 1}th on'}")


if __name__ == "__main__":
    main()
