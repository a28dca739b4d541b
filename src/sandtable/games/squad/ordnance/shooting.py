"""Ordnance shots: the draft, the To Hit roll and all that follows from it (3.2.4, 3.3.1, 4.4, 4.5, 6)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.games.squad.cards.tables import IFT, residual_firepower
from sandtable.games.squad.effects.results import lose_weapon, malfunction
from sandtable.games.squad.fire.drafting import MODES
from sandtable.games.squad.fire.ending import list_firers_anew
from sandtable.games.squad.fire.model import (
    AddDirector,
    AimAt,
    CancelFire,
    FirePhaseFrame,
    LineBlocked,
    RateKept,
    RemoveDirector,
)
from sandtable.games.squad.fire.switches import FireRules
from sandtable.games.squad.ground.counters import lay
from sandtable.games.squad.ground.doors import rolled, settled
from sandtable.games.squad.ground.guns import acquire, lose_acquisition, turn
from sandtable.games.squad.ground.knowledge import enemy_hexes, hidden_units, under_question
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.model import FollowTarget
from sandtable.games.squad.ground.movers import leave_residual, note_shot
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import other_side, setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.sight import los
from sandtable.games.squad.ground.stacks import come_out, name_of, units_at, update, update_weapon
from sandtable.games.squad.ordnance import special_weapons
from sandtable.games.squad.ordnance.hits import burn, resolve_hit
from sandtable.games.squad.ordnance.model import (
    AimAnywhere,
    KeepAcquired,
    LastRound,
    NoAmmunition,
    OrdnanceDraft,
    Shoot,
    Shot,
    StartShot,
)
from sandtable.games.squad.ordnance.shots import (
    all_targets,
    directors,
    first_shooters,
    known_targets,
    shots_of,
    start_shots,
)
from sandtable.games.squad.ordnance.switches import OrdnanceRules
from sandtable.games.squad.ordnance.tohit import ATT, SMOKES, OrdnanceShot, ToHit, to_hit
from sandtable.games.squad.part import Part, Roll
from sandtable.games.squad.pieces.events import SmokePlaced, TargetAcquired
from sandtable.games.squad.pieces.model import (
    FINAL_FIRE,
    FIRST_FIRE,
    INTENSIVE_FIRE,
    NO_MARKER,
    PREP_FIRE,
    Counter,
    SquadState,
    Unit,
    Weapon,
)

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
    come_out(play, owner, "fires ordnance")
    if shot.leader:
        come_out(play, state.units[shot.leader], "directs")
    weapon = state.weapons[shot.weapon]
    if los(state, owner.at, shot.target) == BLOCKED:
        _waste(play, shot, weapon)
        return
    figures = to_hit(state, shot)
    dice = play.roll(6, 2, f"To Hit: {short(state, weapon)}", by=shot.side, tally=figures.tally)
    if dice[0] >= 5:
        come_out(play, state.units[weapon.owner], f"fires a Gun with {dice[0]}")
    roll = rolled(play, Roll("to hit", shot.side, dice, (owner.id, weapon.id), shot.target))
    original = roll.original
    malfunctions = setting_of(state).rules.of(FireRules).breakdown and original >= figures.breakdown
    loaded = not figures.depletion or original <= figures.depletion
    if figures.depletion and original >= figures.depletion:
        weapon = update_weapon(play, weapon, depleted=(*weapon.depleted, shot.ammo))
        where = name_of(state, owner.at)
        if not loaded:
            play.emit(NoAmmunition(weapon=weapon.id, at=where, ammo=shot.ammo))
            if not malfunctions:
                settled(play, roll)
                return
        else:
            play.emit(LastRound(weapon=weapon.id, at=where, ammo=shot.ammo))
    if shot.facing >= 0:
        weapon = turn(play, weapon, shot.facing)
    _resolve(play, shot, figures, dice, loaded=loaded, malfunctions=malfunctions)
    settled(play, roll)


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
    kept = not malfunctions and 0 < dice[0] <= figures.rate and setting_of(state).rules.of(FireRules).rate_of_fire
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
    elif hit or (not known and _may_be_there(state, shot)):
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


def _may_be_there(state: SquadState, shot: OrdnanceShot) -> bool:
    """Whether enemies of whom the firer does not know may be in the target hex (6.4)."""
    unsure = any([under_question(state, unit) for unit in units_at(state, shot.target)])
    return unsure or bool(hidden_units(state, other_side(state, shot.side)))


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
    malfunctions = setting_of(state).rules.of(FireRules).breakdown and sum(dice) >= figures.breakdown
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
        cloud = Counter(kind, shot.side)
        if cloud not in state.counters.get(shot.target, ()):
            lay(state, shot.target, cloud)
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
    if left and figures.outside and setting_of(play.state).rules.of(FireRules).residual_reduced:
        left = IFT.shift(IFT.column(left), figures.outside)
    if left:
        leave_residual(play, shot.target, left)


def _mark(play: Play[SquadState], shot: OrdnanceShot, figures: ToHit, *, kept: bool) -> None:
    """Fire markers, the use of a weapon by its owner, direction (3.2.4, 3.2.5, 3.3.1, 4.0)."""
    state = play.state
    if shot.ammo not in SMOKES and shot.mode in ("prep", "final"):
        state.fire_begun = True
    weapon = state.weapons.get(shot.weapon)
    if weapon is None:
        return
    if shot.ammo in SMOKES:
        state.only_smoke = tuple(dict.fromkeys([*state.only_smoke, weapon.id]))
    elif weapon.id in state.only_smoke:
        state.only_smoke = tuple([name for name in state.only_smoke if name != weapon.id])
    marker = NO_MARKER if kept else _marker(shot.mode)
    if figures.intensive or _has_no_more(state, shot, weapon):
        marker = INTENSIVE_FIRE
    update_weapon(play, weapon, marker=marker, shots=weapon.shots + 1)
    if kept:
        play.emit(RateKept(weapon=weapon.id, at=name_of(state, state.units[weapon.owner].at if weapon.owner else -1)))
    owner = state.units.get(weapon.owner)
    if owner is not None:
        _mark_owner(play, shot, weapon, owner, intensive=figures.intensive)
        leader = state.units.get(shot.leader)
        if leader is not None:
            _mark_leader(play, shot, weapon, owner, leader)


def _mark_owner(play: Play[SquadState], shot: OrdnanceShot, weapon: Weapon, owner: Unit, *, intensive: bool) -> None:
    state = play.state
    changes: dict[str, object] = {}
    if weapon.id not in owner.used:
        changes["used"] = (*owner.used, weapon.id)
    if not unit_kind(state, owner).fires:
        changes["marker"] = max(owner.marker, _marker(shot.mode))
    if intensive and shot.mode == "first":
        changes["marker"] = max(owner.marker, FINAL_FIRE)
        for name in owner.weapons:
            if state.weapons[name].marker < FINAL_FIRE:
                update_weapon(play, state.weapons[name], marker=FINAL_FIRE)
    update(play, owner, **changes)


def _mark_leader(play: Play[SquadState], shot: OrdnanceShot, weapon: Weapon, owner: Unit, leader: Unit) -> None:
    marker = max(leader.marker, _marker(shot.mode))
    if unit_kind(play.state, owner).smc:
        update(play, leader, marker=marker, used=(*leader.used, weapon.id))
    else:
        update(play, leader, marker=marker, directed=_directed(play.state, leader, weapon))


def _has_no_more(state: SquadState, shot: OrdnanceShot, weapon: Weapon) -> bool:
    """A Gun that turned without ROF, or used the Area Target Type and is no mortar, fires no more (3.2.4, O-1)."""
    kind = weapon_kind(weapon)
    if not kind.gun:
        return False
    spent = (
        shot.target_type == ATT
        and not kind.mortar
        and not setting_of(state).rules.of(OrdnanceRules).intensive_after_area
    )
    return spent or (shot.facing >= 0 and not kind.rof)


def _directed(state: SquadState, leader: Unit, weapon: Weapon) -> tuple[str, ...]:
    """Whose fire a leader may direct again once he has directed a weapon (1.2.1, 3.4)."""
    if setting_of(state).rules.of(FireRules).direct_members:
        return tuple(dict.fromkeys([*leader.directed, weapon.id, weapon.owner]))
    return (weapon.id,)


def _marker(mode: str) -> int:
    if mode in ("prep", "advancing"):
        return PREP_FIRE
    return FINAL_FIRE if mode == "final" else FIRST_FIRE


def _starts(state: SquadState, frame: FirePhaseFrame, side: str) -> list[Action]:
    return [StartShot(name) for name in frame.shooters]


def _start(play: Play[SquadState], frame: FirePhaseFrame, side: str, action: StartShot) -> None:
    play.push(shot_draft(side, MODES[type(frame)], action.weapon))


PART = Part(
    starters=start_shots,
    offers=dict.fromkeys(MODES, _starts),
    does={(frame, StartShot): _start for frame in MODES},
    procedures={OrdnanceDraft: Declaring(), FollowTarget: Following()},
)
