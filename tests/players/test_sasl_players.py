"""The players of the FRIENDLY side of Solitaire ASL: what they read from a mission, and that they get through it."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

import sandtable
from sandtable.engine import Action, Match, Play, Seat
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.registry import register
from sandtable.games.asl.concealment.gaining import conceal
from sandtable.games.asl.deploying.model import Deploy, EndReforming
from sandtable.games.asl.molotovs.model import ThrowMolotov
from sandtable.games.asl.snipers.model import CheckForSniper, LetSniperGo, MoveSniper, Snipe
from sandtable.games.asl.works.model import MINES, Minefield
from sandtable.games.asl.works.sheltering import AdvanceIn
from sandtable.games.sasl import GAME, generation
from sandtable.games.sasl.missions import MISSIONS
from sandtable.games.sasl.model import ENEMY, FRIENDLY, OBJECTIVES, SUSPECTS, Objective
from sandtable.games.sasl.roads import network
from sandtable.games.sasl.sheet import RollRest
from sandtable.games.squad.fire.model import FireDraft, PrepFirePhase, ResolveFire
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.stacks import put
from sandtable.games.squad.pieces.kinds import UnitKind, printed_unit
from sandtable.games.squad.pieces.model import Unit
from sandtable.players import make_player, squad_fight
from sandtable.players.sasl import Recruit, Regular
from sandtable.players.sasl_plan import MissionPlan
from sandtable.players.sasl_sheet import Sheet, expected
from sandtable.players.sasl_small import answer
from sandtable.players.sasl_worth import worth
from sandtable.players.squad_danger import Fields
from sandtable.players.squad_men import Man
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


@pytest.mark.rule("S14")
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


@pytest.mark.rule("S14")
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


@pytest.mark.rule("S12")
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


@pytest.mark.rule("A26.211")
def test_crews_count_as_squads_and_stay_out_of_the_fight_except_in_a_breakout() -> None:
    crew, squad = (man_of(printed_unit(kind)) for kind in ("german 2-2-8", "german 4-6-7"))
    advance, escape = (MissionPlan(sheet_of(begun(mission))) for mission in ("1", "19"))
    assert advance.stake(crew) == advance.stake(squad) == 1
    assert advance.spared(crew)
    assert not advance.spared(squad)
    assert not escape.spared(crew), "all are to get away"


def man_of(kind: UnitKind, cell: int = 0) -> Man:
    return Man({"id": "x", "side": FRIENDLY, "face": kind.kind}, kind, cell, off=False)


def test_heavy_weapons_are_handed_to_crews_before_the_company_comes_on() -> None:
    match = sandtable.new("sasl/2", seed=2, options=OPTIONS | {"friendly": "U", "enemy": "G", "year": "1944"})
    player, source = make_player("sasl", "regular"), Random(1)
    while any(type(action).__name__ == "PickWeapon" for action in match.actions(FRIENDLY)):
        match.apply(FRIENDLY, player.choose(Seat(match, FRIENDLY), source))
        if type(match.actions(FRIENDLY)[0]).__name__ == "GiveWeapon":
            match.apply(FRIENDLY, player.choose(Seat(match, FRIENDLY), source))
    armed = [unit for unit in match.state.units.values() if unit.weapons and unit_kind(match.state, unit).crew]
    assert armed


@pytest.mark.rule("M4")
def test_what_has_been_found_of_a_fortified_line_is_taken_before_more_is_found() -> None:
    match = begun("4")
    state = match.state
    suspects = {one.at for one in SUSPECTS.of(state).values() if one.at >= 0}
    assert MissionPlan(sheet_of(match)).goals == suspects, "nothing has been found yet"
    cell = max(suspects)
    for number in range(9):
        name = f"foxhole {number}"
        OBJECTIVES.of(state)[name] = Objective(name, (cell - number,), (ENEMY,), worth=2)
    assert MissionPlan(sheet_of(match)).goals == {cell - number for number in range(9)}, "too few squads for more"


@pytest.mark.rule("M4")
def test_the_roster_tells_what_a_fortification_is_worth_and_who_is_ahead_holds_it() -> None:
    match = begun("4")
    before = sheet_of(match).lead
    cell = next(one.at for one in SUSPECTS.of(match.state).values() if one.at >= 0)
    OBJECTIVES.of(match.state)["box"] = Objective("box", (cell,), (ENEMY,), worth=14)
    assert sheet_of(match).lead == before - 14
    assert MissionPlan(sheet_of(match)).attacking
    OBJECTIVES.of(match.state)["box"] = Objective("box", (cell,), (FRIENDLY,), worth=140)
    assert sheet_of(match).lead == before + 140
    assert not MissionPlan(sheet_of(match)).attacking


@pytest.mark.rule("M5", "A26.11")
def test_the_march_along_the_road_goes_for_its_far_end_as_hexes_are_taken_in_passing() -> None:
    match = begun("5")
    road = network(setting_of(match.state))
    SUSPECTS.of(match.state).clear()
    plan = MissionPlan(sheet_of(match))
    assert plan.goals == {road[0], *road[9:14]}
    calm = plan.late(road[0])
    match.state.turn = 8
    assert MissionPlan(sheet_of(match)).late(road[0]) > calm, "the whole road is still to be gone"


@pytest.mark.rule("B27.4", "A26.14")
def test_it_goes_into_a_work_that_counts() -> None:
    squad = printed_unit("german 4-6-7")
    look: Any = SimpleNamespace(
        all=lambda *names: [AdvanceIn("a", "pillbox"), AdvanceIn("b", "pillbox")] if "AdvanceIn" in names else [],
        board=SimpleNamespace(men={"a": man_of(squad, 5), "b": man_of(squad, 7)}),
        value=SimpleNamespace(plan=SimpleNamespace(area={7})),
    )
    assert squad_fight._into_works(look) == AdvanceIn("b", "pillbox")
    look.value.plan.area = set()
    assert squad_fight._into_works(look) is None


@pytest.mark.parametrize("level", ["recruit", "regular"])
def test_who_finds_no_room_off_board_waits(level: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """SA-99: the column of Mission 8 is too long for its road, and the others wait for the next turn."""
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path))
    match = sandtable.new("sasl/8", seed=10)
    player, source, left = make_player("sasl", level), Random(10), 0
    while match.state.turn < 2:
        assert match.version < 400, "picked and put back for ever"
        match.apply(FRIENDLY, action := player.choose(Seat(match, FRIENDLY), source))
        if type(action).__name__ == "SetUpDone":
            left = sum(unit.side == FRIENDLY and unit.at < 0 and unit.beside < 0 for unit in match.state.units.values())
    assert left or level == "recruit"


@pytest.mark.rule("A22.61")
@pytest.mark.parametrize(("squads", "throws"), [(1, False), (3, True)])
def test_partisans_throw_a_mol_where_it_promises_more_than_it_may_cost(squads: int, throws: bool) -> None:
    match = begun("1")
    state = match.state
    SUSPECTS.of(state).clear()
    ground = setting_of(state).ground
    cell = next(one for one in range(150, ground.size) if all(ground.open[near] for near in (one, *ground.near[one])))
    state.units["p"] = put(state, Unit("p", FRIENDLY, "partisan 3-3-7", group="company"), cell)
    for _ in range(squads):
        generation.new_unit(Play(state, ScriptedDice()), "russian 4-4-7", ground.near[cell][0])
    state.phase, state.attacker = "PFPh", FRIENDLY
    state.stack = [PrepFirePhase(), FireDraft(FRIENDLY, "prep", ("p",), target=ground.near[cell][0])]
    player = make_player("sasl", "regular")
    chosen = player.choose(Seat(match, FRIENDLY), Random(1))
    assert ThrowMolotov("p") in match.actions(FRIENDLY)
    assert (chosen == ThrowMolotov("p")) is throws
    match.apply(FRIENDLY, ThrowMolotov("p"))
    assert player.choose(Seat(match, FRIENDLY), Random(1)) == ResolveFire()
