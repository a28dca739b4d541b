"""The oracle of movement at squad level: where units may move, rout and advance, against the text (3.3, 3.6, 3.7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sandtable.games.squad.combat.model import AddAdvancer, AdvanceDraft, AdvancePhase, AdvanceTo, StartAdvance
from sandtable.games.squad.combat.switches import CombatRules
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.switches import GroundRules
from sandtable.games.squad.movement.model import (
    AddMover,
    BeginMove,
    CancelMove,
    Detach,
    DoubleTime,
    ExitMap,
    Move,
    MovementPhase,
    RemoveMover,
    SmokeGrenade,
    StackDraft,
    StartMove,
    Step,
    StepAside,
    Stop,
)
from sandtable.games.squad.movement.switches import MovementRules
from sandtable.games.squad.phases.model import Done, EndPhase
from sandtable.games.squad.phases.switches import PhaseRules
from sandtable.games.squad.pieces.model import NO_MARKER, Mover, SquadState, Unit
from sandtable.games.squad.rout.model import EndRout, LowCrawl, Rout, RoutPhase, RoutStep, StartRout, TakeLeader
from sandtable.oracles import squad_routs
from sandtable.oracles.squad_march import (
    Walker,
    can_spend,
    has_room,
    here,
    holds_gun,
    ipc,
    is_building,
    is_inexperienced,
    is_leader,
    is_mmc,
    is_open,
    known_enemy_in,
    neighbours,
    off_map_mf,
    pp_of,
    readings,
    road_between,
    road_leaves_map,
    smoke_in,
    stacked_size,
    step_mf,
    terrain_mf,
    ways,
)

GAMES: tuple[str, ...] = ("aslsk2", "aslguide")


def differences(state: SquadState, side: str, legal: Sequence[Any]) -> list[str] | None:
    """Where the offers of a move, a rout or an advance differ from the text."""
    frame = state.stack[-1]
    if isinstance(frame, MovementPhase):
        return _movement_phase(state, side, legal)
    if isinstance(frame, StackDraft):
        return _draft(state, frame, legal)
    if isinstance(frame, Move):
        return _move(state, side, legal)
    if isinstance(frame, RoutPhase):
        return _rout_phase(state, side, frame, legal)
    if isinstance(frame, Rout):
        return _rout(state, frame, legal)
    if isinstance(frame, AdvancePhase):
        return _compare(state, "advance with", _advancers(state, side), _of(legal, StartAdvance, "unit"))
    if isinstance(frame, AdvanceDraft):
        return _advance(state, frame, legal)
    return None


def _of(legal: Sequence[Any], kind: type, *names: str) -> set[Any]:
    """What the legal actions of a kind name."""
    chosen = [action for action in legal if isinstance(action, kind)]
    return {getattr(a, names[0]) if len(names) == 1 else tuple(getattr(a, name) for name in names) for a in chosen}


def _compare(state: SquadState, what: str, text: Iterable[Any], offered: set[Any]) -> list[str]:
    """One sentence for each thing that only one of the two allows."""
    allowed = set(text)
    found = [f"{what} {_named(state, one)} is offered against the text" for one in offered - allowed]
    return sorted(found + [f"{what} {_named(state, one)} is missing" for one in allowed - offered])


def _named(state: SquadState, one: Any) -> str:
    names = setting_of(state).ground.names
    if isinstance(one, tuple):
        return " ".join(_named(state, part) for part in one)
    if isinstance(one, bool):
        return "by road" if one else "off road"
    return names[one] if isinstance(one, int) else str(one)


# -- the Movement Phase -------------------------------------------------------------------


def _may_move(unit: Unit) -> bool:
    """Not fired in the PFPh, neither broken, pinned nor in Melee, not moved yet, on the map or about to enter (3.3)."""
    fired = unit.marker != NO_MARKER or unit.used
    free = not (unit.broken or unit.pinned or unit.melee or unit.moved or fired)
    return free and (unit.at >= 0 or unit.beside >= 0)


def _movement_phase(state: SquadState, side: str, legal: Sequence[Any]) -> list[str]:
    movers = [unit.id for unit in state.units.values() if unit.side == side and _may_move(unit)]
    found = _compare(state, "move", movers, _of(legal, StartMove, "unit"))
    return found if EndPhase() in legal else [*found, "the phase may not be ended"]


def _draft(state: SquadState, frame: StackDraft, legal: Sequence[Any]) -> list[str]:
    first = state.units[frame.units[0]]
    others = [unit.id for unit in here(state, first) if _may_move(unit) and unit.id not in frame.units]
    found = _compare(state, "take along", others, _of(legal, AddMover, "unit"))
    leave = frame.units if len(frame.units) > 1 else ()
    found += _compare(state, "leave", leave, _of(legal, RemoveMover, "unit"))
    quick = []
    if setting_of(state).rules.of(MovementRules).double_time:
        units = [state.units[name] for name in frame.units if name not in frame.double]
        quick = [unit.id for unit in units if not unit.exhausted and not unit.wounded]
    found += _compare(state, "Double Time of", quick, _of(legal, DoubleTime, "unit"))
    needed = (BeginMove(), BeginMove(assault=True), CancelMove())
    return found + [f"{action} is missing" for action in needed if action not in legal]


@dataclass
class Diary:
    """What was seen of the present move: items given up after MF were spent, and who has been Inexperienced."""

    key: object = None
    lost: dict[str, int] = field(default_factory=dict)
    green: set[str] = field(default_factory=set)
    held: dict[str, dict[str, int]] = field(default_factory=dict)


_DIARY = Diary()


def _write_diary(state: SquadState, movers: Sequence[Mover]) -> Diary | None:
    """Bring the diary up to date; None if the beginning of this move was not seen."""
    moving = state.moving
    assert moving is not None
    key = (state.setting, state.turn, state.attacker, tuple((mover.id, mover.start) for mover in moving.movers))
    if all(not mover.hexes and not mover.here for mover in moving.movers):
        held = _DIARY.held if _DIARY.key == key else {}
        _DIARY.key, _DIARY.lost, _DIARY.green, _DIARY.held = key, {}, set(), held
    if _DIARY.key != key:
        return None
    for mover in movers:
        unit = state.units[mover.id]
        now = {name: weapon_kind(state.weapons[name]).pp for name in unit.weapons}
        gone = {name: pp for name, pp in _DIARY.held.get(mover.id, {}).items() if name not in now}
        if mover.spent:
            _DIARY.lost[mover.id] = _DIARY.lost.get(mover.id, 0) + sum(gone.values())
        _DIARY.held[mover.id] = now
        if is_mmc(state, unit) and is_inexperienced(state, unit):
            _DIARY.green.add(mover.id)
    return _DIARY


def _walkers(state: SquadState, movers: Sequence[Mover]) -> list[Walker]:
    diary = _write_diary(state, movers)
    found = []
    for mover in movers:
        unit = state.units[mover.id]
        lost = diary.lost.get(mover.id, 0) if diary is not None else mover.dropped_pp
        found.append(
            Walker(
                unit,
                spent=mover.spent / 2,
                double=mover.double,
                carried=pp_of(state, unit) + lost,
                inexperienced=mover.id in diary.green if diary is not None else mover.green,
                on_road=mover.road and not mover.hazardous,
                assault=mover.assault,
            )
        )
    return found


def _held_back(state: SquadState, movers: Sequence[Mover]) -> bool:
    """A Gun, more than two PP on a leader, or a weapon that somebody else has moved keeps the stack (4.0, 6.5)."""
    for mover in movers:
        unit = state.units[mover.id]
        if holds_gun(state, unit) or (not is_mmc(state, unit) and pp_of(state, unit) > 2):
            return True
        if any(state.weapons[name].moved and name not in mover.burden for name in unit.weapons):
            return True
    return False


def _move(state: SquadState, side: str, legal: Sequence[Any]) -> list[str]:
    moving = state.moving
    assert moving is not None
    movers = [mover for mover in moving.movers if mover.id in moving.active and mover.id in state.units]
    movers = [m for m in movers if not (m.ended or state.units[m.id].broken or state.units[m.id].pinned)]
    walkers = _walkers(state, movers)
    units = [walker.unit for walker in walkers]
    steps: set[tuple[int, bool]] = set()
    aside: set[int] = set()
    exits = False
    if not _held_back(state, movers):
        if units[0].at < 0:
            steps, aside = _enter(state, walkers)
        elif not any(mover.assault and mover.hexes for mover in movers):
            steps = _steps(state, walkers)
            exits = _may_exit(state, walkers)
    found = _compare(state, "enter", steps, _of(legal, Step, "to", "road"))
    found += _compare(state, "go along the edge to", aside, _of(legal, StepAside, "to"))
    found += _compare(state, "exit", ["the map"] if exits else [], {"the map"} if ExitMap() in legal else set())
    found += _compare(state, "detach", _may_part(state, walkers), _of(legal, Detach, "unit"))
    if units[0].at >= 0:
        found += _compare(state, "smoke", _smoke(state, movers, walkers), _of(legal, SmokeGrenade, "unit", "at"))
    return found if Stop() in legal else [*found, "the move may not be ended"]


def _steps(state: SquadState, walkers: Sequence[Walker]) -> set[tuple[int, bool]]:
    """Hexes without a known enemy, with room for all, that all have the MF for (3.3)."""
    units = [walker.unit for walker in walkers]
    free = setting_of(state).rules.of(PhaseRules).stacking_at_phase_end
    return {
        (to, road)
        for to, road, cost in ways(state, units[0].at)
        if not known_enemy_in(state, to, units[0].side)
        and (free or has_room(state, to, units))
        and can_spend(state, walkers, cost, road=road)
    }


def _enter(state: SquadState, walkers: Sequence[Walker]) -> tuple[set[tuple[int, bool]], set[int]]:
    """From off board: onto the map, or on along the edge within the group's entry area (3.3, ruling M-1)."""
    units = [walker.unit for walker in walkers]
    first = units[0]
    cell = first.beside
    smoke = 1 if smoke_in(state, cell) else 0
    steps = set()
    if not known_enemy_in(state, cell, first.side) and has_room(state, cell, units):
        road = road_leaves_map(state, cell)
        cost = terrain_mf(state, cell)
        if road and can_spend(state, walkers, smoke + (cost if is_building(state, cell) else 1), road=True):
            steps.add((cell, True))
        if not (road and is_open(state, cell)) and can_spend(state, walkers, smoke + cost, road=False):
            steps.add((cell, False))
    if any(walker.assault for walker in walkers):
        return steps, set()
    setting = setting_of(state)
    edge = state.entered.get(first.group, "")
    area = setting.edges_of(first.group).get(edge) or setting.entry_areas[first.group]
    aside = {to for _, to in neighbours(state, cell) if to in area and _room_beside(state, to, units)}
    return steps, {to for to in aside if can_spend(state, walkers, off_map_mf(state, to), road=False)}


