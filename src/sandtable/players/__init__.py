"""Computer players: they see what a player sees (a seat: view and legal actions), never the state.

A player of one game is a class in `players/<game>.py`: `Recruit` there is the level `recruit`; more levels stand in a
table `PLAYERS = {"veteran": Veteran}` of the same module. One instance plays one side of one match to its end.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Protocol, runtime_checkable

from sandtable.engine import Action, Seat
from sandtable.engine.errors import SandtableError
from sandtable.players.random_player import RandomPlayer


class UnknownPlayer(SandtableError):
    """No computer player of that level plays the game."""


@runtime_checkable
class Player(Protocol):
    """Chooses for one side."""

    explanation: str
    """Why the last choice was made, in words; empty if there is nothing to say."""

    def choose(self, seat: Seat, source: random.Random) -> Action:
        """One of the seat's legal actions; all chance comes from `source`."""
        ...


Maker = Callable[[], Player]

_registered: dict[tuple[str, str], Maker] = {}


def register_player(game: str, level: str, make: Maker) -> None:
    """Add a computer player for this process (tests, notebooks, games of others)."""
    _registered[game, level] = make


def levels(game: str) -> list[str]:
    """The levels that play a game, the simplest first."""
    found = ["random"]
    found += [level for level in _of_module(game) if level not in found]
    found += [level for of, level in _registered if of == game and level not in found]
    return found


def make_player(game: str, level: str) -> Player:
    """A fresh player of that level."""
    if (game, level) in _registered:
        return _registered[game, level]()
    if level == "random":
        return RandomPlayer()
    known = _of_module(game)
    if level not in known:
        raise UnknownPlayer(f"There is no computer player {level!r} for {game}; there are {', '.join(levels(game))}.")
    return known[level]()


def title(game: str, level: str) -> tuple[str, str]:
    """A player's name for people, and the first line of what its class says about itself."""
    make: object = RandomPlayer if level == "random" else _of_module(game).get(level)
    make = _registered.get((game, level), make)
    words = (getattr(make, "__doc__", None) or "").strip().partition("\n")[0]
    return level.capitalize(), words


def _of_module(game: str) -> dict[str, Maker]:
    name = f"{__name__}.{game}"
    if not game.isidentifier() or find_spec(name) is None:
        return {}
    module: ModuleType = import_module(name)
    found: dict[str, Maker] = {}
    if hasattr(module, "Recruit"):
        found["recruit"] = module.Recruit
    found.update(getattr(module, "PLAYERS", {}))
    return found
