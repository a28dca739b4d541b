"""What computer players write down in secret in Soft Underbelly is not always the same (8.10)."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from sandtable.engine import Match, ScriptedDice, Seat, new
from sandtable.games.underbelly import GAME
from sandtable.games.underbelly.actions import Plot
from sandtable.games.underbelly.model import Plotting
from sandtable.players import make_player

TIMES = 200
MOST = 0.35


@pytest.mark.rule("8.10")
@pytest.mark.parametrize("level", ["recruit", "regular"])
def test_no_turn_is_plotted_too_often(level: str) -> None:
    start = new("underbelly/wat", seed=1)
    state = start.state.clone()
    state.stack = [Plotting()]
    seat = Seat(Match(GAME, start.header, state, ScriptedDice()), "allied")
    plots = [make_player("underbelly", level).choose(seat, Random(f"match {number}")) for number in range(TIMES)]
    assert all(isinstance(plot, Plot) for plot in plots)
    assert max(Counter(plots).values()) <= MOST * TIMES
