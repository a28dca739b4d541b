"""Mutation testing of the rules: changes a rule in a small way and sees whether a test notices.

A sample of mutants is drawn with a seed from the rule modules of the games. Each is tried in a process of its own
by the tests that run the changed line, those of its folder first, until one fails. No file is changed. The process is
forked with everything imported, and the changed function put in place of the old one. A mutant that stands outside of
functions is tried in a process that imports the games with the change from the start, and so is a survivor, by its
quickest tests: it may count only while the games are imported.
Which test runs which line is noted once in .pytest_cache/mutate; a test file that has changed since is noted anew.
Verdicts are kept there too, so that a sample can be gone on with, or its survivors tried again after new tests.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import gc
import hashlib
import importlib.machinery
import json
import os
import resource
import signal
import subprocess
import sys
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import _lru_cache_wrapper, cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from lines_by_test import plays_whole_games
from mutants import Mutant, mutants, rule_modules
from notes_on_tests import KEEP, ROOT, TESTS, Notes, noted, tested_by

GAMES = Path("src/sandtable/games")
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.toml")
MEMORY = 4 << 30
FIRST, SECOND = 4, 30  # most mutants die in the first few tests: only their files are read then
FEW = 30  # where fewer tests were seen to run a line, those that run its function follow: it may be new since then
AFRESH = 8  # and a survivor that counts only while the games are imported shows in any test
# Seconds of tests for one mutant, as noted (four times as long as without noting), and of tests that play whole games;
# the slowest beyond are left out.
BUDGET = {False: 20.0, True: 80.0}
STORES = {"_SETTINGS", "_READ", "_KNOWN", "_shown", "_fields", "_floods"}  # dicts of modules that are like caches
PLAYED = 40  # tests that play whole games, before any mutant is tried
IMPORTS = 60.0  # seconds that the import of all games and tests may take


class Verdict(NamedTuple):
    """What became of a mutant: killed, timeout, survived or untested."""

    mutant: Mutant
    outcome: str
    tests: int
    seconds: float


def chosen_tests(mutant: Mutant, notes: Notes) -> list[str]:
    """The tests that run the changed line: those of its folder first, and the quickest of them; then its function's.

    What no test was seen to run may run while the games are imported: then any test of its games may notice.
    """
    path = mutant.path.as_posix()
    found = _running(mutant, notes)
    if not mutant.function:
        found = {test for key in notes.by_line if _names(key, mutant.names) for test in notes.by_line[key]}
        found = found or {test for key in notes.by_line if key.startswith(path) for test in notes.by_line[key]}
    found = found or {test for test in notes.seconds if family(mutant.path) in tested_by(test)}
    chosen: list[str] = []
    spent = {False: 0.0, True: 0.0}
    near = f"{(TESTS / mutant.path.parent.relative_to(GAMES)).as_posix()}/"
    line = _running_line(mutant, notes)
    for test in sorted(found, key=lambda one: (one not in line, not one.startswith(near), notes.seconds[one], one)):
        whole = plays_whole_games(test)
        spent[whole] += notes.seconds[test]
        if spent[whole] <= BUDGET[whole] or not chosen:
            chosen.append(test)
    return chosen


def _running(mutant: Mutant, notes: Notes) -> set[str]:
    """The tests that were seen to run the changed line; where they are few, those that ran its function too."""
    line = _running_line(mutant, notes)
    if len(line) >= FEW:
        return line
    return line | notes.by_function.get(f"{mutant.path.as_posix()}\t{mutant.function}", set())


def _running_line(mutant: Mutant, notes: Notes) -> set[str]:
    """The tests that were seen to run the changed line, in whatever file its function stood then."""
    texts = (mutant.text, mutant.statement) if mutant.function else ()
    return next((found for text in texts if (found := notes.by_text.get(f"{mutant.function}\t{text}"))), set())


def _names(key: str, names: tuple[str, ...]) -> bool:
    """Whether a noted line mentions one of these names, or belongs to a function of that name."""
    _, function, text = key.split("\t", 2)
    return any(name in text or name == function for name in names)


def try_mutant(mutant: Mutant, tests: list[str], allowed: float, *, seen: bool = True) -> tuple[str, float]:
    """Runs the tests against the mutant in processes of their own; no test, no hope.

    `seen`: tests were seen to run the changed function, so that it can be changed after the import.
    """
    started = time.monotonic()
    if not tests:
        return "untested", 0.0
    outcome = "survived"
    if mutant.function and seen:
        outcome = _forked(lambda: _in_child(mutant, tests, allowed), allowed)
    if outcome == "survived":
        outcome = _afresh(mutant, tests[:AFRESH] if mutant.function and seen else tests, allowed)
    return outcome, time.monotonic() - started


def _forked(work: Callable[[], int], allowed: float) -> str:
    """What became of work in a child process within its time of a processor, or ten times that by the clock."""
    until = time.monotonic() + 10 * allowed
    child = os.fork()
    if child == 0:
        os._exit(work())
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return _outcome(os.waitstatus_to_exitcode(status))
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "timeout"


def _outcome(code: int) -> str:
    """What the exit code of the tests says."""
    if code == -signal.SIGXCPU:
        return "timeout"
    return "killed" if code else "survived"


def _in_child(mutant: Mutant, tests: list[str], allowed: float) -> int:
    """Puts the changed function in place of the old one and runs the tests until one fails."""
    _quiet(allowed)
    _forget()
    if not put_in_place(mutant):
        return 0  # to be tried afresh
    return _run(tests)


def _forget() -> None:
    """What functions have remembered may have come about without the change."""
    for each in _remembering():
        each.cache_clear()
    for store in _stores():
        store.clear()


@cache
def _remembering() -> list[Any]:
    """All functions of the games that remember their results; asked before the memory is frozen."""
    return [
        each
        for each in gc.get_objects()
        if type(each) is _lru_cache_wrapper and each.__module__.startswith("sandtable.games")
    ]


def _stores() -> list[dict[Any, Any]]:
    """Where modules of the games keep what they have worked out."""
    modules = [module for name, module in sys.modules.items() if name.startswith("sandtable.games")]
    return [each for module in modules for name, each in vars(module).items() if name in STORES]


def _quiet(allowed: float) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (int(allowed), int(allowed) + 5))
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)


def _run(tests: list[str]) -> int:
    import pytest

    try:
        for part in (tests[:FIRST], tests[FIRST:SECOND], tests[SECOND:]):
            if part and (code := pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *part])):
                return int(code)
    except BaseException:
        return 70
    return 0


def put_in_place(mutant: Mutant) -> bool:
    """Gives the imported function, or all that share its code, the code of the mutant."""
    changed = str(ROOT / mutant.path)
    found = _code_of(compile(mutant.source, changed, "exec", dont_inherit=True), mutant.function)
    if found is None:
        return False
    placed = False
    for each in _functions().get(changed, ()):
        if each.__code__.co_qualname == mutant.function and each.__code__.co_freevars == found.co_freevars:
            each.__code__ = found
            placed = True
    return placed


@cache
def _functions() -> dict[str, list[FunctionType]]:
    """All functions of the games that are imported, by file."""
    found: dict[str, list[FunctionType]] = defaultdict(list)
    for each in gc.get_objects():
        if type(each) is FunctionType and str(GAMES) in each.__code__.co_filename:
            found[each.__code__.co_filename].append(each)
    return found


def _code_of(code: CodeType, name: str) -> CodeType | None:
    """The code of a function by its qualified name."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            if each.co_qualname == name:
                return each
            if name.startswith(f"{each.co_qualname}.") and (inner := _code_of(each, name)) is not None:
                return inner
    return None


