"""The regular of the squad-level games: short stories of what it does and leaves alone."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import sandtable
from sandtable.engine import Action, Match, Seat, get_game, new
from sandtable.games.squad.combat.model import AdvanceTo
from sandtable.games.squad.fire.model import ResolveFire
from sandtable.games.squad.movement.model import ExitMap, Pass, Recover
from sandtable.games.squad.ordnance.model import Shoot
from sandtable.games.squad.rally.model import RallyUnit
from sandtable.players.squad import Recruit
from sandtable.players.squad_danger import Fields, harm
from sandtable.players.squad_fight import combat_value, exchange
from sandtable.players.squad_march import best_move
from sandtable.players.squad_men import Board
from sandtable.players.squad_regular import Look, Regular
from sandtable.players.squad_route import half_mf
from sandtable.players.squad_table import setting_of
from sandtable.players.squad_value import Value
from sandtable.players.squad_worth import worth
from sandtable.sim.playing import Plan, play_game


def position(scenario: str, phase: str, attacker: str, units: list[dict[str, Any]], **more: Any) -> Match:
    """A match of a scenario that goes on from a small position."""
    state = {"phase": phase, "attacker": attacker, "units": units, **more}
    return sandtable.new({"game": "aslsk2", "scenario": scenario, "state": state}, seed=5)


def unit(name: str, kind: str, at: str, **more: Any) -> dict[str, Any]:
    """A unit's line of a position."""
    return {"id": name, "kind": kind, "at": at, **more}


def look_of(match: Match, side: str) -> Look:
    """What the regular of a side looks at."""
    seat = Seat(match, side)
    return Look(seat, seat.view(), seat.actions().all, Regular())


def play(match: Match, side: str, *, steps: int = 40) -> list[Action]:
    """What the regular does for a side while the match lasts; the others let it happen."""
    player, source = Regular(), Random(1)
    done: list[Action] = []
    while match.to_act and match.outcome is None and len(done) < steps:
        acting = match.to_act[0]
        if acting == side:
            done.append(player.choose(Seat(match, side), source))
            match.apply(side, done[-1])
        else:
            actions = match.actions(acting).all
            match.apply(acting, next((a for a in actions if isinstance(a, Pass)), actions[-1]))
    return done


def test_in_the_last_turn_it_leaves_the_map_for_the_points_it_needs() -> None:
    units = [
        unit("a1", "american 7-4-7", "H1", group="first_battalion"),
        unit("g1", "german 4-4-7", "B7", group="german"),
    ]
    match = position("S14", "MPh", "american", units, turn=6, points={"american": 5})
    done = play(match, "american")
    assert any(isinstance(action, ExitMap) for action in done)
    assert match.outcome is not None
    assert match.outcome.winner == "american"


def test_it_rallies_a_broken_squad_before_all_else() -> None:
    units = [
        unit("a1", "american 7-4-7", "E5", group="american", broken=True),
        unit("a2", "american 9-2", "E5", group="american"),
        unit("i1", "italian 3-4-6", "S6", group="italian"),
    ]
    match = position("S9", "RPh", "allied", units, turn=2)
    assert any(isinstance(action, RallyUnit) for action in play(match, "allied", steps=2))


def test_a_leader_leaves_a_machine_gun_to_the_squads() -> None:
    units = [
        unit("a1", "american 7-4-7", "E5", group="american"),
        unit("a2", "american 9-2", "F5", group="american"),
        unit("i1", "italian 3-4-6", "S6", group="italian"),
    ]
    guns = [
        {"id": "w1", "kind": "american MMG", "at": "E5", "group": "american"},
        {"id": "w2", "kind": "american MMG", "at": "F5", "group": "american"},
    ]
    match = position("S9", "RPh", "allied", units, weapons=guns, turn=2)
    assert {action.unit for action in match.actions("allied").all if isinstance(action, Recover)} == {"a1", "a2"}
    picked = [action.unit for action in play(match, "allied", steps=4) if isinstance(action, Recover)]
    assert picked == ["a1"]


