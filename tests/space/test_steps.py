"""What a step costs Infantry, told hex by hex."""

from __future__ import annotations

import pytest

from sandtable.space.boardfile import parse_board
from sandtable.space.steps import StepCost, step_cost
from sandtable.space.terrain import terrain_table

HEAD = "board t\ntitle T\nhexes 5 6\n"


def cost(start: str, end: str, *lines: str) -> StepCost:
    """The step from one hex to its neighbour on a board of these lines."""
    board = parse_board(HEAD + "\n".join(lines))
    side = board.grid.neighbour_table[board.grid.index(start)].index(board.grid.index(end))
    return step_cost(board[start], side, board[end])


@pytest.mark.parametrize(
    ("line", "mf"),
    [
        ("C3 open", 1.0),
        ("C3 woods", 2.0),
        ("C3 grain", 1.5),
        ("C3 stone_building_2", 2.0),
        ("C3 gully level=-1 gully=1,4", 2.0),
        ("C3 stream level=-1 stream=1,4", 3.0),
        ("C3 woods level=-1 gully=1,4", 4.0),
        ("C3 woods level=-1 gully=0,3", 4.0),
        ("C3 woods level=-1 stream=1,4", 5.0),
        ("C3 woods level=-1 stream=0,3", 3.0),
        ("C3 open level=1", 2.0),
        ("C3 woods level=1", 4.0),
        ("C3 open wall=0", 2.0),
        ("C3 open level=1 hedge=0", 3.0),
        ("C3 open cliff=0 level=1", None),
        ("C3 river", None),
        ("C3 stone_bridge dirt=1,4 stream=0,3", 3.0),
        ("C3 stone_bridge dirt=1,4 river=0,3", None),
    ],
)
def test_entering_from_above(line: str, mf: float | None) -> None:
    assert cost("C2", "C3", line).mf == mf


def test_a_road_leads_over_the_bridge_and_through_the_woods() -> None:
    assert cost("C2", "C3", "C2 open dirt=3", "C3 stone_bridge dirt=0,3 stream=1,4").mf == 1.0
    assert cost("C2", "C3", "C2 open dirt=3", "C3 woods_road dirt=0,3 level=1").mf == 2.0
    assert cost("C2", "C3", "C2 open dirt=3", "C3 stone_building dirt=0").mf == 2.0


def test_a_marsh_takes_all_and_a_party_wall_three() -> None:
    assert cost("C2", "C3", "C3 marsh").all_mf
    row = ("C2 stone_building_1 building=r rowhouse=3", "C3 stone_building_1 building=r")
    assert cost("C2", "C3", *row).mf == cost("C3", "C2", *row).mf == 3.0


def test_climbing_out_of_a_gully_doubles_the_cost() -> None:
    assert cost("C3", "C2", "C3 gully level=-1 gully=1,4").mf == 2.0


def test_every_kind_has_an_answer() -> None:
    for kind in terrain_table():
        if not kind.hexside:
            found = cost("C2", "C3", f"C3 {kind.name}")
            assert found.mf == (None if kind.name.endswith("_bridge") else kind.mf), kind.name
