"""The introductory guide to ASL: cut-down infantry rules and one scenario on board 1."""

from sandtable.games.squad.game import SquadGame
from sandtable.games.squad.ruleset import GUIDE
from sandtable.games.squad.shipped import cited_rules, rule_titles, scenarios

GAME = SquadGame(
    "aslguide",
    "Introductory Guide to ASL",
    GUIDE,
    lambda: scenarios("aslguide"),
    rule_titles("aslguide"),
    cited_rules("aslguide"),
)

__all__ = ["GAME"]
