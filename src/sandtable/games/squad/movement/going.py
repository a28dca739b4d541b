"""A stack on the move: steps, exits, smoke grenades, recovery, dropping, splitting and stopping (3.3)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.games.squad.cards.charts import figures
from sandtable.games.squad.fire.eligibility import usable
from sandtable.games.squad.ground.counters import lay
from sandtable.games.squad.ground.doors import part_bar
from sandtable.games.squad.ground.entry import beside_next, cost_from_off_board, off_board_cost, road_off_board
from sandtable.games.squad.ground.map import Way
from sandtable.games.squad.ground.possession import may_man
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.stacks import (
    come_out,
    drop,
    fits,
    fits_beside,
    has_enemy,
    leave_map,
    name_of,
    update,
)
from sandtable.games.squad.ground.switches import GroundRules
from sandtable.games.squad.movement import manhandling
from sandtable.games.squad.movement.model import (
    Detach,
    DropWeapon,
    Exited,
    ExitMap,
    MfSpent,
    Move,
    PlaceCharge,
    Recover,
    SmokeGrenade,
    Spent,
    Step,
    StepAside,
    Stop,
)
from sandtable.games.squad.movement.portage import ROAD_BONUS, allotments, overloaded
from sandtable.games.squad.movement.steps import (
    able_movers,
    active_movers,
    affordable,
    end_movers,
    enter,
    leaving,
    note_green,
    place_of,
    recover,
    runs_into,
    settle,
    spend,
    step_cost,
    way_affordable,
)
from sandtable.games.squad.movement.switches import MovementRules
from sandtable.games.squad.ordnance import special_weapons
from sandtable.games.squad.ordnance.model import Manhandle
from sandtable.games.squad.part import Part
from sandtable.games.squad.phases.switches import PhaseRules
from sandtable.games.squad.phases.victory import check_at_once, exit_cells, score_exit
from sandtable.games.squad.pieces.events import SmokePlaced
from sandtable.games.squad.pieces.model import Counter, Mover, Moving, SquadState, Unit

STOP = Stop()
_SMOKE = figures("smoke")
OWN_HEX_SMOKE, ADJACENT_SMOKE = [2 * int(_SMOKE["grenade_mf"][where]) for where in ("own_hex", "adjacent_hex")]
"""Half MF for smoke in the own hex and in an adjacent one (3.3)."""


class MoveOn(Procedure[SquadState, Move]):
    """The moving stack goes on until all its units have ended their MPh (3.3)."""

    def to_act(self, state: SquadState, frame: Move) -> tuple[str, ...]:
        for mover in active_movers(state):
            unit = state.units[mover.id]
            if not (mover.ended or unit.broken or unit.pinned):
                return (state.attacker,)
        return ()

    def run(self, play: Play[SquadState], frame: Move) -> None:
        """Nobody of the active units can go on: the next part of the stack does, or the move is over."""
        settle(play)
        state = play.state
        moving = state.moving
        assert moving is not None
        waiting = [m for m in moving.movers if not m.ended and m.id not in moving.active and m.id in state.units]
        if not waiting:
            state.moving = None
            state.shots.clear()
            play.pop()
            return
        place = place_of(state.units[waiting[0].id])
        group = tuple([m.id for m in waiting if place_of(state.units[m.id]) == place])
        movers = tuple([replace(m, here=0) if m.id in group else m for m in moving.movers])
        state.moving = Moving(movers, group)
        state.shots.clear()

    def actions(self, state: SquadState, frame: Move, side: str) -> Sequence[Action]:
        movers = able_movers(state)
        allowed = allotments(state, movers)
        first = state.units[movers[0].id]
        found: list[Action] = []
        if first.at < 0:
            _off_board_actions(state, first, movers, allowed, found)
        else:
            _step_actions(state, first.at, side, movers, allowed, found)
            _spending_actions(state, first.at, side, movers, allowed, found)
            for mover in movers:
                found += [DropWeapon(name) for name in state.units[mover.id].weapons]
        if len(movers) > 1:
            found += [Detach(mover.id) for mover in movers if may_detach(state, movers, mover)]
        found.append(STOP)
        return found

    def apply(self, play: Play[SquadState], frame: Move, side: str, action: Action) -> None:
        settle(play)
        note_green(play.state)
        if isinstance(action, Step):
            _step(play, action)
        elif isinstance(action, StepAside):
            _step_aside(play, action)
        elif isinstance(action, ExitMap):
            _exit(play)
        elif isinstance(action, SmokeGrenade):
            _smoke(play, action)
        elif isinstance(action, Recover):
            _recover(play, action)
        elif isinstance(action, PlaceCharge):
            _place_charge(play, action)
        elif isinstance(action, Manhandle):
            manhandling.manhandle(play, action)
        elif isinstance(action, DropWeapon):
            _drop(play, action)
        elif isinstance(action, Detach):
            moving = play.state.moving
            assert moving is not None
            active = tuple([name for name in moving.active if name != action.unit])
            play.state.moving = replace(moving, active=active)
        else:
            end_movers(play, [mover.id for mover in active_movers(play.state)])


# -- what is possible -------------------------------------------------------------------


def _gun_held(state: SquadState, movers: Sequence[Mover]) -> bool:
    """Whether somebody possesses a Gun, which cannot be carried (6.5)."""
    for mover in movers:
        for name in state.units[mover.id].weapons:
            if weapon_kind(state.weapons[name]).gun:
                return True
    return False


def stuck(state: SquadState, movers: Sequence[Mover]) -> bool:
    """Whether somebody holds what he may not carry away: a Gun, too much, or a weapon that has moved (4.0)."""
    for mover in movers:
        unit = state.units[mover.id]
        if unit.weapons:
            for name in unit.weapons:
                weapon = state.weapons[name]
                if weapon_kind(weapon).gun or (weapon.moved and name not in mover.burden):
                    return True
            if overloaded(state, unit):
                return True
    return False


def _step_actions(
    state: SquadState, cell: int, side: str, movers: Sequence[Mover], allowed: dict[str, int], found: list[Action]
) -> None:
    if _gun_held(state, movers):
        found += manhandling.manhandle_actions(state, [mover.id for mover in movers])
    if stuck(state, movers) or any(mover.assault and mover.hexes for mover in movers):
        return
    units = [state.units[mover.id] for mover in movers]
    setting = setting_of(state)
    free = setting.rules.of(PhaseRules).stacking_at_phase_end
    stacks, twins = state.stacks, setting.ground.twins
    barred = "enter" in setting.points.barred
    for way in setting.ground.ways[cell]:
        if barred and part_bar(state, "enter", units, cell, way.to) is not None:
            continue
        if (way.to in stacks or way.to in twins) and (
            has_enemy(state, way.to, side) or not (free or fits(state, way.to, side, units))
        ):
            continue
        if way.road and way_affordable(state, movers, allowed, way, road=True):
            found.append(Step(way.to, road=True))
        if (not way.road or way.choice) and way_affordable(state, movers, allowed, way, road=False):
            found.append(Step(way.to))
    if cell in exit_cells(state, side) and affordable(
        state, movers, allowed, off_board_cost(state, cell), road=road_off_board(state, cell)
    ):
        found.append(ExitMap())


def _off_board_actions(
    state: SquadState, first: Unit, movers: Sequence[Mover], allowed: dict[str, int], found: list[Action]
) -> None:
    if stuck(state, movers):
        return
    units = [state.units[mover.id] for mover in movers]
    cell = first.beside
    if part_bar(state, "enter", units, first.at, cell) is not None:
        return
    if not has_enemy(state, cell, first.side) and fits(state, cell, first.side, units):
        ground = setting_of(state).ground
        road = road_off_board(state, cell)
        if road and affordable(state, movers, allowed, cost_from_off_board(state, cell, road=True), road=True):
            found.append(Step(cell, road=True))
        if (not road or not ground.open[cell]) and affordable(
            state, movers, allowed, cost_from_off_board(state, cell, road=False), road=False
        ):
            found.append(Step(cell))
    if not any(mover.assault for mover in movers):
        for other in beside_next(state, first):
            if fits_beside(state, other, units) and affordable(
                state, movers, allowed, off_board_cost(state, other), road=False
            ):
                found.append(StepAside(other))


def off_board_steps(state: SquadState, movers: Sequence[Mover]) -> list[Action]:
    """How movers beside the map may go on: onto it, or along its edge (3.3)."""
    found: list[Action] = []
    _off_board_actions(state, state.units[movers[0].id], movers, allotments(state, movers), found)
    return found


def _spending_actions(
    state: SquadState, cell: int, side: str, movers: Sequence[Mover], allowed: dict[str, int], found: list[Action]
) -> None:
    """Smoke grenades, recovery and Demolition Charges."""
    rules = setting_of(state).rules
    if cell in state.loose:
        _recovery_actions(state, cell, movers, allowed, found)
    one = affordable(state, movers, allowed, OWN_HEX_SMOKE, road=False)
    if not one:
        return
    if rules.of(GroundRules).smoke:
        two = affordable(state, movers, allowed, ADJACENT_SMOKE, road=False)
        for mover in movers:
            if not mover.smoke and unit_kind(state, state.units[mover.id]).smoke:
                found.append(SmokeGrenade(mover.id, cell))
                if two:
                    found += [SmokeGrenade(mover.id, other) for other in setting_of(state).ground.near[cell]]
    for mover in movers:
        for name in state.units[mover.id].weapons:
            kind = weapon_kind(state.weapons[name])
            if kind.charge and usable(setting_of(state), state, state.weapons[name], kind, "advancing") is None:
                found += [
                    PlaceCharge(mover.id, name, way.to)
                    for way in setting_of(state).ground.ways[cell]
                    if affordable(state, movers, allowed, charge_cost(state, way), road=False)
                ]


def _recovery_actions(
    state: SquadState, cell: int, movers: Sequence[Mover], allowed: dict[str, int], found: list[Action]
) -> None:
    """Weapons that may be recovered on the move, for MF or as far as the PP leave MF enough (3.3, 4.0, G33)."""
    cost = setting_of(state).rules.of(MovementRules).recovery_half_mf
    if cost and not affordable(state, movers, allowed, cost, road=False):
        return
    for mover in movers:
        for name in state.loose[cell]:
            weapon, unit = state.weapons[name], state.units[mover.id]
            if name in mover.burden or not may_man(state, weapon, unit):
                continue
            if cost or _can_carry(state, movers, mover, weapon_kind(weapon).pp):
                found.append(Recover(mover.id, name))


def _can_carry(state: SquadState, movers: Sequence[Mover], carrier: Mover, pp: int) -> bool:
    """Whether a unit that takes up a weapon has not spent more MF than the PP leave it (4.0, G33)."""
    laden = [replace(mover, dropped_pp=mover.dropped_pp + pp) if mover.id == carrier.id else mover for mover in movers]
    left = allotments(state, laden)
    return all([mover.spent <= left[mover.id] + (ROAD_BONUS if mover.road else 0) for mover in movers])


def may_detach(state: SquadState, movers: Sequence[Mover], gone: Mover) -> bool:
    """Nobody may be left with more MF spent than he has without the others (3.3)."""
    rest = [mover for mover in movers if mover.id != gone.id]
    for group in (rest, [gone]):
        allowed = allotments(state, group)
        if any(mover.spent > allowed[mover.id] + (ROAD_BONUS if mover.road else 0) for mover in group):
            return False
    return True


# -- what is done -----------------------------------------------------------------------


def _step(play: Play[SquadState], action: Step) -> None:
    """Enter a hex; a hidden Gun there throws the movers back (3.3, 6.4)."""
    state = play.state
    movers = active_movers(state)
    names = tuple([mover.id for mover in movers])
    first = state.units[names[0]]
    frm = first.at
    ground = setting_of(state).ground
    if frm >= 0:
        way = ground.way(frm, action.to)
        assert way is not None
        names = leaving(play, names, frm, action.to, "moves")
        if setting_of(state).points.leaves:
            settle(play)
        if not names or state.outcome is not None:
            return
        cost = step_cost(state, way, road=action.road)
        if way.all_mf and not action.road:
            cost = max(allotments(state, able_movers(state)).values())
    else:
        cost = cost_from_off_board(state, action.to, road=action.road)
    if runs_into(play, names, action.to, cost):
        return
    enter(play, names, action.to, cost, road=action.road)


def _step_aside(play: Play[SquadState], action: StepAside) -> None:
    """Go along the edge of the map, off board (3.3)."""
    state = play.state
    names = tuple([mover.id for mover in active_movers(state)])
    cost = off_board_cost(state, action.to)
    for name in names:
        update(play, state.units[name], beside=action.to)
    spend(play, cost)
    play.emit(MfSpent(units=names, at=name_of(state, action.to), mf=cost / 2, what="moves off board"))


def _exit(play: Play[SquadState]) -> None:
    """Leave the map for the victory conditions; units do not come back (3.3)."""
    state = play.state
    names = [mover.id for mover in active_movers(state)]
    end_movers(play, names)
    for name in names:
        unit = come_out(play, state.units[name], "leaves the map")
        if name not in state.units:
            continue
        where = name_of(state, unit.at)
        points = leave_map(play, unit, "exited")
        score_exit(play, unit.side, points)
        play.emit(Exited(unit=name, at=where, points=points))
    check_at_once(play)
    for hook in setting_of(state).points.exited:
        hook(play)


def _smoke(play: Play[SquadState], action: SmokeGrenade) -> None:
    """Try to place smoke grenades: a dr of the exponent or less; a 6 ends the MPh (3.3)."""
    state = play.state
    unit = state.units[action.unit]
    names = tuple([mover.id for mover in active_movers(state)])
    cost = OWN_HEX_SMOKE if action.at == unit.at else ADJACENT_SMOKE
    come_out(play, unit, "acts")
    spend(play, cost)
    moving = state.moving
    assert moving is not None
    movers = tuple([replace(m, smoke=True) if m.id == unit.id else m for m in moving.movers])
    state.moving = replace(moving, movers=movers)
    play.emit(MfSpent(units=names, at=name_of(state, unit.at), mf=cost / 2, what="smoke grenades"))
    (dr,) = play.roll(6, 1, "smoke grenades", by=unit.side)
    if dr + (_SMOKE["grenade_cx"] if unit.cx else 0) <= unit_kind(state, unit).smoke:
        lay(state, action.at, Counter("grenade", unit.side))
        play.emit(SmokePlaced(at=name_of(state, action.at), smoke="grenade", by=unit.id))
    play.push(Spent(ends=(unit.id,) if dr == _SMOKE["grenade_ends_move"] else ()))


def _recover(play: Play[SquadState], action: Recover) -> None:
    """Try to recover a weapon for one MF; in the guide take it up without (3.3, 4.0, G33)."""
    state = play.state
    unit = state.units[action.unit]
    names = tuple([mover.id for mover in active_movers(state)])
    cost = setting_of(state).rules.of(MovementRules).recovery_half_mf
    if cost:
        spend(play, cost)
        play.emit(MfSpent(units=names, at=name_of(state, unit.at), mf=cost / 2, what="recovery"))
    recover(play, unit, action.weapon)
    moving = state.moving
    weapon = state.weapons[action.weapon]
    if weapon.owner == unit.id and moving is not None and not weapon.moved:
        movers = tuple([replace(m, burden=(*m.burden, weapon.id)) if m.id == unit.id else m for m in moving.movers])
        state.moving = replace(moving, movers=movers)
    if cost:
        play.push(Spent())


def _drop(play: Play[SquadState], action: DropWeapon) -> None:
    """Drop a weapon; once MF are spent, those lost to its PP are not given back (4.0, G33, ruling M-9)."""
    weapon = play.state.weapons[action.weapon]
    _still_counts(play.state, weapon.owner, weapon_kind(weapon).pp)
    drop(play, weapon)


def _still_counts(state: SquadState, unit: str, pp: int) -> None:
    """A mover that has spent MF gives a weapon up: its PP count to the end of the MPh (4.0)."""
    moving = state.moving
    assert moving is not None
    movers = tuple([replace(m, dropped_pp=m.dropped_pp + pp) if m.id == unit and m.spent else m for m in moving.movers])
    state.moving = replace(moving, movers=movers)


def charge_cost(state: SquadState, way: Way) -> int:
    """Half MF to place a charge: what entering the hex would take, along the road where that is cheaper (4.3)."""
    cost = step_cost(state, way, road=False)
    return min(cost, step_cost(state, way, road=True)) if way.road else cost


def _place_charge(play: Play[SquadState], action: PlaceCharge) -> None:
    """Spend the MF that entering the target hex would take; the charge lies if the fire is survived (4.3)."""
    state = play.state
    unit = state.units[action.unit]
    way = setting_of(state).ground.way(unit.at, action.at)
    assert way is not None
    cost = charge_cost(state, way)
    names = tuple([mover.id for mover in active_movers(state)])
    come_out(play, unit, "acts")
    spend(play, cost)
    play.emit(MfSpent(units=names, at=name_of(state, unit.at), mf=cost / 2, what="Demolition Charge"))
    play.push(Spent(charge=action))


def charge_lies(play: Play[SquadState], action: PlaceCharge) -> None:
    """The placing unit has survived all fire: the charge is operably placed (4.3)."""
    state = play.state
    unit = state.units.get(action.unit)
    if unit is not None and not unit.broken and not unit.pinned and action.weapon in unit.weapons:
        weapon = state.weapons[action.weapon]
        _still_counts(state, unit.id, weapon_kind(weapon).pp)
        special_weapons.place_charge(play, unit, weapon, action.at)


PART = Part(procedures={Move: MoveOn()})
