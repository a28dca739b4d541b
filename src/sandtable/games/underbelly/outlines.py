"""Shapes for drawing: outlines of sets of hexes, smoothed lines, deterministic wobble."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import cos, hypot, sin

from sandtable.games.underbelly.atlas import GRID

Point = tuple[float, float]


def noise(x: float, y: float, seed: int = 0) -> float:
    """A number in [-1, 1) that looks random but always comes out the same for a place."""
    n = (int(x * 7) * 374761393 + int(y * 7) * 668265263 + seed * 2147483647) & 0xFFFFFFFF
    n = ((n ^ (n >> 13)) * 1274126177) & 0xFFFFFFFF
    return ((n ^ (n >> 16)) & 0xFFFF) / 32768 - 1


_ACROSS, _DOWN = GRID.pitch / 3, GRID.hex_height / 2


def _key(point: Point) -> Point:
    """A corner of a hex, the same from whichever hex it is reckoned."""
    return round(point[0] / _ACROSS) * _ACROSS, round(point[1] / _DOWN) * _DOWN


def outlines(hexes: Iterable[int]) -> list[list[Point]]:
    """The closed outlines of a set of hexes."""
    inside = set(hexes)
    following: dict[Point, list[Point]] = {}
    for h in sorted(inside):
        corners = GRID.vertices(h)
        for n, neighbour in enumerate(GRID.neighbour_table[h]):
            if neighbour not in inside:
                following.setdefault(_key(corners[n]), []).append(_key(corners[(n + 1) % 6]))
    loops: list[list[Point]] = []
    while following:
        start = next(iter(following))
        loop = [start]
        here = start
        while True:
            ends = following[here]
            to = ends.pop()
            if not ends:
                del following[here]
            if to == start:
                break
            loop.append(to)
            here = to
        loops.append(loop)
    return loops


def wobble(points: Sequence[Point], size: float, *, closed: bool) -> list[Point]:
    """Points halved and pushed about a little, so that lines look drawn by hand."""
    found: list[Point] = []
    count = len(points)
    for n in range(count if closed else count - 1):
        (ax, ay), (bx, by) = points[n], points[(n + 1) % count]
        mx, my = (ax + bx) / 2, (ay + by) / 2
        turn = noise(mx, my) * 3.1416
        far = size * (0.6 + 0.4 * noise(my, mx, 1))
        found += [(ax, ay), (mx + far * cos(turn), my + far * sin(turn))]
    if not closed:
        found.append(points[-1])
    return found


def smooth(points: Sequence[Point], *, closed: bool, times: int = 2) -> list[Point]:
    """Corners cut twice over: a soft line near the points."""
    line = list(points)
    for _ in range(times):
        cut: list[Point] = [] if closed else [line[0]]
        count = len(line)
        for n in range(count if closed else count - 1):
            (ax, ay), (bx, by) = line[n], line[(n + 1) % count]
            cut += [(ax * 0.75 + bx * 0.25, ay * 0.75 + by * 0.25), (ax * 0.25 + bx * 0.75, ay * 0.25 + by * 0.75)]
        if not closed:
            cut.append(line[-1])
        line = cut
    return line


def path(points: Sequence[Point], *, closed: bool) -> str:
    """SVG path data, in relative steps to keep it short."""
    x, y = round(points[0][0]), round(points[0][1])
    parts = [f"M{x} {y}l"]
    for px, py in points[1:]:
        dx, dy = round(px) - x, round(py) - y
        if dx or dy:
            parts.append(f"{dx} {dy} ")
            x, y = x + dx, y + dy
    return "".join(parts).rstrip() + ("z" if closed else "")


def shape(hexes: Iterable[int], *, size: float = 7.0, times: int = 2) -> str:
    """A set of hexes as one soft shape."""
    loops = outlines(hexes)
    soft = [smooth(wobble(loop, size, closed=True), closed=True, times=times) for loop in loops]
    return "".join(path(loop, closed=True) for loop in soft)


def chains(sides: Iterable[tuple[Point, Point]]) -> list[list[Point]]:
    """Separate segments joined end to end into lines."""
    near: dict[Point, list[Point]] = {}
    for a, b in sides:
        a, b = _key(a), _key(b)
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    lines: list[list[Point]] = []
    ends = [p for p, n in near.items() if len(n) != 2] + list(near)
    for start in ends:
        while near.get(start):
            line = [start]
            here = start
            while near.get(here):
                to = near[here].pop(0)
                near[to].remove(here)
                line.append(to)
                here = to
                if len(near.get(here, [])) != 1:
                    break
            lines.append(line)
    return lines


def length(points: Sequence[Point]) -> float:
    """How long a line is."""
    return sum(hypot(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(points))


def towards(a: Point, b: Point, share: float) -> Point:
    """A point on the way from one to another."""
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
