"""What units find on the way: papers worth VP, and company that keeps them busy for turns (RE 11, 56; P9 13, 21)."""

from __future__ import annotations

import msgspec

from sandtable.engine import Event, Play
from sandtable.engine.part import Field
from sandtable.games.asl.busy import TI
from sandtable.games.sasl.dice import many, on_table, rolled, say
from sandtable.games.sasl.tables import general
from sandtable.games.squad.ground.marks import mark, unmark
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import unit_kind
from sandtable.games.squad.ground.stacks import name_of, update
from sandtable.games.squad.part import Part
from sandtable.games.squad.pieces.model import SquadState, Unit

LOST_ON = 4
"""A squad that loses men loses its papers too on a dr of this or more (RE 11)."""


class Distraction(msgspec.Struct, frozen=True):
    """A unit that is busy until a Game Turn is over."""

    until: int


PAPERS: Field[dict[str, str]] = Field("papers", dict[str, str], {})
"""Units that hold papers, with how their VP are rolled at Mission end: `dr-1` or a table A6."""
DISTRACTED: Field[dict[str, Distraction]] = Field("distracted", dict[str, Distraction], {})


class PapersFound(Event, frozen=True):
    """A unit has found papers."""

    unit: str
    at: str


class PapersLost(Event, frozen=True):
    """Papers are lost for good."""

    unit: str
    at: str
    dr: int


class Distracted(Event, frozen=True):
    """A unit is busy for some Game Turns."""

    unit: str
    at: str
    turns: int


def take_papers(play: Play[SquadState], unit: Unit, worth: str) -> None:
    """A unit holds papers from now on; they can be neither handed on nor dropped (RE 11)."""
    PAPERS.of(play.state)[unit.id] = worth
    play.emit(PapersFound(unit=unit.id, at=name_of(play.state, unit.at)))


def papers_value(play: Play[SquadState]) -> float:
    """VP of the papers whose holders have come through, rolled at Mission end (RE 11, RE 56)."""
    total = 0
    state = play.state
    for name, worth in PAPERS.of(state).items():
        if name in state.units or (name in state.gone and state.gone[name].how == "exited"):
            if worth == "dr-1":
                (dr,) = rolled(play, 1, "value of the papers")
                total += dr - 1
                say(play, "RE 11", f"{dr}-1", (dr,), f"the papers are worth {dr - 1} VP", "S2.3")
            else:
                total += int(on_table(play, general.table(worth)))
    return float(total)


def _after_reduction(play: Play[SquadState], unit: Unit, why: str) -> None:
    """A squad that suffers Casualty Reduction may lose its papers (RE 11)."""
    state = play.state
    if unit.id not in PAPERS.of(state) or not unit_kind(state, unit).squad:
        return
    (dr,) = rolled(play, 1, "are the papers lost?")
    if dr >= LOST_ON:
        PAPERS.of(state).pop(unit.id)
        play.emit(PapersLost(unit=unit.id, at=name_of(state, unit.at), dr=dr))


# -- busy for turns ------------------------------------------------------------------------------


def distract(play: Play[SquadState], unit: Unit) -> None:
    """A unit is TI for a dr of Game Turns, the present one included, with +1 for each HS of it (RE 11)."""
    state = play.state
    kind = unit_kind(state, unit)
    (dr,) = rolled(play, 1, "Game Turns busy")
    turns = dr + (2 if kind.squad else 1 if kind.mmc else 0)
    DISTRACTED.of(state)[unit.id] = Distraction(state.turn + turns - 1)
    mark(play, unit, TI)
    play.emit(Distracted(unit=unit.id, at=name_of(state, unit.at), turns=turns))


def keep_busy(play: Play[SquadState]) -> None:
    """A phase begins: those who are busy are TI; who is no longer in Good Order comes round (RE 11)."""
    state = play.state
    for name, one in list(DISTRACTED.of(state).items()):
        unit = state.units.get(name)
        if unit is not None and unit.good_order and state.turn <= one.until:
            mark(play, unit, TI)
            continue
        DISTRACTED.of(state).pop(name)
        if unit is not None:
            unit = unmark(play, unit, TI)
            if not unit.broken and "berserk" not in unit.marks:
                update(play, unit, cx=True)


PART = Part(
    fields=(PAPERS, DISTRACTED),
    after={"reduce": _after_reduction},
    words={
        PapersFound: lambda state, event: (
            f"{short(state, event.unit)} in {event.at} finds papers that may be worth VP at Mission end"
        ),
        PapersLost: lambda state, event: f"The papers of {short(state, event.unit)} are lost (dr {event.dr})",
        Distracted: lambda state, event: (
            f"{short(state, event.unit)} in {event.at} is distracted: TI for {many(event.turns, 'Game Turn')}"
        ),
    },
)
