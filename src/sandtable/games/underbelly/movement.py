"""Movement (12.0): movement factors, groups on the move, landing, port to port, leaving the map."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure, Tally
from sandtable.engine.part import Part
from sandtable.games.underbelly.actions import Exit, Go, Halt, Leave, PortMove
from sandtable.games.underbelly.after_command import finish_command
from sandtable.games.underbelly.atlas import BIT, INDEX, NAMES, NORTH_BITS, Pieces, pick
from sandtable.games.underbelly.data import ALLIED, GERMAN
from sandtable.games.underbelly.events import Allowance, EndRunJoined, Exited
from sandtable.games.underbelly.model import (
    AIRBORNE,
    COASTAL_SUPPLY,
    CROSS,
    END_RUN_BOX,
    GERMAN_BOX,
    GONE,
    HISTORICAL,
    OOS,
    SUPPLIED,
    AttackChoice,
    Moving,
    UnderbellyState,
)
from sandtable.games.underbelly.places import relocate
from sandtable.games.underbelly.reach import Reach, reach
from sandtable.games.underbelly.stacking import exempt, is_mixed, may_end, mixed_penalty
from sandtable.games.underbelly.supply import supply_at
from sandtable.games.underbelly.victory import forfeit, judge_exit
from sandtable.games.underbelly.zones import UNITS, Field, field

_GO: Pieces[Action] = Pieces([Go(name) for name in NAMES])
HALT = Halt()


def hesitation(state: UnderbellyState) -> bool:
    """Whether the British hesitate in this turn (5.5)."""
    return state.scenario == HISTORICAL and 2 <= state.turn <= 5


def hesitant(state: UnderbellyState, unit: str) -> bool:
    """Whether British hesitancy slows the unit (5.5)."""
    return UNITS[unit].group == "british" and hesitation(state)


def movement_tally(
    state: UnderbellyState, now: Field, unit: str, kind: str, rolled: int, together: Sequence[str]
) -> Tally:
    """A unit's movement factor for one activation (2.11, 12.1), item by item."""
    at = state.at[unit]
    type_ = UNITS[unit]
    mf = min(rolled, 8) if type_.mf == 0 else type_.mf
    items: list[tuple[str, float, str]] = [("die for the question mark" if type_.mf == 0 else "printed", mf, "2.11")]
    if kind == "column":
        items.append(("column movement", mf, "12.7"))
        mf *= 2
    if hesitant(state, unit):
        items.append(("British hesitancy", mf // 2 - mf, "5.5"))
        mf //= 2
    # a fight-move began in overland supply, and that lasts through the activation (9.7, 11.2)
    supply = SUPPLIED if kind == "fight-move" else supply_at(state, now, type_.side, type_.group, at)
    if supply in (OOS, COASTAL_SUPPLY):
        name, rule = ("out of supply", "11.5") if supply == OOS else ("coastal supply", "11.6")
        items.append((name, mf // 2 - mf, rule))
        mf //= 2
    if type_.side == ALLIED:
        here = now.stack(at) if at in INDEX else together
        free = exempt(state, at, here)
        mixed = mixed_penalty(state, now, at) if at in INDEX else is_mixed(together)
        if mixed:
            items.append(("mixed stack", -1, "6.4"))
        if supply == CROSS and not free:
            items.append(("supplied by the other grouping", -1, "11.3"))
    return Tally.of(f"Movement of {type_.name}", items)


def start_move(
    play: Play[UnderbellyState], side: str, kind: str, at: str, units: Sequence[str], *, must_enter: bool = False
) -> Moving:
    """Activate units for a move: roll for question marks and fix everybody's movement factor (2.12, 11.2)."""
    state = play.state
    now = field(state)
    left: list[int] = []
    for unit in units:
        rolled = 0
        if UNITS[unit].mf == 0:
            (rolled,) = play.roll(10, 1, f"Movement of {UNITS[unit].name}", by=side)
        mf = int(movement_tally(state, now, unit, kind, rolled, units).total)
        if rolled:
            play.emit(Allowance(unit=unit, mf=mf))
        left.append(mf)
    moving = Moving(side, kind, at, at, tuple(units), tuple(left), must_enter=must_enter)
    play.push(moving)
    return moving


def may_exit(state: UnderbellyState, frame: Moving) -> bool:
    """Whether the group may leave the map here (4.1, 8.16, 8.18, 10.5, 12.9)."""
    h = INDEX.get(frame.at)
    if h is None or not NORTH_BITS & BIT[h] or min(frame.left) < 1:
        return False
    if frame.side == ALLIED:
        barred = state.dropped and AIRBORNE in frame.group
        return frame.kind == "move" and not barred
    if frame.kind not in ("move", "column"):
        return False
    run = state.end_run
    if run.demanded:
        return True
    return bool(run.launched) and not run.over and all(UNITS[u].group == "10" for u in frame.group)


def port_moves(state: UnderbellyState, frame: Moving, now: Field) -> list[str]:
    """Ports to which the group may go by sea (12.5)."""
    if frame.side != ALLIED or frame.started or frame.kind != "move" or frame.at not in state.ports:
        return []
    return [at for at in state.ports if at != frame.at and may_end(now, at, frame.group)]


class MovingProcedure(Procedure[UnderbellyState, Moving]):
    """A group moves as far as its player likes (12.1, 12.4)."""

    def to_act(self, state: UnderbellyState, frame: Moving) -> tuple[str, ...]:
        return (frame.side,)

    def actions(self, state: UnderbellyState, frame: Moving, side: str) -> Sequence[Action]:
        found = reach(state, frame)
        actions: list[Action] = pick(found.ends, _GO)
        in_box = frame.at not in INDEX
        actions += [PortMove(at) for at in port_moves(state, frame, field(state))]
        if may_exit(state, frame):
            actions.append(Exit())
        if len(frame.group) > 1 and not (in_box and frame.must_enter):
            together = frame.kind in ("move-fight", "fight-move")
            if not (together and frame.started):
                actions += [Leave(unit) for unit in frame.group]
        if not (in_box and frame.must_enter and found.ends):
            actions.append(HALT)
        return actions

    def apply(self, play: Play[UnderbellyState], frame: Moving, side: str, action: Action) -> None:
        if isinstance(action, Go):
            self._go(play, frame, INDEX[action.to])
        elif isinstance(action, Leave):
            self._leave(play, frame, action.unit)
        elif isinstance(action, PortMove):
            relocate(play, frame.group, action.to)
            end_group(play, replace(frame, at=action.to, started=True))
        elif isinstance(action, Exit):
            self._exit(play, frame)
        else:
            if frame.must_enter and frame.at not in INDEX:
                rule = "8.6" if frame.at == GERMAN_BOX else "8.8"
                forfeit(play.state, GERMAN, "The corps cannot enter the map as ordered", rule)
            end_group(play, frame)

    def _go(self, play: Play[UnderbellyState], frame: Moving, to: int) -> None:
        state = play.state
        now = field(state)
        found: Reach = reach(state, frame, now)
        now = relocate(play, frame.group, NAMES[to], found.way(to)[:-1], now)
        if state.outcome is not None:
            return
        cost = found.cost(to)
        before = frame.left
        landed = frame.landed
        if frame.side == ALLIED and frame.at not in INDEX:
            cost, before = _ashore(frame, cost)
            landed = True
        left = tuple([points - cost[UNITS[unit].mobility] for unit, points in zip(frame.group, before, strict=True)])
        moved = replace(frame, at=NAMES[to], left=left, started=True, landed=landed)
        if now.in_ezoc(frame.side, NAMES[to]) or max(left) <= 0:
            end_group(play, moved)
        elif min(left) > 0:
            play.replace(moved)
        elif frame.kind in ("move", "column"):  # those who are spent stay here
            on = [n for n, points in enumerate(left) if points > 0]
            group, points = tuple([frame.group[n] for n in on]), tuple([left[n] for n in on])
            play.replace(replace(moved, group=group, left=points))
        else:
            end_group(play, moved)

    def _leave(self, play: Play[UnderbellyState], frame: Moving, unit: str) -> None:
        n = frame.group.index(unit)
        group, left = frame.group[:n] + frame.group[n + 1 :], frame.left[:n] + frame.left[n + 1 :]
        if frame.started or frame.kind in ("move-fight", "fight-move"):
            play.replace(replace(frame, group=group, left=left))
        else:
            waiting, allowance = (*frame.waiting, unit), (*frame.allowance, frame.left[n])
            play.replace(replace(frame, group=group, left=left, waiting=waiting, allowance=allowance))

    def _exit(self, play: Play[UnderbellyState], frame: Moving) -> None:
        state = play.state
        if frame.side == ALLIED:
            relocate(play, frame.group, GONE)
            play.emit(Exited(units=frame.group, at=frame.at))
            judge_exit(state)
            return
        run = state.end_run
        if run.demanded:
            steps = sum(state.steps[unit] for unit in frame.group)
            state.end_run = replace(run, demanded=max(0, run.demanded - steps))
            relocate(play, frame.group, GONE)
            play.emit(Exited(units=frame.group, at=frame.at))
        else:
            relocate(play, frame.group, END_RUN_BOX)
            play.emit(EndRunJoined(side=GERMAN, units=frame.group))
        end_group(play, frame)


def _ashore(frame: Moving, cost: dict[str, int]) -> tuple[dict[str, int], tuple[int, ...]]:
    """(cost of the way beyond the port by mobility, points left after landing): each pays half of its own (12.6)."""
    beyond = {}
    for mobility, spent in cost.items():
        least = min(p for u, p in zip(frame.group, frame.left, strict=True) if UNITS[u].mobility == mobility)
        beyond[mobility] = spent - (least - least // 2)
    return beyond, tuple(points // 2 for points in frame.left)


def end_group(play: Play[UnderbellyState], frame: Moving) -> None:
    """The group has finished; the others that were activated may move now (9.4)."""
    state = play.state
    if frame.waiting and frame.kind in ("move", "column"):
        play.replace(
            replace(
                frame,
                at=frame.origin,
                group=frame.waiting,
                left=frame.allowance,
                waiting=(),
                allowance=(),
                started=False,
                landed=False,
            )
        )
        return
    if frame.kind == "move-fight" and frame.at in INDEX and any(state.at[u] == frame.at for u in frame.group):
        play.replace(AttackChoice(frame.side, frame.at, frame.group))
        return
    play.pop()
    finish_command(play)


PART: Part[UnderbellyState] = Part(procedures={Moving: MovingProcedure()})
