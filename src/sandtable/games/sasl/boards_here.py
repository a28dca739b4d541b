"""Which boards a mission may roll, which of them the player has, and what lies in the place of the others (S13.2)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import msgspec

from sandtable.games.sasl.missions import MISSIONS
from sandtable.games.sasl.setting_up import at_hand, shipped_boards
from sandtable.games.sasl.tables import general
from sandtable.space.board import board_file

SIX = range(1, 7)


class PrintedHere(msgspec.Struct, frozen=True):
    """A printed board that table A9 may give."""

    number: str
    """As A9 has it: `v10`."""
    board: str
    """The board at hand under that number; empty: it has not been imported."""
    imported: bool
    """The player's own, not one that comes with the program."""
    percent: float
    """How often a board that is rolled is this one."""


class TerrainHere(msgspec.Struct, frozen=True):
    """A column of A9: a kind of country with its printed boards."""

    type: str
    percent: float
    printed: tuple[PrintedHere, ...]
    shipped: tuple[str, ...]
    """Boards of the program that may lie in the place of those not at hand."""


class BoardsHere(msgspec.Struct, frozen=True):
    """All boards that a mission may roll."""

    tables: tuple[str, ...]
    terrains: tuple[TerrainHere, ...]
    printed: int
    """How many printed boards may come up."""
    have: int
    """How many of them the player has."""
    percent: float
    """How often a board that is rolled is one of these."""


def boards_here(number: int) -> BoardsHere:
    """What a mission may roll with the boards at hand; each of its tables A8 counts the same."""
    rules = MISSIONS[number]
    tables = tuple(sorted(set(rules.tables)))
    chances: dict[str, dict[str, Fraction]] = {}
    for table in tables:
        for column, printed, chance in _rolls(table, rules.board_drm):
            of_column = chances.setdefault(column, {})
            of_column[printed] = of_column.get(printed, Fraction(0)) + chance / len(tables)
    terrains = tuple(_terrain(column, chances[column]) for column in _columns() if column in chances)
    every = {one.number: one for terrain in terrains for one in terrain.printed}
    have = [one for one in every.values() if one.board]
    seen = sum(chance for of_column in chances.values() for one, chance in of_column.items() if at_hand(one))
    return BoardsHere(tables, terrains, len(every), len(have), _percent(Fraction(seen)))


def _columns() -> list[str]:
    return [column.group for column in general.table("A9").columns]


def _rolls(table: str, drm: int) -> Iterator[tuple[str, str, Fraction]]:
    """Column, printed board and chance of every outcome of A8 and A9."""
    terrain, boards = general.table(table), general.table("A9")
    for first, second in product(SIX, SIX):
        column = terrain.row(first + second).cells[0].choices[0].item
        place = boards.column(group=column)
        for third, fourth in product(SIX, SIX):
            for choice in boards.row(third + fourth + drm).cells[place].choices:
                yield column, choice.item, Fraction(choice.high - choice.low + 1, 6**5)


def _terrain(column: str, chances: dict[str, Fraction]) -> TerrainHere:
    rows = [_printed(number, chance) for number, chance in chances.items()]
    rows.sort(key=lambda one: int(one.number.lstrip("cvw")))
    type = column.lower()
    return TerrainHere(type, _percent(sum(chances.values(), Fraction(0))), tuple(rows), shipped_boards(type))


def _printed(number: str, chance: Fraction) -> PrintedHere:
    board = at_hand(number)
    return PrintedHere(number, board, bool(board) and board_file(board).is_file(), _percent(chance))


def _percent(chance: Fraction) -> float:
    return round(float(100 * chance), 1)
