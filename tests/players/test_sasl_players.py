"""The players of the FRIENDLY side of Solitaire ASL: what they read from a mission, and that they get through it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

import sandtable
from sandtable.engine import Action, Match, Play, Seat
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.registry import register
from sandtable.games.asl.concealment.gaining import conceal
from sandtable.games.asl.deploying.model import Deploy, EndReforming
from sandtable.games.asl.snipers.model import CheckForSniper, LetSniperGo, MoveSniper, Snipe
from sandtable.games.asl.works.model import MINES, Minefield
from sandtable.games.sasl import GAME, generation
from sandtable.games.sasl.missions import MISSIONS
from sandtable.games.sasl.model import ENEMY, FRIENDLY, OBJECTIVES, SUSPECTS
from sandtable.games.sasl.roads import network
from sandtable.games.sasl.sheet import RollRest
from sandtable.games.squad.ground.setting import setting_of
from sandtable.players import make_player
from sandtable.players.sasl import Recruit, Regular
from sandtable.players.sasl_plan import MissionPlan
from sandtable.players.sasl_sheet import Sheet, expected
from sandtable.players.sasl_small import answer
from sandtable.players.sasl_worth import worth
from sandtable.players.squad_danger import Fields
from sandtable.players.squad_table import setting_of as setting_seen
from sandtable.sim.batch import BY_RULES, BadPlan, make_plan, played_sides

register(GAME)
OPTIONS = {"friendly": "G", "enemy": "R", "year": "1943", "boards": "shipped"}
TURNS = 1
"""Turns that a test plays of each mission: the whole game takes too long here."""


def begun(mission: str, seed: int = 8) -> Match:
    return sandtable.new(f"sasl/{mission}", seed=seed, options=OPTIONS)


def sheet_of(match: Match) -> Sheet:
    view = Seat(match, FRIENDLY).view()
    return Sheet(setting_seen(view), FRIENDLY, view)


def play_on(match: Match, player: Any, until: int) -> list[Action]:
    """The player's choices up to the end of a turn."""
    source, done = Random(3), []
    while match.to_act and match.state.turn <= until:
        (side,) = match.to_act
        assert side == FRIENDLY
        action = player.choose(Seat(match, side), source)
        assert action in match.actions(side)
        match.apply(side, action)
        done.append(action)
    return done


@pytest.mark.parametrize(("mission", "level"), [*((str(number), "regular") for number in MISSIONS), ("1", "recruit")])
def test_players_get_through_the_first_turns_of_every_mission(mission: str, level: str) -> None:
    match = begun(mission)
    done = play_on(match, make_player("sasl", level), TURNS)
    assert match.outcome is not None or match.state.turn > TURNS
    assert any(type(action).__name__ in ("Step", "ResolveFire", "AdvanceTo", "ExitMap") for action in done)


@pytest.mark.rule("A12.1")
@pytest.mark.parametrize("level", ["recruit", "regular"])
def test_what_lies_under_a_question_mark_does_not_change_its_choices(level: str) -> None:
    chosen = []
    for kind in ("russian 4-5-8", "russian 2-2-6"):
        match = begun("1")
        cell = next(iter(OBJECTIVES.of(match.state).values())).cells[0]
        play = Play(match.state, ScriptedDice())
        conceal(play, [generation.new_unit(play, kind, cell).id])
        assert sheet_of(match).foes[cell][-1].id == f"?{cell}"
        player, source, done = make_player("sasl", level), Random(3), []
        while not any(type(action).__name__ == "Step" for action in done):
            done.append(player.choose(Seat(match, FRIENDLY), source))
            match.apply(FRIENDLY, done[-1])
        chosen.append(done)
    assert chosen[0] == chosen[1]


@pytest.mark.rule("S5.6")
def test_a_suspect_counts_for_what_its_odds_promise() -> None:
    likely = (("Activation Check", "6 in 6 (AC# 6, drm +0)"), ("1/2", "squad"), ("1/2", "nothing"))
    doubtful = (("Activation Check", "1 in 6 (AC# 1, drm +0)"), ("1/2", "squad"), ("1/2", "nothing"))
    assert expected(likely) == pytest.approx(0.5)
    assert expected(doubtful) == pytest.approx(0.5 / 6)
    match = begun("1")
    sheet = sheet_of(match)
    assert set(sheet.suspects) == {one.at for one in SUSPECTS.of(match.state).values() if one.at >= 0}
    fields = Fields(sheet)
    seen = [threat for threat in fields.threats if threat.seen]
    assert not seen, "nobody can fire at a S?"
    assert all(0 < threat.weight <= 1 for threat in fields.threats)


@pytest.mark.rule("S12.5")
@pytest.mark.parametrize(("mission", "left"), [("1", 11), ("8", 9), ("19", 11)])
def test_it_reckons_with_the_mission_end_dr_and_not_with_forty_turns(mission: str, left: int) -> None:
    match = begun(mission)
    assert sheet_of(match).turns_left == left
    match.state.turn = 30
    assert sheet_of(match).turns_left == 2


