"""Doors into close combat: frames between its steps, units that make no attack, pairs that are barred."""

from __future__ import annotations

from typing import Any

import pytest
from squad_support import _cards, do, drill, get, offered, unit

from sandtable.engine import Frame, Play, Procedure, register
from sandtable.engine.errors import IllegalAction
from sandtable.games.squad.combat.model import AttackAll, JoinAttack, StackOn
from sandtable.games.squad.game import SquadGame
from sandtable.games.squad.part import Part
from sandtable.games.squad.parts import COMMON
from sandtable.games.squad.rulesets import STARTER_KIT


class Pause(Frame, frozen=True):
    """A toy frame that does nothing but let time pass."""


class Passing(Procedure[Any, Pause]):
    """It goes by itself."""

    def to_act(self, state: Any, frame: Pause) -> tuple[str, ...]:
        return ()

    def run(self, play: Play[Any], frame: Pause) -> None:
        play.pop()


def test_a_part_puts_frames_in_between_the_steps_of_a_close_combat() -> None:
    told: list[tuple[str, int]] = []

    def pause(play: Play[Any], frame: Any, moment: str) -> None:
        told.append((moment, len(frame.rolls)))
        play.push(Pause())

    units = [unit("r", "russian 4-4-7", "E6", engaged=True), unit("g", "german 4-6-7", "E6")]
    part = Part(fights=pause, procedures={Pause: Passing()})
    register(SquadGame("pausing", "pausing", STARTER_KIT, _cards, {}, parts=(*COMMON, part)))
    match = drill("z", "CCPh", units, game="pausing", dice=(5, 5, 5, 5))
    do(match, AttackAll(), AttackAll())
    assert told == [("rolled", 1), ("rolled", 2), ("fought", 0)]
    assert get(match, "r").melee


def test_a_part_bars_attacks_in_close_combat_and_pairs() -> None:
    shy = Part(
        bars={
            "combat": lambda state, one: ("too shy", "toy") if one.id == "r" else None,
            "pair": lambda state, leader, base: ("not friends", "toy"),
        }
    )
    units = [
        unit("r", "russian 4-4-7", "E6", engaged=True),
        unit("s", "russian 4-4-7", "E6", engaged=True),
        unit("l", "russian 8-0", "E6", engaged=True),
        unit("g", "german 4-6-7", "E6"),
    ]
    register(SquadGame("shy", "shy", STARTER_KIT, _cards, {}, parts=(*COMMON, shy)))
    match = drill("z", "CCPh", units, game="shy")
    assert offered(match, StackOn) == []
    assert [action.unit for action in offered(match, JoinAttack)] == ["s", "l"]
    with pytest.raises(IllegalAction, match="too shy"):
        do(match, JoinAttack("r"))
