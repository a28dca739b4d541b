"""Reinforcements: provisional ones are diced for, all are set up off board in the Rally Phase (3.1 a, 3.3)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.games.squad.cards.scenario import Group
from sandtable.games.squad.ground.entry import entry_cells
from sandtable.games.squad.ground.setting import Setting, setting_of, unit_kind
from sandtable.games.squad.ground.stacks import STACK_LEADERS, STACK_SQUADS, give, leave_map, name_of, stacking_of
from sandtable.games.squad.part import Part
from sandtable.games.squad.pieces.events import Eliminated
from sandtable.games.squad.pieces.model import OFF_MAP, SquadState, Unit
from sandtable.games.squad.scenario.auto_setup import goal_cells
from sandtable.games.squad.scenario.model import (
    AutoSetUp,
    ChooseEdge,
    GiveWeapon,
    PickEdge,
    PickUnit,
    PickUp,
    PickWeapon,
    Placed,
    PlaceReinforcements,
    PlaceUnit,
    PutBack,
    ReinforcementsRolled,
    ReinforcementsStand,
    SetUpDone,
)
from sandtable.games.squad.scenario.switches import ScenarioRules
from sandtable.space.remembered import remembered

AUTO, DONE, BACK = AutoSetUp(), SetUpDone(), PutBack()


def begin(play: Play[SquadState]) -> None:
    """At the start of the RPh: dice for provisional groups, then the ATTACKER places what is due (3.1 a)."""
    state = play.state
    setting = setting_of(state)
    edges = []
    for group in setting.scenario.groups:
        if group.side != state.attacker or group.entry is None or not group.entry.rolls or group.id in state.entered:
            continue
        number = next((roll.number for roll in group.entry.rolls if roll.turn == state.turn), 0)
        if not number:
            continue
        (dr,) = play.roll(6, 1, "provisional reinforcements", by=group.side)
        play.emit(ReinforcementsRolled(side=group.side, group=group.id, number=number, come=dr <= number))
        if dr <= number:
            state.entered[group.id] = group.entry.at[0]
            if group.entry.one_edge and len(group.entry.at) > 1:
                edges.append(group.id)
    if due(state):
        play.push(PlaceReinforcements())
    for name in edges:
        play.push(ChooseEdge(name))


def due_groups(state: SquadState) -> list[Group]:
    """Groups of the ATTACKER that may come on in this turn."""
    found = []
    for group in setting_of(state).scenario.groups:
        entry = group.entry
        if entry is None or group.side != state.attacker:
            continue
        if entry.rolls:
            if group.id in state.entered:
                found.append(group)
        elif state.turn == entry.turn or (entry.or_later and state.turn > entry.turn):
            found.append(group)
    return found


def due(state: SquadState) -> list[Unit]:
    """Units that may be set up off board now and are not yet."""
    groups = {group.id for group in due_groups(state)}
    return [unit for unit in state.units.values() if unit.group in groups and unit.at < 0 and unit.beside < 0]


def must_come(state: SquadState) -> bool:
    """Whether some unit that is not placed may not wait for a later turn."""
    groups = setting_of(state).groups
    for unit in due(state):
        entry = groups[unit.group].entry
        if entry is not None and not entry.or_later:
            return True
    return False


def off_board_stacks(state: SquadState, side: str) -> dict[int, list[Unit]]:
    """Units of a side that stand off board, by the edge hex beside them."""
    found: dict[int, list[Unit]] = {}
    for unit in state.units.values():
        if unit.at < 0 and unit.beside >= 0 and unit.side == side:
            found.setdefault(unit.beside, []).append(unit)
    return found


def room(state: SquadState, unit: Unit, there: Sequence[Unit]) -> bool:
    """Stacking limits hold off board as well (3.3)."""
    size, leaders = stacking_of(state, [*there, unit])
    return size <= STACK_SQUADS and leaders <= STACK_LEADERS


def stand_beside(play: Play[SquadState], unit: Unit, cell: int) -> None:
    """Set a unit up off board beside an edge hex."""
    state = play.state
    state.units[unit.id] = replace(unit, beside=cell)
    play.emit(Placed(unit=unit.id, at=name_of(state, cell), off_board=True))


@remembered(32)
def _goal_distance(setting: Setting) -> tuple[int, ...]:
    """For each hex how far it is to what the scenario is about."""
    goals = goal_cells(setting)
    return tuple([min([ranges[goal] for goal in goals], default=0) for ranges in setting.ground.ranges])


def place_rest(play: Play[SquadState]) -> None:
    """Place all that is due: near the goal, a few units to a hex, leaders with squads."""
    state = play.state
    setting = setting_of(state)
    distance, tem = _goal_distance(setting), setting.ground.tem
    waiting = sorted(due(state), key=lambda unit: unit_kind(state, unit).smc)
    stacks = off_board_stacks(state, state.attacker)
    squads = {cell: sum(unit_kind(state, unit).mmc for unit in there) for cell, there in stacks.items()}
    for unit in waiting:
        best, found = -1e9, OFF_MAP
        mmc = unit_kind(state, unit).mmc
        for cell in entry_cells(state, unit.group):
            value = 0.3 * tem[cell] - 0.4 * distance[cell]
            there = stacks.get(cell)
            if there:
                many = squads[cell]
                value -= 1.0 * many if mmc else 3.0 * (len(there) - many) - 1.0 * many
            if value > best and (not there or room(state, unit, there)):
                best, found = value, cell
        if found >= 0:
            stacks.setdefault(found, []).append(unit)
            squads[found] = squads.get(found, 0) + int(mmc)
            stand_beside(play, unit, found)


def remove_late(play: Play[SquadState]) -> None:
    """Who was set up off board and has not entered by the end of the APh is eliminated, or waits on (3.3)."""
    state = play.state
    setting = setting_of(state)
    waits = setting.rules.of(ScenarioRules).late_units_wait
    for unit in [u for u in state.units.values() if u.at < 0 and u.beside >= 0 and u.side == state.attacker]:
        entry = setting.groups[unit.group].entry
        if waits and entry is not None and entry.or_later:
            state.units[unit.id] = replace(unit, beside=OFF_MAP)
            continue
        play.emit(Eliminated(unit=unit.id, at=name_of(state, unit.beside), why="did not enter in time", side=unit.side))
        leave_map(play, unit, "eliminated")


class PlacingReinforcements(Procedure[SquadState, PlaceReinforcements]):
    """The ATTACKER sets up off board what is due (3.1 a)."""

    def to_act(self, state: SquadState, frame: PlaceReinforcements) -> tuple[str, ...]:
        return (state.attacker,)

    def actions(self, state: SquadState, frame: PlaceReinforcements, side: str) -> Sequence[Action]:
        waiting = due(state)
        if frame.unit:
            unit = state.units[frame.unit]
            stacks = off_board_stacks(state, side)
            open_cells = [
                cell for cell in entry_cells(state, unit.group) if cell not in stacks or room(state, unit, stacks[cell])
            ]
            return [*map(PlaceUnit, open_cells), BACK]
        if frame.weapon:
            return [*(GiveWeapon(unit.id) for unit in waiting if not unit_kind(state, unit).dummy), BACK]
        found: list[Action] = [PickUnit(unit.id) for unit in waiting]
        if len(waiting) > 1:
            found += [PickWeapon(name) for unit in waiting for name in unit.weapons]
        found += [PickUp(u.id) for u in state.units.values() if u.side == side and u.at < 0 and u.beside >= 0]
        if waiting:
            found.append(AUTO)
        if not must_come(state):
            found.append(DONE)
        return found

    def apply(self, play: Play[SquadState], frame: PlaceReinforcements, side: str, action: Action) -> None:
        state = play.state
        if isinstance(action, PickUnit):
            play.replace(replace(frame, unit=action.unit))
        elif isinstance(action, PickWeapon):
            play.replace(replace(frame, weapon=action.weapon))
        elif isinstance(action, GiveWeapon):
            give(state, state.weapons[frame.weapon], action.unit)
            play.replace(replace(frame, weapon=""))
        elif isinstance(action, PlaceUnit):
            play.replace(replace(frame, unit=""))
            stand_beside(play, state.units[frame.unit], action.at)
        elif isinstance(action, PickUp):
            state.units[action.unit] = replace(state.units[action.unit], beside=OFF_MAP)
        elif isinstance(action, AutoSetUp):
            place_rest(play)
        elif isinstance(action, SetUpDone):
            play.emit(ReinforcementsStand(side=side, waiting=len(due(state))))
            play.pop()
        else:
            play.replace(replace(frame, unit="", weapon=""))


class ChoosingEdge(Procedure[SquadState, ChooseEdge]):
    """The side picks the edge along which a group enters."""

    def to_act(self, state: SquadState, frame: ChooseEdge) -> tuple[str, ...]:
        return (setting_of(state).groups[frame.group].side,)

    def actions(self, state: SquadState, frame: ChooseEdge, side: str) -> Sequence[Action]:
        return [PickEdge(edge) for edge in setting_of(state).edges_of(frame.group)]

    def apply(self, play: Play[SquadState], frame: ChooseEdge, side: str, action: PickEdge) -> None:
        play.state.entered[frame.group] = action.edge
        play.pop()


PART = Part(
    begins={"RPh": begin},
    ends={"APh": remove_late},
    procedures={PlaceReinforcements: PlacingReinforcements(), ChooseEdge: ChoosingEdge()},
)
