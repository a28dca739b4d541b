"""The rulesets of games that have the parts of this folder."""

from __future__ import annotations

from sandtable.games.asl.concealment.switches import ConcealmentRules
from sandtable.games.squad.combat.switches import CombatRules
from sandtable.games.squad.fire.switches import FireRules
from sandtable.games.squad.rally.switches import RallyRules
from sandtable.games.squad.rulesets import STARTER_KIT

PEOPLE = STARTER_KIT.extended(
    "asl",
    CombatRules(hidden_bar_advance=False),
    ConcealmentRules(),
    FireRules(protective_12_reduces_one=True),
    RallyRules(self_rally_only_without_leader=True),
)
"""The Starter Kit with the parts about people, and where the full rules differ from it."""
