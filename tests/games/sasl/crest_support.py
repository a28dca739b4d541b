"""Gullies for the stories of the ENEMY at their lips."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from sasl_support import OPTIONS, playing, stand

import sandtable
from sandtable.engine import Action, Decided, Frame, Match, Play
from sandtable.engine.registry import register
from sandtable.games.asl.crest.model import fronts
from sandtable.games.asl.terrain.walls import asl_ground
from sandtable.games.sasl import GAME, crests, suspects
from sandtable.games.sasl.model import (
    ENEMY,
    MARCH,
    SUSPECTS,
    March,
    Suspect,
)
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import update
from sandtable.games.squad.pieces.model import Mover, Moving, SquadState, Unit

register(GAME)
RIFLES, RUSSIANS = "german 4-6-7", "russian 4-4-7"


@cache
def _match(**options: str) -> Match:
    made = (sandtable.new("sasl/1", seed=seed, options={**OPTIONS, **options}) for seed in range(1, 40))
    return next(match for match in made if len(setting_of(match.state).ground.floors) > 4)


def bare(**options: str) -> SquadState:
    """Mission 1 on a map with gullies, without S? and with nobody on the map."""
    found: SquadState = _match(**options).state.clone()
    SUSPECTS.of(found).clear()
    for name in list(found.units):
        if found.units[name].at >= 0:
            found.stacks.pop(found.units[name].at, None)
            del found.units[name]
    return found


def match_in(state: SquadState) -> Match:
    """A match that goes on from there."""
    found = _match().clone()
    found.adopt(state)
    return found


class Lip(NamedTuple):
    """A Crest with its hex and a front; hexes before and behind it that see the Crest but not INTO the hex."""

    place: int
    cell: int
    front: int
    before: int
    behind: int


def lip(state: SquadState, most: int = 4) -> Lip:
    ground = asl_ground(state)
    for place, cell in ground.floors.items():
        for front in fronts(ground, cell):
            sides = crests.shielded(fronts(ground, cell), front)
            row = ground.ranges[place]
            near = [at for at in range(ground.size) if 1 < row[at] <= most and ground.open[at]]
            near = [at for at in near if sees(state, place, at) and not sees(state, cell, at)]
            over = [at for at in near if set(ground.entered_through(at, place)) <= set(sides)]
            rear = [at for at in near if not set(ground.entered_through(at, place)) & set(sides)]
            if over and rear:
                return Lip(place, cell, front, over[0], rear[0])
    raise AssertionError("no such lip on this map")


def suspect(state: SquadState, here: Lip, **more: object) -> Suspect:
    return suspects.add(state, at=here.cell, front=here.front, **more)


def garrison(state: SquadState, here: Lip, name: str = "e1") -> Unit:
    """A Russian squad at the Crest."""
    return update(playing(state), stand(state, name, RUSSIANS, here.place), within=f"crest {here.front}")


def legal(state: SquadState, frame: Frame) -> Sequence[Action]:
    state.stack = [*state.stack[:1], frame]
    found: Sequence[Action] = GAME.procedures[type(frame)].actions(state, frame, ENEMY)
    return found


def told(play: Play[SquadState], table: str) -> list[str]:
    return [event.why for event in play.events if isinstance(event, Decided) and event.table == table]


class Approach(NamedTuple):
    """A way over the bank of a gully, with somebody to fire at from its Crest."""

    frm: int
    here: Lip


def approach(state: SquadState) -> Approach:
    """The hex behind a gully, and a front on its far side that one may take on entering (T-11)."""
    ground = asl_ground(state)
    for place, cell in ground.floors.items():
        free = fronts(ground, cell)
        for front in free:
            sides = crests.shielded(free, front)
            row = ground.ranges[place]
            over = [
                at
                for at in range(ground.size)
                if 2 < row[at] <= 6
                and sees(state, place, at)
                and not sees(state, cell, at)
                and set(ground.entered_through(at, place)) <= set(sides)
            ]
            for side in sides:
                frm = ground.sides[cell][side]
                way = ground.way(frm, cell) if frm >= 0 and frm not in ground.twins else None
                if over and way is not None and frm not in over:
                    return Approach(frm, Lip(place, cell, front, over[0], -1))
    raise AssertionError("no such way on this map")


def marching_to(state: SquadState, found: Approach, **march: object) -> Unit:
    """A Russian squad that is ordered into the gully."""
    unit = stand(state, "e1", RUSSIANS, found.frm)
    state.attacker, state.phase = ENEMY, "MPh"
    path = march.pop("path", (found.here.cell,))
    MARCH.put(state, March((unit.id,), "full", path, command="A4b 6", **march))  # type: ignore[arg-type]
    state.moving = Moving((Mover(unit.id, found.frm),), (unit.id,))
    return unit
