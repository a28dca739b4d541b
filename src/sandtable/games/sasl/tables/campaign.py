"""The campaign's tables: companies (18.1), seasoning and replacement (17.7, 17.8), and who may oppose whom."""

from __future__ import annotations

import re
from functools import cache

import msgspec

from sandtable.games.sasl.tables import files
from sandtable.games.sasl.tables.dates import Span, span
from sandtable.games.sasl.tables.model import Table, read_table
from sandtable.games.squad.cards import texttable


class Company(msgspec.Struct, frozen=True):
    """A FRIENDLY company: `units` are its counters with their numbers, leaders as `Leader`; US# full and at 70%."""

    title: str
    card: str
    span: Span
    full: int
    reduced: int
    units: dict[str, int]


class Opposition(msgspec.Struct, frozen=True):
    """A line of the theatre chart; a power with * neither is nor has an ally."""

    theatre: str
    dates: str
    span: Span
    axis: tuple[str, ...]
    allies: tuple[str, ...]
    weekly: bool


@cache
def companies() -> tuple[Company, ...]:
    """All companies in the printed order."""
    found = []
    for row in texttable.rows(files.load("campaign/companies.toml")["companies"]):
        units = {}
        for part in row["units"].split("; "):
            name, times, number = part.rpartition(" x ")
            units[name if times else part] = int(number) if times else 1
        found.append(Company(row["company"], row["card"], span(row["dates"]), int(row["US#"]), int(row["70%"]), units))
    return tuple(found)


@cache
def refit(name: str) -> Table:
    """A table of improvement or replacement: `seasoning`, `leader`, `replacement` or `type`."""
    return read_table(name, files.load("campaign/refit.toml")[name])


@cache
def oppositions() -> tuple[Opposition, ...]:
    """The theatre opposition chart."""
    data = files.load("campaign/opposition.toml")
    found = []
    for row in texttable.rows(data["chart"]):
        sides = (tuple(re.split(r", ", row["Axis"])), tuple(re.split(r", ", row["Allies"])))
        weekly = row["dates"] in data["weekly"]
        found.append(Opposition(row["theatre"], row["dates"], span(row["dates"]), *sides, weekly))
    return tuple(found)
