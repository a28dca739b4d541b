"""How the regular of the squad-level games sets up its side (1.3)."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.engine import Match, Seat, new
from sandtable.players import make_player
from sandtable.players.squad_men import Board, Man
from sandtable.players.squad_setup import fire_from, lanes
from sandtable.players.squad_table import setting_of

SCENARIOS = ("S9", "S10", "S11", "S12", "S13", "S14", "S15", "S16")


def set_up(scenario: str) -> Match:
    """A scenario that two regulars have set up."""
    match = new(f"aslsk2/{scenario}", seed=3, options={"setup": "players"})
    players = {side: make_player("aslsk2", "regular") for side in match.sides}
    source = Random(1)
    while match.view(match.sides[0])["phase"] == "Set-up":
        side = match.to_act[0]
        match.apply(side, players[side].choose(Seat(match, side), source))
    return match


def men_of(match: Match, side: str) -> tuple[Board, list[Man]]:
    """The board as a side sees it, and its own men on the map."""
    view = match.view(side)
    board = Board(setting_of(view), side, view)
    return board, [man for men in board.own.values() for man in men]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_leaders_stand_with_their_men_and_squads_in_cover(scenario: str) -> None:
    match = set_up(scenario)
    for side in match.sides:
        board, men = men_of(match, side)
        for man in men:
            if not man.kind.mmc:
                assert any(other.kind.mmc for other in board.own[man.cell]), "a leader is nobody alone"
        squads = [man for man in men if man.kind.mmc]
        if squads:
            assert sum(board.ground.tem[man.cell] > 0 for man in squads) >= 0.6 * len(squads)


def test_guns_look_to_where_the_enemy_comes_and_hide_where_they_may() -> None:
    """3.2.4, 6.4: a Gun is turned to the ways of the enemy, and no other unit gives it away."""
    guns = 0
    for scenario in SCENARIOS:
        match = set_up(scenario)
        for side in match.sides:
            board, men = men_of(match, side)
            lane = lanes(board.setting, side)
            for man in men:
                for gun in man.arms:
                    if not gun.kind.gun:
                        continue
                    guns += 1
                    arcs = [sum(lane[c] for c in board.ground.grid.covered_arc(man.cell, f)) for f in range(6)]
                    assert gun.facing is not None
                    if man.hip:
                        assert [other.id for other in board.own[man.cell] if other.kind.mmc] == [man.id]
                    assert max(arcs) > 0
    assert guns >= 4


def test_a_field_of_fire_counts_the_ways_of_the_enemy() -> None:
    """In S11 the Germans go from the north edge to the south edge: hexes between them count most."""
    match = new("aslsk2/S11", seed=3)
    setting = setting_of(match.view("american"))
    lane = lanes(setting, "american")
    best = max(range(setting.ground.size), key=lambda cell: fire_from(setting, "american", cell, far=False))
    seen = [cell for cell in range(setting.ground.size) if setting.ground.ranges[best][cell] <= 7]
    assert max(lane) <= 1.0
    assert sum(lane[cell] for cell in seen) > 10
    assert fire_from(setting, "american", best, far=True) > fire_from(setting, "american", best, far=False)
