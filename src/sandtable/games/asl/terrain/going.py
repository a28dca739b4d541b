"""Moving over ground that the Starter Kit does not have: cover of shellholes, deep streams, grain in spring, cliffs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.engine import Action, Event, Play, Tally
from sandtable.engine.part import Bar
from sandtable.engine.view import Description
from sandtable.games.asl.heat.model import BERSERK
from sandtable.games.asl.terrain.switches import TerrainRules
from sandtable.games.asl.terrain.walls import SHELLHOLES, asl_ground
from sandtable.games.squad.ground.doors import part_bar
from sandtable.games.squad.ground.map import Way
from sandtable.games.squad.ground.names import names, short
from sandtable.games.squad.ground.setting import setting_of, weapon_kind
from sandtable.games.squad.ground.stacks import eliminate, fits, has_enemy, name_of, update
from sandtable.games.squad.movement.going import stuck
from sandtable.games.squad.movement.model import Move
from sandtable.games.squad.movement.portage import allotments
from sandtable.games.squad.movement.steps import (
    able_movers,
    affordable,
    end_movers,
    enter,
    leaving,
    runs_into,
    settle,
    step_cost,
)
from sandtable.games.squad.part import Item, Part
from sandtable.games.squad.pieces.model import Mover, SquadState, Unit

COVER = 2
"""Half MF that the cover of shellholes costs (B2.4)."""
CLIMBS, FALLS = 9, 12
"""A Falling DR up to the first goes well, from the second on the climber falls (B11.41)."""


class EnterShellholes(Action, frozen=True):
    """Enter a hex of shellholes for one MF more and take their cover."""

    to: int


class Climb(Action, frozen=True):
    """Climb up or down a cliff with all MF."""

    to: int


class Climbed(Event, frozen=True):
    """A unit tried to climb a cliff: `arrived`, `stays` or `fell`."""

    unit: str
    at: str
    result: str


def _ready(state: SquadState) -> list[Mover]:
    """The movers that can go on; nobody if they cannot step."""
    movers = able_movers(state)
    if not movers or state.units[movers[0].id].at < 0 or stuck(state, movers):
        return []
    return [] if any([mover.assault and mover.hexes for mover in movers]) else movers


def _offers(state: SquadState, frame: Move, side: str) -> Sequence[Action]:
    movers = _ready(state)
    if not movers:
        return ()
    cell = state.units[movers[0].id].at
    ground = asl_ground(state)
    units = [state.units[mover.id] for mover in movers]
    found: list[Action] = []
    for way in ground.ways[cell]:
        if ground.kinds[way.to].name == SHELLHOLES and not has_enemy(state, way.to, side):
            if part_bar(state, "enter", units, cell, way.to) is not None:
                continue
            cost = step_cost(state, way, road=False) + COVER
            if fits(state, way.to, side, units) and affordable(
                state, movers, allotments(state, movers), cost, road=False
            ):
                found.append(EnterShellholes(way.to))
    return found + [Climb(to) for to in climbs(state, side, movers, cell)]


def climbs(state: SquadState, side: str, movers: Sequence[Mover], cell: int) -> list[int]:
    """Hexes across a cliff that movers who have spent nothing may climb to (B11.4, ruling T-5)."""
    ground = asl_ground(state)
    if not setting_of(state).rules.of(TerrainRules).climbing or cell >= ground.size:
        return []
    if "cliff" not in ground.hexsides[cell] or any([m.spent or m.assault or m.double for m in movers]):
        return []
    units = [state.units[mover.id] for mover in movers]
    return [
        to
        for side_, to in enumerate(ground.sides[cell])
        if to >= 0
        and ground.hexsides[cell][side_] == "cliff"
        and not ground.barred[to]
        and not has_enemy(state, to, side)
        and fits(state, to, side, units)
        and not any([unit.cx for unit in units])
        and part_bar(state, "enter", units, cell, to) is None
    ]


def _enter_shellholes(play: Play[SquadState], frame: Move, side: str, action: EnterShellholes) -> None:
    """Enter and take cover; the cover holds against the fire that follows (B2.3)."""
    state = play.state
    who = tuple([mover.id for mover in able_movers(state)])
    frm = state.units[who[0]].at
    way = asl_ground(state).way(frm, action.to)
    assert way is not None
    who = leaving(play, who, frm, action.to, "moves")
    settle(play)
    cost = step_cost(state, way, road=False) + COVER
    if not who or state.outcome is not None or runs_into(play, who, action.to, cost):
        return
    enter(play, who, action.to, cost)
    for name in who:
        if name in state.units:
            update(play, state.units[name], within=SHELLHOLES)


def falling_tally(levels: int) -> Tally:
    """DRM of a Falling DR; no leader helps (B11.41)."""
    return Tally.of(f"Falling, {levels} level{'s' if levels > 1 else ''}", [])


def _climb(play: Play[SquadState], frame: Move, side: str, action: Climb) -> None:
    """Each unit takes a Falling DR for every level; whoever passes arrives, CX, and may be fired at (B11.4)."""
    state = play.state
    ground = asl_ground(state)
    cell = state.units[able_movers(state)[0].id].at
    leaving(play, [mover.id for mover in able_movers(state)], cell, action.to, "moves")
    settle(play)
    movers = able_movers(state)
    if not movers or state.outcome is not None:
        return
    levels = max(abs(ground.level[action.to] - ground.level[cell]), 1)
    cost = max(allotments(state, movers).values())
    arrived: list[str] = []
    stays: list[str] = []
    for mover in movers:
        result = _falling(play, mover.id, levels)
        play.emit(Climbed(unit=mover.id, at=name_of(state, action.to), result=result))
        if result == "fell":
            eliminate(play, state.units[mover.id], "falls from the cliff")
        else:
            (arrived if result == "arrived" else stays).append(mover.id)
    if stays:
        end_movers(play, stays)
    if arrived:
        for name in arrived:
            update(play, state.units[name], cx=True, hazardous=True)
        if not runs_into(play, tuple(arrived), action.to, cost):
            enter(play, arrived, action.to, cost)


def _falling(play: Play[SquadState], unit: str, levels: int) -> str:
    for _ in range(levels):
        dice = play.roll(
            6, 2, f"Falling DR: {short(play.state, unit)}", by=play.state.units[unit].side, tally=falling_tally(levels)
        )
        if sum(dice) >= FALLS:
            return "fell"
        if sum(dice) > CLIMBS:
            return "stays"
    return "arrived"


def _deep_stream(play: Play[SquadState], who: Sequence[str], frm: int, to: int, how: str) -> None:
    """Infantry that enters a deep stream is CX, unless it is broken or berserk (B20.43)."""
    state = play.state
    if not _is_deep(state, to):
        return
    for name in who:
        unit = state.units.get(name)
        if unit is not None and not unit.broken and not unit.cx and BERSERK not in unit.marks:
            update(play, unit, cx=True)


def _is_deep(state: SquadState, place: int) -> bool:
    """Whether whoever enters a Location goes into a deep stream, whatever grows there; not on a bridge (B20.43)."""
    ground = asl_ground(state)
    fact = ground.facts[place]
    names = {ground.kinds[place].name, *[name for _, name in fact.bed]}
    return "deep_stream" in names and not fact.is_bridge


def enter_bar(state: SquadState, units: Sequence[Unit], frm: int, to: int) -> Bar | None:
    """A deep stream is difficult terrain for an advance, and no Gun is pushed into it (B20.43, C10.3)."""
    if to < 0 or not _is_deep(state, to):
        return None
    if state.phase in ("APh", "CCPh") and any([unit.cx for unit in units]):
        return "No CX unit may advance or withdraw into a deep stream", "B20.43"
    if any([weapon_kind(state.weapons[name]).gun for unit in units for name in unit.weapons]):
        return "No Gun may be pushed into a deep stream", "C10.3"
    return None


def _spring_grain(state: SquadState, way: Way, road: bool) -> list[Item]:
    """In April and May grain costs what it costs in summer, although it hides nobody yet (B15.6)."""
    month = setting_of(state).scenario.date.month
    sown = month in (4, 5) and not road and asl_ground(state).facts[way.to].terrain == "grain"
    return [("grain", 1 + int(way.change > 0), "B15.6")] if sown else []


def _describe_shellholes(state: SquadState, side: str, action: EnterShellholes) -> Description:
    movers = able_movers(state)
    where = name_of(state, action.to)
    way = asl_ground(state).way(state.units[movers[0].id].at, action.to)
    cost = step_cost(state, way, road=False) + COVER if way is not None else COVER
    who = tuple(mover.id for mover in movers)
    return Description(
        f"Enter {where} and take cover in the shellholes", "move", who, (where,), rule="B2.4", cost=f"{cost / 2:g} MF"
    )


def _describe_climb(state: SquadState, side: str, action: Climb) -> Description:
    where = name_of(state, action.to)
    who = tuple(mover.id for mover in able_movers(state))
    note = f"Falling DR: on {CLIMBS} or less it arrives, on {FALLS} it falls and is lost"
    return Description(f"Climb the cliff to {where}", "move", who, (where,), rule="B11.4", cost="all MF", notes=(note,))


def _legal(state: SquadState, side: str, action: Action) -> bool:
    frame = state.stack[-1]
    return not isinstance(frame, Move) or action in _offers(state, frame, side)


def _why_not_climb(state: SquadState, side: str, action: Any) -> tuple[str, str] | None:
    if _legal(state, side, action):
        return None
    return "Only units that have spent no MF and are not CX climb a cliff beside them, without Double Time", "B11.4"


def _why_not_cover(state: SquadState, side: str, action: Any) -> tuple[str, str] | None:
    if _legal(state, side, action):
        return None
    return "There are no shellholes within the MF left, or the hex is full or held by the enemy", "B2.4"


RESULTS = {"arrived": "climbs the cliff to", "stays": "fails to climb the cliff to", "fell": "falls from the cliff at"}


PART = Part(
    offers={Move: _offers},
    does={EnterShellholes: _enter_shellholes, Climb: _climb},
    lines={"cost": _spring_grain},
    bars={"enter": enter_bar},
    enters=_deep_stream,
    describe={EnterShellholes: _describe_shellholes, Climb: _describe_climb},
    why_not={EnterShellholes: _why_not_cover, Climb: _why_not_climb},
    words={Climbed: lambda state, event: f"{names(state, (event.unit,))} {RESULTS[event.result]} {event.at}"},
)
