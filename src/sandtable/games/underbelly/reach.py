"""Where a group can go (12.0): cheapest ways under zones of control, stacking and terrain."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from sandtable.games.underbelly.atlas import (
    BLOCKED_STEPS,
    ENTRY_COST,
    INDEX,
    NAMES,
    NORTH_EDGE,
    SF_HEX,
    STEPS,
    STEPS_OFF_ROAD,
    hexes_of,
)
from sandtable.games.underbelly.data import ALLIED, GERMAN, OTHER
from sandtable.games.underbelly.model import Moving, UnderbellyState
from sandtable.games.underbelly.stacking import CORPS_SUPPORT, DIVISIONS, count
from sandtable.games.underbelly.zones import UNITS, Field, field

_ORDER = {"mech": 0, "nonmech": 1, "mountain": 2}


class Reach(NamedTuple):
    """The hexes that can be reached, what they cost each class of units, and the way there."""

    classes: tuple[str, ...]
    """Mobilities in the group."""
    best: dict[int, tuple[tuple[int, ...], int]]
    """Hex: (cost for each class, hex before); the hex before an entry is the hex itself."""
    stops: tuple[int, ...]
    """The hexes where the move may end."""
    ways: dict[int, tuple[int, ...]]
    """The way to each hex, for groups of several mobilities."""

    def way(self, to: int) -> list[int]:
        """The hexes entered, in order."""
        if to in self.ways:
            return list(self.ways[to])
        path: list[int] = []
        here = to
        while True:
            before = self.best[here][1]
            if before < 0:
                break
            path.append(here)
            if before == here:
                break
            here = before
        path.reverse()
        return path


def reach(state: UnderbellyState, frame: Moving) -> Reach:
    """Everything that the group of a frame can reach from where it is."""
    now = field(state)
    side, group = frame.side, frame.group
    budgets: dict[str, int] = {}
    for unit, left in zip(group, frame.left, strict=True):
        mobility = UNITS[unit].mobility
        budgets[mobility] = min(left, budgets.get(mobility, 99))
    classes = tuple(sorted(budgets, key=_ORDER.__getitem__))
    closed, no_stop = _closed(state, now, side, group)
    ezoc = now.ezoc_sets[side]
    start = INDEX.get(frame.at)
    tables = STEPS_OFF_ROAD if frame.landed or start is None and side == ALLIED else STEPS
    steps = [tables[mobility] for mobility in classes]
    limits = tuple([budgets[mobility] for mobility in classes])
    column = frame.kind == "column"
    seeds: list[tuple[tuple[int, ...], int, int]] = []
    if start is None:
        seeds = _entries(state, side, classes, limits)
    else:
        zero = (0,) * len(classes)
        seeds.append((zero, start, -1))
        if not frame.started and classes == ("mountain",) and frame.kind in ("move", "column"):
            from_ezoc = start in ezoc
            for n, cost in BLOCKED_STEPS[start]:
                if not (from_ezoc and n in ezoc):
                    seeds.append(((cost,), n, start))
    ways: dict[int, tuple[int, ...]] = {}
    if len(classes) == 1:
        best = _single(seeds, steps[0], limits[0], closed, ezoc, start, column)
    else:
        best = _several(seeds, steps, limits, closed, ezoc, start, column, ways)
    stops = tuple([h for h in best if h != start and h not in no_stop])
    return Reach(classes, best, stops, ways)


def _closed(state: UnderbellyState, now: Field, side: str, group: Sequence[str]) -> tuple[set[int], set[int]]:
    """Hexes that the group may not enter, and those in which it may not end (6.2, 6.3, 6.6, 12.3)."""
    closed = set(hexes_of(now.occupied(OTHER[side])))
    no_stop: set[int] = set()
    if side == GERMAN and state.sf:
        closed.add(INDEX[SF_HEX])
    divisions, support = count(group)
    own = UNITS[group[0]].group
    for at, stack in now.stacks.items():
        if UNITS[stack[0]].side != side:
            continue
        others = [unit for unit in stack if unit not in group]
        if not others:
            continue
        d, s = count(others)
        if d + divisions > DIVISIONS or s + support > CORPS_SUPPORT:
            closed.add(INDEX[at])
        elif side == GERMAN and any(UNITS[unit].group != own for unit in others):
            no_stop.add(INDEX[at])
    return closed, no_stop


def _entries(
    state: UnderbellyState, side: str, classes: tuple[str, ...], limits: tuple[int, ...]
) -> list[tuple[tuple[int, ...], int, int]]:
    """First hexes on the map: row 10xx for the German, port markers for the Allies (10.2, 10.3, 12.6)."""
    if side == GERMAN:
        return [(tuple([ENTRY_COST[m][h] for m in classes]), h, h) for h in NORTH_EDGE]
    half = tuple([mf - mf // 2 for mf in limits])
    return [(half, INDEX[at], INDEX[at]) for at in state.ports]


def _single(
    seeds: list[tuple[tuple[int, ...], int, int]],
    table: tuple[tuple[tuple[int, int], ...], ...],
    limit: int,
    closed: set[int],
    ezoc: frozenset[int],
    start: int | None,
    column: bool,
) -> dict[int, tuple[tuple[int, ...], int]]:
    """Cheapest costs for a group of one mobility, by buckets of equal cost."""
    buckets: list[list[tuple[int, int]]] = [[] for _ in range(limit + 1)]
    for cost, h, before in seeds:
        if cost[0] <= limit and (h == start or not (h in closed or (column and h in ezoc))):
            buckets[cost[0]].append((h, before))
    best: dict[int, tuple[tuple[int, ...], int]] = {}
    start_in_ezoc = start in ezoc
    for spent, bucket in enumerate(buckets):
        cost_here = (spent,)
        for h, before in bucket:
            if h in best:
                continue
            best[h] = (cost_here, before)
            leaving = h == start
            if h in ezoc and not leaving:
                continue
            avoid = column or (leaving and start_in_ezoc)
            for n, price in table[h]:
                total = spent + price
                if total > limit or n in best or n in closed or (avoid and n in ezoc):
                    continue
                buckets[total].append((n, h))
    return best


def _several(
    seeds: list[tuple[tuple[int, ...], int, int]],
    steps: list[tuple[tuple[tuple[int, int], ...], ...]],
    limits: tuple[int, ...],
    closed: set[int],
    ezoc: frozenset[int],
    start: int | None,
    column: bool,
    ways: dict[int, tuple[int, ...]],
) -> dict[int, tuple[tuple[int, ...], int]]:
    """The same for units of different mobility that stay together: nobody may overspend on the common way.

    A hex keeps every way that no other one beats in all classes, because a way that is dear for one class
    may be the only one that another can pay.
    """
    labels: dict[int, list[tuple[int, ...]]] = {}
    best: dict[int, tuple[tuple[int, ...], int]] = {}
    queue: list[tuple[int, tuple[int, ...], int, tuple[int, ...]]] = [
        (sum(cost), cost, h, () if h == start else (h,)) for cost, h, _ in seeds
    ]
    heapify(queue)
    start_in_ezoc = start in ezoc
    while queue:
        _, cost, h, way = heappop(queue)
        if any([c > limit for c, limit in zip(cost, limits, strict=True)]):
            continue
        if h != start and (h in closed or (column and h in ezoc)):
            continue
        kept = labels.setdefault(h, [])
        if any([all([a <= b for a, b in zip(old, cost, strict=True)]) for old in kept]):
            continue
        kept.append(cost)
        if h not in best:
            best[h] = (cost, way[-2] if len(way) > 1 else -1)
            ways[h] = way
        leaving = h == start
        if h in ezoc and not leaving:
            continue
        avoid = column or (leaving and start_in_ezoc)
        for rows in zip(*[table[h] for table in steps], strict=True):
            n = rows[0][0]
            if n in closed or (avoid and n in ezoc):
                continue
            following = tuple([c + price for c, (_, price) in zip(cost, rows, strict=True)])
            heappush(queue, (sum(following), following, n, (*way, n)))
    return best


def names(hexes: Sequence[int]) -> tuple[str, ...]:
    """Hex names of hex numbers."""
    return tuple([NAMES[h] for h in hexes])
