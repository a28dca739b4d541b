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
Lift = tuple[int | Ints, int | Ints]
"""Levels by which the starts and the ends of lines are raised: of all lines, or of each."""


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


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines under judgement, looked up by line number; levels are in half levels."""

    start: Ints
    end: Ints
    start_level: Ints
    end_level: Ints
    along_hexside: Bools
    """Lines beside which inherent terrain of two hexes must be looked at."""


def lines_between(field: LosField, starts: Ints, ends: Ints, lift: Lift = (0, 0)) -> Lines:
    """Lines between hexes, whose ends may be lifted by so many levels."""
    along = along_hexsides(field, starts, ends)
    if not field.inherent[field.hex_terrain].any():
        along[:] = False
    start_level, end_level = field.levels[starts] + 2 * lift[0], field.levels[ends] + 2 * lift[1]
    return Lines(starts, ends, start_level, end_level, along)


def along_hexsides(field: LosField, starts: Ints, ends: Ints) -> Bools:
    """Which lines run exactly along hexsides."""
    across, down = np.abs(field.axes[ends] - field.axes[starts]).T
    along: Bools = (across > 0) & ((down == 0) | (down == 3 * across))
    return along


def judge(field: LosField, runs: Runs, lines: Lines) -> Findings:
    """Find all that blocks or hinders the lines."""
    stretches = _relevant(field, runs, lines)
    cause = np.zeros(len(stretches.line), np.int8)
    hindrance = np.zeros(len(stretches.line), np.int8)
    # terrain in a hex as far from one end as the other end is lies beside the line, not between its ends
    between = (stretches.from_start < stretches.full) & (stretches.from_end < stretches.full)
    _between_the_ends(field, stretches, between, cause, hindrance)
    hexside = field.ground.hexside[stretches.cls]
    if hexside.any():
        _hexsides(field, stretches, np.flatnonzero(hexside), cause, hindrance)
    if field.in_depression.any():
        sunken = field.in_depression[stretches.start] | field.in_depression[stretches.end]
        _depressions(field, stretches, np.flatnonzero(sunken), cause)
    return Findings(stretches, cause, hindrance)


def _relevant(field: LosField, runs: Runs, lines: Lines) -> Stretches:
    """Leave out flat ground and the two end hexes; add the inherent terrain beside lines along hexsides."""
    lowest = np.minimum(lines.start_level, lines.end_level)
    owner, cls = np.divmod(runs.region, field.classes)
    rising = (field.ground.top.take(cls) > lowest.take(runs.line)) | field.ground.cliff.take(cls)
    keep = np.flatnonzero(rising | lines.along_hexside.take(runs.line))
    start, end = lines.start.take(runs.line[keep]), lines.end.take(runs.line[keep])
    keep = keep[(owner[keep] != start) & (owner[keep] != end)]
    line, cls, owner = runs.line[keep], cls[keep], owner[keep]
    first, last = runs.first[keep], runs.last[keep]
    start, end = lines.start.take(line), lines.end.take(line)
    from_start, from_end = field.ranges(start, owner), field.ranges(end, owner)
    # a sliver of a neighbouring hex that only touches the border of an end hex belongs to that hex
    sliver = np.zeros(len(line), np.bool_)
    for near, cells, pixels in ((from_start, start, last), (from_end, end, first)):
        close = np.flatnonzero(near == 1)
        sliver[close] |= field.outline_holds(cells[close], pixels[close])
    if sliver.any():
        rest = np.flatnonzero(~sliver)
        line, owner, cls, first, last, start, end, from_start, from_end = (
            values[rest] for values in (line, owner, cls, first, last, start, end, from_start, from_end)
        )
    one, other = lines.start_level.take(line), lines.end_level.take(line)
    stretches = Stretches(
        line,
        owner,
        cls,
        first,
        last,
        start,
        end,
        field.ranges(start, end),
        from_start,
        from_end,
        np.maximum(one, other),
        np.minimum(one, other),
        one >= other,
    )
    if not lines.along_hexside.any():
        return stretches
    return _with_flanks(field, stretches, lines.along_hexside.take(line))


def _with_flanks(field: LosField, stretches: Stretches, along: Bools) -> Stretches:
    """Inherent terrain of either hex beside a line along a hexside is on the line (Terrain Effects Chart)."""
    beside = np.flatnonzero(along & (stretches.from_start % 2 == 1))
    ordinary = stretches.where((field.ground.top[stretches.cls] > stretches.low) | field.ground.cliff[stretches.cls])
    if not len(beside):
        return ordinary
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
        np.concatenate([getattr(part, name) for part in (ordinary, *extra)]) for name in Stretches.__dataclass_fields__
    ]
    return Stretches(*columns)


def _replaced(field: LosField, stretches: Stretches, cells: Ints) -> Stretches:
    """The same stretches lying in other hexes and covered by their inherent terrain."""
    values = {name: getattr(stretches, name) for name in Stretches.__dataclass_fields__}
    values["hex"] = cells
    values["from_start"] = field.ranges(stretches.start, cells)
    values["from_end"] = field.ranges(stretches.end, cells)
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
    same_level = ground.same_level[cls]
    split = (same_level != AS_ABOVE) & (high == low) & (level == high)
    los = np.where(split, same_level, ground.los[cls])
    los = np.where(between & ~ground.hexside[cls], los, 0)
    beneath = _beneath(field, stretches)
    los[beneath] = 0
    hindrance[beneath & between & (level <= high) & (ground.hindrance[cls] > 0)] = 1
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
    crest = between & (level > low) & ~beneath
    beyond = _across_the_line(field, stretches)
    along_cliff = past = np.zeros(len(crest), np.bool_)
    if field.has_cliffs:
        along_cliff, lower = _along_cliff(field, stretches, beyond)
        past = along_cliff & (lower < high)
        _cliffs(field, stretches, np.flatnonzero(between & (ground.cliff[cls])), along_cliff, cause)
    if not crest.any():
        return
    behind = np.flatnonzero(crest & (level < high))
    if len(behind):
        hidden = behind[_blind(stretches.where(behind), level[behind], obstacle=False)]
        cause[hidden[cause[hidden] == 0]] = Cause.BLIND_HEX_BEHIND_CREST
    brink = np.flatnonzero(crest & (level == high) & ~past)
    brink = brink[~_seen_past_brink(field, stretches.where(brink), beyond[brink])]
    cause[brink[cause[brink] == 0]] = Cause.CREST_LINE
    cause[crest & (level > high) & ~past] = Cause.HIGHER_GROUND


def _beneath(field: LosField, stretches: Stretches) -> Bools:
    """Where a line with an end below the deck of a bridge passes beneath it: a Hindrance at most (B6.2)."""
    cls = stretches.cls
    if not field.bridged.any():
        return np.zeros(len(cls), np.bool_)
    found: Bools = field.bridged[stretches.hex] & field.ground.deck[cls] & (field.ground.level[cls] > stretches.low)
    return found


def _blind(stretches: Stretches, top: Ints, *, obstacle: bool, least: int = 0) -> Bools:
    """Blind hexes behind something lower than the higher end (A6.4); one more behind an obstacle, and at least one."""
    start_high = stretches.start_high
    from_high = np.where(start_high, stretches.from_start, stretches.from_end)
    from_low = np.where(start_high, stretches.from_end, stretches.from_start)
    hidden = (2 * top - stretches.high - stretches.low) // 2 + from_high // 5
    if obstacle:
        hidden, least = hidden + 1, 1
    blind: Bools = from_low <= np.maximum(hidden, least)
    return blind


def _cliffs(field: LosField, stretches: Stretches, chosen: Ints, along_cliff: Bools, cause: NDArray[np.int8]) -> None:
    """A cliff hides as many hexes as a crest line, and at least the one at its foot (B11.21, ruling L-6)."""
    part = stretches.where(chosen)
    level, foot = field.ground.level[part.cls], field.levels[part.hex]
    along = along_hexsides(field, part.start, part.end)
    hides = _blind(part, np.where(along, level, np.maximum(level, foot)), obstacle=False, least=1)
    hides &= (part.high != part.low) & ~(along & along_cliff[chosen])
    # both ends look over a hex that is no higher than either, and below one of them
    seen_over = (part.low >= foot) & (part.high >= foot) & ((part.low > foot) | (part.high > foot))
    seen_over |= field.in_depression[part.hex]
    seen_over |= _cliff_beside_end(field, part)
    blocks = chosen[hides & (along | ~seen_over)]
    cause[blocks[cause[blocks] == 0]] = Cause.BLIND_HEX_BEHIND_CREST


def _cliff_beside_end(field: LosField, stretches: Stretches) -> Bools:
    """A cliff just below the higher end, or on the far side of a hex next to the lower one, hides nothing."""
    side = field.ground.side[stretches.cls]
    cliff = field.side_terrain[stretches.hex, np.where(side < CENTRE, side, 0)] == field.cliff_code
    pixel = np.where(stretches.start_high, stretches.last, stretches.first)
    by_start = _nearer_than_centre(field, stretches, stretches.start, pixel)
    by_end = _nearer_than_centre(field, stretches, stretches.end, pixel)
    from_high = np.where(stretches.start_high, stretches.from_start, stretches.from_end)
    from_low = np.where(stretches.start_high, stretches.from_end, stretches.from_start)
    below = (from_high == 1) & np.where(stretches.start_high, by_start, by_end)
    far_side = (from_low == 1) & ~np.where(stretches.start_high, by_end, by_start)
    beside: Bools = (side < CENTRE) & cliff & (below | far_side)
    return beside


def _nearer_than_centre(field: LosField, stretches: Stretches, end: Ints, pixels: Ints) -> Bools:
    """Whether pixels lie nearer to the dot of an end than the centre dots of their hexes do."""
    centre = field.centres[end]
    pixel = (pixels % field.width - centre[:, 0]) ** 2 + (pixels // field.width - centre[:, 1]) ** 2
    nearer: Bools = pixel < ((field.centres[stretches.hex] - centre) ** 2).sum(axis=1)
    return nearer


def _along_cliff(field: LosField, stretches: Stretches, beyond: Ints) -> tuple[Bools, Ints]:
    """Which stretches of lines along hexsides follow a cliff, and the lower level of the hexes beside it."""
    cliff = np.zeros(len(stretches.line), np.bool_)
    for side in range(6):
        at_side = (field.neighbours[stretches.hex, side] == beyond) & (beyond != NO_CELL)
        cliff |= at_side & (field.side_terrain[stretches.hex, side] == field.cliff_code)
    inner = (beyond != NO_CELL) & (beyond != stretches.start) & (beyond != stretches.end)
    lower = field.levels[stretches.hex]
    return cliff, np.where(inner, np.minimum(lower, field.levels[np.maximum(beyond, 0)]), lower)


def _across_the_line(field: LosField, stretches: Stretches) -> Ints:
    """For stretches between two hexes of a line along hexsides the hex on the other side of it, else NO_CELL."""
    beyond = np.full(len(stretches.line), NO_CELL, np.int32)
    chosen = np.flatnonzero(along_hexsides(field, stretches.start, stretches.end) & (stretches.from_start % 2 == 1))
    if len(chosen):
        part = stretches.where(chosen)
        beyond[chosen] = field.beyond_hexside(part.start, part.end, part.hex)
    return beyond


def _seen_past_brink(field: LosField, stretches: Stretches, beyond: Ints) -> Bools:
    """Where ground as high as the higher end hides nothing below; along a hexside in both hexes (L-4)."""
    seen = _slope_or_shore(field, stretches)
    both = np.flatnonzero(seen & (beyond != NO_CELL) & (beyond != stretches.start) & (beyond != stretches.end))
    if len(both):
        part = stretches.where(both)
        values = {name: getattr(part, name) for name in Stretches.__dataclass_fields__}
        values["hex"] = beyond[both]
        values["from_start"] = field.ranges(part.start, beyond[both])
        values["from_end"] = field.ranges(part.end, beyond[both])
        seen[both] = _slope_or_shore(field, Stretches(**values))
    return seen


def _slope_or_shore(field: LosField, stretches: Stretches) -> Bools:
    """The edge of the higher end's plateau in a lower adjacent hex, or the bank in the first hex of water."""
    upper = np.where(stretches.start_high, stretches.start, stretches.end)
    below = np.where(stretches.start_high, stretches.end, stretches.start)
    far = np.where(stretches.start_high, stretches.last, stretches.first)
    adjacent = np.where(stretches.start_high, stretches.from_start, stretches.from_end) == 1
    flat = field.ground.whole[stretches.cls] == field.ground.level[stretches.cls]
    slope = (field.levels[stretches.hex] < stretches.high) & _nearer_than_centre(field, stretches, upper, far)
    seen: Bools = adjacent & flat & (slope | (field.in_water[stretches.hex] & field.in_water[below]))
    return seen


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
    along = np.flatnonzero(matters & along_hexsides(field, part.start, part.end))
    for end in (part.start, part.end):
        matters[along] &= ~_bend_at_hexspine(field, end[along], part.hex[along], side[along])
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


