"""The recruit of the squad-level games plays every scenario to its end."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.engine import Seat, get_game, new
from sandtable.games.squad.fire.model import StartFire
from sandtable.players.squad import Recruit
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


def test_in_an_enemys_turn_it_fires_each_unit_once() -> None:
    """A beginner does not think of Subsequent First Fire (3.3.1)."""
    match = new("aslsk2/S9", seed=3)
    players = {side: Recruit() for side in match.sides}
    source = Random(3)
    fired = 0
    for _ in range(1500):
        if not match.to_act:
            break
        side = match.to_act[0]
        seat = Seat(match, side)
        action = players[side].choose(seat, source)
        view = seat.view()
        if isinstance(action, StartFire) and view["active"] != side:
            markers = next(piece for piece in view["pieces"] if piece["id"] == action.firer).get("markers", ())
            assert "marker/first-fire" not in markers
            fired += 1
        match.apply(side, action)
    assert fired