@pytest.mark.rule("S12.6")
def test_who_is_ahead_in_a_cautious_advance_holds_what_he_has() -> None:
    match = begun("1")
    objectives = OBJECTIVES.of(match.state)
    assert MissionPlan(sheet_of(match)).attacking
    for name, one in objectives.items():
        objectives[name] = replace(one, owners=(FRIENDLY,) * len(one.cells))
    plan = MissionPlan(sheet_of(match))
    assert plan.sheet.lead > 0
    assert not plan.attacking
    assert plan.goals == {cell for one in objectives.values() for cell in one.cells}
    match.state.halves[ENEMY] = 40
    plan = MissionPlan(sheet_of(match))
    assert plan.sheet.lead < 0
    assert plan.attacking, "losses have cost more than that"


@pytest.mark.rule("B28.41")
def test_known_mines_are_gone_round_and_unknown_ones_are_not_guessed() -> None:
    match = begun("1")
    plan = MissionPlan(sheet_of(match))
    cell = next(cell for cell, far in enumerate(plan.far) if 4 < far < 20 and cell not in plan.board.foes)
    before, drawn = plan.far, Fields(plan.sheet).moving(cell)
    MINES.of(match.state)[cell] = Minefield(ENEMY, 8, known=False)
    assert sheet_of(match).mines == {}
    MINES.of(match.state)[cell] = Minefield(ENEMY, 8, known=True)
    plan = MissionPlan(sheet_of(match))
    assert plan.sheet.mines == {cell: 8}
    assert plan.far[cell] > before[cell], "no way leads through them"
    assert Fields(plan.sheet).moving(cell) > drawn + 0.5


@pytest.mark.rule("S14.")
def test_one_squad_stays_in_an_objective_that_is_held() -> None:
    match = begun("1")
    play = Play(match.state, ScriptedDice())
    name, one = next(iter(OBJECTIVES.of(match.state).items()))
    cell = one.cells[0]
    for suspect in [suspect for suspect in SUSPECTS.of(match.state).values() if suspect.at == cell]:
        SUSPECTS.of(match.state).pop(suspect.id)
    strong, weak = (
        generation.new_unit(play, kind, cell, side=FRIENDLY).id for kind in ("german 4-6-7", "german 2-4-7")
    )
    assert MissionPlan(sheet_of(match)).guards == frozenset(), "it is not held yet"
    OBJECTIVES.of(match.state)[name] = replace(one, owners=(FRIENDLY,) * len(one.cells))
    guards = MissionPlan(sheet_of(match)).guards
    assert weak in guards
    assert strong not in guards


@pytest.mark.rule("S14.")
def test_it_goes_for_the_objectives_that_it_does_not_hold() -> None:
    match = begun("1")
    objectives = OBJECTIVES.of(match.state)
    cells = {cell for one in objectives.values() for cell in one.cells}
    assert MissionPlan(sheet_of(match)).goals == cells
    name = next(iter(objectives))
    mine = objectives[name]
    objectives[name] = replace(mine, owners=(FRIENDLY,) * len(mine.cells))
    assert MissionPlan(sheet_of(match)).goals == (cells - set(mine.cells) or MissionPlan(sheet_of(match)).goals)


def test_it_breaks_out_to_the_west_in_mission_19_and_follows_the_road_in_mission_5() -> None:
    escape = MissionPlan(sheet_of(begun("19")))
    assert escape.goals == escape.exits != frozenset()
    match = begun("5")
    road = network(setting_of(match.state))
    goals = MissionPlan(sheet_of(match)).goals
    assert road[0] in goals
    assert road[-1] not in goals


@pytest.mark.rule("S12.6")
def test_a_position_is_judged_by_the_points_of_both_sides() -> None:
    match = begun("1")
    before = worth(Seat(match, FRIENDLY).view(), FRIENDLY)
    objectives = OBJECTIVES.of(match.state)
    for name, one in objectives.items():
        objectives[name] = replace(one, owners=(FRIENDLY,) * len(one.cells))
    view = Seat(match, FRIENDLY).view()
    assert worth(view, FRIENDLY) > 0.5 > before
    assert worth(view, FRIENDLY) + worth(view, ENEMY) == pytest.approx(1)


def test_small_decisions_are_answered_at_once() -> None:
    assert answer((Deploy("a", "b"), EndReforming())) == EndReforming()
    assert answer((MoveSniper(), Snipe())) == Snipe()
    assert answer((LetSniperGo(), CheckForSniper())) == CheckForSniper()
    assert answer(begun("1").actions(FRIENDLY).all) is None


@pytest.mark.rule("S12.")
@pytest.mark.parametrize("level", ["recruit", "regular"])
def test_everything_is_rolled_where_a_mission_is_prepared_step_by_step(level: str) -> None:
    match = sandtable.new("sasl/1", seed=4, options={"set_up": "steps", "boards": "shipped"})
    assert make_player("sasl", level).choose(Seat(match, FRIENDLY), Random(1)) == RollRest()


def test_only_the_friendly_side_needs_a_player() -> None:
    assert played_sides(GAME, GAME.scenarios()[0]) == [FRIENDLY]
    assert make_plan("sasl/1", "regular").players == {FRIENDLY: "regular", ENEMY: BY_RULES}
    with pytest.raises(BadPlan, match="Only the side friendly"):
        make_plan("sasl/1", "regular,recruit")
    with pytest.raises(BadPlan, match="no side 'enemy' to play"):
        make_plan("sasl/1", "friendly=regular,enemy=regular")


def test_recruits_and_regulars_of_missions_can_be_told_apart_and_forked() -> None:
    for player in (Recruit(), Regular()):
        assert type(player.fork()) is type(player)
