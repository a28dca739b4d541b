"""Words for a stack on the move: what it may do, what it did, and why it may not (3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.engine.view import Description, Refusal
from sandtable.games.squad.ground.counters import residual_in
from sandtable.games.squad.ground.doors import part_bar
from sandtable.games.squad.ground.entry import cost_from_off_board, off_board_cost
from sandtable.games.squad.ground.map import Way
from sandtable.games.squad.ground.names import mf_words, names, short
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import fits, has_enemy, name_of
from sandtable.games.squad.movement.going import off_board_steps, stuck
from sandtable.games.squad.movement.model import (
    Detach,
    DropWeapon,
    Exited,
    ExitMap,
    MfSpent,
    Move,
    Moved,
    MoveEnded,
    PlaceCharge,
    Recover,
    Recovered,
    SmokeGrenade,
    Step,
    StepAside,
    Stop,
)
from sandtable.games.squad.movement.portage import allotments
from sandtable.games.squad.movement.steps import able_movers, place_of, step_cost, way_affordable
from sandtable.games.squad.movement.switches import MovementRules
from sandtable.games.squad.part import Part
from sandtable.games.squad.phases.switches import PhaseRules
from sandtable.games.squad.pieces.events import (
    CounterRemoved,
    Dropped,
    HiddenHex,
    ResidualPlaced,
    SmokePlaced,
    SmokeRemoved,
)
from sandtable.games.squad.pieces.model import Mover, SquadState


def _movers(state: SquadState) -> tuple[str, ...]:
    return tuple(mover.id for mover in able_movers(state))


def _step(state: SquadState, side: str, action: Step) -> Description:
    movers = able_movers(state)
    first = state.units[movers[0].id]
    ground = setting_of(state).ground
    way = ground.way(first.at, action.to) if first.at >= 0 else None
    if way is not None:
        cost = step_cost(state, way, road=action.road)
    else:
        cost = cost_from_off_board(state, action.to, road=action.road)
    where = name_of(state, action.to)
    how = " along the road" if action.road else ""
    notes = []
    if residual := residual_in(state, action.to):
        notes.append(f"{residual} Residual FP attacks first")
    return Description(
        f"Enter {where}{how}",
        "move",
        _movers(state),
        (where,),
        rule="3.3",
        cost="all MF" if way is not None and way.all_mf and not action.road else mf_words(cost / 2),
        notes=tuple(notes),
    )


def _aside(state: SquadState, side: str, action: StepAside) -> Description:
    where = name_of(state, action.to)
    cost = mf_words(off_board_cost(state, action.to) / 2)
    return Description(f"Go along the edge to {where}", "move", _movers(state), (where,), rule="3.3", cost=cost)


def _smoke(state: SquadState, side: str, action: SmokeGrenade) -> Description:
    where = name_of(state, action.at)
    own = state.units[action.unit].at == action.at
    text = f"{short(state, action.unit)} throws smoke grenades into {'its own hex' if own else where}"
    return Description(text, "smoke", (action.unit,), (where,), rule="3.3", cost="1 MF" if own else "2 MF")


def _recover(state: SquadState, side: str, action: Recover) -> Description:
    unit = state.units[action.unit]
    sure = setting_of(state).rules.of(MovementRules).recovery_below > 6 and not unit.cx
    text = f"{short(state, unit)} {'takes' if sure else 'tries to recover'} {short(state, action.weapon)}"
    half = setting_of(state).rules.of(MovementRules).recovery_half_mf
    cost = mf_words(half / 2) if half and state.moving is not None else ""
    return Description(text, "weapon", (unit.id,), (name_of(state, unit.at),), (action.weapon,), "4.0", cost=cost)


def _drop(state: SquadState, side: str, action: DropWeapon) -> Description:
    owner = state.weapons[action.weapon].owner
    text = f"{short(state, owner)} drops {short(state, action.weapon)}"
    return Description(text, "weapon", (owner,), targets=(action.weapon,), rule="4.0")


def _charge(state: SquadState, side: str, action: PlaceCharge) -> Description:
    where = name_of(state, action.at)
    return Description(f"Place the DC in {where}", "weapon", (action.unit,), (where,), (action.weapon,), rule="4.3")


def _detach(state: SquadState, side: str, action: Detach) -> Description:
    return Description(f"{short(state, action.unit)} waits, the others go on", "move", (action.unit,), rule="3.3")


def _stop(state: SquadState, side: str, action: Stop) -> Description:
    movers = _movers(state)
    where = name_of(state, place_of(state.units[movers[0]])) if movers else ""
    return Description(f"End the move in {where}", "done", movers, rule="3.3", key="Enter")


def step_bar(state: SquadState, side: str, action: Step) -> tuple[str, str] | None:
    """Why the moving units may not enter a hex."""
    movers = able_movers(state)
    if not isinstance(state.stack[-1], Move) or not movers:
        return None
    ground = setting_of(state).ground
    if not 0 <= action.to < ground.places:
        return "There is no such hex on the map", "1.1"
    units = [state.units[mover.id] for mover in movers]
    first, where = units[0], name_of(state, action.to)
    if first.at < 0:
        if action in off_board_steps(state, movers):
            return None
        return f"From here only {name_of(state, first.beside)} can be entered", "3.3"
    way = ground.way(first.at, action.to)
    if way is None and action.to in ground.near[first.at]:
        return f"Nobody can go from {name_of(state, first.at)} to {where} on foot: go round", "3.3"
    if way is None:
        return f"{where} is not adjacent to {name_of(state, first.at)}: move one hex at a time", "3.3"
    if (bar := part_bar(state, "enter", units, first.at, action.to)) is not None:
        return bar
    if has_enemy(state, action.to, side):
        return f"Enemy units are in {where}: advance into it in the Advance Phase instead", "3.3"
    if not (fits(state, action.to, side, units) or setting_of(state).rules.of(PhaseRules).stacking_at_phase_end):
        limit = f"{where} would hold more than three squads or four leaders (stacking limit)"
        return f"{limit}: enter another hex, or split the stack", "3.3"
    if action.road and not way.road:
        return f"No road leads from {name_of(state, first.at)} to {where}: enter it at the terrain's cost", "1.1.1"
    if any(mover.assault and mover.hexes for mover in movers):
        return "Assault Movement goes one hex only: end the move here", "3.3"
    if bar := _mf_bar(state, movers, way, action) or part_bar(state, "enter", units, first.at, action.to):
        return bar
    if not stuck(state, movers):
        if action.road or not way.road or way.choice:
            return None
        return f"The way to {where} follows the road: enter it along the road", "1.1.1"
    return "A Gun cannot be carried: drop it or manhandle it; a weapon moves only once in a Movement Phase", "4.0"


def _mf_bar(state: SquadState, movers: Sequence[Mover], way: Way, action: Step) -> tuple[str, str] | None:
    """Why the MF do not suffice for a step (3.3)."""
    allowed = allotments(state, movers)
    if way_affordable(state, movers, allowed, way, road=action.road):
        return None
    cost, where = step_cost(state, way, road=action.road), name_of(state, action.to)
    if way.all_mf and not action.road:
        return f"Entering {where} takes every MF: it must be the whole move", "3.3"
    left = min(allowed[mover.id] - mover.spent for mover in movers) / 2
    if any(mover.assault for mover in movers) and cost / 2 <= left:
        all_mf = f"Entering {where} takes all MF ({mf_words(cost / 2)}), which Assault Movement may not"
        return f"{all_mf}: enter a cheaper hex", "3.3"
    dear = f"Entering {where} costs {mf_words(cost / 2)}, but {mf_words(max(left, 0))} are left"
    return f"{dear}: enter a cheaper hex or end the move", "3.3"


def _refusals(state: SquadState, side: str, frame: Move) -> list[Refusal]:
    movers = able_movers(state)
    first = state.units[movers[0].id] if movers else None
    if first is None or first.at < 0:
        return []
    legal: set[int] = set()
    found = []
    for way in setting_of(state).ground.ways[first.at]:
        allowed = allotments(state, movers)
        for road in (True, False):
            if (way.road or not road) and way_affordable(state, movers, allowed, way, road=road):
                legal.add(way.to)
        units = [state.units[mover.id] for mover in movers]
        free = setting_of(state).rules.of(PhaseRules).stacking_at_phase_end
        blocked = has_enemy(state, way.to, side) or not (free or fits(state, way.to, side, units))
        if way.to not in legal or blocked or any(mover.assault and mover.hexes for mover in movers):
            why = step_bar(state, side, Step(way.to))
            if why is not None:
                where = name_of(state, way.to)
                found.append(Refusal(f"Enter {where}", why[0], why[1], _movers(state), (where,)))
    return found


def _moved(state: SquadState, event: Moved) -> str:
    road = " along the road" if event.road else ""
    frm = f" from {event.frm}" if event.frm else " from off board"
    return f"{names(state, event.units)}:{frm} to {event.at}{road} ({mf_words(event.mf)})"


def _recovered(state: SquadState, event: Recovered) -> str:
    what = "recovers" if event.success else "fails to recover"
    return f"{short(state, event.unit)} {what} {short(state, event.weapon)}"


def _smoke_gone(state: SquadState, event: SmokeRemoved) -> str:
    return f"Smoke in {event.at} " + (f"becomes {event.now}" if event.now else "is gone")


def _counter_gone(state: SquadState, event: CounterRemoved) -> str:
    return f"The {event.counter} in {event.at} " + (f"becomes {event.now}" if event.now else "is gone")


def _mf_spent(state: SquadState, event: MfSpent) -> str:
    verb = "spends" if len(event.units) == 1 else "spend"
    return f"{names(state, event.units)} {verb} {mf_words(event.mf)} in {event.at}: {event.what}"


def _ended(state: SquadState, event: MoveEnded) -> str:
    verb = "ends" if len(event.units) == 1 else "end"
    return f"{names(state, event.units)} {verb} the move in {event.at}"


def _bumped(state: SquadState, event: HiddenHex) -> str:
    verb = "runs" if len(event.units) == 1 else "run"
    return f"{names(state, event.units)} {verb} into hidden enemies in {event.at}"


DESCRIBE: dict[Any, Any] = {
    Step: _step,
    StepAside: _aside,
    ExitMap: lambda state, side, action: Description("Leave the map", "move", _movers(state), rule="3.3"),
    SmokeGrenade: _smoke,
    Recover: _recover,
    DropWeapon: _drop,
    PlaceCharge: _charge,
    Detach: _detach,
    Stop: _stop,
}

PART = Part(
    describe=DESCRIBE,
    why_not={Step: step_bar},
    refusals={Move: _refusals},
    prompts={Move: lambda state, frame: ("Move on hex by hex, or end the move", "3.3")},
    words={
        Moved: _moved,
        MfSpent: _mf_spent,
        MoveEnded: _ended,
        Exited: lambda state, event: f"{short(state, event.unit)} leaves the map from {event.at} ({event.points} VP)",
        SmokePlaced: lambda state, event: f"Smoke ({event.smoke}) lies in {event.at}",
        SmokeRemoved: _smoke_gone,
        CounterRemoved: _counter_gone,
        Recovered: _recovered,
        Dropped: lambda state, event: f"{short(state, event.weapon)} is left behind in {event.at}",
        ResidualPlaced: lambda state, event: f"{event.fp} Residual FP in {event.at}",
        HiddenHex: _bumped,
    },
)
