"""ASL Starter Kit 2: squad-level tactics with Guns, scenarios S9 to S16."""

from sandtable.games.aslsk2.lessons import lessons
from sandtable.games.squad.game import SquadGame
from sandtable.games.squad.rulesets import STARTER_KIT
from sandtable.games.squad.scenario.shipped import rule_titles, scenarios

GAME = SquadGame(
    "aslsk2",
    "ASL Starter Kit 2",
    STARTER_KIT,
    lambda: scenarios("aslsk2"),
    rule_titles("aslsk2"),
    lessons=lessons,
)

__all__ = ["GAME"]
