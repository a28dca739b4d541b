"""S? in Crest status: which way they face, where they see from, and who is at the Crest afterwards (S4.14)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import dist

from sandtable.engine import Play
from sandtable.games.asl.crest.going import CrestTaken
from sandtable.games.asl.crest.model import CREST, crest_of, facing, fronts, may_take
from sandtable.games.asl.terrain.walls import asl_ground
from sandtable.games.sasl.compass import east_of
from sandtable.games.sasl.model import FRIENDLY, SUSPECTS, Suspect
from sandtable.games.sasl.readings import reading
from sandtable.games.squad.ground.knowledge import hidden
from sandtable.games.squad.ground.map import Way
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import mark_dm_near, name_of, put, update
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.space.grid import NO_CELL

IN = -1
"""In place of a front: IN the hex, not at its Crest."""


# -- which way to face ------------------------------------------------------------------


def shielded(free: Sequence[int], front: int) -> list[int]:
    """The hexsides that a front protects: its three, without those that the depression crosses (B20.91)."""
    return [side for side in ((front - 1) % 6, front, (front + 1) % 6) if side in free]


def front_towards(state: SquadState, cell: int, away: Callable[[int], float]) -> int:
    """The front of a hex that points towards something, IN: each of them turns its back on it.

    `away` says how far the centre of a hex is from it.
    """
    ground = asl_ground(state)
    free, beside, here = fronts(ground, cell), ground.sides[cell], away(cell)
    steps = [here if other == NO_CELL else away(other) for other in beside]
    able = [front for front in free if any([steps[side] < here for side in shielded(free, front)])]

    def worth(front: int) -> tuple[float, int, int]:
        return steps[front], -sum([steps[side] < here for side in shielded(free, front)]), front

    return min(able, key=worth, default=IN)


def front_of_suspect(state: SquadState, cell: int) -> int:
    """The front of a S? set up in a hex: towards the FBE, in play towards the nearest FRIENDLY unit (SA-125)."""
    if crest_of(state, cell) < 0 or reading(state, "suspect_crest") == "IN":
        return IN
    setting = setting_of(state)
    ranges, grid = setting.ground.ranges, setting.ground.grid
    ours = [unit for unit in state.units.values() if unit.side == FRIENDLY and unit.at >= 0 and not hidden(unit)]
    if state.phase == "set-up" or not ours:
        return front_towards(state, cell, lambda other: east_of(setting, other))
    nearest = min(ours, key=lambda unit: (ranges[cell][unit.at], unit.id)).at
    there = grid.centre(setting.ground.hex_of(nearest))
    return front_towards(state, cell, lambda other: dist(there, grid.centre(other)))


# -- where a S? is ----------------------------------------------------------------------


def stands(state: SquadState, one: Suspect) -> int:
    """The Location that a S? sees from and is seen in: the Crest of its hex, if it has that status (S4.14)."""
    return crest_of(state, one.at) if one.front >= 0 else one.at


def way_out(state: SquadState, one: Suspect, to: int) -> Way | None:
    """How a S? leaves its hex: from the Crest over its front, else from IN the hex (B20.93)."""
    ground = asl_ground(state)
    way = ground.way(one.at, to)
    if one.front < 0 or way is None or way.side not in shielded(fronts(ground, one.at), one.front):
        return way
    return ground.way(stands(state, one), to)


def facing_words(state: SquadState, one: Suspect) -> str:
    """Which way a S? in Crest status faces, in words."""
    return facing(state, one.at, one.front)


def crested(state: SquadState) -> list[Suspect]:
    """The S? on the map that are in Crest status."""
    return [one for one in SUSPECTS.of(state).values() if one.at >= 0 and one.front >= 0]


# -- what it turns into -----------------------------------------------------------------


def line_up(play: Play[SquadState], one: Suspect, made: Sequence[Unit]) -> list[str]:
    """Who was Activated from a S? in Crest status is at the Crest, save Guns and who is in a work (SA-126)."""
    state = play.state
    if one.front < 0:
        return []
    units = [state.units[unit.id] for unit in made]
    able = [unit for unit in units if unit.at == one.at and not unit.within and may_take(state, [unit])]
    place = stands(state, one)
    for unit in able:
        update(play, put(state, unit, place), within=f"{CREST} {one.front}")
    if able:
        mark_dm_near(play, place, able[0].side)
    return [unit.id for unit in able]


def may_have_works(state: SquadState, one: Suspect) -> bool:
    """Whether a fortification may come with a S?: that of one at a Crest lies IN its hex (B20.98, SA-126)."""
    return one.front < 0 or reading(state, "crest_works") == "laid"


def tell(play: Play[SquadState], one: Suspect, names: Sequence[str]) -> None:
    """Say who is at the Crest; under a "?" it is not told who."""
    if names:
        state = play.state
        play.emit(CrestTaken(units=tuple(names), at=name_of(state, one.at), facing=facing_words(state, one)))
