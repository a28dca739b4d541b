"""Searches whole games for leaks: in what is told, what can be asked and what is waited for, with hidden things dealt
anew at every moment; by words, in the missions of Solitaire ASL.

python tools/leak_search.py [GAMES_EACH [MISSION_GAMES]]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from server.leaksearch import search
from server.leakwords import search_words

WHERE = ("aslsk2/S14", "aslsk2/S15", "aslsk2/S16", "underbelly/historical", "underbelly/campaign")
MISSIONS = ("1", "2", "3", "4", "5", "8", "19")
LONGEST = 600
"""Steps of a mission after which the next one is begun."""


def main(arguments: list[str]) -> int:
    """Run it and print what was found; 1 if something was."""
    games, missions = [int(number) for number in [*arguments, *("5", "7")[len(arguments) :]]]
    faults = 0
    for what in WHERE:
        looked, leaks = 0, []
        for seed in range(games):
            moments, found = search(what, seed=seed, moments=1000)
            looked += moments
            leaks += found
        faults += len(leaks)
        sys.stdout.write(json.dumps({"game": what, "moments": looked, "leaks": leaks[:5]}) + "\n")
        sys.stdout.flush()
    for seed in range(missions):
        what = f"sasl/{MISSIONS[seed % len(MISSIONS)]}"
        looked, leaks = search_words(what, seed=seed, steps=LONGEST, level=("", "recruit")[seed % 2])
        faults += len(leaks)
        sys.stdout.write(json.dumps({"game": what, "seed": seed, "secrets": looked, "leaks": leaks[:5]}) + "\n")
        sys.stdout.flush()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
