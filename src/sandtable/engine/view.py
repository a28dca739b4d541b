"""The common form of what a side may see: one client and one set of tools show all games.

A view starts empty; a game adds what the side may know. Everything here is data for people: the
client draws `face`s from the game's own piece-drawing table and knows no rules.
"""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.engine.tally import Tally


class _Data(msgspec.Struct, frozen=True, omit_defaults=True):
    pass


class PieceView(_Data, frozen=True):
    """A counter, figure or weapon that the side may see."""

    id: str
    at: str
    """The cell (hex, square) or box that it is in; empty: off the map."""
    face: str
    """What it looks like: a key of the game's piece-drawing table."""
    label: str
    """Its name in words."""
    side: str = ""
    facing: int | None = None
    """The direction it looks in, as the grid numbers directions."""
    within: str = ""
    """The piece that holds or carries it."""
    markers: tuple[str, ...] = ()
    """Faces of the markers on it, from the same table."""
    facts: tuple[tuple[str, str], ...] = ()
    """(name, value) pairs for the tooltip."""
    tag: str = ""
    """A letter or two that tells it from others of its kind, shown on the counter."""


class MarkView(_Data, frozen=True):
    """Something that lies in a cell but is not a piece: smoke, residual fire, control, an objective."""

    at: str
    face: str
    label: str
    side: str = ""
    spine: int | None = None
    """The hexside or direction it belongs to, if not to the whole cell."""


class BoxView(_Data, frozen=True):
    """A place off the map that holds pieces: a holding box, a casualty pile, reinforcements."""

    id: str
    label: str
    side: str = ""


class TrackView(_Data, frozen=True):
    """A row of boxes with a marker: turns, phases, supply."""

    id: str
    label: str
    boxes: tuple[str, ...]
    at: int
    note: str = ""


class RowView(_Data, frozen=True):
    """A line of a panel; a good or bad tone is for people, not for rules."""

    label: str
    value: str = ""
    rule: str = ""
    tone: str = ""


class PanelView(_Data, frozen=True):
    """A titled list: victory standing, command points, a battle board."""

    id: str
    title: str
    rows: tuple[RowView, ...]


class View(_Data, frozen=True):
    """What a side may know of a match."""

    side: str | None
    turn: str
    phase: str
    active: str
    """The side whose turn it is."""
    prompt: str
    """What the side is asked now, in words; what it waits for if it is not asked."""
    prompt_rule: str = ""
    pieces: tuple[PieceView, ...] = ()
    marks: tuple[MarkView, ...] = ()
    boxes: tuple[BoxView, ...] = ()
    tracks: tuple[TrackView, ...] = ()
    panels: tuple[PanelView, ...] = ()
    focus: tuple[str, ...] = ()
    """Cells where the present decision takes place."""
    bare: bool = False
    """No map lies on the table yet: panels and the question take its place."""
    extra: dict[str, Any] = {}
    """What only tools of this game read (computer players, tests); JSON-able."""


ROLES = ("do", "place", "start", "add", "leave", "vary", "aim", "resolve", "cancel", "stop", "pass")
"""What an action is to whoever decides.

`do` is done at once, and so is `place`, after which others may be placed in the same way; `start` begins a declaration
or a move, `add` and `leave` say who is part of it, `vary` how it is made, `aim` where it goes, `resolve` carries it out
and `cancel` gives it up; `stop` ends what the present pieces do, `pass` lets the moment go by: a window, a step, a
phase.
"""


class Description(_Data, frozen=True):
    """An action in words, with what it touches, so that a client can find it by clicks."""

    text: str
    group: str = ""
    """The kind of button: fire, move, rally, done ..."""
    pieces: tuple[str, ...] = ()
    """The pieces that act."""
    cells: tuple[str, ...] = ()
    """Where it goes or aims; the last one is the target."""
    targets: tuple[str, ...] = ()
    """The pieces aimed at."""
    rule: str = ""
    key: str = ""
    """A suggested hot key."""
    cost: str = ""
    """What it costs, in words: 1½ MF, 2 CP."""
    notes: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    """(name, value) pairs that standing orders read: range, open, adjacent."""
    role: str = ""
    """One of `ROLES`, so that a client need not guess from words, groups or keys what an action is."""

    def known_role(self) -> str:
        """The role; of a game that names none it follows from the group: done and pass, cancel, all else is done."""
        if self.role:
            return self.role
        return {"done": "pass", "pass": "pass", "cancel": "cancel"}.get(self.group, "do")


class Refusal(_Data, frozen=True):
    """Something that a player may look for but that is forbidden now, with the reason and the rule."""

    text: str
    reason: str
    rule: str = ""
    pieces: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()


class OddsLine(_Data, frozen=True):
    """A result and its exact probability."""

    label: str
    chance: float
    piece: str = ""
    """The piece that the result is about; empty: the attack as a whole."""
    decides: bool = False
    """The number that one decides by; if no line says so it is the first."""


class Preview(_Data, frozen=True):
    """What an action would come to, before it is committed."""

    title: str
    tallies: tuple[Tally, ...] = ()
    odds: tuple[OddsLine, ...] = ()
    notes: tuple[str, ...] = ()

    def headline(self) -> OddsLine | None:
        """The number that one decides by."""
        return next((line for line in self.odds if line.decides), self.odds[0] if self.odds else None)
