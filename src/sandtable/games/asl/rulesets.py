"""The rulesets of games that have the parts of this folder."""

from __future__ import annotations

from sandtable.games.asl.concealment.switches import ConcealmentRules
from sandtable.games.squad.combat.switches import CombatRules
from sandtable.games.squad.rulesets import STARTER_KIT

PEOPLE = STARTER_KIT.extended("asl", CombatRules(hidden_bar_advance=False), ConcealmentRules())
"""The Starter Kit with the parts about people: concealment."""
