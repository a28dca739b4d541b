"""A pytest plugin that notes which lines of the games each test runs.

A line is known by its file, its function and its text, so that notes stay good while lines move.
"""

from __future__ import annotations

import json
import linecache
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

GAMES = os.sep + os.path.join("sandtable", "games") + os.sep
OFTEN = 300  # a function that a test has called so often has shown its lines
LONG = 3.0  # and a test that has run for so many seconds has shown all it will, and is broken off,
GOLDEN, ORACLES = "golden", "oracles"  # unless it plays whole games
WHOLE = 60.0


def plays_whole_games(test: str) -> bool:
    """Whether a test follows games from their beginning."""
    return GOLDEN in test or ORACLES in test


class Enough(BaseException):
    """Breaks off a test."""


class LinesByTest:
    """Notes lines while a test, or the import of its file, runs."""

    def __init__(self, root: Path, keep: dict[str, Path]) -> None:
        self.root = root
        self.keep = keep
        self.file = ""
        self.keys: dict[str, int] = {}
        self.tests: dict[str, dict[str, Any]] = {}
        self.seen: dict[CodeType, set[int]] = {}
        self.calls: dict[CodeType, int] = {}
        self.all = 0
        self.until = 0.0

    def _trace(self, frame: FrameType, event: str, arg: object) -> Any:
        self.all += 1
        if not self.all % 1000 and time.process_time() > self.until:
            sys.settrace(None)
            raise Enough
        code = frame.f_code
        if GAMES not in code.co_filename or not code.co_flags & 1:  # flag 1: a function's body
            return None
        calls = self.calls.get(code, 0)
        if calls > OFTEN:
            return None
        self.calls[code] = calls + 1
        add = self.seen.setdefault(code, set()).add

        def local(frame: FrameType, event: str, arg: object) -> Any:
            if event == "line":
                add(frame.f_lineno)
            return local

        return local

    def _note(self, name: str, seconds: float) -> None:
        found: set[int] = set()
        for code, lines in self.seen.items():
            path = Path(code.co_filename).relative_to(self.root).as_posix()
            function = code.co_qualname.partition(".<locals>")[0]
            for line in lines:
                key = f"{path}\t{function}\t{linecache.getline(code.co_filename, line).strip()}"
                found.add(self.keys.setdefault(key, len(self.keys)))
        self.tests[name] = {"seconds": round(seconds, 3), "lines": sorted(found)}

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        file = item.nodeid.partition("::")[0]
        if file != self.file:
            self._write()
            self.file = file
        self.seen, self.calls = {}, {}
        started = time.process_time()
        long = WHOLE if plays_whole_games(item.nodeid) else LONG
        self.until = started + long
        sys.settrace(self._trace)
        yield
        sys.settrace(None)
        spent = time.process_time() - started
        self._note(item.nodeid, spent if spent < long else 5 * spent)

    def pytest_sessionfinish(self) -> None:
        self._write()

    def _write(self) -> None:
        """Keep the notes on a file of tests that has been run."""
        if self.tests and self.file in self.keep:
            text = json.dumps({"keys": list(self.keys), "tests": self.tests})
            self.keep[self.file].write_text(text, encoding="utf-8")
        self.keys, self.tests = {}, {}


if __name__ == "__main__":
    checkout = Path(__file__).resolve().parent.parent
    wanted = {file: Path(kept) for file, kept in (pair.split("=", 1) for pair in sys.argv[1:])}
    arguments = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *wanted]
    raise SystemExit(pytest.main(arguments, plugins=[LinesByTest(checkout, wanted)]))
