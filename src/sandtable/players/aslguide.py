"""Computer players of `aslguide`."""

from sandtable.players.squad import Quick, Recruit
from sandtable.players.squad_candidates import candidates
from sandtable.players.squad_regular import Regular
from sandtable.players.squad_worth import worth

PLAYERS = {"regular": Regular}
quick = Quick

__all__ = ["PLAYERS", "Recruit", "Regular", "candidates", "quick", "worth"]
