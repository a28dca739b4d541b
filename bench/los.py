"""Lines of sight: how fast they are judged and looked up, and how well imported boards agree with VASL."""

from __future__ import annotations

import csv
import gzip
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.boards import FULL_HEIGHT, SHIPPED, VERDICTS, facts_folder
from sandtable.space.board import Board
from sandtable.space.boardfile import read_board
from sandtable.space.los import BLOCKED, LosRules, LosTable
from sandtable.space.paths import reachable, step_table
from sandtable.space.vasl import import_vasl

REPEATS = 5
LOOK_UPS = 1_000_000


def figures() -> Iterator[dict[str, Any]]:
    """All figures of this part; those that need archives and verdicts say when these are not at hand."""
    for name in ("w", "x"):
        yield all_pairs(read_board(SHIPPED / f"{name}.board"))
    yield first_row(read_board(SHIPPED / "w.board"))
    yield look_ups(read_board(SHIPPED / "w.board"))
    yield eight_mf_search(read_board(SHIPPED / "w.board"))
    for name, file in (VERDICTS | FULL_HEIGHT).items():
        yield from imported_parity(name, file)


def all_pairs(board: Board) -> dict[str, Any]:
    """Seconds to judge every pair of hexes, after a first run that fills the table of strings."""
    raster = board.raster()
    LosTable(raster).complete()
    best = float("inf")
    for _ in range(REPEATS):
        begin = time.process_time()
        LosTable(raster).complete()
        best = min(best, time.process_time() - begin)
    name = f"board {board.name}: all {board.grid.size * (board.grid.size - 1):,} lines, one core, warm"
    return {"name": name, "value": best, "unit": "s", "must": 1.0, "better": "lower"}


def first_row(board: Board) -> dict[str, Any]:
    """Seconds until the lines from one hex are known on a table just made."""
    raster = board.raster()
    best = float("inf")
    for _ in range(REPEATS):
        begin = time.process_time()
        LosTable(raster).row(100)
        best = min(best, time.process_time() - begin)
    return {"name": f"board {board.name}: table made, lines from one hex", "value": best, "unit": "s"}


def look_ups(board: Board) -> dict[str, Any]:
    """Look-ups a second by the method that games call."""
    table = LosTable(board.raster())
    table.complete()
    size = board.grid.size
    pairs = [(number * 7919 % size, number * 104729 % size) for number in range(1000)]
    best = float("inf")
    value = table.value
    for _ in range(REPEATS):
        begin = time.perf_counter()
        for _ in range(LOOK_UPS // len(pairs)):
            for start, end in pairs:
                value(start, end)
        best = min(best, time.perf_counter() - begin)
    return {"name": "look-ups", "value": LOOK_UPS / best, "unit": "/s", "must": 1_000_000}


def eight_mf_search(board: Board) -> dict[str, Any]:
    """Microseconds to find all hexes within 8 MF of the middle of the board."""
    costs = [board[name].kind.mf for name in board.grid.names]
    table = step_table(board.grid.neighbour_lists, lambda _, other: costs[other])
    start = board.grid.index("Q5")
    best = float("inf")
    for _ in range(REPEATS):
        begin = time.perf_counter()
        for _ in range(200):
            reachable(table, start, 8)
        best = min(best, (time.perf_counter() - begin) / 200)
    hexes = len(reachable(table, start, 8))
    return {"name": f"hexes within 8 MF ({hexes} of them)", "value": best * 1e6, "unit": "us"}


def imported_parity(name: str, file: str) -> Iterator[dict[str, Any]]:
    """Share of equal verdicts on an imported board, and of equal hindrances where both say clear."""
    equal = f"board {name} imported: lines judged as by VASL"
    hindered = f"board {name} imported: hindrance of clear lines as by VASL, one per range"
    folder = facts_folder()
    archive = folder.parents[1] / "vasl" / f"bd{name}" if folder is not None else None
    if folder is None or archive is None or not archive.is_file() or not (folder / file).is_file():
        yield {"name": equal, "value": None, "must": 99.9, "why": "not available"}
        yield {"name": hindered, "value": None, "must": 99.5, "why": "not available"}
        return
    board = import_vasl(archive, name)
    table = LosTable(board.raster(), LosRules(hindrance="per-range", one_level_buildings=name not in FULL_HEIGHT))
    table.complete()
    verdict = np.frombuffer(b"".join(table.row(cell) for cell in board.grid), np.uint8)
    ours = verdict.reshape(board.grid.size, -1)
    blocked, hindrance = _verdicts(board, folder / file)
    pairs = ~np.eye(board.grid.size, dtype=np.bool_)
    same = ((ours == BLOCKED) == blocked)[pairs]
    clear = pairs & ~blocked & (ours != BLOCKED)
    yield {"name": equal, "value": 100 * float(same.mean()), "unit": "%", "must": 99.9}
    yield {
        "name": hindered,
        "value": 100 * float((ours == hindrance)[clear].mean()),
        "unit": "%",
        "must": 99.5,
    }


def _verdicts(board: Board, file: Path) -> tuple[NDArray[np.bool_], NDArray[np.uint8]]:
    blocked = np.zeros((board.grid.size,) * 2, np.bool_)
    hindrance = np.zeros_like(blocked, dtype=np.uint8)
    with gzip.open(file, "rt", newline="") as stream:
        for row in csv.DictReader(stream):
            pair = board.grid.index(row["hex_a"]), board.grid.index(row["hex_b"])
            blocked[pair] = row["blocked"] == "1"
            hindrance[pair] = int(row["hindrance"])
    return blocked, hindrance
