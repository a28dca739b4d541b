"""The recruit of the squad-level games plays every scenario to its end."""

from __future__ import annotations

import pytest

from sandtable.engine import get_game
from sandtable.sim.playing import Plan, play_game

SCENARIOS = [f"{name}/{info.id}" for name in ("aslguide", "aslsk2") for info in get_game(name).scenarios()]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_recruit_plays_both_sides_to_the_end(scenario: str) -> None:
    name, _, part = scenario.partition("/")
    sides = next(info.sides for info in get_game(name).scenarios() if info.id == part)
    result, match = play_game(Plan(scenario, dict.fromkeys(sides, "recruit")), 0)
    assert match.outcome is not None
    assert result.faults == ()


def test_it_says_why_it_shoots() -> None:
    from random import Random

    from sandtable.engine import Seat, new
    from sandtable.players import make_player

    match = new("aslsk2/S9", seed=3)
    players = {side: make_player("aslsk2", "recruit") for side in match.sides}
    source = Random(1)
    said = []
    while match.to_act and len(said) < 3:
        side = match.to_act[0]
        match.apply(side, players[side].choose(Seat(match, side), source))
        if "to hurt somebody" in players[side].explanation:
            said.append(players[side].explanation)
    assert len(said) == 3
