"""Computer players of `aslguide`."""

from sandtable.players.squad import Recruit
from sandtable.players.squad_choices import Seasoned, variants
from sandtable.players.squad_drill import Drill
from sandtable.players.squad_regular import Regular
from sandtable.players.squad_worth import worth

PLAYERS = {"regular": Regular}
OPPONENTS = {"drill": Drill}
"""Players of lessons, which nobody else is offered."""
quick = Regular
base = Seasoned

__all__ = ["OPPONENTS", "PLAYERS", "Recruit", "Regular", "base", "quick", "variants", "worth"]
