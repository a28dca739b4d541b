"""What the draft of an attack tells about a Molotov cocktail: the Residual FP with and without it, and why not."""

from __future__ import annotations

from typing import Any

from asl_support import field, game
from squad_support import do, go, rule, unit

from sandtable.engine import Match
from sandtable.games.asl.molotovs import who
from sandtable.games.asl.molotovs.model import ThrowMolotov
from sandtable.games.asl.molotovs.part import PART as MOLOTOVS
from sandtable.games.asl.molotovs.switches import MolotovRules
from sandtable.games.asl.terrain.part import TERRAIN
from sandtable.games.asl.terrain.switches import TerrainRules
from sandtable.games.squad.fire.model import ResolveFire, StartFire
from sandtable.games.squad.movement.model import BeginMove, StartMove

game("mol_words", *TERRAIN, MOLOTOVS, switches=(TerrainRules(), MolotovRules()))


def notes(match: Match, action: Any) -> tuple[str, ...]:
    preview = match.preview("german", action)
    assert preview is not None
    return preview.notes


@rule("A22.61")
@rule("A8.2")
def test_the_residual_fp_of_a_mol_hangs_on_its_check() -> None:
    """Half of the 8 column with it, of the 6 column without."""
    mine = unit("p", "partisan 3-3-7", "D4", side="german")
    match = field("MPh", unit("r", "russian 4-4-7", "D6"), mine, game="mol_words")
    do(match, StartMove("r"), BeginMove())
    go(match, "D5")
    do(match, StartFire("p"))
    rest = ", unless it cowers, breaks down or keeps Rate of Fire"
    assert f"leaves 3 Residual FP{rest}" in notes(match, ResolveFire())
    assert f"leaves 4 Residual FP, or 3 if the MOL check fails{rest}" in notes(match, ThrowMolotov("p"))


@rule("A22.61")
def test_why_not_begins_with_a_word_that_may_stand_behind_a_name() -> None:
    bars = (who.NONE_TO_HAND, who.NOT_IN_GROUP, who.ONE_EACH, who.ALONE, who.UNFIT, who.TOO_FAR, who.AGAIN)
    bars += (who.FIRED_BEFORE, who.BEHIND_TREES, who.CHECKED, who.SPRAYING, who.HOPELESS)
    assert not [bar for bar in bars if bar[0].startswith("MOL")]
