"""Objectives: table A10a, and the header line of a board file."""

from __future__ import annotations

import pytest

from sandtable.space.board import BoardError
from sandtable.space.boardfile import format_board, parse_board
from sandtable.space.hexgrid import standard_grid
from sandtable.space.maps import load_map, parse_layout
from sandtable.space.objectives import parse_objective, printed_board, printed_boards

HEAD = "board t\ntitle T\nhexes 5 6\n"


@pytest.mark.rule("A10a")
def test_the_table_has_six_objectives_for_each_of_44_boards() -> None:
    grid, table = standard_grid(), printed_boards()
    assert len(table) == 44
    pairs = 0
    for number, board in table.items():
        assert len(board.objectives) == 6, number
        for text in board.objectives:
            objective = parse_objective(text)
            assert all(name in grid for name in objective.hexes), (number, text)
            assert objective.nearer == (number in ("7", "8", "40")), "only these have an Enemy side"
            pairs += len(objective.hexes) == 2 and not objective.nearer
    assert pairs == 27


@pytest.mark.rule("A10a")
def test_rows_of_the_table() -> None:
    def row(name: str) -> list[str]:
        board = printed_board(name)
        assert board is not None
        return list(board.objectives)

    assert row("01") == ["G6", "K5", "L6", "U3", "X4", "BB4"]
    assert row("2") == ["J4", "O5", "T1", "V8-W7", "U7", "BB5"]
    assert row("19") == ["C3", "I8", "K7", "O9", "X6", "CC4"]
    assert row("23") == ["F3", "G6-H4", "N9-P7", "Y7", "X3-BB5", "CC8"]
    assert row("51") == ["B2", "H4", "P6", "T2", "Z8", "EE2"]
    assert printed_board("25") is None
    assert printed_board("w") is None


def test_a_board_file_names_its_objectives() -> None:
    board = parse_board(HEAD + "type village farmland\nseed 7\nobjectives B2 C3-D4 A1/E2\n")
    assert [objective.hexes for objective in board.objectives] == [("B2",), ("C3", "D4"), ("A1", "E2")]
    assert [objective.nearer for objective in board.objectives] == [False, False, True]
    assert (board.type, board.seed) == ("village farmland", "7")
    assert parse_board(format_board(board)) == board


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("K5x", "objectives must be hexes such as K5, V8-W7 or F2/D7, not 'K5x'"),
        ("B2 Q9", "objectives name Q9, and the board has no such hex"),
        ("B2-C3-D4", "objectives must be hexes such as K5, V8-W7 or F2/D7, not 'B2-C3-D4'"),
    ],
)
def test_wrong_objectives_are_told(text: str, sentence: str) -> None:
    with pytest.raises(BoardError, match=sentence):
        parse_board(HEAD + f"objectives {text}\n")


def test_a_map_of_joined_boards_has_the_objectives_of_all() -> None:
    whole = load_map(parse_layout("1 w"))
    assert [objective.hexes for objective in whole.objectives] == [
        (f"1{name}",) for name in ["G6", "K5", "L6", "U3", "X4", "BB4"]
    ]
    half = load_map(parse_layout("1:A-M"))
    assert [objective.hexes for objective in half.objectives] == [("G6",), ("K5",), ("L6",)]
