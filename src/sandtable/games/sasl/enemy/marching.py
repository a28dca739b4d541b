"""Move Commands A4a and A4b: who goes where, how, and what ends the move (S9.2)."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from itertools import pairwise

from msgspec.structs import replace

from sandtable.engine import Action, Play
from sandtable.games.asl.heat.model import BERSERK
from sandtable.games.asl.works.sheltering import IN_OR_OUT, ComeOut, GoIn
from sandtable.games.sasl.compass import distances, forward
from sandtable.games.sasl.dice import best, pick, rolled, say
from sandtable.games.sasl.enemy import facts, fury, lips
from sandtable.games.sasl.enemy.automatic import TELLING, goal
from sandtable.games.sasl.enemy.stopping import stops
from sandtable.games.sasl.model import ADVANCE, ENEMY, FRIENDLY, MARCH, MOVE, OBJECTIVES, ORDERS, SUSPECTS, March, Order
from sandtable.games.sasl.readings import reading
from sandtable.games.sasl.suspects import has_room
from sandtable.games.sasl.tables import general
from sandtable.games.sasl.tables.general import Move as Command
from sandtable.games.squad.ground.cover import HEIGHT_ADVANTAGE, terrain_item
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import fits, name_of, units_at
from sandtable.games.squad.movement.model import (
    AddMover,
    BeginMove,
    CancelMove,
    DoubleTime,
    ExitMap,
    Move,
    Recover,
    SmokeGrenade,
    StackDraft,
    StartMove,
    Step,
    Stop,
)
from sandtable.games.squad.movement.portage import allotments, half_mf, overloaded
from sandtable.games.squad.movement.steps import able_movers, affordable, step_cost
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.pieces.model import SquadState, Unit

FAR = 10**6
HOW = {
    "Assault Move": "assault",
    "full MF": "full",
    "Double Time if need be": "double",
    "Double Time if possible": "double",
}


WANDERS = {
    "RAS": "RAS: by the rosette towards the FBE (SA-49)",
    "REH": "REH: into random eligible hexes (SA-49)",
}
STAYING = {"S6.3121": "goes into the improved position", "S6.315": "recovers a SW"}
"""Automatic Moves that do not leave the Location."""


def movement(play: Play[SquadState], legal: Sequence[Action]) -> Action:
    """The ENEMY's MPh: Locations in their order, each by one Move Command (S9.1)."""
    state = play.state
    MARCH.put(state, None)
    able = {action.unit for action in legal if isinstance(action, StartMove)}
    for cell in facts.locations(state):
        ready = [unit for unit in units_at(state, cell, ENEMY) if unit.id in able and _ordered(state, unit)]
        if not ready:
            continue
        rule = _rule(state, ready[0])
        ready = [unit for unit in ready if _rule(state, unit) == rule]
        march = command(play, cell, ready)
        for unit in ready:
            ORDERS.of(state)[unit.id] = Order(MOVE, done=True)
        if march is not None:
            MARCH.put(state, march)
            return StartMove(march.units[0])
        if any(BERSERK in state.units[unit.id].marks for unit in ready if unit.id in state.units):
            return StartMove(ready[0].id)  # put aside at once: the charge is the next choice
    return EndPhase()


def _ordered(state: SquadState, unit: Unit) -> bool:
    order = ORDERS.of(state).get(unit.id)
    carries = facts.has_gun(state, unit) or overloaded(state, unit)
    return order is not None and order.what == MOVE and not order.done and not carries


def _rule(state: SquadState, unit: Unit) -> str:
    """The automatic action that a unit was ordered to take (S6.3)."""
    return ORDERS.of(state)[unit.id].rule


# -- the command ------------------------------------------------------------------------------