def _bend_at_hexspine(field: LosField, end: Ints, cell: Ints, side: Ints) -> Bools:
    """On a line along hexsides, whether a hexside merely carries on round the far end of the end hex's hexspine.

    The wall stands on that hexspine, where it does not matter, and bends off to one side of the line only.
    """
    beyond = field.neighbours[cell, side]
    inside = field.ranges(end, cell)
    outside = field.ranges(end, np.maximum(beyond, 0))
    at_spine = (beyond != NO_CELL) & (np.minimum(inside, outside) == 1) & (np.maximum(inside, outside) == 2)
    flank = np.where(inside == 1, cell, beyond)
    on_line = np.where(inside == 1, beyond, cell)
    towards = np.where(inside == 1, (side + 3) % 6, side)
    bends = np.zeros(len(cell), np.bool_)
    for turn in (-1, 1):
        fork = (towards + turn) % 6
        other_flank = field.neighbours[on_line, fork]
        there = (other_flank != NO_CELL) & (field.ranges(end, np.maximum(other_flank, 0)) == 1)
        spine = field.walled[flank, (towards + 2 * turn) % 6]
        forked = field.walled[on_line, fork] & field.walled[on_line, towards]
        bends |= at_spine & there & spine & ~forked
    return bends


def _depressions(field: LosField, stretches: Stretches, chosen: Ints, cause: NDArray[np.int8]) -> None:
    """A line out of a depression needs a height advantage of its length once it leaves the bed (A6.3)."""
    part = stretches.where(chosen)
    ground = field.ground.level[part.cls]
    start_level = np.where(part.start_high, part.high, part.low)
    end_level = np.where(part.start_high, part.low, part.high)
    step = np.where(field.in_depression[part.hex], 0, 1)
    beneath = _beneath(field, part)
    for own, other, here, there in (
        (part.start, part.from_end, start_level, end_level),
        (part.end, part.from_start, end_level, start_level),
    ):
        within = field.in_depression[own] & (here <= field.levels[own])
        out = within & (ground > here) & (there > here) & ~beneath
        short = there - here < 2 * (other + step)
        blocks = chosen[out & short]
        cause[blocks[cause[blocks] == 0]] = Cause.DEPRESSION
