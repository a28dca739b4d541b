"""Names in words, and the words of dice and endings: what every chapter's words are made of."""

from __future__ import annotations

from sandtable.engine import Event, Rolled, Tally
from sandtable.engine.events import Ended
from sandtable.engine.game import words
from sandtable.engine.part import Part
from sandtable.games.pbi import events as e
from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.model import PbiState

FACINGS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


def named(state: PbiState, ids: tuple[str, ...] | list[str]) -> str:
    """Pieces by name: two rifles, a light machine-gun."""
    pieces = [(id, state.pieces.get(id)) for id in ids]
    return counted([KINDS[piece.kind].name if piece else _lost(state, id) for id, piece in pieces])


def counted(names: list[str]) -> str:
    """Names with how many there are of each: Platoon commander, 2 Rifles."""
    counts = {name: names.count(name) for name in names}
    return ", ".join(several(number, name) if number > 1 else name for name, number in counts.items())


def _lost(state: PbiState, id: str) -> str:
    """A piece that is no longer there, by its unit."""
    unit = state.units.get(id.rpartition("-")[0])
    what = {"vehicles": "vehicle", "guns": "gun"}.get(unit.kind, "base") if unit else "base"
    return f"{what} of {unit.name}" if unit else what


def several(number: int, name: str) -> str:
    """So many of a name: 2 Light machine-guns, 2 Rifles, 2 bases of Grenadier platoon, but 2 SdKfz 251."""
    first, of, rest = name.partition(" of ")
    if " with " not in first and first[-1].isalpha() and not first.endswith(("s", "z")):
        first += "s" if number != 1 else ""
    return f"{number} {first}{of}{rest}"


def verb(number: int, name: str, one: str, more: str) -> str:
    """The form of a verb that fits so many of a name: Rifles shoot, a Flamethrower shoots."""
    return more if number > 1 or name.partition(" with ")[0].endswith("s") else one


def unit_name(state: PbiState, unit: str) -> str:
    """A unit with its side."""
    found = state.units[unit]
    return f"{found.name} of the {found.side}"


SUMS = ("Action points", "To hit")
"""Tallies that are added to dice; the others are scores or numbers of dice."""


def _tally(tally: Tally) -> str:
    items = ", ".join(f"{item.label} {item.value:+g}" for item in tally.items)
    total = f"{tally.total:+g}" if tally.title in SUMS else f"{tally.total:g}"
    return f" ({tally.title} {total}: {items})" if items else ""


def _rolled(state: PbiState, event: Rolled) -> str:
    dice = " ".join(str(face) for face in event.faces)
    return f"{event.why}: {dice}" + (_tally(event.tally) if event.tally is not None else "")


def _ended(state: PbiState, event: Ended) -> str:
    return f"The {event.winner} wins. {event.reason}" if event.winner else words(event)


def place(event: Event) -> tuple[str, ...]:
    """The squares that an event is about."""
    if isinstance(event, e.Drifted):
        return tuple(square for square in event.fell if square)
    start, at = getattr(event, "start", ""), getattr(event, "at", "")
    return tuple(square for square in (start, at) if square)


PART: Part[PbiState] = Part(words={Rolled: _rolled, Ended: _ended})
