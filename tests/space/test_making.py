"""Boards of our own making: the same from the same seed, sound, and joined to every other board."""

from __future__ import annotations

import pytest

from sandtable.space.board import BoardError, load_board
from sandtable.space.boardcheck import check_board
from sandtable.space.boardfile import format_board, parse_board
from sandtable.space.cells import cells
from sandtable.space.making.figures import figures, road_exits
from sandtable.space.making.maker import make_board, named_board
from sandtable.space.making.spread import TYPES, outside
from sandtable.space.maps import load_map, parse_layout


@pytest.mark.parametrize("type", TYPES)
def test_a_board_is_sound_and_can_be_written(type: str) -> None:
    """Its file says all there is, `board check` finds nothing, and it names six objectives."""
    board = make_board(type, 7)
    assert (board.grid.columns, board.grid.rows, len(board.hexes)) == (33, 10, 346)
    assert check_board(board) == []
    assert len(board.objectives) == 6
    assert parse_board(format_board(board)) == board


@pytest.mark.parametrize("type", TYPES)
def test_a_board_is_like_printed_ones_of_its_type(type: str) -> None:
    """Nine of ten figures lie between the 10th and the 90th percentile."""
    found = figures(make_board(type, 7).hexes, cells(make_board(type, 7).grid))
    assert 10 * len(outside(type, found)) <= len(found)


def test_roads_leave_where_those_of_printed_boards_do() -> None:
    board = make_board("village", 7)
    names = [name for name, _ in road_exits(board.hexes, cells(board.grid))]
    assert sorted(names) == ["A5", "GG5", "I1", "I10", "Q1", "Q10", "Y1", "Y10"]


def test_a_name_makes_its_board() -> None:
    """A record that names make1-village-7 finds the same board on any machine, without a file."""
    assert load_board("make1-village-7") == make_board("village", 7)
    ground = load_map(parse_layout("make1-village-7 make1-woods-3* / w x"))
    assert "v7K5" in ground
    assert "w3K5" in ground
    assert "xK5" in ground
    assert len(ground.objectives) >= 10


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("make1-swamp-7", "there is no type of board 'swamp'"),
        ("make9-village-7", "board make9-village-7 was made by another version"),
        ("make1-village-007", "there is no board 'make1-village-007'; write make1-village-7"),
    ],
)
def test_a_name_that_makes_no_board(name: str, sentence: str) -> None:
    with pytest.raises(BoardError, match=sentence):
        load_board(name)


def test_a_name_of_its_own() -> None:
    board = named_board(make_board("city", 1), "Marlow")
    assert (board.name, board.prefix, board["Q5"]) == ("Marlow", "Marlow", make_board("city", 1)["Q5"])
