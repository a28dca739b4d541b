"""Four servers and two workers on one PostgreSQL behind a balancer that picks at random: killed, measured, compared.

python tools/many_tables.py [fire [KILLS [MATCHES]] | latency | throughput | leaks [STEPS]]; without more, all four.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from server.conftest import Postgres, binaries
from server.howsoon import latency_across, throughput
from server.leaksacross import search_across
from server.underfire import under_fire

HIDING = ("outpost/post", "aslsk2/S14", "aslsk2/S15", "aslsk2/S16", "underbelly/historical", "pbi/crossroads", "sasl/1")
"""Games in which something is hidden from somebody."""


def tell(found: dict[str, Any]) -> None:
    """One line."""
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> int:
    """Run it and print what was found; 1 if something was lost, doubled or stuck."""
    programs = binaries()
    if programs is None:
        sys.stderr.write("PostgreSQL is not installed here.\n")
        return 2
    what = arguments[0] if arguments else "all"
    numbers = [int(text) for text in arguments[1:]]
    postgres = Postgres(programs)
    postgres.start()
    bad = 0
    try:
        if what in ("all", "latency"):
            tell({"latency": asyncio.run(latency_across(postgres.database("latency")))})
        if what in ("all", "throughput"):
            tell({"throughput": asyncio.run(throughput(postgres, "throughput"))})
        if what in ("all", "leaks"):
            for number, game in enumerate(HIDING):
                search = search_across(postgres.database(f"leaks{number}"), game, seed=1, steps=[*numbers, 200][0])
                compared, found_leaks = asyncio.run(search)
                tell({"leaks": {"game": game, "messages": compared, "different": found_leaks[:5]}})
                bad += len(found_leaks)
        if what in ("all", "fire"):
            kills, tables = [*numbers, *(100, 200)[len(numbers) :]]
            restarts = max(1, kills // 20)
            database = postgres.database("fire")
            fire = under_fire(postgres, database, kills=kills, tables=tables, restarts=restarts, tell=tell)
            found = asyncio.run(fire)
            tell({"under_fire": found})
            bad += len(found["faults"]) + found["stuck"]
    finally:
        postgres.stop()
        postgres.remove()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
