"""Fanatic units (A10.8)."""

from __future__ import annotations

from sandtable.engine import Event, Play
from sandtable.games.squad.ground.marks import mark
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import unit_kind
from sandtable.games.squad.ground.stacks import name_of, update
from sandtable.games.squad.part import Look, MarkKind, Part
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.games.squad.show.marker_faces import tag

FANATIC = "fanatic"
BEST_MORALE = 10
"""No combination of causes lifts morale above it (A.18)."""


class BecameFanatic(Event, frozen=True):
    """A unit is Fanatic now."""

    unit: str
    at: str


def zeal(state: SquadState, unit: Unit) -> int:
    """What being Fanatic adds to the morale of a unit: one, up to ten (A10.8, A.18)."""
    kind = unit_kind(state, unit)
    return max(0, min(1, BEST_MORALE - max(kind.morale, kind.broken_morale) - unit.lifted))


def make_fanatic(play: Play[SquadState], unit: Unit) -> Unit:
    """A unit becomes Fanatic: morale one higher on both sides, up to ten, no cowering (A10.8, A.18)."""
    if FANATIC in unit.marks:
        return unit
    unit = update(play, mark(play, unit, FANATIC), lifted=unit.lifted + zeal(play.state, unit))
    play.emit(BecameFanatic(unit=unit.id, at=name_of(play.state, unit.at)))
    return unit


PART = Part(
    marks=(MarkKind(name=FANATIC, bars=("cower",), inherited=True, rule="A10.8"),),
    faces={f"marker/{FANATIC}": Look(tag("FAN", "#f6f3e8", "#7a1f1f"), "Fanatic", "Morale +1, no cowering", "A10.8")},
    words={BecameFanatic: lambda state, event: f"{short(state, event.unit)} in {event.at} becomes Fanatic (A10.8)"},
)
