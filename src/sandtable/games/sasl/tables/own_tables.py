"""A user's own tables: whoever owns the printed cards puts the printed table in the place of a house table.

The file `tables.toml` in the folder `sasl` of the data directory has a table for each table of a card that is replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from sandtable.games.sasl.tables import counters
from sandtable.games.sasl.tables.dates import FIRST_YEAR, LAST_YEAR, Span, month_number, month_text, month_words
from sandtable.games.sasl.tables.model import NOTHING, Table, read_table
from sandtable.games.squad.cards import texttable
from sandtable.games.squad.pieces.counters import UnknownCounter, all_counters
from sandtable.games.squad.pieces.own_files import BadOwnFile, own_path, read_own

FILE = "tables.toml"
EXAMPLE = '["german G2"]'
IN_PLAY = ("2", "3", "4", "4a", "5", "5a")
"""Squads, leaders, SW and Guns; the other tables of a card are not rolled on yet."""
FIELDS = ("table", "drm", "notes")
HEADINGS = {"drm": ["drm", "when", "not for"], "notes": ["mark", "use", "when", "where", "dr", "text"]}
KEY = re.compile(r"\d{1,2}(-\d{1,2})?|[<>]=-?\d{1,2}")
DRM = re.compile(r"[+-]?\d{1,2}")
PLAYED = range(month_number(FIRST_YEAR, 1), month_number(LAST_YEAR, 12) + 1)
ROLLS = range(-20, 31)


def own_tables() -> dict[str, dict[str, Any]]:
    """The user's tables by card and table; none if there is no file."""
    return read_own(own_path("sasl", FILE), EXAMPLE)


def check_titles(titles: Mapping[str, Any], cards: Mapping[str, Mapping[str, Any]]) -> None:
    """Every title must name a card and a table that is rolled on."""
    for title in titles:
        file, _, name = title.partition(" ")
        if file not in cards:
            raise BadOwnFile(f"{FILE}: there is no card {file!r}; the cards are {', '.join(cards)}.")
        able = [known for known in cards[file] if known[1:] in IN_PLAY]
        if name not in able:
            raise BadOwnFile(f"{FILE}: {file} has no table {name!r} that is played; it has {', '.join(able)}.")


def replaced(title: str, values: Mapping[str, Any], shipped: Table, nation: str, months: Span | None) -> Table:
    """The user's table in the place of a shipped one, whose columns, rolls and kinds of items it must have."""
    for field, value in values.items():
        if field not in FIELDS or not isinstance(value, str):
            raise BadOwnFile(f"{FILE}: {title} has texts called {', '.join(FIELDS)}, no {field} = {value!r}.")
    if "table" not in values:
        raise BadOwnFile(f"{FILE}: {title} needs a text called table, with its headings and rows.")
    for fault in _slips(values):
        raise BadOwnFile(f"{FILE}: {title}: {fault}.")
    try:
        plain = {"title": shipped.title, "rule": shipped.rule, "remark": shipped.remark, "before": shipped.before}
        made = read_table(shipped.id, plain | dict(values), source="own file")
    except (ValueError, KeyError, IndexError) as error:
        raise BadOwnFile(f"{FILE}: {title} cannot be read as a table: {error}.") from None
    for fault in _faults(made, shipped, nation, months):
        raise BadOwnFile(f"{FILE}: {title}: {fault}.")
    return made


def _slips(values: Mapping[str, str]) -> Iterator[str]:
    """What is not written as tables are, in words."""
    parts = {field: [texttable.cells(line) for line in values[field].splitlines() if line.strip()] for field in values}
    if not parts["table"]:
        yield "its table has neither headings nor rows"
    for field, rows in parts.items():
        head, wanted = rows[:1], HEADINGS.get(field)
        if wanted and head and head[0] != wanted:
            yield f"the headings of its {field} are {' | '.join(wanted)}"
    for key, *_ in parts["table"][1:]:
        if not KEY.fullmatch(key):
            yield f"{key!r} is no row of rolls: write 5, 4-9, <=3 or >=10"
    for number, *_ in parts.get("drm", [])[1:]:
        if not DRM.fullmatch(number):
            yield f"{number!r} is no drm: write +1 or -1"


def _faults(made: Table, shipped: Table, nation: str, months: Span | None) -> Iterator[str]:
    """What the table lacks to be rolled on, in words."""
    if made.roll != shipped.roll:
        yield f"its first heading is {shipped.roll}, not {made.roll}"
    yield from _missing_rolls(made, shipped)
    yield from _missing_columns(made, shipped, months)
    yield from _lost_dates(made)
    known = {choice.item for _, _, choice in shipped.choices()}
    for _, row, choice in made.choices():
        if choice.item not in known and not _named(shipped.id[1:2], nation, choice.item):
            yield f"there is no counter for {choice.item!r} of row {row.key}"
        for mark in choice.marks:
            if mark not in {note.mark for note in made.notes}:
                yield f"row {row.key} has a mark {mark} without a note"
    for row in made.rows:
        for cell in row.cells:
            if sorted(dr for one in cell.choices for dr in range(one.low, one.high + 1)) != [1, 2, 3, 4, 5, 6]:
                yield f"the brackets of {cell.text!r} in row {row.key} do not make 1 to 6"


def _lost_dates(made: Table) -> Iterator[str]:
    """Dates that no mission can have, or that are written otherwise than on the cards."""
    dated = [(one.when, one.span) for one in made.modifiers if one.when[:1].isdigit()]
    for words, months in [*dated, *[(f"note {note.mark}", note.span) for note in made.notes if note.span]]:
        if months is None or not set(months.months()).intersection(PLAYED):
            yield f"no month of play is in {words}: write 1943, 6/41, 7-12/41 or 8/43-44"


def _missing_rolls(made: Table, shipped: Table) -> Iterator[str]:
    for roll in ROLLS:
        rows = [row.key for row in made.rows if row.low <= roll <= row.high]
        wanted = any(row.low <= roll <= row.high for row in shipped.rows)
        if wanted and not rows:
            yield f"a roll of {roll} has no row"
        if len(rows) > 1:
            yield f"a roll of {roll} has the rows {' and '.join(rows)}"


def _missing_columns(made: Table, shipped: Table, months: Span | None) -> Iterator[str]:
    for column in shipped.columns:
        span = column.span or shipped.span or months
        for month in span.months() if span else ():
            date = month_text(month)
            try:
                made.column(date, column.group, column.side)
            except ValueError:
                asked = ", ".join(filter(None, (month_words(date), column.group, column.side)))
                yield f"it needs one column, no more, for {asked}"


def _named(number: str, nation: str, item: str) -> bool:
    """Whether a counter is known by a name in a table x2 to x5."""
    if item == NOTHING:
        return True
    try:
        if number == "2":
            return bool(counters.unit(nation, item))
        if number == "3":
            return (nation, item) in all_counters()
        if number == "4":
            return bool(counters.weapons(nation, item))
        return all(counters.known_gun(*gun) for gun in counters.guns(nation, item))
    except UnknownCounter:
        return False
