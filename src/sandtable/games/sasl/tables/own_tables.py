"""A user's own tables: whoever owns the printed cards puts the printed table in the place of a house table.

The file `tables.toml` in the folder `sasl` of the data directory has a table for each table of a card that is replaced.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sandtable.games.sasl.tables import counters
from sandtable.games.sasl.tables.dates import Span, month_text
from sandtable.games.sasl.tables.model import NOTHING, Table, read_table
from sandtable.games.squad.pieces.counters import UnknownCounter, all_counters
from sandtable.games.squad.pieces.own_files import BadOwnFile, own_path, read_own

FILE = "tables.toml"
EXAMPLE = '["german G2"]'
IN_PLAY = ("2", "3", "4", "4a", "5", "5a")
"""Squads, leaders, SW and Guns; the other tables of a card are not rolled on yet."""
FIELDS = ("table", "drm", "notes")
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
    try:
        plain = {"title": shipped.title, "rule": shipped.rule, "remark": shipped.remark, "before": shipped.before}
        made = read_table(shipped.id, plain | dict(values), source="own file")
    except (ValueError, KeyError, IndexError) as error:
        raise BadOwnFile(f"{FILE}: {title} cannot be read as a table: {error}.") from None
    for fault in _faults(made, shipped, nation, months):
        raise BadOwnFile(f"{FILE}: {title}: {fault}.")
    return made


def _faults(made: Table, shipped: Table, nation: str, months: Span | None) -> Iterator[str]:
    """What the table lacks to be rolled on, in words."""
    if made.roll != shipped.roll:
        yield f"its first heading is {shipped.roll}, not {made.roll}"
    yield from _missing_rolls(made, shipped)
    yield from _missing_columns(made, shipped, months)
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
            except ValueError as error:
                yield str(error).rstrip(".")


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
