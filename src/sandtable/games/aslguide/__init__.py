"""The introductory guide to ASL: cut-down infantry rules and one scenario on board 1."""

from sandtable.games.aslguide.lessons import lessons
from sandtable.games.squad.game import SquadGame
from sandtable.games.squad.rulesets import GUIDE
from sandtable.games.squad.scenario.shipped import cited_rules, rule_titles, scenarios

GAME = SquadGame(
    "aslguide",
    "Introductory Guide to ASL",
    GUIDE,
    lambda: scenarios("aslguide"),
    rule_titles("aslguide"),
    cited_rules("aslguide"),
    lessons=lessons,
)
GAME.for_beginners = True

__all__ = ["GAME"]
