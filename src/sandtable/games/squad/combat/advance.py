"""Advance Phase: the ATTACKER transfers weapons and moves units one hex, also against enemies (3.7)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.games.squad.combat.model import (
    AddAdvancer,
    Advanced,
    AdvanceDraft,
    AdvancePhase,
    AdvanceTo,
    CancelAdvance,
    RemoveAdvancer,
    StartAdvance,
)
from sandtable.games.squad.combat.switches import CombatRules
from sandtable.games.squad.ground import guns
from sandtable.games.squad.ground.doors import part_bar
from sandtable.games.squad.ground.entry import cost_from_off_board, road_off_board
from sandtable.games.squad.ground.knowledge import concealed, hidden
from sandtable.games.squad.ground.markers import change_units
from sandtable.games.squad.ground.setting import rules_of, setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.stacks import (
    come_out,
    drop,
    fits,
    has_enemy,
    mark_dm_near,
    met,
    name_of,
    put,
    units_at,
    update,
)
from sandtable.games.squad.movement.model import DropWeapon
from sandtable.games.squad.movement.portage import allotments, overloaded
from sandtable.games.squad.movement.steps import entered, leaving, step_cost
from sandtable.games.squad.part import Part, Phase
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.phases.sequence import end_phase
from sandtable.games.squad.phases.switches import PhaseRules
from sandtable.games.squad.phases.victory import check_at_once
from sandtable.games.squad.pieces.model import Mover, SquadState, Unit
from sandtable.games.squad.rally import eligibility
from sandtable.games.squad.rally.model import Transfer
from sandtable.games.squad.rally.rallying import transfer

Bar = tuple[str, str]
END, CANCEL = EndPhase(), CancelAdvance()


def advance_bar(state: SquadState, unit: Unit) -> Bar | None:
    """Why a unit may not advance (3.7, 6.5)."""
    if unit.broken:
        return ("Broken units may only rout and rally", "3.7")
    if unit.melee:
        return ("It is held in Melee and fights on in the Close Combat Phase", "3.8")
    if unit.pinned:
        return ("Pinned units may not advance: they stay until the pin is removed at the end of the CCPh", "3.7")
    if unit.advanced:
        return ("It has advanced in this phase: advance another unit", "3.7")
    if unit.hazardous:
        return ("It has tried to manhandle a Gun in this Player Turn: it stays where it is", "6.5")
    return _held_bar(state, unit)


def _held_bar(state: SquadState, unit: Unit) -> Bar | None:
    """What keeps a unit that is free to go from advancing: what it carries, or what a part says."""
    if unit.at < 0 and unit.beside < 0:
        return ("It is not due yet: it enters in its turn", "3.3")
    if unit.weapons:
        if any(weapon_kind(state.weapons[name]).gun for name in unit.weapons):
            return ("A Gun may not move in the Advance Phase: drop it first", "6.5")
        if overloaded(state, unit):
            return ("A leader never carries more than two PP: drop or transfer a weapon first", "4.0")
    return part_bar(state, "advance", unit) if "advance" in setting_of(state).points.barred else None


def may_advance(state: SquadState, unit: Unit) -> bool:
    """Whether a unit may advance somewhere."""
    if unit.broken or unit.melee or unit.pinned or unit.advanced or unit.hazardous:
        return False
    return _held_bar(state, unit) is None


def transfer_bar(state: SquadState, name: str, unit: Unit) -> Bar | None:
    """Support weapons change hands in the APh, but advance only once (3.7, 4.0)."""
    weapon = state.weapons[name]
    bar = eligibility.transfer_bar(state, weapon, unit)
    if bar is None and weapon_kind(weapon).gun:
        return ("Only support weapons are transferred in the Advance Phase; Guns in the Rally Phase", "3.7")
    if (
        bar is None
        and rules_of(state).of(CombatRules).transfer_before_advance
        and any(u.advanced for u in state.units.values())
    ):
        return ("Weapons change hands only at the start of the Advance Phase", "G33")
    if bar is None and state.units[weapon.owner].advanced and not unit.advanced:
        return ("It has advanced already and may not be carried on: transfer it in the next Rally Phase", "4.0")
    return bar


class Advance(Procedure[SquadState, AdvancePhase]):
    """The ATTACKER picks units, transfers and drops weapons (3.7, G29)."""

    def to_act(self, state: SquadState, frame: AdvancePhase) -> tuple[str, ...]:
        side = state.attacker
        for unit in state.units.values():
            if unit.side == side and (
                may_advance(state, unit) or (unit.weapons and _may_drop(unit)) or concealed(state, unit)
            ):
                return (side,)
        return ()

    def run(self, play: Play[SquadState], frame: AdvancePhase) -> None:
        end_phase(play)

    def actions(self, state: SquadState, frame: AdvancePhase, side: str) -> Sequence[Action]:
        found: list[Action] = []
        for unit in state.units.values():
            if unit.side != side or unit.broken or unit.melee:
                continue
            if may_advance(state, unit):
                found.append(StartAdvance(unit.id))
            if unit.weapons and _may_drop(unit):
                for name in unit.weapons:
                    found.append(DropWeapon(name))
                    found += [
                        Transfer(name, other)
                        for other in state.stacks[unit.at]
                        if other != unit.id and transfer_bar(state, name, state.units[other]) is None
                    ]
        found.append(END)
        return found

    def apply(self, play: Play[SquadState], frame: AdvancePhase, side: str, action: Action) -> None:
        state = play.state
        if isinstance(action, StartAdvance):
            play.push(AdvanceDraft((action.unit,)))
        elif isinstance(action, Transfer):
            transfer(play, action)
        elif isinstance(action, DropWeapon):
            owner = state.units[state.weapons[action.weapon].owner]
            come_out(play, owner, "leaves its Gun")
            drop(play, state.weapons[action.weapon])
        else:
            end_phase(play)


def _may_drop(unit: Unit) -> bool:
    """Unbroken units outside Melee may drop weapons in their APh (4.0)."""
    return unit.good_order and unit.at >= 0


# -- one advance ------------------------------------------------------------------------


def place(unit: Unit) -> int:
    """Its hex, or the edge hex beside it, as a number of its own."""
    return unit.at if unit.at >= 0 else -2 - unit.beside


def entry_cost(state: SquadState, units: Sequence[Unit], to: int) -> int:
    """Half MF that units would pay for a hex in the MPh, along the road where that is cheaper (3.7)."""
    ground, names = setting_of(state).ground, tuple([unit.id for unit in units])
    if units[0].at < 0:
        return cost_from_off_board(state, to, road=road_off_board(state, to), units=names)
    way = ground.way(units[0].at, to)
    assert way is not None
    cost = step_cost(state, way, road=False, units=names)
    return min(cost, step_cost(state, way, road=True, units=names)) if way.road else cost


def advance_mf(state: SquadState, units: Sequence[Unit]) -> dict[str, int]:
    """Half MF of units that advance together: a leader lends his bonus and IPC (3.7, 4.0)."""
    leader = next((unit.id for unit in units if unit_kind(state, unit).leads and not unit.broken), "")
    movers = [Mover(unit.id, place(unit), leader=leader if unit_kind(state, unit).mmc else "") for unit in units]
    return allotments(state, movers)


def exhausted_by(state: SquadState, units: Sequence[Unit], to: int) -> list[str]:
    """Units that the hex costs all their MF: they become CX, and may not if they are (3.7)."""
    if not rules_of(state).of(CombatRules).advance_cx:
        return []
    cost = entry_cost(state, units, to)
    allowed = advance_mf(state, units)
    return [unit.id for unit in units if cost >= allowed[unit.id]]


def to_bar(state: SquadState, units: Sequence[Unit], to: int) -> Bar | None:
    """Why units may not advance into a hex (3.3, 3.7)."""
    side = units[0].side
    setting = setting_of(state)
    if units[0].at >= 0:
        way = setting.ground.way(units[0].at, to)
        if way is None or way.all_mf:
            return (f"Nobody may advance from here into {name_of(state, to)}", "3.7")
    if (
        (to in state.stacks or to in setting.ground.twins)
        and not setting.rules.of(PhaseRules).stacking_at_phase_end
        and not fits(state, to, side, units)
    ):
        return (f"{name_of(state, to)} has no room for them (stacking limit)", "3.3")
    if units[0].cx or (len(units) > 1 and any([unit.cx for unit in units])):
        for name in exhausted_by(state, units, to):
            if state.units[name].cx:
                return (f"{name_of(state, to)} would cost all MF of a unit that is CX", "3.7")
    return part_bar(state, "enter", units, units[0].at, to) if "enter" in setting.points.barred else None


def destinations(state: SquadState, units: Sequence[Unit]) -> list[int]:
    """Hexes into which units may advance together."""
    first = units[0]
    near = setting_of(state).ground.near[first.at] if first.at >= 0 else (first.beside,)
    return [to for to in near if to_bar(state, units, to) is None]


class Advancing(Procedure[SquadState, AdvanceDraft]):
    """Units of one hex are gathered and advance together (3.7)."""

    def to_act(self, state: SquadState, frame: AdvanceDraft) -> tuple[str, ...]:
        return (state.attacker,)

    def actions(self, state: SquadState, frame: AdvanceDraft, side: str) -> Sequence[Action]:
        units = [state.units[name] for name in frame.units]
        found: list[Action] = [AdvanceTo(to) for to in destinations(state, units)]
        found += [AddAdvancer(unit.id) for unit in _others(state, units[0]) if unit.id not in frame.units]
        if len(units) > 1:
            found += [RemoveAdvancer(name) for name in frame.units]
        found.append(CANCEL)
        return found

    def apply(self, play: Play[SquadState], frame: AdvanceDraft, side: str, action: Action) -> None:
        if isinstance(action, AddAdvancer):
            play.replace(replace(frame, units=(*frame.units, action.unit)))
        elif isinstance(action, RemoveAdvancer):
            play.replace(replace(frame, units=tuple([name for name in frame.units if name != action.unit])))
        else:
            play.pop()
            if isinstance(action, AdvanceTo):
                advance(play, frame.units, action.to)


def _others(state: SquadState, first: Unit) -> list[Unit]:
    """Units that may advance with another one: from its hex, or from beside the same edge hex."""
    if first.at >= 0:
        present = units_at(state, first.at, first.side)
    else:
        present = [u for u in state.units.values() if u.at < 0 and u.beside == first.beside and u.side == first.side]
    return [unit for unit in present if unit.id != first.id and may_advance(state, unit)]


def advance(play: Play[SquadState], names: tuple[str, ...], to: int) -> None:
    """Units enter the hex; a hidden Gun there, or what a part knows of, throws them back (3.7, 6.4)."""
    state = play.state
    for name in names:
        come_out(play, state.units[name], "advances")
    units = [state.units[name] for name in names]
    frm, side = units[0].at, units[0].side
    unseen = any([unit.side != side and hidden(unit) for unit in units_at(state, to)])
    stopped = unseen and rules_of(state).of(CombatRules).hidden_bar_advance
    if stopped or part_bar(state, "try", units, frm, to) is not None:
        met(play, to, side, names)
        for unit in units:
            update(play, unit, advanced=True)
        return
    able = leaving(play, names, frm, to, "advances") if frm >= 0 else names
    for name in names:
        if name not in able and name in state.units:
            update(play, state.units[name], advanced=True)
    if not able or state.outcome is not None:
        return
    names = able
    units = [state.units[name] for name in names]
    cx = tuple(exhausted_by(state, units, to))
    engaged = has_enemy(state, to, side, known=False)
    for unit in units:
        moved = put(state, unit, to)
        update(play, moved, advanced=True, engaged=engaged, cx=unit.cx or unit.id in cx)
    play.emit(Advanced(units=names, frm=name_of(state, frm), at=name_of(state, to), cx=cx))
    mark_dm_near(play, to, side)
    guns.moved_units(play, [name for name in names if name in state.units], frm, to)
    guns.check_hip(play, side, (to,))
    check_at_once(play)
    entered(play, names, frm, to, "advances")


def _end_advance(play: Play[SquadState]) -> None:
    change_units(play.state, [unit for unit in play.state.units.values() if unit.advanced], advanced=False)


PART = Part(
    phases={"APh": Phase(AdvancePhase, after="RtPh")},
    ends={"APh": _end_advance},
    procedures={AdvancePhase: Advance(), AdvanceDraft: Advancing()},
)
