"""Leaving close combat in a mission: what the ENEMY does, what the player is told, and the readings (S11.51)."""

from __future__ import annotations

import pytest
from sasl_support import OPTIONS, field, mission_without_suspects, playing, seen, stand

import sandtable
from sandtable.engine import Decided
from sandtable.engine.registry import register
from sandtable.games.asl.leaving import going, who, words
from sandtable.games.asl.leaving.model import (
    AMBUSHES,
    INFILTRATES,
    WITHDRAWING,
    LeaveTo,
    Leaving,
    StayAndFight,
    Withdraw,
    Withdrawing,
)
from sandtable.games.asl.leaving.switches import LeavingRules
from sandtable.games.sasl import GAME, suspects
from sandtable.games.sasl.compass import edge_cells
from sandtable.games.sasl.enemy import breaking_off, facts
from sandtable.games.sasl.model import ENEMY, FRIENDLY, ROSTER, SUSPECTS, TRIED
from sandtable.games.squad.combat.model import AttackAll, CloseCombatPhase
from sandtable.games.squad.ground.setting import rules_of, setting_of
from sandtable.games.squad.phases.model import Done
from sandtable.games.squad.pieces.model import SquadState

register(GAME)


@pytest.fixture
def state() -> SquadState:
    found = mission_without_suspects()
    found.phase, found.attacker = "CCPh", FRIENDLY
    return found


def locked(state: SquadState, cell: int, enemies: int, germans: int) -> None:
    """A Melee of so many squads of each side."""
    for number in range(enemies):
        stand(state, f"e{number}", "russian 4-4-7", cell, melee=True)
    for number in range(germans):
        stand(state, f"t{number}", "german 4-6-7", cell, melee=True)


def reads(withdrawal: str) -> SquadState:
    found: SquadState = sandtable.new("sasl/1", seed=8, options={**OPTIONS, "withdrawal": withdrawal}).state
    found.phase, found.attacker = "CCPh", FRIENDLY
    return found


# -- the ENEMY ------------------------------------------------------------------------------------


@pytest.mark.rule("S11.51")
@pytest.mark.parametrize(("germans", "goes"), [(1, False), (2, False), (3, True)])
def test_the_enemy_withdraws_where_it_is_clearly_outmatched(state: SquadState, germans: int, *, goes: bool) -> None:
    """Ruling SA-115: kill number 5 against 5 at 1-1, 4 against 7 at 1-2, 3 against 8 at 1-3."""
    cell = field(state)
    locked(state, cell, 1, germans)
    play = playing(state)
    chosen = breaking_off.declare(play, Withdrawing(ENEMY), [Withdraw("e0"), Done()])
    assert chosen == (Withdraw("e0") if goes else Done())
    (said,) = [event for event in play.events if isinstance(event, Decided)]
    assert (said.table, said.row, said.rule) == ("S11.51", "leaves" if goes else "stays", "S11.51")
    assert "of its best attack" in said.why


@pytest.mark.rule("S11.51")
@pytest.mark.parametrize(("withdrawal", "germans", "goes"), [("4", 2, 0), ("3", 2, 1), ("6", 3, 0), ("broken", 3, 0)])
def test_how_clearly_is_read_in_several_ways(withdrawal: str, germans: int, goes: int) -> None:
    state = reads(withdrawal)
    cell = field(state)
    locked(state, cell, 1, germans)
    assert breaking_off.outmatched(state, cell) is bool(goes)


@pytest.mark.rule("S11.51")
@pytest.mark.parametrize(("at_once", "goes"), [(False, False), (True, True)])
def test_it_does_not_run_into_certain_death(state: SquadState, *, at_once: bool, goes: bool) -> None:
    """At 8-1 the kill number is 11, and 13 against those who withdraw: only who leaves unattacked gets away."""
    cell = field(state)
    stand(state, "e0", "russian 8-0", cell, melee=True)
    locked(state, cell, 0, 2)
    play = playing(state)
    assert breaking_off.kill_number(state, cell, FRIENDLY) == 11
    assert breaking_off.breaks_off(play, cell, at_once=at_once) is goes
    (said,) = play.events
    assert isinstance(said, Decided)
    assert ("nobody would get away" in said.why) is not at_once


@pytest.mark.rule("S11.51")
def test_it_decides_once_for_all_units_of_a_location(state: SquadState) -> None:
    cell = field(state)
    locked(state, cell, 2, 3)
    stand(state, "t9", "german 9-2", cell, melee=True)
    stand(state, "t8", "german 4-6-7", cell, melee=True)
    play = playing(state)
    first = breaking_off.declare(play, Withdrawing(ENEMY), [Withdraw("e0"), Withdraw("e1"), Done()])
    second = breaking_off.declare(play, Withdrawing(ENEMY), [Withdraw("e1"), Done()])
    assert (first, second) == (Withdraw("e0"), Withdraw("e1"))
    assert len(play.events) == 1


