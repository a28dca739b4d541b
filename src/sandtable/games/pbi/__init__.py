"""PBI: the company-level miniatures game on squares, from its quick-reference sheet and house rulings."""

from sandtable.games.pbi.game import GAME

__all__ = ["GAME"]
