"""The luck of the dice is that of the play: what was rolled before it is nobody's."""

from __future__ import annotations

import pytest

from sandtable.engine import Match, new, replay
from sandtable.engine.events import Rolled
from sandtable.engine.registry import register
from sandtable.games.sasl import GAME
from sandtable.games.squad.phases.model import TurnBegan
from sandtable.sim.playing import Plan, play_game
from sandtable.sim.story import tell

register(GAME)


def rolls_of_play(match: Match) -> list[Rolled]:
    """Replayed, what both sides have rolled since the first turn began."""
    found: list[Rolled] = []

    def each(match: Match, step: int) -> None:
        for _, event in match.events(since=step, everything=True):
            if isinstance(event, TurnBegan) and event.turn == 1 and not begun:
                begun.append(event)
                found.clear()
            if isinstance(event, Rolled):
                found.append(event)

    begun: list[TurnBegan] = []
    record = match.record()
    replay(record, steps=len(record.entries), each=each)
    return found


def test_what_the_tables_roll_before_play_is_not_the_luck_of_the_enemy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GAME, "length_limit", 30)
    plan = Plan("sasl/1", {"friendly": "random"}, options={"boards": "shipped"}, seed=3)
    result, match = play_game(plan, 0)
    rolls = rolls_of_play(match)
    own = [face - 3.5 for roll in rolls if roll.by == "friendly" and roll.sides == 6 for face in roll.faces]
    assert result.luck["friendly"] == pytest.approx(sum(own) / len(own), abs=1e-4)
    story = tell(match.record())
    assert sum(one.rolls for one in story.luck) == len(rolls)
    kinds = {one.kind for one in story.luck}
    assert "Wind Change and Random Event" in kinds
    assert not kinds & {"Line", "Type", "Company leader", "Mapboard", "Alignment"}
    assert len([event for _, event in new("sasl/1", seed=3, options=plan.options).events(everything=True)]) > 20
