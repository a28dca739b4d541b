"""What the other side is asked is not told by the rule number of the question (6.9)."""

from __future__ import annotations

import random

import pytest

import sandtable


@pytest.mark.rule("6.9")
def test_only_the_side_that_decides_is_told_the_rule_of_the_question() -> None:
    match = sandtable.new("underbelly/wat", seed=5)
    source = random.Random(5)
    told = 0
    while match.to_act and match.version < 300:
        side = match.to_act[0]
        told += bool(match.view(side).get("prompt_rule"))
        for other in (*(one for one in match.sides if one != side), None):
            assert not match.view(other).get("prompt_rule")
        match.apply(side, source.choice(match.actions(side)))
    assert told > 0
