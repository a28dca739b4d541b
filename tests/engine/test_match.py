"""A match: acting, refusing, taking back, cloning."""

from __future__ import annotations

from typing import Any

import pytest

import sandtable
from sandtable.engine import Match, Rolled, ScriptedDice
from sandtable.engine.errors import (
    BadOption,
    CannotUndo,
    IllegalAction,
    MatchOver,
    RulesFault,
    StaleAction,
    UnknownGame,
    UnknownScenario,
    WrongSide,
)
from sandtable.engine.events import TookBack
from sandtable.games.pbi.actions import Deploy
from tiny.model import BLUE, RED, Done, Fire, HideAt, Hold, Move, Piece


def start(*faces: int) -> Match:
    match = sandtable.new("tiny/post", seed=1, dice=ScriptedDice(*faces))
    match.apply(BLUE, HideAt("c3"))
    return match


def test_a_match_says_who_must_decide_and_what_is_possible() -> None:
    match = sandtable.new("tiny/post", seed=1)
    assert match.to_act == (BLUE,)
    assert len(match.actions(BLUE)) == 5
    assert HideAt("c1") in match.actions(BLUE)
    assert len(match.actions(RED)) == 0
    assert repr(match) == "<Match tiny/post step 0, blue to act>"
    assert repr(match.actions(BLUE)) == "<5 actions>"


def test_unknown_names_are_refused_with_what_there_is() -> None:
    with pytest.raises(UnknownGame, match="tiny"):
        sandtable.new("chess/initial")
    with pytest.raises(UnknownScenario, match="it has post"):
        sandtable.new("tiny/pots")
    with pytest.raises(BadOption, match="it has reds"):
        sandtable.new("tiny/post", options={"greens": "3"})
    with pytest.raises(BadOption, match="one of 3, 4"):
        sandtable.new("tiny/post", options={"reds": "5"})


def test_options_change_the_set_up() -> None:
    assert len(sandtable.new("tiny/post", options={"reds": "4"}).state.pieces) == 6


def test_illegal_actions_name_the_rule_and_change_nothing() -> None:
    match = start()
    before = match.state.clone()
    with pytest.raises(IllegalAction) as refused:
        match.apply(RED, Move("b1", "c3"))
    assert refused.value.rule == "1.1"
    assert str(refused.value) == "red has no piece b1 (1.1)"
    with pytest.raises(WrongSide, match="for red to decide now, not for blue"):
        match.apply(BLUE, Done())
    with pytest.raises(WrongSide, match="the sides are red, blue"):
        match.apply("green", Done())
    with pytest.raises(StaleAction, match="step 0, but the match is at step 1"):
        match.apply(RED, Done(), at=0)
    assert match.state == before
    assert match.version == 1


@pytest.mark.parametrize(
    "junk", [None, 5, "Done", {"type": "Done"}, object(), Deploy("x"), Move(["r2"], "b2"), Move("r2", 9)]
)  # type: ignore[arg-type]
def test_what_is_no_action_of_the_game_is_refused_in_a_sentence(junk: Any) -> None:
    match = start()
    with pytest.raises(IllegalAction, match=r"^This is no action of tiny: take one that match.actions\('red'\) lists$"):
        match.apply(RED, junk)
    with pytest.raises(IllegalAction, match="This is no action of tiny"):
        match.preview(RED, junk)
    assert match.version == 1


def test_reaction_fire_interrupts_a_move() -> None:
    match = start(5, 4)
    match.apply(RED, Move("r2", "b2"))
    assert match.to_act == (BLUE,)
    assert list(match.actions(BLUE)) == [Fire("b3", "r2"), Hold()]
    events = match.apply(BLUE, Fire("b3", "r2"))
    names = [type(event).__name__ for event in events]
    assert names == ["Revealed", "Rolled", "Hit"]
    rolled = events[1]
    assert isinstance(rolled, Rolled)
    assert rolled.tally is not None
    assert (
        str(rolled.tally) == "Fire: next to the target +2 [3.1], target in woods -2 [3.2], target moves +1 [3.4] = +1"
    )
    assert match.state.pieces["r2"].shaken


def test_the_view_adds_only_what_a_side_may_know() -> None:
    match = start()

    def ids(side: str | None) -> set[str]:
        return {piece["id"] for piece in match.view(side)["pieces"]}

    assert "b3" in ids(BLUE)
    assert "b3" not in ids(RED)
    assert "b3" not in ids(None)


def test_the_preview_is_the_tally_that_decides() -> None:
    match = start()
    match.apply(RED, Move("r2", "b2"))
    preview = match.preview(BLUE, Fire("b3", "r2"))
    assert preview is not None
    assert preview.odds[0].chance == pytest.approx(21 / 36)
    with pytest.raises(IllegalAction):
        match.preview(BLUE, Fire("b1", "r2"))


