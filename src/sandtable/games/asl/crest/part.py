"""Crest status: put these after the terrain among the parts of a game, and `CrestRules` into its ruleset."""

from __future__ import annotations

from sandtable.engine.view import MarkView
from sandtable.games.asl.crest import cover, fighting, going
from sandtable.games.asl.crest.model import crests, front_of
from sandtable.games.asl.terrain.walls import asl_ground
from sandtable.games.squad.ground.knowledge import known_to
from sandtable.games.squad.ground.stacks import name_of, units_at
from sandtable.games.squad.part import ALL, Look, Part, Shown
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.show.palette import INK

FACE = "marker/crest-{}"
TURNED = (0, 60, 120, 180, 240, 300)
"""Degrees by which the drawing is turned for each hexside, the first being at the top."""


def _shows(state: SquadState, side: str | None) -> Shown:
    """Which way those at Crest face, as far as the side sees them."""
    marks = []
    for place in asl_ground(state).floors:
        if place in state.stacks:
            seen = [unit for unit in units_at(state, place) if side == unit.side or known_to(state, side, unit) == ALL]
            for front in sorted({front_of(state, unit) for unit in seen}):
                marks.append(MarkView(name_of(state, place), FACE.format(front), "Crest", seen[0].side))
    return Shown(marks=tuple(marks))


def _bank(side: int) -> str:
    """A lip of earth over three hexsides, drawn about the middle of the counter."""
    return (
        f'<g transform="rotate({TURNED[side]} 50 50)">'
        f'<path d="M4 62 Q6 22 50 12 Q94 22 96 62 L82 62 Q78 34 50 27 Q22 34 18 62 Z" fill="#a4783f" stroke="{INK}"'
        ' stroke-width="3"/>'
        f'<path d="M30 24 L24 8 M50 18 L50 0 M70 24 L76 8" stroke="{INK}" stroke-width="4" fill="none"/></g>'
    )


def looks() -> dict[str, Look]:
    """A lip of earth for each way to face."""
    text = "+2 over the hexsides it faces; at ground level for lines of sight"
    return {FACE.format(side): Look(_bank(side), "Crest status", text, "B20.91") for side in range(6)}


SHOWN = Part(
    locations=crests,
    covers=cover.covers,
    opens=cover.opens,
    reaches=cover.reaches,
    factors=cover.factors,
    bars={"fire": cover.fire_bar, "line": cover.line_bar},
    faces=looks(),
    shows=_shows,
)
CRESTS: tuple[Part, ...] = (SHOWN, going.PART, fighting.PART)