def _afresh(mutant: Mutant, tests: list[str], allowed: float) -> str:
    """Tries a mutant in a new process that imports the games with the change."""
    command = [sys.executable, __file__, "--nice", "0", "--only", mutant.id, mutant.path.as_posix()]
    allowed += IMPORTS
    environment = {**os.environ, "MUTANT_COLUMN": str(mutant.column), "MUTANT_SECONDS": str(allowed)}
    try:
        done = subprocess.run(
            command, input="\n".join(tests), text=True, timeout=10 * allowed, env=environment, stdout=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        return "timeout"
    return _outcome(done.returncode)


def _only(mutant: Mutant, tests: list[str]) -> int:
    """Loads the mutant in place of its module and runs the tests until one fails."""
    _quiet(float(os.environ["MUTANT_SECONDS"]))
    changed = str(ROOT / mutant.path)
    load = importlib.machinery.SourceFileLoader.get_code

    def get_code(self: importlib.machinery.SourceFileLoader, name: str) -> CodeType | None:
        if self.path == changed:
            return compile(mutant.source, changed, "exec", dont_inherit=True)
        return load(self, name)

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign]
    sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]
    return _run(tests)


def verdicts(sample: list[Mutant], notes: Notes) -> Iterator[Verdict]:
    """Tries one mutant after the other."""
    for mutant in sample:
        tests = chosen_tests(mutant, notes)
        allowed = 10 + 1.5 * sum(notes.seconds[test] for test in tests)
        outcome, seconds = try_mutant(mutant, tests, allowed, seen=bool(_running(mutant, notes)))
        yield Verdict(mutant, outcome, len(tests), seconds)


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
            f"{name:12} {killed:4} of {total:4} killed ({100 * killed / total:.1f}%), {count['survived']} survived,"
            f" {count['untested']} untested, {count['timeout']} of the killed by running on"
        )
    return "\n".join(lines)


