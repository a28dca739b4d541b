"""Games in processes of their own: a player that takes its process down loses its game, and nothing else is lost."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from sandtable.commands.developer import with_test_games
from sandtable.engine import Action, Seat
from sandtable.players import register_player
from sandtable.players.random_player import RandomPlayer
from sandtable.sim import crew
from sandtable.sim.batch import run
from sandtable.sim.crew import Crew, CrewFailed
from sandtable.sim.playing import Plan, Result
from sandtable.sim.results import Results


class Mortal(RandomPlayer):
    """Dies at its fifth decision, and its process with it."""

    def __init__(self) -> None:
        self.left = 5

    def choose(self, seat: Seat, source: random.Random) -> Action:
        self.left -= 1
        if not self.left:
            os._exit(7)
        return super().choose(seat, source)


class Stubborn(RandomPlayer):
    """Thinks for ever and does not listen."""

    def choose(self, seat: Seat, source: random.Random) -> Action:
        while True:
            try:
                time.sleep(60)
            except TimeoutError:
                continue


def with_bad_players() -> None:
    with_test_games()
    register_player("tiny", "mortal", Mortal)
    register_player("tiny", "stubborn", Stubborn)


def dead_on_arrival() -> None:
    os._exit(3)


def test_a_player_whose_process_dies_forfeits_and_the_other_games_go_on(tmp_path: Path) -> None:
    plan = Plan("tiny/post", {"red": "mortal", "blue": "random"})
    results = Results.create(tmp_path / "forfeit", plan)
    with Crew(2, with_bad_players) as two:
        assert run(results, 3, play=two.play) == 3
        replaced = Results.create(tmp_path / "replace", replace(plan, on_fault="replace"))
        run(replaced, 2, play=two.play)
    games = results.games()
    assert [game.number for game in games] == [0, 1, 2]
    assert {game.winner for game in games} == {"blue"}
    assert all(game.faults == ("red: its process died (exit code 7)",) for game in games)
    for game in replaced.games():
        assert game.faults == ("red: its process died (exit code 7)",)
        assert "forfeits" not in game.reason
        assert game.actions > 20


def test_a_player_that_cannot_be_interrupted_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "GRACE", 0.3)
    monkeypatch.setattr(crew, "LOOK", 0.1)
    plan = Plan("tiny/post", {"red": "random", "blue": "stubborn"}, decision_seconds=0.2)
    results = Results.create(tmp_path / "results", plan)
    with Crew(1, with_bad_players) as one:
        run(results, 1, play=one.play)
    (game,) = results.games()
    assert game.winner == "red"
    assert "could not be interrupted" in game.faults[0]


def test_processes_that_cannot_play_at_all_are_told_of(tmp_path: Path) -> None:
    results = Results.create(tmp_path / "results", Plan("tiny/post", {"red": "random", "blue": "random"}))
    with Crew(1, dead_on_arrival) as one, pytest.raises(CrewFailed, match=r"process of its own: .* \(exit code 3\)"):
        run(results, 1, play=one.play)
    assert results.games() == []


def test_games_of_several_plans_go_to_whoever_is_free() -> None:
    plans = [Plan("tiny/post", {"red": "random", "blue": "random"}, seed=seed) for seed in (1, 50)]
    games = [(plans[0], 0), (plans[1], 0), (plans[0], 1), (plans[1], 2)]
    with Crew(2, with_bad_players) as two:
        found = {place: msgspec.json.decode(encoded, type=Result) for place, (encoded, _) in two.play_all(iter(games))}
    assert {place: found[place].seed for place in range(4)} == {0: 1, 1: 50, 2: 2, 3: 52}
