"""Taking Crest status: at set-up, on the move and by an advance; leaving it (B20.91, B20.93)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.engine import Action, Event, Frame, Play
from sandtable.engine.part import Bar
from sandtable.engine.view import Description
from sandtable.games.asl.crest.model import CREST, at_crest, crest_of, facing, fronts, may_take, protected
from sandtable.games.asl.crest.switches import CrestRules
from sandtable.games.asl.terrain.ground import AslGround
from sandtable.games.asl.terrain.walls import SHELLHOLES, asl_ground
from sandtable.games.squad.combat.advance import may_advance
from sandtable.games.squad.combat.model import AdvancePhase
from sandtable.games.squad.ground.doors import part_bar
from sandtable.games.squad.ground.map import Way
from sandtable.games.squad.ground.names import names, short
from sandtable.games.squad.ground.setting import rules_of, setting_of
from sandtable.games.squad.ground.stacks import fits, has_enemy, mark_dm_near, name_of, put, units_at, update
from sandtable.games.squad.movement.going import stuck
from sandtable.games.squad.movement.model import MfSpent, Move, Spent
from sandtable.games.squad.movement.portage import allotments
from sandtable.games.squad.movement.steps import (
    able_movers,
    affordable,
    enter,
    entered,
    leaving,
    runs_into,
    settle,
    spend,
    step_cost,
)
from sandtable.games.squad.part import Part
from sandtable.games.squad.pieces.model import Mover, SquadState, Unit
from sandtable.games.squad.scenario.model import Placed, SetUp
from sandtable.games.squad.scenario.placing import may_place
from sandtable.space.steps import step_cost as level_cost
from sandtable.space.terrain import terrain_table

UP, UP_IN_RUBBLE = 4, 8
"""Half MF from IN a depression to its Crest (B20.91)."""
LESS = 2
"""Half MF saved by who stays at the Crest as he enters (B20.91)."""
IN_GROWTH = {"woods": 6, "brush": 6, "orchard": 4}
"""Half MF to the Crest of a stream hex with such growth (B33.12)."""


class TakeCrest(Action, frozen=True):
    """The moving units go from IN their hex to its Crest, facing a hexside."""

    front: int


class EnterCrest(Action, frozen=True):
    """The moving units enter a hex and stay at its Crest, facing a hexside."""

    to: int
    front: int


class AdvanceToCrest(Action, frozen=True):
    """A unit goes from IN its hex to its Crest in the APh."""

    unit: str
    front: int


class SetUpAtCrest(Action, frozen=True):
    """A unit is set up at the Crest of a hex."""

    at: int
    front: int


class CrestTaken(Event, frozen=True):
    """Units have taken Crest status."""

    units: tuple[str, ...]
    at: str
    facing: str


# -- what is possible -------------------------------------------------------------------


def _ready(state: SquadState) -> tuple[list[Mover], list[Unit]]:
    """The moving units, if they are in one place and could go to a Crest."""
    movers = able_movers(state)
    units = [state.units[mover.id] for mover in movers]
    if not units or units[0].at < 0 or units[0].at in asl_ground(state).floors or not may_take(state, units):
        return [], []
    if any([unit.within not in ("", SHELLHOLES) for unit in units]) or has_enemy(state, units[0].at, units[0].side):
        return [], []
    return movers, units


def _offers(state: SquadState, frame: Move, side: str) -> Sequence[Action]:
    if not rules_of(state).of(CrestRules).crest_status or not setting_of(state).ground.floors:
        return ()
    movers, units = _ready(state)
    if not units:
        return ()
    allowed = allotments(state, movers)
    cell = units[0].at
    found: list[Action] = []
    if crest_of(state, cell) >= 0 and affordable(state, movers, allowed, up_cost(state, cell), road=False):
        found += [TakeCrest(front) for front in fronts(asl_ground(state), cell)]
    if stuck(state, movers) or any([mover.assault and mover.hexes for mover in movers]):
        return found
    for way in asl_ground(state).ways[cell]:
        cost = entry_cost(state, cell, way)
        free = cost and not has_enemy(state, way.to, side) and fits(state, way.to, side, units)
        free = free and part_bar(state, "enter", units, cell, way.to) is None
        if free and affordable(state, movers, allowed, cost, road=False):
            found += [EnterCrest(way.to, front) for front in _entry_fronts(state, way)]
    return found


def up_cost(state: SquadState, cell: int) -> int:
    """Half MF from IN a hex to its Crest (B20.91)."""
    return UP_IN_RUBBLE if asl_ground(state).kinds[cell].group == "rubble" else UP


def entry_cost(state: SquadState, cell: int, way: Way) -> int:
    """Half MF to enter a Crest over a hexside that no depression crosses, 0: it cannot be done (B20.91, B33.12)."""
    ground = asl_ground(state)
    back = (way.side + 3) % 6
    if crest_of(state, way.to) < 0 or way.all_mf or back not in fronts(ground, way.to):
        return 0
    kind, beds = ground.kinds[way.to], [name for _, name in ground.facts[way.to].bed]
    key = kind.name if kind.name in IN_GROWTH else kind.group
    if key in IN_GROWTH and any(["stream" in name for name in beds]):
        hexside = ground.hexsides[cell][way.side]
        return IN_GROWTH[key] + (round(2 * (terrain_table()[hexside].mf or 0)) if hexside else 0)
    return max(step_cost(state, way, road=False) + to_lip(ground, cell, way) - LESS, 2)


def to_lip(ground: AslGround, cell: int, way: Way) -> int:
    """Half MF by which the levels to the lip of a hex cost more than those down to its bed (B10.4, B10.51)."""
    there = replace(ground.facts[way.to], roads=())
    bed = level_cost(ground.facts[cell], way.side, there).mf or 0
    lip = level_cost(ground.facts[cell], way.side, replace(there, level=ground.level[ground.twins[way.to]])).mf or 0
    return round(2 * (lip - bed))


def _entry_fronts(state: SquadState, way: Way) -> Iterator[int]:
    """Fronts of who comes over a hexside: it is one of the three (ruling T-11)."""
    back = (way.side + 3) % 6
    bound = rules_of(state).of(CrestRules).crest_over_its_front
    for front in fronts(asl_ground(state), way.to):
        if not bound or back in ((front - 1) % 6, front, (front + 1) % 6):
            yield front


def _advances(state: SquadState, frame: AdvancePhase, side: str) -> Sequence[Action]:
    if side != state.attacker:
        return ()
    found: list[Action] = []
    ground = asl_ground(state)
    for cell in sorted(state.stacks):
        if crest_of(state, cell) < 0 or has_enemy(state, cell, side):
            continue
        for unit in units_at(state, cell, side):
            if not unit.within and may_advance(state, unit) and may_take(state, [unit]):
                found += [AdvanceToCrest(unit.id, front) for front in fronts(ground, cell)]
    return found


def _set_ups(state: SquadState, frame: SetUp, side: str) -> Sequence[Action]:
    if not frame.unit or not setting_of(state).ground.floors:
        return ()
    setting, unit = setting_of(state), state.units[frame.unit]
    if not may_take(state, [unit]) or unit.side != side:
        return ()
    cells = [cell for cell in setting.setup_areas[unit.group] if crest_of(state, cell) >= 0]
    return [
        SetUpAtCrest(cell, front)
        for cell in cells
        if may_place(state, unit.id, cell)
        for front in fronts(asl_ground(state), cell)
    ]


def enter_bar(state: SquadState, units: Sequence[Unit], frm: int, to: int) -> Bar | None:
    """A Crest is left over its own front, or down INTO the hex (B20.93)."""
    ground = asl_ground(state)
    if state.phase == "RtPh" and to in ground.twins and has_enemy(state, to, units[0].side):
        return f"An enemy is at the Crest of {name_of(state, to)}", "A10.51"
    if frm not in ground.floors or to == ground.floors[frm]:
        return None
    way = ground.way(frm, to)
    if way is not None and all([way.side in protected(state, unit) for unit in units]):
        return None
    return "Leave the Crest across its front, or go down INTO the hex first", "B20.93"


# -- what is done -----------------------------------------------------------------------


def _stand(play: Play[SquadState], who: Sequence[str], front: int) -> None:
    """Units at a Crest face a hexside from now on."""
    state = play.state
    present = tuple([name for name in who if name in state.units and at_crest(state, state.units[name])])
    for name in present:
        update(play, state.units[name], within=f"{CREST} {front}")
    if present:
        cell = asl_ground(state).floors[state.units[present[0]].at]
        play.emit(CrestTaken(units=present, at=name_of(state, cell), facing=facing(state, cell, front)))


def _take(play: Play[SquadState], frame: Move, side: str, action: TakeCrest) -> None:
    state = play.state
    who = tuple([mover.id for mover in able_movers(state)])
    cell = state.units[who[0]].at
    cost = up_cost(state, cell)
    spend(play, cost)
    for name in who:
        put(state, state.units[name], crest_of(state, cell))
    play.emit(MfSpent(units=who, at=name_of(state, cell), mf=cost / 2, what="goes up to the Crest"))
    _stand(play, who, action.front)
    mark_dm_near(play, crest_of(state, cell), side)
    play.push(Spent())


def _enter(play: Play[SquadState], frame: Move, side: str, action: EnterCrest) -> None:
    state = play.state
    who = tuple([mover.id for mover in able_movers(state)])
    cell = state.units[who[0]].at
    way = asl_ground(state).way(cell, action.to)
    assert way is not None
    who = leaving(play, who, cell, action.to, "moves")
    settle(play)
    if not who or state.outcome is not None:
        return
    cost = entry_cost(state, cell, way)
    if runs_into(play, who, action.to, cost):
        return
    enter(play, who, crest_of(state, action.to), cost)
    _stand(play, who, action.front)


def _advance(play: Play[SquadState], frame: AdvancePhase, side: str, action: AdvanceToCrest) -> None:
    state = play.state
    unit = state.units[action.unit]
    cell, place = unit.at, crest_of(state, unit.at)
    update(play, put(state, unit, place), advanced=True)
    _stand(play, (action.unit,), action.front)
    mark_dm_near(play, place, side)
    entered(play, (action.unit,), cell, place, "advances")


def _set_up(play: Play[SquadState], frame: SetUp, side: str, action: SetUpAtCrest) -> None:
    state = play.state
    unit = put(state, state.units[frame.unit], crest_of(state, action.at))
    update(play, unit, within=f"{CREST} {action.front}")
    play.replace(replace(frame, unit=""))
    secret = setting_of(state).secret_setup
    play.emit(Placed(unit=unit.id, at=name_of(state, unit.at), to=(unit.side,) if secret else None))


# -- words ------------------------------------------------------------------------------


def _who(state: SquadState) -> tuple[str, ...]:
    return tuple([mover.id for mover in able_movers(state)])


def _describe_take(state: SquadState, side: str, action: TakeCrest) -> Description:
    cell = state.units[_who(state)[0]].at
    text = f"Go up to the Crest, {facing(state, cell, action.front)}"
    cost = f"{up_cost(state, cell) / 2:g} MF"
    return Description(text, "move", _who(state), (name_of(state, cell),), rule="B20.91", cost=cost)


def _describe_enter(state: SquadState, side: str, action: EnterCrest) -> Description:
    cell, where = state.units[_who(state)[0]].at, name_of(state, action.to)
    way = asl_ground(state).way(cell, action.to)
    cost = f"{entry_cost(state, cell, way) / 2:g} MF" if way is not None else ""
    text = f"Enter {where} at the Crest, {facing(state, action.to, action.front)}"
    return Description(text, "move", _who(state), (where,), rule="B20.91", cost=cost)


def _describe_advance(state: SquadState, side: str, action: AdvanceToCrest) -> Description:
    cell = state.units[action.unit].at
    text = f"{short(state, action.unit)} goes up to the Crest, {facing(state, cell, action.front)}"
    return Description(text, "advance", (action.unit,), (name_of(state, cell),), rule="B20.91")


def _describe_set_up(state: SquadState, side: str, action: SetUpAtCrest) -> Description:
    where = name_of(state, action.at)
    frame = state.stack[-1]
    units = (frame.unit,) if isinstance(frame, SetUp) else ()
    text = f"Place it at the Crest of {where}, {facing(state, action.at, action.front)}"
    return Description(text, "setup", units, (where,), rule="B20.91")


OFFERED: dict[type[Frame], Any] = {Move: _offers, AdvancePhase: _advances, SetUp: _set_ups}


def _cell_of(state: SquadState, action: Any) -> int:
    """The hex whose Crest an action is about, -1: those who would take it cannot go to any."""
    if isinstance(action, TakeCrest):
        units = _ready(state)[1]
        return units[0].at if units else -1
    if isinstance(action, AdvanceToCrest):
        return state.units[action.unit].at if action.unit in state.units else -1
    return int(action.to if isinstance(action, EnterCrest) else action.at)


def _why_not(state: SquadState, side: str, action: Any) -> Bar | None:
    frame: Any = state.stack[-1]
    find = OFFERED.get(type(frame))
    if find is None or action in find(state, frame, side):
        return None
    if not rules_of(state).of(CrestRules).crest_status:
        return "This game is played without Crest status", "T-9"
    cell = _cell_of(state, action)
    if crest_of(state, cell) >= 0 and action.front not in fronts(asl_ground(state), cell):
        return "A front points towards a hexside that neither the depression crosses nor a cliff: choose one", "B20.91"
    if isinstance(action, TakeCrest) and cell >= 0 and crest_of(state, cell) >= 0:
        return f"Going up to the Crest costs {up_cost(state, cell) / 2:g} MF, which are not left", "B20.91"
    if isinstance(action, EnterCrest):
        return "The Crest cannot be entered over this hexside, or the MF or the room for it are lacking", "B20.91"
    return "Only Infantry without a Gun, IN a depression without a bridge or ford, may go to its Crest", "B20.9"


def _taken(state: SquadState, event: CrestTaken) -> str:
    verb = "are" if len(event.units) > 1 else "is"
    return f"{names(state, event.units)} {verb} at the Crest of {event.at}, {event.facing}"


PART = Part(
    offers=OFFERED,
    does={TakeCrest: _take, EnterCrest: _enter, AdvanceToCrest: _advance, SetUpAtCrest: _set_up},
    bars={"enter": enter_bar},
    describe={
        TakeCrest: _describe_take,
        EnterCrest: _describe_enter,
        AdvanceToCrest: _describe_advance,
        SetUpAtCrest: _describe_set_up,
    },
    why_not=dict.fromkeys((TakeCrest, EnterCrest, AdvanceToCrest, SetUpAtCrest), _why_not),
    words={CrestTaken: _taken},
)
