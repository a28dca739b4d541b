"""Solitaire ASL: one side against an ENEMY that printed tables decide for."""

from sandtable.games.sasl.game import GAME

__all__ = ["GAME"]