def command(play: Play[SquadState], cell: int, units: Sequence[Unit]) -> March | None:
    """Roll a Move Command for the units of a Location (A4a, A4b)."""
    state = play.state
    names = tuple([unit.id for unit in units])
    here = _rule(state, units[0]) if units[0].id in ORDERS.of(state) else ""
    if here in STAYING:
        say(play, here, "automatic", (), f"{name_of(state, cell)}: {STAYING[here]}", here)
        return March(names, "assault" if here == "S6.3121" else "full", command=here)
    rule, places = goal(state, cell, units)
    if places:
        path = path_to(state, cell, set(places), units)
        if path:
            untold = rule.startswith(TELLING) and any(unit.concealed for unit in units)
            known = "S6.3" if untold else rule
            say(play, known, "automatic", (), f"{name_of(state, cell)} goes to {name_of(state, path[-1])}", known)
            return March(names, "double" if rule == "S6.303" else "full", path, command=rule)
    table = "A4b" if facts.attitude(state, units[0]) == ADVANCE else "A4a"
    faces = rolled(play, 2, f"Move Command in {name_of(state, cell)}")
    return obey(play, table, sum(faces), cell, units, faces)


def obey(
    play: Play[SquadState], table: str, roll: int, cell: int, units: Sequence[Unit], faces: Sequence[int]
) -> March | None:
    """Carry out a row of a movement table: the first condition that holds, then the first possible aim."""
    state = play.state
    names = tuple([unit.id for unit in units])
    for row in [row for row in general.moves(table) if row.low <= roll <= row.high]:
        if not condition(state, row.when, cell, units):
            continue
        if row.how == "Berserk":
            if fury.go_berserk(play, cell, units, table, row.key, faces):
                return None
            continue
        for aim in row.to:
            if aim.startswith(f"{table} "):
                return obey(play, table, int(aim.split()[1]), cell, units, faces)
            if aim in ("RAS", "REH"):
                say(play, table, row.key, faces, f"{name_of(state, cell)}: {row.how}, {WANDERS[aim]}", "S9.2")
                return March(names, HOW[row.how], wander=aim, stop=row.stop, command=f"{table} {row.key}")
            path = way_to(play, state, row, aim, cell, units)
            if path:
                goal = name_of(state, path[-1])
                say(
                    play,
                    table,
                    row.key,
                    faces,
                    f"{name_of(state, cell)}: {row.how} to {goal} ({_told(state, aim)})",
                    "S9.2",
                )
                how = pace(state, row.how, cell, path, units)
                return March(names, how, path, stop=row.stop, command=f"{table} {row.key}", aim=aim)
        say(play, table, row.key, faces, f"{name_of(state, cell)}: no goal, it stays", "S9.2")
        return None
    return None


def pace(state: SquadState, how: str, cell: int, path: Sequence[int], units: Sequence[Unit]) -> str:
    """How a way is gone; Double Time "if need be" only where its end is out of reach without (S6.222)."""
    if how != "Double Time if need be" or reading(state, "double_time") == "always":
        return HOW[how]
    ways = [setting_of(state).ground.way(frm, to) for frm, to in pairwise((cell, *path))]
    names = [unit.id for unit in units]
    cost = sum(step_cost(state, way, road=bool(way.road), units=names) for way in ways if way is not None)
    cost += IN_OR_OUT if units[0].within and cell not in setting_of(state).ground.floors else 0
    leader = next((unit for unit in units if unit_kind(state, unit).leads), None)
    reach = min(half_mf(state, unit, leader=leader if unit_kind(state, unit).mmc else None) for unit in units)
    return "double" if cost > reach else "full"


def _told(state: SquadState, aim: str) -> str:
    """An aim in words: in a mission without VPO the FRIENDLY unit that stands for one (S9.25)."""
    if "VPO" not in aim or OBJECTIVES.of(state):
        return aim
    return f"nearest FRIENDLY unit{' in LOS' if 'in LOS' in aim else ''}; no VPO, 9.25"


def aim_words(state: SquadState) -> str:
    """What units in Advance Attitude go for."""
    return "the nearest FRIENDLY VPO" if OBJECTIVES.of(state) else "the nearest FRIENDLY unit (9.25)"


