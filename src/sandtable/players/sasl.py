"""Computer players of the FRIENDLY side of `sasl`."""

from sandtable.players.squad import Recruit
from sandtable.players.squad_choices import Seasoned, variants
from sandtable.players.squad_regular import Regular
from sandtable.players.squad_worth import worth

PLAYERS = {"regular": Regular}
quick = Regular
base = Seasoned

__all__ = ["PLAYERS", "Recruit", "Regular", "base", "quick", "variants", "worth"]
