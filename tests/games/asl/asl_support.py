"""A game that nobody is offered: the Starter Kit with the parts about people, for tests and the fuzzer."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec.structs import replace
from squad_support import _cards, drill

from sandtable.engine import Match, register
from sandtable.games.asl.concealment.part import PART as CONCEALMENT
from sandtable.games.asl.rulesets import PEOPLE
from sandtable.games.aslsk2 import GAME as STARTER_KIT_GAME
from sandtable.games.squad.cards.scenario import Scenario, UnitLine
from sandtable.games.squad.game import SquadGame
from sandtable.games.squad.parts import COMMON

PARTS = (*COMMON, CONCEALMENT)


@cache
def with_dummies() -> tuple[Scenario, ...]:
    """The scenarios of the Starter Kit with four "?" for each group."""
    found = []
    for card in STARTER_KIT_GAME._load():
        groups = [replace(group, units=(*group.units, UnitLine(unit="?", count=4))) for group in card.groups]
        found.append(replace(card, groups=tuple(groups)))
    return tuple(found)


register(SquadGame("asldrill", "Drill with the parts about people", PEOPLE, _cards, {}, parts=PARTS))
register(SquadGame("asl", "The parts about people", PEOPLE, with_dummies, {}, parts=PARTS))


def people(board: str, phase: str, *units: dict[str, Any], **more: Any) -> Match:
    """A drill with all parts."""
    return drill(board, phase, units, game="asldrill", **more)
