"""Crest status: put these after the terrain among the parts of a game, and `CrestRules` into its ruleset."""

from __future__ import annotations

from sandtable.engine.view import MarkView
from sandtable.games.asl.crest import cover, fighting, going
from sandtable.games.asl.crest.model import crests, facing, front_of
from sandtable.games.asl.terrain.walls import asl_ground
from sandtable.games.squad.ground.knowledge import known_to
from sandtable.games.squad.ground.stacks import name_of, units_at
from sandtable.games.squad.part import NOTHING, Look, Part, Shown
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.show.marker_faces import tag
from sandtable.games.squad.show.palette import PAPER
from sandtable.games.squad.show.scene import SPINES

FACE = "marker/crest"
BANK = "#8a5a2b"


def _shows(state: SquadState, side: str | None) -> Shown:
    """Which way those at Crest face, as far as the side sees them: the counter lies on what is under a "?" too."""
    marks = []
    for place in asl_ground(state).floors:
        if place in state.stacks:
            here = units_at(state, place)
            seen = [unit for unit in here if side == unit.side or known_to(state, side, unit) != NOTHING]
            for front in sorted({front_of(state, unit) for unit in seen}):
                label = f"Crest, {facing(state, asl_ground(state).floors[place], front)}"
                marks.append(MarkView(name_of(state, place), FACE, label, seen[0].side, len(SPINES) + front))
    return Shown(marks=tuple(marks))


SHOWN = Part(
    locations=crests,
    covers=cover.covers,
    opens=cover.opens,
    reaches=cover.reaches,
    factors=cover.factors,
    bars={"fire": cover.fire_bar, "line": cover.line_bar},
    faces={
        FACE: Look(tag("CREST", PAPER, BANK), "Crest status", "Ground level; +2 over the hexsides it faces", "B20.91")
    },
    shows=_shows,
)
CRESTS: tuple[Part, ...] = (SHOWN, going.PART, fighting.PART)
