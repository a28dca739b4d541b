"""Rally Phase: recovery, repair, transfer, self-rally, rally, removal of DM, in their order (3.1)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure, Rolled, Tally
from sandtable.games.squad.effects import promotion
from sandtable.games.squad.effects.morale import Loss, casualty_reduce, leader_loss
from sandtable.games.squad.ground.doors import averted, befallen, rolled, settled
from sandtable.games.squad.ground.knowledge import hidden, onlookers
from sandtable.games.squad.ground.markers import change_units
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.possession import may_man, recovery_bar
from sandtable.games.squad.ground.setting import rules_of, setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.stacks import come_out, destroy_weapon, give, name_of, units_at, update, update_weapon
from sandtable.games.squad.movement.model import Recover
from sandtable.games.squad.movement.steps import recover
from sandtable.games.squad.part import Part, Phase, Roll
from sandtable.games.squad.phases.model import Done, MarkersRemoved
from sandtable.games.squad.phases.sequence import end_phase
from sandtable.games.squad.phases.victory import check_at_once
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.games.squad.rally import eligibility
from sandtable.games.squad.rally.model import (
    KeepDm,
    RallyPhase,
    RallyTried,
    RallyUnit,
    Repair,
    Repaired,
    SelfRally,
    Transfer,
    Transferred,
)
from sandtable.games.squad.rally.switches import RallyRules

DONE = Done()


class Rally(Procedure[SquadState, RallyPhase]):
    """The steps of the Rally Phase, each for the ATTACKER first; steps without a choice are passed over (3.1)."""

    def to_act(self, state: SquadState, frame: RallyPhase) -> tuple[str, ...]:
        if frame.step == "a" or not has_choice(state, frame):
            return ()
        return (frame.side,)

    def actions(self, state: SquadState, frame: RallyPhase, side: str) -> Sequence[Action]:
        found: list[Action] = []
        for unit in _concerned(state, frame.step, side):
            found += _unit_actions(state, frame, unit)
        if not any([isinstance(one, RallyUnit) and _must_rally(state, one.leader) for one in found]):
            found.append(DONE)
        return found

    def apply(self, play: Play[SquadState], frame: RallyPhase, side: str, action: Action) -> None:
        state = play.state
        if isinstance(action, Recover):
            play.replace(replace(frame, acted=(*frame.acted, action.unit)))
            recover(play, state.units[action.unit], action.weapon)
        elif isinstance(action, Repair):
            play.replace(replace(frame, acted=(*frame.acted, state.weapons[action.weapon].owner)))
            repair(play, action.weapon)
        elif isinstance(action, Transfer):
            transfer(play, action)
        elif isinstance(action, SelfRally):
            unit = state.units[action.unit]
            if not unit_kind(state, unit).self_rally:
                play.replace(replace(frame, self_rallied=frame.self_rallied + 1))
            try_rally(play, unit, None)
        elif isinstance(action, RallyUnit):
            try_rally(play, state.units[action.unit], state.units[action.leader])
        elif isinstance(action, KeepDm):
            play.replace(replace(frame, keep=(*frame.keep, action.unit)))
        else:
            _next(play, frame)

    def run(self, play: Play[SquadState], frame: RallyPhase) -> None:
        _next(play, frame)


def _side_units(state: SquadState, side: str) -> list[Unit]:
    return [unit for unit in state.units.values() if unit.side == side and unit.at >= 0]


def has_choice(state: SquadState, frame: RallyPhase) -> bool:
    """Whether the side can do anything in this step."""
    step = frame.step
    if step == "b" and not state.loose:
        return False
    if step in "efg" and not any([unit.broken for unit in state.units.values()]):
        return False
    if setting_of(state).points.conceals:
        secret = [unit for unit in _side_units(state, frame.side) if unit.concealed]
        if any([_might_act(state, step, unit) for unit in secret]):
            return True  # who is not asked would tell what his concealed units are
    return any(_unit_actions(state, frame, unit) for unit in _concerned(state, step, frame.side))


def _concerned(state: SquadState, step: str, side: str) -> list[Unit]:
    """Units of a side that a step could be about."""
    units = state.units.values()
    if step == "b":
        return [unit for unit in units if unit.at in state.loose and unit.side == side] if state.loose else []
    if step in "cd":
        return [unit for unit in units if unit.weapons and unit.side == side and unit.at >= 0]
    return [unit for unit in units if unit.broken and unit.side == side and unit.at >= 0]


def _might_act(state: SquadState, step: str, unit: Unit) -> bool:
    """Whether a unit under a "?" could do something in a step, for all that its enemy knows."""
    if step == "b":
        return unit.at in state.loose
    if step == "f":
        return any([other.broken and other.side == unit.side for other in units_at(state, unit.at)])
    return step in "cd"


def _unit_actions(state: SquadState, frame: RallyPhase, unit: Unit) -> list[Action]:
    """What a unit that the present step concerns may do in it."""
    step = frame.step
    if step == "b":
        loose = state.loose.get(unit.at) if state.loose else None
        if not loose or recovery_bar(state, unit, frame.acted):
            return []
        return [Recover(unit.id, name) for name in loose if may_man(state, state.weapons[name], unit)]
    if step == "c":
        broken = [name for name in unit.weapons if state.weapons[name].broken and rules_of(state).of(RallyRules).repair]
        return [
            Repair(name) for name in broken if eligibility.repair_bar(state, state.weapons[name], frame.acted) is None
        ]
    if step == "d":
        return _transfers(state, frame, unit)
    if step == "e":
        bar = eligibility.self_rally_bar(state, unit, tried=frame.self_rallied)
        return [SelfRally(unit.id)] if bar is None else []
    if step == "f":
        if eligibility.rally_bar(state, unit) is not None:
            return []
        return [RallyUnit(unit.id, leader.id) for leader in eligibility.rally_leaders(state, unit, frame.acted)]
    if unit.dm and unit.id not in frame.keep and eligibility.may_keep_dm(state, unit):
        return [KeepDm(unit.id)]
    return []


def _transfers(state: SquadState, frame: RallyPhase, unit: Unit) -> list[Action]:
    stack = state.stacks[unit.at]
    if len(stack) < 2 or unit.id in frame.acted:
        return []
    return [
        Transfer(name, other)
        for name in unit.weapons
        for other in stack
        if other not in frame.acted and eligibility.transfer_bar(state, state.weapons[name], state.units[other]) is None
    ]


def _must_rally(state: SquadState, leader: str) -> bool:
    """Whether a leader must try to rally whoever is with him (A25.222)."""
    return bool(unit_kind(state, state.units[leader]).inspires)


def _next(play: Play[SquadState], frame: RallyPhase) -> None:
    """The DEFENDER's part of the step, then the next step; after the last one DM counters come off (3.1)."""
    state = play.state
    attacker = state.attacker
    steps = rules_of(state).of(RallyRules).rally_steps
    if frame.step == "a":
        play.replace(replace(frame, step="b", side=attacker))
    elif frame.side == attacker:
        play.replace(replace(frame, side=setting_of(state).others[attacker]))
    elif frame.step != steps[-1]:
        play.replace(replace(frame, step=steps[steps.index(frame.step) + 1], side=attacker))
    else:
        remove_dm(play, frame.keep)
        end_phase(play)


