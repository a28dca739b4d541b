"""Frames that rules of the ground push."""

from __future__ import annotations

from sandtable.engine import Frame


class FollowTarget(Frame, frozen=True):
    """An acquired stack has scattered: the firer says which of its parts stays acquired (6.10)."""

    side: str
    weapon: str
    moved: tuple[str, ...]
    stayed: tuple[str, ...]
    to: int
