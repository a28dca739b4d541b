"""One printed table: columns by date, force and place; rows by roll; cells with brackets and marks; notes; DRM."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

import msgspec

from sandtable.games.sasl.tables.dates import Span, is_date, span
from sandtable.games.squad.cards import texttable

NOTHING = "-"
PLAIN = frozenset({"Type", "Squad Type", "Result", "Vehicle", "GUN", "Units", "SW", "Chinese ENEMY"})  # not a force
ALWAYS_LOW, ALWAYS_HIGH = -99, 99
_CHOICE = re.compile(r"(?P<item>.*?)(?: \[(?P<range>[1-6](?:-[1-6])?)\])?(?:\^(?P<marks>\S+))?")


class Choice(msgspec.Struct, frozen=True):
    """What a cell gives on a subsequent dr from `low` to `high`; `marks` lead to the notes under the table."""

    item: str
    low: int = 1
    high: int = 6
    marks: tuple[str, ...] = ()


class Cell(msgspec.Struct, frozen=True):
    """One cell: usually a single choice, else several with brackets such as `[1-4]`."""

    text: str
    choices: tuple[Choice, ...]

    def pick(self, dr: int) -> Choice:
        """The choice that a subsequent dr gives; a cell without brackets needs none."""
        for choice in self.choices:
            if choice.low <= dr <= choice.high:
                return choice
        raise ValueError(f"A dr of {dr} is in no bracket of {self.text!r}.")


class Column(msgspec.Struct, frozen=True):
    """A column: `span` its months, `group` its force, place or kind, `side` Inside or Outside."""

    label: str
    span: Span | None
    group: str
    side: str
    marks: tuple[str, ...] = ()


class Row(msgspec.Struct, frozen=True):
    """A row: the rolls from `low` to `high`, as printed in `key`."""

    key: str
    low: int
    high: int
    cells: tuple[Cell, ...]


class Note(msgspec.Struct, frozen=True):
    """A note: instead of the marked item use `use`, in these months, in this place, on a subsequent dr."""

    mark: str
    use: str
    span: Span | None
    where: str
    low: int
    high: int
    text: str

    def applies(self, date: str, places: Collection[str] = ()) -> bool:
        """Whether the note matters on a date at these places; whether its dr is met the dice must say."""
        return (self.span is None or date in self.span) and (not self.where or self.where in places)


class Modifier(msgspec.Struct, frozen=True):
    """A modifier of the roll: for its months or for a fact such as `any MMC Elite`; `not_for` names who ignores it."""

    drm: int
    when: str
    span: Span | None
    months: tuple[int, int] | None
    not_for: str

    def applies(self, date: str, facts: Collection[str] = ()) -> bool:
        """Whether it counts on a date with these facts; a fact that stands in `not_for` rules it out."""
        if self.not_for and self.not_for in facts:
            return False
        if self.months:
            return self.months[0] <= int(date[5:7]) <= self.months[1]
        return date in self.span if self.span else self.when in facts


class Table(msgspec.Struct, frozen=True):
    """A table of a card or of the general sheets."""

    id: str
    title: str
    rule: str
    roll: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[Note, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    span: Span | None = None
    before: str = ""
    remark: str = ""
    house: bool = False
    source: str = ""
    confidence: str = "high"
    rulings: tuple[str, ...] = ()

    @property
    def cites(self) -> str:
        """The rule that calls for it, as the program cites it: numbers of chapter S have an S."""
        return f"S{self.rule}" if self.rule[:1].isdigit() else self.rule

    @property
    def dice(self) -> int:
        """How many dice its roll takes: two for a DR, one for a dr."""
        return 2 if self.roll.endswith("DR") else 1

    def row(self, roll: int) -> Row:
        """The row of a (final) roll."""
        for row in self.rows:
            if row.low <= roll <= row.high:
                return row
        raise ValueError(f"Table {self.id} has no row for a roll of {roll}.")

    def column(self, date: str = "", group: str = "", side: str = "") -> int:
        """The place of the one column for a date, a force or place, and Inside or Outside."""
        found = [
            place
            for place, column in enumerate(self.columns)
            if (column.span is None or not date or date in column.span)
            and (not group or not column.group or column.group == group)
            and (not side or not column.side or column.side == side)
        ]
        if exact := [place for place in found if self.columns[place].group == group]:
            found = exact
        if len(found) != 1:
            asked = ", ".join(word for word in (date, group, side) if word) or "nothing"
            raise ValueError(f"Table {self.id} has {len(found)} columns for {asked}.")
        return found[0]

    def cell(self, roll: int, date: str = "", group: str = "", side: str = "") -> Cell:
        """The cell of a (final) roll in the column for a date, force or place, and side."""
        return self.row(roll).cells[self.column(date, group, side)]

    def drm(self, date: str, facts: Collection[str] = ()) -> int:
        """The sum of the modifiers that count on a date with these facts."""
        return sum(modifier.drm for modifier in self.modifiers if modifier.applies(date, facts))

    def notes_on(self, choice: Choice, date: str, places: Collection[str] = ()) -> list[Note]:
        """The notes that change or explain an item on a date at these places, in the printed order."""
        return [note for note in self.notes if note.mark in choice.marks and note.applies(date, places)]

    def choices(self) -> Iterator[tuple[Column, Row, Choice]]:
        """Every choice of every cell."""
        for row in self.rows:
            for column, cell in zip(self.columns, row.cells, strict=True):
                for choice in cell.choices:
                    yield column, row, choice


def read_cell(text: str) -> Cell:
    """A cell as written: `150* INF [1-2] / 75* INF [3-6]^2`."""
    choices = []
    for part in text.split(" / "):
        match = _CHOICE.fullmatch(part.strip())
        if match is None:
            raise ValueError(f"{part!r} is no cell of a table.")
        low, high = texttable.bounds(match["range"] or "1-6")
        marks = tuple(match["marks"].split(",")) if match["marks"] else ()
        choices.append(Choice(match["item"], low, high, marks))
    return Cell(text, tuple(choices))


def read_column(label: str) -> Column:
    """A heading such as `1939-45 GMD Inside` or `PTO^C`."""
    bare, _, marks = label.partition("^")
    words = bare.split()
    side = words.pop() if words and words[-1] in ("Inside", "Outside") else ""
    months = span(words.pop(0)) if words and is_date(words[0]) else None
    group = "" if bare in PLAIN else " ".join(words)
    return Column(bare, months, group, side, tuple(marks.split(",")) if marks else ())


def read_notes(text: str) -> tuple[Note, ...]:
    """The notes under a table, one a line."""
    notes = []
    for row in texttable.rows(text) if text else ():
        low, high = texttable.bounds(row["dr"], low=1, high=6) if row["dr"] else (1, 6)
        when = span(row["when"]) if row["when"] else None
        notes.append(Note(row["mark"], row["use"], when, row["where"], low, high, row["text"]))
    return tuple(notes)


def read_modifiers(text: str) -> tuple[Modifier, ...]:
    """The modifiers beside a table, one a line."""
    modifiers = []
    for row in texttable.rows(text) if text else ():
        when = row["when"]
        months = texttable.bounds(when.removeprefix("month ")) if when.startswith("month ") else None
        dated = span(when) if is_date(when) else None
        modifiers.append(Modifier(int(row["drm"]), when, dated, months, row.get("not for", "")))
    return tuple(modifiers)


def read_table(name: str, data: dict[str, Any], dates: str = "", source: str = "printed, read twice") -> Table:
    """A table of a data file; `dates` and `source` are those of its card."""
    head, *body = texttable.grid(data["table"])
    rows = []
    for key, *cells in body:
        low, high = texttable.bounds(key, low=ALWAYS_LOW, high=ALWAYS_HIGH)
        rows.append(Row(key, low, high, tuple(read_cell(cell) for cell in cells)))
    own = data.get("dates", dates)
    return Table(
        id=name,
        title=data["title"],
        rule=data["rule"],
        roll=head[0],
        columns=tuple(read_column(label) for label in head[1:]),
        rows=tuple(rows),
        notes=read_notes(data.get("notes", "")),
        modifiers=read_modifiers(data.get("drm", "")),
        span=span(own) if own else None,
        before=data.get("before", ""),
        remark=data.get("remark", ""),
        house=data.get("house", False),
        source=data.get("source", source),
        confidence=data.get("confidence", "high"),
        rulings=tuple(data.get("rulings", ())),
    )
