"""How well our own drawing of boards w and x agrees with VASL's verdicts on every line of range 2 to 16."""

from __future__ import annotations

import csv
import gzip
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from sandtable.space.board import Board
from sandtable.space.boardfile import read_board
from sandtable.space.los import BLOCKED, LosRules, LosTable

VERDICTS = {"w": "los_w_one_level_buildings.csv.gz", "x": "los_x.csv.gz"}
FULL_HEIGHT = {"03": "los_bd03.csv.gz", "06": "los_bd06.csv.gz"}
"""Verdicts of boards that are not shipped, with buildings at their full height."""
RANGES = range(2, 17)
SHIPPED = Path(__file__).parents[1] / "src" / "sandtable" / "space" / "boards"


def facts_folder() -> Path | None:
    """The folder of verdicts: SANDTABLE_FACTS, else ../shared/facts beside the checkout; None without one."""
    given = os.environ.get("SANDTABLE_FACTS")
    folder = Path(given) if given else Path(__file__).parents[2] / "shared" / "facts"
    return folder / "boards" if (folder / "boards").is_dir() else None


def figures() -> Iterator[dict[str, Any]]:
    """Share of equal verdicts, and share of VASL's clear lines that are clear here."""
    folder = facts_folder()
    for name, file in VERDICTS.items():
        equal = f"board {name} as drawn here: lines judged as by VASL, range 2-16"
        clear = f"board {name} as drawn here: of the lines clear in VASL, clear here too"
        if folder is None or not (folder / file).is_file():
            yield {"name": equal, "value": None, "must": 93.0, "why": "not available"}
            yield {"name": clear, "value": None, "must": 85.0, "why": "not available"}
            continue
        first, second = parity(read_board(SHIPPED / f"{name}.board"), folder / file)
        yield {"name": equal, "value": 100 * first, "unit": "%", "must": 93.0}
        yield {"name": clear, "value": 100 * second, "unit": "%", "must": 85.0}


def parity(board: Board, verdicts: Path) -> tuple[float, float]:
    """Share of equal verdicts, and of those VASL calls clear the share that is clear here."""
    table = LosTable(board.raster(), LosRules(hindrance="per-range"))
    table.complete()
    ours, theirs = [], []
    with gzip.open(verdicts, "rt", newline="") as stream:
        for row in csv.DictReader(stream):
            if int(row["range"]) in RANGES:
                start, end = board.grid.index(row["hex_a"]), board.grid.index(row["hex_b"])
                ours.append(table.value(start, end) == BLOCKED)
                theirs.append(row["blocked"] == "1")
    here, there = np.array(ours), np.array(theirs)
    return float((here == there).mean()), float((~here[~there]).mean())
