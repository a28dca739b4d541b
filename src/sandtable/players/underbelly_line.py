"""A German line across Italy: where to stand so that zones of control leave the Allies no way north (7.5, 4.1).

Two divisions with one hex between them let nobody through; with two hexes between them an enemy gets through in
two turns. A line is therefore a path from sea to sea in steps of two or three hexes, and the best one is the
shortest path when every post costs what it takes to hold it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from sandtable.games.underbelly.atlas import (
    ADJACENT,
    BIT,
    GRID,
    LAND,
    LAND_BITS,
    NAMES,
    NORTH_BITS,
    ZONE,
    flood,
    hexes_of,
)

SOUTHERNMOST = 39
"""Farther south the peninsula splits."""
SOLID, LEAKY = 2, 3
"""How far apart neighbours in the line may stand."""
QUIET = 0.3
"""How much of that a gap counts where no enemy is near."""
BESIDE = 0.5
"""A post one hex from the shore leaks half as much as a gap of two hexes."""


def _row(h: int) -> int:
    return int(NAMES[h][:2])


ROW = {h: _row(h) for h in LAND}
COLUMN = {h: int(NAMES[h][2:]) for h in LAND}
WIDTHS = (3, 5, 8, 30)
"""How far to both sides of an Allied unit behind the line it is drawn back, try by try."""
_USABLE = tuple(h for h in LAND if ROW[h] <= SOUTHERNMOST)


def _ends(last: bool) -> dict[int, float]:
    """Posts whose zone reaches the sea on one side, and how far they let somebody slip by along the shore."""
    found: dict[int, float] = {}
    for row in range(10, SOUTHERNMOST + 1):
        hexes = [h for h in _USABLE if ROW[h] == row]
        edge = max(hexes) if last else min(hexes)
        found.setdefault(edge, 0.0)
        for h in ADJACENT[edge]:
            if ROW[h] == row:
                found.setdefault(h, BESIDE)
    return found


ADRIATIC, TYRRHENIAN = _ends(last=False), _ends(last=True)


def _steps() -> dict[int, tuple[tuple[int, int], ...]]:
    """For each post the next ones and how far they are."""
    found: dict[int, tuple[tuple[int, int], ...]] = {}
    usable = set(_USABLE)
    for h in _USABLE:
        near = [(n, GRID.range(h, n)) for n in GRID.within(h, LEAKY) if n in usable and n != h]
        found[h] = tuple((n, far) for n, far in near if far > 1)
    return found


NEXT = _steps()


class Line(NamedTuple):
    """Posts from the Adriatic to the Tyrrhenian, and what they cost."""

    posts: tuple[int, ...]
    cost: float


def best_line(price: Callable[[int], float | None], leak: float, allied: int, busy: int = LAND_BITS) -> Line | None:
    """The cheapest line with all Allied hexes before it; `price` of a post, None: not there.

    Gaps cost the full `leak` only in busy hexes, those that the Allies can soon reach.
    """
    prices = {h: value for h in _USABLE if (value := price(h)) is not None}
    for width in WIDTHS:
        line = _cheapest(prices, leak, busy)
        if line is None:
            return None
        behind = hexes_of(_behind(line.posts) & allied)
        if not behind:
            return line
        # the line must bend back round whoever got through: nothing beside or south of him will do
        for h in behind:
            prices = {n: value for n, value in prices.items() if ROW[n] < ROW[h] or abs(COLUMN[n] - COLUMN[h]) > width}
    return None


def _cheapest(prices: dict[int, float], leak: float, busy: int) -> Line | None:
    best: dict[int, float] = {}
    before: dict[int, int] = {}
    queue: list[tuple[float, int]] = []
    for h, slip in ADRIATIC.items():
        if h in prices:
            best[h] = prices[h] + slip * leak
            heappush(queue, (best[h], h))
    end: tuple[float, int] | None = None
    while queue:
        cost, h = heappop(queue)
        if end is not None and cost >= end[0]:
            break
        if cost > best[h]:
            continue
        slip_here = TYRRHENIAN.get(h)
        if slip_here is not None and (end is None or cost + slip_here * leak < end[0]):
            end = cost + slip_here * leak, h
        for n, far in NEXT[h]:
            value = prices.get(n)
            if value is None:
                continue
            total = cost + value
            if far == LEAKY:
                total += leak if busy & (BIT[h] | BIT[n]) else QUIET * leak
            if total < best.get(n, 1e9):
                best[n] = total
                before[n] = h
                heappush(queue, (total, n))
    if end is None:
        return None
    posts = [end[1]]
    while posts[-1] in before:
        posts.append(before[posts[-1]])
    return Line(tuple(reversed(posts)), end[0])


def _behind(posts: Sequence[int]) -> int:
    """What lies north of a line, the line itself excluded."""
    wall = 0
    for h in posts:
        wall |= BIT[h] | ZONE[h]
    return flood(NORTH_BITS, LAND_BITS & ~wall)
