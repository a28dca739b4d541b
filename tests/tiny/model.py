"""Outpost's board, pieces, frames, actions and events.

Red attacks a post held by Blue. Blue hides one ambusher. In its turn a side moves each piece one hex
or fires with it; whoever moves near an enemy may be shot at first. Red wins by standing on the post
at the end of its turn, or by killing everybody; Blue wins when the turns run out.
"""

from __future__ import annotations

import msgspec

from sandtable.engine import Action, Event, Frame, Outcome, State

COLUMNS, ROWS = 6, 5
HEXES = tuple(f"{chr(97 + c)}{r + 1}" for c in range(COLUMNS) for r in range(ROWS))
WOODS = frozenset({"b2", "c4", "d2", "e3", "e4"})
POST = "e3"
HIDING_PLACES = ("c1", "c3", "d2", "d4", "e4")
TURNS = 8
RED, BLUE = "red", "blue"


def _cube(name: str) -> tuple[int, int]:
    column, row = ord(name[0]) - 97, int(name[1]) - 1
    return column, row - (column - (column & 1)) // 2


def _range(a: str, b: str) -> int:
    (q1, r1), (q2, r2) = _cube(a), _cube(b)
    return max(abs(q1 - q2), abs(r1 - r2), abs(q1 + r1 - q2 - r2))


RANGE = {a: {b: _range(a, b) for b in HEXES} for a in HEXES}
NEAR = {a: tuple(b for b in HEXES if RANGE[a][b] == 1) for a in HEXES}


class Piece(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str
    side: str
    at: str
    shaken: bool = False
    spent: bool = False
    hidden: bool = False


class Hide(Frame, frozen=True):
    """Blue hides its ambusher."""


class Turn(Frame, frozen=True):
    """A side moves and fires."""

    side: str


class Reaction(Frame, frozen=True):
    """The other side may shoot at a piece that moved.

    The window also opens where nobody can shoot while an ambusher is hidden, so that it tells nothing.
    """

    mover: str


class HideAt(Action, frozen=True):
    at: str


class Move(Action, frozen=True):
    piece: str
    to: str


class Fire(Action, frozen=True):
    piece: str
    target: str


class Hold(Action, frozen=True):
    """Let the mover pass."""


class Done(Action, frozen=True):
    """End the turn."""


class Hidden(Event, frozen=True):
    at: str


class Moved(Event, frozen=True):
    piece: str
    at: str


class Revealed(Event, frozen=True):
    reveals = True
    piece: str
    at: str


class Hit(Event, frozen=True):
    piece: str
    killed: bool
    at: str


class TurnBegan(Event, frozen=True):
    side: str
    turn: int


class OutpostState(State):
    turn: int = 1
    pieces: dict[str, Piece] = {}
    stack: list[Hide | Turn | Reaction] = []
    outcome: Outcome | None = None
