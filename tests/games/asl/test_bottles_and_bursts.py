"""What a Molotov cocktail and Spraying Fire have to do with each other: an attack has one of them (A22.61)."""

from __future__ import annotations

import pytest
from asl_support import field, game
from squad_support import cell, do, rule, unit, weapon

from sandtable.engine.errors import IllegalAction
from sandtable.games.asl.molotovs.model import ThrowMolotov
from sandtable.games.asl.molotovs.part import PART as MOLOTOVS
from sandtable.games.asl.molotovs.switches import MolotovRules
from sandtable.games.asl.spraying import PART as SPRAYING
from sandtable.games.asl.spraying import SprayAt, SprayNoMore
from sandtable.games.asl.terrain.part import TERRAIN
from sandtable.games.asl.terrain.switches import TerrainRules
from sandtable.games.squad.fire.model import AimAt, StartFire

game("bottles_and_bursts", *TERRAIN, MOLOTOVS, SPRAYING, switches=(TerrainRules(), MolotovRules()))


@rule("A22.61")
def test_a_mol_is_thrown_at_one_location_and_not_along_with_spraying_fire() -> None:
    gunner = unit("p", "partisan 3-3-7", "D4", side="russian", weapons=("m",))
    near = [unit("g", "german 4-6-7", "D5"), unit("h", "german 4-6-7", "E5")]
    match = field("PFPh", gunner, *near, weapons=[weapon("m", "russian LMG", "p")], game="bottles_and_bursts")
    do(match, StartFire("m"), AimAt(cell(match, "D5")))
    throw, spray = ThrowMolotov("p"), SprayAt(cell(match, "E5"))
    assert {throw, spray} <= set(match.actions("russian").all)
    do(match, spray)
    with pytest.raises(IllegalAction, match="give up the Spraying Fire first"):
        do(match, throw)
    do(match, SprayNoMore(), throw)
    with pytest.raises(IllegalAction, match="reaches one Location only"):
        do(match, spray)
