"""Computer players of `aslguide`."""

from sandtable.players.squad import Recruit

__all__ = ["Recruit"]
