"""The components as data (2.0): counters, turn record and charts, each value with its mark.

An owner of the original may put files of the same names into `SANDTABLE_DATA/underbelly/`; they replace the
reconstructed ones file by file.
"""

from __future__ import annotations

import csv
import os
import tomllib
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import msgspec

ALLIED, GERMAN = "allied", "german"
OTHER = {ALLIED: GERMAN, GERMAN: ALLIED}
MARKS = ("rule", "history", "design")


class DataError(ValueError):
    """A data file that cannot be used; the sentence says where and why."""


class UnitType(msgspec.Struct, frozen=True):
    """What is printed on a counter (2.5, 2.10, 2.11, 2.13)."""

    id: str
    side: str
    group: str
    name: str
    kind: str
    mobility: str
    steps: int
    full: int
    reduced: int
    mf: int
    """0: a question mark, rolled for at each move (2.12)."""
    setup: str
    withdraw: int
    scenario: str
    order: int
    """Place in the roster, which settles every order among units."""
    division: bool
    marks: tuple[str, str, str]


class TurnRow(msgspec.Struct, frozen=True):
    """One line of the Game Turn Record Sheet (14.0)."""

    turn: int
    start: str
    end: str
    allied: tuple[str, ...]
    wat_only: tuple[str, ...]
    withdrawals: tuple[str, ...]
    german: tuple[str, ...]
    mark: str


def _file(name: str) -> Traversable | Path:
    """A data file: the owner's own if he has one, else the one that ships."""
    given = os.environ.get("SANDTABLE_DATA")
    if given:
        own = Path(given) / "underbelly" / name
        if own.is_file():
            return own
    return resources.files("sandtable.games.underbelly") / "data" / name


def read_rows(name: str, columns: tuple[str, ...]) -> list[dict[str, str]]:
    """The rows of a data file; a missing column is an error with the file's name."""
    text = _file(name).read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    missing = [column for column in columns if not rows or column not in rows[0]]
    if missing:
        raise DataError(f"{name} has no column {missing[0]!r}: give it the columns {', '.join(columns)}.")
    return rows


def _number(row: dict[str, str], column: str, name: str) -> int:
    text = row[column]
    try:
        return int(text) if text else 0
    except ValueError:
        raise DataError(
            f"{name}: {column} of {row.get('id') or row.get('turn')} must be a number, not {text!r}."
        ) from None


@cache
def roster() -> dict[str, UnitType]:
    """All ground units in the order of the counter list (1.3, 1.4, 1.5, 2.4, 2.7)."""
    columns = ("id", "side", "group", "name", "type", "mobility", "steps", "full", "reduced", "mf", "setup")
    units: dict[str, UnitType] = {}
    for order, row in enumerate(read_rows("units.csv", columns)):
        if row["mobility"] not in ("mech", "nonmech", "mountain"):
            raise DataError(
                f"units.csv: mobility of {row['id']} is mech, nonmech or mountain, not {row['mobility']!r}."
            )
        units[row["id"]] = UnitType(
            id=row["id"],
            side=row["side"],
            group=row["group"],
            name=row["name"],
            kind=row["type"],
            mobility=row["mobility"],
            steps=_number(row, "steps", "units.csv"),
            full=_number(row, "full", "units.csv"),
            reduced=_number(row, "reduced", "units.csv"),
            mf=0 if row["mf"] == "?" else _number(row, "mf", "units.csv"),
            setup=row["setup"],
            withdraw=_number(row, "withdraw", "units.csv"),
            scenario=row["scenario"],
            order=order,
            division=row["type"] != "corps support",
            marks=(row["mark_existence"], row["mark_values"], row["mark_setup"]),
        )
    return units


@cache
def turn_record() -> tuple[TurnRow, ...]:
    """All turns with dates, reinforcements and withdrawals (1.2, 3.5, 14.0)."""
    columns = ("turn", "start", "end", "allied", "wat_only", "withdrawals", "german")
    return tuple(
        TurnRow(
            turn=_number(row, "turn", "turns.csv"),
            start=row["start"],
            end=row["end"],
            allied=tuple(row["allied"].split()),
            wat_only=tuple(row["wat_only"].split()),
            withdrawals=tuple(row["withdrawals"].split()),
            german=tuple(row["german"].split()),
            mark=row["mark"],
        )
        for row in read_rows("turns.csv", columns)
    )


@cache
def tables() -> dict[str, Any]:
    """The charts of the map sheet."""
    return tomllib.loads(_file("tables.toml").read_text(encoding="utf-8"))


@cache
def markers() -> dict[str, dict[str, str]]:
    """Markers and aircraft by id (2.1, 2.9, 3.4)."""
    return {row["id"]: row for row in read_rows("markers.csv", ("id", "side", "group", "name", "type", "hex", "count"))}


@cache
def rule_titles() -> dict[str, str]:
    """Every numbered rule with a title in our words."""
    text = (resources.files("sandtable.games.underbelly") / "rules.toml").read_text(encoding="utf-8")
    titles: dict[str, str] = tomllib.loads(text)["rules"]
    return titles


LAST_TURN = 23
FORTS = 14
