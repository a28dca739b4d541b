"""The ledger of rules: exceptions and the tests that show them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from sandtable.commands.rules import _marks, rule_rows
from sandtable.engine import get_game
from sandtable.engine.rule_exceptions import read_exceptions
from sandtable.games.squad.scenario.shipped import sections_of

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
GAMES = ("aslsk2", "aslguide", "sasl", "underbelly", "pbi")


def carried() -> dict[str, set[str]]:
    """For every marked test, as the ledger names it, the rules it carries."""
    found: dict[str, set[str]] = {}
    for path in TESTS.rglob("test_*.py"):
        for name, rules in _marks(path):
            found.setdefault(f"{path.name}::{name}", set()).update(rules)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_exception_belongs_to_a_rule_and_has_a_test_that_carries_it(game: str) -> None:
    marks = carried()
    titles = get_game(game).rule_titles()
    exceptions = get_game(game).rule_exceptions()
    assert exceptions
    for rule, found in exceptions.items():
        assert rule in titles
        # the guide stands on rules of the Starter Kit, and many of its tests carry their numbers
        numbers = {rule, *(sections_of(game).get(rule, ()) if game == "aslguide" else ())}
        for words, tests in found.items():
            assert tests, words
            for test in tests:
                assert marks.get(test, set()) & numbers, f"{rule}: {words}: {test}"


@pytest.mark.parametrize("game", GAMES)
def test_the_rows_tell_the_exceptions(game: str) -> None:
    rows = {row["rule"]: row["exceptions"] for row in rule_rows(get_game(game))}
    shown = {rule: {entry["exception"]: tuple(entry["tests"]) for entry in found} for rule, found in rows.items()}
    assert {rule: found for rule, found in shown.items() if found} == get_game(game).rule_exceptions()


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_has_code_and_tests(game: str) -> None:
    """Also those of a game without a class of its own, whose tests stand in a folder of its name."""
    rows = [row for row in rule_rows(get_game(game)) if row["state"] == "played"]
    assert [row["rule"] for row in rows if not row["tests"]] == []
    assert [row["rule"] for row in rows if not row["code"]] == []


def test_the_command_lists_them() -> None:
    command = [sys.executable, "-m", "sandtable", "rules", "aslsk2", "4.2"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "exception: Not halved in the Advancing Fire Phase" in text
    assert "test_flamethrowers.py::test_the_advancing_fire_phase_does_not_halve_it" in text


def test_a_package_without_exceptions_has_none() -> None:
    assert read_exceptions("sandtable.engine") == {}
    assert read_exceptions("no.such.package") == {}


def test_the_full_rules_of_solitaire_asl_have_code_and_tests() -> None:
    waiting = get_game("sasl").rule_states()
    rows = [row for row in rule_rows(get_game("sasl")) if row["rule"][0] in "AB" and row["rule"] not in waiting]
    assert len(rows) > 90
    assert [row["rule"] for row in rows if not row["tests"] or not row["code"]] == []


def test_tables_missions_and_rules_that_wait_are_listed_with_their_state() -> None:
    found = get_game("sasl").rule_states()
    assert found["Table A1"][:2] == ("ENEMY Activation", "data, read twice; in play")
    assert "waits for vehicles" in found["Table A4c"].state
    assert found["M6"].state == "data, read twice; next step"
    for rule in ("S6.304", "S6.305", "S6.308", "S6.309", "G9."):
        assert found[rule].state.startswith("next step: waits for ")
    assert "M1" not in found  # it is played: its row has code and tests
    assert not set(found) & set(get_game("sasl").rule_titles())
    assert sum(name.startswith("Card ") for name in found) == 13
    assert sum(name.startswith("Events ") for name in found) == 12
    assert sum(name.startswith("Table LC") for name in found) == 14
    assert {"Table A7", "Table 18.1", "Table 17.21", "Table M1-msr2", "Table G9-01", "Tables M19"} <= set(found)


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("S12.31", "weather; until then it changes nothing"),
        ("S12.4", "it saves units for the next mission of a campaign"),
        ("S13.24", "Missions 20 and 21, which alone lay them"),
        ("S13.26", "upper levels of buildings"),
        ("S16.34", "a column on foot breaks up when play begins"),
        ("S16.35", "vehicles"),
        ("S16.36", "spotted fire of mortars"),
    ],
)
def test_why_a_rule_of_solitaire_asl_is_not_played_is_said_in_words_of_the_game(rule: str, why: str) -> None:
    assert why in get_game("sasl").rule_states()[rule].state


def test_a_table_is_listed_with_the_file_of_its_data_and_tests_that_exist() -> None:
    tables = [one for name, one in get_game("sasl").rule_states().items() if " " in name]
    assert len(tables) > 90
    defined = set()
    for path in (ROOT / "tests/games/sasl").glob("test_*.py"):
        defined |= {
            f"{path.name}::{name}" for name in re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)
        }
    for one in tables:
        assert one.tests
        assert set(one.tests) <= defined
        assert all((ROOT / "src/sandtable/games" / path).is_file() for path in one.code)
