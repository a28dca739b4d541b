"""Small decisions of a mission that a player answers at once: set-up, snipers, prisoners, walls, reforming."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action

ANSWERS = (
    "RollRest",
    "AcceptSurrender",
    "TryEscape",
    "Snipe",
    "SnipeUnits",
    "SnipeSniper",
    "CheckForSniper",
    "ClaimWall",
    "WallsDone",
    "KeepConcealed",
    "EndSearch",
    "EndReforming",
)
"""What is always taken where it is offered, the first of these."""


def answer(actions: Sequence[Action]) -> Action | None:
    """The answer to a small decision; None: it is none."""
    kinds = {type(action).__name__: action for action in reversed(actions)}
    return next((kinds[name] for name in ANSWERS if name in kinds), None)
