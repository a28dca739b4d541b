"""The computer player: sensible, quick to explain itself, and better than chance."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from pbi_support import Camp, rows

import sandtable
from sandtable.engine import Match, Seat
from sandtable.games.pbi.actions import Assault, Hold, Move, Shoot, Volley
from sandtable.games.pbi.model import Window
from sandtable.players import Player, make_player
from sandtable.players.pbi import Recruit


def play(match: Match, players: dict[str, Player], seed: int) -> str:
    source = random.Random(seed)
    seats = {side: Seat(match, side) for side in match.sides}
    while match.to_act:
        side = match.to_act[0]
        match.apply(side, players[side].choose(seats[side], source))
    assert match.outcome is not None
    return match.outcome.winner


def choice(match: Match) -> object:
    side = match.to_act[0]
    return Recruit().choose(Seat(match, side), random.Random(1))


@pytest.mark.parametrize("name", ["crossroads", "bocage", "village", "generated"])
@pytest.mark.parametrize("side", ["attacker", "defender"])
def test_it_beats_the_random_player(name: str, side: str) -> None:
    wins: Counter[str] = Counter()
    for seed in range(4):
        match = sandtable.new(f"pbi/{name}", seed=seed)
        other = {"attacker": "defender", "defender": "attacker"}[side]
        players = {side: make_player("pbi", "recruit"), other: make_player("pbi", "random")}
        wins[play(match, players, seed)] += 1
    assert wins[side] >= 3


def test_it_plays_both_sides_to_the_end_with_armies_of_its_own() -> None:
    match = sandtable.new("pbi/generated", seed=5, options={"armies": "built", "table": "8", "points": "300"})
    assert play(match, {"attacker": Recruit(), "defender": Recruit()}, 5) in ("attacker", "defender")


def test_it_goes_for_the_objective() -> None:
    camp = Camp().add("a1", "rifle", "D7", 3).add("d1", "rifle", "H1", 3)
    camp.state.objectives, camp.state.control = {"D4": 3}, {"D4": "defender"}
    assert choice(camp.acting("a1-1", "a1-2", "a1-3").match()) in (Move("D6"), Move("C6"), Move("E6"))


def test_it_shoots_at_the_square_with_the_best_odds() -> None:
    camp = Camp(rows(F5="W")).add("a1", "lmg", "D7", 3).add("d1", "rifle", "D5", 4, moved=1).add("d1", "rifle", "F5", 4)
    camp.state.objectives, camp.state.control = {"D7": 3}, {"D7": "attacker"}
    assert choice(camp.acting("a1-1", "a1-2", "a1-3").match()) == Shoot("D5")


def test_it_assaults_when_the_odds_are_good_and_not_when_they_are_bad() -> None:
    strong = Camp().add("a1", "smg", "D6", 4, shots=3).add("d1", "rifle", "D5", pinned=True)
    assert choice(strong.acting("a1-1", "a1-2", "a1-3", "a1-4").match()) == Assault("D5")
    weak = Camp(rows(D5="B")).add("a1", "rifle", "D6", moved=1).add("d1", "smg", "D5", 5)
    assert choice(weak.acting("a1-1").match()) != Assault("D5")


def test_it_reacts_and_explains_itself() -> None:
    camp = Camp().add("a1", "rifle", "D6", 3).add("d1", "mmg", "D4", deployed=True)
    match = camp.frames(Window("defender", "D6", "opportunity")).match()
    player = Recruit()
    action = player.choose(Seat(match, "defender"), random.Random(1))
    assert action == Volley("D4") != Hold()
    assert player.explanation
