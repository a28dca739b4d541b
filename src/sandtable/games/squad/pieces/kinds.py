"""Printed values of units and weapons in the form that the rules ask for them, with a scenario's changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import msgspec

from sandtable.games.squad.cards.tables import gun_figures
from sandtable.games.squad.pieces import counters
from sandtable.games.squad.pieces.counters import Gun, Mmc, Smc, SupportWeapon
from sandtable.games.squad.pieces.traits import Traits, traits_of

DUMMY, DUMMY_MORALE = "?", 7
"""The name of a Dummy among the counters of every nationality, and the morale that it checks on."""
HALF_SQUAD, SQUAD = 1, 2
"""Sizes for stacking, in half-squads (3.3)."""

IFE_RANGE = int(gun_figures("ife")["normal_range"])
"""Normal range of a Gun that uses its Infantry Firepower Equivalent (6.8)."""


class UnitKind(Traits, frozen=True, kw_only=True):
    """What is printed on a unit's counter, on its front and its broken side, and its traits (1.2.1-1.2.3, G2)."""

    kind: str
    """Nationality and name, as in `Unit.kind`."""
    nation: str
    name: str
    unit_class: str = ""
    fp: int = 0
    range: int = 0
    morale: int
    broken_morale: int
    self_rally: bool = False
    leadership: int = 0
    smoke: int = 0
    assault_fire: bool = False
    spraying_fire: bool = False
    elr_exempt: bool = False
    reduced: str = ""
    """Kind after Casualty Reduction, empty: eliminated (a leader is wounded)."""
    replaced: str = ""
    """Kind one step lower in quality (5.1), empty: none."""
    size: int = 0
    """In half-squads; 0 for a single man."""
    steps_to: str = ""
    """Kind that it becomes where others break, empty: it breaks (G1.1)."""
    inspires: int = 0
    """A leader who raises the morale of others in his Location by so much (A25.221)."""
    superior: bool = False
    """A leader beside whom no other one counts in matters of morale (A25.221)."""
    unshaken: bool = False
    """Unbroken, it takes a LLTC where others take a LLMC (G1.4)."""

    @property
    def elite(self) -> bool:
        """Single men and crews are always elite (1.2.1, 1.2.2)."""
        return self.smc or self.crew or self.unit_class == "E"

    @property
    def green(self) -> bool:
        """Inexperienced when alone (5.4)."""
        return self.unit_class == "G"

    @property
    def conscript(self) -> bool:
        """Always Inexperienced (5.4)."""
        return self.unit_class == "C"


class WeaponKind(msgspec.Struct, frozen=True, kw_only=True):
    """What is printed on a weapon's counter (1.2.4, 1.2.6)."""

    kind: str
    nation: str
    name: str
    counter: SupportWeapon | Gun
    type: str
    gun: bool = False
    mg: bool = False
    mortar: bool = False
    latw: bool = False
    flamethrower: bool = False
    charge: bool = False
    ordnance: bool = False
    fp: int = 0
    """FP on the IFT, of a Gun its IFE (6.8)."""
    range: int = 0
    rof: int = 0
    pp: int = 0
    breakdown: int = 12
    removal: int = 0
    """X#, 0: it malfunctions instead."""
    repair: int = 0
    caliber: int = 0


def split_kind(kind: str) -> tuple[str, str]:
    """Nationality and name of a kind such as `german 4-6-7`; raises ValueError with a sentence."""
    nation, space, name = kind.partition(" ")
    if not space:
        raise ValueError(f"{kind!r} names no counter; write the nationality and the name, such as 'german 4-6-7'")
    return nation, name


@cache
def printed_unit(kind: str) -> UnitKind:
    """The printed values of a unit's kind."""
    nation, name = split_kind(kind)
    if name == DUMMY:
        return UnitKind(
            kind=kind,
            nation=nation,
            name=name,
            morale=DUMMY_MORALE,
            broken_morale=DUMMY_MORALE,
            elr_exempt=True,
            **traits_of("dummy"),
        )
    counter = counters.counter(nation, name)
    if isinstance(counter, Mmc):
        return UnitKind(
            kind=kind,
            nation=nation,
            name=name,
            unit_class=counter.unit_class,
            fp=counter.fp,
            range=counter.range,
            morale=counter.morale,
            broken_morale=counter.broken_morale or counter.morale,
            self_rally=counter.self_rally,
            smoke=counter.smoke,
            assault_fire=counter.assault_fire,
            spraying_fire=counter.spraying_fire,
            elr_exempt=counter.elr_exempt or counter.kind == "crew",
            reduced=f"{nation} {counter.reduces_to}" if counter.reduces_to else "",
            replaced=f"{nation} {counter.replaced_by}" if counter.replaced_by else "",
            size=SQUAD if counter.kind == "squad" else HALF_SQUAD,
            **traits_of(counter.kind),
        )
    if isinstance(counter, Smc):
        return UnitKind(
            kind=kind,
            nation=nation,
            name=name,
            unit_class="E",
            fp=counter.fp or 0,
            range=counter.range or 0,
            morale=counter.morale,
            broken_morale=counter.broken_morale or counter.morale,
            self_rally=counter.self_rally or counter.kind == "leader",
            leadership=counter.leadership or 0,
            replaced=f"{nation} {counter.replaced_by}" if counter.replaced_by else "",
            **traits_of(counter.kind),
        )
    raise ValueError(f"{kind} is a weapon, not a unit")


@cache
def printed_weapon(kind: str) -> WeaponKind:
    """The printed values of a weapon's kind."""
    nation, name = split_kind(kind)
    counter = counters.counter(nation, name)
    if isinstance(counter, SupportWeapon):
        mortar, latw = counter.type == "MTR", counter.type == "LATW"
        return WeaponKind(
            kind=kind,
            nation=nation,
            name=name,
            counter=counter,
            type=counter.type,
            mg=counter.machine_gun,
            mortar=mortar,
            latw=latw,
            flamethrower=counter.type == "FT",
            charge=counter.type == "DC",
            ordnance=mortar or latw,
            fp=counter.fp or 0,
            range=counter.range or 0,
            rof=counter.rof or 0,
            pp=counter.pp or 0,
            breakdown=counter.breakdown or 12,
            removal=counter.removal or 0,
            repair=counter.repair or 0,
            caliber=counter.caliber or 0,
        )
    if isinstance(counter, Gun):
        return WeaponKind(
            kind=kind,
            nation=nation,
            name=name,
            counter=counter,
            type=counter.type,
            gun=True,
            mortar=counter.type == "MTR",
            ordnance=True,
            fp=counter.ife or 0,
            range=IFE_RANGE if counter.ife else 0,
            rof=counter.rof or 0,
            breakdown=counter.breakdown,
            repair=counter.repair,
            caliber=counter.caliber,
        )
    raise ValueError(f"{kind} is a unit, not a weapon")


class Kinds(dict[tuple[str, str], UnitKind]):
    """Unit kinds by group and kind, with the changes that a scenario makes for its groups."""

    def __init__(self, change: Callable[[str, UnitKind], UnitKind] = lambda group, kind: kind) -> None:
        super().__init__()
        self._change = change

    def __missing__(self, key: tuple[str, str]) -> UnitKind:
        group, kind = key
        found = self[key] = self._change(group, printed_unit(kind))
        return found
