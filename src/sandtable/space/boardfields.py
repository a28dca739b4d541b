"""The fields of a board file: one table that the reader, the writer, the check and the documentation share."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from sandtable.space.facts import NO_SHAPE, HexFacts
from sandtable.space.terrain import terrain_table


class FieldError(ValueError):
    """A value that a field does not take; the reader adds file, line and hex."""


class Field(msgspec.Struct, frozen=True):
    """One `key=value` of a hex line."""

    key: str
    value: str
    meaning: str


HEADER = (
    Field("board", "a name of letters, digits, - and _", "name of the board, the prefix of its hexes on a map"),
    Field("title", "text", "title for people"),
    Field("hexes", "columns rows", "size in hexes; every second column has one more (33 10)"),
    Field("pitch", "width height", "distance of hex columns and height of a hex in pixels (56.25 64.5)"),
    Field("pixels", "width height", "size of an imported board in pixels, when it is not the usual one"),
    Field("origin", "x y", "point half a hex above the centre of the first hex, when not the corner (0 0)"),
    Field("type", "text", "kinds of country it stands for, such as village or hills"),
    Field("seed", "a number", "what a board made by the program was made from"),
    Field("objectives", "hexes", "its objectives: K5, two hexes together as V8-W7, or the nearer of two as F2/D7"),
    Field("source", "text", "where the facts come from"),
    Field("archive", "a mark", "which archive an imported board was made of, to know when that changes"),
    Field("raster", "file name", "stored terrain of an imported board, beside the board file"),
)

FIELDS = (
    Field("level", "-9 to 9", "elevation of the centre dot (0)"),
    Field("dirt", "hexsides", "hexsides crossed by a dirt road"),
    Field("paved", "hexsides", "hexsides crossed by a paved road"),
    Field("building", "an id", "building the hex belongs to, if not its own; same id: one multi-hex building"),
    Field("rowhouse", "hexsides", "hexsides on which a party wall divides a row of houses"),
    Field("stairs", "yes or no", "stairs lead to the upper levels of the building (no)"),
    Field("cover", "1 to 100", "percent of the hex that its terrain covers"),
    Field("reach", "hexsides", "hexsides whose middle the terrain covers, so that it goes on next door"),
    Field("high", "1 to 100", "percent of the hex at its own level, where a crest line crosses it"),
    Field("parts", "1 to 6", "number of separate buildings in the hex (1)"),
    Field("aside", "yes or no", "the building leaves the centre dot in the open (no)"),
    Field("angle", "0 to 179", "direction of a building's long wall, degrees clockwise from level"),
    Field("offset", "x,y", "middle of a building of one or two hexes from the centre dot, pixels right and down (0,0)"),
    Field("crest", "hexsides or none", "hexsides where the level changes, if not as the levels say"),
    Field("crest_line", "yes or no", "a crest line crosses the hex, if not as the levels say"),
    Field("half", "yes or no", "part of the hex lies off the board, if not as the grid says"),
)
"""Besides these, each hexside terrain of the terrain table is a field (`wall=2,3`), and so is each kind of bed."""

BEDS = tuple(kind.name for kind in terrain_table() if kind.group in ("depression", "water"))
"""Kinds of ground that run through hexes as a bed: `stream=1,4`."""

FIELD_KEYS = frozenset(field.key for field in FIELDS)

_INTEGER = re.compile(r"-?[0-9]{1,4}")
_IDENTIFIER = re.compile(r"[A-Za-z0-9_-]{1,32}")


def integer(text: str, low: int, high: int) -> int:
    """A whole number within bounds."""
    if not _INTEGER.fullmatch(text) or not low <= int(text) <= high:
        raise FieldError(f"must be a whole number from {low} to {high}, not {text!r}")
    return int(text)


def hexsides(text: str) -> tuple[int, ...]:
    """Hexside numbers in rising order."""
    sides = text.split(",")
    if not all(side in ("0", "1", "2", "3", "4", "5") for side in sides) or len(set(sides)) != len(sides):
        raise FieldError(f"must be different hexsides 0 to 5 with commas between, not {text!r}")
    return tuple(sorted(int(side) for side in sides))


def yes_or_no(text: str) -> bool:
    """A switch."""
    if text not in ("yes", "no"):
        raise FieldError(f"must be yes or no, not {text!r}")
    return text == "yes"


def identifier(text: str) -> str:
    """A name without blanks."""
    if not _IDENTIFIER.fullmatch(text):
        raise FieldError(f"must be a name of letters, digits, - and _, not {text!r}")
    return text


_FACTS: dict[str, Callable[[str], Any]] = {
    "level": lambda text: integer(text, -9, 9),
    "crest": lambda text: () if text == "none" else hexsides(text),
    "crest_line": yes_or_no,
    "half": yes_or_no,
}
_SHAPE: dict[str, Callable[[str], Any]] = {
    "cover": lambda text: integer(text, 1, 100),
    "high": lambda text: integer(text, 1, 100),
    "parts": lambda text: integer(text, 1, 6),
    "reach": hexsides,
    "aside": yes_or_no,
    "angle": lambda text: integer(text, 0, 179),
    "offset": lambda text: _offset(text),
}


_OF_BUILDINGS: dict[str, Callable[[str], Any]] = {"building": identifier, "rowhouse": hexsides, "stairs": yes_or_no}
"""Fields that only hexes with a building have."""


def parse_facts(name: str, terrain: str, values: dict[str, str]) -> HexFacts:
    """The facts of one hex line; `crest`, `crest_line` and `half` are filled in once all levels are known."""
    table = terrain_table()
    if terrain not in table:
        raise FieldError(f"terrain {terrain!r} is not in the terrain table")
    kind = table[terrain]
    if kind.hexside:
        raise FieldError(f"{terrain} is hexside terrain: write {terrain}=SIDES after the terrain of the hex")
    roads: dict[int, str] = {}
    sides: list[tuple[int, str]] = []
    facts: dict[str, Any] = {"building": name if kind.is_building else None}
    shape: dict[str, Any] = {}
    bed: list[tuple[int, str]] = []
    for key, text in values.items():
        try:
            if key in _FACTS:
                facts[key] = _FACTS[key](text)
            elif key in _SHAPE:
                shape[key] = _SHAPE[key](text)
            elif key in ("dirt", "paved"):
                _add_road(roads, key, hexsides(text))
            elif key in _OF_BUILDINGS:
                if not kind.is_building:
                    raise FieldError(f"needs a building terrain, and {terrain} is none")
                facts[key] = _OF_BUILDINGS[key](text)
            elif key in BEDS:
                bed.extend((side, key) for side in hexsides(text))
            elif key in table and table[key].hexside:
                sides.extend((side, key) for side in hexsides(text))
            else:
                raise FieldError("is no field of a hex and no hexside terrain")
        except FieldError as error:
            raise FieldError(f"{key} {error}") from None
    if len({side for side, _ in sides}) != len(sides):
        raise FieldError("gives a hexside two kinds of hexside terrain")
    if len({side for side, _ in bed}) != len(bed):
        raise FieldError("gives a hexside two kinds of bed")
    return HexFacts(
        terrain=terrain,
        roads=tuple(sorted(roads.items())),  # type: ignore[arg-type]
        sides=tuple(sorted(sides)),
        bed=tuple(sorted(bed)),
        shape=msgspec.structs.replace(NO_SHAPE, **shape) if shape else NO_SHAPE,
        **facts,
    )


def _add_road(roads: dict[int, str], kind: str, sides: tuple[int, ...]) -> None:
    for side in sides:
        if side in roads:
            raise FieldError(f"gives hexside {side} a second road")
        roads[side] = kind


def _offset(text: str) -> tuple[int, int]:
    parts = text.split(",")
    if len(parts) != 2:
        raise FieldError(f"must be two numbers with a comma between, not {text!r}")
    return integer(parts[0], -40, 40), integer(parts[1], -40, 40)


def format_facts(name: str, facts: HexFacts, usual: HexFacts) -> list[str]:
    """The words of one hex line; `usual` holds what the grid and the levels say by themselves."""
    words = [name, facts.terrain]
    if facts.level:
        words.append(f"level={facts.level}")
    for surface in ("paved", "dirt"):
        crossed = [side for side, type in facts.roads if type == surface]
        if crossed:
            words.append(f"{surface}={_sides(crossed)}")
    if facts.building not in (None, name):
        words.append(f"building={facts.building}")
    for kind in sorted({kind for _, kind in facts.sides}):
        words.append(f"{kind}={_sides(side for side, other in facts.sides if other == kind)}")
    for kind in sorted({kind for _, kind in facts.bed}):
        words.append(f"{kind}={_sides(side for side, other in facts.bed if other == kind)}")
    if facts.rowhouse:
        words.append(f"rowhouse={_sides(facts.rowhouse)}")
    if facts.stairs:
        words.append("stairs=yes")
    words += _shape_words(facts)
    if facts.crest != usual.crest:
        words.append(f"crest={_sides(facts.crest) or 'none'}")
    for key in ("crest_line", "half"):
        if getattr(facts, key) != getattr(usual, key):
            words.append(f"{key}={'yes' if getattr(facts, key) else 'no'}")
    return words


def _shape_words(facts: HexFacts) -> list[str]:
    shape, words = facts.shape, []
    if shape.cover:
        words.append(f"cover={shape.cover}")
    if shape.reach:
        words.append(f"reach={_sides(shape.reach)}")
    if shape.high:
        words.append(f"high={shape.high}")
    if shape.parts != 1:
        words.append(f"parts={shape.parts}")
    if shape.aside:
        words.append("aside=yes")
    if shape.angle is not None:
        words.append(f"angle={shape.angle}")
    if shape.offset != (0, 0):
        words.append(f"offset={shape.offset[0]},{shape.offset[1]}")
    return words


def _sides(sides: object) -> str:
    return ",".join(str(side) for side in sides)  # type: ignore[attr-defined]
