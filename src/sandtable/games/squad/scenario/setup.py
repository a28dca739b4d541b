"""Setting up: the forces of a scenario, and the players placing them group by group (1.3, 6.4)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.games.squad.cards.scenario import Group, StartsMalfunctioned
from sandtable.games.squad.ground.knowledge import hidden
from sandtable.games.squad.ground.setting import Setting, setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.stacks import give, name_of, put
from sandtable.games.squad.part import Part
from sandtable.games.squad.phases.sequence import begin_play
from sandtable.games.squad.phases.victory import update_control
from sandtable.games.squad.pieces.counters import Gun, SupportWeapon, counter
from sandtable.games.squad.pieces.kinds import DUMMY
from sandtable.games.squad.pieces.model import OFF_MAP, SquadState, Unit, Weapon
from sandtable.games.squad.scenario import auto_setup
from sandtable.games.squad.scenario.model import (
    AutoSetUp,
    GiveWeapon,
    GroupStands,
    PickUnit,
    PickUp,
    PickWeapon,
    Placed,
    PlaceGun,
    PlaceUnit,
    PutBack,
    SetUp,
    SetUpDone,
    SetUpFacing,
)
from sandtable.games.squad.scenario.placing import group_stands, hip_allowed, may_place, missing, unplaced

AUTO, DONE, BACK = AutoSetUp(), SetUpDone(), PutBack()


def new_state(setting: Setting) -> SquadState:
    """All units and weapons of a scenario, before anything is placed; weapons are given out sensibly."""
    state = setting.state_type(setting=setting.key, attacker=setting.first, stack=[SetUp()])
    numbers: dict[str, int] = {}
    for group in setting.scenario.groups:
        for line in group.units:
            nation = line.nation or group.nation
            weapon = line.unit != DUMMY and isinstance(counter(nation, line.unit), (SupportWeapon, Gun))
            prefix = nation[0] + ("w" if weapon else "")
            for _ in range(line.count):
                number = numbers[prefix] = numbers.get(prefix, 0) + 1
                name, kind = f"{prefix}{number}", f"{nation} {line.unit}"
                if weapon:
                    broken = starts_broken(setting, group.id, line.unit)
                    state.weapons[name] = Weapon(name, group.side, kind, group.id, broken=broken)
                else:
                    state.units[name] = Unit(name, group.side, kind, group=group.id)
        _give_out(state, group)
    return state


def starts_broken(setting: Setting, group: str, name: str) -> bool:
    """Whether a special rule lets a weapon begin malfunctioned."""
    return any(
        isinstance(rule, StartsMalfunctioned) and rule.group == group and rule.weapon == name
        for rule in setting.scenario.ssr
    )


def _give_out(state: SquadState, group: Group) -> None:
    """Guns to crews, the heaviest weapons to squads first, one each while they last."""
    own = [u for u in state.units.values() if u.group == group.id and not unit_kind(state, u).dummy]
    crews = [unit.id for unit in own if unit_kind(state, unit).crew]
    squads = [unit.id for unit in own if unit_kind(state, unit).squad]
    halves = [unit.id for unit in own if unit_kind(state, unit).half_squad]
    weapons = [weapon for weapon in state.weapons.values() if weapon.group == group.id]
    weapons.sort(key=lambda weapon: (not weapon_kind(weapon).gun, -weapon_kind(weapon).pp, weapon.id))
    free = {True: crews + halves + squads, False: squads + halves + crews}
    for weapon in weapons:
        gun = weapon_kind(weapon).gun
        takers = [name for name in free[gun] if not state.units[name].weapons] or free[gun] or [own[0].id]
        give(state, weapon, takers[0])


class SettingUp(Procedure[SquadState, SetUp]):
    """Groups set up in the order of the card (1.3)."""

    def to_act(self, state: SquadState, frame: SetUp) -> tuple[str, ...]:
        setting = setting_of(state)
        if frame.order >= len(setting.setup_order) or setting.options.get("setup", "auto") == "auto":
            return ()
        return (setting.groups[setting.setup_order[frame.order]].side,)

    def run(self, play: Play[SquadState], frame: SetUp) -> None:
        state = play.state
        setting = setting_of(state)
        if frame.order < len(setting.setup_order):
            group = setting.groups[setting.setup_order[frame.order]]
            auto_setup.place_rest(play, group)
            _stands(play, frame, group)
            return
        update_control(play)
        begin_play(play)

    def actions(self, state: SquadState, frame: SetUp, side: str) -> Sequence[Action]:
        setting = setting_of(state)
        group = setting.groups[setting.setup_order[frame.order]]
        if frame.unit:
            cells = [PlaceUnit(cell) for cell in setting.setup_areas[group.id] if may_place(state, frame.unit, cell)]
            return [*cells, BACK]
        waiting = unplaced(state, group.id)
        if frame.weapon:
            return [*(GiveWeapon(unit.id) for unit in waiting if not unit_kind(state, unit).dummy), BACK]
        found: list[Action] = [PickUnit(unit.id) for unit in waiting]
        if len(waiting) > 1:
            found += [PickWeapon(name) for unit in waiting for name in unit.weapons]
        found += [PickUp(unit.id) for unit in state.units.values() if unit.group == group.id and unit.at >= 0]
        if waiting:
            found.append(AUTO)
        elif not missing(state, group):
            found.append(DONE)
        return found

    def apply(self, play: Play[SquadState], frame: SetUp, side: str, action: Action) -> None:
        state = play.state
        group = setting_of(state).groups[setting_of(state).setup_order[frame.order]]
        if isinstance(action, PickUnit):
            play.replace(replace(frame, unit=action.unit))
        elif isinstance(action, PickWeapon):
            play.replace(replace(frame, weapon=action.weapon))
        elif isinstance(action, GiveWeapon):
            give(state, state.weapons[frame.weapon], action.unit)
            play.replace(replace(frame, weapon=""))
        elif isinstance(action, PlaceUnit):
            play.replace(replace(frame, unit=""))
            place(play, state.units[frame.unit], action.at)
        elif isinstance(action, PickUp):
            _take_off(state, state.units[action.unit])
        elif isinstance(action, AutoSetUp):
            auto_setup.place_rest(play, group)
        elif isinstance(action, SetUpDone):
            _stands(play, frame, group)
        else:
            play.replace(replace(frame, unit="", weapon=""))


def place(play: Play[SquadState], unit: Unit, cell: int) -> None:
    """Put a unit down; a Gun is then given its Covered Arc."""
    state = play.state
    unit = put(state, unit, cell)
    for name in unit.weapons:
        if weapon_kind(state.weapons[name]).gun:
            play.push(SetUpFacing(name))
            return
    secret = setting_of(state).secret_setup
    play.emit(Placed(unit=unit.id, at=name_of(state, cell), to=(unit.side,) if secret else None))


def _take_off(state: SquadState, unit: Unit) -> None:
    unit = put(state, unit, OFF_MAP)
    state.units[unit.id] = replace(unit, hip=False)
    for name in unit.weapons:
        state.weapons[name] = replace(state.weapons[name], hip=False, emplaced=False, facing=-1)


def _stands(play: Play[SquadState], frame: SetUp, group: Group) -> None:
    """The group is set up; the next one follows."""
    state = play.state
    group_stands(play, group)
    guns = sum(hidden(unit) for unit in state.units.values() if unit.group == group.id)
    play.emit(GroupStands(side=group.side, group=group.id, hidden=guns))
    play.replace(SetUp(frame.order + 1))


class Facing(Procedure[SquadState, SetUpFacing]):
    """A Gun is given its Covered Arc, and is hidden or not (3.2.4, 6.4)."""

    def to_act(self, state: SquadState, frame: SetUpFacing) -> tuple[str, ...]:
        return (state.units[state.weapons[frame.gun].owner].side,)

    def actions(self, state: SquadState, frame: SetUpFacing, side: str) -> Sequence[Action]:
        found: list[Action] = [PlaceGun(spine) for spine in range(6)]
        if hip_allowed(state, state.weapons[frame.gun]):
            found += [PlaceGun(spine, hip=True) for spine in range(6)]
        return found

    def apply(self, play: Play[SquadState], frame: SetUpFacing, side: str, action: PlaceGun) -> None:
        play.pop()
        auto_setup.place_gun(play, play.state.weapons[frame.gun], action.facing, hip=action.hip)


PART = Part(procedures={SetUp: SettingUp(), SetUpFacing: Facing()})
