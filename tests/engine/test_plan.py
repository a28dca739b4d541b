"""From pieces and a place to the actions that do it, in every game."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import sandtable
from sandtable.engine import Match
from sandtable.engine.plan import goals, plans, with_chance


def positions(game: str, number: int, seed: int) -> Iterator[tuple[Match, str]]:
    """Positions of random play in which a side decides."""
    source = random.Random(seed)
    match = sandtable.new(game, seed=seed)
    for _ in range(number):
        if match.outcome is not None:
            seed += 1
            match = sandtable.new(game, seed=seed)
        side = match.to_act[0]
        yield match, side
        match.apply(side, source.choice(list(match.actions(side))))


@pytest.mark.parametrize("game", ["aslguide/intro", "aslsk2/S12", "pbi/village", "underbelly/historical"])
def test_every_place_in_reach_has_a_plan_and_every_plan_is_legal(game: str) -> None:
    tried = 0
    for match, side in positions(game, 60, 5):
        able = sorted({piece for action in match.actions(side) for piece in match.describe(side, action).pieces})
        for piece in able[:2]:
            for goal in goals(match, side, [piece])[:4]:
                found, _ = plans(match, side, [piece], goal.cell)
                assert found, f"{piece} cannot {goal.text or 'go'} to {goal.cell}"
                assert piece in found[0].pieces
                tried += 1
                copy = match.clone()
                for action in found[0].actions:
                    if copy.to_act != (side,) or (copy.version > match.version and copy.why_no_undo(side)):
                        break  # dice or another's decision came between
                    assert action in copy.actions(side)
                    copy.apply(side, action)
    assert tried > 50


def prep_fire() -> tuple[Match, str]:
    match = sandtable.new("aslguide/intro", seed=3)
    while match.game.view(match.state, None).phase != "Prep Fire Phase":
        side = match.to_act[0]
        match.apply(side, list(match.actions(side))[-1])
    return match, match.to_act[0]


@pytest.mark.rule("3.2.2")
def test_two_squads_and_their_leader_fire_together_whatever_was_named_first() -> None:
    match, side = prep_fire()
    best = 0
    for first in match.actions(side):
        said = match.describe(side, first)
        if not said.pieces:
            continue
        stack = [piece.id for piece in match.game.view(match.state, side).pieces if piece.at in said.cells]
        for goal in goals(match, side, list(said.pieces)):
            found, _ = plans(match, side, stack, goal.cell)
            again, _ = plans(match, side, stack[::-1], goal.cell)
            assert {*found[0].pieces} == {*again[0].pieces}
            assert found[0].role == "resolve"
            best = max(best, len(found[0].pieces))
    assert best >= 4


def test_the_question_changes_nothing() -> None:
    match, side = prep_fire()
    before = match.view(side)
    position = match.dice.position
    for action in match.actions(side):
        for piece in match.describe(side, action).pieces:
            goals(match, side, [piece])
    assert match.view(side) == before
    assert match.dice.position == position


@pytest.mark.rule("3.3.1")
def test_whoever_may_fire_at_a_mover_sees_the_target_and_the_chance() -> None:
    match = sandtable.new("aslsk2/S12", seed=1)
    source = random.Random(3)
    guns = squads = 0
    while not (guns and squads):
        side = match.to_act[0]
        offered = [match.describe(side, action) for action in match.actions(side)]
        if any(said.text == "Hold fire" for said in offered):
            for said in (one for one in offered if one.role == "start"):
                (goal,) = goals(match, side, said.pieces[:1])
                chance = with_chance(match, side, said.pieces[:1], goal)
                assert chance.chance is not None
                assert chance.label == ("hits" if said.text.startswith("Shoot") else chance.label)
                guns += said.text.startswith("Shoot")
                squads += said.text.startswith("Defensive First Fire")
        match.apply(side, source.choice(list(match.actions(side))))
