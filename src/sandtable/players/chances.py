"""How even a scenario is between two regulars, and the balance that evens it out."""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files
from typing import NamedTuple

from sandtable.engine import ScenarioInfo

EVEN = " even"
"""Marks the lines of the file that were played with `even_options`."""
UNEVEN = 0.4
"""A side that wins less than this share is helped."""


class Chances(NamedTuple):
    """Games between two regulars, with the program's options."""

    games: int
    won: dict[str, float]
    """By side; a draw counts half."""

    def share(self, side: str) -> float:
        """The share of the games that a side has won."""
        return self.won[side] / self.games


def chances(game: str, scenario: str, *, even: bool = False) -> Chances | None:
    """What was measured of a scenario (docs/players.md), or of it with the options that make it more even."""
    line = _file().get(f"{game}/{scenario}" + EVEN * even)
    if line is None:
        return None
    return Chances(int(line["games"]), {side: wins for side, wins in line.items() if side != "games"})


def even_options(game: str, info: ScenarioInfo) -> dict[str, str]:
    """The options that make a scenario more even: the balance of a side that loses too often, if it has one."""
    known = chances(game, info.id)
    if known is None:
        return {}
    weaker = min(info.sides, key=known.share)
    helped = f"balance_{weaker}"
    if known.share(weaker) >= UNEVEN or all(option.id != helped for option in info.options):
        return {}
    return {helped: "on"}


@functools.cache
def _file() -> dict[str, dict[str, float]]:
    text = files("sandtable.players").joinpath("chances.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