def _room_beside(state: SquadState, cell: int, units: Sequence[Unit]) -> bool:
    """Stacking limits hold off board (ruling M-1)."""
    names = {unit.id for unit in units}
    there = [u for u in state.units.values() if u.at < 0 and u.beside == cell and u.side == units[0].side]
    squads, leaders = stacked_size(state, [*[u for u in there if u.id not in names], *units])
    return squads <= 3 and leaders <= 4


def _may_exit(state: SquadState, walkers: Sequence[Walker]) -> bool:
    """Off the map where the victory conditions reward it (3.3, ruling M-3)."""
    unit = walkers[0].unit
    if unit.at not in setting_of(state).exits.get(unit.side, ()):
        return False
    return can_spend(state, walkers, off_map_mf(state, unit.at), road=road_leaves_map(state, unit.at))


def _may_part(state: SquadState, walkers: Sequence[Walker]) -> list[str]:
    """Who may be left by the others: nobody has spent more than he has without them (3.3, ruling M-6)."""
    if len(walkers) < 2:
        return []
    found = []
    for walker in walkers:
        rest = [other for other in walkers if other is not walker]
        if _within(state, rest) and _within(state, [walker]):
            found.append(walker.unit.id)
    return found


def _within(state: SquadState, walkers: Sequence[Walker]) -> bool:
    for mf in readings(state, walkers):
        if all(w.spent <= own + (1 if w.on_road else 0) for w, own in zip(walkers, mf, strict=True)):
            return True
    return False


