"""Computer players: they see what a player sees (a seat: view and legal actions), never the state.

The players of one game live in `players/<game>.py`, or in a module that an installed package names as entry point
`<game>` of the group `sandtable.players`: `Recruit` there is the level `recruit`, more levels stand in its table
`PLAYERS = {"regular": Regular}`. The level `veteran` is made for every game from what the module offers:

- `worth(view, side)`: how good a view looks for its side, from 0 to 1; without it only the end of a game tells;
- `candidates(player, seat, limit)`: the few choices worth a look; without it any;
- `variants(player, seat, own)`, instead of them: other choices than `own`, each with a twin who has made it;
- `quick()`: the opponent in imagined games; without it the recruit; `HORIZON`: the player turns looked ahead;
- `base()`: the player whose choices are improved on; without it the regular.

A level may carry a budget: `veteran@0.5` thinks half a second for a decision, `veteran@200r` 200 rollouts.
One instance plays one side of one match to its end.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Protocol, runtime_checkable

from sandtable.engine import Action, Seat
from sandtable.engine.errors import SandtableError
from sandtable.engine.registry import game_names
from sandtable.players.hands import usual_hands
from sandtable.players.imagining import Knowledge
from sandtable.players.lookahead import Veteran
from sandtable.players.random_player import RandomPlayer
from sandtable.players.thinking import Budget, read_budget, usual_budget

__all__ = [
    "Knowledge",
    "Maker",
    "Player",
    "RandomPlayer",
    "UnknownPlayer",
    "Veteran",
    "knowledge",
    "level_name",
    "levels",
    "make_player",
    "read_level",
    "register_knowledge",
    "register_player",
    "thinks",
    "title",
    "usual_level",
    "with_budget",
]

GROUP = "sandtable.players"
ORDER = ("random", "recruit", "regular", "veteran")


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
_knowledge: dict[str, Knowledge] = {}


def register_player(game: str, level: str, make: Maker) -> None:
    """Add a computer player for this process (tests, notebooks, games of others)."""
    _registered[game, level] = make


def register_knowledge(game: str, know: Knowledge) -> None:
    """Tell this process what a veteran should know of a game."""
    _knowledge[game] = know


def levels(game: str) -> list[str]:
    """The levels that play a game, the simplest first."""
    found = ["random", *_simple(game)]
    if game in game_names():
        found.append("veteran")
    known = [level for level in ORDER if level in found]
    return known + [level for level in dict.fromkeys(found) if level not in ORDER]


def usual_level(game: str) -> str:
    """The best level that decides at once."""
    return [level for level in ORDER[:-1] if level in levels(game)][-1]


def make_player(game: str, level: str) -> Player:
    """A fresh player of that level; `veteran@2` is a veteran that thinks two seconds for a decision."""
    opponents: dict[str, Maker] = getattr(_module(game), "OPPONENTS", {})
    if level in opponents:
        return opponents[level]()
    name, budget = read_level(game, level)
    if (game, name) in _registered:
        return _registered[game, name]()
    if name == "random":
        return RandomPlayer()
    if name == "veteran":
        return Veteran(knowledge(game), budget or usual_budget(), usual_hands())
    return _simple(game)[name]()


def read_level(game: str, level: str) -> tuple[str, Budget | None]:
    """A level and the budget that is written behind it; raises an error that says what to write."""
    name, mark, words = level.partition("@")
    if name not in levels(game):
        raise UnknownPlayer(f"There is no computer player {name!r} for {game}; there are {', '.join(levels(game))}.")
    if mark and not thinks(game, name):
        raise UnknownPlayer(f"Only a veteran takes a budget for thinking: write {name}, not {level[:40]!r}.")
    return name, read_budget(words) if mark else None


def thinks(game: str, level: str) -> bool:
    """Whether a level looks ahead under a budget."""
    return level.partition("@")[0] == "veteran" and (game, "veteran") not in _registered


def with_budget(game: str, level: str, think: str = "") -> str:
    """A level with its budget written out, so that it can be repeated: its own, `think`, or the environment's."""
    name, budget = read_level(game, level)
    if not thinks(game, name):
        return name
    return f"{name}@{budget or (read_budget(think) if think else usual_budget())}"


def title(game: str, level: str) -> tuple[str, str]:
    """A player's name for people, and the first line of what its class says about itself."""
    make: object = {"random": RandomPlayer, "veteran": Veteran, **_simple(game)}.get(level.partition("@")[0])
    words = (getattr(make, "__doc__", None) or "").strip().partition("\n")[0]
    return level_name(level), words


def level_name(level: str) -> str:
    """A level as people read it."""
    name, _, budget = level.partition("@")
    return name.capitalize() + (f" ({budget} s)" if budget else "")


def knowledge(game: str) -> Knowledge:
    """What a veteran knows of a game."""
    if game in _knowledge:
        return _knowledge[game]
    simple = _simple(game)
    module: Any = _module(game)
    base = getattr(module, "base", None) or simple.get("regular") or simple.get("recruit") or RandomPlayer
    return Knowledge(
        base=base,
        quick=getattr(module, "quick", None) or simple.get("recruit") or base,
        worth=getattr(module, "worth", None),
        candidates=getattr(module, "candidates", None),
        variants=getattr(module, "variants", None),
        horizon=getattr(module, "HORIZON", 2),
    )


def _simple(game: str) -> dict[str, Maker]:
    """The levels of a game's own, from its module and as registered."""
    module: Any = _module(game)
    found: dict[str, Maker] = {}
    if hasattr(module, "Recruit"):
        found["recruit"] = module.Recruit
    found.update(getattr(module, "PLAYERS", {}))
    found.update({level: make for (of, level), make in _registered.items() if of == game})
    return found


@functools.cache
def _module(game: str) -> ModuleType | None:
    """The module with a game's players."""
    name = f"{__name__}.{game}"
    if game.isidentifier() and game not in _OWN and find_spec(name) is not None:
        return import_module(name)
    for point in entry_points(group=GROUP, name=game):
        module: ModuleType = point.load()
        return module
    return None


_OWN = ("chances", "hands", "imagining", "lookahead", "random_player", "thinking")
"""Modules of this package that are no games."""