def test_a_leader_goes_to_the_broken_rather_than_direct_a_poor_shot() -> None:
    units = [
        unit("a1", "american 7-4-7", "E5", group="american"),
        unit("a2", "american 8-0", "E5", group="american"),
        unit("a3", "american 7-4-7", "E6", group="american", broken=True),
        unit("a4", "american 7-4-7", "E6", group="american", broken=True),
        unit("i1", "italian 3-4-6", "S6", group="italian"),
    ]
    match = position("S9", "MPh", "allied", units, turn=2)
    look = look_of(match, "allied")
    choice = best_move(Regular(), look, look.board.men["a2"], {"a2"})
    assert choice is not None
    assert look.board.ground.names[choice.route.to] == "E6"


def test_the_more_is_to_be_beaten_the_more_it_hurries() -> None:
    few = [unit("a1", "american 7-4-7", "E5", group="american"), unit("i1", "italian 3-4-6", "S6", group="italian")]
    many = [*few, *(unit(f"i{n}", "italian 3-4-6", "S6", group="italian") for n in (2, 3))]
    late = [
        look_of(position("S9", "MPh", "allied", units, turn=4), "allied").value.plan.late(0) for units in (few, many)
    ]
    assert late[1] > late[0]


def test_open_ground_under_a_machine_gun_is_worse_than_cover_and_than_nobody_there() -> None:
    units = [
        unit("a1", "american 7-4-7", "E5", group="american"),
        unit("i1", "italian 3-4-6", "S6", group="italian"),
    ]
    guns = [{"id": "w1", "kind": "italian HMG", "owner": "i1", "group": "italian"}]
    match = position("S9", "MPh", "allied", units, weapons=guns, turn=2)
    view = match.view("allied")
    board = Board(setting_of(view), "allied", view)
    fields, ground = Fields(board), board.ground
    gun = ground.index("S6")
    near = [c for c in range(ground.size) if 2 <= ground.ranges[gun][c] <= 6 and fields.drm(gun, c) is not None]
    bare = [c for c in near if ground.open[c] and fields.drm(gun, c) == 0]
    built = [c for c in near if ground.in_building[c]]
    unseen = [c for c in range(ground.size) if fields.drm(gun, c) is None]
    assert min(fields.moving(c) for c in bare) > max(fields.moving(c) for c in built)
    assert all(fields.moving(c) == 0 for c in unseen)
    assert all(fields.moving(c, assault=True) < fields.moving(c) for c in bare)


def test_harm_grows_with_fire_power_and_falls_with_cover() -> None:
    assert [harm(fp, 0) for fp in (0, 2, 4, 8, 16)] == sorted(harm(fp, 0) for fp in (0, 2, 4, 8, 16))
    assert harm(8, -2) > harm(8, 0) > harm(8, 3) > 0
    assert harm(0, -3) == 0


def test_it_goes_into_close_combat_only_at_odds() -> None:
    units = [
        unit("a1", "american 7-4-7", "R6", group="american"),
        unit("a2", "american 7-4-7", "R6", group="american"),
        unit("a3", "american 3-3-7", "E5", group="american"),
        unit("i1", "italian 3-4-6", "S6", group="italian"),
        unit("i2", "italian 3-4-6", "E6", group="italian"),
        unit("i3", "italian 3-4-6", "E6", group="italian"),
        unit("i4", "italian 3-4-6", "E6", group="italian"),
    ]
    match = position("S9", "APh", "allied", units, turn=1)
    look = look_of(match, "allied")
    men = look.board.men
    assert combat_value(look.value, [men["a1"], men["a2"]], [men["i1"]]) > 0.5
    assert combat_value(look.value, [men["a3"]], [men["i2"], men["i3"], men["i4"]]) < 0
    into = [a for a in play(match, "allied", steps=8) if isinstance(a, AdvanceTo)]
    ground = look.board.ground
    assert ground.index("E6") not in [action.to for action in into]
    assert ground.index("S6") in [action.to for action in into]


def test_a_hidden_gun_lets_a_poor_target_go_by() -> None:
    units = [
        unit("g1", "german 2-2-8", "H3", group="german", hip=True),
        unit("g2", "german 4-4-7", "A1", group="german"),
        unit("a1", "american 7-4-7", "M10", group="second_battalion"),
    ]
    guns = [
        {"id": "w1", "kind": "german 8.8cm FlaK 18 o. 36 AA", "owner": "g1", "group": "german"}
        | {"facing": 0, "hip": True, "emplaced": True}
    ]
    match = position("S14", "MPh", "american", units, weapons=guns, turn=3)
    americans, german, source = Regular(), Regular(), Random(1)
    while match.to_act and match.state.phase == "MPh":
        side = match.to_act[0]
        action = (german if side == "german" else americans).choose(Seat(match, side), source)
        assert not isinstance(action, (Shoot, ResolveFire)) or match.state.units["g1"].hip is False
        match.apply(side, action)
    assert match.state.units["g1"].hip


