"""Aids for players: lines of sight, what a hex sees, ways over the map with their dangers."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

from sandtable.engine import Action
from sandtable.engine.errors import IllegalAction
from sandtable.engine.tools import Danger, Los, LosCause, Path, PathStep, Visible
from sandtable.games.squad.ground import BLOCKED
from sandtable.games.squad.model import FINAL_FIRE, SquadState, Unit
from sandtable.games.squad.move_model import AddMover, BeginMove, Move, MovementPhase, Mover, StartMove, Step
from sandtable.games.squad.movement import may_move
from sandtable.games.squad.portage import allotments
from sandtable.games.squad.setting import setting, unit_kind
from sandtable.games.squad.sight import los, smoke_hindrance
from sandtable.games.squad.stacks import fits, has_enemy
from sandtable.games.squad.steps import able_movers, affordable, step_cost
from sandtable.games.squad.wording import full, mf_words


def _free(state: SquadState) -> None:
    if not setting(state).rules.free_los:
        raise IllegalAction("Lines of sight are checked only after an attack is declared in this match", "3.2.1")


def line_of_sight(state: SquadState, a: str, b: str) -> Los:
    """A line between two hexes as the rules judge it, Smoke included (3.2.1)."""
    _free(state)
    ground = setting(state).ground
    one, other = ground.index(a), ground.index(b)
    found = ground.los.explain(one, other)
    causes = [LosCause(h.hex, "hinders", h.terrain, h.value, "3.2.1") for h in found.hindrances]
    smoke = smoke_hindrance(state, one, other) if state.smoke and one != other else 0
    if smoke:
        causes.append(LosCause(b, "hinders", "Smoke", smoke, "1.2.5"))
    value = los(state, one, other) if one != other else 0
    if found.blocked:
        causes.append(LosCause(found.blocking_hex or "", "blocks", found.blocking_terrain or "", 0, "3.2.1"))
    text = "Blocked" if value == BLOCKED else f"Clear, +{value} Hindrance" if value else "Clear"
    return Los(
        a=a,
        b=b,
        clear=value != BLOCKED,
        text=text,
        rule="3.2.1",
        range=ground.ranges[one][other],
        hindrance=0 if value == BLOCKED else value,
        blocked_at=found.blocking_hex or "",
        line=(ground.grid.centre(one), ground.grid.centre(other)),
        causes=tuple(causes),
    )


def visible_from(state: SquadState, a: str) -> Visible:
    """All hexes that a hex sees, with their Hindrance (3.2.1)."""
    _free(state)
    ground = setting(state).ground
    cell = ground.index(a)
    seen, blocked = {}, []
    for other in range(ground.size):
        value = los(state, cell, other) if other != cell else 0
        if value == BLOCKED:
            blocked.append(ground.names[other])
        else:
            seen[ground.names[other]] = float(value)
    return Visible(a, seen, tuple(blocked))


# -- ways -------------------------------------------------------------------------------


def path(state: SquadState, side: str, pieces: Sequence[str], to: str, via: Sequence[str] = ()) -> Path | None:
    """The cheapest way for units that move, or could begin to, with the enemies who see it (3.3)."""
    frame = state.stack[-1]
    ground = setting(state).ground
    prelude: list[Action] = []
    if isinstance(frame, Move):
        movers = able_movers(state)
    elif isinstance(frame, MovementPhase):
        units = [state.units[name] for name in pieces if name in state.units]
        if not units or any(u.side != side or u.at < 0 or u.at != units[0].at or not may_move(u) for u in units):
            return None
        leaders = [unit.id for unit in units if not unit_kind(state, unit).mmc]
        movers = [
            Mover(u.id, start=u.at, leader=leaders[0] if leaders and unit_kind(state, u).mmc else "") for u in units
        ]
        prelude = [StartMove(units[0].id), *(AddMover(unit.id) for unit in units[1:]), BeginMove()]
    else:
        return None
    if not movers or state.units[movers[0].id].at < 0:
        return None
    start = state.units[movers[0].id].at
    steps: list[tuple[Step, int]] = []
    here = start
    for goal in (*via, to):
        part = _cheapest(state, side, movers, here, ground.index(goal), sum(cost for _, cost in steps))
        if part is None:
            return None
        steps += part
        here = ground.index(goal)
    return _path(state, side, start, prelude, steps)


def _cheapest(
    state: SquadState, side: str, movers: Sequence[Mover], start: int, goal: int, spent: int
) -> list[tuple[Step, int]] | None:
    """Steps from a hex to another within the MF that are left."""
    allowed = allotments(state, movers)
    units = [state.units[mover.id] for mover in movers]
    left = {start: 0}
    back: dict[int, tuple[int, Step, int]] = {}
    queue = [(0, start)]
    while queue:
        cost, cell = heapq.heappop(queue)
        if cell == goal:
            break
        if cost > left[cell]:
            continue
        for way in setting(state).ground.ways[cell]:
            if has_enemy(state, way.to, side) or not fits(state, way.to, side, units):
                continue
            road = bool(way.road) and way.road <= way.cost
            price = step_cost(state, way, road=road)
            total = cost + price
            if total < left.get(way.to, 10**6) and affordable(state, movers, allowed, spent + total, road=False):
                left[way.to] = total
                back[way.to] = (cell, Step(way.to, road=road), price)
                heapq.heappush(queue, (total, way.to))
    if goal not in left:
        return None
    steps = []
    while goal != start:
        goal, step, price = back[goal]
        steps.append((step, price))
    return steps[::-1]


def _path(
    state: SquadState, side: str, start: int, prelude: Sequence[Action], steps: Sequence[tuple[Step, int]]
) -> Path:
    names = setting(state).ground.names
    made = [PathStep(names[start], action=action) for action in prelude]
    total = 0
    for step, cost in steps:
        total += cost
        made.append(
            PathStep(
                names[step.to],
                cost=mf_words(cost / 2),
                total=mf_words(total / 2),
                action=step,
                note=f"{state.residual[step.to]} Residual FP" if step.to in state.residual else "",
                danger=tuple(_dangers(state, side, step.to)),
            )
        )
    cells = (names[start], *(names[step.to] for step, _ in steps))
    return Path(cells, total=mf_words(total / 2), steps=tuple(made))


def _dangers(state: SquadState, side: str, cell: int) -> Iterator[Danger]:
    """Known enemies who could fire at a hex, where lines of sight may be looked at freely (3.2.1)."""
    if not setting(state).rules.free_los:
        return
    ground = setting(state).ground
    for unit in state.units.values():
        if unit.side == side or unit.at < 0 or unit.hip or not unit.good_order or unit.marker >= FINAL_FIRE:
            continue
        reach = 2 * _reach(state, unit)
        distance = ground.ranges[unit.at][cell]
        if 0 < distance <= reach and los(state, unit.at, cell) != BLOCKED:
            yield Danger(ground.names[cell], f"{full(state, unit)} at {distance} hexes", unit.id, rule="3.3.1")


def _reach(state: SquadState, unit: Unit) -> int:
    return unit_kind(state, unit).range
