"""The veteran of every game that ships: what it imagines can be played, and its choices are legal and repeatable."""

from __future__ import annotations

import random

import pytest

import sandtable
from sandtable.engine import Action, Match, Seat, game_names
from sandtable.players import knowledge, levels, make_player
from sandtable.players.imagining import World, fork

SCENARIOS = ("aslguide/intro", "aslsk2/S14", "pbi/crossroads", "underbelly/historical")
STEPS = 40


def game_of(scenario: str) -> str:
    return scenario.partition("/")[0]


def begun(scenario: str, steps: int) -> Match:
    """A match after some decisions of regulars."""
    match = sandtable.new(scenario, seed=5)
    source = random.Random(5)
    players = {side: make_player(game_of(scenario), "regular") for side in match.sides}
    while match.version < steps:
        side = match.to_act[0]
        match.apply(side, players[side].choose(Seat(match, side), source))
    return match


def test_every_game_has_all_levels() -> None:
    for game in game_names():
        if game in {game_of(scenario) for scenario in SCENARIOS}:
            assert levels(game)[:4] == ["random", "recruit", "regular", "veteran"]
            assert knowledge(game).worth is not None


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("steps", [30, 61])
def test_imagined_games_are_played_without_stumbling(scenario: str, steps: int) -> None:
    """Quick opponents and twins find their way in positions that they have not come to themselves."""
    know = knowledge(game_of(scenario))
    match = begun(scenario, steps)
    side = match.to_act[0]
    seat = Seat(match, side)
    mind = know.base()
    own = mind.choose(seat, random.Random(1))
    world = World(seat, 3)
    after = world.after(own)
    players = {other: fork(mind) if other == side else know.quick() for other in after.sides}
    for _ in range(STEPS):
        if not after.to_act:
            break
        now = after.to_act[0]
        after.apply(now, players[now].choose(Seat(after, now), world.source()))
    view = after.view(side)
    assert know.worth is not None
    assert 0 <= know.worth(view, side) <= 1


@pytest.mark.parametrize("scenario", [*SCENARIOS, "aslsk2/S11"])
@pytest.mark.parametrize("level", ["recruit", "regular"])
def test_a_player_can_take_over_at_any_moment(scenario: str, level: str) -> None:
    """Also in the middle of a declaration: a seat is given up, or a server starts again."""
    match = sandtable.new(scenario, seed=6)
    source = random.Random(6)
    players = {side: make_player(game_of(scenario), "recruit") for side in match.sides}
    while match.to_act and match.version < 260:
        side = match.to_act[0]
        seat = Seat(match, side)
        assert make_player(game_of(scenario), level).choose(seat, random.Random(1)) in seat.actions()
        match.apply(side, players[side].choose(seat, source))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_veterans_choices_are_legal_and_repeatable(scenario: str) -> None:
    def choices() -> list[Action]:
        match = begun(scenario, 45)
        side = match.to_act[0]
        player, source, found = make_player(game_of(scenario), "veteran@2r"), random.Random(1), []
        while match.to_act and match.to_act[0] == side and len(found) < 5:
            action = player.choose(Seat(match, side), source)
            assert action in match.actions(side)
            match.apply(side, action)
            found.append(action)
        return found

    assert choices() == choices()
