"""Molotov cocktails (A22.6)."""

from __future__ import annotations

from typing import Any

from asl_support import field, game
from squad_support import cell, do, offered, rule, unit

from sandtable.engine import Match
from sandtable.games.asl.molotovs.model import ThrowMolotov
from sandtable.games.asl.molotovs.part import PART as MOLOTOVS
from sandtable.games.asl.molotovs.switches import MolotovRules
from sandtable.games.asl.terrain.part import TERRAIN
from sandtable.games.asl.terrain.switches import TerrainRules
from sandtable.games.squad.fire.model import AimAt, ResolveFire, StartFire

game("molotovs", *TERRAIN, MOLOTOVS, switches=(TerrainRules(), MolotovRules()))


def thrown(phase: str, *units: dict[str, Any], **more: Any) -> Match:
    return field(phase, *units, game="molotovs", **more)


PARTISAN = unit("p", "partisan 3-3-7", "D4", side="russian")
GERMAN = unit("g", "german 4-6-7", "D5")


@rule("A22.61")
def test_x() -> None:
    match = thrown("PFPh", PARTISAN, GERMAN, dice=[2, 3, 4, 5, 5, 5, 5])
    do(match, StartFire("p"), AimAt(cell(match, "D5")))
    assert offered(match, ThrowMolotov) == [ThrowMolotov("p")]
    print(match.describe("russian", ThrowMolotov("p")))
    do(match, ThrowMolotov("p"))
    p = match.preview("russian", ResolveFire())
    print(p)
    for e in do(match, ResolveFire()):
        print(match.game.words(e, match.state) if hasattr(match.game, "words") else e)
