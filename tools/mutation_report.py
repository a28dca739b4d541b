"""The report of mutation testing: survivors with their diffs, and the share killed by game."""

from __future__ import annotations

import difflib
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

from mutants import Mutant

ROOT = Path(__file__).resolve().parent.parent
GAMES = Path("src/sandtable/games")


class Verdict(NamedTuple):
    """What became of a mutant: killed, timeout, survived or untested."""

    mutant: Mutant
    outcome: str
    tests: int
    seconds: float


def diff(mutant: Mutant) -> str:
    """The change as a diff."""
    before = (ROOT / mutant.path).read_text(encoding="utf-8")
    lines = difflib.unified_diff(before.splitlines(), mutant.source.splitlines(), lineterm="", n=1)
    return "\n".join(list(lines)[2:])


def family(path: Path) -> str:
    """The game, or the shared rules of the squad-level games."""
    return path.relative_to(GAMES).parts[0] if path.is_relative_to(GAMES) else path.parent.name


def report(done: list[Verdict], heading: str) -> str:
    """Survivors with their diffs, then the share killed by game."""
    lines = [heading, ""]
    for verdict in done:
        if verdict.outcome in ("survived", "untested"):
            mutant = verdict.mutant
            place = f"{mutant.path.as_posix()}:{mutant.line} {mutant.function}"
            lines += [f"{verdict.outcome}: {place} ({verdict.tests} tests)", f"id: {mutant.id}", diff(mutant), ""]
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for verdict in done:
        for name in (family(verdict.mutant.path), "all"):
            counts[name][verdict.outcome] += 1
    for name in sorted(counts, key=lambda name: (name == "all", name)):
        count = counts[name]
        total = count.total()
        killed = count["killed"] + count["timeout"]
        lines.append(
            f"{name:12} {killed:4} of {total:4} killed ({100 * killed / total:.1f} %), {count['survived']} survived,"
            f" {count['untested']} untested, {count['timeout']} of the killed by running on"
        )
    return "\n".join(lines)
