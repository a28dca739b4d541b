"""Rout Phase: broken units run for cover, are interdicted, or are eliminated for failure to rout (3.6)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.games.squad.effects.morale import (
    Loss,
    break_unit,
    helper_of,
    leader_loss,
    morale_check,
    put_under_dm,
    remove,
)
from sandtable.games.squad.ground import guns
from sandtable.games.squad.ground.knowledge import concealed
from sandtable.games.squad.ground.setting import rules_of, setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.sight import hindered, known_enemies, sees
from sandtable.games.squad.ground.stacks import (
    drop,
    eliminate,
    has_enemy,
    mark_dm_near,
    met,
    name_of,
    put,
    units_at,
)
from sandtable.games.squad.movement.model import DropWeapon
from sandtable.games.squad.movement.portage import capacity, carried_pp
from sandtable.games.squad.movement.steps import entered, leaving
from sandtable.games.squad.part import Part, Phase
from sandtable.games.squad.phases.model import Done
from sandtable.games.squad.phases.sequence import end_phase
from sandtable.games.squad.phases.victory import check_at_once
from sandtable.games.squad.pieces.model import Mover, SquadState, Unit
from sandtable.games.squad.rout.interdiction import interdictors
from sandtable.games.squad.rout.model import (
    CancelRout,
    Claim,
    ClaimInterdiction,
    EndRout,
    Interdicted,
    LetGo,
    LowCrawl,
    Rout,
    RoutBegan,
    Routed,
    RoutEnded,
    RoutPhase,
    RoutStep,
    StartRout,
    TakeLeader,
    VoluntaryBreak,
)
from sandtable.games.squad.rout.paths import Foes, can_rout, options, rout_mf, routing_units
from sandtable.games.squad.rout.switches import RoutRules

DONE, END, CANCEL, LET_GO = Done(), EndRout(), CancelRout(), LetGo()


# -- who must and who may ---------------------------------------------------------------


def must_rout(state: SquadState, unit: Unit) -> bool:
    """Beside an unbroken Known enemy, or in the open where it could be interdicted (3.6)."""
    if not unit.broken or unit.melee or unit.at < 0 or may_remain(state, unit):
        return False
    return beside_unbroken(state, unit) or in_danger(state, unit)


def may_remain(state: SquadState, unit: Unit) -> bool:
    """Whether a part lets a broken unit stay where others would have to rout."""
    return any([remains(state, unit) for remains in setting_of(state).points.remains])


def beside_unbroken(state: SquadState, unit: Unit) -> bool:
    """Whether an unbroken known enemy is adjacent or in the same hex (3.6)."""
    units, stacks = state.units, state.stacks
    more = hindered(state)
    for cell in (unit.at, *setting_of(state).ground.beside[unit.at]):
        if cell not in stacks or (more and not sees(state, cell, unit.at)):
            continue
        for name in stacks[cell]:
            other = units[name]
            if other.side != unit.side and not other.broken and not concealed(state, other):
                return True
    return False


def in_danger(state: SquadState, unit: Unit) -> bool:
    """In Open Ground where a Good Order enemy could interdict it if it were routing there (3.6)."""
    wide = rules_of(state).of(RoutRules).any_range_forces_rout
    return next(interdictors(state, unit.at, unit.side, pinned_too=wide), None) is not None


def may_rout(unit: Unit) -> bool:
    """Broken units under DM that are not held in Melee may rout (3.6)."""
    return unit.broken and unit.dm and not unit.melee and unit.at >= 0


def _threatened(state: SquadState, unit: Unit) -> bool:
    """Whether unbroken enemies are beside a unit, or see it within their normal range; none is in its hex (G25)."""
    if has_enemy(state, unit.at, unit.side):
        return False
    if beside_unbroken(state, unit):
        return True
    ranges = setting_of(state).ground.ranges[unit.at]
    for enemy in known_enemies(state, unit.at, unit.side):
        if not enemy.broken and ranges[enemy.at] <= _normal_range(state, enemy):
            return True
    return False


def _normal_range(state: SquadState, unit: Unit) -> int:
    """Normal range of a unit with the machine guns it holds (G25)."""
    return max([unit_kind(state, unit).range, *(weapon_kind(state.weapons[name]).range for name in unit.weapons)])


class RoutingPhase(Procedure[SquadState, RoutPhase]):
    """Both sides rout, the ATTACKER first, one unit at a time (3.6, G24)."""

    def to_act(self, state: SquadState, frame: RoutPhase) -> tuple[str, ...]:
        if not frame.fresh or not (frame.waiting or _breakable(state, frame.side, one=True)):
            return ()
        return (frame.side,)

    def actions(self, state: SquadState, frame: RoutPhase, side: str) -> Sequence[Action]:
        found: list[Action] = [StartRout(name) for name in frame.waiting]
        found += [VoluntaryBreak(name) for name in _breakable(state, side)]
        if not frame.bound:
            found.append(DONE)
        return found

    def apply(self, play: Play[SquadState], frame: RoutPhase, side: str, action: Action) -> None:
        state = play.state
        if isinstance(action, StartRout):
            _start(play, state.units[action.unit])
        elif isinstance(action, VoluntaryBreak):
            break_unit(play, state.units[action.unit])
            play.replace(replace(frame, fresh=False))
        else:
            _end_side(play, frame)

    def run(self, play: Play[SquadState], frame: RoutPhase) -> None:
        """Work out who may rout; a side without anybody is passed over."""
        state = play.state
        if frame.fresh:
            _end_side(play, frame)
            return
        side = frame.side
        if not side:
            side = state.attacker
            for unit in [unit for unit in state.units.values() if unit.broken and not unit.dm]:
                if must_rout(state, unit):
                    put_under_dm(play, unit)
        able = [u for u in state.units.values() if u.side == side and may_rout(u) and u.id not in frame.done]
        foes = Foes(state, side) if able else None
        waiting = [unit for unit in able if can_rout(state, unit, foes)]
        bound = tuple([unit.id for unit in waiting if must_rout(state, unit)])
        names = tuple([unit.id for unit in waiting])
        play.replace(replace(frame, side=side, waiting=names, bound=bound, fresh=True))


def _breakable(state: SquadState, side: str, *, one: bool = False) -> list[str]:
    """Units that the guide lets break at will; with `one`, no more than needed to know that there is one (G25)."""
    if not rules_of(state).of(RoutRules).voluntary_break:
        return []
    found: list[str] = []
    threatened: dict[int, bool] = {}
    for unit in state.units.values():
        if unit.side != side or unit.at < 0 or not unit.good_order:
            continue
        if unit.at not in threatened:  # whoever shares a hex shares its enemies
            threatened[unit.at] = _threatened(state, unit)
        if threatened[unit.at]:
            found.append(unit.id)
            if one:
                break
    return found


def _end_side(play: Play[SquadState], frame: RoutPhase) -> None:
    """A side has routed: who failed to is eliminated; then the DEFENDER routs (3.6)."""
    state = play.state
    for unit in [unit for unit in state.units.values() if unit.side == frame.side and unit.broken and unit.at >= 0]:
        if fails_to_rout(state, unit, frame.done):
            eliminate(play, unit, "failure to rout")
    if state.outcome is not None:
        return
    if frame.side == state.attacker:
        play.replace(RoutPhase(side=setting_of(state).others[frame.side], done=frame.done))
    else:
        end_phase(play)


def fails_to_rout(state: SquadState, unit: Unit, done: tuple[str, ...]) -> bool:
    """Beside an unbroken Known enemy at the end, or still where it had to rout from (3.6)."""
    if rules_of(state).of(RoutRules).shared_hex_failure and has_enemy(state, unit.at, unit.side):
        return True
    if unit.melee or may_remain(state, unit):
        return False
    return beside_unbroken(state, unit) or (unit.id not in done and in_danger(state, unit))


# -- one unit ---------------------------------------------------------------------------


def _start(play: Play[SquadState], unit: Unit) -> None:
    """A unit is picked; Guns are left behind at once when it goes (4.0)."""
    play.push(options(play.state, Rout(unit.id, unit.at)))


def companions(state: SquadState, rout: Rout, done: tuple[str, ...]) -> list[str]:
    """Unbroken leaders stacked with the unit who may rout along (3.6, G26)."""
    unit = state.units[rout.unit]
    return [
        other.id
        for other in units_at(state, unit.at, unit.side)
        if other.good_order
        and not other.pinned
        and unit_kind(state, other).leads
        and other.id not in rout.leaders
        and other.id not in done
    ]


def excess(state: SquadState, rout: Rout) -> list[str]:
    """Support weapons of which some must be dropped first: more PP than the IPC (4.0)."""
    found: list[str] = []
    for unit in routing_units(state, rout):
        if unit.weapons and carried_pp(state, unit) > capacity(state, unit):
            found += [name for name in unit.weapons if weapon_kind(state.weapons[name]).pp]
    return found


class Routing(Procedure[SquadState, Rout]):
    """A broken unit routs hex by hex until it stops (3.6)."""

    def to_act(self, state: SquadState, frame: Rout) -> tuple[str, ...]:
        unit = state.units.get(frame.unit)
        if unit is None or not frame.steps:
            return ()
        return (unit.side,)

    def actions(self, state: SquadState, frame: Rout, side: str) -> Sequence[Action]:
        found: list[Action] = []
        if not frame.hexes:
            phase = state.stack[0]
            assert isinstance(phase, RoutPhase)
            found += [TakeLeader(name) for name in companions(state, frame, phase.done)]
            heavy = excess(state, frame)
            if heavy:
                found += map(DropWeapon, heavy)
                return found if frame.dropped else [*found, CANCEL]
        found += [RoutStep(step.to, step.road) for step in frame.steps]
        found += map(LowCrawl, frame.crawls)
        if frame.can_stop:
            found.append(END)
        if not frame.hexes and not frame.dropped:
            found.append(CANCEL)
        return found

    def apply(self, play: Play[SquadState], frame: Rout, side: str, action: Action) -> None:
        state = play.state
        if isinstance(action, TakeLeader):
            play.replace(options(state, replace(frame, leaders=(*frame.leaders, action.leader))))
        elif isinstance(action, DropWeapon):
            play.replace(replace(frame, dropped=True))
            drop(play, state.weapons[action.weapon])
        elif isinstance(action, RoutStep):
            cost = next(s.cost for s in frame.steps if (s.to, s.road) == (action.to, action.road))
            _enter(play, frame, action.to, cost, road=action.road)
        elif isinstance(action, LowCrawl):
            _enter(play, frame, action.to, rout_mf(routing_units(state, frame)), crawls=True)
        elif isinstance(action, CancelRout):
            play.pop()
        else:
            _finish(play, frame)

    def run(self, play: Play[SquadState], frame: Rout) -> None:
        _finish(play, frame)


def _finish(play: Play[SquadState], frame: Rout) -> None:
    """The rout of a unit is over; it may not rout again in this phase."""
    state = play.state
    unit = state.units.get(frame.unit)
    if unit is not None and frame.hexes:
        play.emit(RoutEnded(unit=unit.id, at=name_of(state, unit.at)))
    play.pop()
    phase = state.stack[-1]
    if isinstance(phase, RoutPhase):
        # others may find a hex full now, or have room where it stood
        done = (*phase.done, frame.unit, *frame.leaders) if frame.hexes else phase.done
        play.replace(replace(phase, done=done, fresh=False))


def _enter(
    play: Play[SquadState], frame: Rout, to: int, cost: int, *, road: bool = False, crawls: bool = False
) -> None:
    """The routing units enter a hex; a hidden Gun there throws them back (3.6, 6.4)."""
    state = play.state
    movers = routing_units(state, frame)
    if not frame.hexes:
        _leave_guns(play, movers)
        movers = routing_units(state, frame)
        play.emit(RoutBegan(unit=frame.unit, leaders=frame.leaders, at=name_of(state, movers[0].at)))
    names = tuple([unit.id for unit in movers])
    frm, side = movers[0].at, movers[0].side
    if has_enemy(state, to, side, known=False):
        play.replace(replace(frame, hexes=frame.hexes + 1, steps=(), crawls=()))
        if met(play, to, side, names) != "on":
            return
        play.replace(frame)
    names = leaving(play, names, frm, to, "routs")
    if frame.unit not in names or state.outcome is not None:
        play.replace(replace(frame, hexes=frame.hexes + 1, steps=(), crawls=()))
        return
    for name in names:
        put(state, state.units[name], to)
    play.emit(Routed(units=names, frm=name_of(state, frm), at=name_of(state, to), mf=cost / 2, crawled=crawls))
    mark_dm_near(play, to, side)
    guns.check_hip(play, side, (to,))
    after = replace(
        frame, spent=frame.spent + cost, hexes=frame.hexes + 1, came=frm, steps=(), crawls=(), can_stop=False
    )
    play.replace(after)
    check_at_once(play)
    entered(play, names, frm, to, "routs")
    if frame.unit not in state.units:
        return
    if not crawls and state.outcome is None and frame.unit in state.units:
        _look_for_interdiction(play, after, Mover(frame.unit, frame.start, came=frm, road_rate=road))
    # last, because whoever has acquired them may be asked whom he follows
    guns.moved_units(play, [name for name in names if name in state.units], frm, to)


def _leave_guns(play: Play[SquadState], movers: Sequence[Unit]) -> None:
    """Guns cannot be taken along (4.0)."""
    for unit in movers:
        for name in unit.weapons:
            if weapon_kind(play.state.weapons[name]).gun:
                drop(play, play.state.weapons[name])


def interdictor_of(state: SquadState, cell: int, side: str, mover: Mover) -> Unit | None:
    """One enemy who interdicts a router: rather one whose Gun has acquired nothing (3.6, 6.10)."""
    found = list(interdictors(state, cell, side, mover))
    free = [unit for unit in found if not any(state.weapons[name].acquired for name in unit.weapons)]
    return next(iter(free or found), None)


def _look_for_interdiction(play: Play[SquadState], frame: Rout, mover: Mover) -> None:
    """Interdiction happens where it can; only who would lose an Acquired Target by it is asked (3.6, 6.10)."""
    state = play.state
    unit = state.units[frame.unit]
    enemy = interdictor_of(state, unit.at, unit.side, mover)
    if enemy is None:
        play.replace(options(state, frame))
    elif any(state.weapons[name].acquired for name in enemy.weapons):
        play.push(Claim(unit.id, tuple([other.id for other in interdictors(state, unit.at, unit.side, mover)])))
    elif _interdict(play, frame, enemy):
        play.replace(options(state, frame))


class Claiming(Procedure[SquadState, Claim]):
    """The side of a Gun decides whether to interdict with it (3.6, 6.10)."""

    def to_act(self, state: SquadState, frame: Claim) -> tuple[str, ...]:
        return (state.units[frame.by[0]].side,)

    def actions(self, state: SquadState, frame: Claim, side: str) -> Sequence[Action]:
        return [*map(ClaimInterdiction, frame.by), LET_GO]

    def apply(self, play: Play[SquadState], frame: Claim, side: str, action: Action) -> None:
        play.pop()
        state = play.state
        rout = state.stack[-1]
        assert isinstance(rout, Rout)
        if not isinstance(action, ClaimInterdiction) or _interdict(play, rout, state.units[action.unit]):
            play.replace(options(state, rout))


def _interdict(play: Play[SquadState], frame: Rout, enemy: Unit) -> bool:
    """A NMC for a router in the open, once in a hex; returns whether it may go on (3.6)."""
    state = play.state
    unit = state.units[frame.unit]
    play.emit(Interdicted(unit=unit.id, by=enemy.id, at=name_of(state, unit.at)))
    guns.lose_acquisitions(play, enemy)
    losses: list[Loss] = []
    leader = helper_of(setting_of(state), unit, routing_units(state, frame))
    passed = morale_check(play, unit, why="Interdiction", leader=leader, pins_broken=True, losses=losses)
    if not passed:
        for name in frame.leaders:
            if name in state.units:
                remove(play, state.units[name], "the unit he routed with failed", losses=losses)
    if losses:
        leader_loss(play, losses)
        _list_anew(state)
    left = state.units.get(frame.unit)
    return left is not None and not left.pinned and state.outcome is None


def _list_anew(state: SquadState) -> None:
    """A leader lost may have cost others of his hex: who may rout is worked out again (3.2.3)."""
    phase = state.stack[0]
    if isinstance(phase, RoutPhase):
        state.stack[0] = replace(phase, fresh=False)


PART = Part(
    phases={"RtPh": Phase(RoutPhase, after="AFPh")},
    procedures={RoutPhase: RoutingPhase(), Rout: Routing(), Claim: Claiming()},
)
