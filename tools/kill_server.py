"""Kills a server 50 times (or as often as said) while games are played, and checks that nothing acknowledged was lost.

python tools/kill_server.py [KILLS [DATABASE]]; a database of its own is used if none is named.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from server.crashing import crash


def main(arguments: list[str]) -> None:
    """Run it and print what happened."""
    kills = int(arguments[0]) if arguments else 50
    with tempfile.TemporaryDirectory() as folder:
        database = arguments[1] if len(arguments) > 1 else str(Path(folder) / "crash.sqlite")
        found = asyncio.run(crash(database, kills=kills, players=8, seed=1))
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
