"""The battle generator: a seed gives a table, its scenery, objectives, who attacks and what starts off the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from sandtable.engine.dice import StreamDice, secret_of_seed
from sandtable.games.pbi.rulings import Rules
from sandtable.games.pbi.table import ATTACKER, DEFENDER

SIZE = 8
SCENERY_PIECES = 12
"""Six pieces for each player, each covering a pair of squares."""
SCENERY = "WWWBBBRRffhhww"
OBJECTIVES = ((0, 1, 3), (2, 2, 2), (3, 3, 1))
"""First row, last row and worth: the deeper in the defender's half, the more."""
ZONES = {ATTACKER: 2, DEFENDER: 4}
"""Rows from its edge in which each side sets up."""


class Terrain(msgspec.Struct, frozen=True):
    """A generated table."""

    rows: tuple[str, ...]
    objectives: dict[str, int]
    first_attacks: bool


def generator_dice(seed: int, purpose: str) -> StreamDice:
    """Dice of the generator: the same for the same seed, independent of the match's own."""
    number = int.from_bytes(purpose.encode(), "big") * 1_000_003 + seed
    return StreamDice(secret_of_seed(number))


def generate(seed: int) -> Terrain:
    """The table of a seed."""
    dice = generator_dice(seed, "table")

    def pick(number: int) -> int:
        return dice.roll(number, 1, "table")[0] - 1

    cells = [["."] * SIZE for _ in range(SIZE)]
    _lay_road(cells, pick(3), pick(SIZE - 2) + 1, pick(SIZE - 2) + 1)
    placed = 0
    while placed < SCENERY_PIECES:
        across = pick(2)
        column, row = pick(SIZE - across), pick(SIZE - (1 - across))
        pair = ((column, row), (column + across, row + 1 - across))
        kind = SCENERY[pick(len(SCENERY))]
        if all(cells[y][x] == "." for x, y in pair):
            for x, y in pair:
                cells[y][x] = kind
            placed += 1
    return Terrain(tuple("".join(row) for row in cells), _objectives(cells, pick), pick(2) == 0)


def _lay_road(cells: list[list[str]], which: int, column: int, row: int) -> None:
    """A road from north to south, from west to east, or both."""
    for n in range(SIZE):
        if which in (0, 2):
            cells[n][column] = "="
        if which in (1, 2):
            cells[row][n] = "="


def _objectives(cells: list[list[str]], pick: Callable[[int], int]) -> dict[str, int]:
    """Three objectives; buildings and crossroads are preferred to open fields."""
    found: dict[str, int] = {}
    used: set[int] = set()
    for first, last, worth in OBJECTIVES:
        places = [(x, y) for y in range(first, last + 1) for x in range(SIZE) if x not in used]
        good = [(x, y) for x, y in places if cells[y][x] in "B="] or places
        column, row = good[pick(len(good))]
        used |= {column - 1, column, column + 1}
        found[f"{chr(65 + column)}{row + 1}"] = worth
    return found


def draw_reserves(seed: int, side: str, units: Sequence[str], rules: Rules) -> list[str]:
    """Which units of a side start off the table, by the generator's dice."""
    dice = generator_dice(seed, f"reserves {side}")
    return choose_reserves(side, units, rules, lambda number: dice.roll(number, 1, "reserves")[0] - 1)


def choose_reserves(side: str, units: Sequence[str], rules: Rules, pick: Callable[[int], int]) -> list[str]:
    """The same with any dice."""
    number = reserve_count(side, len(units), rules)
    left = list(units)
    chosen = []
    for _ in range(number):
        chosen.append(left.pop(pick(len(left))))
    return chosen


def reserve_count(side: str, units: int, rules: Rules) -> int:
    """How many of so many units start off the table (rulings defender_on_table and attacker_off_table)."""
    if side == DEFENDER:
        return 0 if rules.defender_on_table == "all" else max(0, units - int(rules.defender_on_table))
    return min(int(rules.attacker_off_table), max(0, units - 1))
