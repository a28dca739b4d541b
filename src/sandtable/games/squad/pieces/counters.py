"""Counters as data: squads, half-squads, crews, leaders, support weapons and Guns of each nationality (1.2)."""

from __future__ import annotations

import csv
import difflib
import io
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Literal, TypeVar

import msgspec

from sandtable.games.squad.cards import texttable
from sandtable.games.squad.cards.tables import GunRow
from sandtable.games.squad.pieces.own_counters import corrected, own_file, read_corrections
from sandtable.reading import convert

UnitClass = Literal["E", "1", "2", "G", "C", "P"]
WeaponType = Literal["LMG", "MMG", "HMG", "LATW", "ATR", "FT", "DC", "MTR"]
GunType = Literal["AT", "ART", "AA", "MTR", "INF"]
TargetSize = Literal["small", "normal", "large"]


class UnknownCounter(ValueError):
    """No such nationality or counter; the message names the nearest ones."""


class SpecialAmmo(msgspec.Struct, frozen=True):
    """Special Ammo of a weapon (6.2): available between two dates (yyyy-mm, empty: always) in a theatre."""

    kind: Literal["HE", "s", "WP", "H", "A", "D", "C"]
    number: int
    since: str = ""
    until: str = ""
    theatre: str = ""
    note: str = ""

    def available(self, date: str, theatre: str = "E") -> bool:
        """Whether a weapon may have it on a date such as `1944-09`."""
        in_time = (not self.since or self.since <= date[:7]) and (not self.until or date[:7] <= self.until)
        return in_time and self.theatre in ("", theatre)


class Mmc(msgspec.Struct, frozen=True, rename={"unit_class": "class"}):
    """A squad, half-squad or crew (1.2.2); `reduces_to` None: Casualty Reduction eliminates it."""

    nation: str
    name: str
    kind: Literal["squad", "half-squad", "crew"]
    unit_class: UnitClass
    fp: int
    range: int
    morale: int
    broken_morale: int | None
    self_rally: bool
    smoke: int
    assault_fire: bool
    spraying_fire: bool
    elr_exempt: bool
    reduces_to: str | None
    replaced_by: str | None
    bpv: int | None
    source: str
    confidence: str
    note: str | None

    @property
    def elite(self) -> bool:
        """Elite units keep the X# of flamethrowers and demolition charges (4.2, 4.3)."""
        return self.unit_class == "E"


class Smc(msgspec.Struct, frozen=True):
    """A leader, hero or commissar (1.2.1); the wounded values follow 3.2.3."""

    nation: str
    name: str
    kind: Literal["leader", "hero", "tank-hunter hero", "commissar"]
    morale: int
    leadership: int | None
    fp: int | None
    range: int | None
    broken_morale: int | None
    self_rally: bool
    wounded_morale: int
    wounded_leadership: int | None
    replaced_by: str | None
    source: str
    confidence: str
    note: str | None


class SupportWeapon(msgspec.Struct, frozen=True, rename={"breakdown": "b", "removal": "x"}):
    """A support weapon (1.2.4): `breakdown` is the B#, `removal` the X#; `chart` its line of the To Hit chart."""

    nation: str
    name: str
    type: WeaponType
    caliber: int | None
    fp: int | None
    range: int | None
    min_range: int | None
    max_range: int | None
    rof: int | None
    pp: int | None
    breakdown: int | None
    removal: int | None
    repair: int | None
    removed: int | None
    dismantled: str | None
    to_hit: str | None
    att_fp: int | None
    ch_fp: int | None
    chart: str | None
    dates: str | None
    source: str
    confidence: str
    note: str | None
    ammo: tuple[SpecialAmmo, ...] = ()

    @property
    def machine_gun(self) -> bool:
        """Whether it is a light, medium or heavy machine gun (4.1)."""
        return self.type in ("LMG", "MMG", "HMG")

    @property
    def to_hit_numbers(self) -> tuple[int, ...]:
        """To Hit numbers by range, from 0, of a light anti-tank weapon (4.4)."""
        return tuple(int(number) for number in self.to_hit.split("/")) if self.to_hit else ()


class Gun(msgspec.Struct, frozen=True, rename={"breakdown": "b"}):
    """A Gun (1.2.6); `he` special: high explosive only as Special Ammo; `later_range`: `yyyy-mm min-max`."""

    nation: str
    name: str
    type: GunType
    caliber: int
    barrel: str | None
    rof: int | None
    ife: int | None
    manhandling: int
    size: TargetSize
    mount_360: bool
    qsu: bool
    breakdown: int
    repair: int
    removed: int
    min_range: int | None
    max_range: int | None
    later_range: str | None
    he: Literal["yes", "special", "no"]
    ap: bool
    gunshield: bool
    building: bool
    chart: str
    bpv: int | None
    dates: str | None
    source: str
    confidence: str
    note: str | None
    ammo: tuple[SpecialAmmo, ...] = ()
    line: GunRow | None = None
    """Its line of the To Hit Chart, if it is not the printed one that `chart` names."""

    def ranges(self, date: str) -> tuple[int, int | None]:
        """Least and greatest range on a date; None: no limit is printed (6.9)."""
        if self.later_range:
            since, _, limits = self.later_range.partition(" ")
            if date[:7] >= since:
                low, high = limits.split("-")
                return int(low), int(high)
        return self.min_range or 1, self.max_range


