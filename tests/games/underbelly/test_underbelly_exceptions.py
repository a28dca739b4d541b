"""Exceptions of the booklet's rules that no other story tells."""

from __future__ import annotations

import pytest
from underbelly_story import do, legal, match_of, play, state_of

from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly.model import TurnEnd

rule = pytest.mark.rule


@rule("4.1")
@rule("12.9")
def test_the_dropped_82nd_does_not_leave_the_map() -> None:
    match = play({"US-82A": "1016", "US-36": "1018"}, side="allied", airborne="dropped", dropped=5)
    do(match, a.Move("1016"))
    assert not legal(match, a.Exit)
    other = play({"US-36": "1016"}, side="allied")
    do(other, a.Move("1016"))
    assert legal(other, a.Exit)


@rule("4.2")
def test_watch_on_the_tiber_has_no_last_supply_check() -> None:
    ring = {"10-16Pz": "4603", "US-36": "4503", "US-45": "4504", "US-3": "4703", "US-34": "4704"}
    state = state_of(ring, scenario="wat", turn=23, switched=9)
    state.stack = [TurnEnd(1)]
    match = match_of(state)
    assert match.outcome is not None
    assert match.state.at["10-16Pz"] == "4603"
