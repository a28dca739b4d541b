"""Soft Underbelly: the war in southern Italy, 1943 (operational, two players, two scenarios)."""

from sandtable.games.underbelly.game import Underbelly

GAME = Underbelly()

__all__ = ["GAME", "Underbelly"]
