"""A side that nobody plays: the rules choose from the ordinary legal actions, with dice and a reason."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import sandtable
from sandtable.engine import Action, Decided, Frame, Match, Play, Record, registry
from sandtable.engine.errors import RulesFault
from sandtable.engine.harness import fuzz
from sandtable.engine.search import branches
from tiny.game import Outpost
from tiny.model import BLUE, RED, HideAt, Move, OutpostState


class Solo(Outpost):
    """Outpost with a red side that a die moves."""

    id = "solo"
    cheats = False

    def ruled(self, state: OutpostState) -> Sequence[str]:
        return (RED,)

    def decide(self, play: Play[OutpostState], frame: Frame, side: str, legal: Sequence[Action]) -> Action:
        (die,) = play.roll(6, 1, "what red does", by=side)
        row = die % len(legal)
        play.emit(Decided(side=side, table="Orders", row=f"row {row}", faces=(die,), why="the die says so"))
        return Move("r1", "e5") if self.cheats else legal[row]


@pytest.fixture
def solo(monkeypatch: pytest.MonkeyPatch) -> Solo:
    game = Solo()
    monkeypatch.setitem(registry._registered, game.id, game)
    return game


def begin(seed: int = 3) -> Match:
    match = sandtable.new("solo/post", seed=seed)
    match.apply(BLUE, HideAt("c3"))
    return match


def test_the_side_is_never_asked(solo: Solo) -> None:
    match = begin()
    while match.outcome is None:
        assert match.to_act == (BLUE,)
        match.apply(BLUE, match.actions(BLUE)[-1])
    assert all(step.side == BLUE for step in match.record().entries if hasattr(step, "side"))


def test_each_choice_says_table_roll_and_row(solo: Solo) -> None:
    decided = [event for _, event in begin().events(BLUE) if isinstance(event, Decided)]
    assert decided
    words = solo.words(decided[0], begin().state)
    assert words == f"Orders (rolled {decided[0].faces[0]}), {decided[0].row}: the die says so"


def test_records_replay_and_verify(solo: Solo) -> None:
    match = begin()
    while match.outcome is None:
        match.apply(BLUE, match.actions(BLUE)[-1])
    record: Record = match.record()
    assert sandtable.replay(record).state == match.state
    assert sandtable.verify(record)


def test_taking_back_stops_at_its_dice(solo: Solo) -> None:
    assert begin().why_no_undo(BLUE) == "Dice have been rolled since."


def test_odds_branch_over_its_dice(solo: Solo) -> None:
    match = sandtable.new("solo/post", seed=3)
    found = list(branches(match, BLUE, HideAt("c3")))
    assert sum(chance for chance, _ in found) == pytest.approx(1)
    assert len({str(after.state) for _, after in found}) > 1


def test_an_illegal_choice_is_a_fault_of_the_rules(solo: Solo) -> None:
    solo.cheats = True
    match = sandtable.new("solo/post", seed=3)
    with pytest.raises(RulesFault, match="not legal"):
        match.apply(BLUE, HideAt("c3"))


def test_random_play_of_the_other_side_holds(solo: Solo) -> None:
    assert fuzz("solo/post", games=10, seed=1, checks=0.5).errors == []
