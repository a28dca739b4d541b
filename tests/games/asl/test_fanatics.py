"""Fanatics (A10.8)."""

from __future__ import annotations

import pytest
from asl_support import people
from squad_support import cell, get, rule, unit

from sandtable.engine import Play, ScriptedDice
from sandtable.games.asl.fanatics.part import FANATIC, make_fanatic
from sandtable.games.squad.effects.morale import morale_level
from sandtable.games.squad.effects.promotion import promote
from sandtable.games.squad.fire.firepower import cowering_columns
from sandtable.games.squad.fire.model import FireAttack

UNITS = (unit("r", "russian 4-4-7", "I5"), unit("g", "german 4-6-7", "J5"))


@rule("A10.8")
@pytest.mark.parametrize("broken", [False, True])
def test_morale_is_one_higher_on_both_sides(broken: bool) -> None:
    match = people("z", "PFPh", unit("r", "russian 4-4-7", "I5", broken=broken), UNITS[1])
    before = morale_level(match.state, get(match, "r"))
    play = Play(match.state, ScriptedDice())
    make_fanatic(play, get(match, "r"))
    make_fanatic(play, get(match, "r"))
    assert morale_level(match.state, get(match, "r")) == before + 1
    assert [match.game.words(event, match.state) for event in play.events] == ["4-4-7 r in I5 becomes Fanatic (A10.8)"]


@rule("A.18")
def test_morale_is_never_above_ten() -> None:
    match = people("z", "PFPh", unit("l", "german 10-2", "I5"), UNITS[1])
    make_fanatic(Play(match.state, ScriptedDice()), get(match, "l"))
    assert morale_level(match.state, get(match, "l")) == 10


@rule("A10.8")
def test_fanatics_do_not_cower() -> None:
    match = people("z", "PFPh", *UNITS)
    attack = FireAttack(side="russian", mode="prep", target=cell(match, "J5"), units=("r",))
    assert cowering_columns(match.state, attack) == 1
    make_fanatic(Play(match.state, ScriptedDice()), get(match, "r"))
    assert cowering_columns(match.state, attack) == 0


@rule("A10.8")
def test_a_leader_who_rises_from_fanatics_is_fanatic() -> None:
    match = people("z", "PFPh", *UNITS)
    play = Play(match.state, ScriptedDice(2))
    leader = promote(play, make_fanatic(play, get(match, "g")))
    assert leader is not None
    assert leader.marks == (FANATIC,)
    assert leader.lifted == 1
