"""Manhandling of Guns (6.5)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action, Play
from sandtable.games.squad.model import SquadState
from sandtable.games.squad.ordnance_model import Manhandle


def manhandle_actions(state: SquadState, names: Sequence[str]) -> list[Action]:
    """Where a moving stack may try to push its Gun (6.5)."""
    return []


def manhandle(play: Play[SquadState], action: Manhandle) -> None:
    """Try to push a Gun into an adjacent hex (6.5)."""
