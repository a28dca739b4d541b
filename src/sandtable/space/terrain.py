"""Terrain kinds of all squad-level games, read from one data table (1.1.1 and the Terrain Effects Chart)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandtable.reading import convert

Los = Literal["none", "hindrance", "obstacle"]
Group = Literal[
    "open",
    "road",
    "building",
    "factory",
    "woods",
    "orchard",
    "grain",
    "rubble",
    "entrenchment",
    "depression",
    "water",
    "bridge",
    "hexside",
    "other",
]


class TerrainKind(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of the terrain table."""

    code: int
    name: str
    title: str
    group: Group
    mf: float | None = None
    all_mf: bool = False
    road_mf: float | None = None
    crest_multiplier: int = 1
    tem: int = 0
    mortar_tem: int | None = None
    hindrance: int = 0
    height: int = 0
    half: bool = False
    los: Los = "none"
    same_level: Los | None = None
    inherent: bool = False
    rally: bool = False
    hexside: bool = False
    open: bool = False
    material: Literal["stone", "wood"] | None = None
    storeys: int = 0
    season: Literal["grain", "orchard"] | None = None
    out: str | None = None
    in_bed: bool = False
    """It lies in the bed of a gully or a stream, which goes on below it."""
    source: Literal["aslsk2", "asl"]
    rule: str
    note: str = ""

    @property
    def is_building(self) -> bool:
        """A building for the rules of movement, cover and rally."""
        return self.group in ("building", "factory")

    def half_levels(self, *, one_level_buildings: bool) -> int:
        """Height above its ground in half levels; the Starter Kit knows only one-level buildings (1.1.1)."""
        if one_level_buildings and self.is_building and self.height > 0:
            return 2
        return 2 * self.height + int(self.half)


class Season(msgspec.Struct, frozen=True):
    """What stands in the fields: grain June to September, orchards in leaf April to October (1.1.1)."""

    grain: bool = True
    orchard: bool = True

    @classmethod
    def of_month(cls, month: int) -> Season:
        """The season of a month, 1 to 12."""
        if not 1 <= month <= 12:
            raise ValueError(f"there is no month {month}; give a number from 1 to 12")
        return cls(grain=6 <= month <= 9, orchard=4 <= month <= 10)


IN_SEASON = Season()


class TerrainTable:
    """All kinds, found by name or by raster code."""

    def __init__(self, kinds: list[TerrainKind]) -> None:
        self.kinds = tuple(sorted(kinds, key=lambda kind: kind.code))
        self.by_name = {kind.name: kind for kind in self.kinds}
        self.by_code = {kind.code: kind for kind in self.kinds}
        if len(self.by_name) != len(self.kinds) or len(self.by_code) != len(self.kinds):
            raise ValueError("the terrain table uses a code or a name twice")

    def __iter__(self) -> Iterator[TerrainKind]:
        return iter(self.kinds)

    def __len__(self) -> int:
        return len(self.kinds)

    def __contains__(self, name: object) -> bool:
        return name in self.by_name

    def __getitem__(self, name: str) -> TerrainKind:
        try:
            return self.by_name[name]
        except KeyError:
            raise KeyError(f"there is no terrain kind {name!r}") from None

    def season_codes(self, season: Season) -> NDArray[np.uint8]:
        """For each raster code, the code that stands there in that season."""
        codes = np.arange(256, dtype=np.uint8)
        for kind in self.kinds:
            if kind.season is not None and kind.out is not None and not getattr(season, kind.season):
                codes[kind.code] = self.by_name[kind.out].code
        return codes

    def flags(self, *names: str) -> NDArray[np.bool_]:
        """A look-up by raster code that is true for the named groups or kinds."""
        table = np.zeros(256, dtype=np.bool_)
        for kind in self.kinds:
            table[kind.code] = kind.name in names or kind.group in names
        return table


@cache
def terrain_table() -> TerrainTable:
    """The table that ships with the program."""
    text = (resources.files("sandtable.space") / "terrain.toml").read_text(encoding="utf-8")
    return TerrainTable(convert(tomllib.loads(text)["kinds"], list[TerrainKind]))


def kind(name: str) -> TerrainKind:
    """The terrain kind of that name."""
    return terrain_table()[name]


def code(name: str) -> int:
    """The raster code of the kind of that name."""
    return terrain_table()[name].code
