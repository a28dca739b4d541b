"""The rules of line of sight, applied to the runs of ground along many lines at once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from sandtable.space.grid import NO_CELL
from sandtable.space.losfield import AS_ABOVE, CENTRE, HINDRANCE, OBSTACLE, LosField
from sandtable.space.loswalk import Runs

Ints = NDArray[np.integer]
Bools = NDArray[np.bool_]


class Cause(IntEnum):
    """Why a line is blocked; the first that applies is given."""

    NOTHING = 0
    HIGHER_GROUND = 1
    OBSTACLE = 2
    HALF_LEVEL_OBSTACLE = 3
    NO_HEIGHT_ADVANTAGE = 4
    CREST_LINE = 5
    BLIND_HEX = 6
    BLIND_HEX_BEHIND_CREST = 7
    HEXSIDE = 8
    DEPRESSION = 9
    HINDRANCES = 10


@dataclass(frozen=True, eq=False)
class Stretches:
    """Runs that may matter, with what the rules ask about them; one entry a run and hex."""

    line: Ints
    hex: Ints
    cls: Ints
    """Class of ground, as numbered by the field."""
    first: Ints
    last: Ints
    start: Ints
    end: Ints
    """The hexes at both ends of the line."""
    full: Ints
    """Range of the whole line."""
    from_start: Ints
    from_end: Ints
    high: Ints
    low: Ints
    """Levels of the higher and of the lower end, in half levels."""
    start_high: Bools
    """Whether the higher end is the start."""

    def where(self, chosen: NDArray[np.generic]) -> Stretches:
        """Only some of the entries."""
        return Stretches(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))


@dataclass(frozen=True, eq=False)
class Findings:
    """What was found along the lines: entries that block with their cause, and entries that hinder."""

    stretches: Stretches
    cause: NDArray[np.int8]
    hindrance: NDArray[np.int8]


def judge(field: LosField, runs: Runs, starts: Ints, ends: Ints, high: Ints, low: Ints) -> Findings:
    """Find all that blocks or hinders; `starts`, `ends` and the end levels are looked up by line number.

    `high` and `low` are the levels of the start and of the end here; the higher one is sorted out inside.
    """
    stretches = _relevant(field, runs, starts, ends, high, low)
    cause = np.zeros(len(stretches.line), np.int8)
    hindrance = np.zeros(len(stretches.line), np.int8)
    ground = field.ground
    # terrain in a hex as far from one end as the other end is lies beside the line, not between its ends
    between = (stretches.from_start < stretches.full) & (stretches.from_end < stretches.full)
    _between_the_ends(field, stretches, between, cause, hindrance)
    hexside = ground.hexside[stretches.cls]
    if hexside.any():
        _hexsides(field, stretches, np.flatnonzero(hexside), cause, hindrance)
    sunken = field.in_depression[stretches.start] | field.in_depression[stretches.end]
    if sunken.any():
        _depressions(field, stretches, np.flatnonzero(sunken), cause)
    return Findings(stretches, cause, hindrance)


def _relevant(
    field: LosField, runs: Runs, starts: Ints, ends: Ints, start_level: Ints, end_level: Ints
) -> Stretches:
    """Leave out flat ground and the two end hexes; double the runs beside which two hexes lie."""
    ground = field.ground
    cls = runs.region % field.classes
    floor = np.minimum(start_level, end_level)
    flanks = field.inherent[field.hex_terrain].any()
    along = _along_hexsides(field, starts, ends) if flanks else np.zeros(len(starts), np.bool_)
    keep = np.flatnonzero((ground.top[cls] > floor[runs.line]) | along[runs.line])
    line, cls = runs.line[keep], cls[keep]
    owner = runs.region[keep] // field.classes
    first, last = runs.first[keep], runs.last[keep]
    start, end = starts[line], ends[line]
    outside = (owner != start) & (owner != end)
    line, cls, owner, first, last, start, end = (
        values[outside] for values in (line, cls, owner, first, last, start, end)
    )
    from_start = field.grid.ranges[start, owner].astype(np.int16)
    from_end = field.grid.ranges[end, owner].astype(np.int16)
    # a sliver of a neighbouring hex that only touches the border of an end hex belongs to that hex
    outside = np.ones(len(line), np.bool_)
    for near, cells, pixels in ((from_start, start, last), (from_end, end, first)):
        close = np.flatnonzero(near == 1)
        outside[close] = outside[close] & ~field.outline_holds(cells[close], pixels[close])
    one, other = start_level[line], end_level[line]
    full = field.grid.ranges[start, end].astype(np.int16)
    stretches = Stretches(
        line,
        owner,
        cls,
        first,
        last,
        start,
        end,
        full,
        from_start,
        from_end,
        np.maximum(one, other),
        np.minimum(one, other),
        one >= other,
    ).where(outside)
    return _with_flanks(field, stretches, along) if along.any() else stretches


def _along_hexsides(field: LosField, starts: Ints, ends: Ints) -> Bools:
    across, down = np.abs(field.axes[ends] - field.axes[starts]).T
    return (across > 0) & ((down == 0) | (down == 3 * across))


def _with_flanks(field: LosField, stretches: Stretches, along: Bools) -> Stretches:
    """Inherent terrain of either hex beside a line along a hexside is on the line (Terrain Effects Chart)."""
    beside = along[stretches.line] & (stretches.from_start % 2 == 1)
    ordinary = stretches.where(field.ground.top[stretches.cls] > stretches.low)
    picked = stretches.where(beside)
    extra = []
    for cells in (picked.hex, field.beyond_hexside(picked.start, picked.end, picked.hex)):
        on_board = np.flatnonzero(cells != NO_CELL)
        inherent = on_board[field.inherent[field.hex_terrain[cells[on_board]]]]
        if len(inherent):
            extra.append(_replaced(field, picked.where(inherent), cells[inherent]))
    if not extra:
        return ordinary
    columns = [
        np.concatenate([getattr(part, name) for part in (ordinary, *extra)])
        for name in Stretches.__dataclass_fields__
    ]
    return Stretches(*columns)


def _replaced(field: LosField, stretches: Stretches, cells: Ints) -> Stretches:
    """The same stretches lying in other hexes and covered by their inherent terrain."""
    values = {name: getattr(stretches, name) for name in Stretches.__dataclass_fields__}
    values["hex"] = cells
    values["from_start"] = field.grid.ranges[stretches.start, cells].astype(np.int16)
    values["from_end"] = field.grid.ranges[stretches.end, cells].astype(np.int16)
    values["cls"] = field.covered(stretches.cls, field.hex_terrain[cells])
    return Stretches(**values)


def _between_the_ends(
    field: LosField,
    stretches: Stretches,
    between: Bools,
    cause: NDArray[np.int8],
    hindrance: NDArray[np.int8],
) -> None:
    """Ground, obstacles and hindrances that lie between the two hexes (3.2.1)."""
    ground, cls = field.ground, stretches.cls
    high, low = stretches.high, stretches.low
    level, whole, top = ground.level[cls], ground.whole[cls], ground.top[cls]
    los = np.where(ground.hexside[cls], 0, ground.los[cls])
    same_level = ground.same_level[cls]
    flat = high == low
    split = (same_level != AS_ABOVE) & flat & (level == high)
    los = np.where(split, same_level, los)
    los = np.where(between, los, 0)
    effective = top > high
    even = (whole == high) & (whole > low) & (whole > level) & (top <= high)
    blind = (whole < high) & (whole > low) & (whole > level)
    if blind.any():
        blind &= _blind(stretches, whole, obstacle=True)
    hindrance[(los == HINDRANCE) & (effective | even | blind)] = 1
    obstacle = los == OBSTACLE
    cause[obstacle & blind] = Cause.BLIND_HEX
    cause[obstacle & even] = Cause.NO_HEIGHT_ADVANTAGE
    cause[obstacle & effective] = Cause.OBSTACLE
    cause[obstacle & effective & ground.half[cls] & (whole == high)] = Cause.HALF_LEVEL_OBSTACLE
    crest = between & (level > low)
    if not crest.any():
        return
    behind = np.flatnonzero(crest & (level < high))
    if len(behind):
        part = stretches.where(behind)
        hidden = behind[_blind(part, level[behind], obstacle=False)]
        cause[hidden[cause[hidden] == 0]] = Cause.BLIND_HEX_BEHIND_CREST
    brink = np.flatnonzero(crest & (level == high))
    seen_past = _slope_below_higher_end(field, stretches.where(brink))
    brink = brink[~seen_past]
    cause[brink[cause[brink] == 0]] = Cause.CREST_LINE
    cause[crest & (level > high)] = Cause.HIGHER_GROUND


def _blind(stretches: Stretches, top: Ints, *, obstacle: bool) -> Bools:
    """Blind hexes behind something lower than the higher end (A6.4)."""
    start_high = stretches.start_high
    from_high = np.where(start_high, stretches.from_start, stretches.from_end)
    from_low = np.where(start_high, stretches.from_end, stretches.from_start)
    hidden = (2 * top - stretches.high - stretches.low) // 2 + from_high // 5
    if obstacle:
        hidden = np.maximum(hidden + 1, 1)
    return from_low <= np.maximum(hidden, 0)


def _slope_below_higher_end(field: LosField, stretches: Stretches) -> Bools:
    """The edge of the higher end's own plateau, spilling into a lower adjacent hex, hides nothing."""
    upper = np.where(stretches.start_high, stretches.start, stretches.end)
    far = np.where(stretches.start_high, stretches.last, stretches.first)
    adjacent = np.where(stretches.start_high, stretches.from_start, stretches.from_end) == 1
    lower = field.levels[stretches.hex] < stretches.high
    centre = field.centres[upper]
    x, y = far % field.width, far // field.width
    pixel = (x - centre[:, 0]) ** 2 + (y - centre[:, 1]) ** 2
    hexes = ((field.centres[stretches.hex] - centre) ** 2).sum(axis=1)
    flat_ground = field.ground.whole[stretches.cls] == field.ground.level[stretches.cls]
    return adjacent & lower & (pixel < hexes) & flat_ground


