"""Ordnance shots: the draft, the To Hit roll and all that follows from it (3.2.4, 3.3.1, 4.4, 4.5, 6)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.games.squad import special_weapons
from sandtable.games.squad.defensive_fire import leave_residual, note_shot
from sandtable.games.squad.effects import lose_weapon, malfunction
from sandtable.games.squad.fire_model import AddDirector, AimAt, CancelFire, LineBlocked, RateKept, RemoveDirector
from sandtable.games.squad.firers import enemy_hexes
from sandtable.games.squad.ground import BLOCKED
from sandtable.games.squad.guns import acquire, hidden_units, lose_acquisition, turn
from sandtable.games.squad.hits import burn, resolve_hit
from sandtable.games.squad.model import (
    FINAL_FIRE,
    FIRST_FIRE,
    INTENSIVE_FIRE,
    NO_MARKER,
    PREP_FIRE,
    Smoke,
    SquadState,
    Weapon,
)
from sandtable.games.squad.move_model import SmokePlaced
from sandtable.games.squad.ordnance_model import (
    AimAnywhere,
    FollowTarget,
    KeepAcquired,
    LastRound,
    NoAmmunition,
    OrdnanceDraft,
    Shoot,
    Shot,
    TargetAcquired,
)
from sandtable.games.squad.part import Part
from sandtable.games.squad.phases import list_firers_anew
from sandtable.games.squad.setting import other_side, setting, unit_kind, weapon_kind
from sandtable.games.squad.shots import (
    OTHER_KEY,
    SMOKE_KEY,
    all_targets,
    directors,
    first_shooters,
    known_targets,
    shots_of,
    start_shots,
)
from sandtable.games.squad.sight import los
from sandtable.games.squad.stacks import name_of, reveal, update, update_weapon
from sandtable.games.squad.tables import IFT, residual_firepower
from sandtable.games.squad.tohit import ATT, SMOKES, OrdnanceShot, ToHit, to_hit
from sandtable.games.squad.wording import short

__all__ = ["fire_ordnance", "first_shooters", "shot_draft", "start_shots"]

CANCEL, ANYWHERE = CancelFire(), AimAnywhere()
COUNTERS = {
    ("s", "prep"): "smoke",
    ("s", "final"): "dispersed",
    ("WP", "prep"): "wp",
    ("WP", "final"): "wp dispersed",
    ("WP", "first"): "wp dispersed",
}
"""Smoke counters by ammunition and phase (1.2.5, 6.2)."""


def shot_draft(side: str, mode: str, weapon: str, target: int = -1) -> OrdnanceDraft:
    """The draft of a shot; in Defensive First Fire the target is given (3.3.1)."""
    return OrdnanceDraft(side, mode, weapon, target)


def shot_of(draft: OrdnanceDraft, action: Shoot) -> OrdnanceShot:
    """The shot that an action declares."""
    return OrdnanceShot(
        draft.side,
        draft.mode,
        draft.weapon,
        draft.target,
        action.target_type,
        action.ammo,
        action.facing,
        action.backblast,
        draft.leader,
        action.forgo,
    )


class Declaring(Procedure[SquadState, OrdnanceDraft]):
    """A shot is declared: target, target type, ammunition, Covered Arc, direction; then it is fired (3.2.4)."""

    def to_act(self, state: SquadState, frame: OrdnanceDraft) -> tuple[str, ...]:
        return (frame.side,)

    def actions(self, state: SquadState, frame: OrdnanceDraft, side: str) -> Sequence[Action]:
        weapon = state.weapons[frame.weapon]
        if frame.target < 0:
            if frame.anywhere:
                return [*(AimAt(cell) for cell in all_targets(state, weapon, frame.mode)), CANCEL]
            cells = known_targets(state, weapon, frame.mode, enemy_hexes(state, side))
            if frame.mode == "final" and weapon.marker == FIRST_FIRE:
                # Intensive Fire in the DFPh is at units in adjacent hexes
                return [*(AimAt(cell) for cell in cells), CANCEL]
            return [*(AimAt(cell) for cell in cells), ANYWHERE, CANCEL]
        found: list[Action] = list(shots_of(state, frame))
        found += [AddDirector(name) for name in directors(state, frame)]
        if frame.leader:
            found.append(RemoveDirector(frame.leader))
        found.append(CANCEL)
        return found

    def apply(self, play: Play[SquadState], frame: OrdnanceDraft, side: str, action: Action) -> None:
        if isinstance(action, AimAt):
            play.replace(replace(frame, target=action.at))
        elif isinstance(action, AimAnywhere):
            play.replace(replace(frame, anywhere=True))
        elif isinstance(action, AddDirector):
            play.replace(replace(frame, leader=action.leader))
        elif isinstance(action, RemoveDirector):
            play.replace(replace(frame, leader=""))
        else:
            play.pop()
            if isinstance(action, Shoot):
                list_firers_anew(play)
                fire_ordnance(play, shot_of(frame, action))


class Following(Procedure[SquadState, FollowTarget]):
    """The firer keeps his Acquired Target counter on one part of a scattered stack (6.10)."""

    def to_act(self, state: SquadState, frame: FollowTarget) -> tuple[str, ...]:
        return (frame.side,) if len(self._choices(state, frame)) > 1 else ()

    @staticmethod
    def _choices(state: SquadState, frame: FollowTarget) -> list[str]:
        """One unit of each part that is left, the part that moved first."""
        weapon = state.weapons.get(frame.weapon)
        if weapon is None or weapon.acquired is None:
            return []
        parts = [[name for name in part if name in state.units] for part in (frame.moved, frame.stayed)]
        return [part[0] for part in parts if part]

    def run(self, play: Play[SquadState], frame: FollowTarget) -> None:
        """What was to be chosen from has left play in the meantime."""
        play.pop()
        for name in self._choices(play.state, frame):
            _keep(play, frame, name)

    def actions(self, state: SquadState, frame: FollowTarget, side: str) -> Sequence[Action]:
        return [KeepAcquired(name) for name in self._choices(state, frame)]

    def apply(self, play: Play[SquadState], frame: FollowTarget, side: str, action: Action) -> None:
        play.pop()
        assert isinstance(action, KeepAcquired)
        _keep(play, frame, action.unit)


def _keep(play: Play[SquadState], frame: FollowTarget, name: str) -> None:
    """The counter goes with the part of a stack to which a unit belongs (6.10)."""
    weapon = play.state.weapons[frame.weapon]
    held = weapon.acquired
    assert held is not None
    now = replace(held, at=frame.to, units=frame.moved) if name in frame.moved else replace(held, units=frame.stayed)
    update_weapon(play, weapon, acquired=now)
    where = name_of(play.state, now.at)
    play.emit(TargetAcquired(weapon=weapon.id, at=where, level=now.level, area=False))


# -- the shot ---------------------------------------------------------------------------


def fire_ordnance(play: Play[SquadState], shot: OrdnanceShot) -> None:
    """Make the To Hit roll of a shot and carry out what follows from it (3.2.4)."""
    state = play.state
    weapon = state.weapons[shot.weapon]
    owner = state.units[weapon.owner]
    if owner.hip:
        reveal(play, owner, "fires")
        weapon = state.weapons[shot.weapon]
    if los(state, owner.at, shot.target) == BLOCKED:
        _waste(play, shot, weapon)
        return
    figures = to_hit(state, shot)
    dice = play.roll(6, 2, f"To Hit: {short(state, weapon)}", by=shot.side, tally=figures.tally)
    original = sum(dice)
    malfunctions = setting(state).rules.breakdown and original >= figures.breakdown
    loaded = not figures.depletion or original <= figures.depletion
    if figures.depletion and original >= figures.depletion:
        weapon = update_weapon(play, weapon, depleted=(*weapon.depleted, shot.ammo))
        where = name_of(state, owner.at)
        if not loaded:
            play.emit(NoAmmunition(weapon=weapon.id, at=where, ammo=shot.ammo))
            if not malfunctions:
                return
        else:
            play.emit(LastRound(weapon=weapon.id, at=where, ammo=shot.ammo))
    if shot.facing >= 0:
        weapon = turn(play, weapon, shot.facing)
    _resolve(play, shot, figures, dice, loaded=loaded, malfunctions=malfunctions)


def _resolve(
    play: Play[SquadState],
    shot: OrdnanceShot,
    figures: ToHit,
    dice: Sequence[int],
    *,
    loaded: bool,
    malfunctions: bool,
) -> None:
    """Hit or miss, effect, acquisition, backblast, breakdown, Rate of Fire and markers."""
    state = play.state
    original = sum(dice)
    known = figures.known
    hit = [aimed for aimed in figures.targets if loaded and figures.hits(aimed, original)]
    critical = [aimed.unit for aimed in hit if figures.is_critical(aimed, original)]
    on_hex = loaded and original + int(figures.hex.total) <= figures.number.number
    kept = not malfunctions and 0 < dice[0] <= figures.rate and setting(state).rules.rate_of_fire
    shown = [aimed for aimed in hit if not aimed.hidden]
    struck_it = bool(shown) or (not known and on_hex)
    play.emit(
        Shot(
            weapon=shot.weapon,
            at=name_of(state, shot.target),
            target_type=shot.target_type,
            ammo=shot.ammo,
            number=figures.number.number,
            dr=original,
            final=original + int(figures.tally.total),
            hit=struck_it,
            critical=any(aimed.unit in critical for aimed in shown),
            kept_rof=kept,
            intensive=figures.intensive,
        )
    )
    if shot.ammo in SMOKES:
        _smoke(play, shot, [aimed.unit for aimed in hit], critical, placed=struck_it)
    elif hit or (not known and hidden_units(state, other_side(state, shot.side))):
        # a shot at a hex without known enemies is always rolled out, so that it tells nothing of hidden ones;
        # beside known enemies a hidden Gun is harder to hit than they are, so that a miss tells nothing either
        resolve_hit(play, shot, figures, [aimed.unit for aimed in hit], critical)
    _acquire(play, shot, [aimed.unit for aimed in known])
    if shot.mode == "first":
        note_shot(state, shot.weapon)
        if struck_it and not kept and not malfunctions:
            _residual(play, shot, figures)
    _mark(play, shot, figures, kept=kept)
    if shot.backblast == "suffered":
        special_weapons.backblast(play, shot.weapon, dice[0])
    if malfunctions and shot.weapon in state.weapons:
        _break_down(play, state.weapons[shot.weapon], removed=figures.lowered and original == 12)


def _waste(play: Play[SquadState], shot: OrdnanceShot, weapon: Weapon) -> None:
    """The line of sight proves blocked: the weapon has fired for all purposes, breakdown too (3.2.1)."""
    state = play.state
    source = state.units[weapon.owner].at
    play.emit(LineBlocked(firers=(weapon.id,), frm=name_of(state, source), at=name_of(state, shot.target)))
    lose_acquisition(play, weapon)
    figures = to_hit(state, shot)
    if shot.facing >= 0:
        turn(play, state.weapons[weapon.id], shot.facing)
    dice = play.roll(6, 2, "breakdown after a blocked line of sight", by=shot.side)
    malfunctions = setting(state).rules.breakdown and sum(dice) >= figures.breakdown
    if shot.mode == "first":
        note_shot(state, weapon.id)
    _mark(play, shot, figures, kept=not malfunctions and 0 < dice[0] <= figures.rate)
    if malfunctions:
        _break_down(play, state.weapons[weapon.id], removed=figures.lowered and sum(dice) == 12)


def _break_down(play: Play[SquadState], weapon: Weapon, *, removed: bool) -> None:
    """B#: malfunction, on an original 12 with a lowered B# removal; X#: removal (4.4.1, 6.12)."""
    if weapon_kind(weapon).removal or removed:
        lose_weapon(play, weapon)
    else:
        malfunction(play, weapon)


