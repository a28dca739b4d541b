"""Boards of our own making: how long one takes, from the command to the file, and how well they fit their type."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sandtable import cli
from sandtable.space.cells import cells
from sandtable.space.making.figures import figures as board_figures
from sandtable.space.making.maker import make_board
from sandtable.space.making.spread import TYPES, outside

SEEDS = range(5)
SLOWEST = 3.0
"""Seconds that `sandtable board make` may take for one board."""


def figures() -> Iterator[dict[str, Any]]:
    """All figures of this part."""
    for type in TYPES:
        yield slowest(type)
    yield fitting()


def slowest(type: str) -> dict[str, Any]:
    """Seconds of process time for the slowest of a few boards of a type, file and all."""
    worst = 0.0
    with TemporaryDirectory() as folder:
        for seed in SEEDS:
            make_board.cache_clear()
            begin = time.process_time()
            words = ["board", "make", "--type", type, "--seed", str(seed), "--folder", folder, "--name", f"b{seed}"]
            with redirect_stdout(StringIO()):
                refused = cli.main(words)
            if refused or not (Path(folder) / f"b{seed}.board").is_file():
                raise RuntimeError(f"board make failed for {type} {seed}")
            worst = max(worst, time.process_time() - begin)
    return {
        "name": f"board make, {type}, slowest of 5",
        "value": worst,
        "unit": "s",
        "must": SLOWEST,
        "better": "lower",
    }


def fitting() -> dict[str, Any]:
    """Boards of all types nine of ten of whose figures lie within the spread of printed ones, in a hundred."""
    good = 0
    for type in TYPES:
        for seed in SEEDS:
            board = make_board(type, seed)
            found = board_figures(board.hexes, cells(board.grid))
            good += 10 * len(outside(type, found)) <= len(found)
    share = 100 * good / (len(TYPES) * len(SEEDS))
    return {
        "name": "boards with nine of ten figures in the spread of their type",
        "value": share,
        "unit": "%",
        "must": 100,
    }
