"""Searches whole games for leaks: in what is told, what can be asked and what is waited for, with hidden things dealt
anew at every moment; by words, in the missions of Solitaire ASL; and at every door of a server, in pairs of matches
that differ only in what is hidden.

python tools/leak_search.py [GAMES_EACH [MISSION_GAMES [PAIRS_EACH [FIRST_MISSION_GAME]]]]
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import msgspec

from server.leakdoors import search_doors
from server.leaksearch import search
from server.leakwords import search_words

WHERE = ("aslsk2/S14", "aslsk2/S15", "aslsk2/S16", "underbelly/historical", "underbelly/campaign")
MISSIONS = ("1", "2", "3", "4", "5", "8", "19")
LONGEST = 4000
"""Steps after which a mission is broken off; hardly one is so long."""
PAIRS = 5
"""Pairs of matches from one game."""


def main(arguments: list[str]) -> int:
    """Run it and print what was found; 1 if something was."""
    numbers = [int(number) for number in [*arguments, *("5", "7", "20", "0")[len(arguments) :]]]
    games, missions, pairs, first = numbers
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
    for seed in range(first, first + missions):
        what = f"sasl/{MISSIONS[seed % len(MISSIONS)]}"
        searched = search_words(what, seed=seed, steps=LONGEST, level=("", "recruit")[seed % 2])
        faults += len(searched.leaks)
        told = msgspec.structs.asdict(searched) | {"leaks": searched.leaks[:5]}
        sys.stdout.write(json.dumps({"game": what, "seed": seed, **told}) + "\n")
        sys.stdout.flush()
    logging.getLogger("sandtable.server").setLevel(logging.ERROR)  # that it is slow beside other work says nothing
    for seed in range(0, pairs, PAIRS):
        for what in WHERE:
            with tempfile.TemporaryDirectory() as place:
                looked, leaks = asyncio.run(search_doors(what, Path(place), seed=seed, pairs=min(PAIRS, pairs - seed)))
            faults += len(leaks)
            sys.stdout.write(json.dumps({"doors": what, "seed": seed, "steps": looked, "leaks": leaks[:5]}) + "\n")
            sys.stdout.flush()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
