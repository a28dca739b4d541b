"""Checks of a board beyond its format: roads that end at a hexside, walls that disagree, buildings in pieces."""

from __future__ import annotations

import os
from pathlib import Path

from sandtable.space.board import Board, BoardError
from sandtable.space.boardfile import read_board
from sandtable.space.cells import Cell, cells, opposite


def check_board_file(path: str | os.PathLike[str]) -> list[str]:
    """Every mistake of a board file as one sentence with file, line and hex; none if the board is sound."""
    file = Path(path)
    try:
        board = read_board(file)
    except BoardError as error:
        return [str(error)]
    lines = _line_numbers(file.read_text(encoding="utf-8"))
    return [_place(file.name, lines, hex, sentence) for hex, sentence in check_board(board)]


def _line_numbers(text: str) -> dict[str, int]:
    return {line.split()[0]: number for number, line in enumerate(text.split("\n"), start=1) if line.strip()}


def _place(file: str, lines: dict[str, int], hex: str, sentence: str) -> str:
    line = f", line {lines[hex]}" if hex in lines else ""
    return f"{file}{line}, hex {hex}: {sentence}"


def check_board(board: Board) -> list[tuple[str, str]]:
    """Hex and sentence of every finding."""
    all_cells = cells(board.grid)
    found = []
    for name, cell in all_cells.items():
        found += [(name, sentence) for sentence in _roads(board, cell)]
        found += [(name, sentence) for sentence in _hexsides(board, cell)]
    return found + _buildings(board, all_cells)


def _roads(board: Board, cell: Cell) -> list[str]:
    found = []
    for side, surface in board[cell.name].roads:
        other = cell.neighbours[side]
        if other is None:
            continue
        beyond = dict(board[other].roads).get(opposite(side))
        if beyond is None:
            found.append(f"the {surface} road over hexside {side} does not go on in {other}")
        elif beyond != surface:
            found.append(f"the {surface} road over hexside {side} goes on in {other} as a {beyond} road")
    return found


def _hexsides(board: Board, cell: Cell) -> list[str]:
    found = []
    for side, kind in board[cell.name].sides:
        other = cell.neighbours[side]
        beyond = dict(board[other].sides).get(opposite(side)) if other is not None else kind
        if beyond not in (None, kind):
            found.append(f"hexside {side} is {kind} here and {beyond} in {other}")
    return found


def _buildings(board: Board, all_cells: dict[str, Cell]) -> list[tuple[str, str]]:
    """A building of several hexes must hang together and be of one material."""
    groups: dict[str, list[str]] = {}
    for name, facts in board.hexes.items():
        if facts.building is not None:
            groups.setdefault(facts.building, []).append(name)
    found = []
    for id, names in groups.items():
        reached, todo = {names[0]}, [names[0]]
        while todo:
            for other in all_cells[todo.pop()].neighbours:
                if other in names and other not in reached:
                    reached.add(other)
                    todo.append(other)
        apart = [name for name in names if name not in reached]
        if apart:
            found.append((apart[0], f"the hex belongs to building {id} but is not adjacent to the rest of it"))
        mixed = [name for name in names if board[name].material != board[names[0]].material]
        if mixed:
            found.append((mixed[0], f"building {id} is of {board[names[0]].material} in {names[0]} but not here"))
    return found
