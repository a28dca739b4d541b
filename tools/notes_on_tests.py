"""Notes on the tests of the games: which of them run a line, and how long each takes (see mutate.py)."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from lines_by_test import GOLDEN, ORACLES

ROOT = Path(__file__).resolve().parent.parent
TESTS = Path("tests/games")
PLAYERS = "players"
FOLDERS = (TESTS, Path("tests") / ORACLES, Path("tests") / PLAYERS)
KEEP = ROOT / ".pytest_cache" / "mutate"
# Tests that play whole games and look for breakdowns: long, and they would not notice a rule that is merely wrong.
NOT_TRIED = {"test_random_play", "test_recruit", "test_regular", "test_odds_simulated", "test_rule_index"}


class Notes(NamedTuple):
    """Which tests run a line, a function, a line of a function in whatever file; and how long each test took."""

    by_line: dict[str, set[str]]
    by_function: dict[str, set[str]]
    by_text: dict[str, set[str]]
    seconds: dict[str, float]
    mark: str = ""  # changes with the tests


def noted(folders: set[str]) -> Notes:
    """Reads the notes on the tests in these folders, after noting anew what has changed."""
    KEEP.mkdir(parents=True, exist_ok=True)
    by_line: dict[str, set[str]] = defaultdict(set)
    by_function: dict[str, set[str]] = defaultdict(set)
    by_text: dict[str, set[str]] = defaultdict(set)
    seconds: dict[str, float] = {}
    files = _fresh_notes(folders)
    for kept in files:
        data = json.loads(kept.read_text(encoding="utf-8"))
        for test, note in data["tests"].items():
            seconds[test] = note["seconds"]
            for index in note["lines"]:
                key = data["keys"][index]
                by_line[key].add(test)
                by_function[key.rpartition("\t")[0]].add(test)
                by_text[key.partition("\t")[2]].add(test)
    mark = hashlib.sha256("".join(kept.name for kept in files).encode()).hexdigest()[:16]
    return Notes(by_line, by_function, by_text, seconds, mark)


def _fresh_notes(folders: set[str]) -> list[Path]:
    """One file of notes for each file of tests, named after its content."""
    found: dict[str, Path] = {}
    for path in sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("test_*.py")):
        if path.stem in NOT_TRIED or not folders & tested_by(path.relative_to(ROOT).as_posix()):
            continue
        name = path.relative_to(ROOT / "tests").as_posix().removeprefix("games/").replace("/", ".")
        kept = KEEP / f"{name}.{_content(path)}.json"
        found[path.relative_to(ROOT).as_posix()] = kept
        for old in KEEP.glob(f"{name}.*.json"):
            if old != kept:
                old.unlink()
    stale = [f"{path}={kept}" for path, kept in found.items() if not kept.exists()]
    if stale:
        print(f"Noting which lines the tests of {len(stale)} files run.", flush=True)  # noqa: T201
        command = [sys.executable, "tools/lines_by_test.py", *stale]
        subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return [kept for kept in found.values() if kept.exists()]


def _content(path: Path) -> str:
    """A name for what a file of tests holds, golden games included."""
    games = sorted((path.parent / GOLDEN).glob("*")) if GOLDEN in path.stem else []
    return hashlib.sha256(b"".join(each.read_bytes() for each in [path, *games])).hexdigest()[:16]


def tested_by(test: str) -> set[str]:
    """Whose rules a test tries: all squad-level games share theirs; oracles and players ask them from outside."""
    _, folder, *rest = test.split("/")
    name = rest[0]
    if folder == PLAYERS:
        name = name.split("_")[1]  # test_GAME_...
    if folder == ORACLES or name == "squad":
        return {"squad", "aslsk2", "aslguide"}
    return {name, "squad", "asl"} if name in ("aslsk2", "aslguide", "asl", "sasl") else {name}