# -- what is done -----------------------------------------------------------------------


def repair(play: Play[SquadState], name: str) -> None:
    """A dr of the repair number or less repairs; a 6 removes the weapon for good (3.1 c)."""
    state = play.state
    weapon = state.weapons[name]
    owner = state.units[weapon.owner]
    only = (owner.side,) if owner.concealed else None  # that there is a weapon would tell
    (dr,) = play.roll(6, 1, f"repair: {short(state, name)}", by=owner.side, tally=Tally("Repair"), to=only)
    told = Repaired(unit=owner.id, weapon=name, at=name_of(state, owner.at), result="failed", to=only)
    if dr == eligibility.WEAPON_LOST_DR:
        play.emit(replace(told, result="lost", to=None))
        destroy_weapon(play, weapon)
    elif dr <= weapon_kind(weapon).repair:
        update_weapon(play, weapon, broken=False)
        play.emit(replace(told, result="repaired"))
    else:
        play.emit(told)


def transfer(play: Play[SquadState], action: Transfer) -> None:
    """A weapon changes hands, once in a phase (3.1 d, 3.7)."""
    state = play.state
    weapon = state.weapons[action.weapon]
    before = weapon.owner
    give(state, weapon, action.unit)
    update_weapon(play, state.weapons[action.weapon], recovered=True)
    where = name_of(state, state.units[action.unit].at)
    play.emit(Transferred(weapon=weapon.id, frm=before, unit=action.unit, at=where))
    check_at_once(play)


