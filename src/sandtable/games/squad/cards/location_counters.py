"""The kinds of counters that lie in a Location, read from their table; parts add kinds of their own."""

from __future__ import annotations

import msgspec

from sandtable.games.squad.cards import texttable

VALUE = "value"
"""Stands in the table for the figure of the counter itself."""


class CounterKind(msgspec.Struct, frozen=True, kw_only=True):
    """What a counter does to whoever is in its Location or looks through it."""

    name: str
    group: str = ""
    """Of one group only the strongest counter in a Location counts; empty: the kind is a group of its own."""
    tem: int = 0
    """In place of a smaller TEM of the terrain."""
    tem_by_value: bool = False
    """The TEM is the figure of the counter itself."""
    mf: int = 0
    """Half MF more to enter."""
    hindrance: int = 0
    """To fire into or through the hex."""
    out: int = 0
    """More to fire out of it."""
    capacity: int = 0
    """Half-squads that may be within it, who alone have its TEM; 0: it shelters the whole Location."""
    goes: str = ""
    """When it is removed: `MPh ends`, `PFPh begins`, `turn ends`; empty: a rule of its own removes it."""
    attacker_only: bool = False
    """Only counters of the ATTACKER go then."""
    becomes: str = ""
    """What it is flipped to instead of going."""
    told: bool = True
    """Whether the log tells that it goes."""
    face: str = ""
    """Its face among the markers, empty: it is not shown; `{value}` stands for its figure."""
    label: str = ""
    rule: str = ""


def _kind(row: texttable.Row) -> CounterKind:
    by_value = row["tem"] == VALUE
    return CounterKind(
        name=row["kind"],
        group=row["group"],
        tem=0 if by_value else int(row["tem"]),
        tem_by_value=by_value,
        mf=2 * int(row["mf"]),
        hindrance=int(row["into"]),
        out=int(row["out"]),
        capacity=int(row["capacity"]),
        goes=row["goes"],
        attacker_only=row["whose"] == "attacker",
        becomes=row["becomes"],
        told=row["told"] == "yes",
        face=row["face"],
        label=row["label"],
        rule=row["rule"],
    )


COUNTERS = {
    row["kind"]: _kind(row) for row in texttable.rows(texttable.load("tables/counters.toml")["counters"]["table"])
}
"""The kinds that every game of the family has."""
