"""Asking the parts of a game: what they forbid, what they make of a fate, and telling them of dice (`part.py`)."""

from __future__ import annotations

from typing import Any

from sandtable.engine import Play
from sandtable.engine.part import Bar
from sandtable.games.squad.ground.setting import Setting, setting_of
from sandtable.games.squad.part import Roll
from sandtable.games.squad.pieces.model import SquadState, Unit


def part_bar(state: SquadState, question: str, *asked: Any) -> Bar | None:
    """The first reason that a part has against something (`part.BARS`), a counter on a unit among them."""
    bar: Bar | None
    if asked and isinstance(asked[0], Unit) and asked[0].marks:
        bar = barred(setting_of(state), asked[0], question)
        if bar is not None:
            return bar
    for find in setting_of(state).points.bars[question]:
        bar = find(state, *asked)
        if bar is not None:
            return bar
    return None


def barred(setting: Setting, unit: Unit, what: str) -> Bar | None:
    """Which counter on a unit keeps it from doing something (`part.MarkKind`)."""
    for name in unit.marks:
        kind = setting.points.marks.get(name)
        if kind is not None and what in kind.bars:
            return kind.why, kind.rule
    return None


def averted(play: Play[SquadState], fate: str, unit: Unit, why: str = "") -> bool:
    """Whether a part deals with what is about to befall a unit, so that it does not happen (`part.FATES`)."""
    return any(step_in(play, unit, why) for step_in in setting_of(play.state).points.before[fate])


def befallen(play: Play[SquadState], fate: str, unit: Unit, why: str = "") -> None:
    """Something has befallen a unit: the parts hear of it; the unit as it was (`part.FATES`)."""
    for hear in setting_of(play.state).points.after[fate]:
        hear(play, unit, why)


def rolled(play: Play[SquadState], roll: Roll) -> Roll:
    """An Original DR was made, and has had no effect yet (`part.ROLLS`)."""
    for hear in setting_of(play.state).points.rolled:
        hear(play, roll)
    return roll


def settled(play: Play[SquadState], roll: Roll) -> None:
    """The effects of an Original DR have all been carried out."""
    for hear in setting_of(play.state).points.settled:
        hear(play, roll)
