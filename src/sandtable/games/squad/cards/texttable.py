"""Reads tables written as text in TOML files: one row a line, cells between bars, headings first."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

Row = dict[str, str]


def cells(line: str) -> list[str]:
    """The cells of one line, without the spaces around them."""
    return [cell.strip() for cell in line.split("|")]


def grid(text: str) -> list[list[str]]:
    """All cells of a text table; every row must be as long as the headings."""
    lines = [line for line in text.splitlines() if line.strip()]
    table = [cells(line) for line in lines]
    for line, row in zip(lines, table, strict=True):
        if len(row) != len(table[0]):
            raise ValueError(f"{len(row)} cells where {len(table[0])} headings stand: {line.strip()}")
    return table


def rows(text: str) -> list[Row]:
    """The rows of a text table, each cell under its heading."""
    head, *body = grid(text)
    return [dict(zip(head, row, strict=True)) for row in body]


def bounds(cell: str, *, low: int = -99, high: int = 99) -> tuple[int, int]:
    """The numbers that `4`, `4-5`, `<=1` or `>=7` stand for, as lowest and highest."""
    if cell.startswith("<="):
        return low, int(cell[2:])
    if cell.startswith(">="):
        return int(cell[2:]), high
    first, dash, last = cell.partition("-")
    return int(first), int(last if dash else first)


@cache
def load(name: str) -> dict[str, Any]:
    """One data file of the squad-level games, such as `tables/fire.toml`."""
    text = resources.files("sandtable.games.squad").joinpath("data", *name.split("/")).read_text("utf-8")
    return tomllib.loads(text)
