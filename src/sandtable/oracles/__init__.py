"""Oracles: second, slow readings of a rule text, compared with what a game offers in random play.

An oracle is a module with two names. `GAMES` lists the games it reads. `differences(state, side, legal)` is asked at
every decision: None if the decision is none of its business, otherwise one sentence for each difference between the
legal actions and what the text allows. Two more names lead random play to intricate positions and may be absent:
`favoured(state, side, legal)` gives actions that are picked more often, `opening(match, source)` a position from which
three games of four start.

An oracle reads states, boards, counters and lines of sight, but nothing that already knows who may do what.
"""

from __future__ import annotations

from sandtable.oracles import squad_fire, squad_moves
from sandtable.oracles.interface import Oracle
from sandtable.oracles.running import Difference, Findings, run

ORACLES: tuple[Oracle, ...] = (squad_fire, squad_moves)
"""Every oracle there is."""


def oracles_of(game: str) -> tuple[Oracle, ...]:
    """The oracles that read a game."""
    return tuple(oracle for oracle in ORACLES if game in oracle.GAMES)


__all__ = ["ORACLES", "Difference", "Findings", "Oracle", "oracles_of", "run"]