def main() -> int:
    """Draws the sample, tries it, and reports."""
    arguments = _arguments()
    os.chdir(ROOT)
    # what mutants leave behind stays apart from what the tests keep
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(KEEP / "hypothesis")
    os.environ["SANDTABLE_CACHE"] = str(KEEP / "cache")
    os.nice(arguments.nice)
    if arguments.only:
        column = int(os.environ["MUTANT_COLUMN"])
        candidates = [each for each in mutants(ROOT / arguments.path, arguments.path) if each.id == arguments.only]
        mutant = next((each for each in candidates if each.column == column), candidates[0])
        return _only(mutant, sys.stdin.read().split("\n"))
    allowed = _equivalent()
    found = [each for path in rule_modules(arguments.path) for each in mutants(ROOT / path, path)]
    found = [each for each in found if each.id not in allowed]
    sample = drawn(found, arguments.number, arguments.seed)
    notes = noted({family(each.path) for each in sample})
    heading = f"{len(sample)} of {len(found)} mutants of {arguments.path}, seed {arguments.seed}"
    print(heading, flush=True)  # noqa: T201
    done = _all_verdicts(sample, notes, arguments.jobs)
    text = report(done, heading)
    (KEEP / "report.txt").write_text(text + "\n", encoding="utf-8")
    print(text)  # noqa: T201
    killed = sum(verdict.outcome in ("killed", "timeout") for verdict in done)
    return 0 if 100 * killed >= arguments.least * len(done) else 1


def drawn(found: list[Mutant], number: int, seed: int) -> list[Mutant]:
    """A sample by lot; one mutant more or less in the rules changes one place of it, not the whole draw."""
    like: Counter[str] = Counter()
    lots: list[tuple[bytes, Mutant]] = []
    for each in found:
        like[each.id] += 1  # the same change of equal lines of a function
        lots.append((hashlib.sha256(f"{seed} {each.id} {like[each.id]}".encode()).digest(), each))
    return [each for _, each in sorted(lots, key=lambda lot: lot[0])[:number]]


class Kept:
    """Verdicts of earlier runs: a killed mutant stays killed, a survivor is tried again once the tests have changed."""

    def __init__(self, file: Path, mark: str) -> None:
        self.file = file
        self.mark = mark
        self.known: dict[str, dict[str, Any]] = {}
        if file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                entry = json.loads(line)
                self.known[entry["mutant"]] = entry

    def verdict(self, mutant: Mutant) -> Verdict | None:
        """What became of this very mutant, if that still stands."""
        entry = self.known.get(_digest(mutant))
        if entry is None or (entry["outcome"] not in ("killed", "timeout") and entry["mark"] != self.mark):
            return None
        return Verdict(mutant, entry["outcome"], entry["tests"], entry["seconds"])

    def keep(self, verdict: Verdict) -> None:
        """Write a verdict down."""
        entry = {**verdict._asdict(), "mutant": _digest(verdict.mutant), "mark": self.mark}
        self.known[entry["mutant"]] = entry
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")


