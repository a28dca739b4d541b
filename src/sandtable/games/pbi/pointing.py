"""Who acts now, and pieces as descriptions point at them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sandtable.engine.state import Frame
from sandtable.games.pbi.foot import living
from sandtable.games.pbi.model import Acting, Driving, PbiState, Piece, Rerolling, SetUp
from sandtable.games.pbi.setup import next_section
from sandtable.games.pbi.words import named


def ids_of(pieces: Iterable[Piece]) -> tuple[str, ...]:
    """The ids of pieces."""
    return tuple([piece.id for piece in pieces])


def cells_of(state: PbiState, id: str) -> tuple[str, ...]:
    """Where a piece is, if it is on the table."""
    return (state.pieces[id].at,) if state.pieces[id].at else ()


def name_of(state: PbiState, id: str) -> str:
    """A piece by name."""
    return named(state, (id,))


def ap(number: int) -> str:
    """A price in action points."""
    return f"{number} AP"


_ACTORS: dict[type[Frame], Callable[[PbiState, Any], tuple[str, ...]]] = {
    Acting: lambda state, frame: ids_of(living(state, frame.teams[0])),
    Driving: lambda state, frame: frame.pieces[:1],
    Rerolling: lambda state, frame: frame.pieces,
    SetUp: lambda state, frame: ids_of(next_section(state, frame.side)),
}


def actors(state: PbiState) -> tuple[str, ...]:
    """The pieces that act now."""
    frame = state.stack[-1]
    find = _ACTORS.get(type(frame))
    return find(state, frame) if find else ()


def points_left(state: PbiState, who: tuple[str, ...]) -> str:
    """The action points of those who act: one number, or the least and the most."""
    points = [state.pieces[id].ap for id in who if id in state.pieces] or [0]
    return str(points[0]) if min(points) == max(points) else f"{min(points)} to {max(points)}"
