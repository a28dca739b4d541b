"""What a module must have to be an oracle."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol

from sandtable.engine.match import Match


class Oracle(Protocol):
    """A module that reads the rules of some games a second time."""

    GAMES: tuple[str, ...]

    def differences(self, state: Any, side: str, legal: Sequence[Any]) -> list[str] | None:
        """Where the legal actions of a side differ from the text; None if this decision is not looked at."""


def name_of(oracle: Oracle) -> str:
    """The short name of an oracle: that of its module."""
    return str(getattr(oracle, "__name__", "oracle")).rpartition(".")[2]


def favoured(oracles: Sequence[Oracle], state: Any, side: str, legal: Sequence[Any]) -> list[Any]:
    """The legal actions that lead to positions which an oracle would like to see."""
    found: list[Any] = []
    for oracle in oracles:
        wish = getattr(oracle, "favoured", None)
        if wish is not None:
            found += wish(state, side, legal)
    return found


def opening(oracles: Sequence[Oracle], match: Match, source: Random) -> dict[str, Any] | None:
    """A position of its own from which an oracle would like a game to start."""
    for oracle in oracles:
        wish = getattr(oracle, "opening", None)
        if wish is not None:
            position: dict[str, Any] = wish(match, source)
            return position
    return None