def condition(state: SquadState, when: str, cell: int, units: Sequence[Unit]) -> bool:
    """Whether the condition of a Move Command holds."""
    if not when:
        return True
    seen = facts.seen_from(state, cell)
    known = facts.known(state, seen)
    good = [unit for unit in known if unit.good_order]
    targets = facts.targets_from(state, cell, units)
    good_targets = [unit for unit in targets if unit.good_order]
    ranges = setting_of(state).ground.ranges[cell]
    tests: dict[str, Callable[[], bool]] = {
        "Target from a higher building level": lambda: False,
        "Good Order FRIENDLY unit in LOS": lambda: any(unit.good_order for unit in seen),
        "in LOS and range of a Known Good Order FRIENDLY unit": lambda: any(
            ranges[unit.at] <= unit_kind(state, unit).range for unit in good
        ),
        ">=3 Good Order Targets": lambda: len(good_targets) >= 3,
        "1-2 Good Order Targets": lambda: 1 <= len(good_targets) <= 2,
        "Known FRIENDLY unit in LOS": lambda: bool(known),
        "FRIENDLY unit in LOS": lambda: bool(seen),
        "FRIENDLY VPO in LOS": lambda: bool(goals(state, "nearest FRIENDLY VPO in LOS", cell, units)),
        ">=2 Known Good Order FRIENDLY units in LOS": lambda: len(good) >= 2,
        "Known Target": lambda: bool(facts.known(state, targets)),
    }
    return tests[when]()


# -- aims -------------------------------------------------------------------------------------


def goals(state: SquadState, aim: str, cell: int, units: Sequence[Unit]) -> list[int]:
    """The Locations that an aim leads to."""
    setting = setting_of(state)
    if "VPO" in aim:
        found = objective_goals(state, friendly="FRIENDLY" in aim)
        return [other for other in found if sees(state, cell, other)] if "in LOS" in aim else found
    if "Target" in aim:
        return [setting.ground.floor_of(unit.at) for unit in facts.targets_from(state, cell, units)]
    if "FRIENDLY unit" in aim:
        return [setting.ground.floor_of(unit.at) for unit in facts.seen_from(state, cell)]
    if aim == "nearest building in LOS":
        return [c for c in range(setting.ground.size) if setting.ground.in_building[c] and sees(state, cell, c)]
    if aim == "building of highest TEM":
        houses = [c for c in range(setting.ground.size) if setting.ground.in_building[c]]
        most = max([setting.ground.tem[c] for c in houses], default=0)
        return [c for c in houses if setting.ground.tem[c] == most]
    if aim == "FBE":
        far = distances(setting, "west")
        return [c for c in range(setting.ground.size) if far[c] == 0]
    return []


def objective_goals(state: SquadState, *, friendly: bool) -> list[int]:
    """VPO Locations to go for; in a mission without VPO the nearest FRIENDLY units stand for them (S9.25)."""
    if not OBJECTIVES.of(state):
        return [setting_of(state).ground.floor_of(unit.at) for unit in facts.foes(state)]
    return facts.objective_cells(state, FRIENDLY if friendly else "")


def way_to(
    play: Play[SquadState], state: SquadState, row: Command, aim: str, cell: int, units: Sequence[Unit]
) -> tuple[int, ...]:
    """The way of a Move Command to an aim, empty: it is not possible."""
    if aim in NEXT_HEX:
        return next_hex(play, aim, cell, units, row.to[row.to.index(aim) + 1 :])
    found = goals(state, aim, cell, units)
    if not found:
        return ()
    path = nearest_way(state, cell, found, units) if "in hexes" in aim else path_to(state, cell, set(found), units)
    return path[:1] if HOW[row.how] == "assault" else path


def nearest_way(state: SquadState, cell: int, found: Sequence[int], units: Sequence[Unit]) -> tuple[int, ...]:
    """The way to the nearest in hexes of some Locations that can be reached (A4a 11, A4b 3 and 7)."""
    ranges = setting_of(state).ground.ranges[cell]
    for distance in sorted({ranges[other] for other in found}):
        path = path_to(state, cell, {other for other in found if ranges[other] == distance}, units)
        if path or distance <= 1:
            return path
    return ()


NEXT_HEX = (
    "more TEM",
    "positive TEM with a Target from there",
    "positive TEM",
    "highest TEM",
    "most Targets",
    "out of all LOS",
    "out of most LOS",
    "random",
)


def open_hexes(state: SquadState, cell: int, units: Sequence[Unit]) -> list[int]:
    """Adjacent Locations that units may enter by movement: none that is full (S6.223)."""
    setting, names = setting_of(state), tuple([unit.id for unit in units])
    return [
        way.to
        for way in lips.ways(state, cell, units)
        if setting.ground.kinds[way.to].mf is not None
        and facts.room_at(state, way.to)
        and not facts.shunned(state, way.to)
        and fits(state, way.to, ENEMY, units)
        and step_cost(state, way, road=False, units=names) < 8
    ]


