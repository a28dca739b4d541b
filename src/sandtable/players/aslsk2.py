"""Computer players of `aslsk2`."""

from sandtable.players.squad import Recruit

__all__ = ["Recruit"]
