"""Solitaire ASL: setting up a mission on boards nobody has seen yet, and the ENEMY's player turn, in computing time."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import sandtable
from sandtable.engine import Match, get_game
from sandtable.games.sasl.model import ENEMY
from sandtable.space import board, maps
from sandtable.space.making.maker import make_board

MISSIONS = (1, 2, 3, 4, 5, 8, 19)
SEEDS = range(3)
TURNS = 4
"""ENEMY player turns that are measured in each game."""
ACTIONS = 4000
SET_UP, ENEMY_TURN = 2.0, 1.0
"""Seconds of computing that a set-up and an ENEMY player turn may take."""


def figures() -> Iterator[dict[str, Any]]:
    """Set-up and ENEMY turns of all missions, on boards made for them and on those that come with the program."""
    get_game("sasl")
    turns: list[float] = []
    for number in MISSIONS:
        spent: list[float] = []
        for seed in SEEDS:
            for boards in ("made", "shipped"):
                with nothing_known():
                    match, seconds = set_up(number, seed, boards)
                    spent.append(seconds)
                    if boards == "made":
                        turns += enemy_turns(match, seed)
        yield _figure(f"set-up of mission {number}, slowest of {len(spent)}", max(spent), SET_UP)
    yield _figure(f"ENEMY player turn, p95 of {len(turns)}", float(np.percentile(turns, 95)), ENEMY_TURN)
    yield _figure(f"ENEMY player turn, slowest of {len(turns)}", max(turns), None)


def _figure(name: str, value: float, must: float | None) -> dict[str, Any]:
    return {"name": name, "value": value, "unit": "s", "must": must, "better": "lower"}


@contextmanager
def nothing_known() -> Iterator[None]:
    """No board made, drawn or kept before."""
    before = os.environ.get("SANDTABLE_CACHE")
    os.environ["SANDTABLE_CACHE"] = ""
    make_board.cache_clear()
    maps._made.cache_clear()
    board._loaded.clear()
    try:
        yield
    finally:
        os.environ.pop("SANDTABLE_CACHE")
        if before is not None:
            os.environ["SANDTABLE_CACHE"] = before


def set_up(number: int, seed: int, boards: str) -> tuple[Match, float]:
    """A mission and the seconds of process time until it can be played."""
    begin = time.process_time()
    match = sandtable.new(f"sasl/{number}", seed=seed, options={"boards": boards})
    return match, time.process_time() - begin


def enemy_turns(match: Match, seed: int) -> list[float]:
    """Seconds of process time of the first ENEMY player turns against a side that plays at random."""
    source = random.Random(seed)
    spent: dict[int, float] = {}
    for _ in range(ACTIONS):
        if match.outcome is not None or len(spent) > TURNS:
            break
        side = match.to_act[0]
        legal = match.actions(side)
        turn = match.state.turn
        action = legal[source.randrange(len(legal))]
        begin = time.process_time()
        match.apply(side, action)
        if ENEMY in (match.state.attacker, side) or match.state.turn != turn:
            spent[turn] = spent.get(turn, 0.0) + time.process_time() - begin
    return list(spent.values())[:TURNS]