def next_hex(
    play: Play[SquadState], aim: str, cell: int, units: Sequence[Unit], then: Sequence[str] = ()
) -> tuple[int, ...]:
    """The Location that an Assault Move enters for its cover, its view or its safety (S6.221).

    Among equals what the row asks `then` decides, and at last the dice.
    """
    state = play.state
    tem = setting_of(state).ground.tem
    around = open_hexes(state, cell, units)
    if aim == "more TEM":
        around = [c for c in around if tem[c] > facts.tem_at(state, cell)]
    elif aim.startswith("positive TEM with"):
        around = [c for c in around if _covered(state, c, facts.targets_from(state, c, units))]
    elif aim == "positive TEM" or aim == "highest TEM":
        around = [c for c in around if tem[c] > 0]
    elif aim == "most Targets":
        around = [c for c in around if facts.targets_from(state, c, units)]
    elif aim == "out of all LOS":
        around = [c for c in around if not facts.watchers(state, c)]
    if not around:
        return ()
    keys: dict[str, Callable[[int], int]] = {
        "highest TEM": lambda c: -tem[c],
        "most Targets": lambda c: -len(facts.targets_from(state, c, units)),
        "out of all LOS": lambda c: bool(facts.watchers(state, c)),
        "out of most LOS": lambda c: facts.watchers(state, c),
    }
    return (best(play, around, [(name, keys[name]) for name in (aim, *then) if name in keys], "which hex")[0],)


def _covered(state: SquadState, cell: int, targets: Sequence[Unit]) -> bool:
    """Whether a Location with Targets has a positive TEM, its own or that of a hexside towards one (A4a row 5)."""
    if setting_of(state).ground.tem[cell] > 0:
        return bool(targets)
    items = [terrain_item(state, foe.at, cell) for foe in targets]
    return any([item[1] > 0 and item != HEIGHT_ADVANTAGE for item in items])


def path_to(state: SquadState, start: int, found: set[int], units: Sequence[Unit]) -> tuple[int, ...]:
    """The cheapest way in MF to the nearest of some Locations; the last one is left out if it cannot be entered."""
    setting = setting_of(state)
    kinds, names = setting.ground.kinds, tuple([unit.id for unit in units])
    held = {*state.stacks, *[one.at for one in SUSPECTS.of(state).values()]} - {start, -1}
    closed = {c for c in held if not facts.room_at(state, c) or not has_room(state, c, units)}
    costs, came = {start: 0}, {start: -1}
    queue = [(0, start)]
    while queue:
        cost, cell = heapq.heappop(queue)
        if cell in found:
            path = []
            while cell != start:
                path.append(cell)
                cell = came[cell]
            path.reverse()
            return tuple([c for c in path if c not in closed])
        if cost > costs[cell]:
            continue
        for way in lips.ways(state, cell, units):
            if kinds[way.to].mf is None or facts.shunned(state, way.to):
                continue
            if way.to in closed and way.to not in found:
                continue
            new = cost + step_cost(state, way, road=bool(way.road), units=names)
            if new < costs.get(way.to, FAR):
                costs[way.to], came[way.to] = new, cell
                heapq.heappush(queue, (new, way.to))
    return ()


# -- under way ----------------------------------------------------------------------------------


def drafting(play: Play[SquadState], frame: StackDraft, legal: Sequence[Action]) -> Action:
    """Put the stack together as the Move Command says."""
    march = MARCH.of(play.state)
    if march is None:
        return CancelMove()
    for name in march.units:
        if AddMover(name) in legal:
            return AddMover(name)
    if march.how == "double":
        for name in march.units:
            if DoubleTime(name) in legal:
                return DoubleTime(name)
    return BeginMove(assault=march.how == "assault")


