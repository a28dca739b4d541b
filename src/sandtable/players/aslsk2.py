"""Computer players of `aslsk2`."""

from sandtable.players.squad import Recruit
from sandtable.players.squad_worth import worth

__all__ = ["Recruit", "worth"]
