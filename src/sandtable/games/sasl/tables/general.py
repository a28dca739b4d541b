"""The general tables: plain ones A2, A5 to A10b and the paradrop by name, and A1, A3, A4, A10a in their own forms."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from sandtable.games.sasl.tables import files
from sandtable.games.sasl.tables.model import (
    ALWAYS_HIGH,
    ALWAYS_LOW,
    NOTHING,
    Modifier,
    Note,
    Table,
    read_modifiers,
    read_notes,
    read_table,
)
from sandtable.games.squad.cards import texttable

PLACES = {
    "activation": ("A5", "paradrop"),
    "action": ("A2a", "A2b"),
    "numbers": tuple(f"A6{letter}" for letter in "abcdefgh"),
    "boards": ("A8a", "A8b", "A8c", "A8d", "A8e", "A9", "A9a", "A9b", "A9c", "A9d", "A9e"),
    "objectives": ("A10b",),
}


class Item(msgspec.Struct, frozen=True):
    """One thing that A1 activates: S, HS, L, SW, F, AFV, SPG or Gun, with the marks of its notes."""

    kind: str
    marks: tuple[str, ...] = ()


class Contents(msgspec.Struct, frozen=True):
    """A row of A1: what an Activated S? turns out to be; no items is a dummy."""

    key: str
    low: int
    high: int
    items: tuple[Item, ...]


class Activation(msgspec.Struct, frozen=True):
    """Table A1 with its modifier and notes."""

    rows: tuple[Contents, ...]
    modifiers: tuple[Modifier, ...]
    notes: tuple[Note, ...]

    def row(self, roll: int) -> Contents:
        """The row of a Final DR."""
        return next(row for row in self.rows if row.low <= roll <= row.high)


class Command(msgspec.Struct, frozen=True):
    """One line of a fire table A3a to A3d: if `when` holds, fire this at the Target that passes the sieves `at`."""

    key: str
    low: int
    high: int
    when: str
    fire: str
    at: tuple[str, ...]


class Move(msgspec.Struct, frozen=True):
    """One line of a movement table A4a to A4c: if `when` holds, move so towards the first possible aim until `stop`."""

    key: str
    low: int
    high: int
    when: str
    how: str
    to: tuple[str, ...]
    stop: tuple[str, ...]


class Check(msgspec.Struct, frozen=True):
    """The Activation Check (5.1): limits of the AC#, the dr that always and never activates, the modifiers."""

    lowest: int
    highest: int
    always: int
    never: int
    modifiers: tuple[Modifier, ...]


def _bounds(key: str) -> tuple[int, int]:
    return texttable.bounds(key, low=ALWAYS_LOW, high=ALWAYS_HIGH)


def _words(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(";") if part.strip())


@cache
def table(name: str) -> Table:
    """A plain general table by its name, such as `A6c` or `A9e`."""
    for place, names in PLACES.items():
        if name in names:
            return read_table(name, files.load(f"enemy/{place}.toml")[name])
    known = ", ".join(one for names in PLACES.values() for one in names)
    raise ValueError(f"There is no general table {name!r}; there are {known}.")


def number(letter: str, dr: int) -> int:
    """The number that a (final) dr gives on A6, table a to h."""
    return int(table(f"A6{letter}").cell(dr).text)


@cache
def activation() -> Activation:
    """Table A1."""
    data = files.load("enemy/activation.toml")["A1"]
    rows = []
    for row in texttable.rows(data["table"]):
        items = []
        for word in row["Items Activated"].split(", ") if row["Items Activated"] != NOTHING else ():
            kind, _, marks = word.partition("^")
            items.append(Item(kind, tuple(marks.split(",")) if marks else ()))
        rows.append(Contents(row["Final DR"], *_bounds(row["Final DR"]), tuple(items)))
    return Activation(tuple(rows), read_modifiers(data["drm"]), read_notes(data["notes"]))


@cache
def activation_check() -> Check:
    """The Activation Check with its modifiers."""
    data: dict[str, Any] = files.load("enemy/activation.toml")["AC"]
    return Check(data["lowest"], data["highest"], data["always"], data["never"], read_modifiers(data["drm"]))


def event_numbers() -> list[str]:
    """The track of RE Numbers from lowest to highest (2.11)."""
    return list(files.load("enemy/activation.toml")["RE"]["track"])


@cache
def panic_from() -> dict[str, int]:
    """The lowest doubles on which a unit of each class Panics (6.21)."""
    rows = texttable.rows(files.load("enemy/action.toml")["panic"]["table"])
    return {row["class"]: int(row["doubles"].removeprefix(">=")) for row in rows}


def action_notes() -> list[texttable.Row]:
    """The notes to A2a and A2b: who does what instead, and when."""
    return texttable.rows(files.load("enemy/action.toml")["A2"]["notes"])


@cache
def fire_commands(name: str) -> tuple[Command, ...]:
    """A fire table, A3a to A3d, in the printed order."""
    rows = texttable.rows(files.load("enemy/fire.toml")[name]["table"])
    return tuple(Command(r["DR"], *_bounds(r["DR"]), r["when"], r["fire"], _words(r["at"])) for r in rows)


@cache
def close_combat() -> tuple[tuple[int, int, str, str], ...]:
    """A3e: from which to which dr the ENEMY attacks how and whom in CC."""
    rows = texttable.rows(files.load("enemy/fire.toml")["A3e"]["table"])
    return tuple((*_bounds(row["dr"]), row["attack"], row["against"]) for row in rows)


@cache
def advance_modifiers() -> tuple[Modifier, ...]:
    """A3f: the DRM of the NTC to advance into CC (11.4)."""
    return read_modifiers(files.load("enemy/fire.toml")["A3f"]["drm"])


def advance_into() -> tuple[str, ...]:
    """A3f: which Location the ENEMY prefers to advance into, best first."""
    return _words(files.load("enemy/fire.toml")["A3f"]["into"])


@cache
def moves(name: str) -> tuple[Move, ...]:
    """A movement table, A4a to A4c, in the printed order."""
    rows = texttable.rows(files.load("enemy/movement.toml")[name]["table"])
    return tuple(
        Move(r["DR"], *_bounds(r["DR"]), r["when"], r["how"], _words(r["to"]), _words(r["stop"])) for r in rows
    )


@cache
def objectives() -> dict[str, tuple[str, ...]]:
    """A10a: the six VPO of each board, from dr 1 to 6."""
    data = files.load("enemy/objectives.toml")["A10a"]
    found: dict[str, list[str]] = {}
    for part in ("table", "more", "rest"):
        head, *body = texttable.grid(data[part])
        for row in body:
            for board, place in zip(head[1:], row[1:], strict=True):
                found.setdefault(board, []).append(place)
    return {board: tuple(places) for board, places in found.items()}


@cache
def command_modifiers() -> tuple[Modifier, ...]:
    """The DRM of a FRIENDLY command check (16.2)."""
    return read_modifiers(files.load("enemy/command.toml")["CMD"]["drm"])
