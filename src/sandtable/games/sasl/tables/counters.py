"""From the names in the tables to counters: units and SW of the squad-level games, Guns, and the later vehicles."""

from __future__ import annotations

import csv
import io
from functools import cache
from importlib import resources

import msgspec

from sandtable.games.sasl.tables import files
from sandtable.games.squad.cards import texttable
from sandtable.games.squad.pieces import counters


class TableGun(msgspec.Struct, frozen=True, rename={"breakdown": "b"}):
    """A Gun that only the tables of this game name: its figures as the counter shows them.

    `size` is the To Hit DRM for its size, `limbered_fire` its ROF, B# and gun while limbered.
    """

    nation: str
    name: str
    type: str
    caliber: float
    barrel: str | None
    ap: bool
    he: bool
    rof: int | None
    ife: int | None
    manhandling: int | None
    size: int | None
    mount: str | None
    mobility: str | None
    breakdown: str | None
    low_ammo: bool
    min_range: int | None
    max_range: int | None
    special_ammo: str | None
    limbered_fire: str | None
    pp: str | None
    dm_pp: str | None
    source: str
    confidence: str
    note: str | None


class Vehicle(msgspec.Struct, frozen=True):
    """A vehicle or watercraft that the tables name: the counter and its kind."""

    card: str
    printed: str
    counter: str
    kind: str
    confidence: str


@cache
def table_guns() -> dict[tuple[str, str], TableGun]:
    """The Guns of the tables that the squad-level games do not have, by nationality and name."""
    folder = resources.files("sandtable.games.sasl.tables").joinpath("data", "counters")
    found = {}
    for row in csv.DictReader(io.StringIO(folder.joinpath("guns.csv").read_text("utf-8"))):
        values: dict[str, object] = {key: cell or None for key, cell in row.items()}
        one = msgspec.convert(values, TableGun, strict=False)
        found[one.nation, one.name] = one
    return found


@cache
def _names(kind: str) -> dict[tuple[str, str], tuple[str, ...]]:
    rows = texttable.rows(files.load("counters/names.toml")[kind])
    return {(row["nation"], row["printed"]): tuple(row["counters"].split("; ")) for row in rows}


def _meant(kind: str, nation: str, printed: str) -> list[tuple[str, str]]:
    found = []
    for name in _names(kind).get((nation, printed), (printed,)):
        other, colon, bare = name.partition(": ")
        found.append((other, bare) if colon else (nation, name))
    return found


def guns(nation: str, printed: str) -> list[tuple[str, str]]:
    """Nationality and name of the counters that a Gun of a table x5 may be; most names mean one."""
    owner = "american" if nation == "usmc" else nation
    return _meant("guns", owner, printed)


def known_gun(nation: str, name: str) -> bool:
    """Whether a Gun's counter is among the squad-level games' or this game's own."""
    if (nation, name) in table_guns():
        return True
    try:
        return bool(counters.counter(nation, name))
    except counters.UnknownCounter:
        return False


def weapons(nation: str, printed: str) -> list[counters.SupportWeapon]:
    """The SW that a name in a table x4 may be; most names mean one."""
    owner = "american" if nation == "usmc" and ("american", printed) in _names("sw") else nation
    if nation == "partisan" and ("russian", printed) in _names("sw"):
        owner = "russian"
    return [counters.weapon(whose, name) for whose, name in _meant("sw", owner, printed)]


def unit(nation: str, printed: str) -> counters.Mmc:
    """The squad, half-squad or crew that a table or a company names."""
    whose, name = _meant("units", nation, printed)[0]
    return counters.mmc(whose, name)


@cache
def vehicles() -> dict[tuple[str, str], Vehicle]:
    """The vehicles and watercraft of the tables by card letter and printed name; X is any side."""
    rows = texttable.rows(files.load("counters/vehicles.toml")["vehicles"])
    return {(row["card"], row["printed"]): Vehicle(**row) for row in rows}


def vehicle(letter: str, printed: str) -> Vehicle:
    """The vehicle that a table x6 or x7 names; the Marines use the U.S. ones."""
    found = vehicles()
    for key in ((("U" if letter == "M" else letter), printed), ("X", printed)):
        if key in found:
            return found[key]
    raise ValueError(f"No counter is known for the vehicle {printed!r} of card {letter}.")


def absent() -> list[texttable.Row]:
    """What the tables name and no shipped counter shows, and what serves instead."""
    return texttable.rows(files.load("counters/names.toml")["absent"])
