"""The rulings on Crest status read the other way: each by its switch (T-12, T-14, T-15)."""

from __future__ import annotations

from typing import Any

from asl_support import field, game, rule, unit
from squad_support import at, cell, do, get, happened, weapon

from sandtable.engine import Match
from sandtable.games.asl.crest.cover import line_bar
from sandtable.games.asl.crest.fighting import WentDown
from sandtable.games.asl.crest.part import CRESTS
from sandtable.games.asl.crest.switches import CrestRules
from sandtable.games.asl.terrain.part import TERRAIN
from sandtable.games.asl.terrain.switches import TerrainRules
from sandtable.games.squad.movement.model import BeginMove, DropWeapon, StartMove, Stop
from sandtable.games.squad.phases.model import EndPhase

RUSSIAN, GERMAN = "russian 4-4-7", "german 4-6-7"
CREST = "G3 crest"
OFF = CrestRules(crest_latw_over_front=False, crest_broken_go_down=False, crest_weapons_fall=False)
game("crest otherwise", *TERRAIN, *CRESTS, switches=(TerrainRules(), OFF))


def otherwise(phase: str, *units: dict[str, Any], **more: Any) -> Match:
    return field(phase, *units, game="crest otherwise", **more)


@rule("B20.94")
def test_a_latw_may_be_fired_to_all_sides() -> None:
    crest = unit("g", GERMAN, CREST, within="crest 1")
    match = otherwise("PFPh", crest, unit("r", RUSSIAN, "J4"), weapons=[weapon("w", "german PSK", "g")])
    assert line_bar(match.state, get(match, "g"), match.state.weapons["w"], cell(match, "C5"), "prep") is None


@rule("B20.97")
def test_a_broken_unit_may_stay_at_the_crest_when_the_rout_phase_begins() -> None:
    broken = unit("g", GERMAN, CREST, within="crest 1", broken=True, dm=True)
    match = otherwise("AFPh", unit("r", RUSSIAN, "J4"), broken)
    assert happened(do(match, EndPhase()), WentDown) == []
    assert (match.state.phase, at(match, "g")) == ("RtPh", CREST)


@rule("B20.98")
def test_a_weapon_may_stay_at_the_crest() -> None:
    mover = unit("r", RUSSIAN, CREST, within="crest 1")
    match = otherwise("MPh", mover, unit("g", GERMAN, "A5"), weapons=[weapon("w", "russian LMG", "r")])
    do(match, StartMove("r"), BeginMove(), DropWeapon("w"), Stop(), EndPhase())
    assert match.state.weapons["w"].at == cell(match, CREST)
