"""Kinds of bases, vehicles and guns, and the army lists: data files read once; all values are house values."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from sandtable.reading import convert

QUALITIES = ("raw", "average", "veteran")
NATIONS = ("german", "soviet", "british", "us", "japanese")


class Kind(msgspec.Struct, frozen=True):
    """What is printed nowhere but must be known of a base, a gun or a vehicle."""

    id: str
    name: str
    form: str
    """foot, gun, wheeled, halftrack, car or tank."""
    points: int
    dice: int = 0
    reach: int = 0
    nearest: int = 0
    at: int = 0
    at_reach: int = 0
    at_ap: int = 2
    at_max: int = 2
    faust: bool = False
    hmg: bool = False
    mortar: str = ""
    flame: bool = False
    satchel: bool = False
    close: bool = False
    deploys: bool = False
    heavy: bool = False
    gun: int = 0
    he: int = 0
    armour: int = 0
    mg: int = 0
    turret: bool = True
    carry: int = 0

    foot: bool = False
    """A base of men."""
    vehicle: bool = False
    """Anything with an engine."""
    transport: bool = False
    """A vehicle whose work is to carry: wheeled or half-tracked."""
    fighting: bool = False
    """A tank or armoured car."""
    foot_at: bool = False
    """Foot with an anti-tank weapon, panzerfausts included (an HMG is none)."""
    capacity: int = 0
    """Bases that it can carry; a tank takes riders (odds-capacity)."""


TRANSPORT_CAPACITY = 4


def _kind(name: str, values: dict[str, Any]) -> Kind:
    form = values["form"]
    foot = form == "foot"
    derived = {
        "foot": foot,
        "vehicle": form not in ("foot", "gun"),
        "transport": form in ("wheeled", "halftrack"),
        "fighting": form in ("tank", "car"),
        "foot_at": foot and values.get("at", 0) > 0 and not values.get("hmg", False),
        "capacity": TRANSPORT_CAPACITY if form == "tank" else values.get("carry", 0),
    }
    return convert({"id": name, **values, **derived}, Kind)


class Entry(msgspec.Struct, frozen=True):
    """A unit that an army list offers."""

    id: str
    name: str
    kind: str
    """platoon, weapons, guns or vehicles."""
    sections: tuple[tuple[str, ...], ...]
    """The bases set up together; a star marks the officer."""
    transports: tuple[str, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of all its pieces."""
        return (*(name.rstrip("*") for section in self.sections for name in section), *self.transports)

    @property
    def tanks(self) -> int:
        """How many of its pieces are tanks."""
        return _tanks(self)

    def points(self, quality: str) -> int:
        """What the unit costs in that quality."""
        return _points(self)[quality]


@cache
def _points(entry: Entry) -> dict[str, int]:
    total = sum(kinds()[name].points for name in entry.kinds)
    return {quality: round(total * factor) for quality, factor in lists().quality.items()}


@cache
def _tanks(entry: Entry) -> int:
    return sum(kinds()[name].form == "tank" for name in entry.kinds)


class AssetKind(msgspec.Struct, frozen=True):
    """Something outside the company that it may call on once."""

    name: str
    points: int


class Nation(msgspec.Struct, frozen=True):
    """One army list."""

    name: str
    assault: bool
    """Its foot pay one action point less for an assault (Foot Action Points)."""
    units: tuple[Entry, ...]


class Lists(msgspec.Struct, frozen=True):
    """All army lists and the limits of an army."""

    source: str
    points_limit: tuple[int, ...]
    quality: dict[str, float]
    kinds_of_unit: dict[str, Any]
    assets: dict[str, AssetKind]
    nations: dict[str, Nation]

    def entry(self, nation: str, unit: str) -> Entry | None:
        """The unit of that id in the list of a nation."""
        return next((entry for entry in self.nations[nation].units if entry.id == unit), None)


def data_text(name: str) -> str:
    """A data file of the package."""
    return (resources.files("sandtable.games.pbi") / "data" / name).read_text(encoding="utf-8")


@cache
def kinds() -> dict[str, Kind]:
    """Every kind by its id."""
    table = tomllib.loads(data_text("kinds.toml"))
    return {name: _kind(name, values) for name, values in table.items() if isinstance(values, dict)}


@cache
def lists() -> Lists:
    """The army lists."""
    return convert(tomllib.loads(data_text("lists.toml")), Lists)


KINDS: dict[str, Kind] = kinds()