def _hexsides(
    field: LosField,
    stretches: Stretches,
    chosen: Ints,
    cause: NDArray[np.int8],
    hindrance: NDArray[np.int8],
) -> None:
    """Walls, hedges and bocage between the ends, on no hexside or hexspine of an end hex (B9.2)."""
    part = stretches.where(chosen)
    ground = field.ground
    side = ground.side[part.cls].astype(np.int32)
    matters = side != CENTRE
    side = np.where(matters, side, 0)
    for turn in (-1, 0, 1):
        touching = field.neighbours[part.hex, (side + turn) % 6]
        matters &= (touching != part.start) & (touching != part.end)
    adjacent = (part.from_start == 1) | (part.from_end == 1)
    own = field.is_hexside[field.side_terrain[part.hex, side]]
    matters &= own | ~adjacent
    level, whole = ground.level[part.cls], ground.whole[part.cls]
    even = (level == part.high) & (level == part.low)
    taller = (whole > level) & ((whole > part.high) | ((whole == part.high) & (whole > part.low)))
    split = even & (ground.same_level[part.cls] == HINDRANCE)
    obstacle = ground.los[part.cls] == OBSTACLE
    blocks = chosen[matters & obstacle & (even | taller) & ~split]
    cause[blocks[cause[blocks] == 0]] = Cause.HEXSIDE
    hindrance[chosen[matters & split]] = 1


def _depressions(field: LosField, stretches: Stretches, chosen: Ints, cause: NDArray[np.int8]) -> None:
    """A line out of a depression needs a height advantage of its length once it leaves the bed (A6.3)."""
    part = stretches.where(chosen)
    ground = field.ground.level[part.cls]
    start_level = np.where(part.start_high, part.high, part.low)
    end_level = np.where(part.start_high, part.low, part.high)
    step = np.where(field.in_depression[part.hex], 0, 1)
    for own, other, here, there in (
        (part.start, part.from_end, start_level, end_level),
        (part.end, part.from_start, end_level, start_level),
    ):
        out = field.in_depression[own] & (ground > here) & (there > here)
        short = there - here < 2 * (other + step)
        blocks = chosen[out & short]
        cause[blocks[cause[blocks] == 0]] = Cause.DEPRESSION
