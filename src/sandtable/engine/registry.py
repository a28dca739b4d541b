"""Games are found by entry point, so that anybody can add one."""

from __future__ import annotations

import functools
from importlib.metadata import entry_points
from typing import Any

from sandtable.engine.errors import UnknownGame, UnknownScenario
from sandtable.engine.game import Game, ScenarioInfo

GROUP = "sandtable.games"

_registered: dict[str, Game[Any]] = {}


def register(game: Game[Any]) -> None:
    """Add a game for this process (tests and notebooks); installed games use entry points."""
    _registered[game.id] = game


@functools.cache
def _installed() -> dict[str, Any]:
    return {point.name: point for point in entry_points(group=GROUP)}


@functools.cache
def _load(name: str) -> Game[Any]:
    game: Game[Any] = _installed()[name].load()
    return game


def game_names() -> list[str]:
    """The ids of all games there are."""
    return sorted({*_installed(), *_registered})


def get_game(name: str) -> Game[Any]:
    """The game of that id."""
    if name in _registered:
        return _registered[name]
    if name not in _installed():
        raise UnknownGame(f"There is no game {name!r}; there are {', '.join(game_names()) or 'none'}.")
    return _load(name)


def get_scenario(game: Game[Any], name: str) -> ScenarioInfo:
    """The scenario of that id."""
    for info in game.scenarios():
        if info.id.lower() == name.lower():
            return info
    names = ", ".join(info.id for info in game.scenarios())
    raise UnknownScenario(f"{game.id} has no scenario {name!r}; it has {names}.")
