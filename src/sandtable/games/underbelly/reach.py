"""Where a group can go (12.0): cheapest ways under zones of control, stacking and terrain."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from heapq import heapify, heappop, heappush
from typing import Any

from sandtable.games.underbelly.atlas import (
    ADJACENT,
    BIT,
    BLOCKED_STEPS,
    COST_BITS,
    ENTRY_COST,
    INDEX,
    LAND_BITS,
    MOUNTAIN_BITS,
    NORTH_EDGE,
    PRICES,
    ROAD_MOUNTAINS,
    SF_HEX,
    SIZE,
    STEPS,
    STEPS_INTO,
    STEPS_OFF_ROAD,
    UNBLOCKED,
    along_roads,
    around,
    hexes_of,
)
from sandtable.games.underbelly.data import ALLIED, GERMAN, OTHER
from sandtable.games.underbelly.model import Moving, UnderbellyState
from sandtable.games.underbelly.stacking import CORPS_SUPPORT, DIVISIONS, count
from sandtable.games.underbelly.zones import UNITS, Field, field

Seed = tuple[tuple[int, ...], int]
"""Where a way begins: what it costs each class to be there, and the hex."""
Steps = tuple[tuple[tuple[int, int], ...], ...]
Into = tuple[tuple[tuple[int, int, int], ...], ...]
_NONE: dict[Any, Any] = {}
"""Shared by all that need no table of their own; never written to."""
_last: list[tuple[Any, Any, Any, Any]] = [(None, None, (), None)]
"""The last question and its answer: replaced as one, for other threads ask as well."""
_ORDER = {"mech": 0, "nonmech": 1, "mountain": 2}


class Reach:
    """The hexes that a group can reach, what they cost and the way there."""

    __slots__ = (
        "_best",
        "_cells",
        "_costs",
        "_entry",
        "_first",
        "_into",
        "_levels",
        "_pair",
        "_roads",
        "_through",
        "area",
        "classes",
        "ends",
        "start",
    )
    area: int
    """Hexes in reach, as bits."""
    ends: int
    """Those in which the group may end its move."""

    def __init__(self, classes: tuple[str, ...], start: int | None) -> None:
        self.classes = classes
        self.start = start
        self.area = 0
        self.ends = 0
        self._levels: list[int] = []
        self._first: dict[int, int] = _NONE
        self._into: Into = ()
        self._through = 0
        self._roads = True
        self._entry: dict[int, tuple[int, ...]] = _NONE
        self._cells: dict[tuple[int, int], int] = _NONE
        self._pair: tuple[str, ...] = ()
        self._costs: dict[int, tuple[int, ...]] = _NONE
        self._best: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = _NONE

    @property
    def stops(self) -> list[int]:
        """The hexes in which the group may end its move, in order."""
        return hexes_of(self.ends)

    def cost(self, to: int) -> dict[str, int]:
        """Movement points for each mobility of the group."""
        if self._best:
            return dict(zip(self.classes, self._best[to][0], strict=True))
        if len(self.classes) == 1:
            return {self.classes[0]: self._level(to)}
        way = self.way(to)
        costs = dict.fromkeys(self.classes, 0)
        for n, mobility in enumerate(self.classes):
            prices = PRICES[mobility, self._roads]
            before = self.start
            for h in way:
                costs[mobility] += self._costs[h][n] if before is None else prices[before * SIZE + h]
                before = h
        return costs

    def _level(self, h: int) -> int:
        bit = BIT[h]
        spent = 0
        for level in self._levels:
            if level & bit:
                break
            spent += 1
        return spent

    def way(self, to: int) -> list[int]:
        """The hexes entered, in order."""
        if self._best:
            return list(self._best[to][1])
        if self._cells:
            return self._way_together(to)
        path = [to]
        here, spent = to, self._level(to)
        into, levels, through = self._into, self._levels, self._through
        while self._first.get(here) != spent:
            for n, bit, price in into[here]:
                if price <= spent and levels[spent - price] & bit and through & bit:
                    here, spent = n, spent - price
                    break
            if here == self.start:
                break
            path.append(here)
        path.reverse()
        return path

    def _way_together(self, to: int) -> list[int]:
        """The way of two classes that pay differently, back from the cheapest place of the goal."""
        first, second = (PRICES[mobility, self._roads] for mobility in self._pair)
        cells, through = self._cells, self._through
        bit = BIT[to]
        a, b = min((cell for cell, bits in cells.items() if bits & bit), key=lambda cell: (sum(cell), cell))
        path = [to]
        here = to
        while not (self.start is None and self._entry.get(here) == (a, b)):
            for n in ADJACENT[here]:
                step = n * SIZE + here
                if step not in first:
                    continue
                before = (a - first[step], b - second[step])
                if cells.get(before, 0) & through & BIT[n]:
                    here, (a, b) = n, before
                    break
            if here == self.start:
                break
            path.append(here)
        path.reverse()
        return path


def reach(state: UnderbellyState, frame: Moving, now: Field | None = None) -> Reach:
    """Everything that the group of a frame can reach from where it is; found once for each situation."""
    now = now or field(state)
    situation = (state.sf, *state.ports)
    last_frame, last_now, last_situation, last = _last[0]
    if frame is last_frame and now is last_now and situation == last_situation:  # listed, and now one is carried out
        return last  # type: ignore[no-any-return]
    key = (frame, situation)
    found = now.reach_cache.get(key)
    if found is None:
        found = now.reach_cache[key] = _reach(state, now, frame)
    _last[0] = frame, now, situation, found
    return found


def _reach(state: UnderbellyState, now: Field, frame: Moving) -> Reach:
    side, group = frame.side, frame.group
    classes, limits = _budgets(group, frame.left)
    closed, no_stop = _closed(state, now, side, group)
    ezoc = now.ezoc(side)
    if frame.kind == "column":
        closed |= ezoc
    start = INDEX.get(frame.at)
    roads = not (frame.landed or (start is None and side == ALLIED))
    seeds = _entries(state, side, classes, limits) if start is None else []
    if start is not None and not frame.started and classes == ("mountain",) and frame.kind in ("move", "column"):
        bad = closed | (ezoc if ezoc & BIT[start] else 0)
        seeds = [((cost,), n) for n, cost in BLOCKED_STEPS[start] if not bad & BIT[n]]
    found = Reach(classes, start)
    found._roads = roads
    if seeds:
        seeds = [seed for seed in seeds if not closed & BIT[seed[1]]]
        found._costs = {h: cost for cost, h in seeds}
    if len(classes) == 1:
        _spread(found, seeds, classes[0], limits[0], closed, ezoc, roads=roads)
    else:
        _share(found, seeds, limits, closed, ezoc)
    if start is not None:
        found.area &= ~BIT[start]
    found.ends = found.area & ~no_stop
    return found


def _budgets(group: tuple[str, ...], left: tuple[int, ...]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The mobilities of a group in order, and what each has to spend."""
    if len(group) == 1:
        return (UNITS[group[0]].mobility,), left
    budgets: dict[str, int] = {}
    for unit, points in zip(group, left, strict=True):
        mobility = UNITS[unit].mobility
        budgets[mobility] = min(points, budgets.get(mobility, 99))
    classes = tuple(sorted(budgets, key=_ORDER.__getitem__))
    return classes, tuple([budgets[mobility] for mobility in classes])


