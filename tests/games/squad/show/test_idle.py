"""Optional steps in which nothing sensible can be done, and what is asked in a quiet turn."""

from __future__ import annotations

import pytest

import sandtable
from sandtable.engine import Match
from sandtable.engine.tools import Orders
from sandtable.server.orders import forced, idle, passes


def passed_over(match: Match) -> list[str]:
    """The phases and questions of the next player turns that a player is asked about, all of them passed."""
    asked = []
    turn = match.game.turn(match.state)
    while match.game.turn(match.state) == turn:
        side = match.to_act[0]
        if forced(match, side) is None and idle(match, side, Orders()) is None:
            asked.append(f"{side} {match.game.view(match.state, side).phase}")
        ends = [action for action in match.actions(side) if passes(match.describe(side, action))]
        match.apply(side, ends[0])
    return asked


@pytest.mark.rule("3.0")
def test_a_quiet_turn_of_the_guide_asks_eight_times() -> None:
    match = sandtable.new("aslguide/intro", seed=3)
    assert len(passed_over(match)) <= 8


@pytest.mark.rule("3.1")
def test_weapon_transfer_is_passed_unless_it_is_opened() -> None:
    match = sandtable.new("aslguide/intro", seed=3)
    (side,) = match.to_act
    found = idle(match, side, Orders())
    assert found is not None
    assert found.step == "transfer"
    assert found.action in match.actions(side)
    assert idle(match, side, Orders(open=("transfer",))) is None
    assert idle(match, side, Orders(idle=False)) is None


@pytest.mark.rule("3.5")
def test_advancing_fire_is_asked_once_somebody_has_moved() -> None:
    match = sandtable.new("aslguide/intro", seed=3)
    moved = False
    while match.game.view(match.state, None).phase != "Advancing Fire Phase":
        side = match.to_act[0]
        actions = list(match.actions(side))
        kinds = {type(action).__name__: action for action in reversed(actions)}
        wanted = None
        if not moved and match.game.view(match.state, side).phase == "Movement Phase":
            wanted = kinds.get("Step") or kinds.get("BeginMove") or kinds.get("StartMove")
            moved = "Step" in kinds
        ends = [action for action in actions if passes(match.describe(side, action))]
        match.apply(side, wanted or ends[0])
    (side,) = match.to_act
    assert idle(match, side, Orders()) is None
