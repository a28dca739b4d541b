"""S? from an off-board pool: where they enter, and how they come on (S4.21, S4.22)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.sasl.compass import OPPOSITE, edge_cells
from sandtable.games.sasl.dice import pick, rolled, say
from sandtable.games.sasl.enemy import facts
from sandtable.games.sasl.model import ADVANCE, ROSTER, SUSPECTS, Suspect
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.suspects import add, has_room
from sandtable.games.squad.ground.setting import Setting, setting_of
from sandtable.games.squad.pieces.model import SquadState


def enter(
    play: Play[SquadState], number: int, edge: str, colour: str, why: str, *, card: str = "", towards: str = ""
) -> None:
    """So many S? wait beside an edge, each at a Letter Chit's hexrow, and move on in the ENEMY MPh (S4.21).

    They go towards the opposite edge if nothing else is said.
    """
    state = play.state
    cells = edge_cells(setting_of(state), edge)
    for _ in range(number):
        cell = pick(play, cells, "Letter Chit")
        add(state, beside=cell, attitude=ADVANCE, edge=towards or OPPOSITE[edge], colour=colour, card=card)
    say(
        play,
        "S4.21" if edge in ("east", "west") else "S4.22",
        f"{number} S?",
        (),
        f"{why}, entering along the {edge} edge",
        "S4.2",
    )


def from_pool(play: Play[SquadState], extra: int, edges: Sequence[str], colours: Sequence[str]) -> None:
    """A DR and more of the pool come on (S4.2; Missions 9 to 13, 18, 19, 21)."""
    state = play.state
    pool = ROSTER.of(state).pool
    if not pool:
        return
    faces = rolled(play, 2, "S? entry")
    number = min(pool, sum(faces) + extra)
    put_roster(state, pool=pool - number)
    say(play, "S? entry", f"DR {extra:+d}", faces, f"{number} of the {pool} S? in the pool enter", "S4.2")
    shares = dict.fromkeys(edges, 0)
    for _ in range(number):
        shares[pick(play, list(edges), "which edge") if len(edges) > 1 else edges[0]] += 1
    for edge, colour in zip(edges, colours, strict=True):
        if shares[edge]:
            enter(play, shares[edge], edge, colour, "from the pool")


def _entry(setting: Setting, one: Suspect) -> str:
    """The edge beside which a S? waits."""
    edges = (OPPOSITE[one.edge], "north", "south")
    return next((edge for edge in edges if one.beside in edge_cells(setting, edge)), edges[0])


def come_on(play: Play[SquadState]) -> list[str]:
    """S? that wait beside the map enter it in the ENEMY MPh; where FRIENDLY units stand they enter beside (S4.21)."""
    state = play.state
    setting = setting_of(state)
    came = []
    for one in [one for one in SUSPECTS.of(state).values() if one.at < 0 <= one.beside]:
        taken = {other.at for other in SUSPECTS.of(state).values()}
        ranges = setting.ground.ranges[one.beside]
        cells = sorted(edge_cells(setting, _entry(setting, one)), key=lambda cell: (ranges[cell], cell))
        free = [c for c in cells if not facts.foes_at(state, c) and setting.ground.kinds[c].mf is not None]
        open_cells = [c for c in free if c not in taken] or [c for c in free if has_room(state, c)]
        if open_cells:
            SUSPECTS.of(state)[one.id] = replace(one, at=open_cells[0], beside=-1)
            came.append(one.id)
    return came
