"""TI: units that are busy for the rest of the Player Turn, which several parts need (A.7, A4.8, A11)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Play
from sandtable.games.squad.ground.marks import unmark
from sandtable.games.squad.ground.stacks import update
from sandtable.games.squad.part import Item, Look, MarkKind, Part
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.games.squad.show.marker_faces import tag

TI = "TI"
"""Temporarily Immobilized: it labours, searches or mops up, and does nothing else in this Player Turn (A4.8)."""


def busy(state: SquadState, attackers: Sequence[Unit], targets: Sequence[Unit]) -> list[Item]:
    """TI units fight worse in close combat (A4.8)."""
    items: list[Item] = []
    if any([TI in unit.marks for unit in attackers]):
        items.append(("by a TI unit", 1, "A4.8"))
    if any([TI in unit.marks for unit in targets]):
        items.append(("against a TI unit", -1, "A4.8"))
    return items


def _idle(play: Play[SquadState], unit: Unit, why: str) -> None:
    """Whoever breaks is neither busy nor exhausted any more (A4.8, A4.51)."""
    now = unmark(play, play.state.units[unit.id], TI)
    if now.cx:
        update(play, now, cx=False)


BUSY = Part(
    marks=(
        MarkKind(
            name=TI,
            bars=("fire", "direct", "move", "advance"),
            why="It is busy (TI) and may do nothing else in this Player Turn",
            goes="CCPh ends",
            rule="A4.8",
        ),
    ),
    faces={f"marker/{TI}": Look(tag("TI", "#f6f3e8", "#4a4a42"), "TI", "Busy: no fire, no move, no advance", "A4.8")},
    lines={"combat": busy},
    after={"break": _idle},
)
