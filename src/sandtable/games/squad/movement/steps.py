"""Steps of a moving stack that several rules share: spending MF, entering a hex, ending a move (3.3)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.squad.ground import guns
from sandtable.games.squad.ground.counters import mf_in
from sandtable.games.squad.ground.map import Way
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.possession import recovery_tally
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import (
    come_out,
    give,
    has_enemy,
    inexperienced,
    mark_dm_near,
    met,
    name_of,
    put,
    update,
    update_weapon,
)
from sandtable.games.squad.movement.model import MfSpent, Moved, MoveEnded, Recovered, Spent
from sandtable.games.squad.movement.portage import ROAD_BONUS
from sandtable.games.squad.movement.switches import MovementRules
from sandtable.games.squad.phases.victory import check_at_once
from sandtable.games.squad.pieces.model import OFF_MAP, Mover, SquadState, Unit


def active_movers(state: SquadState) -> list[Mover]:
    """The members of the stack that move on together now."""
    moving = state.moving
    return [m for m in moving.movers if m.id in moving.active and m.id in state.units] if moving else []


def able_movers(state: SquadState) -> list[Mover]:
    """Active units that are neither broken nor pinned and may still move."""
    units = state.units
    return [m for m in active_movers(state) if not (m.ended or units[m.id].broken or units[m.id].pinned)]


def step_cost(state: SquadState, way: Way, *, road: bool, units: Sequence[str] = ()) -> int:
    """Half MF to enter a hex by a way, with Smoke and the special rule for slopes (1.1.1, 1.2.5).

    `units`: who goes, where it does not follow from the position.
    """
    cost = way.road if road else way.cost
    if state.counters and way.to in state.counters:
        cost += mf_in(state, way.to)
    setting = setting_of(state)
    if way.change and not (road and way.paved):
        cost += 2 * setting.rules.of(MovementRules).elevation_mf * abs(way.change)
    if added := setting.points.cost:
        cost += sum([int(item[1]) for lines in added for item in lines(state, way, road)])
    if theirs := setting.points.their_cost:
        cost += sum([int(item[1]) for lines in theirs for item in lines(state, units, way, road)])
    return cost


def way_affordable(
    state: SquadState, movers: Sequence[Mover], allowed: dict[str, int], way: Way, *, road: bool
) -> bool:
    """Whether all have the MF of a step; what takes every MF must be the first that they spend."""
    if way.all_mf and not road:
        return all([not mover.spent and not mover.assault and allowed[mover.id] > 0 for mover in movers])
    return affordable(state, movers, allowed, step_cost(state, way, road=road), road=road)


def affordable(state: SquadState, movers: Sequence[Mover], allowed: dict[str, int], cost: int, *, road: bool) -> bool:
    """Whether all have the MF, the road bonus counted where every MF went along roads (1.1.1, 3.3, G15, G16)."""
    for mover in movers:
        left = allowed[mover.id] - mover.spent
        if road and mover.road and not mover.hazardous:
            left += ROAD_BONUS
        if cost > left:
            return False
        if cost == left and mover.assault and setting_of(state).rules.of(MovementRules).assault_movement_needs_mf:
            return False
    return True


def settle(play: Play[SquadState]) -> None:
    """Units that broke, were pinned or are gone end their MPh; the others go on without them."""
    state = play.state
    units = state.units
    active = [m for m in active_movers(state) if not m.ended]
    ended = [m.id for m in active if units[m.id].broken or units[m.id].pinned]
    if ended:
        end_movers(play, ended)
    moving = state.moving
    if moving is not None and len(ended) < len(moving.active):
        left = tuple([m.id for m in active if m.id not in ended])
        if left and left != moving.active:
            state.moving = replace(moving, active=left)


def note_green(state: SquadState) -> None:
    """A Green MMC that is without a leader before it spends MF has the MF of Inexperienced units to the end (5.4)."""
    moving = state.moving
    if moving is None:
        return
    units = state.units
    green = [m.id for m in active_movers(state) if not m.green and inexperienced(state, units[m.id])]
    if green:
        movers = tuple([replace(m, green=True) if m.id in green else m for m in moving.movers])
        state.moving = replace(moving, movers=movers)


def end_movers(play: Play[SquadState], names: Sequence[str]) -> None:
    """These units end their MPh where they are (3.3)."""
    state = play.state
    moving = state.moving
    assert moving is not None
    present = [name for name in names if name in state.units]
    for name in present:
        update(play, state.units[name], moved=True)
    movers = tuple([replace(m, ended=True) if m.id in names else m for m in moving.movers])
    state.moving = replace(moving, movers=movers)
    if present:
        where = name_of(state, place_of(state.units[present[0]]))
        play.emit(MoveEnded(units=tuple(present), at=where))


def place_of(unit: Unit) -> int:
    return unit.at if unit.at >= 0 else unit.beside


def spend(
    play: Play[SquadState], cost: int, *, road: bool = False, entered: int = OFF_MAP, came: int = OFF_MAP
) -> None:
    """The active units spend half MF; `entered`: in entering this hex."""
    state = play.state
    moving = state.moving
    assert moving is not None
    movers = []
    for mover in moving.movers:
        if mover.id in moving.active and not mover.ended:
            if entered >= 0:
                mover = replace(
                    mover,
                    spent=mover.spent + cost,
                    here=cost,
                    hexes=mover.hexes + 1,
                    came=came,
                    road=mover.road and road,
                    road_rate=road,
                )
            else:
                mover = replace(mover, spent=mover.spent + cost, here=mover.here + cost, road=mover.road and road)
        movers.append(mover)
    state.moving = replace(moving, movers=tuple(movers))
    if entered >= 0:
        state.shots.clear()


def runs_into(play: Play[SquadState], names: tuple[str, ...], to: int, cost: int) -> bool:
    """Whether enemies whom the movers did not know keep them out of a hex; they stay where they were (6.4)."""
    state = play.state
    first = state.units[names[0]]
    if not has_enemy(state, to, first.side, known=False):
        return False
    top = len(state.stack)
    outcome = met(play, to, first.side, names)
    names = tuple([name for name in names if name in state.units])
    if outcome == "on" or not names:
        return outcome != "on"
    if outcome == "spent" and first.at >= 0:
        spend(play, cost)
        play.emit(MfSpent(units=names, at=name_of(state, first.at), mf=cost / 2, what="thrown back"))
        state.stack.insert(top, Spent(ends=names))
    else:
        end_movers(play, names)
    return True


def enter(play: Play[SquadState], names: Sequence[str], to: int, cost: int, *, road: bool = False) -> None:
    """Units of the moving stack enter a hex together and may be fired at there (3.3, 3.3.1)."""
    state = play.state
    first = state.units[names[0]]
    frm = first.at
    for name in names:
        unit = put(state, state.units[name], to)
        for weapon in unit.weapons:
            if not state.weapons[weapon].moved:
                update_weapon(play, state.weapons[weapon], moved=True)
    spend(play, cost, road=road, entered=to, came=frm)
    play.emit(Moved(units=tuple(names), frm=name_of(state, frm), at=name_of(state, to), mf=cost / 2, road=road))
    mark_dm_near(play, to, first.side)
    # whoever must say which acquired target he follows does so before the window
    play.push(Spent())
    guns.moved_units(play, [name for name in names if name in state.units], frm, to)
    guns.check_hip(play, first.side, (to,))
    check_at_once(play)
    entered(play, names, frm, to, "moves")


def leaving(play: Play[SquadState], names: Sequence[str], frm: int, to: int, how: str) -> tuple[str, ...]:
    """Units are about to leave a Location: what parts have laid there works on them; returns who still can go."""
    state = play.state
    hooks = setting_of(state).points.leaves
    for hook in hooks:
        hook(play, names, frm, to, how)
    if not hooks:
        return tuple(names)
    units = [state.units[name] for name in names if name in state.units]
    return tuple([unit.id for unit in units if how == "routs" or not (unit.broken or unit.pinned)])


def entered(play: Play[SquadState], names: Sequence[str], frm: int, to: int, how: str) -> None:
    """Units have entered a Location: what parts have laid there works on them."""
    for hook in setting_of(play.state).points.enters:
        hook(play, names, frm, to, how)


def recover(play: Play[SquadState], unit: Unit, name: str) -> bool:
    """A recovery dr (1.4, G3) of less than 6, +1 if CX (3.1, 3.3, 4.0); none where it cannot fail; also in the RPh."""
    state = play.state
    tally = recovery_tally(unit)
    needed = setting_of(state).rules.of(MovementRules).recovery_below
    success = 6 + tally.total < needed
    if not success:
        why = f"recovery by {short(state, unit.id)}" if unit.concealed else "recovery"
        (dr,) = play.roll(6, 1, why, by=unit.side, tally=tally)
        success = dr + tally.total < needed
    come_out(play, unit, "acts")
    if success:
        give(state, state.weapons[name], unit.id)
        update_weapon(play, state.weapons[name], recovered=True)
    play.emit(Recovered(unit=unit.id, weapon=name, at=name_of(state, unit.at), success=success))
    if success:
        check_at_once(play)
    return success