def _smoke(state: SquadState, movers: Sequence[Mover], walkers: Sequence[Walker]) -> set[tuple[str, int]]:
    """Smoke grenades for one MF in the own hex or two in an adjacent one, once in a MPh (3.3)."""
    if not setting_of(state).rules.of(GroundRules).smoke:
        return set()
    cells = []
    cell = walkers[0].unit.at
    if can_spend(state, walkers, 1, road=False):
        cells.append(cell)
    if can_spend(state, walkers, 2, road=False):
        cells += [to for _, to in neighbours(state, cell)]
    able = [m.id for m in movers if not m.smoke and unit_kind(state, state.units[m.id]).smoke]
    return {(name, to) for name in able for to in cells}


# -- the Rout Phase -----------------------------------------------------------------------


def _rout_phase(state: SquadState, side: str, frame: RoutPhase, legal: Sequence[Any]) -> list[str]:
    units = [u for u in state.units.values() if u.side == side and u.id not in frame.done]
    able = [unit for unit in units if squad_routs.may_rout(state, unit)]
    found = _compare(state, "rout", [unit.id for unit in able], _of(legal, StartRout, "unit"))
    done = not any(squad_routs.must_rout(state, unit) for unit in able)
    return found + _compare(state, "end", ["routing"] if done else [], {"routing"} if Done() in legal else set())


@dataclass
class Flight:
    """What was seen of the present rout."""

    key: object = None
    seen: frozenset[int] = frozenset()
    goals: frozenset[int] = frozenset()
    reached: bool = False


_FLIGHT = Flight()