def test_half_mf_of_a_party_follow_its_leader_and_its_load() -> None:
    units = [
        unit("a1", "american 7-4-7", "E5", group="american"),
        unit("a2", "american 9-2", "E5", group="american"),
        unit("i1", "italian 3-4-6", "S6", group="italian"),
    ]
    guns = [{"id": "w1", "kind": "american MMG", "owner": "a1", "group": "american"}]
    match = position("S9", "MPh", "allied", units, weapons=guns)
    men = look_of(match, "allied").board.men
    alone, led = half_mf([men["a1"]]), half_mf([men["a1"], men["a2"]])
    assert led > alone
    assert half_mf([men["a1"]], double=True) > alone


@pytest.mark.parametrize("name", [info.id for info in get_game("aslsk2").scenarios()])
def test_what_a_position_is_worth_is_shared_between_the_sides(name: str) -> None:
    match = new(f"aslsk2/{name}", seed=1)
    values = [worth(match.view(side), side) for side in match.sides]
    assert all(0 < value < 1 for value in values)


def test_a_game_that_is_won_is_worth_all_and_one_that_is_lost_nothing() -> None:
    result, match = play_game(Plan("aslsk2/S13", {"allied": "recruit", "german": "regular"}), 0)
    assert result.faults == ()
    assert match.outcome is not None
    for side in match.sides:
        assert worth(match.view(side), side) == float(side == match.outcome.winner)


def test_the_quick_player_of_imagined_games_plays_on() -> None:
    match = new("aslsk2/S11", seed=2)
    players = {side: Recruit() for side in match.sides}
    source = Random(4)
    for _ in range(150):
        side = match.to_act[0]
        match.apply(side, players[side].choose(Seat(match, side), source))
    assert match.version >= 150


def test_who_is_passed_by_enemies_that_leave_the_map_runs_after_them() -> None:
    units = [
        unit("g1", "allied_minor 4-5-7", "X1", group="greek"),
        unit("i1", "italian 3-4-7", "N2", group="italian"),
    ]
    match = position("S10", "MPh", "greek", units, turn=3)
    look = look_of(match, "greek")
    assert look.value.plan.behind(look.board.men["g1"].cell)
    choice = best_move(look.player, look, look.board.men["g1"], {"g1"})
    assert choice is not None
    far = look.board.ground.ranges[look.board.men["i1"].cell]
    assert far[choice.route.to] < far[look.board.men["g1"].cell] - 3


def test_an_enemy_for_whom_enough_are_on_the_way_seems_farther_to_the_rest() -> None:
    def far(*more: dict[str, Any]) -> int:
        foes = [unit("i1", "italian 3-4-6", "Q6", group="italian"), unit("i2", "italian 3-4-6", "W6", group="italian")]
        own = [unit("a1", "american 7-4-7", "S4", group="american"), *more]
        board = look_of(position("S9", "MPh", "allied", [*own, *foes], turn=3), "allied").value
        return board.plan.far[board.ground.index("S4")]

    others = [unit(f"a{n}", "american 7-4-7", hex_, group="american") for n, hex_ in ((2, "R5"), (3, "R5"), (4, "P5"))]
    assert far(*others) > far()


def test_broken_enemies_are_sought_out_before_they_come_back() -> None:
    units = [
        unit("a1", "american 7-4-7", "O5", group="american"),
        unit("i1", "italian 3-4-6", "M5", group="italian", broken=True),
        unit("i2", "italian 3-4-6", "W6", group="italian"),
    ]
    look = look_of(position("S9", "MPh", "allied", units, turn=3), "allied")
    assert look.board.men["i1"].cell in look.value.plan.goals


