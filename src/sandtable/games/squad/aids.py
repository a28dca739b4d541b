"""Aids for players: lines of sight, what a hex sees, ways over the map with their dangers."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from sandtable.engine import Action
from sandtable.engine.errors import IllegalAction
from sandtable.engine.tools import Danger, Los, LosCause, Path, PathStep, Visible
from sandtable.games.squad.danger import arrived, dangers, known_state
from sandtable.games.squad.ground import BLOCKED
from sandtable.games.squad.model import SquadState
from sandtable.games.squad.move_model import AddMover, BeginMove, Move, MovementPhase, Mover, StartMove, Step
from sandtable.games.squad.movement import may_move
from sandtable.games.squad.portage import allotments
from sandtable.games.squad.setting import setting, unit_kind
from sandtable.games.squad.sight import los, smoke_hindrance, smoke_in
from sandtable.games.squad.stacks import fits, has_enemy
from sandtable.games.squad.steps import able_movers, affordable, step_cost
from sandtable.games.squad.wording import mf_words
from sandtable.space.los import HINDRANCE_LIMIT
from sandtable.space.los import Los as Line
from sandtable.space.losjudge import Cause
from sandtable.space.loswords import RULES, reason
from sandtable.space.terrain import kind


def _free(state: SquadState) -> None:
    if not setting(state).rules.free_los:
        raise IllegalAction("Lines of sight are checked only after an attack is declared in this match", "3.2.1")


def line_of_sight(state: SquadState, a: str, b: str) -> Los:
    """A line between two hexes as the rules judge it, Smoke included (3.2.1)."""
    _free(state)
    ground = setting(state).ground
    one, other = ground.index(a), ground.index(b)
    found = ground.los.explain(one, other)
    causes = [LosCause(h.hex, "hinders", kind(h.terrain).title, h.value, "3.2.1") for h in found.hindrances]
    causes += _smoke_on(state, one, other)
    value = los(state, one, other) if one != other else 0
    rule, text = "3.2.1", f"Clear, +{value} Hindrance" if value else "Clear"
    if found.blocked:
        rule, text = RULES[found.cause], f"Blocked: {reason(found)}"
        causes.append(LosCause(found.blocking_hex or b, "blocks", _blocker(found), 0, rule))
    elif value == BLOCKED:
        text = f"Blocked: hindrances of +{HINDRANCE_LIMIT} or more, Smoke included, block"
    return Los(
        a=a,
        b=b,
        clear=value != BLOCKED,
        text=text,
        rule=rule,
        range=ground.ranges[one][other],
        hindrance=0 if value == BLOCKED else value,
        blocked_at=found.blocking_hex or "",
        line=(ground.grid.centre(one), ground.grid.centre(other)),
        causes=tuple(causes),
    )


def _blocker(line: Line) -> str:
    """What stands in the way of a line, in a word or two."""
    words = {Cause.HIGHER_GROUND: "higher ground", Cause.CREST_LINE: "crest line", Cause.HINDRANCES: "hindrances"}
    behind = {Cause.BLIND_HEX_BEHIND_CREST: "crest line (blind hex)", Cause.DEPRESSION: "depression"}
    terrain = kind(line.blocking_terrain).title if line.blocking_terrain else "obstacle"
    return words.get(line.cause) or behind.get(line.cause) or terrain


def _smoke_on(state: SquadState, one: int, other: int) -> list[LosCause]:
    """Every cloud that hinders the line, in its own hex (1.2.5)."""
    if not state.smoke or one == other:
        return []
    ground = setting(state).ground
    clouds = [(cell, smoke_in(state, cell)) for cell in (*ground.crossed(one, other), other)]
    clouds.append((one, smoke_hindrance(state, one, other) - sum(value for _, value in clouds)))
    return [LosCause(ground.names[cell], "hinders", "Smoke", value, "1.2.5") for cell, value in clouds if value]


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
    return _path(state, side, start, prelude, steps, movers)


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
    state: SquadState,
    side: str,
    start: int,
    prelude: Sequence[Action],
    steps: Sequence[tuple[Step, int]],
    movers: Sequence[Mover],
) -> Path:
    names = setting(state).ground.names
    made = [PathStep(names[start], action=action) for action in prelude]
    known = known_state(state, side) if setting(state).rules.free_los else None
    total, here = 0, start
    for step, cost in steps:
        total += cost
        danger: tuple[Danger, ...] = ()
        if known is not None:
            then = arrived(known, movers, step.to, came=here, cost=cost, spent=movers[0].spent + total, road=step.road)
            danger = tuple(dangers(then, side, step.to))
        here = step.to
        made.append(
            PathStep(
                names[step.to],
                cost=mf_words(cost / 2),
                total=mf_words(total / 2),
                action=step,
                note=f"{state.residual[step.to]} Residual FP" if step.to in state.residual else "",
                danger=danger,
            )
        )
    cells = (names[start], *(names[step.to] for step, _ in steps))
    return Path(cells, total=mf_words(total / 2), steps=tuple(made), judged=known is not None)
