"""Habits of PBI's players: short stories about setting up, running for an objective, and the commander's life."""

from __future__ import annotations

import random

import sandtable
from sandtable.engine import Seat
from sandtable.games.pbi.actions import Comfort, Place, Recover
from sandtable.players import knowledge
from sandtable.players.pbi import Recruit, Regular
from sandtable.players.pbi_field import Field, ways
from sandtable.players.pbi_recruit import Table
from sandtable.players.pbi_sergeant import Sergeant, Watchful


def field(scenario: str = "pbi/crossroads", side: str = "defender") -> Field:
    return Field(side, sandtable.new(scenario, seed=1).view(side))


def test_the_defender_sets_up_units_together_and_near_the_objectives() -> None:
    match = sandtable.new("pbi/generated", seed=3)
    player, source = Regular(), random.Random(1)
    while match.to_act and match.to_act[0] == "defender":
        action = player.choose(Seat(match, "defender"), source)
        assert isinstance(action, Place)
        match.apply("defender", action)
    here = Field("defender", match.view("defender"))
    placed: dict[str, list[str]] = {}
    for square, pieces in here.mine.items():
        for piece in pieces:
            placed.setdefault(piece["unit"], []).append(square)
    for squares in placed.values():
        assert max(here.g.range[one][other] for one in squares for other in squares) <= 3
    best = max(here.objectives, key=lambda square: here.objectives[square])
    assert any(here.g.range[best][square] <= 1 for square in here.mine)


def test_fire_is_shared_among_the_targets_in_view() -> None:
    here = field()
    source = next(square for square in here.theirs if sum(here.sees(square, own) for own in here.mine) >= 2)
    seen = next(own for own in here.mine if here.sees(source, own))
    many = here.attention(source, seen)
    here.mine = {seen: here.mine[seen]}
    here._views.clear()
    assert many < here.attention(source, seen)


def test_the_company_commander_is_the_dearest_of_all() -> None:
    here = field()
    prices = {piece["kind"]: here.price(piece) for piece in here.pieces.values() if piece["side"] == "defender"}
    assert max(prices, key=lambda kind: prices[kind]) == "commander"


def test_ways_go_round_the_enemy() -> None:
    here = field()
    key = here.g
    free = ways(here._key, "D3", frozenset())
    wall = frozenset(square for square in key.names if key.row[square] == 4)
    assert free["D8"] < 30
    assert "D8" not in ways(here._key, "D3", wall)


def test_the_quick_opponent_keeps_out_of_sight_where_a_recruit_does_not() -> None:
    view = sandtable.new("pbi/crossroads", seed=1).view("attacker")
    plain, wary = Table("attacker", view), Watchful("attacker", view)
    seen = next(square for square in plain.g.names if wary.seen_by(square) and not wary.cover(square))
    assert wary.worth(seen) < plain.worth(seen)
    assert knowledge("pbi").quick is Sergeant


def test_a_sergeant_sees_to_the_casualties_before_a_morale_roll_and_a_recruit_does_not() -> None:
    tended = {}
    for make in (Recruit, Sergeant):
        count = 0
        for seed in range(3):
            match = sandtable.new("pbi/crossroads", seed=seed)
            players = {side: make() for side in match.sides}
            source = random.Random(seed)
            while match.to_act:
                side = match.to_act[0]
                action = players[side].choose(Seat(match, side), source)
                count += isinstance(action, (Recover, Comfort))
                match.apply(side, action)
        tended[make.__name__] = count
    assert tended["Recruit"] == 0 < tended["Sergeant"]
