"""Fire phases and the drafting of fire attacks (3.2.2, 3.2.5, 3.4, 3.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.engine import Action, Frame, Play, Procedure
from sandtable.games.squad.effects.results import lose_weapon
from sandtable.games.squad.fire.eligibility import firer_of, first_firers, is_asked, start_firers, targets_of, usable
from sandtable.games.squad.fire.ending import finish_fire_phase, list_firers_anew
from sandtable.games.squad.fire.firepower import firing_units
from sandtable.games.squad.fire.group import bundle, directors, firers_in, joiners, leaves_whole, not_ready, without
from sandtable.games.squad.fire.model import (
    AddDirector,
    AddFirer,
    AdvancingFirePhase,
    AimAt,
    CancelFire,
    DefensiveFirePhase,
    DestroyDraft,
    DestroyWeapon,
    FireAttack,
    FireDraft,
    PrepFirePhase,
    RemoveDirector,
    RemoveFirer,
    ResolveFire,
    StartDestroying,
    StartFire,
)
from sandtable.games.squad.fire.resolution import (
    blocked_sources,
    fire_attack,
    forfeit_fire,
    part_of,
    residual_attack,
)
from sandtable.games.squad.fire.switches import FireRules
from sandtable.games.squad.ground.setting import defender, setting_of, weapon_kind
from sandtable.games.squad.ground.stacks import come_out, update
from sandtable.games.squad.part import Part, Phase
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.pieces.model import NO_MARKER, SquadState

__all__ = ["fire_attack", "fire_draft", "first_firers", "residual_attack"]

MODES: dict[type[Frame], str] = {PrepFirePhase: "prep", DefensiveFirePhase: "final", AdvancingFirePhase: "advancing"}
END, CANCEL, RESOLVE, FORGO = EndPhase(), CancelFire(), ResolveFire(), ResolveFire(forgo=True)
DESTROY = StartDestroying()


def fire_draft(state: SquadState, side: str, mode: str, firer: str, target: int = -1) -> FireDraft:
    """The draft of an attack that starts with one unit or weapon; Final Protective Fire brings all it has (3.3.1)."""
    units, weapons = bundle(state, firer_of(state, firer), mode)
    return FireDraft(side, mode, units, weapons, (), target)


def attack_of(draft: FireDraft, *, forgo: bool = False) -> FireAttack:
    """The attack that a draft declares."""
    return FireAttack(
        draft.side,
        draft.target,
        draft.mode,
        draft.units,
        draft.weapons,
        draft.leaders,
        forgo,
        draft.thrower,
        thrown=bool(draft.thrower),
        also=draft.also,
    )


# -- phases -----------------------------------------------------------------------------


class FirePhase(Procedure[SquadState, Any]):
    """A phase in which one side fires (3.2, 3.2.5, 3.4, 3.5, G7, G22, G23)."""

    places_offers = True

    def to_act(self, state: SquadState, frame: Any) -> tuple[str, ...]:
        if not frame.listed:
            return ()
        return (defender(state) if isinstance(frame, DefensiveFirePhase) else state.attacker,)

    def run(self, play: Play[SquadState], frame: Any) -> None:
        """List who may fire; a phase in which nobody could is over."""
        state = play.state
        side = defender(state) if isinstance(frame, DefensiveFirePhase) else state.attacker
        mode = MODES[type(frame)]
        points = setting_of(state).points
        firers = tuple(start_firers(state, side, mode))
        if firers or is_asked(state, side) or any([stay(state, side, mode) for stay in points.stays]):
            shooters = tuple([name for find in points.starters for name in find(state, side, mode)])
            play.replace(type(frame)(True, firers, shooters))
        else:
            finish_fire_phase(play, side)

    def actions(self, state: SquadState, frame: Any, side: str) -> Sequence[Action]:
        mode = MODES[type(frame)]
        found: list[Action] = [StartFire(name) for name in frame.firers]
        found += self.offered(state, frame, side)
        if mode != "advancing" and next(destroyable(state, side, mode), None) is not None:
            found.append(DESTROY)
        found.append(END)
        return found

    def apply(self, play: Play[SquadState], frame: Any, side: str, action: Action) -> None:
        if isinstance(action, StartFire):
            play.push(fire_draft(play.state, side, MODES[type(frame)], action.firer))
        elif isinstance(action, StartDestroying):
            play.push(DestroyDraft(side))
        else:
            finish_fire_phase(play, side)


def destroyable(state: SquadState, side: str, mode: str) -> Iterator[str]:
    """Weapons that their owners may destroy now, as a use of them (4.0)."""
    setting = setting_of(state)
    if not setting.rules.of(FireRules).voluntary_destruction:
        return
    for weapon in state.weapons.values():
        if not weapon.owner or weapon.marker != NO_MARKER or weapon.shots or state.units[weapon.owner].side != side:
            continue
        if usable(setting, state, weapon, weapon_kind(weapon), mode) is None:
            yield weapon.id


class Destroying(Procedure[SquadState, DestroyDraft]):
    """A side destroys weapons of its own in the PFPh or DFPh (4.0)."""

    def to_act(self, state: SquadState, frame: DestroyDraft) -> tuple[str, ...]:
        return (frame.side,)

    def actions(self, state: SquadState, frame: DestroyDraft, side: str) -> Sequence[Action]:
        mode = "prep" if state.phase == "PFPh" else "final"
        return [*(DestroyWeapon(name) for name in destroyable(state, side, mode)), CANCEL]

    def apply(self, play: Play[SquadState], frame: DestroyDraft, side: str, action: Action) -> None:
        play.pop()
        if isinstance(action, DestroyWeapon):
            list_firers_anew(play)
            weapon = play.state.weapons[action.weapon]
            owner = play.state.units[weapon.owner]
            owner = come_out(play, owner, "destroys its Gun")
            update(play, owner, used=(*owner.used, weapon.id))
            lose_weapon(play, play.state.weapons[weapon.id])


# -- the draft --------------------------------------------------------------------------


class Drafting(Procedure[SquadState, FireDraft]):
    """A fire attack is put together: target, fire group, direction; then it is fired (3.2.2)."""

    def to_act(self, state: SquadState, frame: FireDraft) -> tuple[str, ...]:
        return (frame.side,)

    def actions(self, state: SquadState, frame: FireDraft, side: str) -> Sequence[Action]:
        if frame.target < 0:
            firer = firer_of(state, (*frame.units, *frame.weapons)[0])
            return [*(AimAt(cell) for cell in targets_of(state, side, firer, frame.mode)), CANCEL]
        found: list[Action] = []
        firing = firers_in(state, frame)
        if not_ready(state, frame, firing) is None:
            found.append(RESOLVE)
            if may_forgo(state, frame):
                found.append(FORGO)
        if not frame.checked:
            found += [AddFirer(name) for name in joiners(state, frame, firing)]
            found += [AddDirector(name) for name in directors(state, frame, firing)]
        if len(frame.units) + len(frame.weapons) > 1:
            found += [RemoveFirer(name) for name in (*frame.units, *frame.weapons) if leaves_whole(state, frame, name)]
        found += [RemoveDirector(name) for name in frame.leaders]
        if not (frame.checked and setting_of(state).rules.of(FireRules).partial_group_must_fire) or not found:
            found.append(CANCEL)
        return found

    def apply(self, play: Play[SquadState], frame: FireDraft, side: str, action: Action) -> None:
        state = play.state
        if isinstance(action, AimAt):
            play.replace(replace(frame, target=action.at))
        elif isinstance(action, AddFirer):
            units, weapons = bundle(state, firer_of(state, action.firer), frame.mode, frame.weapons)
            play.replace(
                replace(
                    frame,
                    units=tuple(dict.fromkeys([*frame.units, *units])),
                    weapons=tuple(dict.fromkeys([*frame.weapons, *weapons])),
                )
            )
        elif isinstance(action, RemoveFirer):
            play.replace(without(state, frame, action.firer))
        elif isinstance(action, AddDirector):
            play.replace(replace(frame, leaders=(*frame.leaders, action.leader)))
        elif isinstance(action, RemoveDirector):
            play.replace(replace(frame, leaders=tuple([n for n in frame.leaders if n != action.leader])))
        elif isinstance(action, ResolveFire):
            _resolve(play, frame, forgo=action.forgo)
        else:
            play.pop()


def may_forgo(state: SquadState, draft: FireDraft) -> bool:
    """Whether an attack may give up Rate of Fire, so as to leave Residual FP (3.3.1)."""
    return draft.mode == "first" and any(_has_rate(state, name) for name in draft.weapons)


def _has_rate(state: SquadState, name: str) -> bool:
    weapon = state.weapons[name]
    return (
        weapon.marker == NO_MARKER
        and weapon_kind(weapon).rof > 0
        and setting_of(state).rules.of(FireRules).rate_of_fire
    )


def _resolve(play: Play[SquadState], frame: FireDraft, *, forgo: bool) -> None:
    """Fire; where lines are only checked now, blocked firers forfeit their fire first (3.2.1, 3.2.2, G8)."""
    state = play.state
    list_firers_anew(play)
    attack = attack_of(frame, forgo=forgo)
    if not setting_of(state).rules.of(FireRules).free_los and not frame.checked:
        blocked = blocked_sources(state, attack)
        if blocked:
            clear = {state.units[name].at for name in firing_units(state, attack)} - set(blocked)
            rest = part_of(state, attack, clear)
            forfeit_fire(play, part_of(state, attack, blocked))
            if clear:
                play.replace(
                    replace(
                        frame,
                        units=rest.units,
                        weapons=rest.weapons,
                        leaders=rest.leaders,
                        thrower=rest.thrower,
                        checked=True,
                    )
                )
            else:
                play.pop()
            return
    play.pop()
    fire_attack(play, attack)


PART = Part(
    phases={
        "PFPh": Phase(PrepFirePhase, after="RPh"),
        "DFPh": Phase(DefensiveFirePhase, after="MPh"),
        "AFPh": Phase(AdvancingFirePhase, after="DFPh"),
    },
    procedures={
        PrepFirePhase: FirePhase(),
        DefensiveFirePhase: FirePhase(),
        AdvancingFirePhase: FirePhase(),
        FireDraft: Drafting(),
        DestroyDraft: Destroying(),
    },
)
