"""Line of sight between hexes: one engine for single lines, whole boards and look-ups (3.2.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Literal, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandtable.reading import convert
from sandtable.space.hexgrid import HexGrid
from sandtable.space.losfield import LosField
from sandtable.space.losjudge import Cause, Findings, Lift, along_hexsides, judge, lines_between
from sandtable.space.losrows import LineRows
from sandtable.space.loswalk import runs_along
from sandtable.space.raster import Raster
from sandtable.space.terrain import terrain_table

Ints = NDArray[np.int32]
Counting = Literal["per-hex", "per-range"]
Cliffs = Literal["hide", "crest"]

BLOCKED = 255
"""Stands in a row of the table for a blocked line; every other value is the hindrance."""

GRAZE = 2
"""A string that touches the hindrance of a hex for no more than so many pixels only grazes it."""

HINDRANCE_LIMIT = 6
"""Hindrances of this sum block the line (3.2.1)."""


class LosRules(msgspec.Struct, frozen=True):
    """Switches: how hindrances add up, whether all buildings are one level high (1.1.1), and what cliffs hide."""

    hindrance: Counting = "per-hex"
    one_level_buildings: bool = True
    cliffs: Cliffs = "hide"
    """A cliff hides at least the hex at its foot, or no more than any crest line (ruling L-6)."""


STARTER_KIT = LosRules()


class Hindrance(msgspec.Struct, frozen=True):
    """One hex that hinders a line."""

    hex: str
    terrain: str
    value: int
    point: tuple[int, int]


class Los(msgspec.Struct, frozen=True):
    """The verdict on one line and all that led to it."""

    start: str
    end: str
    range: int
    blocked: bool
    hindrance: int
    cause: Cause
    blocking_hex: str | None
    blocking_terrain: str | None
    point: tuple[int, int] | None
    hindrances: tuple[Hindrance, ...]
    start_level: float
    end_level: float
    along_hexside: bool

    @property
    def clear(self) -> bool:
        """Whether fire may be traced along the line."""
        return not self.blocked


class LosEngine:
    """Judges lines on one raster by one set of switches."""

    def __init__(self, raster: Raster, rules: LosRules = STARTER_KIT) -> None:
        self.rules = rules
        self.grid = raster.grid
        self.field = LosField(raster, one_level_buildings=rules.one_level_buildings, cliffs=rules.cliffs == "hide")

    def values(self, starts: Ints, ends: Ints, lift: Lift = (0, 0)) -> NDArray[np.uint8]:
        """For many lines from lower to higher hex numbers: the hindrance of each, or BLOCKED; `lift` raises ends."""
        field = self.field
        result = np.zeros(len(starts), np.uint8)
        lines = lines_between(field, starts, ends, lift)
        for numbers, runs in runs_along(field.regions, field.width, field.aims[starts], field.aims[ends]):
            found = judge(field, runs, lines)
            result[found.stretches.line[found.cause > 0]] = BLOCKED
            totals = self._totals(found, result != BLOCKED)
            numbers = numbers[result[numbers] != BLOCKED]
            result[numbers] = np.where(totals[numbers] < HINDRANCE_LIMIT, totals[numbers], BLOCKED)
        return result

    def _totals(self, found: Findings, wanted: NDArray[np.bool_]) -> NDArray[np.integer]:
        """Sum of the hindrances of each wanted line."""
        chosen = np.flatnonzero(found.hindrance)
        chosen = chosen[wanted[found.stretches.line[chosen]]]
        if not len(chosen):
            return np.zeros(len(wanted), np.intp)
        keys = np.unique(self._counted(found, chosen)[1])
        return np.bincount(keys >> 16, minlength=len(wanted))

    def _counted(self, found: Findings, chosen: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
        """Those of some hindering entries that count, and a key of line and place that counts once.

        One a range from the start, or by the Starter Kit one a hex: a hex of that terrain, not only touched
        at a corner. The two hexes beside a line along a hexside count as one.
        """
        stretches = found.stretches
        line = stretches.line[chosen].astype(np.int64) << 16
        by_range = line + stretches.from_start[chosen]
        if self.rules.hindrance == "per-range":
            return chosen, by_range
        first, last = stretches.first[chosen], stretches.last[chosen]
        width = self.field.width
        length = np.maximum(np.abs(first % width - last % width), np.abs(first // width - last // width)) + 1
        along = along_hexsides(self.field, stretches.start[chosen], stretches.end[chosen])
        keys = np.where(along, by_range, line + stretches.hex[chosen])
        _, place = np.unique(keys, return_inverse=True)
        code = self.field.ground.code[stretches.cls[chosen]]
        counts = self.field.shows[stretches.hex[chosen], code]
        counts &= (np.bincount(place, weights=length)[place] > GRAZE) | self.field.inherent[code]
        return chosen[counts], keys[counts]

    def explain(self, start: int, end: int, *, heights: tuple[int, int] = (0, 0)) -> Los:
        """Judge one line and say why; `heights` lifts the ends to upper building levels."""
        flipped = start > end
        low, high = (end, start) if flipped else (start, end)
        lift = heights[::-1] if flipped else heights
        field = self.field
        starts, ends = np.array([low], np.int32), np.array([high], np.int32)
        lines = lines_between(field, starts, ends, lift)
        levels = (float(lines.start_level[0]) / 2, float(lines.end_level[0]) / 2)
        line = {
            "start": self.grid.name(start),
            "end": self.grid.name(end),
            "range": self.grid.range(start, end),
            "start_level": levels[1] if flipped else levels[0],
            "end_level": levels[0] if flipped else levels[1],
            "along_hexside": self.grid.along_hexsides(start, end),
        }
        if start == end:
            return self._verdict(line, None, flipped)
        ((_, runs),) = runs_along(field.regions, field.width, field.aims[starts], field.aims[ends])
        return self._verdict(line, judge(field, runs, lines), flipped)

    def _verdict(self, line: dict[str, object], found: Findings | None, flipped: bool) -> Los:
        cause, where, total = Cause.NOTHING, -1, 0
        hindrances: tuple[Hindrance, ...] = ()
        if found is not None:
            blocks = np.flatnonzero(found.cause).tolist()
            if blocks:
                where = min(blocks, key=lambda entry: self._order(found, entry, flipped))
                cause = Cause(int(found.cause[where]))
            else:
                hindrances = self._hindrances(found, flipped)
                total = int(self._totals(found, np.ones(1, np.bool_))[0])
                if total >= HINDRANCE_LIMIT:
                    cause = Cause.HINDRANCES
        hex_name = terrain = point = None
        if found is not None and where >= 0:
            hex_name = self.grid.name(int(found.stretches.hex[where]))
            terrain = self._terrain(found, where)
            point = self._point(found, where, flipped)
        elif cause is Cause.HINDRANCES:
            hex_name, terrain, point = hindrances[-1].hex, hindrances[-1].terrain, hindrances[-1].point
        return convert(
            {
                **line,
                "blocked": cause is not Cause.NOTHING,
                "hindrance": total,
                "cause": cause,
                "blocking_hex": hex_name,
                "blocking_terrain": terrain,
                "point": point,
                "hindrances": hindrances,
            },
            Los,
        )

    def _hindrances(self, found: Findings, flipped: bool) -> tuple[Hindrance, ...]:
        """The hexes that hinder, in order from the start, as many as count."""
        entries, keys = self._counted(found, np.flatnonzero(found.hindrance))
        pairs = sorted(
            zip(entries.tolist(), keys.tolist(), strict=True), key=lambda pair: self._order(found, pair[0], flipped)
        )
        seen: dict[int, Hindrance] = {}
        for entry, key in pairs:
            if key not in seen:
                name = self.grid.name(int(found.stretches.hex[entry]))
                seen[key] = Hindrance(name, self._terrain(found, entry), 1, self._point(found, entry, flipped))
        return tuple(seen.values())

    def _order(self, found: Findings, entry: int, flipped: bool) -> tuple[int, int]:
        """Distance of an entry from where the viewer stands; the nearer end of the run counts."""
        x, y = self._point(found, entry, flipped)
        cell = int((found.stretches.end if flipped else found.stretches.start)[entry])
        ax, ay = self.grid.aim(cell)
        return (x - ax) ** 2 + (y - ay) ** 2, int(found.stretches.hex[entry])

    def _point(self, found: Findings, entry: int, flipped: bool) -> tuple[int, int]:
        pixel = int((found.stretches.last if flipped else found.stretches.first)[entry])
        return pixel % self.field.width, pixel // self.field.width

    def _terrain(self, found: Findings, entry: int) -> str:
        code = int(self.field.ground.code[found.stretches.cls[entry]])
        return terrain_table().by_code[code].name


class HasRaster(Protocol):
    """A map, whose raster is made when it is asked for."""

    grid: HexGrid

    @property
    def raster(self) -> Raster:
        """Terrain and levels."""


class LosTable(LineRows):
    """All lines of a map, one row a hex, made when first asked for: `table.row(a)[b]`."""

    def __init__(self, ground: Raster | HasRaster, rules: LosRules = STARTER_KIT) -> None:
        self._ground = ground
        self.rules = rules
        self.grid = ground.grid
        super().__init__(self.grid.size)

    @cached_property
    def engine(self) -> LosEngine:
        """What judges the lines, made when the first one is asked for: a map may be used long before."""
        ground = self._ground
        return LosEngine(ground if isinstance(ground, Raster) else ground.raster, self.rules)

    def clear(self, start: int, end: int) -> bool:
        """Whether there is a line of sight between two hexes."""
        return (self._rows[start] or self._make_row(start))[end] != BLOCKED

    def explain(self, start: int, end: int) -> Los:
        """Why the table says what it says about one line."""
        return self.engine.explain(start, end)

    def _ranges(self, start: int) -> NDArray[np.integer]:
        found: NDArray[np.integer] = self.grid.ranges[start]
        return found

    def _work_out(self, start: int, ends: Ints) -> NDArray[np.uint8]:
        found = np.zeros(len(ends), np.uint8)
        far = np.flatnonzero(ends != start)
        here = np.full(len(far), start, np.int32)
        found[far] = self.engine.values(np.minimum(here, ends[far]), np.maximum(here, ends[far]))
        return found

    def seen_within(self, limit: int, cells: Sequence[int] = ()) -> NDArray[np.intp]:
        """For each of some hexes (none named: of all), how many it sees up to a range, itself included.

        Other lines are not worked out.
        """
        wanted = self.grid.ranges <= limit
        if cells:
            asked = np.zeros(self.grid.size, np.bool_)
            asked[list(cells)] = True
            wanted &= asked[:, None] | asked[None, :]
        starts, ends = (part.astype(np.int32) for part in np.nonzero(np.triu(wanted, 1)))
        order = np.argsort(self.grid.ranges[starts, ends], kind="stable")
        starts, ends = starts[order], ends[order]
        clear = self.engine.values(starts, ends) != BLOCKED
        counts = [np.bincount(line[clear], minlength=self.grid.size) for line in (starts, ends)]
        return 1 + counts[0] + counts[1]

    def complete(self, progress: Callable[[float], None] | None = None) -> None:
        """Make all rows at once, which is quicker than one by one; reports the share done."""
        size = self.grid.size
        matrix = np.zeros((size, size), np.uint8)
        starts, ends = (part.astype(np.int32) for part in np.triu_indices(size, 1))
        # whole displacements stay together when lines are cut into few large pieces
        pieces = max(1, len(starts) // 200_000) if progress is None else max(4, len(starts) // 100_000)
        order = np.argsort(self.grid.ranges[starts, ends], kind="stable")
        for number, piece in enumerate(np.array_split(order, pieces)):
            matrix[starts[piece], ends[piece]] = self.engine.values(starts[piece], ends[piece])
            if progress is not None:
                progress((number + 1) / pieces)
        matrix |= matrix.T
        self._rows = [row.tobytes() for row in matrix]