@pytest.mark.rule("S11.51")
@pytest.mark.rule("A11.16")
def test_its_broken_units_go_whatever_the_odds(state: SquadState) -> None:
    cell = field(state)
    locked(state, cell, 1, 1)
    stand(state, "e9", "russian 4-4-7", cell, melee=True, broken=True)
    play = playing(state)
    state.stack.append(CloseCombatPhase())
    going.begin(play)
    assert WITHDRAWING in state.units["e9"].marks
    assert WITHDRAWING not in state.units["e0"].marks


@pytest.mark.rule("S11.51")
def test_it_goes_where_the_fewest_see_it(state: SquadState) -> None:
    cell = field(state)
    locked(state, cell, 1, 3)
    near = list(setting_of(state).ground.near[cell])
    watcher = next(far for far in seen(state, near[0], 6) if far not in (cell, *near))
    stand(state, "w", "german 4-6-7", watcher)
    play = playing(state)
    ways = [LeaveTo("e0", to) for to in near]
    chosen = breaking_off.leave(play, Leaving(ENEMY, cell, (("e0",),)), ways)
    assert isinstance(chosen, LeaveTo)
    assert facts.watchers(state, chosen.to) == min(facts.watchers(state, to) for to in near)
    assert any(isinstance(event, Decided) and event.row == "goes" for event in play.events)


@pytest.mark.rule("S11.51")
@pytest.mark.parametrize("why", [AMBUSHES, INFILTRATES])
@pytest.mark.parametrize(("germans", "goes"), [(1, False), (3, True)])
def test_it_infiltrates_and_slips_away_where_it_would_withdraw(
    state: SquadState, why: str, germans: int, *, goes: bool
) -> None:
    cell = field(state)
    locked(state, cell, 1, germans)
    ways = [LeaveTo("e0", to) for to in setting_of(state).ground.near[cell]]
    chosen = breaking_off.leave(playing(state, 1), Leaving(ENEMY, cell, (("e0",),), why), [*ways, StayAndFight()])
    assert (chosen in ways) is goes


@pytest.mark.rule("S11.51")
@pytest.mark.rule("A11.2")
def test_in_play_it_declares_after_the_player_whose_turn_it_is() -> None:
    """The FRIENDLY side attacks a lone squad with three: it hears that the ENEMY withdraws before it declares."""
    match = sandtable.new("sasl/1", seed=8, options=OPTIONS).clone()
    SUSPECTS.of(match.state).clear()
    cell = field(match.state)
    locked(match.state, cell, 1, 3)
    match.state.phase, match.state.attacker = "CCPh", FRIENDLY
    match.state.stack[:] = [CloseCombatPhase(), Withdrawing(ENEMY), Withdrawing(FRIENDLY)]
    match = match.clone()
    assert {action.unit for action in match.actions(FRIENDLY) if isinstance(action, Withdraw)} == {"t0", "t1", "t2"}
    events = match.apply(FRIENDLY, Done())
    kinds = [type(event).__name__ for event in events]
    assert kinds.index("Decided") < kinds.index("WithdrawalDeclared") < kinds.index("CombatBegan")
    preview = match.preview(FRIENDLY, AttackAll())
    assert preview is not None
    assert ("against units that withdraw", -2) in [(item.label, item.value) for item in preview.tallies[2].items]
    match.apply(FRIENDLY, AttackAll())
    assert "e0" not in match.state.units or not match.state.units["e0"].melee


@pytest.mark.rule("S11.51")
@pytest.mark.rule("A11.21")
def test_its_broken_units_stay_where_no_enemy_is_left(state: SquadState) -> None:
    cell = field(state)
    stand(state, "e9", "russian 4-4-7", cell, broken=True)
    ways = [LeaveTo("e9", to) for to in setting_of(state).ground.near[cell]]
    frame = Leaving(ENEMY, cell, (("e9",),))
    assert breaking_off.leave(playing(state), frame, [*ways, StayAndFight()]) == StayAndFight()
    assert breaking_off.leave(playing(state, 1), frame, ways) in ways
    slips = Leaving(ENEMY, cell, (("e9",),), INFILTRATES)
    assert breaking_off.leave(playing(state, 1), slips, [*ways, StayAndFight()]) in ways


