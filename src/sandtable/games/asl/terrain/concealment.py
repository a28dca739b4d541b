"""Concealment Terrain, for whoever asks (A12.12)."""

from __future__ import annotations

from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.model import SquadState


def concealment_terrain(state: SquadState, place: int) -> bool:
    """Whether a Location is Concealment Terrain in the season of the match; a pillbox is, to those in it (B30.7)."""
    ground = setting_of(state).ground
    table: tuple[bool, ...] | None = getattr(ground, "concealment", None)
    if table is not None:
        return table[place]
    return not ground.open[place]
