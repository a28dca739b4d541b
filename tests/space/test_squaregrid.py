"""Square grids with and without diagonals."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.space.grid import GridError
from sandtable.space.squaregrid import SquareGrid

DIAGONAL = SquareGrid(9, 7)
STRAIGHT = SquareGrid(9, 7, diagonals=False)
ONE_DIAGONAL = SquareGrid(9, 7, diagonal_limit=1)
cells = st.integers(0, DIAGONAL.size - 1)
grids = st.sampled_from((DIAGONAL, STRAIGHT, ONE_DIAGONAL))


def test_names_run_down_the_columns() -> None:
    assert DIAGONAL.names[:8] == ("A1", "A2", "A3", "A4", "A5", "A6", "A7", "B1")
    assert DIAGONAL.place(DIAGONAL.index("C7")) == (2, 6)


def test_diagonals_make_eight_neighbours_and_shorter_ranges() -> None:
    middle, corner = DIAGONAL.index("C3"), DIAGONAL.index("F6")
    assert len(DIAGONAL.neighbours(middle)) == 8
    assert len(STRAIGHT.neighbours(middle)) == 4
    assert (DIAGONAL.range(middle, corner), STRAIGHT.range(middle, corner)) == (3, 6)
    assert ONE_DIAGONAL.range(middle, corner) == 5


def test_direction_and_arc() -> None:
    c4, d3 = DIAGONAL.index("C4"), DIAGONAL.index("D3")
    assert DIAGONAL.direction(c4, d3) == 1
    assert DIAGONAL.in_covered_arc(c4, 0, d3)
    assert not DIAGONAL.in_covered_arc(c4, 4, d3)
    with pytest.raises(GridError, match="to itself"):
        DIAGONAL.direction(c4, c4)


def test_edges_and_corners() -> None:
    assert DIAGONAL.edges(DIAGONAL.index("A1")) == {"north", "west"}
    assert len(DIAGONAL.edge_cells("south")) == 9
    assert DIAGONAL.side_midpoint(0, 0) == (32, 0)
    assert DIAGONAL.side_midpoint(0, 1) == (64, 0)


@given(grids, cells, cells)
def test_lines_join_their_ends(grid: SquareGrid, a: int, b: int) -> None:
    line = grid.line(a, b)
    assert (line[0], line[-1]) == (a, b)
    assert all(grid.adjacent(one, other) for one, other in itertools.pairwise(line))
    assert grid.line(b, a) == line[::-1]
    assert grid.range(a, b) == grid.range(b, a)


@given(grids, cells)
def test_points_lead_back_to_the_square(grid: SquareGrid, cell: int) -> None:
    assert grid.cell_at(*grid.centre(cell)) == cell
    assert grid.index(grid.name(cell)) == cell
