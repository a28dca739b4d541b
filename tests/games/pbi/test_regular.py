"""The regular: short stories about what it does, and why."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace
from pbi_support import Camp, rows

import sandtable
from sandtable.engine import Action, Match, Seat
from sandtable.games.pbi import actions as a
from sandtable.games.pbi.model import Commander, Hits, Placing, Window
from sandtable.players import make_player
from sandtable.players.pbi import Recruit, Regular, candidates


def choice(match: Match) -> Action:
    return Regular().choose(Seat(match, match.to_act[0]), random.Random(1))


def marks(camp: Camp, unit: str, number: int) -> None:
    camp.state.units[unit] = replace(camp.state.units[unit], casualties=number)


def test_it_takes_an_objective_that_nobody_holds_with_foot_at_the_end() -> None:
    camp = Camp().add("a1", "rifle", "D5", 3).add("d1", "rifle", "H1", 3)
    camp.state.objectives, camp.state.control, camp.state.countdown = {"D4": 3}, {"D4": "defender"}, 3
    assert choice(camp.acting("a1-1", "a1-2", "a1-3", ap=1).match()) == a.Move("D4")


def test_an_officer_does_not_run_ahead_of_his_men() -> None:
    camp = (
        Camp()
        .add("a1", "officer", "D7", officer=True)
        .add("a1", "rifle", "D7", 4)
        .add("d1", "mmg", "D2", deployed=True)
    )
    camp.add("d1", "lmg", "D2", 3)
    camp.state.objectives, camp.state.control = {"D4": 3}, {"D4": "defender"}
    assert not isinstance(choice(camp.acting("a1-1", ap=4).match()), a.Move)


def test_of_two_targets_it_shoots_at_the_unit_that_is_near_its_morale_roll() -> None:
    camp = Camp().add("a1", "lmg", "D7", 3).add("d1", "rifle", "C5", 3, moved=1).add("d2", "rifle", "E5", 3, moved=1)
    marks(camp, "d2", 3)
    assert choice(camp.acting("a1-1", "a1-2", "a1-3", ap=1).match()) == a.Shoot("E5")


@pytest.mark.parametrize(("enemies", "pinned", "assaults"), [(1, True, True), (6, False, False)])
def test_it_assaults_at_odds_only(enemies: int, pinned: bool, assaults: bool) -> None:
    camp = Camp(rows(D5="B")).add("a1", "smg", "D6", 4).add("d1", "rifle", "D5", enemies, pinned=pinned)
    camp.state.objectives, camp.state.control = {"D5": 3}, {"D5": "defender"}
    chosen = choice(camp.acting(*[f"a1-{n}" for n in range(1, 5)], ap=4).match())
    assert isinstance(chosen, a.Assault) is assaults


def test_pinned_men_with_nothing_to_shoot_at_try_to_remove_the_pin() -> None:
    camp = Camp(rows(D4="W")).add("a1", "rifle", "D7", 3, pinned=True).add("d1", "rifle", "D1", 3)
    camp.state.objectives, camp.state.control = {"D7": 3}, {"D7": "attacker"}
    assert choice(camp.acting("a1-1", "a1-2", "a1-3", ap=1, residual=True).match()) == a.Unpin()


def test_the_commander_sees_to_casualties_before_a_morale_roll() -> None:
    camp = Camp().add("a0", "commander", "D7", officer=True).add("a1", "rifle", "D7", 6, pinned=True)
    camp.add("a2", "rifle", "", 4).add("d1", "rifle", "D1", 3)
    camp.state.units["a2"] = replace(camp.state.units["a2"], off=True)
    marks(camp, "a1", 4)
    assert choice(camp.frames(Commander("attacker"), step=2).match()) == a.Comfort("a1")


def test_it_waits_with_a_reaction_for_a_better_target() -> None:
    camp = Camp(rows(D6="W")).add("d1", "mmg", "D3", deployed=True).add("a1", "rifle", "D6", moved=1, acted=True)
    camp.add("a2", "rifle", "E7", 6)
    window = Window("defender", "D6", "opportunity")
    assert choice(camp.frames(window).match()) == a.Hold()
    open_ground = Camp().add("d1", "mmg", "D3", deployed=True).add("a1", "rifle", "D6", 6, moved=1, acted=True)
    open_ground.add("a2", "rifle", "E7", 2)
    assert choice(open_ground.frames(window).match()) == a.Volley("D3")


def test_a_tank_shoots_at_foot_in_the_open() -> None:
    camp = Camp().add("a1", "sherman", "D7").add("a1", "sherman", "E7").add("d1", "rifle", "D4", 5, moved=1)
    chosen = choice(camp.driving("a1-1", ap=3).match())
    assert chosen == a.Shoot("D4")


def test_a_strike_falls_where_the_enemies_are_close_together() -> None:
    camp = Camp().add("a1", "rifle", "D8").add("d1", "rifle", "B2", 6, moved=1).add("d1", "rifle", "C2", 6, moved=1)
    chosen = choice(camp.frames(Placing("attacker", False), step=1).match())
    assert isinstance(chosen, a.PlacePattern)
    assert {"B2", "C2"} <= {
        square
        for x, y in ((0, 0), (1, 0), (0, 1), (1, 1))
        for square in [f"{chr(ord(chosen.at[0]) + x)}{int(chosen.at[1]) + y}"]
    }


def test_a_look_ahead_begins_with_its_own_choice() -> None:
    match = sandtable.new("pbi/crossroads", seed=2)
    seat = Seat(match, match.to_act[0])
    found = candidates(Regular(), seat, 4)
    assert found[0] == Regular().choose(seat, random.Random(0))
    assert 1 <= len(found) <= 4
    assert all(action in seat.actions() for action in found)


@pytest.mark.parametrize("battle", ["village", "generated"])
def test_it_plays_to_the_end_and_the_same_for_the_same_seed(battle: str) -> None:
    ends = []
    for _ in range(2):
        match = sandtable.new(f"pbi/{battle}", seed=3)
        source = random.Random(3)
        players = {side: (make_player("pbi", "regular"), Seat(match, side)) for side in match.sides}
        while match.to_act:
            player, seat = players[match.to_act[0]]
            match.apply(match.to_act[0], player.choose(seat, source))
            assert player.explanation
        ends.append((match.version, match.outcome))
    assert ends[0] == ends[1]


def test_it_beats_the_recruit() -> None:
    won = 0
    for seed in range(4):
        match = sandtable.new("pbi/bocage", seed=seed)
        source = random.Random(seed)
        players = {"attacker": (Regular(), Seat(match, "attacker")), "defender": (Recruit(), Seat(match, "defender"))}
        while match.to_act:
            player, seat = players[match.to_act[0]]
            match.apply(match.to_act[0], player.choose(seat, source))
        assert match.outcome is not None
        won += match.outcome.winner == "attacker"
    assert won >= 3


def test_one_base_alone_runs_for_an_objective_at_the_end() -> None:
    camp = Camp().add("d1", "officer", "D2", officer=True).add("d1", "rifle", "D2", 4)
    camp.add("a1", "mmg", "D8", 3, deployed=True).add("a1", "lmg", "D8", 3)
    camp.state.objectives, camp.state.control, camp.state.countdown = {"D4": 3}, {"D4": "attacker"}, 1
    chosen = choice(camp.acting(*[f"d1-{n}" for n in range(1, 6)], ap=3).match())
    assert isinstance(chosen, a.Split)
    assert chosen.piece != "d1-1"


def test_the_company_commander_takes_a_hit_last() -> None:
    camp = Camp().add("a1", "rifle", "D7", 3).add("d0", "commander", "D4", officer=True)
    camp.add("d1", "officer", "D4", officer=True).add("d1", "rifle", "D4")
    first = choice(camp.frames(Hits("defender", "D4", "D7", 2, "small arms", ())).match())
    assert first in (a.Take("d1-1"), a.Take("d1-2"))
    taken = (first.piece,) if isinstance(first, a.Take) else ()
    second = choice(camp.frames(Hits("defender", "D4", "D7", 2, "small arms", taken)).match())
    assert second in (a.Take("d1-1"), a.Take("d1-2"))


def test_a_look_ahead_weighs_different_things_to_do() -> None:
    camp = Camp().add("a1", "lmg", "D7", 3).add("d1", "rifle", "C5", 3, moved=1).add("d2", "rifle", "E5", 3, moved=1)
    camp.state.objectives, camp.state.control = {"D4": 2}, {"D4": "defender"}
    match = camp.acting("a1-1", "a1-2", "a1-3", ap=3).match()
    found = candidates(Regular(), Seat(match, "attacker"), 6)
    assert len(found) == len(set(found)) <= 4
    assert sum(isinstance(action, a.Shoot) for action in found) == 1


def test_nothing_is_looked_ahead_at_when_choosing_who_takes_a_hit() -> None:
    camp = Camp().add("a1", "rifle", "D7", 3).add("d1", "officer", "D4", officer=True).add("d1", "rifle", "D4", 2)
    match = camp.frames(Hits("defender", "D4", "D7", 1, "small arms", ())).match()
    assert len(candidates(Regular(), Seat(match, "defender"), 6)) == 1
