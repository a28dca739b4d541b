"""Cheapest ways over a board."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sandtable.space.hexgrid import HexGrid
from sandtable.space.paths import IMPASSABLE, reachable, step_table

GRID = HexGrid(9, 6)
LEVEL = step_table(GRID.neighbour_lists, lambda _, __: 1.0)


def test_in_the_open_cost_is_range() -> None:
    reach = reachable(LEVEL, GRID.index("E3"), 2)
    assert {GRID.name(cell) for cell in reach.costs} == {GRID.name(cell) for cell in GRID.within(GRID.index("E3"), 2)}


def test_a_wall_of_impassable_hexes_is_walked_around() -> None:
    wall = {GRID.at(4, row) for row in range(1, 6)}
    table = step_table(GRID.neighbour_lists, lambda _, other: None if other in wall else 1.0)
    way = reachable(table, GRID.index("C5")).path(GRID.index("G5"))
    assert not wall & set(way)
    assert GRID.name(way[len(way) // 2]) == "E1"
    assert reachable(table, GRID.index("C5"), 4).path(GRID.index("G5")) == []
    assert reachable(table, GRID.index("C5"), 4).cost(GRID.index("G5")) == IMPASSABLE


@given(st.lists(st.sampled_from((1.0, 1.5, 2.0, 4.0)), min_size=GRID.size, max_size=GRID.size))
def test_paths_cost_what_they_say(costs: list[float]) -> None:
    table = step_table(GRID.neighbour_lists, lambda _, other: costs[other])
    reach = reachable(table, 0)
    assert len(reach) == GRID.size
    for cell in (5, 20, GRID.size - 1):
        way = reach.path(cell)
        assert way[0] == 0
        assert sum(costs[step] for step in way[1:]) == reach.cost(cell)
        assert all(reach.cost(cell) <= reach.cost(near) + costs[cell] for near in GRID.neighbours(cell))
