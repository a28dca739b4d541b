"""Computer players of `aslsk2`."""

from sandtable.players.squad import Quick, Recruit
from sandtable.players.squad_choices import Seasoned, variants
from sandtable.players.squad_regular import Regular
from sandtable.players.squad_worth import worth

PLAYERS = {"regular": Regular}
quick = Quick
base = Seasoned

__all__ = ["PLAYERS", "Recruit", "Regular", "base", "quick", "variants", "worth"]
