"""Mission 1 played from the first roll to the verdict."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import sandtable
from sandtable.engine import Decided, Match
from sandtable.engine.registry import register
from sandtable.games.sasl import GAME, activation
from sandtable.games.sasl.model import ENEMY, FRIENDLY, OBJECTIVES, SUSPECTS
from sandtable.games.sasl.rolled import rolled_in
from sandtable.games.squad.scenario.model import AutoSetUp, SetUpDone

register(GAME)


@pytest.fixture(scope="module")
def match() -> Match:
    """A mission that random play has ended."""
    found = sandtable.new("sasl/1", seed=4)
    source = random.Random(4)
    while found.outcome is None:
        legal = found.actions(FRIENDLY)
        found.apply(FRIENDLY, legal[source.randrange(len(legal))])
    return found


def test_only_the_friendly_side_is_ever_asked(match: Match) -> None:
    assert {step.side for step in match.record().entries if hasattr(step, "side")} == {FRIENDLY}


def test_every_decision_names_its_table_and_row(match: Match) -> None:
    decided = [event for _, event in match.events(FRIENDLY) if isinstance(event, Decided)]
    assert {event.table for event in decided} >= {"A8a", "A9", "SA-42", "A10b", "Mission End"}
    assert all(event.row for event in decided if event.table != "SA-42"), "a ruling has no rows"


def test_it_ends_by_victory_points(match: Match) -> None:
    assert match.outcome is not None
    assert "FRIENDLY" in match.outcome.reason


def test_the_record_replays(match: Match) -> None:
    assert sandtable.replay(match.record()).state == match.state


def test_set_up_places_vpo_and_suspects_away_from_the_fbe() -> None:
    state = sandtable.new("sasl/1", seed=4).state
    assert 1 <= len(OBJECTIVES.of(state)) <= 3
    assert SUSPECTS.of(state)
    assert all(one.owner() == ENEMY for one in OBJECTIVES.of(state).values())
    assert rolled_in(state).units


@pytest.mark.parametrize("drm", [-1, 0, 1, 2])
def test_the_odds_of_a_suspect_are_those_of_the_36_throws(drm: int) -> None:
    assert sum(share for _, share in activation.contents_odds(drm)) == 1


def test_a_suspect_of_mission_1_is_nothing_in_5_of_36() -> None:
    assert dict(activation.contents_odds(1))["nothing"] == Fraction(5, 36)


@pytest.mark.rule("M1")
def test_who_places_nobody_is_told_that_his_company_waits() -> None:
    """Units may enter on turn 1 or later, so nobody must; the page says what going on means."""
    match = sandtable.new(
        "sasl/1", seed=8, options={"friendly": "G", "enemy": "R", "year": "1943", "boards": "shipped"}
    )
    assert match.view(FRIENDLY)["prompt"].endswith("the others may come later")
    number = sum(unit.side == FRIENDLY for unit in match.state.units.values())
    nobody = match.describe(FRIENDLY, SetUpDone())
    assert nobody.text == f"Go on: {number} units wait off board for a later turn"
    assert "this turn would pass without you" in nobody.notes[0]
    match.apply(FRIENDLY, AutoSetUp())
    assert match.describe(FRIENDLY, SetUpDone()).text == "The set-up is done"


@pytest.mark.rule("S15.5")
def test_whoever_has_not_come_on_waits_for_a_later_turn() -> None:
    match = sandtable.new("sasl/1", seed=8, options={"friendly": "G", "boards": "shipped"})
    match.apply(FRIENDLY, AutoSetUp())
    match.apply(FRIENDLY, SetUpDone())
    company = {unit.id for unit in match.state.units.values() if unit.side == FRIENDLY}
    while match.state.turn == 1:
        match.apply(FRIENDLY, next(one for one in reversed(match.actions(FRIENDLY)) if type(one).__name__[:3] == "End"))
    assert company <= {unit.id for unit in match.state.units.values() if unit.beside < 0 and unit.at < 0}
    assert not match.state.gone
