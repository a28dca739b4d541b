"""The table: its squares, what lies in them, and everything that follows from that and never changes."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from sandtable.games.pbi.rulings import Rules
from sandtable.space.grid import NO_CELL
from sandtable.space.squaregrid import STEPS, SquareGrid

ATTACKER, DEFENDER = "attacker", "defender"
SIDES = (ATTACKER, DEFENDER)
OTHER = {ATTACKER: DEFENDER, DEFENDER: ATTACKER}
FORWARD = {ATTACKER: 0, DEFENDER: 4}
"""The direction each side looks in at the start: the attacker comes from the south."""

TERRAIN = {
    ".": "open ground",
    "=": "road",
    "f": "field",
    "h": "hedge",
    "w": "wall",
    "W": "wood",
    "B": "building",
    "R": "rocky ground",
}
DIFFICULT = "WBR"
"""Wood, building and rocky ground: the difficult squares of the sheet."""

PATTERNS = {
    "square": ((0, 0), (1, 0), (0, 1), (1, 1)),
    "row": ((0, 0), (1, 0), (2, 0), (3, 0)),
    "column": ((0, 0), (0, 1), (0, 2), (0, 3)),
}
"""Four squares in a square or a row (artillery-place)."""

Cell = tuple[int, int]
Line = tuple[tuple[Cell, ...], tuple[tuple[Cell, Cell], ...]]
"""Squares strictly between two centres, and the pairs of squares whose corner the line runs through."""

SQUARE_PIXELS = 120.0
_RULED = (
    "range_count",
    "proximity",
    "sight_blockers",
    "sight_corner",
    "fields",
    "foot_steps",
    "assault_from",
    "gun_arc",
)


def ground_key(rows: tuple[str, ...], rules: Rules) -> str:
    """The table and the rulings about it as one text: `ground` keeps what follows from it."""
    return "/".join(rows) + "|" + "|".join(getattr(rules, name) for name in _RULED)


def rows_of(key: str) -> tuple[str, ...]:
    """The rows of a table, the northern one first."""
    return tuple(key.partition("|")[0].split("/"))


class Ground(NamedTuple):
    """What follows from a table, by the names of its squares."""

    grid: SquareGrid
    names: tuple[str, ...]
    terrain: dict[str, str]
    difficult: frozenset[str]
    partial: frozenset[str]
    ahead: dict[str, tuple[str, ...]]
    """The neighbour in each of the eight directions, empty where the table ends."""
    steps: dict[str, tuple[str, ...]]
    """Where foot may step."""
    near: dict[str, frozenset[str]]
    """Squares in proximity, the square itself included."""
    assaults: dict[str, tuple[str, ...]]
    """Squares that can be assaulted from a square."""
    range: dict[str, dict[str, int]]
    direction: dict[str, dict[str, int]]
    """The one of eight directions that another square lies in."""
    between: dict[str, dict[str, tuple[str, ...]]]
    sees: dict[str, frozenset[str]]
    """Squares in line of sight, smoke apart; its own is not among them."""
    arcs: dict[str, tuple[frozenset[str], ...]]
    """Squares in the arc of a gun, by facing."""
    patterns: dict[str, dict[str, tuple[str, ...]]]
    """For each pattern the squares that it covers, by its first square."""
    edge: dict[str, tuple[str, ...]]
    """The squares of each side's own edge, from its left to its right."""
    column: dict[str, int]
    row: dict[str, int]
    at: dict[tuple[int, int], str]

    def beyond(self, square: str, direction: int, steps: int) -> str:
        """The square so many steps on in a direction; empty off the table."""
        for _ in range(steps):
            if not square:
                return ""
            square = self.ahead[square][direction]
        return square


class _Geometry(NamedTuple):
    """What depends on the size of a table only, shared by all tables of that size."""

    grid: SquareGrid
    place: dict[str, tuple[int, int]]
    lines: dict[str, dict[str, Line]]
    range: dict[str, dict[str, int]]
    direction: dict[str, dict[str, int]]
    arcs: dict[str, tuple[frozenset[str], ...]]


@cache
def _geometry(columns: int, rows: int, range_count: str, gun_arc: str) -> _Geometry:
    grid = SquareGrid(columns, rows, diagonal_limit=1 if range_count == "one diagonal" else None, square=SQUARE_PIXELS)
    names = grid.names
    place = {name: grid.place(number) for number, name in enumerate(names)}
    return _Geometry(
        grid=grid,
        place=place,
        lines={name: {other: _line(place[name], place[other]) for other in names} for name in names},
        range={name: dict(zip(names, grid.range_rows[number], strict=True)) for number, name in enumerate(names)},
        direction={
            name: {other: grid.direction(n, m) for m, other in enumerate(names) if m != n}
            for n, name in enumerate(names)
        },
        arcs={
            name: tuple(
                frozenset(
                    other
                    for other in names
                    if other != name and (gun_arc == "all round" or _in_arc(place[name], place[other], facing))
                )
                for facing in range(8)
            )
            for name in names
        },
    )


