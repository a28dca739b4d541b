"""The missions' tables: A7, the Mission Tables (12.32), the tables inside their rules, and landing craft."""

from __future__ import annotations

from functools import cache

import msgspec

from sandtable.games.sasl.tables import files
from sandtable.games.sasl.tables.dates import Span, span
from sandtable.games.sasl.tables.model import (
    ALWAYS_HIGH,
    ALWAYS_LOW,
    Cell,
    Choice,
    Column,
    Modifier,
    Row,
    Table,
    read_modifiers,
    read_table,
)
from sandtable.games.squad.cards import texttable


class Mission(msgspec.Struct, frozen=True):
    """What the tables need of a mission: attitude, board tables, modifiers of other tables, its own Mission Tables.

    `tables` are by title: `ENEMY SAN`, `FRIENDLY SAN` (or `SAN of both sides`), `ENEMY AC#`, `RE#s` for both sides or
    `ENEMY RE#s` and `FRIENDLY RE#s`, and `Boobytrap` where the mission has one.
    """

    number: int
    title: str
    partisan: bool
    attitude: str
    boards: tuple[str, ...]
    drm: dict[str, int]
    tables: dict[str, Table]
    rulings: tuple[str, ...] = ()

    def table(self, title: str) -> Table:
        """A Mission Table by title; the shared tables serve for either side."""
        for name in (title, title.removeprefix("ENEMY ").removeprefix("FRIENDLY "), "SAN of both sides"):
            if name in self.tables and (name != "SAN of both sides" or title.endswith(("SAN", name))):
                return self.tables[name]
        raise ValueError(f"Mission {self.number} has no table {title}.")


class Amphibian(msgspec.Struct, frozen=True):
    """An amphibious AFV of Mission 20: on a dr from `low` to `high` it takes the place of the AFV rolled."""

    card: str
    span: Span
    low: int
    high: int
    afv: str


def _side_by_side(number: int, text: str) -> dict[str, Table]:
    """Tables that stand side by side: a column of rolls and a column of results each."""
    head, *body = texttable.grid(text)
    found = {}
    for place in range(0, len(head), 2):
        rows = []
        for line in body:
            if line[place]:
                low, high = texttable.bounds(line[place], low=ALWAYS_LOW, high=ALWAYS_HIGH)
                rows.append(Row(line[place], low, high, (_cell(line[place + 1]),)))
        title = head[place + 1]
        columns = (Column(title, None, "", ""),)
        found[title] = Table(f"M{number} {title}", title, "12.32", head[place], columns, tuple(rows))
    return found


def _cell(text: str) -> Cell:
    return Cell(text, (Choice(text),))


@cache
def mission(number: int) -> Mission:
    """A mission by its number, 1 to 21."""
    data = files.load("missions/missions.toml")
    if f"M{number}" not in data:
        raise ValueError(f"There is no mission {number}; the missions are 1 to {len(data)}.")
    entry = data[f"M{number}"]
    return Mission(
        number=number,
        title=entry["title"],
        partisan=entry.get("partisan", False),
        attitude=entry["attitude"],
        boards=tuple(entry["boards"]),
        drm=dict(entry.get("drm", {})),
        tables=_side_by_side(number, entry["table"]),
        rulings=tuple(entry.get("rulings", ())),
    )


@cache
def selection() -> Table:
    """A7: which mission, on Offense or Defense."""
    return read_table("A7", files.load("missions/selection.toml")["A7"])


@cache
def partisan_modifiers() -> tuple[Modifier, ...]:
    """The drm for a Partisan ENEMY; a Final dr of 1 or less makes one (12.21)."""
    return read_modifiers(files.load("missions/selection.toml")["partisan"]["drm"])


def partisan_conditions() -> list[texttable.Row]:
    """Where and when a FRIENDLY nation may meet Partisans (12.21)."""
    return texttable.rows(files.load("missions/selection.toml")["partisan"]["table"])


@cache
def inside(name: str) -> Table:
    """A table inside a mission that is rolled on, such as `M4-msr3`."""
    entry = dict(files.load("missions/inside.toml")[name])
    entry.pop("notes", None)
    return read_table(f"{entry['rule']} Chart", entry)


def listed(name: str) -> list[texttable.Row]:
    """The rows of a table inside a mission that is not rolled on (`M6-vpo`), or the notes of one (`M4-msr3`)."""
    entry = files.load("missions/inside.toml")[name]
    return texttable.rows(entry.get("notes", entry["table"]))


def inside_names() -> list[str]:
    """The names of the tables inside missions."""
    return list(files.load("missions/inside.toml"))


@cache
def amphibians() -> tuple[Amphibian, ...]:
    """The amphibious AFV of Mission 20."""
    return tuple(
        Amphibian(row["card"], span(row["dates"]), *texttable.bounds(row["dr"]), row["AFV"])
        for row in listed("M20-msr4-amphibious")
    )


@cache
def landing_craft(card: str, date: str) -> Table:
    """The table of landing craft of a card, or of a nation without one, on a date."""
    for name, entry in files.load("landing_craft.toml").items():
        months = entry.get("dates", {}).get(card)
        if card in entry["cards"] and (months is None or date in span(months)):
            return read_table(name, {key: value for key, value in entry.items() if key != "dates"})
    raise ValueError(f"No table of landing craft serves {card} on {date}.")


def landing_craft_tables() -> list[Table]:
    """All tables of landing craft in the printed order."""
    return [
        read_table(name, {key: value for key, value in entry.items() if key != "dates"})
        for name, entry in files.load("landing_craft.toml").items()
    ]