def _smoke(
    play: Play[SquadState], shot: OrdnanceShot, hit: Sequence[str], critical: Sequence[str], *, placed: bool
) -> None:
    """A Smoke or WP counter is placed by a hit; WP also burns units (1.2.5, 6.2)."""
    state = play.state
    if placed or hit:
        kind = COUNTERS[shot.ammo, shot.mode]
        present = state.smoke.get(shot.target, ())
        cloud = Smoke(kind, shot.side)
        if cloud not in present:
            state.smoke[shot.target] = (*present, cloud)
        play.emit(SmokePlaced(at=name_of(state, shot.target), smoke=kind, by=shot.weapon))
    if shot.ammo == "WP" and hit:
        burn(play, shot, hit, critical)


def _acquire(play: Play[SquadState], shot: OrdnanceShot, units: Sequence[str]) -> None:
    """Guns and mortars acquire what they fire at; Smoke loses what there was (6.10, 6.11)."""
    state = play.state
    weapon = state.weapons.get(shot.weapon)
    if weapon is None or weapon_kind(weapon).latw or not weapon.owner:
        return
    if shot.ammo in SMOKES:
        lose_acquisition(play, weapon)
        return
    left = [name for name in units if name in state.units]
    acquire(play, weapon, shot.target, left, area=shot.target_type == ATT)


