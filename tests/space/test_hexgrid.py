"""Hex grids: names, neighbours, ranges, lines, arcs and pixels."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.space.grid import NO_CELL, GridError, column_letters
from sandtable.space.hexgrid import HexGrid, numbered_grid, standard_grid

BOARD = standard_grid()
ITALY = numbered_grid(50, 30, first_column=10)
ODD_START = HexGrid(7, 4, raised=0)
GRIDS = (BOARD, ITALY, ODD_START)

grids = st.sampled_from(GRIDS)


@st.composite
def grid_and_cells(draw: st.DrawFn, count: int) -> tuple[HexGrid, list[int]]:
    grid = draw(grids)
    return grid, [draw(st.integers(0, grid.size - 1)) for _ in range(count)]


def names(grid: HexGrid, cells: tuple[int, ...]) -> list[str]:
    return [grid.name(cell) if cell != NO_CELL else "-" for cell in cells]


def test_a_standard_board_has_346_hexes_from_a1_to_gg10() -> None:
    assert BOARD.size == 346
    assert (BOARD.names[0], BOARD.names[-1]) == ("A1", "GG10")
    assert "B0" in BOARD
    assert "A0" not in BOARD
    assert (BOARD.width, BOARD.height) == (1800, 645)


def test_columns_repeat_their_letter() -> None:
    assert [column_letters(column) for column in (0, 25, 26, 32, 52)] == ["A", "Z", "AA", "GG", "AAA"]


def test_neighbours_follow_the_clock_from_the_top() -> None:
    assert names(BOARD, BOARD.neighbour_table[BOARD.index("E5")]) == ["E4", "F4", "F5", "E6", "D5", "D4"]
    assert names(BOARD, BOARD.neighbour_table[BOARD.index("F4")]) == ["F3", "G4", "G5", "F5", "E5", "E4"]
    assert names(BOARD, BOARD.neighbour_table[BOARD.index("B0")]) == ["-", "-", "C1", "B1", "A1", "-"]


def test_four_digit_maps_raise_their_even_columns() -> None:
    touching = [("5019", "4918"), ("3117", "3118"), ("3117", "3218"), ("3118", "3218")]
    for one, other in touching:
        assert ITALY.adjacent(ITALY.index(one), ITALY.index(other)), (one, other)
    assert not ITALY.adjacent(ITALY.index("5019"), ITALY.index("4920"))


def test_aiming_points_are_whole_pixels_on_the_board() -> None:
    points = {"A1": (0, 32), "A2": (0, 96), "B0": (56, 0), "B1": (56, 64), "B10": (56, 644), "GG1": (1799, 32)}
    assert {name: BOARD.aim(BOARD.index(name)) for name in points} == points


def test_half_hexes_lie_along_the_edges() -> None:
    halves = {BOARD.name(cell) for cell in BOARD if BOARD.is_half(cell)}
    assert {"A5", "GG5", "B0", "B10"} <= halves
    assert not {"C1", "C10", "B1", "E5"} & halves


def test_edges_of_the_board() -> None:
    assert BOARD.edges(BOARD.index("A1")) == {"north", "west"}
    assert len(BOARD.edge_cells("north")) == 33
    assert len(BOARD.edge_cells("east")) == 10
    with pytest.raises(GridError, match="say north"):
        BOARD.edge_cells("up")


@pytest.mark.rule("3.2.4")
def test_covered_arc_spreads_from_a_hexspine() -> None:
    gun = BOARD.index("E8")
    spine = next(s for s in range(6) if set(names(BOARD, BOARD.hexspine(gun, s))) == {"D7", "D8"})
    arc = set(names(BOARD, BOARD.covered_arc(gun, spine)))
    assert {"D7", "D8", "C7", "C8"} <= arc
    assert not {"E7", "E8", "F8", "D6"} & arc


def test_bad_names_and_sides_are_refused_with_a_sentence() -> None:
    with pytest.raises(GridError, match="no hex 'ZZ9'"):
        BOARD.index("ZZ9")
    with pytest.raises(GridError, match="not adjacent"):
        BOARD.hexside(BOARD.index("A1"), BOARD.index("C5"))
    with pytest.raises(GridError, match="sides are 0 to 5"):
        BOARD.neighbour(0, 6)
    with pytest.raises(GridError, match="no direction to itself"):
        BOARD.direction(3, 3)


@given(grid_and_cells(1))
def test_names_and_pixels_lead_back_to_the_cell(case: tuple[HexGrid, list[int]]) -> None:
    grid, (cell,) = case
    assert grid.index(grid.name(cell)) == cell
    assert grid.cell_at(*grid.centre(cell)) == cell
    assert grid.at(*grid.place(cell)) == cell


@given(grid_and_cells(3))
def test_range_is_a_distance(case: tuple[HexGrid, list[int]]) -> None:
    grid, (a, b, c) = case
    assert grid.range(a, b) == grid.range(b, a)
    assert (grid.range(a, b) == 0) == (a == b)
    assert grid.range(a, c) <= grid.range(a, b) + grid.range(b, c)
    assert (grid.range(a, b) == 1) == grid.adjacent(a, b)


@given(grid_and_cells(2))
def test_lines_go_step_by_step_and_are_the_same_from_both_ends(case: tuple[HexGrid, list[int]]) -> None:
    grid, (a, b) = case
    line = grid.line(a, b)
    assert (line[0], line[-1]) == (a, b)
    assert len(line) == grid.range(a, b) + 1
    assert all(grid.adjacent(one, other) for one, other in itertools.pairwise(line))
    assert grid.line(b, a) == line[::-1]


@given(grid_and_cells(1), st.integers(0, 6))
def test_rings_add_up_to_all_within(case: tuple[HexGrid, list[int]], radius: int) -> None:
    grid, (cell,) = case
    rings = [other for r in range(radius + 1) for other in grid.ring(cell, r)]
    assert sorted(rings) == sorted(grid.within(cell, radius))
    assert all(grid.range(cell, other) == radius for other in grid.ring(cell, radius))


@given(grid_and_cells(2))
def test_direction_brings_nearer_and_lies_in_a_covered_arc(case: tuple[HexGrid, list[int]]) -> None:
    grid, (a, b) = case
    if a == b:
        return
    side = grid.direction(a, b)
    step = grid.neighbour(a, side)
    if step != NO_CELL:
        assert grid.range(step, b) == grid.range(a, b) - 1
    assert len(grid.spine_towards(a, b)) in (1, 2)


@given(grid_and_cells(1), st.integers(0, 5))
def test_a_shared_hexside_has_one_middle(case: tuple[HexGrid, list[int]], side: int) -> None:
    grid, (cell,) = case
    other = grid.neighbour(cell, side)
    if other == NO_CELL:
        return
    assert grid.hexside(cell, other) == side
    assert grid.hexside(other, cell) == grid.opposite(side)
    mine, theirs = grid.side_midpoint(cell, side), grid.side_midpoint(other, grid.opposite(side))
    assert mine == pytest.approx(theirs)


def test_pixel_owners_agree_with_single_points() -> None:
    owners = ODD_START.pixel_owners
    for x, y in ((3, 3), (100, 77), (200, 140), (330, 250)):
        assert owners[y, x] == ODD_START.cell_at(x + 0.5, y + 0.5)


def test_along_hexsides_only_in_the_six_grain_free_directions() -> None:
    assert BOARD.along_hexsides(BOARD.index("A5"), BOARD.index("C5"))
    assert BOARD.along_hexsides(BOARD.index("E5"), BOARD.index("F6"))
    assert not BOARD.along_hexsides(BOARD.index("E5"), BOARD.index("F5"))