def _rout(state: SquadState, frame: Rout, legal: Sequence[Any]) -> list[str]:
    units = [state.units[name] for name in (frame.unit, *frame.leaders) if name in state.units]
    unit = units[0]
    found: list[str] = []
    if not frame.hexes:
        found += _compare(state, "take along", _companions(state, frame, unit), _of(legal, TakeLeader, "leader"))
        if any(pp_of(state, one) > ipc(state, one) for one in units):
            offered = _of(legal, RoutStep, "to") | _of(legal, LowCrawl, "to")
            return found + _compare(state, "rout overloaded to", (), offered)
    key = (state.setting, state.turn, state.attacker, frame.unit, frame.start)
    fresh, known = not frame.hexes, _FLIGHT.key == key
    seen = frozenset() if fresh else _FLIGHT.seen if known else frozenset(frame.seen)
    goals = None if fresh else _FLIGHT.goals if known else frozenset(frame.goals)
    verdict = squad_routs.judge(
        state,
        units,
        start=frame.start,
        seen=seen,
        spent=frame.spent / 2,
        moved=not fresh,
        goals=goals,
        reached=not fresh and (_FLIGHT.reached if known else frame.reached),
    )
    _FLIGHT.key = key
    _FLIGHT.seen = seen | squad_routs.seen_from(state, unit.at, unit.side)
    _FLIGHT.reached = not fresh and (_FLIGHT.reached or unit.at in (goals or ()) or unit.at in verdict.goals)
    _FLIGHT.goals = verdict.goals
    found += _compare(state, "rout to", verdict.steps, _of(legal, RoutStep, "to", "road"))
    found += _compare(state, "crawl to", verdict.crawls, _of(legal, LowCrawl, "to"))
    stop = ["here"] if verdict.may_stop else []
    return found + _compare(state, "stop", stop, {"here"} if EndRout() in legal else set())


def _companions(state: SquadState, frame: Rout, unit: Unit) -> list[str]:
    """Unbroken, unpinned leaders of the hex who have not routed yet (3.6, ruling P-16)."""
    phase = state.stack[0]
    gone = phase.done if isinstance(phase, RoutPhase) else ()
    leaders = [other for other in here(state, unit) if is_leader(state, other) and other.good_order]
    return [o.id for o in leaders if not o.pinned and o.id not in frame.leaders and o.id not in gone]


# -- the Advance Phase --------------------------------------------------------------------


def _may_advance(state: SquadState, unit: Unit) -> bool:
    """Good Order, unpinned, once, not after manhandling, without a Gun or too much on a leader (3.7, 6.5, 4.0)."""
    if not unit.good_order or unit.pinned or unit.advanced or unit.hazardous:
        return False
    if unit.at < 0 and unit.beside < 0:
        return False
    return not holds_gun(state, unit) and (is_mmc(state, unit) or pp_of(state, unit) <= 2)


def _advancers(state: SquadState, side: str) -> list[str]:
    return [unit.id for unit in state.units.values() if unit.side == side and _may_advance(state, unit)]


def _advance(state: SquadState, frame: AdvanceDraft, legal: Sequence[Any]) -> list[str]:
    units = [state.units[name] for name in frame.units]
    first = units[0]
    rules = setting_of(state).rules
    walkers = [Walker(unit, carried=pp_of(state, unit)) for unit in units]
    goals = set()
    for to, cost in _advance_mf(state, first).items():
        if not rules.of(PhaseRules).stacking_at_phase_end and not has_room(state, to, units):
            continue
        tired = rules.of(CombatRules).advance_cx and any(unit.cx for unit in units)
        if not tired or any(
            all(cost < own for unit, own in zip(units, mf, strict=True) if unit.cx) for mf in readings(state, walkers)
        ):
            goals.add(to)
    others = [one.id for one in here(state, first) if _may_advance(state, one) and one.id not in frame.units]
    found = _compare(state, "advance to", goals, _of(legal, AdvanceTo, "to"))
    return found + _compare(state, "advance along with", others, _of(legal, AddAdvancer, "unit"))


def _advance_mf(state: SquadState, unit: Unit) -> dict[int, float]:
    """The adjacent hexes with the fewest MF that entering them would cost (3.7)."""
    if unit.at < 0:
        cell = unit.beside
        along = road_leaves_map(state, cell) and not is_building(state, cell)
        return {cell: (1.0 if along else terrain_mf(state, cell)) + (1 if smoke_in(state, cell) else 0)}
    found = {}
    for side, to in neighbours(state, unit.at):
        cost = step_mf(state, unit.at, side, to, road=False)
        if road_between(state, unit.at, side, to):
            cost = min(cost, step_mf(state, unit.at, side, to, road=True))
        found[to] = cost
    return found
