"""The spread of the printed boards' figures, type by type: what a board of the type is made to fit."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

TYPES = ("city", "village", "farmland", "rural", "hills", "woods", "river", "beach")
"""The types of boards that can be made, after table A9 of the solitaire game."""


@cache
def spreads() -> dict[str, dict[str, tuple[int, int, int]]]:
    """For each type and figure the 10th, 50th and 90th percentile of the printed boards."""
    text = (resources.files("sandtable.space.making") / "spreads.toml").read_text(encoding="utf-8")
    return {
        type: {figure: (row[0], row[1], row[2]) for figure, row in rows.items()}
        for type, rows in tomllib.loads(text).items()
    }


def outside(type: str, found: dict[str, int]) -> list[str]:
    """Figures that lie outside the spread of the type."""
    bounds = spreads()[type]
    return [name for name, value in found.items() if name in bounds and not bounds[name][0] <= value <= bounds[name][2]]
