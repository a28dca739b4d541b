"""The table of all lines says what the explanation of each line says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.space.board import load_board
from sandtable.space.hexgrid import HexGrid
from sandtable.space.los import BLOCKED, Counting, LosRules, LosTable
from sandtable.space.terrain import terrain_table
from testboards.fields import Field

SMALL = HexGrid(6, 4)
KINDS = sorted(kind.name for kind in terrain_table() if not kind.hexside)
HEXSIDES = ("wall", "hedge", "bocage", "cliff", "partial_orchard")
COUNTINGS: tuple[Counting, ...] = ("per-hex", "per-range")


@st.composite
def battlefields(draw: st.DrawFn) -> Field:
    """Any terrain on any levels, gullies and walls included."""
    field = Field(SMALL)
    for name in SMALL.names:
        if draw(st.booleans()):
            field.terrain(draw(st.sampled_from(KINDS)), name)
        field.level(draw(st.sampled_from((0, 0, 0, 1, 1, 2, 3, -1))), name)
    for _ in range(draw(st.integers(0, 6))):
        name, side = draw(st.sampled_from(SMALL.names)), draw(st.integers(0, 5))
        field.hexside(draw(st.sampled_from(HEXSIDES)), name, side)
    return field


@settings(max_examples=40, deadline=None)
@given(battlefields(), st.sampled_from(COUNTINGS), st.booleans())
def test_table_and_explanation_agree_in_both_directions(field: Field, counting: Counting, low: bool) -> None:
    table = LosTable(field.raster, LosRules(hindrance=counting, one_level_buildings=low))
    table.complete()
    for start in range(0, SMALL.size, 5):
        for end in SMALL:
            line = table.explain(start, end)
            value = table.value(start, end)
            assert line.blocked == (value == BLOCKED)
            assert line.blocked or line.hindrance == value == sum(one.value for one in line.hindrances)
            assert table.value(end, start) == value
            assert table.explain(end, start).blocked == line.blocked


@settings(max_examples=10, deadline=None)
@given(battlefields(), st.integers(0, SMALL.size - 1))
def test_a_row_made_alone_equals_the_row_of_the_complete_table(field: Field, cell: int) -> None:
    alone, complete = LosTable(field.raster), LosTable(field.raster)
    shares: list[float] = []
    complete.complete(shares.append)
    assert alone.row(cell) == complete.row(cell)
    assert shares[-1] == 1.0
    assert shares == sorted(shares)


def test_adjacent_hexes_always_see_each_other_on_the_shipped_board() -> None:
    board = load_board("w")
    table = LosTable(board.raster())
    for cell in range(0, board.grid.size, 9):
        assert all(table.clear(cell, other) for other in board.grid.neighbours(cell))
        assert table.clear(cell, cell)


@pytest.mark.rule("1.1.1")
def test_the_hill_example_of_the_booklet() -> None:
    """Board w: E9 sees I7 over the grain, and does not see I6."""
    board = load_board("w")
    table = LosTable(board.raster())
    e9, i7, i6 = (board.grid.index(name) for name in ("E9", "I7", "I6"))
    assert table.value(e9, i7) == 0
    assert not table.clear(e9, i6)
    assert not table.clear(i6, e9)


@pytest.mark.rule("3.2.4")
def test_the_gun_example_of_the_booklet() -> None:
    """Board x: from M3 the grain of L3 hinders fire at J5, that of N3 fire at O4."""
    board = load_board("x")
    table = LosTable(board.raster())
    for target, grain in (("J5", "L3"), ("O4", "N3")):
        line = table.explain(board.grid.index("M3"), board.grid.index(target))
        assert [one.hex for one in line.hindrances] == [grain]


def test_values_are_bytes_for_quick_look_ups() -> None:
    table = LosTable(Field(SMALL).terrain("woods", "C2").raster)
    row = table.row(0)
    assert isinstance(row, bytes)
    assert np.frombuffer(row, np.uint8).shape == (SMALL.size,)


def test_single_lines_of_a_large_board_equal_those_of_its_rows() -> None:
    board = load_board("w")
    ground = board.raster()
    asked, rows = LosTable(ground), LosTable(ground)
    here = 40
    whole = rows.row(here)
    # near and far by turns, then the same from the other end
    cells = sorted(board.grid, key=lambda cell: (cell % 7, cell))
    assert [asked.value(here, cell) for cell in cells] == [whole[cell] for cell in cells]
    assert [asked.value(cell, here) for cell in cells] == [whole[cell] for cell in cells]
    near = min(board.grid, key=lambda cell: (cell == here, board.grid.range(here, cell)))
    again = LosTable(ground)
    assert again.value(near, here) == whole[near]
    assert again.row(here) == whole  # after a part of it was known
