"""Mutation testing: the mutants of a small module, and a test that notices one."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from mutants import NOT_RULES, Mutant, mutants, rule_modules  # noqa: E402
from mutate import Kept, Verdict, chosen_tests, drawn, report, try_mutant  # noqa: E402
from notes_on_tests import Notes  # noqa: E402

RULE = '''"""A rule."""

LIMIT = 4


def fires(range_: int, pinned: bool) -> bool:
    """Whether it reaches."""
    if range_ > LIMIT and not pinned:
        return False
    return True
'''


@pytest.fixture
def found(tmp_path: Path) -> list[Mutant]:
    path = tmp_path / "rule.py"
    path.write_text(RULE, encoding="utf-8")
    return mutants(path, Path("src/sandtable/games/tiny/rule.py"))


def test_each_condition_number_and_constant_is_changed_once(found: list[Mutant]) -> None:
    changes = {(mutant.line, mutant.before, mutant.after) for mutant in found}
    assert changes == {
        (3, "4", "5"),
        (3, "4", "3"),
        (8, "range_ > LIMIT and (not pinned)", "False"),
        (8, "range_ > LIMIT and (not pinned)", "True"),
        (8, "range_ > LIMIT and (not pinned)", "range_ > LIMIT or not pinned"),
        (8, "range_ > LIMIT and (not pinned)", "range_ > LIMIT"),
        (8, "range_ > LIMIT and (not pinned)", "not pinned"),
        (8, "range_ > LIMIT", "range_ >= LIMIT"),
        (8, "not pinned", "pinned"),
        (9, "False", "True"),
        (10, "True", "False"),
    }
    for mutant in found:
        compile(mutant.source, "rule.py", "exec")
        assert mutant.source != RULE


def test_a_mutant_is_known_by_its_function_and_line_not_by_its_number(found: list[Mutant], tmp_path: Path) -> None:
    moved = tmp_path / "moved.py"
    moved.write_text(RULE.replace("LIMIT = 4", "LIMIT = 4\nOTHER = None"), encoding="utf-8")
    again = mutants(moved, found[0].path)
    assert [mutant.id for mutant in again] == [mutant.id for mutant in found]


def test_only_the_tests_that_run_the_line_are_tried_and_the_quickest_first(found: list[Mutant]) -> None:
    path = found[0].path.as_posix()
    line = f"{path}\tfires\tif range_ > LIMIT and not pinned:"
    last = f"{path}\tfires\treturn True"
    by_line = {line: {"slow", "quick"}, last: {"quick"}}
    notes = Notes(
        by_line=by_line,
        by_function={f"{path}\tfires": {"slow"}},
        by_text={key.partition("\t")[2]: tests for key, tests in by_line.items()},
        seconds={"slow": 3.0, "quick": 0.1},
    )
    chosen = {mutant.line: chosen_tests(mutant, notes) for mutant in found}
    assert chosen[8] == ["quick", "slow"]
    assert chosen[10] == ["quick", "slow"], "one test is few: those of the function follow"
    assert chosen[9] == ["slow"], "a line that is not noted: all tests of its function"
    assert chosen[3] == ["quick", "slow"], "a name of the module: all tests that mention it"


def test_a_mutant_without_a_test_is_a_survivor_of_the_report(found: list[Mutant]) -> None:
    assert try_mutant(found[0], [], 1.0)[0] == "untested"
    target = ROOT / "src" / "sandtable" / "games" / "squad" / "ground" / "sight.py"
    mutant = mutants(target, target.relative_to(ROOT))[0]
    text = report([Verdict(mutant, "untested", 0, 0.0), Verdict(mutant, "killed", 3, 0.5)], "Two")
    assert "1 of    2 killed (50.0%), 0 survived, 1 untested" in text
    assert f"-{mutant.text}" in text.replace("    ", "")


def test_a_verdict_is_kept_and_a_survivor_tried_again_when_the_tests_have_changed(
    found: list[Mutant], tmp_path: Path
) -> None:
    file = tmp_path / "verdicts.jsonl"
    first, second, third = found[:3]
    kept = Kept(file, "tests of today")
    kept.keep(Verdict(first, "killed", 3, 0.5))
    kept.keep(Verdict(second, "survived", 9, 2.0))
    same = Kept(file, "tests of today")
    assert same.verdict(first) == Verdict(first, "killed", 3, 0.5)
    assert same.verdict(second) == Verdict(second, "survived", 9, 2.0)
    assert same.verdict(third) is None
    later = Kept(file, "one test more")
    assert later.verdict(first) is not None
    assert later.verdict(second) is None
    assert later.verdict(first._replace(module=first.module + "OTHER = 1\n")) is None, "the module has changed"


def test_rule_modules_leave_out_what_draws_and_words() -> None:
    before = os.getcwd()
    os.chdir(ROOT)
    try:
        names = {path.stem for path in rule_modules(Path("src/sandtable/games"))}
    finally:
        os.chdir(before)
    assert {"eligibility", "routing", "reach", "assault"} <= names
    assert not names & NOT_RULES
    assert not any(name.endswith("_words") for name in names)


def test_a_mutant_more_or_less_changes_one_place_of_the_sample(found: list[Mutant]) -> None:
    sample = drawn(found, 5, seed=3)
    assert sample == drawn(list(reversed(found)), 5, seed=3)
    assert sample != drawn(found, 5, seed=4)
    without = drawn([each for each in found if each != sample[2]], 5, seed=3)
    assert without[:4] == [*sample[:2], *sample[3:]]
    assert drawn(found, 99, seed=3)[:5] == sample


def test_a_function_that_has_moved_to_another_file_keeps_its_tests(found: list[Mutant]) -> None:
    notes = Notes({}, {}, {"fires\treturn True": {"slow", "quick"}}, {"slow": 3.0, "quick": 0.1})
    assert chosen_tests(next(mutant for mutant in found if mutant.line == 10), notes) == ["quick", "slow"]
