"""Random Events: A11, P9 and the FRIENDLY tables x9, by the two dice of 2.3."""

from __future__ import annotations

import re
from functools import cache

import msgspec

from sandtable.games.sasl.tables import files
from sandtable.games.sasl.tables.model import Table, read_table
from sandtable.games.squad.cards import texttable

# Which table of FRIENDLY events a card uses.
FRIENDLY = {
    "G": "G9", "R": "R9", "U": "U9", "U-PTO": "UM9", "M": "UM9", "B": "B9", "B-PTO": "B9",
    "F": "F9", "I": "I9", "J": "J9", "C": "C9", "L": "L9",
}  # fmt: skip
LETTERS = {"UM9": "U/M"}


class Event(msgspec.Struct, frozen=True):
    """A Random Event: its numbers, whether it happens only once, and what it does.

    `number`, `kind`, `squad`, `crew` and `see` are the figures of a FRIENDLY event: how many (a table A6, a roll or a
    number), of what (a table or a counter), which squads and crews, and which other event it follows.
    """

    table: str
    numbers: tuple[str, ...]
    once: bool
    event: str
    title: str
    effect: str
    number: str = ""
    kind: str = ""
    squad: str = ""
    crew: str = ""
    see: str = ""

    @property
    def key(self) -> str:
        """Its row of the table: one number, or the first and the last."""
        return "-".join(dict.fromkeys((self.numbers[0], self.numbers[-1])))


def _numbers(text: str) -> tuple[str, ...]:
    first, _, last = text.partition("-")
    return tuple(f"{number:02d}" for number in range(int(first), int(last or first) + 1))


def _filled(effect: str, row: texttable.Row, letter: str) -> str:
    number = re.sub(r"A6[a-h]", r"{\g<0>}", row["number"])
    kind = f"{{{row['type']}}}" if row["type"].startswith("x") else row["type"]
    words = {"number": number, "type": kind, "squad": row["squad"], "crew": row["crew"]}
    for word, value in (words | {"see": row["see"], "more": row["more"]}).items():
        effect = effect.replace(f"<{word}>", value)
    return re.sub(r"\{x(\d)", rf"{{{letter}\1", effect).strip()


@cache
def events(table: str) -> tuple[Event, ...]:
    """All events of a table, such as `A11`, `P9` or `G9`, in the printed order."""
    enemy = files.load("events/enemy.toml")
    if table in enemy:
        rows = texttable.rows(enemy[table]["table"])
        return tuple(
            Event(table, _numbers(r["RE"]), bool(r["once"]), r["event"], r["title"], r["effect"]) for r in rows
        )
    friendly = files.load("events/friendly.toml")
    if table not in friendly:
        raise ValueError(f"There is no table of events {table!r}; there are {', '.join([*enemy, *friendly])}.")
    kinds = {row["event"]: row for row in texttable.rows(files.load("events/kinds.toml")["kinds"])}
    found = []
    for row in texttable.rows(friendly[table]["table"]):
        kind = kinds[row["event"]]
        effect = _filled(kind["effect"], row, LETTERS.get(table, table[0]))
        figures = (row["number"], row["type"], row["squad"], row["crew"], row["see"])
        found.append(
            Event(table, _numbers(row["RE"]), bool(row["once"]), row["event"], kind["title"], effect, *figures)
        )
    return tuple(found)


def event(table: str, coloured: int, white: int) -> Event:
    """The event of a coloured die (modified, 0 to 7) and a white die."""
    wanted = f"{coloured}{white}"
    for one in events(table):
        if wanted in one.numbers:
            return one
    raise ValueError(f"Table {table} has no event {wanted}.")


@cache
def sub_table(name: str) -> Table:
    """A table inside an event, such as `G9-01`."""
    return read_table(name, files.load("events/sub_tables.toml")[name])


def sub_tables() -> list[str]:
    """The names of the tables inside events."""
    return list(files.load("events/sub_tables.toml"))
