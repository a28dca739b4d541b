"""This tree against another one, such as the commit before: random play and a regular's game, in turns in one run.

    git worktree add /tmp/before COMMIT
    python bench/against.py /tmp/before [--rounds 5] [--only S15]

Both trees are measured by the same lines below with this interpreter, each round in processes of their own and in
time of the processor; the best round of each tree counts, for whatever else runs on the machine only slows it down.
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

PLAY = """
import json, random, sys, time
import sandtable
scenario, actions = sys.argv[1], int(sys.argv[2])
sandtable.new(scenario, seed=0)
rnd = random.Random(1).random
done = seed = 0
start = time.process_time()
while done < actions:
    match = sandtable.new(scenario, seed=seed)
    seed += 1
    while match.to_act and done < actions:
        side = match.to_act[0]
        legal = match.actions(side).all
        match.apply(side, legal[int(rnd() * len(legal))])
        done += 1
print(json.dumps({"random play, actions a second": done / (time.process_time() - start)}))
"""

GAME = """
import hashlib, json, random, sys, time
import msgspec
import sandtable
from sandtable.engine import Seat
from sandtable.players import make_player
scenario = sys.argv[1]
sandtable.new(scenario, seed=0)
match = sandtable.new(scenario, seed=1)
players = {side: make_player(match.header.game, "regular") for side in match.sides}
source = random.Random(1)
chosen = []
took = []
start = time.process_time()
while match.to_act:
    side = match.to_act[0]
    before = time.process_time()
    action = players[side].choose(Seat(match, side), source)
    took.append(time.process_time() - before)
    chosen.append(repr(action))
    match.apply(side, action)
whole = time.process_time() - start
print(json.dumps({
    "regular, games a minute": 60 / whole,
    "regular, decisions a second": len(took) / sum(took),
    "choices": chosen,
}))
"""


def run(tree: Path, code: str, *arguments: str) -> dict[str, Any]:
    """One measurement of a tree in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(tree / "src"), "PYTHONHASHSEED": "0"}
    made = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=environment, cwd=tree, check=True, capture_output=True, text=True
    )
    figures: dict[str, Any] = json.loads(made.stdout)
    return figures


def main() -> None:
    """Measure both trees and print a line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path, help="the folder of the other tree")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--actions", type=int, default=12_000)
    parser.add_argument("--only", default="", help="measure only what has this in its name")
    chosen = parser.parse_args()
    tasks = [(name, PLAY, (name, str(chosen.actions))) for name in RANDOM_PLAY]
    tasks += [(f"{name}, regular", GAME, (name,)) for name in REGULAR]
    print(f"{'':58} {'other':>9} {'this':>9}   this/other")
    for name, code, arguments in tasks:
        if chosen.only not in name:
            continue
        best: tuple[dict[str, float], dict[str, float]] = ({}, {})
        choices: list[list[str]] = [[], []]
        for turn in range(chosen.rounds):
            order = (0, 1) if turn % 2 == 0 else (1, 0)
            for which in order:
                figures = run((chosen.other, ROOT)[which], code, *arguments)
                choices[which] = figures.pop("choices", [])
                for figure, value in figures.items():
                    best[which][figure] = max(value, best[which].get(figure, 0.0))
        for figure, before in best[0].items():
            now = best[1][figure]
            label = f"{name.partition(',')[0]}: {figure}"
            print(f"{label:58} {before:9,.1f} {now:9,.1f}   {now / before:.2f}", flush=True)
        if choices[0]:
            same = next((n for n, pair in enumerate(zip(*choices, strict=False)) if pair[0] != pair[1]), None)
            print(f"  choices of the regular: {'the same' if same is None else f'differ from the {same + 1}th on'}")


if __name__ == "__main__":
    main()
