"""Lines of sight between Locations: upper levels, rooftops and the ground of hexes."""

from __future__ import annotations

import random
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest

from sandtable.space.hexgrid import HexGrid
from sandtable.space.los import BLOCKED, LosTable
from sandtable.space.loslevels import LevelTable
from testboards.fields import Field

UP, ROOF = 1, 2
LARGE = HexGrid(30, 6)


def numbered(field: Field, *others: tuple[str, int], joined: tuple[tuple[str, int], ...] = ()) -> LevelTable:
    index = field.raster.grid.index
    size = field.raster.grid.size
    pairs = [(index(name), size + number) for name, number in joined]
    return LevelTable(LosTable(field.raster), [(index(name), height) for name, height in others], pairs)


@pytest.mark.rule("3.2.1")
def test_an_upper_level_sees_over_what_blocks_the_ground() -> None:
    field = Field().patch("woods", "E4")
    index, size = field.raster.grid.index, field.raster.grid.size
    table = numbered(field, ("C3", ROOF), ("G5", ROOF), ("C3", UP))
    assert table.row(index("C3"))[index("G5")] == BLOCKED
    assert table.row(size)[size + 1] == 0, "two levels look at each other over the woods"
    assert table.row(size + 2)[index("G5")] == BLOCKED, "no higher than the woods"


@pytest.mark.rule("3.2.1")
def test_the_hex_behind_an_obstacle_stays_blind() -> None:
    field = Field().patch("woods", "E4")
    index, size = field.raster.grid.index, field.raster.grid.size
    table = numbered(field, ("E2", ROOF))
    assert table.row(size)[index("E5")] == BLOCKED
    assert table.row(size)[index("E8")] == 0


def test_lines_are_the_same_from_either_end_and_as_the_engine_explains_them() -> None:
    field = Field().patch("woods", "E4").patch("woods", "G3").patch("stone_building", "C6")
    others = [("C3", UP), ("G5", ROOF), ("J2", ROOF), ("C6", UP)]
    table = numbered(field, *others)
    size = field.raster.grid.size
    for start in (*range(0, size, 11), *range(size, size + 4)):
        for end in range(size + 4):
            value = table.row(start)[end]
            assert value == table.row(end)[start]
            line = table.explain(start, end)
            if line.start != line.end:
                assert value == (BLOCKED if line.blocked else line.hindrance)


def test_single_lines_equal_those_of_whole_rows() -> None:
    """Near and far, from either end: a line is worked out without the rest of its row."""
    field = Field(LARGE).patch("woods", "E4").patch("woods", "G3").patch("stone_building", "C6")
    others = [("C3", UP), ("G5", ROOF), ("C3", ROOF), ("C6", UP)]
    asked, rows = numbered(field, *others, joined=(("C3", 0),)), numbered(field, *others, joined=(("C3", 0),))
    size = field.raster.grid.size
    cells = sorted(range(size + 4), key=lambda cell: (cell % 7, cell))
    for place in range(size, size + 4):
        whole = rows.row(place)
        assert [asked.value(place, cell) for cell in cells] == [whole[cell] for cell in cells]
        assert [asked.value(cell, place) for cell in cells] == [whole[cell] for cell in cells]
    assert [asked.row(place) for place in (0, size)] == [rows.row(place) for place in (0, size)]


def test_the_lines_between_hexes_stay_as_they_are() -> None:
    field = Field().patch("woods", "E4")
    plain, table = LosTable(field.raster), numbered(field, ("C3", UP))
    size = field.raster.grid.size
    for cell in range(0, size, 5):
        assert np.array_equal(np.frombuffer(plain.row(cell), np.uint8), np.frombuffer(table.row(cell), np.uint8)[:size])


def test_within_a_hex_there_is_a_line_where_a_way_joins_the_levels() -> None:
    field = Field()
    cell, size = field.raster.grid.index("C3"), field.raster.grid.size
    table = numbered(field, ("C3", UP), ("C3", ROOF), joined=(("C3", 0),))
    assert table.row(cell)[size] == table.row(size)[cell] == 0
    assert table.row(cell)[size + 1] == BLOCKED
    assert table.row(size)[size] == 0


def test_threads_that_ask_at_once_get_the_same_lines() -> None:
    """Near and far lines and whole rows, while other threads work out and forget parts of the same rows."""
    field = Field(LARGE)
    for name in LARGE.names[10:150:7]:
        field.patch("woods", name)
    others = [(LARGE.names[cell], ROOF) for cell in range(0, LARGE.size, 9)]
    alone = numbered(field, *others)
    size = LARGE.size + len(others)
    expected = [alone.row(place) for place in range(size)]

    def ask(table: LevelTable, seed: int) -> list[tuple[int, int, int, int]]:
        source = random.Random(seed)
        wrong = []
        for _ in range(400):
            one, other = source.randrange(size), source.randrange(size)
            found = table.row(one)[other] if source.random() < 0.1 else table.value(one, other)
            if found != expected[one][other]:
                wrong.append((one, other, found, expected[one][other]))
        return wrong

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for attempt in range(4):
            table = numbered(field, *others)
            with ThreadPoolExecutor(8) as threads:
                for wrong in threads.map(partial(ask, table), range(8 * attempt, 8 * attempt + 8)):
                    assert wrong == []
    finally:
        sys.setswitchinterval(before)
