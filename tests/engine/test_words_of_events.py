"""What is said while an action is carried out."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import Ended, Event, Rolled
from sandtable.engine.game import words
from sandtable.engine.play import TellingPlay
from sandtable.engine.tally import Tally


@pytest.mark.parametrize("say", [None, lambda event, state: f"{event.reason}!"])
def test_what_is_said_in_front_keeps_the_words_with_their_events(say: Any) -> None:
    def hear(event: Event, state: Any) -> list[Event]:
        return [event, event] if isinstance(event, Ended) and event.reason == "cause" else [event]

    play: TellingPlay[Any] = TellingPlay(None, ScriptedDice([]), say, hear)
    for reason in ("before", "first", "second"):
        play.emit(Ended(winner="", reason=reason))
    play.emit_before(1, Ended(winner="", reason="cause"))
    said = ["before", "cause", "cause", "first", "second"]
    assert [event.reason for event in play.events if isinstance(event, Ended)] == said
    assert play.said == ([f"{words}!" for words in said] if say else [])


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("recovery", "Recovery: rolled 5 (no modifiers)"),
        ("Recovery of LMG A", "Recovery of LMG A: rolled 5 (no modifiers)"),
        ("rally: C", "Rally: C: rolled 5 (Recovery: no modifiers)"),
    ],
)
def test_what_is_rolled_for_is_said_once(why: str, said: str) -> None:
    assert words(Rolled(why=why, sides=6, faces=(5,), tally=Tally("Recovery"))) == said
