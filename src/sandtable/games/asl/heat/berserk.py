"""Berserk units: how they go berserk, charge, and come to their senses (A15.4)."""

from __future__ import annotations

from heapq import heappop, heappush

from msgspec.structs import replace

from sandtable.engine import Play, Procedure, Tally
from sandtable.games.asl.fanatics.part import BEST_MORALE, FANATIC, zeal
from sandtable.games.asl.heat.model import BERSERK, FIGHTING, Calmed, Charged, Charges, WentBerserk
from sandtable.games.asl.heat.who import exempt
from sandtable.games.asl.opportunity.model import OPPORTUNITY
from sandtable.games.asl.strength import us_number
from sandtable.games.squad.effects.morale import leadership, morale_level
from sandtable.games.squad.fire.eligibility import elements
from sandtable.games.squad.fire.model import FireAttack
from sandtable.games.squad.fire.resolution import fire_attack
from sandtable.games.squad.ground.doors import part_bar, rolled, settled
from sandtable.games.squad.ground.knowledge import concealed, hidden
from sandtable.games.squad.ground.map import Way
from sandtable.games.squad.ground.marks import mark, unmark
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import defender, setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.sight import known_enemies
from sandtable.games.squad.ground.stacks import come_out, drop, has_enemy, name_of, units_at, update
from sandtable.games.squad.movement.model import MovementPhase, StackDraft
from sandtable.games.squad.movement.portage import ROAD_BONUS
from sandtable.games.squad.movement.starting import begin_move
from sandtable.games.squad.movement.steps import active_movers, end_movers, enter, leaving, step_cost
from sandtable.games.squad.part import Roll
from sandtable.games.squad.pieces.model import SquadState, Unit

CHARGE_MF = 16
"""Eight MF, in halves (A15.43)."""
LIGHT = 1
"""PP that a berserk unit keeps with it (A15.43)."""


# -- going berserk and coming to ----------------------------------------------------------


def go_berserk(play: Play[SquadState], unit: Unit, *, spreads: bool = True) -> None:
    """A unit goes berserk; a leader may carry the others of his Location with him (A15.4-15.42)."""
    state = play.state
    unit = come_out(play, unit, "goes berserk")
    if unit.id not in state.units or BERSERK in unit.marks:
        return
    unit = unmark(play, unmark(play, unit, "TI"), OPPORTUNITY)  # A15.432
    kind = unit_kind(state, unit)
    led = leadership(state, unit) if kind.leads else 0
    lifted = BEST_MORALE - kind.morale + int(unit.wounded)
    unit = update(play, unit, broken=False, dm=False, pinned=False, cx=False, lifted=lifted)
    mark(play, unit, BERSERK)
    if state.moving is not None and state.moving.mover(unit.id) is not None:
        end_movers(play, [unit.id])  # ruling H-4
    play.emit(WentBerserk(unit=unit.id, at=name_of(state, unit.at)))
    _charge_too(play, state.units[unit.id])
    if kind.leads and spreads:
        _spread(play, state.units[unit.id], led)


def _spread(play: Play[SquadState], leader: Unit, drm: int) -> None:
    """Who passes a NTC with the DRM of a berserk leader goes berserk too; a Commissar takes all (A15.42, A25.223)."""
    state = play.state
    zealot = unit_kind(state, leader).inspires
    for unit in units_at(state, leader.at, leader.side):
        if unit.id == leader.id or hidden(unit) or exempt(state, unit):
            continue
        if not zealot:
            tally = Tally.of("Follows the berserk leader", [("leader", drm, "A15.42")])
            dice = play.roll(6, 2, f"NTC of {short(state, unit)}", by=unit.side, tally=tally)
            roll = rolled(play, Roll("task", unit.side, dice, (unit.id,), unit.at))
            follows = roll.original + int(tally.total) <= morale_level(state, unit)
            settled(play, roll)
            if not follows or unit.id not in state.units:
                continue
        go_berserk(play, state.units[unit.id], spreads=False)


def calm(play: Play[SquadState], unit: Unit) -> None:
    """It is an ordinary unit again (A15.46)."""
    unit = update(play, unmark(play, unit, BERSERK), lifted=0)
    if FANATIC in unit.marks:
        update(play, unit, lifted=zeal(play.state, unit))
    play.emit(Calmed(unit=unit.id, at=name_of(play.state, unit.at)))


