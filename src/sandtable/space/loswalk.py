"""Which pixels a taut string between two hex centres lies on, and the runs of like ground along it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]

BATCH_PIXELS = 1_500_000
"""Pixels handled at a time: enough to keep the arrays long, few enough to stay in the cache."""

FEW = 8
"""Up to so many lines of one displacement are not worth a walk of their own."""


@dataclass(frozen=True)
class Runs:
    """Stretches of one region along some lines, in walking order; pixels are flat numbers `y * width + x`."""

    line: Ints
    region: Ints
    first: Ints
    last: Ints


@lru_cache(maxsize=16_000)
def string_pixels(dx: int, dy: int, width: int) -> Ints:
    """Flat pixel offsets under a string that ends dx right and dy below its start, start to end.

    The string is cut into one piece a pixel column; a piece covers all rows it touches. In whole
    numbers, so the pixels are the same from either end.
    """
    columns = abs(dx) + 1
    cuts = (np.arange(columns + 1) * dy) // columns
    begin, end = cuts[:-1], cuts[1:]
    counts = np.abs(end - begin) + 1
    column = np.repeat(np.arange(columns), counts)
    step = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    rows = begin[column] + (step if dy >= 0 else -step)
    offsets: Ints = (rows * width + (column if dx >= 0 else -column)).astype(np.int32)
    return offsets


def runs_along(regions: NDArray[np.integer], width: int, starts: Ints, ends: Ints) -> Iterator[tuple[Ints, Runs]]:
    """Walk many lines; yields the numbers of some lines and their runs until all are done.

    `starts` and `ends` are flat pixels. Lines with the same displacement share one list of offsets.
    """
    flat = regions.ravel()
    groups: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    sx, sy, ex, ey = starts % width, starts // width, ends % width, ends // width
    for number, way in enumerate(zip((ex - sx).tolist(), (ey - sy).tolist(), strict=True)):
        groups[way].append(number)
    lines: list[Ints] = []
    parts: list[tuple[Ints, Ints, Ints, Ints]] = []
    alone: list[tuple[int, Ints]] = []
    """Lines of displacements that few have are walked all at once."""
    pixels = 0
    for (dx, dy), members in groups.items():
        offsets = string_pixels(dx, dy, width)
        if len(members) <= FEW:
            alone += [(number, offsets) for number in members]
        else:
            numbers = np.array(members, dtype=np.int32)
            lines.append(numbers)
            parts.append(_group_runs(flat, offsets.astype(np.intp), numbers, starts[numbers]))
        pixels += len(offsets) * len(members)
        if pixels >= BATCH_PIXELS:
            yield _together(flat, starts, lines, parts, alone)
            lines, parts, alone, pixels = [], [], [], 0
    if lines or alone:
        yield _together(flat, starts, lines, parts, alone)


def _together(
    flat: NDArray[np.integer],
    starts: Ints,
    lines: list[Ints],
    parts: list[tuple[Ints, Ints, Ints, Ints]],
    alone: list[tuple[int, Ints]],
) -> tuple[Ints, Runs]:
    if alone:
        numbers = np.array([number for number, _ in alone], dtype=np.int32)
        lines = [*lines, numbers]
        parts = [*parts, _single_runs(flat, [offsets for _, offsets in alone], numbers, starts[numbers])]
    return np.concatenate(lines), _joined(parts)


def _single_runs(
    flat: NDArray[np.integer], offsets: list[Ints], numbers: Ints, starts: Ints
) -> tuple[Ints, Ints, Ints, Ints]:
    """The runs of lines that each have a list of offsets of their own."""
    lengths = np.array([len(one) for one in offsets], dtype=np.intp)
    begins = np.cumsum(lengths) - lengths
    pixels = np.concatenate(offsets)
    pixels += np.repeat(starts, lengths)
    found = flat.take(pixels, mode="clip")
    fresh = np.ones(len(found), dtype=np.bool_)
    np.not_equal(found[1:], found[:-1], out=fresh[1:])
    fresh[begins] = True
    begin = np.flatnonzero(fresh)
    stop = np.empty_like(begin)
    stop[:-1] = begin[1:] - 1
    stop[-1] = len(found) - 1
    member = np.searchsorted(begins, begin, side="right") - 1
    return numbers[member], found[begin].astype(np.int32), pixels[begin], pixels[stop]


def _group_runs(
    flat: NDArray[np.integer], offsets: NDArray[np.intp], numbers: Ints, starts: Ints
) -> tuple[Ints, Ints, Ints, Ints]:
    # "clip" spares take() a copy; no index is ever out of bounds
    found = flat.take(starts[:, None] + offsets, mode="clip")
    fresh = np.ones(found.shape, dtype=np.bool_)
    np.not_equal(found[:, 1:], found[:, :-1], out=fresh[:, 1:])
    begin = np.flatnonzero(fresh)
    member, position = np.divmod(begin, len(offsets))
    stop = np.empty_like(begin)
    stop[:-1] = begin[1:] - 1
    stop[-1] = found.size - 1
    base = starts[member]
    return (
        numbers[member],
        found.ravel()[begin].astype(np.int32),
        (base + offsets[position]).astype(np.int32),
        (base + offsets[stop - member * len(offsets)]).astype(np.int32),
    )


def _joined(parts: list[tuple[Ints, Ints, Ints, Ints]]) -> Runs:
    line, region, first, last = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Runs(line, region, first, last)