def test_enemies_just_outside_the_area_are_sought_out_too() -> None:
    """Who stands a move away from the area that is to be cleared comes back into it."""
    units = [
        unit("a1", "american 7-4-7", "O5", group="american"),
        unit("i1", "italian 3-4-6", "J5", group="italian", broken=True),
        unit("i2", "italian 3-4-6", "A5", group="italian"),
    ]
    look = look_of(position("S9", "MPh", "allied", units, turn=3), "allied")
    assert look.value.plan.goals == {look.board.men["i1"].cell}


def test_in_the_last_turns_broken_enemies_can_wait() -> None:
    def far(turn: int, *, broken: bool) -> int:
        units = [
            unit("a1", "american 7-4-7", "S4", group="american"),
            unit("i1", "italian 3-4-6", "Q6", group="italian", broken=broken),
            unit("i2", "italian 3-4-6", "W6", group="italian"),
        ]
        value = look_of(position("S9", "MPh", "allied", units, turn=turn), "allied").value
        return value.plan.far[value.ground.index("R5")]

    assert far(5, broken=True) > far(3, broken=True)
    assert far(5, broken=False) == far(3, broken=False)


def test_a_hex_next_to_the_enemy_counts_for_the_close_combat_it_allows() -> None:
    """3.7, 3.8: who stands next to the enemy may advance into his hex; the third squad adds less than the first."""

    def storm(*more: dict[str, Any]) -> float:
        units = [unit("a1", "american 7-4-7", "P4", group="american"), *more]
        units.append(unit("i1", "italian 3-4-6", "Q6", group="italian"))
        value = look_of(position("S9", "MPh", "allied", units, turn=4), "allied").value
        man, ground = value.board.men["a1"], value.ground
        assert value.storm(man, ground.index("P4")) == 0
        return value.storm(man, ground.index("R5"))

    others = [unit(f"a{n}", "american 7-4-7", "P5", group="american") for n in (2, 3)]
    assert storm() > storm(*others) > 0


def test_close_combat_draws_nobody_on_who_would_lose_more_than_he_kills() -> None:
    """3.8: a German squad has about half the FP of an American one."""
    units = [unit("g1", "german 4-6-7", "P4", group="german"), unit("a1", "american 7-4-7", "Q6", group="american")]
    value = look_of(position("S15", "MPh", "german", units, turn=4), "german").value
    man, foes = value.board.men["g1"], [value.board.men["a1"]]
    assert value.plan.goals == {foes[0].cell}
    assert exchange([man], foes) < 0
    assert all(value.storm(man, cell) == 0 for cell in value.ground.near[foes[0].cell])


def test_in_the_last_turns_it_comes_up_to_the_enemy_rather_than_fire_a_poor_shot() -> None:
    """3.2, 3.3: who fires in the Prep Fire Phase does not move."""

    def fires(turn: int) -> bool:
        units = [
            unit("a1", "american 7-4-7", "S4", group="american"),
            unit("i1", "italian 3-4-6", "Q6", group="italian"),
        ]
        done = play(position("S9", "PFPh", "allied", units, turn=turn), "allied", steps=4)
        return any(isinstance(action, ResolveFire) for action in done)

    assert fires(2)
    assert not fires(5)


def test_who_bars_the_way_prefers_the_better_cover_before_anybody_sees_him() -> None:
    units = [
        unit("g1", "german 4-6-7", "L2", group="german"),
        unit("a1", "american 7-4-7", "A9", group="first_battalion"),
    ]
    value = look_of(position("S14", "MPh", "german", units, turn=2), "german").value
    man, ground = value.board.men["g1"], value.ground
    stone, open_ground = ground.index("L2"), ground.index("L1")
    assert value.habits.cover > 0
    assert ground.tem[stone] > ground.tem[open_ground]
    assert value.fields.standing(stone) == value.fields.standing(open_ground) == 0
    gain = value.stand(man, stone, stone) - value.stand(man, open_ground, stone)
    assert gain > 0.9 * value.habits.cover * ground.tem[stone]


def test_when_the_own_last_turn_is_over_a_position_can_still_be_judged() -> None:
    units = [
        unit("g1", "allied_minor 4-5-7", "X1", group="greek"),
        unit("i1", "italian 3-4-7", "N2", group="italian"),
    ]
    view = position("S10", "MPh", "greek", units, turn=6).view("italian")
    value = Value(Board(setting_of(view), "italian", view), Regular().habits)
    assert value.board.turns_left == 0
    assert value.exposure == 0
