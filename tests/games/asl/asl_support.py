"""Positions on the parade ground: games that have the parts of the full rules, for tests only."""

from __future__ import annotations

import sys
import tomllib
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.engine import Match, Play
from sandtable.games.asl.concealment.part import PART as CONCEALMENT
from sandtable.games.asl.crest.part import CRESTS
from sandtable.games.asl.crest.switches import CrestRules
from sandtable.games.asl.deploying.part import PART as DEPLOYING
from sandtable.games.asl.fanatics.part import PART as FANATICS
from sandtable.games.asl.heat.part import PART as HEAT
from sandtable.games.asl.leaving.part import PART as LEAVING
from sandtable.games.asl.leaving.switches import LeavingRules
from sandtable.games.asl.nations.traits import PART as NATIONS
from sandtable.games.asl.prisoners.part import PART as PRISONERS
from sandtable.games.asl.rulesets import PEOPLE
from sandtable.games.asl.snipers.model import SNIPERS as SNIPER_FIELD
from sandtable.games.asl.snipers.model import Sniper
from sandtable.games.asl.snipers.part import PART as SNIPERS
from sandtable.games.asl.spraying import PART as SPRAYING
from sandtable.games.asl.terrain.part import TERRAIN
from sandtable.games.asl.terrain.switches import TerrainRules
from sandtable.games.asl.works.part import WORKS
from sandtable.games.asl.works.switches import WorksRules
from sandtable.games.aslsk2 import GAME as STARTER_KIT_GAME
from sandtable.games.squad.cards.scenario import Scenario, UnitLine
from sandtable.games.squad.game import SquadGame
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.part import Part, Ruleset
from sandtable.games.squad.parts import COMMON
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.rulesets import STARTER_KIT

sys.path.append(str(Path(__file__).parents[1] / "squad"))

from squad_support import _cards, drill, rule, unit

__all__ = ["cards", "everything", "field", "game", "heated", "leaving", "people", "rule", "unit"]

CARDS = Path(__file__).parent / "cards"
GAMES: list[SquadGame] = []
"""Games that are registered while these tests run, and for nobody else: their boards are found only here."""


@cache
def cards() -> tuple[Scenario, ...]:
    texts = [tomllib.loads(path.read_text("utf-8")) for path in sorted(CARDS.glob("*.toml"))]
    return tuple(msgspec.convert(text, Scenario) for text in texts)


def game(name: str, *parts: Part, switches: tuple[msgspec.Struct, ...] = ()) -> None:
    """A game of the Starter Kit with more parts, each with its switches."""
    rules = Ruleset("asl", *STARTER_KIT._switches.values(), *switches)
    GAMES.append(SquadGame(name, "Parade ground", rules, cards, {}, parts=(*COMMON, *parts)))


@cache
def with_dummies() -> tuple[Scenario, ...]:
    """The scenarios of the Starter Kit with four "?" for each group."""
    found = []
    for card in STARTER_KIT_GAME._load():
        groups = [replace(group, units=(*group.units, UnitLine(unit="?", count=4))) for group in card.groups]
        found.append(replace(card, groups=tuple(groups)))
    return tuple(found)


def _snipers(play: Play[SquadState]) -> None:
    """Both sides have a Sniper."""
    if play.state.turn == 1:
        for side, san in zip(setting_of(play.state).sides, (3, 5), strict=True):
            SNIPER_FIELD.of(play.state)[side] = Sniper(san)


PEOPLE_PARTS = (*COMMON, NATIONS, FANATICS, CONCEALMENT, DEPLOYING, PRISONERS, HEAT, SNIPERS)
QUIET_PARTS = tuple(part for part in PEOPLE_PARTS if part not in (PRISONERS, HEAT))
GAMES.append(SquadGame("asldrill", "Drill without Heat of Battle", PEOPLE, _cards, {}, parts=QUIET_PARTS))
GAMES.append(SquadGame("aslheat", "Drill with the parts about people", PEOPLE, _cards, {}, parts=PEOPLE_PARTS))
GIVEN = (*PEOPLE_PARTS[:-1], Part(begins={"turn": _snipers}), PEOPLE_PARTS[-1])
GAMES.append(SquadGame("asl", "The parts about people", PEOPLE, with_dummies, {}, parts=GIVEN))


LEAVES = PEOPLE.extended("leaving", LeavingRules())
GAMES.append(SquadGame("aslleaving", "Drill", LEAVES, _cards, {}, parts=(*PEOPLE_PARTS, LEAVING)))


def people(board: str, phase: str, *units: dict[str, Any], **more: Any) -> Match:
    """A drill with the parts about people, Heat of Battle and prisoners aside."""
    return drill(board, phase, units, game="asldrill", **more)


def heated(board: str, phase: str, *units: dict[str, Any], **more: Any) -> Match:
    """A drill with all the parts about people."""
    return drill(board, phase, units, game="aslheat", **more)


def leaving(board: str, phase: str, *units: dict[str, Any], **more: Any) -> Match:
    """A drill with the parts about people from whose close combats units may get away."""
    return drill(board, phase, units, game="aslleaving", **more)


ALL_SWITCHES = (TerrainRules(), CrestRules(), WorksRules(), *PEOPLE.switches)
game("aslall", *TERRAIN, *CRESTS, *WORKS, *PEOPLE_PARTS[len(COMMON) :], SPRAYING, switches=ALL_SWITCHES)


def everything(phase: str, *units: dict[str, Any], **more: Any) -> Match:
    """A match on the parade ground with every part."""
    return field(phase, *units, game="aslall", **more)


game("terrain", *TERRAIN, switches=(TerrainRules(),))
game("plain")
game("spraying", *TERRAIN, SPRAYING, switches=(TerrainRules(),))
game("asked", *TERRAIN, switches=(TerrainRules(wall_claims_asked=True, storeys_absent=False),))


def field(phase: str, *units: dict[str, Any], card: str = "parade", game: str = "terrain", **more: Any) -> Match:
    """A match that starts with these units on the parade ground."""
    make = partial(drill, card, phase, units, game=game)
    return make(**more)