def try_rally(play: Play[SquadState], unit: Unit, leader: Unit | None) -> None:
    """A rally DR: broken morale or less rallies, an original 12 is a Casualty Reduction (3.1 e, f)."""
    state = play.state
    tally = eligibility.rally_tally(state, unit, leader)
    if leader is not None:
        come_out(play, leader, "acts")
    unit = update(play, unit, rally_tried=True)
    only = (unit.side,) if _unseen_company(state, unit) else None
    why = f"rally: {short(state, unit)}"
    dice = play.roll(6, 2, why, by=unit.side, tally=tally, to=only)
    if only:
        play.emit(Rolled(why=why, sides=6, faces=dice, by=unit.side, to=onlookers(state, unit.side)))
    led_by = leader.id if leader is not None else ""
    roll = rolled(play, Roll("rally", unit.side, dice, (unit.id,), unit.at, led_by))
    original = roll.original
    drm = int(tally.total)
    rallied = eligibility.rallies(state, unit, original, drm)
    at = name_of(state, unit.at)
    play.emit(RallyTried(unit=unit.id, at=at, dr=original + drm, rallied=rallied, leader=led_by, to=only))
    if only:
        play.emit(RallyTried(unit=unit.id, at=at, dr=None, rallied=rallied, to=onlookers(state, unit.side)))
    kind = unit_kind(state, unit)
    if leader is None and kind.mmc and kind.makes_leaders and promotion.may_promote(state, original):
        promotion.promote(play, unit)
    if original == eligibility.CASUALTY_DR:
        losses: list[Loss] = []
        casualty_reduce(play, unit, losses=losses)
        leader_loss(play, losses)
    elif rallied and not averted(play, "rally", unit):
        update(play, unit, broken=False, dm=False)
        befallen(play, "rally", unit)
    settled(play, roll)


def _unseen_company(state: SquadState, unit: Unit) -> bool:
    """Whether somebody of whom enemies know nothing may be with a unit: who helps it is not told (ruling C-9)."""
    with_it = [other for other in units_at(state, unit.at, unit.side) if other.id != unit.id]
    return any([other.concealed or hidden(other) for other in with_it])


def remove_dm(play: Play[SquadState], keep: tuple[str, ...]) -> None:
    """DM counters come off, but not beside a Known enemy nor where the owner keeps them (3.1 g)."""
    state = play.state
    found = [
        unit
        for unit in state.units.values()
        if unit.dm and unit.id not in keep and (not unit.broken or unit.at < 0 or not eligibility.dm_stays(state, unit))
    ]
    for unit in found:
        update(play, unit, dm=False)
    if found:
        play.emit(MarkersRemoved(what="DM", units=tuple([unit.id for unit in found])))


def _end_rally(play: Play[SquadState]) -> None:
    change_units(play.state, [unit for unit in play.state.units.values() if unit.rally_tried], rally_tried=False)


PART = Part(phases={"RPh": Phase(RallyPhase)}, ends={"RPh": _end_rally}, procedures={RallyPhase: Rally()})