def _share(found: Reach, seeds: list[Seed], limits: tuple[int, ...], closed: int, ezoc: int) -> None:
    """The reach of a group of several mobilities; those that never run short first need not be followed."""
    classes, roads = found.classes, found._roads
    # a class that pays no less at every step and has no more to spend speaks for those after it
    paying = [n for n, limit in enumerate(limits) if all([limit < other for other in limits[:n]])]
    narrow = [(tuple([cost[n] for n in paying]), h) for cost, h in seeds]
    spend = tuple([limits[n] for n in paying])
    if len(paying) == 1:
        _spread(found, narrow, classes[0], spend[0], closed, ezoc, roads=roads)
    elif len(paying) == 2:
        found._pair = tuple([classes[n] for n in paying])
        found._entry = {h: cost for cost, h in narrow}
        _spread_together(found, narrow, spend, closed, ezoc, roads=roads)
    else:
        tables = STEPS if roads else STEPS_OFF_ROAD
        _several(found, seeds, [tables[m] for m in classes], limits, closed, ezoc)


def _closed(state: UnderbellyState, now: Field, side: str, group: Sequence[str]) -> tuple[int, int]:
    """Hexes that the group may not enter, and those in which it may not end (6.2, 6.3, 6.6, 12.3)."""
    closed = now.occupied(OTHER[side])
    no_stop = 0
    if side == GERMAN and state.sf:
        closed |= BIT[INDEX[SF_HEX]]
    divisions, support = count(group)
    own = UNITS[group[0]].group
    here = state.at[group[0]]
    room, room_for_support = DIVISIONS - divisions, CORPS_SUPPORT - support
    german = side == GERMAN
    for at, bit, d, s, organisation, stack, _ in now.forces[side]:
        if at == here:
            others = [unit for unit in stack if unit not in group]
            if not others:
                continue
            d, s = count(others)
        if d > room or s > room_for_support:
            closed |= bit
        elif german and organisation != own:
            no_stop |= bit
    return closed, no_stop


