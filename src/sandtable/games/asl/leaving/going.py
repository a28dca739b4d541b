"""Leaving close combat step by step: declarations, going, and whoever cannot (A11.16-A11.41)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.games.asl.leaving.model import (
    AMBUSHES,
    BOUND,
    INFILTRATES,
    WITHDRAWING,
    WITHDRAWS,
    LeaveTo,
    Leaving,
    LeftCombat,
    NoWayOut,
    StayAndFight,
    StayInMelee,
    Withdraw,
    WithdrawalDeclared,
    Withdrawing,
)
from sandtable.games.asl.leaving.switches import LeavingRules
from sandtable.games.asl.leaving.who import (
    becoming_cx,
    left_behind,
    must_withdraw,
    parties,
    present,
    refuges,
    withdraw_bar,
)
from sandtable.games.squad.combat.fighting import as_it_stands
from sandtable.games.squad.combat.model import Combat
from sandtable.games.squad.combat.strengths import blocks_of, result_of
from sandtable.games.squad.effects.morale import put_under_dm
from sandtable.games.squad.effects.results import random_selection
from sandtable.games.squad.ground import guns
from sandtable.games.squad.ground.knowledge import concealed
from sandtable.games.squad.ground.marks import mark, unmark
from sandtable.games.squad.ground.setting import other_side, rules_of, unit_kind
from sandtable.games.squad.ground.stacks import (
    adjacent_enemies,
    come_out,
    drop,
    eliminate,
    has_enemy,
    mark_dm_near,
    met,
    name_of,
    put,
    release_melee,
    sharing_room,
    units_at,
    update,
)
from sandtable.games.squad.movement.model import DropWeapon
from sandtable.games.squad.movement.portage import capacity, carried_pp
from sandtable.games.squad.movement.steps import entered, leaving
from sandtable.games.squad.phases.model import Done
from sandtable.games.squad.phases.victory import check_at_once
from sandtable.games.squad.pieces.model import SquadState, Unit

DONE, FIGHT = Done(), StayAndFight()
INFILTRATION, SLIP = 2, 12
"""Original DRs by which the attackers, and those whom they attack, may leave at once (A11.22)."""


# -- declarations -------------------------------------------------------------------------


def begin(play: Play[SquadState]) -> None:
    """The CCPh begins: broken units in Melee withdraw if they can, then both sides are asked (A11.2, E-1, E-2)."""
    state = play.state
    held = [unit for unit in state.units.values() if unit.melee and unit.at >= 0]
    must = [unit for unit in held if must_withdraw(state, unit)]
    BOUND.put(state, tuple([unit.id for unit in must]))
    for cell, side in dict.fromkeys([(unit.at, unit.side) for unit in must]):
        here = [unit for unit in must if unit.at == cell and unit.side == side]
        able = [unit for unit in here if withdraw_bar(state, unit) is None]
        for unit in able:
            mark(play, unit, WITHDRAWING)
        if able:
            names = tuple([unit.id for unit in able])
            play.emit(WithdrawalDeclared(units=names, at=name_of(state, cell), must=True))
    if held:
        play.push(Withdrawing(other_side(state, state.attacker)))
        play.push(Withdrawing(state.attacker))


def free_to_go(state: SquadState, side: str) -> list[Unit]:
    """Units that may withdraw if their side declares it (A11.2)."""
    held = [unit for unit in state.units.values() if unit.melee and unit.side == side and unit.at >= 0]
    return [unit for unit in held if not must_withdraw(state, unit) and withdraw_bar(state, unit) is None]


def loads(state: SquadState, side: str) -> list[str]:
    """Weapons of overburdened units that withdraw: what they cannot carry stays behind (A4.43, A11.21)."""
    going = [unit for unit in state.units.values() if unit.side == side and WITHDRAWING in unit.marks]
    return [name for unit in going if _overburdened(state, unit) for name in unit.weapons]


def _overburdened(state: SquadState, unit: Unit) -> bool:
    return carried_pp(state, unit) > capacity(state, unit)


class Declaring(Procedure[SquadState, Withdrawing]):
    """A side says who withdraws (A11.2)."""

    def to_act(self, state: SquadState, frame: Withdrawing) -> tuple[str, ...]:
        return (frame.side,) if free_to_go(state, frame.side) or loads(state, frame.side) else ()

    def actions(self, state: SquadState, frame: Withdrawing, side: str) -> Sequence[Action]:
        free = free_to_go(state, side)
        found: list[Action] = [Withdraw(unit.id) for unit in free if WITHDRAWING not in unit.marks]
        found += [StayInMelee(unit.id) for unit in free if WITHDRAWING in unit.marks]
        return [*found, *map(DropWeapon, loads(state, side)), DONE]

    def apply(self, play: Play[SquadState], frame: Withdrawing, side: str, action: Action) -> None:
        state = play.state
        if isinstance(action, Withdraw):
            mark(play, state.units[action.unit], WITHDRAWING)
        elif isinstance(action, StayInMelee):
            unmark(play, state.units[action.unit], WITHDRAWING)
        elif isinstance(action, DropWeapon):
            drop(play, state.weapons[action.weapon])
        else:
            self.run(play, frame)

    def run(self, play: Play[SquadState], frame: Withdrawing) -> None:
        state = play.state
        play.pop()
        going = [unit for unit in state.units.values() if unit.side == frame.side and WITHDRAWING in unit.marks]
        going = [unit for unit in going if not must_withdraw(state, unit)]
        for cell in dict.fromkeys([unit.at for unit in going]):
            names = tuple([unit.id for unit in going if unit.at == cell])
            play.emit(WithdrawalDeclared(units=names, at=name_of(state, cell)))


# -- moments of a close combat ------------------------------------------------------------


def fights(play: Play[SquadState], frame: Combat, moment: str) -> None:
    """Ambushers, Infiltrators and those who withdraw leave at their moments (A11.2, A11.22, A11.41, ruling E-6)."""
    if moment in ("ambush", "attacked"):
        here = [unit.id for unit in units_at(play.state, frame.at, frame.ambusher)]
        _offer(play, frame, frame.ambusher, here, AMBUSHES)
    elif moment == "rolled":
        _infiltration(play, frame)
    else:
        for side in (other_side(play.state, play.state.attacker), play.state.attacker):
            here = [unit.id for unit in units_at(play.state, frame.at, side) if WITHDRAWING in unit.marks]
            _offer(play, frame, side, here, WITHDRAWS)


def _offer(play: Play[SquadState], frame: Combat, side: str, names: Sequence[str], why: str) -> None:
    """Ask a side whether and where some of its units leave, if there is anybody to leave and to be left."""
    state = play.state
    groups = parties(blocks_of(state, frame.at, side, frame.pairs).values(), names)
    if groups and (why == WITHDRAWS or has_enemy(state, frame.at, side, known=False)):
        play.push(Leaving(side, frame.at, groups, why))


def _infiltration(play: Play[SquadState], frame: Combat) -> None:
    """An Original 2 lets the attackers leave at once, an Original 12 those attacked (A11.22, ruling E-5)."""
    state, last = play.state, frame.rolls[-1]
    original = sum(last.dice)
    if original == INFILTRATION:
        side, names = last.attack.side, last.attack.units
    elif original == SLIP:
        side, names = other_side(state, last.attack.side), last.attack.targets
    else:
        return
    # a leader whom the 2 has created goes with the MMC that he comes from
    blocks = blocks_of(state, frame.at, side, frame.pairs)
    names = tuple([unit.id for name in names if name in blocks for unit in blocks[name].units])
    if rules_of(state).of(LeavingRules).rolled_stands:
        frame, struck = _struck(play, frame, names)
        names = tuple([name for name in names if name not in struck])
    _offer(play, frame, side, names, INFILTRATES)


def _struck(play: Play[SquadState], frame: Combat, names: Sequence[str]) -> tuple[Combat, set[str]]:
    """Whom the DR so far eliminate or reduce; of several who might leave, one is picked now (ruling SA-117)."""
    state, struck = play.state, set()
    rolls = list(frame.rolls)
    for place, one in enumerate(rolls):
        now = as_it_stands(state, frame, one)
        result = result_of(now.kill, now.final) if one.dice else "none"
        if result == "reduced" and not one.picked and set(names).intersection(now.targets):
            there = [state.units[name] for name in now.targets]
            picked = tuple([unit.id for unit in random_selection(play, there, "Casualty Reduction")])
            rolls[place] = replace(one, picked=picked)
        if result != "none":
            struck |= set(now.targets if result == "eliminated" else rolls[place].picked or now.targets)
    if rolls != list(frame.rolls):
        frame = replace(frame, rolls=tuple(rolls))
        play.replace(frame)
    return frame, struck


# -- going --------------------------------------------------------------------------------


class Departing(Procedure[SquadState, Leaving]):
    """Group by group, units leave a close combat (A11.21)."""

    def to_act(self, state: SquadState, frame: Leaving) -> tuple[str, ...]:
        found = self.actions(state, frame, frame.side)
        return (frame.side,) if len(found) > 1 else ()

    def actions(self, state: SquadState, frame: Leaving, side: str) -> Sequence[Action]:
        found: list[Action] = []
        for party in present(state, frame):
            found += [LeaveTo(party[0].id, to) for to in refuges(state, party)]
        if frame.why != WITHDRAWS or not has_enemy(state, frame.at, side, known=False):
            found.append(FIGHT)
        return found

    def apply(self, play: Play[SquadState], frame: Leaving, side: str, action: Action) -> None:
        if not isinstance(action, LeaveTo):
            self._end(play, frame)
            return
        party = next(party for party in present(play.state, frame) if party[0].id == action.unit)
        rest = tuple([group for group in frame.groups if action.unit not in group])
        play.replace(replace(frame, groups=rest))
        depart(play, frame, tuple([unit.id for unit in party]), action.to)

    def run(self, play: Play[SquadState], frame: Leaving) -> None:
        only = [action for action in self.actions(play.state, frame, frame.side) if isinstance(action, LeaveTo)]
        if only:
            self.apply(play, frame, frame.side, only[0])
        else:
            self._end(play, frame)

    def _end(self, play: Play[SquadState], frame: Leaving) -> None:
        state = play.state
        play.pop()
        left = tuple([unit.id for party in present(state, frame) for unit in party])
        for name in left if frame.why == WITHDRAWS else ():
            unmark(play, state.units[name], WITHDRAWING)
        if left and frame.why == WITHDRAWS and has_enemy(state, frame.at, frame.side, known=False):
            play.emit(NoWayOut(units=left, at=name_of(state, frame.at)))


def depart(play: Play[SquadState], frame: Leaving, names: tuple[str, ...], to: int) -> None:
    """Units leave for a Location: mines, weapons left behind, CX, enemies who lie in wait (A11.21, ruling E-3)."""
    state = play.state
    if frame.why == INFILTRATES:
        _show_attackers(play, names)
    broken = {name for name in names if state.units[name].broken}
    leaving(play, names, frame.at, to, WITHDRAWS)
    here = [state.units[name] for name in names if name in state.units]
    # whoever is pinned or broken on the way out stays (B28.412)
    able = [unit for unit in here if not unit.pinned and (not unit.broken or unit.id in broken)]
    if not able or state.outcome is not None:
        return
    for name in left_behind(state, able):
        drop(play, state.weapons[name])
    able = [state.units[unit.id] for unit in able]
    cx = tuple(becoming_cx(state, able, to))
    names = tuple([unit.id for unit in able])
    for unit in able:
        moved = update(play, put(state, unit, to), melee=False, engaged=False, cx=unit.cx or unit.id in cx)
        unmark(play, moved, WITHDRAWING)
    play.emit(LeftCombat(units=names, frm=name_of(state, frame.at), at=name_of(state, to), why=frame.why, cx=cx))
    release_melee(play, frame.at)
    if _runs_into(play, frame.side, names, to):
        return
    _arrive(play, frame, names, to)


def _show_attackers(play: Play[SquadState], names: Sequence[str]) -> None:
    """Whoever has attacked and leaves before his attack takes effect loses his "?" as others do (A11.19)."""
    under = next((one for one in reversed(play.state.stack) if isinstance(one, Combat)), None)
    if under is None:
        return
    for one in under.rolls:
        hits = result_of(one.kill, one.final) == "eliminated" if one.dice else False
        why = "ambushes" if hits and under.ambusher == one.attack.side else "fights"
        for name in one.units:
            if name in names and name in play.state.units:
                come_out(play, play.state.units[name], why)


def _runs_into(play: Play[SquadState], side: str, names: Sequence[str], to: int) -> bool:
    """Whoever withdraws into enemies whom he did not know is eliminated; Dummies go (A11.21, ruling E-4)."""
    state = play.state
    unknown = [unit for unit in sharing_room(state, to) if unit.side != side and concealed(state, unit)]
    if not unknown:
        return False
    if all([unit_kind(state, unit).dummy for unit in unknown]):
        met(play, to, side, tuple(names))
        return False
    for name in names:
        if name in state.units:
            eliminate(play, state.units[name], "withdraws into concealed enemies")
    return True


def _arrive(play: Play[SquadState], frame: Leaving, names: tuple[str, ...], to: int) -> None:
    state = play.state
    mark_dm_near(play, to, frame.side)
    if any(True for _ in adjacent_enemies(state, to, frame.side)):
        for name in names:
            put_under_dm(play, state.units[name])
    guns.moved_units(play, [name for name in names if name in state.units], frame.at, to)
    guns.check_hip(play, frame.side, (to,))
    check_at_once(play)
    entered(play, names, frame.at, to, WITHDRAWS)


# -- who cannot -----------------------------------------------------------------------------


def end(play: Play[SquadState]) -> None:
    """The CCPh ends: broken units that were to withdraw from Melee and could not are eliminated (A11.16)."""
    state = play.state
    bound = BOUND.of(state)
    if not rules_of(state).of(LeavingRules).bound_next:
        bound = tuple([unit.id for unit in state.units.values()])
    for name in bound:
        unit = state.units.get(name)
        if unit is not None and must_withdraw(state, unit):
            eliminate(play, unit, "broken in Melee and cannot withdraw")
    BOUND.put(state, ())
