"""Sends 100,000 strange messages and request bodies (or as many as said) to a server, and counts what came of it.

python tools/fuzz_server.py [COUNT [SEED]]
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from server.fuzzing import fuzz


def main(arguments: list[str]) -> int:
    """Run it and print what happened; 1 if anything was accepted or ended in a traceback."""
    count = int(arguments[0]) if arguments else 100_000
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(fuzz(Path(folder), count, seed))
    short = {**found, "accepted": found["accepted"][:5], "tracebacks": found["tracebacks"][:3]}
    short["faults"] = len(found["accepted"]) + len(found["tracebacks"])
    sys.stdout.write(json.dumps(short, indent=1) + "\n")
    return 1 if short["faults"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
