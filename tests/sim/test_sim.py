"""Simulation: the same results however they are made, nothing lost, bad players survived."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from sandtable.cli import main
from sandtable.engine import Action, Seat
from sandtable.players import register_player
from sandtable.sim.batch import BadPlan, make_plan, run
from sandtable.sim.playing import Plan, Result, play_game
from sandtable.sim.results import BadResults, Results
from sandtable.sim.statistics import paired_difference, share

PLAN = Plan("tiny/post", {"red": "random", "blue": "random"})


def timeless(results: Results) -> list[Result]:
    return [replace(game, seconds=0.0, thinking={}) for game in results.games()]


def test_the_number_of_jobs_does_not_matter(tmp_path: Path) -> None:
    from sandtable.commands.developer import with_test_games

    one, two = (Results.create(tmp_path / name, PLAN) for name in ("one", "two"))
    run(one, 12, jobs=1)
    run(two, 12, jobs=2, register=with_test_games)
    assert timeless(one) == timeless(two)
    assert [game.number for game in one.games()] == list(range(12))


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    whole = Results.create(tmp_path / "whole", PLAN)
    run(whole, 8)
    begun = Results.create(tmp_path / "begun", PLAN)
    run(begun, 3)
    with (tmp_path / "begun" / "games.jsonl").open("ab") as file:
        file.write(b'{"number":3,"se')  # cut off in the middle of a line
    again = Results.create(tmp_path / "begun", PLAN)
    assert run(again, 8) == 5
    assert timeless(again) == timeless(whole)


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    run(Results.create(tmp_path / "a", PLAN), 1)
    with pytest.raises(BadResults, match="another plan"):
        Results.create(tmp_path / "a", replace(PLAN, seed=99))
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "novel.txt").write_text("Once upon a time")
    with pytest.raises(BadResults, match="not empty"):
        Results.create(tmp_path / "b", PLAN)
    with pytest.raises(BadResults, match="holds no results"):
        Results.open(tmp_path / "c")
    manifest = json.loads((tmp_path / "a" / "sim.json").read_text())
    (tmp_path / "a" / "sim.json").write_text(json.dumps(manifest | {"version": "0.0.1"}))
    with pytest.raises(BadResults, match=r"made by version 0\.0\.1"):
        Results.create(tmp_path / "a", PLAN)
    (tmp_path / "a" / "sim.json").write_text(json.dumps(manifest | {"sandtable_results": 99}))
    with pytest.raises(BadResults, match="update Sandtable"):
        Results.open(tmp_path / "a")


@pytest.mark.parametrize(
    ("players", "words"),
    [
        ("random", "name a player for each"),
        ("random,genius", "no computer player 'genius'"),
        ("red=random", "for blue"),
    ],
)
def test_bad_plans_get_a_sentence(players: str, words: str) -> None:
    with pytest.raises(BadPlan, match=words):
        make_plan("tiny/post", players)


class Cheat:
    """Returns an action that is not legal."""

    explanation = ""

    def choose(self, seat: Seat, source: random.Random) -> Action:
        return Action()


class Sleeper:
    """Never answers."""

    explanation = ""

    def choose(self, seat: Seat, source: random.Random) -> Action:
        while True:
            pass


class Crash:
    """Dies."""

    explanation = ""

    def choose(self, seat: Seat, source: random.Random) -> Action:
        raise ZeroDivisionError("oops")


@pytest.mark.parametrize(("level", "words"), [("cheat", "not legal"), ("sleeper", "longer than"), ("crash", "oops")])
def test_a_player_that_breaks_down_forfeits_or_is_replaced(level: str, words: str) -> None:
    for name, make in (("cheat", Cheat), ("sleeper", Sleeper), ("crash", Crash)):
        register_player("tiny", name, make)
    plan = Plan("tiny/post", {"red": level, "blue": "random"}, decision_seconds=0.2)
    result, _ = play_game(plan, 0)
    assert result.winner == "blue"
    assert words in result.faults[0]
    assert result.reason.startswith("red forfeits")
    result, match = play_game(replace(plan, on_fault="replace"), 0)
    assert match.outcome is not None
    assert len(result.faults) == 1


def test_shares_have_wilson_intervals() -> None:
    won = share(60, 100)
    assert (round(won.value, 3), round(won.low, 3), round(won.high, 3)) == (0.6, 0.502, 0.691)
    assert share(0, 10).low == 0
    assert share(10, 10).high == pytest.approx(1)
    assert share(0, 0) == (0, 0, 1, 0)


def test_paired_differences() -> None:
    gap = paired_difference([0.0, 1.0, 0.0, 1.0] * 25, [1.0, 1.0, 0.0, 1.0] * 25)
    assert gap.value == 0.25
    assert gap.clear
    assert not paired_difference([0.0, 1.0] * 10, [1.0, 0.0] * 10).clear
    assert not paired_difference([0.0], [1.0]).clear


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = str(tmp_path / "first"), str(tmp_path / "second")
    common = ["--games", "12", "--players", "random,random", "--jobs", "1", "--records"]
    assert main(["sim", "tiny/post", *common, "--out", first, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["games"] == 12
    assert sum(side["wins"] for side in data["sides"].values()) == 12
    assert len(list((tmp_path / "first" / "records").iterdir())) == 12
    assert (tmp_path / "first" / "games.csv").read_text().count("\n") == 13
    assert main(["sim", "tiny/post", *common, "--option", "reds=4", "--out", second]) == 0
    assert main(["report", first, second]) == 0
    page = (tmp_path / "first" / "report.html").read_text()
    assert "Turning points" in page
    assert "http" not in page
    assert main(["report", str(tmp_path)]) == 0, "the folder of both"
    assert (tmp_path / "report.html").read_text() == page
    (tmp_path / "nothing").mkdir()
    assert main(["report", str(tmp_path / "nothing")]) != 0
    assert "holds no results" in capsys.readouterr().err


def test_a_game_being_written_does_not_hinder_readers(tmp_path: Path) -> None:
    results = Results.create(tmp_path / "a", PLAN)
    run(results, 3)
    with (tmp_path / "a" / "games.jsonl").open("ab") as file:
        file.write(b'{"number": 3, "se')
    assert [game.number for game in results.games()] == [0, 1, 2]
    run(results, 4)
    assert [game.number for game in results.games()] == [0, 1, 2, 3]


def test_an_interrupted_run_says_that_it_can_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sandtable.sim.batch.run", interrupted)
    arguments = ["sim", "tiny/post", "--games", "4", "--players", "random,random", "--jobs", "1"]
    assert main([*arguments, "--out", str(tmp_path / "a")]) == 130
    assert "0 of 4 games are kept" in capsys.readouterr().err


def test_comparing_says_whether_they_differ(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, options in (("a", {}), ("b", {"reds": "4"})):
        run(Results.create(tmp_path / name, replace(PLAN, options=options)), 10)
    assert main(["compare", str(tmp_path / "a"), str(tmp_path / "b"), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["pairs"] == 10
    assert data["second"]["changes"] == {"options": {"reds": "4"}}
    assert main(["compare", str(tmp_path / "a"), str(tmp_path / "b")]) == 0
    words = capsys.readouterr().out
    assert "b (reds 4): " in words
    assert "over 10 pairs of games with the same seeds" in words
    assert main(["compare", str(tmp_path / "a"), str(tmp_path / "b"), "--side", "green"]) == 2
