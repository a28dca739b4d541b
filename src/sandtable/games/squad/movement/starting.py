"""Movement Phase: who may move, and how a stack is put together (3.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.engine.part import Bar
from sandtable.engine.view import Description, Refusal
from sandtable.games.squad.ground.doors import part_bar
from sandtable.games.squad.ground.markers import change_units
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.stacks import cells_of, come_out, name_of, update
from sandtable.games.squad.movement.model import (
    AddMover,
    BeginMove,
    CancelMove,
    DoubleTime,
    Move,
    MoveBegan,
    MovementPhase,
    RemoveMover,
    StackDraft,
    StartMove,
)
from sandtable.games.squad.movement.portage import carried_pp, overloaded
from sandtable.games.squad.movement.switches import MovementRules
from sandtable.games.squad.part import Part, Phase
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.phases.sequence import end_phase
from sandtable.games.squad.pieces.model import NO_MARKER, Mover, Moving, SquadState, Unit

END, CANCEL, NORMAL, ASSAULT = EndPhase(), CancelMove(), BeginMove(), BeginMove(assault=True)


def _is_free(unit: Unit) -> bool:
    """It has not fired, is neither broken, pinned nor held in Melee, and its MPh is not over (3.3, G15)."""
    return not (unit.moved or unit.broken or unit.pinned or unit.melee or unit.marker != NO_MARKER or unit.used) and (
        unit.at >= 0 or unit.beside >= 0
    )


def movable(state: SquadState, units: Iterable[Unit]) -> list[Unit]:
    """Those of some units whom nothing bars from moving (3.3)."""
    free = [unit for unit in units if _is_free(unit)]
    if "move" not in setting_of(state).points.barred:
        return free
    return [unit for unit in free if part_bar(state, "move", unit) is None]


def may_move(state: SquadState, unit: Unit) -> bool:
    """Whether nothing bars it from moving (3.3, G15)."""
    return bool(movable(state, (unit,)))


def move_bar(state: SquadState, unit: Unit) -> Bar | None:
    """Why a unit may not move, with the rule (3.3, G15)."""
    if _is_free(unit):
        return part_bar(state, "move", unit)
    name = short(state, unit)
    if unit.broken:
        return f"{name} is broken: rally it in a Rally Phase, or let it rout", "3.3"
    if unit.melee:
        return f"{name} is held in Melee and can only fight on in the Close Combat Phase", "3.8"
    if unit.pinned:
        return f"{name} is pinned until the end of the Player Turn", "3.2.3"
    if unit.marker != NO_MARKER or unit.used:
        return f"{name} has fired in the Prep Fire Phase and stays where it is", "3.3"
    if unit.moved:
        return f"{name} has ended its Movement Phase; move another unit", "3.3"
    return f"{name} is not on the map and is not due to enter now", "3.3"


def together(state: SquadState, unit: Unit) -> list[Unit]:
    """Units that could move in one stack with this one."""
    if unit.at >= 0:
        others = [state.units[name] for name in state.stacks[unit.at]]
    else:
        others = [u for u in state.units.values() if u.at < 0 and u.beside == unit.beside]
    return movable(state, [u for u in others if u.side == unit.side and u.id != unit.id])


class Movement(Procedure[SquadState, MovementPhase]):
    """The ATTACKER picks units to move (3.3)."""

    def to_act(self, state: SquadState, frame: MovementPhase) -> tuple[str, ...]:
        return (state.attacker,)

    def actions(self, state: SquadState, frame: MovementPhase, side: str) -> Sequence[Action]:
        own = [unit for unit in state.units.values() if unit.side == side]
        found: list[Action] = [StartMove(unit.id) for unit in movable(state, own)]
        found.append(END)
        return found

    def apply(self, play: Play[SquadState], frame: MovementPhase, side: str, action: Action) -> None:
        if isinstance(action, StartMove):
            play.push(StackDraft((action.unit,)))
        else:
            end_phase(play)


class StackDrafting(Procedure[SquadState, StackDraft]):
    """The stack that will move: its units, who of them Double Times, Assault Movement or not (3.3)."""

    def to_act(self, state: SquadState, frame: StackDraft) -> tuple[str, ...]:
        return (state.attacker,)

    def actions(self, state: SquadState, frame: StackDraft, side: str) -> Sequence[Action]:
        units = state.units
        found: list[Action] = [NORMAL, ASSAULT]
        if len(frame.units) > 1:
            found += [RemoveMover(name) for name in frame.units]
        found += [AddMover(u.id) for u in together(state, units[frame.units[0]]) if u.id not in frame.units]
        if setting_of(state).rules.of(MovementRules).double_time:
            found += [
                DoubleTime(name)
                for name in frame.units
                if name not in frame.double and not units[name].exhausted and not units[name].wounded
            ]
        found.append(CANCEL)
        return found

    def apply(self, play: Play[SquadState], frame: StackDraft, side: str, action: Action) -> None:
        if isinstance(action, AddMover):
            play.replace(replace(frame, units=(*frame.units, action.unit)))
        elif isinstance(action, RemoveMover):
            units = tuple(name for name in frame.units if name != action.unit)
            play.replace(StackDraft(units, tuple(name for name in frame.double if name != action.unit)))
        elif isinstance(action, DoubleTime):
            play.replace(replace(frame, double=(*frame.double, action.unit)))
        elif isinstance(action, BeginMove):
            play.replace(Move())
            begin_move(play, frame, assault=action.assault)
        else:
            play.pop()


def begin_move(play: Play[SquadState], frame: StackDraft, *, assault: bool) -> None:
    """The stack starts its MPh; Double Timers become CX (3.3)."""
    state = play.state
    leaders = [name for name in frame.units if unit_kind(state, state.units[name]).leads]
    movers = []
    for name in frame.units:
        unit = come_out(play, state.units[name], "moves")
        if name in frame.double:
            unit = update(play, unit, cx=True)
        mmc = unit_kind(state, unit).mmc
        movers.append(
            Mover(
                name,
                start=unit.at if unit.at >= 0 else unit.beside,
                leader=leaders[0] if mmc and leaders else "",
                spent=already_spent(state, unit),
                assault=assault,
                double=name in frame.double,
                burden=unit.weapons,
            )
        )
    state.moving = Moving(tuple(movers), frame.units)
    state.shots.clear()
    first = state.units[frame.units[0]]
    where = name_of(state, first.at if first.at >= 0 else first.beside)
    play.emit(MoveBegan(units=frame.units, at=where, assault=assault, double=frame.double))


def already_spent(state: SquadState, unit: Unit) -> int:
    """Half MF that a group has spent off the map before it enters, by the scenario (3.3)."""
    if unit.at >= 0:
        return 0
    entry = setting_of(state).groups[unit.group].entry if unit.group else None
    return 2 * entry.mf_spent if entry is not None else 0


# -- words ------------------------------------------------------------------------------


def _start(state: SquadState, side: str, action: StartMove) -> Description:
    unit = state.units[action.unit]
    return Description(f"Move {short(state, unit)}", "move", (unit.id,), cells_of(state, unit), rule="3.3")


def _member(text: str) -> Any:
    def describe(state: SquadState, side: str, action: Any) -> Description:
        unit = state.units[action.unit]
        return Description(text.format(short(state, unit)), "move", (unit.id,), rule="3.3")

    return describe


def _begin(state: SquadState, side: str, action: BeginMove) -> Description:
    frame = state.stack[-1]
    units = frame.units if isinstance(frame, StackDraft) else ()
    most = ", not all MF" if setting_of(state).rules.of(MovementRules).assault_movement_needs_mf else ""
    how = f"by Assault Movement: one hex{most}" if action.assault else "step by step"
    return Description(f"Start moving {how}", "move", units, rule="3.3", key="a" if action.assault else "m")


def _start_bar(state: SquadState, side: str, action: StartMove) -> tuple[str, str] | None:
    unit = state.units.get(action.unit)
    if unit is None or unit.side != side or not isinstance(state.stack[-1], MovementPhase):
        return None
    return move_bar(state, unit)


def _double_bar(state: SquadState, side: str, action: DoubleTime) -> tuple[str, str] | None:
    unit = state.units.get(action.unit)
    if unit is None:
        return None
    if unit.exhausted:
        return f"{short(state, unit)} was CX at the start of this Movement Phase and may not Double Time in it", "3.3"
    if unit.wounded:
        return f"{short(state, unit)} is wounded and may not Double Time", "3.2.3"
    return None


def _refusals(state: SquadState, side: str, frame: MovementPhase) -> list[Refusal]:
    found = []
    for unit in state.units.values():
        if unit.side == side and unit.at >= 0 and (bar := move_bar(state, unit)) is not None:
            reason, rule = bar
            found.append(Refusal(f"Move {short(state, unit)}", reason, rule, (unit.id,)))
    return found


def _words_began(state: SquadState, event: MoveBegan) -> str:
    names = ", ".join(short(state, name) for name in event.units)
    how = " by Assault Movement" if event.assault else ""
    if event.double:
        some = ", ".join(short(state, name) for name in event.double)
        also = " also" if event.assault else ""
        if len(event.double) == len(event.units):
            how = " by Assault Movement and Double Time" if event.assault else " by Double Time"
        else:
            how += f", {some}{also} by Double Time"
    return f"{names} in {event.at} move{'s' if len(event.units) == 1 else ''}{how}"


def _start_movement(play: Play[SquadState]) -> None:
    """CX counters come off at the start of the MPh, but forbid Double Time in it (3.3)."""
    state = play.state
    tired = [unit for unit in state.units.values() if unit.cx and unit.side == state.attacker]
    change_units(state, tired, cx=False, exhausted=True)


def _end_movement(play: Play[SquadState]) -> None:
    """Nobody moves any more, and nobody has fired at movers."""
    state = play.state
    state.moving = None
    state.shots.clear()


PART = Part(
    phases={"MPh": Phase(MovementPhase, after="PFPh")},
    begins={"MPh": _start_movement},
    ends={"MPh": _end_movement},
    procedures={MovementPhase: Movement(), StackDraft: StackDrafting()},
    describe={
        StartMove: _start,
        AddMover: _member("{} moves along"),
        RemoveMover: _member("Leave {} behind"),
        DoubleTime: _member("{} will Double Time (+2 MF, becomes CX)"),
        BeginMove: _begin,
        CancelMove: lambda state, side, action: Description("Do not move this stack", "cancel", key="Escape"),
    },
    why_not={StartMove: _start_bar, DoubleTime: _double_bar},
    refusals={MovementPhase: _refusals},
    words={MoveBegan: _words_began},
    prompts={
        MovementPhase: lambda state, frame: ("Pick a unit to move", "3.3"),
        StackDraft: lambda state, frame: ("Choose who moves along and how", "3.3"),
    },
)

__all__ = ["PART", "begin_move", "carried_pp", "may_move", "move_bar", "overloaded", "together"]