def note_fights(play: Play[SquadState]) -> None:
    """The CCPh begins: who fights is remembered."""
    state = play.state
    here = [unit for unit in state.units.values() if BERSERK in unit.marks and has_enemy(state, unit.at, unit.side)]
    FIGHTING.put(state, tuple([unit.id for unit in here]))


def end_fights(play: Play[SquadState]) -> None:
    """Who has done away with all Known enemies of his Location comes to his senses (A15.46)."""
    state = play.state
    for name in FIGHTING.of(state):
        unit = state.units.get(name)
        if unit is not None and BERSERK in unit.marks and not has_enemy(state, unit.at, unit.side):
            calm(play, unit)
    FIGHTING.put(state, ())


# -- the charge -----------------------------------------------------------------------------


def target_of(state: SquadState, unit: Unit) -> int:
    """The nearest hex with a Known enemy in sight; ties: least US#, then the highest TEM; -1: none (A15.43, S6.301)."""
    if unit.at < 0:
        return -1
    if has_enemy(state, unit.at, unit.side):
        return unit.at
    ground = setting_of(state).ground
    ranges = ground.ranges[unit.at]
    cells = dict.fromkeys([ground.floor_of(enemy.at) for enemy in known_enemies(state, unit.at, unit.side)])

    def worth(cell: int) -> tuple[int, int, int, int]:
        foes = [foe for foe in units_at(state, cell) if foe.side != unit.side and not concealed(state, foe)]
        return ranges[cell], sum([us_number(state, foe) for foe in foes]), -ground.tem[cell], cell

    return min(cells, key=worth, default=-1)


def begin(play: Play[SquadState]) -> None:
    """The MPh begins: berserk units charge before anybody else moves (A15.43)."""
    state = play.state
    if any([BERSERK in unit.marks and unit.side == state.attacker for unit in state.units.values()]):
        play.push(Charges())


def _charge_too(play: Play[SquadState], unit: Unit) -> None:
    """Who goes berserk in his own MPh before he has moved charges as soon as the present move is over (A15.43)."""
    state = play.state
    stack = state.stack
    charging = any([isinstance(frame, Charges) for frame in stack])
    if isinstance(stack[0], MovementPhase) and unit.side == state.attacker and not unit.moved and not charging:
        stack.insert(1, Charges())


class Charging(Procedure[SquadState, Charges]):
    """Stack after stack charges; nobody decides anything (A15.43, ruling H-3)."""

    def run(self, play: Play[SquadState], frame: Charges) -> None:
        if frame.units:
            _go_on(play, frame)
        else:
            _next(play, frame)


def _next(play: Play[SquadState], frame: Charges) -> None:
    """The next stack of berserk units, or the end of all charges."""
    state = play.state
    for unit in list(state.units.values()):
        if BERSERK not in unit.marks or unit.side != state.attacker or unit.id in frame.done:
            continue
        if unit.at < 0 or unit.melee or unit.moved:
            continue
        together = [other.id for other in units_at(state, unit.at, unit.side) if BERSERK in other.marks]
        target = target_of(state, unit)
        if target < 0:
            for name in together:
                calm(play, state.units[name])
            play.replace(replace(frame, done=(*frame.done, *together)))
            return
        for name in together:
            _leave_burden(play, state.units[name])
        done = (*frame.done, *together)
        play.replace(replace(frame, units=tuple(together), target=target, done=done, struck=False))
        begin_move(play, StackDraft(tuple(together)), assault=False)
        where, aim = name_of(state, unit.at), name_of(state, target)
        play.emit(Charged(units=tuple(together), at=where, target=aim))
        return
    play.pop()


def _leave_burden(play: Play[SquadState], unit: Unit) -> None:
    """More than one PP stays behind (A15.43)."""
    for name in unit.weapons:
        weapon = play.state.weapons[name]
        if weapon_kind(weapon).gun or weapon_kind(weapon).pp > LIGHT:
            drop(play, weapon)


