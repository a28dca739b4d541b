"""The computer players of PBI, and what a player that looks ahead needs to know of the game."""

from sandtable.players.pbi_recruit import Recruit
from sandtable.players.pbi_regular import Regular, candidates
from sandtable.players.pbi_sergeant import Sergeant
from sandtable.players.pbi_worth import worth

PLAYERS = {"regular": Regular}
quick = Sergeant

__all__ = ["PLAYERS", "Recruit", "Regular", "candidates", "quick", "worth"]
