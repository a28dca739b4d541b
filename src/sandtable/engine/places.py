"""Locations in records: files name them, while actions hold their numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sandtable.engine.errors import SandtableError
from sandtable.engine.registry import get_game, get_scenario


class Places:
    """The Locations of a map by number and by name, and the fields of actions that hold them."""

    def __init__(self, names: Sequence[str] = (), fields: Sequence[str] = ()) -> None:
        self.names = names
        self.fields = tuple(fields) if names else ()
        self._numbers = {name: number for number, name in enumerate(names)}

    def named(self, action: dict[str, Any]) -> dict[str, Any]:
        """An action as records write it."""
        for field in self.fields:
            number = action.get(field)
            if type(number) is int and 0 <= number < len(self.names):
                action[field] = self.names[number]
        return action

    def numbered(self, action: Any) -> Any:
        """An action as a record has it, with numbers again; raises ValueError with a sentence."""
        if not self.fields or not isinstance(action, dict):
            return action
        found = dict(action)
        for field in self.fields:
            name = found.get(field)
            if isinstance(name, str):
                if name not in self._numbers:
                    raise ValueError(f"there is no hex {name!r} on the map")
                found[field] = self._numbers[name]
        return found


def places_of(game: str, scenario: str, options: Mapping[str, str]) -> Places:
    """The Locations of a scenario with its options; none where a game counts none, or rolls its maps."""
    return _places(game, scenario, tuple(sorted(options.items())))


@lru_cache(maxsize=64)
def _places(name: str, scenario: str, options: tuple[tuple[str, str], ...]) -> Places:
    try:
        game = get_game(name)
        info = get_scenario(game, scenario)
    except SandtableError:
        return Places()
    chosen = {option.id: option.values[0] for option in info.options} | dict(options)
    return Places(game.place_names(scenario, chosen), game.place_fields)