@cache
def ground(key: str) -> Ground:
    """Everything about a table, made once."""
    rows = rows_of(key)
    flags = dict(zip(_RULED, key.split("|")[1:], strict=True))
    geometry = _geometry(len(rows[0]), len(rows), flags["range_count"], flags["gun_arc"])
    grid, place, lines = geometry.grid, geometry.place, geometry.lines
    names = grid.names
    at = {where: name for name, where in place.items()}
    terrain = {name: rows[row][column] for name, (column, row) in place.items()}
    blocks = "WBR" if flags["sight_blockers"] == "also rocky" else "WB"
    blocked = {where for where in at if rows[where[1]][where[0]] in blocks}
    ahead = {
        name: tuple(names[cell] if cell != NO_CELL else "" for cell in grid.neighbour_table[number])
        for number, name in enumerate(names)
    }
    orthogonal = {name: tuple(row[side] for side in (0, 2, 4, 6) if row[side]) for name, row in ahead.items()}
    around = {name: tuple(other for other in row if other) for name, row in ahead.items()}
    shut = any if flags["sight_corner"] == "either" else all

    def open_line(name: str, other: str) -> bool:
        inside, corners = lines[name][other]
        if not blocked.isdisjoint(inside):
            return False
        return not any(shut([cell in blocked for cell in pair]) for pair in corners)

    return Ground(
        grid=grid,
        names=names,
        terrain=terrain,
        difficult=frozenset(name for name in names if terrain[name] in DIFFICULT),
        partial=frozenset(name for name in names if terrain[name] in ("hwf" if flags["fields"] == "partial" else "hw")),
        ahead=ahead,
        steps=around if flags["foot_steps"] == "eight" else orthogonal,
        near={
            name: frozenset({name, *(around if flags["proximity"] == "eight" else orthogonal)[name]}) for name in names
        },
        assaults=orthogonal if flags["assault_from"] == "four" else around,
        range=geometry.range,
        direction=geometry.direction,
        between={name: {other: tuple(at[cell] for cell in lines[name][other][0]) for other in names} for name in names},
        sees={name: frozenset(other for other in names if other != name and open_line(name, other)) for name in names},
        arcs=geometry.arcs,
        patterns={
            shape: {
                name: tuple(at[column + x, row + y] for x, y in cells)
                for name, (column, row) in place.items()
                if all((column + x, row + y) in at for x, y in cells)
            }
            for shape, cells in PATTERNS.items()
        },
        edge={
            ATTACKER: tuple(at[column, len(rows) - 1] for column in range(len(rows[0]))),
            DEFENDER: tuple(at[column, 0] for column in reversed(range(len(rows[0])))),
        },
        column={name: where[0] for name, where in place.items()},
        row={name: where[1] for name, where in place.items()},
        at=at,
    )


def _in_arc(one: tuple[int, int], other: tuple[int, int], facing: int) -> bool:
    """The square in front, and the squares beyond it that open by one on each side with every row (odds-arc)."""
    across, down = other[0] - one[0], other[1] - one[1]
    x, y = STEPS[facing]
    if x and y:
        return across * x >= 1 and down * y >= 1
    ahead, aside = across * x + down * y, abs(across * y - down * x)
    return ahead >= 1 and aside <= ahead - 1


def _line(start: Cell, end: Cell) -> Line:
    """The straight way between two centres, exactly."""
    (x, y), (across, down) = start, (abs(end[0] - start[0]), abs(end[1] - start[1]))
    right, below = (1 if end[0] > start[0] else -1), (1 if end[1] > start[1] else -1)
    inside: list[tuple[int, int]] = []
    corners: list[tuple[tuple[int, int], tuple[int, int]]] = []
    i = j = 0
    while i < across or j < down:
        balance = (1 + 2 * i) * down - (1 + 2 * j) * across
        if balance == 0:
            corners.append(((x + right, y), (x, y + below)))
            x, y, i, j = x + right, y + below, i + 1, j + 1
        elif balance < 0:
            x, i = x + right, i + 1
        else:
            y, j = y + below, j + 1
        inside.append((x, y))
    return tuple(inside[:-1]), tuple(corners)
