"""The nationality cards: ladder x1, squads x2, leaders x3, SW x4, Guns x5, vehicles x6 and x7, OBA x8, waves x10."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from sandtable.games.sasl.tables import files
from sandtable.games.sasl.tables.dates import Span, is_date, month_of, month_text, span
from sandtable.games.sasl.tables.model import Table, read_table
from sandtable.games.sasl.tables.own_tables import check_titles, own_tables, replaced
from sandtable.games.squad.cards import texttable

FILES = {
    "G": "german",
    "R": "russian",
    "U": "american",
    "U-PTO": "american_pto",
    "M": "usmc",
    "B": "british",
    "B-PTO": "british_pto",
    "F": "french",
    "I": "italian",
    "J": "japanese",
    "C": "chinese",
    "L": "allied_minor",
    "P": "partisan",
}


class Step(msgspec.Struct, frozen=True):
    """A step of the activation ladder (5.1): who is in LOS, how near, with what Final IFT DRM at most.

    `hexes` None is ADJACENT; `drm` None asks for none. `span` are the months in which this step holds.
    """

    case: str
    hexes: int | None
    drm: int | None
    targets: tuple[str, ...]
    span: Span | None = None


class Substitution(msgspec.Struct, frozen=True):
    """What the Free French put in place of a British or U.S. unit, in these months, on a dr from `low` to `high`."""

    unit: str
    span: Span
    replaces: str
    low: int
    high: int


class Card(msgspec.Struct, frozen=True):
    """The tables of one nationality."""

    code: str
    nation: str
    title: str
    span: Span | None
    groups: tuple[str, ...]
    ladder: tuple[Step, ...]
    tables: dict[str, Table]

    @property
    def letter(self) -> str:
        """The letter that its tables bear."""
        return self.code[0]

    def has(self, number: str) -> bool:
        """Whether the card has a table x6a, x10a and so on."""
        return self.letter + number.removeprefix("x") in self.tables

    def table(self, number: str) -> Table:
        """A table by its number, such as `x5a`."""
        name = self.letter + number.removeprefix("x")
        if name not in self.tables:
            raise ValueError(f"The {self.title} card has no table {name}.")
        return self.tables[name]

    def dated(self, number: str, date: str) -> tuple[Table, str]:
        """The table to roll on at a date, and the date to read it by.

        A table that begins later gives way to the one named in its `before`; one that ends earlier is read by its last
        month (SA-31).
        """
        table = self.table(number)
        if table.span and month_of(date) < table.span.first:
            return (self.tables[table.before], date) if table.before else (table, month_text(table.span.first))
        if table.span and month_of(date) > table.span.last:
            return table, month_text(table.span.last)
        return table, date

    def steps(self, date: str) -> list[Step]:
        """The ladder on a date."""
        return [step for step in self.ladder if step.span is None or date in step.span]


def _ladder(text: str) -> tuple[Step, ...]:
    head, *body = texttable.grid(text)
    steps = []
    for place, heading in enumerate(head[1:-2], start=1):
        months = span(heading) if is_date(heading) else None
        for row in body:
            hexes = int(row[place]) if row[place].isdecimal() else None
            drm = int(row[-2].removeprefix("<=")) if row[-2].startswith("<=") else None
            steps.append(Step(row[0], hexes, drm, tuple(row[-1].split(", ")), months))
    return tuple(steps)


@cache
def _own() -> dict[str, dict[str, Any]]:
    """The user's own tables by card and table."""
    found: dict[str, dict[str, Any]] = {}
    titles = own_tables()
    if titles:
        check_titles(titles, {file: files.load(f"cards/{file}.toml") for file in FILES.values()})
    for title, values in titles.items():
        file, _, name = title.partition(" ")
        found.setdefault(file, {})[name] = values
    return found


@cache
def card(code: str) -> Card:
    """A card by its code: G, R, U, U-PTO, M, B, B-PTO, F, I, J, C, L or P."""
    if code not in FILES:
        raise ValueError(f"There is no card {code!r}; the cards are {', '.join(FILES)}.")
    data = files.load(f"cards/{FILES[code]}.toml")
    letter = code[0]
    found: dict[str, Table] = {}
    for name, entry in data.items():
        if isinstance(entry, dict) and name not in (f"{letter}1", "free_french"):
            shown = data[entry["same_as"]] | entry if "same_as" in entry else entry
            # the cards for the PTO bear the letters of the others
            own = f"{name} PTO" if code.endswith("-PTO") else name
            found[name] = read_table(own, shown, data.get("dates", ""), data["source"])
    months = span(data["dates"]) if "dates" in data else None
    for title, values in _own().get(FILES[code], {}).items():
        found[title] = replaced(f"{FILES[code]} {title}", values, found[title], data["nation"], months)
    return Card(
        code=data["card"],
        nation=data["nation"],
        title=data["title"],
        span=months,
        groups=tuple(data.get("groups", ())),
        ladder=_ladder(data[f"{letter}1"]["table"]),
        tables=found,
    )


def card_for(nation: str, *, pacific: bool = False) -> Card:
    """The card of a nationality such as `german`; the U.S. Army and the British have another one for the PTO."""
    found = [one for one in map(card, FILES) if one.nation == nation]
    if not found:
        raise ValueError(f"No card serves {nation!r}; there are cards for {', '.join(FILES.values())}.")
    return found[-1] if pacific else found[0]


@cache
def free_french() -> tuple[Substitution, ...]:
    """The Free French Substitutions, in the printed order."""
    found = []
    for row in texttable.rows(files.load("cards/french.toml")["free_french"]["table"]):
        low, high = (1, 6) if row["dr"] == "any" else texttable.bounds(row["dr"], low=1, high=6)
        found.append(Substitution(row["Unit"], span(row["Date"]), row["replaces"], low, high))
    return tuple(found)