def test_events_go_to_those_who_may_know_them() -> None:
    match = start()
    assert "Hidden" in [type(event).__name__ for _, event in match.events(BLUE)]
    assert "Hidden" not in [type(event).__name__ for _, event in match.events(RED)]
    assert "Hidden" in [type(event).__name__ for _, event in match.events(None, everything=True)]
    assert match.events(RED, since=2) == []


# -- taking back ----------------------------------------------------------------------------


def test_a_move_that_nobody_answered_can_be_taken_back() -> None:
    match = start()
    match.state.pieces["b3"] = Piece("b3", BLUE, "e4")  # in the open, far away: no window opens
    match.adopt(match.state)
    before = match.state.clone()
    match.apply(RED, Move("r1", "a2"))
    match.apply(RED, Move("r3", "b5"))
    match.undo(RED)
    match.undo(RED)
    assert match.state == before
    assert [type(entry).__name__ for entry in match.record().entries[-2:]] == ["Takeback", "Takeback"]
    with pytest.raises(CannotUndo):
        match.undo(RED)


def test_dice_cannot_be_taken_back_without_consent() -> None:
    match = start(5, 4, 1, 1)
    match.apply(RED, Move("r2", "b2"))
    match.apply(BLUE, Fire("b3", "r2"))
    assert match.why_no_undo(BLUE) == "Dice have been rolled since."
    with pytest.raises(CannotUndo, match="Dice have been rolled"):
        match.undo(BLUE)
    match.undo(BLUE, consent=True)
    assert not match.state.pieces["r2"].shaken
    assert match.to_act == (BLUE,)
    match.apply(BLUE, Fire("b3", "r2"))  # the dice go on: they are not the same again
    assert match.last_rolls == ((6, (1, 1)),)


def test_the_other_sides_decision_is_a_barrier() -> None:
    match = start()
    match.apply(RED, Move("r2", "b2"))
    match.apply(BLUE, Hold())
    assert match.why_no_undo(RED) == "The decision has passed to the other side since."
    match.undo(RED, consent=True)
    assert match.state.pieces["r2"].at == "a3"
    assert isinstance(match.events(RED)[-1][1], TookBack)


def test_a_reveal_is_a_barrier() -> None:
    match = start()
    match.state.pieces["r2"] = Piece("r2", RED, "b3")
    match.adopt(match.state)
    match.apply(RED, Move("r2", "c3"))  # runs into the ambusher
    assert match.to_act == (RED,)
    assert not match.last_rolls
    assert match.why_no_undo(RED) == "Something hidden has been revealed since."


def test_taking_back_reaches_over_checkpoints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.engine.match.CHECKPOINT", 4)
    match = sandtable.new("tiny/post", seed=9)
    steps = []
    for n in range(25):
        side = match.to_act[0]
        steps.append((side, match.state.clone()))
        match.apply(side, match.actions(side)[n % len(match.actions(side))])
    for side, before in reversed(steps):
        match.undo(side, consent=True)
        assert match.state == before
    assert match.version == 50


# -- cloning --------------------------------------------------------------------------------


def test_clones_are_independent_and_roll_the_same() -> None:
    match = sandtable.new("tiny/post", seed=3)
    match.apply(BLUE, HideAt("c3"))
    match.apply(RED, Move("r2", "b2"))
    copy = match.clone()
    copy.apply(BLUE, Fire("b3", "r2"))
    assert match.state.pieces["b3"].hidden
    match.apply(BLUE, Fire("b3", "r2"))
    assert match.last_rolls == copy.last_rolls
    assert match.state == copy.state


def test_a_fault_of_the_rules_leaves_the_match_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    match = start(6, 6, 1, 1)
    match.apply(RED, Move("r2", "b2"))
    before = match.state.clone()

    def broken(state: object) -> None:
        raise ZeroDivisionError("in the rules")

    with monkeypatch.context() as patch:
        patch.setattr("tiny.rules.judge", broken)
        with pytest.raises(RulesFault, match="ZeroDivisionError: in the rules"):
            match.apply(BLUE, Fire("b3", "r2"))
    assert match.state == before
    assert match.to_act == (BLUE,)
    match.apply(BLUE, Fire("b3", "r2"))
    assert match.last_rolls == ((6, (6, 6)),)


def test_nothing_can_be_done_after_the_end() -> None:
    match = start(6, 6, 6, 6, 6, 6)
    match.state.pieces = {"r1": Piece("r1", RED, "e3"), "b1": Piece("b1", BLUE, "a1")}
    match.adopt(match.state)
    events = match.apply(RED, Done())
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.rule) == (RED, "4.2")
    assert type(events[-1]).__name__ == "Ended"
    with pytest.raises(MatchOver):
        match.apply(RED, Done())
    with pytest.raises(CannotUndo, match="over"):
        match.undo(RED)
