"""Ways for a broken unit: every hex that it may rout to, step by step, as far as its owner can know (3.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine import Action
from sandtable.engine.tools import Path, PathStep
from sandtable.games.squad.ground.names import mf_words, short
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import name_of, put
from sandtable.games.squad.pieces.model import Mover, SquadState
from sandtable.games.squad.rout.model import Rout, RoutPhase, RoutStep, StartRout, TakeLeader
from sandtable.games.squad.rout.paths import options
from sandtable.games.squad.rout.routing import companions, excess, interdictor_of
from sandtable.games.squad.show.danger import known_state


class Way(NamedTuple):
    """A rout imagined up to a hex: the position then, and the steps that led there."""

    state: SquadState
    rout: Rout
    steps: tuple[RoutStep, ...]


def path(state: SquadState, side: str, pieces: Sequence[str], to: str) -> Path | None:
    """The way of a routing unit to a hex, or of one that could begin to rout, with the leaders who go along."""
    begun = _begin(state, side, pieces)
    if begun is None:
        return None
    rout, prelude = begun
    goal = setting_of(state).ground.index(to)
    way = _ways(state, side, rout).get(goal)
    if way is None:
        return None
    start = state.units[rout.unit].at
    made = [PathStep(name_of(state, start), action=action) for action in prelude]
    cells, total, here = [name_of(state, start)], 0, rout
    then = known_state(state, side)
    for step in way.steps:
        cost = next(one.cost for one in here.steps if (one.to, one.road) == (step.to, step.road))
        total += cost
        came = then.units[rout.unit].at
        enemy = interdictor_of(then, step.to, side, Mover(rout.unit, rout.start, came=came, road_rate=step.road))
        note = f"Interdiction by {short(state, enemy)} in {name_of(state, enemy.at)}" if enemy is not None else ""
        where = name_of(state, step.to)
        made.append(PathStep(where, mf_words(cost / 2), mf_words(total / 2), step, note))
        cells.append(where)
        here = _go(then, here, step.to, cost)
    return Path(tuple(cells), mf_words(total / 2), tuple(made))


def reach(state: SquadState, side: str, pieces: Sequence[str]) -> dict[str, str]:
    """Every hex that the unit may enter on a legal rout, with the MF that it takes."""
    begun = _begin(state, side, pieces)
    if begun is None:
        return {}
    spent = begun[0].spent
    found = _ways(state, side, begun[0])
    return {name_of(state, cell): mf_words((way.rout.spent - spent) / 2) for cell, way in found.items()}


def _begin(state: SquadState, side: str, pieces: Sequence[str]) -> tuple[Rout, list[Action]] | None:
    """The rout that is going on, or the one that the pieces would begin, and the actions that begin it."""
    frame = state.stack[-1]
    if isinstance(frame, Rout):
        unit = state.units.get(frame.unit)
        return (frame, []) if unit is not None and unit.side == side and not _overloaded(state, frame) else None
    if not isinstance(frame, RoutPhase) or frame.side != side:
        return None
    routers = [name for name in pieces if name in frame.waiting]
    if len(routers) != 1:
        return None
    unit = state.units[routers[0]]
    rout = options(state, Rout(unit.id, unit.at))
    prelude: list[Action] = [StartRout(unit.id)]
    for name in pieces:
        if name in companions(state, rout, frame.done):
            rout = options(state, replace(rout, leaders=(*rout.leaders, name)))
            prelude.append(TakeLeader(name))
    return (rout, prelude) if not _overloaded(state, rout) else None


def _overloaded(state: SquadState, rout: Rout) -> bool:
    return not rout.hexes and bool(excess(state, rout))


def _ways(state: SquadState, side: str, rout: Rout) -> dict[int, Way]:
    """The cheapest legal rout to each hex; what may be entered next depends on the way taken."""
    queue = [Way(known_state(state, side), rout, ())]
    found: dict[int, Way] = {}
    tried: set[tuple[int, tuple[int, ...]]] = set()
    while queue:
        queue.sort(key=lambda way: way.rout.spent)
        way = queue.pop(0)
        for step in way.rout.steps:
            then = way.state.clone()
            after = _go(then, way.rout, step.to, step.cost)
            new = Way(then, after, (*way.steps, RoutStep(step.to, step.road)))
            key = (step.to, after.seen)
            if key in tried:
                continue
            tried.add(key)
            if step.to not in found or after.spent < found[step.to].rout.spent:
                found[step.to] = new
            queue.append(new)
    found.pop(state.units[rout.unit].at, None)
    return found


def _go(state: SquadState, rout: Rout, to: int, cost: int) -> Rout:
    """The routing units have entered a hex of an imagined position: what they may do next."""
    came = state.units[rout.unit].at
    for name in (rout.unit, *rout.leaders):
        put(state, state.units[name], to)
    return options(state, replace(rout, spent=rout.spent + cost, hexes=rout.hexes + 1, came=came, steps=(), crawls=()))