@pytest.mark.rule("S11.51")
@pytest.mark.rule("A12.11")
def test_its_reasons_do_not_tell_what_is_still_under_a_question_mark(state: SquadState) -> None:
    cell = field(state)
    locked(state, cell, 1, 1)
    told = []
    for kind in ("russian 6-2-8", "russian 2-2-6"):
        stand(state, "h", kind, cell, concealed=True)
        play = playing(state)
        TRIED.of(state).clear()
        breaking_off.breaks_off(play, cell, at_once=False)
        told += [event.why for event in play.events if isinstance(event, Decided)]
    assert len(told) == 2
    assert told[0] == told[1]


# -- the FRIENDLY side ------------------------------------------------------------------------------


@pytest.mark.rule("A11.21")
@pytest.mark.rule("S3.1")
def test_nobody_withdraws_into_the_location_of_a_suspect(state: SquadState) -> None:
    cell = field(state)
    locked(state, cell, 1, 1)
    to = who.refuges(state, [state.units["t0"]])[0]
    suspects.add(state, at=to)
    bar = who.refuge_bar(state, [state.units["t0"]], to)
    assert bar is not None
    assert bar[1] == "S3.1"
    assert to not in who.refuges(state, [state.units["t0"]])


@pytest.mark.rule("A11.21")
@pytest.mark.rule("A12.11")
def test_what_lies_under_a_question_mark_does_not_change_where_one_may_go(state: SquadState) -> None:
    cell = field(state)
    locked(state, cell, 1, 1)
    to = who.refuges(state, [state.units["t0"]])[0]
    found = []
    for kind in ("russian 6-2-8", "russian 2-2-6"):
        stand(state, "h", kind, to, concealed=True)
        found.append(who.refuges(state, [state.units["t0"]]))
    assert found[0] == found[1]
    assert to in found[0]


@pytest.mark.rule("A11.2")
@pytest.mark.rule("A12.11")
def test_the_chances_of_a_withdrawal_leave_out_what_has_come_under_a_question_mark(state: SquadState) -> None:
    cell = field(state)
    locked(state, cell, 1, 1)
    stand(state, "l", "russian 8-1", cell, melee=True)
    state.stack[:] = [CloseCombatPhase(), Withdrawing(FRIENDLY)]
    found = [words.preview(state, FRIENDLY, Withdraw("t0"))]
    for kind in ("russian 6-2-8", "russian 9-2"):
        stand(state, "h", kind, cell, concealed=True)
        found.append(words.preview(state, FRIENDLY, Withdraw("t0")))
    assert found[0] is not None
    assert found[0] == found[1] == found[2]


@pytest.mark.rule("S11.51")
def test_the_enemy_does_not_count_what_it_does_not_know(state: SquadState) -> None:
    cell = field(state)
    locked(state, cell, 1, 1)
    for number in range(7, 9):
        stand(state, f"t{number}", "german 4-6-7", cell, concealed=True)
    assert not breaking_off.outmatched(state, cell)


@pytest.mark.rule("A11.21")
@pytest.mark.rule("M1")
@pytest.mark.rule("S13")
@pytest.mark.parametrize(("dr", "ahead"), [(6, (1,)), (1, ())])
def test_boards_open_before_those_who_withdraw_towards_the_ebe(dr: int, ahead: tuple[int, ...]) -> None:
    state = mission_without_suspects()
    state.phase, state.attacker = "CCPh", ENEMY
    setting = setting_of(state)
    ground, edge = setting.ground, edge_cells(setting, "east")
    free = [one for one in range(ground.size) if not ground.barred[one]]
    to = next(one for one in free if min(ground.ranges[one][other] for other in edge) == 2)
    cell = next(one for one in ground.near[to] if not ground.barred[one])
    locked(state, cell, 1, 1)
    play = playing(state, dr)
    play.push(Leaving(FRIENDLY, cell, (("t0",),)))
    going.depart(play, Leaving(FRIENDLY, cell, (("t0",),)), ("t0",), to)
    assert ROSTER.of(state).ahead == ahead


# -- readings -------------------------------------------------------------------------------------


@pytest.mark.rule("A11.2")
@pytest.mark.rule("A11.22")
@pytest.mark.rule("A11.16")
@pytest.mark.parametrize(
    ("option", "other", "switch"),
    [
        ("stayers", "two", "cover_unlimited"),
        ("infiltration", "escaped", "rolled_stands"),
        ("broken_melee", "same", "bound_next"),
    ],
)
def test_the_rulings_on_leaving_are_options(option: str, other: str, switch: str) -> None:
    for value, is_on in ((None, True), (other, False)):
        options = {**OPTIONS, **({option: value} if value else {})}
        found: SquadState = sandtable.new("sasl/1", seed=8, options=options).state
        assert getattr(rules_of(found).of(LeavingRules), switch) is is_on
