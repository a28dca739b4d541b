"""What only works in a checkout of the project: the tiny test game and the benchmarks."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from sandtable.engine.registry import register

CHECKOUT = Path(__file__).resolve().parents[3]


def with_test_games() -> bool:
    """Register the tiny game of the tests, if this is a checkout."""
    tests = CHECKOUT / "tests"
    if not (tests / "tiny").is_dir():
        return False
    if str(tests) not in sys.path:
        sys.path.insert(0, str(tests))
    register(import_module("tiny").OUTPOST)
    return True
