"""A warning before a decision that loses the game at once."""

from __future__ import annotations

import pytest

import sandtable
from sandtable.games.underbelly.actions import EndPhase, Move
from sandtable.games.underbelly.atlas import PAESTUM, SALERNO
from sandtable.games.underbelly.model import GONE
from sandtable.server.picture import choices


def in_allied_commands() -> sandtable.Match:
    """The first command phase of the Allies in the historical scenario."""
    match = sandtable.new("underbelly/historical", seed=4)
    while type(match.state.stack[-1]).__name__ != "Commands" or match.to_act != ("allied",):
        side = match.to_act[0]
        ends = [action for action in match.actions(side) if match.describe(side, action).role == "pass"]
        match.apply(side, (ends or list(match.actions(side)))[0])
    return match


@pytest.mark.rule("4.1")
def test_an_empty_beach_is_warned_of_before_the_phase_ends() -> None:
    match = in_allied_commands()
    garrisons = [unit for unit, at in match.state.at.items() if at in (SALERNO, PAESTUM)]
    end = next(choice for choice in choices(match, "allied") if isinstance(choice.action, EndPhase))
    if all(any(match.state.at[unit] == at for unit in garrisons) for at in (SALERNO, PAESTUM)):
        assert end.warning == ""
    for unit in garrisons:
        if match.state.at[unit] == SALERNO:
            match.state.at[unit] = GONE
    match.adopt(match.state)
    end = next(choice for choice in choices(match, "allied") if isinstance(choice.action, EndPhase))
    assert "Salerno" in end.warning
    assert "4.1" in end.warning


@pytest.mark.rule("4.1")
def test_a_move_that_would_leave_a_beach_is_warned_of() -> None:
    match = in_allied_commands()
    leaving = [c for c in choices(match, "allied") if isinstance(c.action, Move) and c.action.at == SALERNO]
    assert leaving
    assert all("Salerno" in choice.warning for choice in leaving if not choice.action.column)
