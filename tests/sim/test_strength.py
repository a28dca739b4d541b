"""Measuring strength: both sides of every scenario, tables that can be made again, and pages that keep the rest."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from sandtable.cli import main
from sandtable.sim.crew import Finished, play_one
from sandtable.sim.playing import Plan
from sandtable.sim.statistics import share
from sandtable.sim.strength import Goal, Line, Row, missing, reached, run_all, table, tasks, write_tables


def line(scenario: str, side: str, won: int, n: int = 10) -> Line:
    return Line(scenario, side, share(won, n), 1.0, 2.0, 3.0, 0)


LINES = [line("a/1", "red", 10), line("a/1", "blue", 4), line("a/2", "red", 9), line("a/2", "blue", 9)]


def test_goals_are_averaged_over_what_they_say() -> None:
    assert not reached(Goal(0.7, "side"), LINES)
    assert reached(Goal(0.7, "scenario"), LINES)
    assert not reached(Goal(0.75, "scenario"), LINES)
    assert reached(Goal(0.8, "all"), LINES)


def test_the_table_has_a_line_for_each_scenario() -> None:
    words = table(Row("regular", "recruit"), LINES)
    assert "| a/1 | 10+10 | red 100% (72-100), blue 40% (17-69) | 70% (48-85) | 1.0 / 2.0 ms | 3.0 s |" in words
    assert "All together: 80% (65-90) of 40 games. Wanted over the sides of each scenario: 75%, not reached" in words


def test_tables_are_put_into_a_page_between_their_comments(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- strength a:b -->\nold\n<!-- /strength a:b -->\nafter\n")
    write_tables(page, {"a:b": "new\n"})
    assert page.read_text() == "before\n<!-- strength a:b -->\nnew\n<!-- /strength a:b -->\nafter\n"
    with pytest.raises(Exception, match="has no place for the table: write <!-- strength c:d -->"):
        write_tables(page, {"c:d": "new\n"})


def test_every_scenario_is_played_from_both_sides_and_they_grow_together(tmp_path: Path) -> None:
    work = tasks([Row("veteran", "random")], "tiny", tmp_path, seed=1, think="5r")
    assert [task.plan.players for task in work] == [
        {"red": "veteran@5r", "blue": "random"},
        {"red": "random", "blue": "veteran@5r"},
    ]
    red, blue = "tiny-post-red", "tiny-post-blue"
    assert missing(work, 0) == []
    assert list(tmp_path.iterdir()) == [], "who only looks leaves nothing behind"
    todo = missing(work, 3)
    assert [(results.folder.name, number) for results, number in todo] == [
        (folder, number) for number in range(3) for folder in (red, blue)
    ]
    told: list[str] = []

    def play(games: Iterable[tuple[Plan, int]]) -> Iterator[tuple[int, Finished]]:
        for place, (plan, number) in enumerate(games):
            yield place, play_one(plan, number, keep_record=False)

    assert not run_all(todo, play, in_time=lambda: len(told) < 4, on_game=lambda: told.append("played"))
    assert len(told) == 4
    rest = missing(work, 3)
    assert [(results.folder.name, number) for results, number in rest] == [(red, 2), (blue, 2)]
    assert run_all(rest, play, in_time=lambda: True, on_game=lambda: None)
    assert missing(work, 3) == missing(work, 0) == []


def test_the_command_goes_on_where_it_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    common = ["strength", "tiny", "--rows", "random:random", "--jobs", "1", "--out", str(tmp_path), "--json"]
    assert main([*common, "--games", "2"]) == 0
    (before,) = json.loads(capsys.readouterr().out)["random:random"]
    assert [line["won"]["n"] for line in before["lines"]] == [2, 2]
    assert main([*common, "--games", "0"]) == 0
    assert json.loads(capsys.readouterr().out)["random:random"] == [before]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--rows", "regular"], "written PLAYER:AGAINST"),
        (["--rows", "wizard:random"], "No game here has both wizard and random"),
        (["--games", "-1"], "cannot be less than 0"),
        (["--rows", "veteran:random", "--think", "none"], "'none' is no budget"),
    ],
)
def test_bad_input_gets_a_sentence(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strength", "tiny", *words]) == 2
    assert sentence in capsys.readouterr().err
