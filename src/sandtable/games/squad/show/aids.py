"""Aids for players: lines of sight, what a hex sees, ways over the map with their dangers."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from sandtable.engine import Action
from sandtable.engine.errors import IllegalAction
from sandtable.engine.tools import Danger, Los, LosCause, Path, PathStep, Visible, at_least_one
from sandtable.games.squad.fire.switches import FireRules
from sandtable.games.squad.ground.counters import residual_in
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.names import mf_words
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.sight import counter_hindrance, hindrance_in, los
from sandtable.games.squad.ground.stacks import fits, has_enemy
from sandtable.games.squad.movement.model import AddMover, BeginMove, Move, MovementPhase, StartMove, Step
from sandtable.games.squad.movement.portage import allotments
from sandtable.games.squad.movement.starting import may_move
from sandtable.games.squad.movement.steps import able_movers, affordable, step_cost
from sandtable.games.squad.pieces.model import Mover, SquadState
from sandtable.games.squad.rout.model import Rout, RoutPhase
from sandtable.games.squad.show import rout_ways
from sandtable.games.squad.show.danger import arrived, dangers, sure_state
from sandtable.space.los import HINDRANCE_LIMIT
from sandtable.space.los import Los as Line
from sandtable.space.losjudge import Cause
from sandtable.space.loswords import RULES, reason
from sandtable.space.terrain import kind


def _free(state: SquadState) -> None:
    if not setting_of(state).rules.of(FireRules).free_los:
        raise IllegalAction("Lines of sight are checked only after an attack is declared in this match", "3.2.1")


def line_of_sight(state: SquadState, a: str, b: str) -> Los:
    """A line between two hexes as the rules judge it, Smoke included (3.2.1)."""
    _free(state)
    ground = setting_of(state).ground
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
        line=(ground.grid.centre(ground.hex_of(one)), ground.grid.centre(ground.hex_of(other))),
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
    if not state.hinders or one == other:
        return []
    ground = setting_of(state).ground
    clouds = [(cell, hindrance_in(state, cell)) for cell in (*ground.crossed(one, other), other)]
    clouds.append((one, counter_hindrance(state, one, other) - sum(value for _, value in clouds)))
    return [LosCause(ground.names[cell], "hinders", "Smoke", value, "1.2.5") for cell, value in clouds if value]


def visible_from(state: SquadState, a: str) -> Visible:
    """All hexes that a hex sees, with their Hindrance (3.2.1)."""
    _free(state)
    ground = setting_of(state).ground
    cell = ground.index(a)
    seen, blocked = {}, []
    for other in range(ground.places):
        value = los(state, cell, other) if other != cell else 0
        if value == BLOCKED:
            blocked.append(ground.names[other])
        else:
            seen[ground.names[other]] = float(value)
    return Visible(a, seen, tuple(blocked))


# -- ways -------------------------------------------------------------------------------


def path(state: SquadState, side: str, pieces: Sequence[str], to: str, via: Sequence[str] = ()) -> Path | None:
    """The cheapest way for units that move or rout, or could begin to, with the enemies who see it (3.3, 3.6)."""
    if isinstance(state.stack[-1], RoutPhase | Rout):
        return rout_ways.path(state, side, pieces, to)
    ground = setting_of(state).ground
    found = _movers(state, side, pieces)
    if found is None:
        return None
    movers, prelude = found
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


def _movers(state: SquadState, side: str, pieces: Sequence[str]) -> tuple[list[Mover], list[Action]] | None:
    """The units that move, or would if these began to, and what begins it; None: they cannot go together."""
    frame = state.stack[-1]
    if isinstance(frame, Move):
        movers = able_movers(state)
        return (movers, []) if movers and state.units[movers[0].id].at >= 0 else None
    if not isinstance(frame, MovementPhase):
        return None
    # an enemy is left out like an id of nobody, so that it does not tell which ids there are
    units = [state.units[name] for name in pieces if name in state.units and state.units[name].side == side]
    if not units or any(u.at < 0 or u.at != units[0].at or not may_move(state, u) for u in units):
        return None
    leaders = [unit.id for unit in units if unit_kind(state, unit).leads]
    movers = [Mover(u.id, start=u.at, leader=leaders[0] if leaders and unit_kind(state, u).mmc else "") for u in units]
    return movers, [StartMove(units[0].id), *(AddMover(unit.id) for unit in units[1:]), BeginMove()]


def reach(state: SquadState, side: str, pieces: Sequence[str]) -> dict[str, str]:
    """Every hex that the units can reach with the MF they have, and what it costs (3.3, 3.6)."""
    if isinstance(state.stack[-1], RoutPhase | Rout):
        return rout_ways.reach(state, side, pieces)
    found = _movers(state, side, pieces)
    if found is None:
        return {}
    names = setting_of(state).ground.names
    start = state.units[found[0][0].id].at
    costs, _ = _ways(state, side, found[0], start, 0)
    return {names[cell]: mf_words(cost / 2) for cell, cost in costs.items() if cell != start}


def danger(state: SquadState, side: str, pieces: Sequence[str], cells: Sequence[str]) -> dict[str, float]:
    """The chance that known enemies harm the units when they enter each hex, all of them firing (3.3.1)."""
    found = _movers(state, side, pieces)
    if found is None or not setting_of(state).rules.of(FireRules).free_los:
        return {}
    ground = setting_of(state).ground
    movers = found[0]
    start = state.units[movers[0].id].at
    _, back = _ways(state, side, movers, start, 0)
    known = sure_state(state, side)
    chances = {}
    for name in cells:
        cell = ground.index(name)
        if cell not in back:
            continue
        came, step, cost = back[cell]
        then = arrived(known, movers, cell, came=came, cost=cost, spent=movers[0].spent + cost, road=step.road)
        chance = at_least_one([one.chance for one in dangers(then, side, cell)])
        if chance:
            chances[name] = chance
    return chances


def _ways(
    state: SquadState, side: str, movers: Sequence[Mover], start: int, spent: int, goal: int = -1
) -> tuple[dict[int, int], dict[int, tuple[int, Step, int]]]:
    """What each hex within reach costs in half MF, and the last step to it; the search ends at a goal."""
    allowed = allotments(state, movers)
    names = tuple([mover.id for mover in movers])
    units = [state.units[name] for name in names]
    left = {start: 0}
    back: dict[int, tuple[int, Step, int]] = {}
    queue = [(0, start)]
    while queue:
        cost, cell = heapq.heappop(queue)
        if cell == goal:
            break
        if cost > left[cell]:
            continue
        for way in setting_of(state).ground.ways[cell]:
            if has_enemy(state, way.to, side) or not fits(state, way.to, side, units):
                continue
            road = bool(way.road) and way.road <= way.cost
            if way.all_mf and not road and cell != start:
                continue
            price = step_cost(state, way, road=road, units=names)
            total = cost + price
            if total < left.get(way.to, 10**6) and affordable(state, movers, allowed, spent + total, road=False):
                left[way.to] = total
                back[way.to] = (cell, Step(way.to, road=road), price)
                heapq.heappush(queue, (total, way.to))
    return left, back


def _cheapest(
    state: SquadState, side: str, movers: Sequence[Mover], start: int, goal: int, spent: int
) -> list[tuple[Step, int]] | None:
    """Steps from a hex to another within the MF that are left."""
    left, back = _ways(state, side, movers, start, spent, goal)
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
    names = setting_of(state).ground.names
    made = [PathStep(names[start], action=action) for action in prelude]
    known = sure_state(state, side) if setting_of(state).rules.of(FireRules).free_los else None
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
                note=f"{residual} Residual FP" if (residual := residual_in(state, step.to)) else "",
                danger=danger,
            )
        )
    cells = (names[start], *(names[step.to] for step, _ in steps))
    return Path(cells, total=mf_words(total / 2), steps=tuple(made), judged=known is not None)
