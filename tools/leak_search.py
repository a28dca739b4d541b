"""Searches whole games for leaks by size and by waiting, with hidden things dealt anew at every moment.

python tools/leak_search.py [GAMES_EACH]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from server.leaksearch import search

WHERE = ("aslsk2/S14", "aslsk2/S15", "aslsk2/S16", "underbelly/historical", "underbelly/campaign")


def main(arguments: list[str]) -> int:
    """Run it and print what was found; 1 if something was."""
    games = int(arguments[0]) if arguments else 5
    faults = 0
    for what in WHERE:
        looked, leaks = 0, []
        for seed in range(games):
            moments, found = search(what, seed=seed, moments=1000)
            looked += moments
            leaks += found
        faults += len(leaks)
        sys.stdout.write(json.dumps({"game": what, "moments": looked, "leaks": leaks[:5]}) + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