def _residual(play: Play[SquadState], shot: OrdnanceShot, figures: ToHit) -> None:
    """A hit leaves Residual FP, but not AP, Smoke and WP (3.3.1, 6.2)."""
    if shot.ammo == "AP" or shot.ammo in SMOKES:
        return
    left = residual_firepower(figures.column)
    if left and figures.outside and setting(play.state).rules.residual_reduced:
        left = IFT.shift(IFT.column(left), figures.outside)
    if left:
        leave_residual(play, shot.target, left)


def _mark(play: Play[SquadState], shot: OrdnanceShot, figures: ToHit, *, kept: bool) -> None:
    """Fire markers, the use of a weapon by its owner, direction (3.2.4, 3.2.5, 3.3.1, 4.0)."""
    state = play.state
    if shot.ammo not in SMOKES and shot.mode in ("prep", "final"):
        state.volleys[OTHER_KEY] = (shot.weapon,)
    weapon = state.weapons.get(shot.weapon)
    if weapon is None:
        return
    if shot.ammo in SMOKES:
        state.volleys[SMOKE_KEY] = tuple(dict.fromkeys([*state.volleys.get(SMOKE_KEY, ()), weapon.id]))
    elif weapon.id in state.volleys.get(SMOKE_KEY, ()):
        state.volleys[SMOKE_KEY] = tuple([name for name in state.volleys[SMOKE_KEY] if name != weapon.id])
    marker = NO_MARKER if kept else _marker(shot.mode)
    if figures.intensive or (shot.facing >= 0 and weapon_kind(weapon).gun and not weapon_kind(weapon).rof):
        # a Gun without ROF that turned is marked so as well and cannot fire again
        marker = INTENSIVE_FIRE
    update_weapon(play, weapon, marker=marker, shots=weapon.shots + 1)
    if kept:
        play.emit(RateKept(weapon=weapon.id, at=name_of(state, state.units[weapon.owner].at if weapon.owner else -1)))
    owner = state.units.get(weapon.owner)
    if owner is None:
        return
    changes: dict[str, object] = {}
    if weapon.id not in owner.used:
        changes["used"] = (*owner.used, weapon.id)
    if not unit_kind(state, owner).mmc:
        changes["marker"] = max(owner.marker, _marker(shot.mode))
    if figures.intensive and shot.mode == "first":
        changes["marker"] = max(owner.marker, FINAL_FIRE)
        for name in owner.weapons:
            if state.weapons[name].marker < FINAL_FIRE:
                update_weapon(play, state.weapons[name], marker=FINAL_FIRE)
    if changes:
        update(play, owner, **changes)
    leader = state.units.get(shot.leader)
    if leader is not None:
        if unit_kind(state, owner).mmc:
            directed = tuple(dict.fromkeys([*leader.directed, owner.id]))
            update(play, leader, marker=max(leader.marker, _marker(shot.mode)), directed=directed)
        else:
            update(play, leader, marker=max(leader.marker, _marker(shot.mode)), used=(*leader.used, weapon.id))


def _marker(mode: str) -> int:
    if mode in ("prep", "advancing"):
        return PREP_FIRE
    return FINAL_FIRE if mode == "final" else FIRST_FIRE


PART = Part(procedures={OrdnanceDraft: Declaring(), FollowTarget: Following()})