def _go_on(play: Play[SquadState], frame: Charges) -> None:
    """The next step of the charge, the fire of those who are charged, or its end."""
    state = play.state
    names = tuple([mover.id for mover in active_movers(state) if not mover.ended])
    if not names or state.outcome is not None:
        _finish(play, frame)
        return
    unit = state.units[names[0]]
    if has_enemy(state, unit.at, unit.side):
        if not frame.struck:
            play.replace(replace(frame, struck=True))
            triple_fire(play, unit.at)
            return
        _finish(play, frame)
        return
    target = aim_of(state, unit, frame.target)
    if target != frame.target:
        frame = replace(frame, target=target)
        play.replace(frame)
    step = next_step(state, names, target)
    if step is None:
        _finish(play, frame)
        return
    way, cost, road = step
    names = leaving(play, names, unit.at, way.to, "moves")
    if not names or state.outcome is not None:
        return
    for foe in [foe for foe in units_at(state, way.to) if foe.side != unit.side]:
        come_out(play, foe, "is detected")
    enter(play, names, way.to, cost, road=road)


def _finish(play: Play[SquadState], frame: Charges) -> None:
    """The charge of a stack is over; if it has arrived and sees nobody, it comes to its senses (A15.46)."""
    state = play.state
    moving = state.moving
    if moving is not None:
        left = [mover.id for mover in moving.movers if not mover.ended and mover.id in state.units]
        if left:
            end_movers(play, left)
    state.moving = None
    state.shots.clear()
    play.replace(replace(frame, units=()))
    for name in frame.units:
        unit = state.units.get(name)
        if unit is not None and BERSERK in unit.marks and unit.at == frame.target and target_of(state, unit) < 0:
            calm(play, unit)


def aim_of(state: SquadState, unit: Unit, target: int) -> int:
    """Where a charge goes on to: the same target, out of sight too, unless a nearer enemy comes in sight (A15.43)."""
    seen = target_of(state, unit)
    if seen < 0:
        return target
    ranges = setting_of(state).ground.ranges[unit.at]
    return seen if unit.at == target or ranges[seen] < ranges[target] else target


def next_step(state: SquadState, names: tuple[str, ...], target: int) -> tuple[Way, int, bool] | None:
    """The first step of the way that takes the fewest MF, if they have them (A15.43)."""
    units = [state.units[name] for name in names]
    unit = units[0]
    if unit.at == target:
        return None
    way = _first_way(state, units, target)
    if way is None:
        return None
    cost, road = _cost(state, way)
    mover = state.moving.mover(unit.id) if state.moving is not None else None
    if mover is None:
        return None
    left = CHARGE_MF - mover.spent + (ROAD_BONUS if road and mover.road else 0)
    return (way, cost, road) if cost <= left else None


def _cost(state: SquadState, way: Way) -> tuple[int, bool]:
    """Half MF of a step, along the road where that is cheaper."""
    plain = step_cost(state, way, road=False)
    if way.road and step_cost(state, way, road=True) <= plain:
        return step_cost(state, way, road=True), True
    return plain, False


def _first_way(state: SquadState, units: list[Unit], target: int) -> Way | None:
    """The first step of a cheapest way to a hex; the ways of the map leave out cliffs and water (A15.44)."""
    ways = setting_of(state).ground.ways
    start, side = units[0].at, units[0].side
    heap = [(0, start, -1)]
    done: set[int] = set()
    while heap:
        spent, here, first = heappop(heap)
        if here in done:
            continue
        done.add(here)
        if here == target:
            return ways[start][first] if first >= 0 else None
        for number, way in enumerate(ways[here]):
            if way.to in done or (way.to != target and has_enemy(state, way.to, side)):
                continue
            if part_bar(state, "enter", units, here, way.to) is not None:
                continue
            heappush(heap, (spent + _cost(state, way)[0], way.to, number if first < 0 else first))
    return None


def triple_fire(play: Play[SquadState], cell: int) -> None:
    """Those into whose Location they have charged must fire, together, at Triple Point Blank (A8.312, A7.21)."""
    state = play.state
    side = defender(state)
    setting = setting_of(state)
    firers = [
        firer
        for unit in units_at(state, cell, side)
        if not unit.melee and not unit.broken
        for firer in elements(setting, state, unit, "first")
        if not firer.alone
    ]
    own = {firer.unit.id for firer in firers if firer.weapon is None}
    used = {firer.unit.id: firer.id for firer in firers if firer.weapon is not None}
    squads = {name for name in own if setting.kinds[state.units[name].group, state.units[name].kind].squad}
    weapons = [weapon for name, weapon in used.items() if name not in own or name in squads]
    if own or weapons:
        fire_attack(play, FireAttack(side, cell, "first", units=tuple(sorted(own)), weapons=tuple(sorted(weapons))))