class Nation(msgspec.Struct, frozen=True):
    """A nationality (5.2): `also` lends the counters it lacks."""

    title: str
    colour: str
    also: str = ""
    names: tuple[str, ...] = ()


Counter = Mmc | Smc | SupportWeapon | Gun
C = TypeVar("C", Mmc, Smc, SupportWeapon, Gun)


@cache
def nations() -> dict[str, Nation]:
    """All nationalities by id."""
    return convert(texttable.load("counters/nations.toml"), dict[str, Nation])


def _plain(word: str) -> str:
    return word.strip().lower().replace(" ", "_").replace("-", "_")


@cache
def nation_id(word: str) -> str:
    """The id of a nationality given by id, title or another of its names (`Greek` is `allied_minor`)."""
    plain = _plain(word)
    for key, nation in nations().items():
        if plain in (key, _plain(nation.title), *nation.names):
            return key
    raise UnknownCounter(f"there is no nationality {word!r}; the nationalities are {', '.join(nations())}")


def _ammo() -> dict[tuple[str, str], tuple[SpecialAmmo, ...]]:
    found: dict[tuple[str, str], tuple[SpecialAmmo, ...]] = {}
    for row in texttable.rows(texttable.load("counters/special_ammo.toml")["table"]):
        key = (row.pop("nation"), row.pop("weapon"))
        ammo = convert(row | {"since": row["from"]}, SpecialAmmo, strict=False)
        found[key] = (*found.get(key, ()), ammo)
    return found


def _read(name: str, kind: type[C]) -> Iterable[C]:
    text = resources.files("sandtable.games.squad").joinpath("data", "counters", name).read_text("utf-8")
    special = _ammo() if kind in (SupportWeapon, Gun) else {}
    for row in csv.DictReader(io.StringIO(text)):
        values: dict[str, object] = {key: cell or None for key, cell in row.items()}
        values["ammo"] = special.get((row["nation"], row["name"]), ())
        yield convert(values, kind, strict=False)


@cache
def all_counters() -> dict[tuple[str, str], Counter]:
    """Every counter by nationality and name, with the corrections of the user's own file."""
    found: dict[tuple[str, str], Counter] = {}
    for group in (
        _read("mmc.csv", Mmc),
        _read("smc.csv", Smc),
        _read("sw.csv", SupportWeapon),
        _read("guns.csv", Gun),
    ):
        for item in group:
            if (item.nation, item.name) in found:
                raise ValueError(f"two counters are called {item.nation} {item.name}")
            found[item.nation, item.name] = item
    return corrected(found, read_corrections(own_file()))


_BROUGHT: dict[tuple[str, str], Counter] = {}
"""What parts have brought, by nationality and name."""


def bring(brought: Mapping[tuple[str, str], Counter]) -> None:
    """Put the counters of a game's parts beside the common ones, which stay as they are."""
    for key, one in brought.items():
        if _BROUGHT.setdefault(key, one) != one:
            raise ValueError(f"two parts bring different counters called {' '.join(key)}")


def counter(nation: str, name: str) -> Counter:
    """The counter of that nationality and name, such as `counter("german", "4-6-7")`."""
    key, counters = nation_id(nation), all_counters()
    owner = key
    while owner:
        if found := counters.get((owner, name)) or counters.get((owner, name.removesuffix(" crew"))):
            return found
        if extra := _BROUGHT.get((owner, name)):
            return extra
        owner = nations()[owner].also
    names = [other for whose, other in counters if whose == key]
    near = difflib.get_close_matches(name, names, n=4, cutoff=0.4) or names[:8]
    title = nations()[key].title
    raise UnknownCounter(f"there is no {title} counter {name!r}; there are {', '.join(near)} and others")


def _of_kind(nation: str, name: str, kind: type[C], words: str) -> C:
    found = counter(nation, name)
    if not isinstance(found, kind):
        raise UnknownCounter(f"{name} of {nations()[found.nation].title} is no {words}")
    return found


def mmc(nation: str, name: str) -> Mmc:
    """The squad, half-squad or crew of that name (1.2.2)."""
    return _of_kind(nation, name, Mmc, "squad, half-squad or crew")


def smc(nation: str, name: str) -> Smc:
    """The leader or hero of that name (1.2.1)."""
    return _of_kind(nation, name, Smc, "leader or hero")


def weapon(nation: str, name: str) -> SupportWeapon:
    """The support weapon of that name (1.2.4)."""
    return _of_kind(nation, name, SupportWeapon, "support weapon")


def gun(nation: str, name: str) -> Gun:
    """The Gun of that name (1.2.6)."""
    return _of_kind(nation, name, Gun, "Gun")