def _entries(state: UnderbellyState, side: str, classes: tuple[str, ...], limits: tuple[int, ...]) -> list[Seed]:
    """First hexes on the map: row 10xx for the German, port markers for the Allies (10.2, 10.3, 12.6)."""
    if side == GERMAN:
        return [(tuple([ENTRY_COST[m][h] for m in classes]), h) for h in NORTH_EDGE]
    half = tuple([mf - mf // 2 for mf in limits])
    return [(half, INDEX[at]) for at in state.ports]


def _spread(found: Reach, seeds: list[Seed], mobility: str, limit: int, closed: int, ezoc: int, *, roads: bool) -> None:
    """Levels of equal cost for a group that pays by one mobility; whole levels grow at once."""
    levels = [0] * (limit + 1)
    if seeds:
        found._first = {h: cost for (cost,), h in seeds if cost <= limit}
        for h, cost in found._first.items():
            levels[cost] |= BIT[h]
    start = found.start
    if start is not None:
        levels[0] |= BIT[start]
    allowed = LAND_BITS & ~closed
    prices = [(price, bits & allowed) for price, bits in COST_BITS[mobility]]
    cheap_mountains = allowed & ROAD_MOUNTAINS if roads and mobility != "mountain" else 0
    start_bit = 0 if start is None else BIT[start]
    outside = ~ezoc
    found._through = outside | start_bit
    a, b, c, d, e, f, g, h = UNBLOCKED
    seen = 0
    for spent in range(limit + 1):
        level = levels[spent] & ~seen
        levels[spent] = level
        if not level:
            continue
        seen |= level
        if spent == limit:
            break
        front = level & outside
        grown = (
            (front & a) << 1
            | (front & b) << 29
            | (front & c) << 30
            | (front & d) << 31
            | (front & e) >> 1
            | (front & f) >> 29
            | (front & g) >> 30
            | (front & h) >> 31
            if front
            else 0
        )
        by_road = grown & cheap_mountains & ~seen
        if by_road:
            by_road &= along_roads(front)
        if not spent and start_bit & ezoc:  # out of an enemy zone only into a hex without one (7.5)
            grown |= around(start_bit) & outside
            by_road |= along_roads(start_bit) & cheap_mountains & outside
        for price, bits in prices:
            if spent + price <= limit:
                levels[spent + price] |= grown & bits
        if by_road:
            levels[spent + 1] |= by_road
    found._levels, found.area = levels, seen
    found._into = STEPS_INTO[mobility, roads]


@cache
def _price_bits(first: str, second: str) -> tuple[tuple[int, int, int], ...]:
    """Hexes by what they cost two mobilities to enter."""
    return tuple((a, b, bits & other) for a, bits in COST_BITS[first] for b, other in COST_BITS[second] if bits & other)


def _spread_together(
    found: Reach, seeds: list[Seed], limits: tuple[int, ...], closed: int, ezoc: int, *, roads: bool
) -> None:
    """The same for two classes that stay together: nobody may overspend on the common way.

    A place reached for (a, b) points is left out only if it can be had for no more of both.
    """
    most, least = limits
    grid = [[0] * (least + 1) for _ in range(most + 1)]
    for (a, b), h in seeds:
        if a <= most and b <= least:
            grid[a][b] |= BIT[h]
    start_bit = 0 if found.start is None else BIT[found.start]
    grid[0][0] |= start_bit
    found._through = ~ezoc | start_bit
    outside = ~ezoc
    prices = [(a, b, bits & ~closed) for a, b, bits in _price_bits(*found._pair)]
    cheap_mountains = MOUNTAIN_BITS & ~closed
    cells: dict[tuple[int, int], int] = {}
    seen = [0] * (least + 1)
    for a, row in enumerate(grid):
        for b, bits in enumerate(row):
            bits &= ~seen[b]
            if not bits:
                continue
            for n in range(b, least + 1):
                seen[n] |= bits
            cells[a, b] = bits
            if a == most or b == least:
                continue
            front = bits & outside
            grown = around(front)
            by_road = along_roads(front) & cheap_mountains if roads else 0
            if bits & start_bit & ezoc:  # out of an enemy zone only into a hex without one (7.5)
                grown |= around(start_bit) & outside
                by_road |= along_roads(start_bit) & cheap_mountains & outside if roads else 0
            for more, less, area in prices:
                if a + more <= most and b + less <= least:
                    grid[a + more][b + less] |= grown & area
            if by_road:
                grid[a + 1][b + 1] |= by_road
    found._cells, found.area = cells, seen[least]


def _several(
    found: Reach,
    seeds: list[Seed],
    steps: list[Steps],
    limits: tuple[int, ...],
    closed: int,
    ezoc: int,
) -> None:
    """The same for units of different mobility that stay together: nobody may overspend on the common way.

    A hex keeps every way that no other one beats in all classes, because a way that is dear for one class
    may be the only one that another can pay.
    """
    labels: dict[int, list[tuple[int, ...]]] = {}
    start = found.start
    queue: list[tuple[int, tuple[int, ...], int, tuple[int, ...]]] = [
        (sum(cost), cost, h, (h,))
        for cost, h in seeds
        if all([c <= limit for c, limit in zip(cost, limits, strict=True)])
    ]
    if start is not None:
        queue.append((0, (0,) * len(limits), start, ()))
    heapify(queue)
    out = set(hexes_of(closed))
    zone = set(hexes_of(ezoc))
    best: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}
    reached = 0
    while queue:
        _, cost, h, way = heappop(queue)
        kept = labels.setdefault(h, [])
        if any([all([a <= b for a, b in zip(old, cost, strict=True)]) for old in kept]):
            continue
        kept.append(cost)
        if h not in best:
            best[h] = (cost, way)
            reached |= BIT[h]
        leaving = h == start
        if h in zone and not leaving:
            continue
        for rows in zip(*[table[h] for table in steps], strict=True):
            n = rows[0][0]
            if n in out or (leaving and h in zone and n in zone):
                continue
            following = tuple([c + row[1] for c, row in zip(cost, rows, strict=True)])
            for c, limit in zip(following, limits, strict=True):
                if c > limit:
                    break
            else:
                heappush(queue, (sum(following), following, n, (*way, n)))
    found._best, found.area = best, reached