def going(play: Play[SquadState], frame: Move, legal: Sequence[Action]) -> Action:
    """The next step of the moving stack, or its end."""
    state = play.state
    march = MARCH.of(state)
    moving = state.moving
    if march is None or moving is None:
        return Stop()
    units = [state.units[name] for name in moving.active if name in state.units]
    here = units[0].at
    if march.command in STAYING:
        return next((one for one in legal if isinstance(one, GoIn | Recover)), Stop())
    if ComeOut() in legal:
        return ComeOut()
    moved = any(mover.hexes for mover in moving.movers)
    if moved and here in setting_of(state).ground.floors:  # it has taken Crest status, where its move ends
        return Stop()
    reached = [stop for stop in march.stop if stops(state, stop, here, units)] if moved else []
    if reached:
        say(play, march.command, "stop", (), f"{name_of(state, here)}: {'; '.join(reached)}", "S9.2")
        return Stop()
    if ExitMap() in legal:
        say(play, "S9.41", "exit", (), f"{name_of(state, here)}: it leaves by the FBE", "S9.41")
        return ExitMap()
    to = _next_step(play, march, here, legal)
    if to < 0:
        return Stop()
    before = screen(play, to, legal)
    if before is not None and march.wander:  # the dr stands: the grenades are for the hex that it names
        MARCH.put(state, replace(march, path=(here, to)))
    if before is None and ends(state, march, to, units):
        before = lips.entry(play, march, to, legal)
    if before is not None:
        return before
    for action in (Step(to, road=True), Step(to)):
        if action in legal:
            return action
    return Stop()


def screen(play: Play[SquadState], to: int, legal: Sequence[Action]) -> Action | None:
    """SMOKE grenades before Open Ground that unbroken FRIENDLY units see is entered (S6.316)."""
    state = play.state
    if not setting_of(state).ground.open[to] or state.hinders.get(to):
        return None
    if not any(not unit.broken for unit in facts.known(state, facts.seen_from(state, to))):
        return None
    grenades = [one for one in legal if isinstance(one, SmokeGrenade) and one.at == to]
    if not grenades:
        return None
    say(play, "S6.316", "automatic", (), f"SMOKE before entering {name_of(state, to)}, Open Ground in LOS", "S6.316")
    return grenades[0]


def ends(state: SquadState, march: March, to: int, units: Sequence[Unit]) -> bool:
    """Whether a move goes no farther than its next hex: the goal, a stop, or the last MF."""
    if to not in march.path or to == march.path[-1] or any(stops(state, stop, to, units) for stop in march.stop):
        return True
    ground, movers = setting_of(state).ground, able_movers(state)
    ways = ground.way(units[0].at, to), ground.way(to, march.path[march.path.index(to) + 1])
    cost = sum(step_cost(state, way, road=bool(way.road)) for way in ways if way is not None)
    return not affordable(state, movers, allotments(state, movers), cost, road=False)


def _next_step(play: Play[SquadState], march: March, here: int, legal: Sequence[Action]) -> int:
    state = play.state
    open_to = list(dict.fromkeys(action.to for action in legal if isinstance(action, Step)))
    if march.wander:
        if march.path[:1] == (here,):
            MARCH.put(state, replace(march, path=()))
            return march.path[1] if march.path[1] in open_to else -1
        return wander(play, march, here, open_to)
    if here in march.path:
        rest = march.path[march.path.index(here) + 1 :]
        return rest[0] if rest and rest[0] in open_to else -1
    first = march.path[0] if march.path else -1
    return first if first in open_to and first in setting_of(state).ground.near[here] else -1


def wander(play: Play[SquadState], march: March, here: int, open_to: Sequence[int]) -> int:
    """RAS: by the rosette towards the FBE; REH: into a random eligible hex that it has not come from (SA-49)."""
    state = play.state
    moving = state.moving
    came = {mover.came for mover in moving.movers} if moving else set()
    left = [cell for cell in open_to if cell not in came and not facts.shunned(state, cell)]
    if not left:
        return -1
    if march.wander == "RAS" and reading(state, "ras") == "rosette":
        (dr,) = rolled(play, 1, "RAS")
        ground = setting_of(state).ground
        to = forward(state, ground.floor_of(here), "west", dr)
        if to not in left and ground.floor_of(here) in left:
            return ground.floor_of(here)  # from the Crest it goes down INTO the hex first (B20.93)
        if to not in left:
            say(play, march.command, "RAS", (dr,), f"{name_of(state, here)}: the way is barred, it stops", "S9.2")
            return -1
        return to
    return pick(play, left, march.wander)