def _digest(mutant: Mutant) -> str:
    return hashlib.sha256(f"{mutant.path.as_posix()}\n{mutant.source}".encode()).hexdigest()[:32]


def _all_verdicts(sample: list[Mutant], notes: Notes, jobs: int) -> list[Verdict]:
    """What is known already, and the rest tried."""
    kept = Kept(KEEP / "verdicts.jsonl", notes.mark)
    known = [kept.verdict(mutant) for mutant in sample]
    rest = [mutant for mutant, verdict in zip(sample, known, strict=True) if verdict is None]
    if len(rest) < len(sample):
        print(f"{len(sample) - len(rest)} verdicts are known from before.", flush=True)  # noqa: T201
    if rest:
        _warm_up({test for each in rest for test in chosen_tests(each, notes)}, notes)
    tried = iter(_try_all(rest, notes, jobs, kept))
    return [verdict or next(tried) for verdict in known]


def _try_all(sample: list[Mutant], notes: Notes, jobs: int, kept: Kept) -> list[Verdict]:
    """Tries the sample in so many processes, each with its share of it."""
    pipes: list[tuple[int, Any]] = []
    for job in range(jobs):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            with os.fdopen(writing, "w", encoding="utf-8") as out:
                for index, verdict in zip(
                    range(job, len(sample), jobs), verdicts(sample[job::jobs], notes), strict=True
                ):
                    kept.keep(verdict)
                    print(index, verdict.outcome, verdict.tests, f"{verdict.seconds:.1f}", file=out, flush=True)
            os._exit(0)
        os.close(writing)
        pipes.append((child, os.fdopen(reading, encoding="utf-8")))
    done: dict[int, Verdict] = {}
    for child, pipe in pipes:
        for line in pipe:
            index, outcome, tests, seconds = line.split()
            done[int(index)] = Verdict(sample[int(index)], outcome, int(tests), float(seconds))
            if outcome in ("survived", "untested"):
                mutant = sample[int(index)]
                print(f"{outcome} {len(done)}/{len(sample)} {mutant.line} {mutant.id}", flush=True)  # noqa: T201
        os.waitpid(child, 0)
    return [done[index] for index in sorted(done)]


def _warm_up(tests: set[str], notes: Notes) -> None:
    """Imports the games and the tests before any mutant is tried, and plays a little, so that maps have their lines."""
    import pytest

    sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]
    arguments = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    whole = sorted([test for test in tests if plays_whole_games(test)], key=lambda test: notes.seconds[test])
    with open(os.devnull, "w") as silence, contextlib.redirect_stdout(silence):
        pytest.main([*arguments, "--collect-only", *sorted({test.partition("::")[0] for test in tests})])
        if whole:
            pytest.main([*arguments, *whole[:PLAYED]])
    gc.collect()
    _functions()
    _remembering()
    gc.freeze()  # so that children share the memory


def _equivalent() -> set[str]:
    """Mutants that change nothing that can be seen, each with its reason."""
    if not EQUIVALENT.exists():
        return set()
    with EQUIVALENT.open("rb") as file:
        return {entry["mutant"] for entry in tomllib.load(file).get("equivalent", [])}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", nargs="?", type=Path, default=GAMES, help="a module or folder of the games")
    parser.add_argument("--only", default="", help="the one mutant of this name; its tests come by standard input")
    parser.add_argument("--number", type=int, default=400, help="how many mutants (400)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample (1)")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time (1)")
    parser.add_argument("--least", type=float, default=90.0, help="fails if a smaller share is killed, in percent (90)")
    parser.add_argument("--nice", type=int, default=10, help="how far to step back behind other work (10)")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
