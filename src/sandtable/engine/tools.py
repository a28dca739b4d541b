"""What a game may offer to its players beside the rules: terms, lessons, lines of sight, paths, orders.

The forms are common to all games; the answers come from the rules' own calculations.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from sandtable.engine.state import Action
from sandtable.engine.tally import Tally


class _Data(msgspec.Struct, frozen=True, omit_defaults=True):
    pass


class Term(_Data, frozen=True):
    """A word of the game, explained in our words."""

    id: str
    title: str
    text: str
    rule: str = ""
    faces: tuple[str, ...] = ()
    """The pieces and markers that it explains."""
    words: tuple[str, ...] = ()
    """The words in log lines and tallies that it explains."""


class LessonStep(_Data, frozen=True):
    """One thing to do in a lesson."""

    text: str
    cells: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    until: str = ""
    """What ends it, as a condition of `engine/lesson.py`; empty: it is there to be read."""
    only: str = ""
    """What must hold for it to make sense: when that is over, it is passed over."""


class Lesson(_Data, frozen=True):
    """A walkthrough on a small position."""

    id: str
    title: str
    summary: str
    scenario: str
    side: str
    """The side that the player takes; a computer player takes the others."""
    steps: tuple[LessonStep, ...] = ()
    position: dict[str, Any] | None = None
    """The position it starts from; None: the scenario's own start."""
    seed: int | None = None
    """Dice that come out the same each time."""
    opponent: str = ""
    """The computer player of the other sides; empty: a simple one."""


class LosCause(_Data, frozen=True):
    """One thing on a line of sight."""

    cell: str
    kind: str
    """`blocks`, `hinders` or `note`."""
    label: str
    value: float = 0
    rule: str = ""


class Los(_Data, frozen=True):
    """A line of sight, as the rules judge it."""

    a: str
    b: str
    clear: bool
    text: str
    rule: str = ""
    range: int = 0
    hindrance: float = 0
    blocked_at: str = ""
    line: tuple[tuple[float, float], ...] = ()
    """Points in the coordinates of the scene."""
    causes: tuple[LosCause, ...] = ()


class Visible(_Data, frozen=True):
    """All that a cell sees: each cell with its hindrance, and what is blocked."""

    a: str
    cells: dict[str, float] = {}
    blocked: tuple[str, ...] = ()


class Danger(_Data, frozen=True):
    """An enemy who may fire at a cell of a path, as far as the mover may know."""

    at: str
    text: str
    piece: str = ""
    tally: Tally | None = None
    chance: float = 0
    rule: str = ""


def at_least_one(chances: Iterable[float]) -> float:
    """The chance that at least one of several things happens."""
    none = 1.0
    for chance in chances:
        none *= 1 - chance
    return 1 - none


class PathStep(_Data, frozen=True):
    """One step of a path, with the action that makes it."""

    cell: str
    cost: str = ""
    total: str = ""
    action: Action | None = None
    note: str = ""
    danger: tuple[Danger, ...] = ()


class Path(_Data, frozen=True):
    """A way for pieces to a cell."""

    cells: tuple[str, ...]
    total: str = ""
    steps: tuple[PathStep, ...] = ()
    judged: bool = False
    """Whether the steps name all the danger that the side can know of; a way without any is then safe."""


class Idle(_Data, frozen=True):
    """An optional step in which nothing sensible can be done: it may be passed without asking."""

    step: str
    """Its name for settings: transfer, arcs, rout, fire ..."""
    text: str
    """What is passed over, in words: `No weapons change hands`."""
    action: Action
    """The action that passes it."""


class OrderRule(_Data, frozen=True):
    """A standing order for a unit, or for the whole side if the unit is empty."""

    unit: str = ""
    do: str = "ask"
    """`never`, `ask` or `always`."""
    only: tuple[str, ...] = ()
    """`open`, `adjacent`, `range:N`, `group:NAME`: all must hold."""


class Orders(_Data, frozen=True):
    """How a player's decisions in the other side's move are answered for him."""

    forced: bool = True
    """A choice of one is made without asking."""
    idle: bool = True
    """Optional steps in which nothing sensible can be done are passed without asking."""
    open: tuple[str, ...] = ()
    """Names of such steps that are asked all the same."""
    absent: str = "wait"
    """`wait` or `pass`: what becomes of `ask` while the player is away."""
    rules: tuple[OrderRule, ...] = ()
