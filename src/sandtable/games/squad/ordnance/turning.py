"""Covered Arcs changed without firing: at the end of a fire phase, and after manhandling (3.2.4, 6.5)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.engine.part import Bar
from sandtable.games.squad.ground.guns import lose_acquisition, turn
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.stacks import come_out
from sandtable.games.squad.ordnance.model import FaceGun, KeepArcs, TurnGun, TurnGuns
from sandtable.games.squad.ordnance.switches import OrdnanceRules
from sandtable.games.squad.part import Part
from sandtable.games.squad.phases.sequence import end_phase
from sandtable.games.squad.pieces.model import FINAL_FIRE, INTENSIVE_FIRE, NO_MARKER, SquadState, Weapon

KEEP = KeepArcs()

NOT_A_GUN: Bar = ("Only Guns have a Covered Arc: other weapons fire all round", "3.2.4")
UNMANNED: Bar = ("A Good Order squad, half-squad or crew must man it: recover it first", "3.2.4")
CREW_FIRED: Bar = (
    "Its manning Infantry has fired its inherent firepower: it turns at the end of a later fire phase",
    "3.2.4",
)
STUCK: Bar = ("It could not be pushed in this Player Turn: it turns in the next", "6.5")


def turn_bar(state: SquadState, weapon: Weapon) -> Bar | None:
    """Why a Gun may not change its Covered Arc at the end of this phase (3.2.4)."""
    if not weapon_kind(weapon).gun or weapon.facing < 0:
        return NOT_A_GUN
    owner = state.units.get(weapon.owner)
    if owner is None or owner.at < 0 or not owner.good_order or not unit_kind(state, owner).mans_guns:
        return UNMANNED
    if owner.marker != NO_MARKER and not _only_marked_by_gun(state, weapon):
        return CREW_FIRED
    return STUCK if owner.hazardous and not weapon.moved else None


def _only_marked_by_gun(state: SquadState, weapon: Weapon) -> bool:
    """Whether the owner's counter comes from his Gun's Intensive Fire and not from his own FP (3.3.1)."""
    owner = state.units[weapon.owner]
    if weapon.marker == INTENSIVE_FIRE and owner.marker == FINAL_FIRE:
        return True
    return not unit_kind(state, owner).squad and weapon.id in owner.used


def turnable(state: SquadState, side: str, done: Sequence[str] = ()) -> list[Weapon]:
    """Guns of a side whose Covered Arc may be changed now."""
    units = state.units
    return [
        weapon
        for weapon in state.weapons.values()
        if weapon.facing >= 0
        and weapon.owner
        and units[weapon.owner].side == side
        and weapon.id not in done
        and turn_bar(state, weapon) is None
    ]


def ask_to_turn(play: Play[SquadState], side: str) -> bool:
    """A fire phase ends: Guns may be turned before the next phase starts (3.2.4)."""
    if not setting_of(play.state).rules.of(OrdnanceRules).ordnance or not turnable(play.state, side):
        return False
    play.push(TurnGuns(side))
    return True


class Turning(Procedure[SquadState, TurnGuns]):
    """The side whose fire phase ends may change the Covered Arcs of its Guns, each once (3.2.4)."""

    def to_act(self, state: SquadState, frame: TurnGuns) -> tuple[str, ...]:
        return (frame.side,) if turnable(state, frame.side, frame.done) else ()

    def run(self, play: Play[SquadState], frame: TurnGuns) -> None:
        end_phase(play)

    def actions(self, state: SquadState, frame: TurnGuns, side: str) -> Sequence[Action]:
        found: list[Action] = [
            TurnGun(weapon.id, facing)
            for weapon in turnable(state, side, frame.done)
            for facing in range(6)
            if facing != weapon.facing
        ]
        found.append(KEEP)
        return found

    def apply(self, play: Play[SquadState], frame: TurnGuns, side: str, action: Action) -> None:
        if not isinstance(action, TurnGun):
            end_phase(play)
            return
        state = play.state
        play.replace(replace(frame, done=(*frame.done, action.weapon)))
        owner = state.units[state.weapons[action.weapon].owner]
        come_out(play, owner, "changes its Covered Arc")
        turn(play, lose_acquisition(play, state.weapons[action.weapon]), action.facing)


class Facing(Procedure[SquadState, FaceGun]):
    """A Gun that was pushed into a hex is given a Covered Arc there (6.5)."""

    def to_act(self, state: SquadState, frame: FaceGun) -> tuple[str, ...]:
        weapon = state.weapons.get(frame.weapon)
        return (frame.side,) if weapon is not None and weapon.owner else ()

    def run(self, play: Play[SquadState], frame: FaceGun) -> None:
        play.pop()

    def actions(self, state: SquadState, frame: FaceGun, side: str) -> Sequence[Action]:
        return [TurnGun(frame.weapon, facing) for facing in range(6)]

    def apply(self, play: Play[SquadState], frame: FaceGun, side: str, action: Action) -> None:
        play.pop()
        assert isinstance(action, TurnGun)
        turn(play, play.state.weapons[action.weapon], action.facing)


PART = Part(procedures={TurnGuns: Turning(), FaceGun: Facing()}, closing=ask_to_turn)
