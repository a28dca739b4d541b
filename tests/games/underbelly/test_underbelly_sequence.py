"""Sequence of play (5.0)."""

from __future__ import annotations

import pytest
from underbelly_story import do, end_phases, goals, legal, match_of, names, play, state_of

import sandtable
from sandtable.engine import ScriptedDice
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly.model import Opening, Reinforcing

rule = pytest.mark.rule


def set_up(scenario: str, *faces: int) -> sandtable.Match:
    match = sandtable.new(f"underbelly/{scenario}", dice=ScriptedDice(*faces))
    do(match, a.Place("BR-5", "5322"), a.Place("BR-1C", "5322"), a.Place("BR-XIII", "5322"))
    return match


@rule("5.4")
def test_the_first_turn_begins_with_the_germans_and_one_allied_tac() -> None:
    match = set_up("historical")
    assert match.state.tac == 1
    assert match.state.airborne == "ready"
    assert match.to_act == ("allied",)  # he may interrupt with the 82nd
    do(match, a.PassDrop())
    assert match.to_act == ("german",)
    assert match.state.cp == 6


@rule("5.1")
@rule("5.2")
@rule("5.3")
def test_allied_then_german_turn_then_the_next_game_turn() -> None:
    match = set_up("historical")
    seen = []
    while match.state.turn < 3:
        before = (match.state.turn, match.state.side)
        if not seen or seen[-1] != before:
            seen.append(before)
        end_phases(match, match.state.turn + 1) if match.state.turn == 1 else do(match, *_next(match))
    assert seen == [(1, "german"), (2, "allied"), (2, "german")]


def _next(match: sandtable.Match) -> list[object]:
    for kind in (a.DeclineTac, a.PassDrop, a.EndPhase):
        found = legal(match, kind)
        if found:
            return [found[0]]
    return [match.actions(match.to_act[0])[0]]


@rule("5.5")
def test_british_units_are_halved_in_turns_two_to_five_of_the_historical_scenario() -> None:
    for turn, scenario, mf in ((2, "historical", 4), (5, "historical", 4), (6, "historical", 8), (3, "wat", 8)):
        match = play({"BR-5": "5223"}, side="allied", turn=turn, scenario=scenario)
        assert bool([m for m in legal(match, a.Move) if m.column]) == (mf == 8)
        do(match, a.Move("5223"))
        assert match.state.stack[-1].left == (mf,)


@rule("5.5")
def test_us_units_do_not_hesitate() -> None:
    match = play({"US-36": "2921"}, side="allied", turn=2)
    do(match, a.Move("2921"))
    assert match.state.stack[-1].left == (8,)
    assert goals(match)


@rule("5.2")
def test_the_allied_phase_opens_with_its_decisions() -> None:
    state = state_of({"US-36": "2921"}, side="german", turn=4)
    state.stack = [Reinforcing("allied")]
    match = match_of(state)
    assert isinstance(match.state.stack[-1], Opening)
    assert match.state.cp == 7
    assert "PhaseBegan" in names([event for _, event in match.events("allied")])
