"""Morale: checks, pins, breaking, Casualty Reduction, wounds, ELR and the loss of leaders (3.2.3, 5.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sandtable.engine import Play, Tally
from sandtable.games.squad.cards.charts import wound_effect
from sandtable.games.squad.effects.switches import EffectRules
from sandtable.games.squad.ground.guns import lose_acquisitions
from sandtable.games.squad.ground.knowledge import hidden
from sandtable.games.squad.ground.marks import barred
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import NO_ELR, Setting, setting_of
from sandtable.games.squad.ground.stacks import come_out, eliminate, name_of, release_melee, units_at, update
from sandtable.games.squad.part import Item
from sandtable.games.squad.phases.victory import score_reduction
from sandtable.games.squad.pieces.events import (
    Broke,
    LeaderLost,
    MadeDesperate,
    MoraleChecked,
    Pinned,
    Reduced,
    Wounded,
)
from sandtable.games.squad.pieces.kinds import UnitKind
from sandtable.games.squad.pieces.model import SquadState, Unit

FATAL_WOUND = next(dr for dr in range(1, 8) if wound_effect(dr) == "eliminated")
"""A wound severity dr of this or more eliminates (3.2.3)."""


class Verdict(NamedTuple):
    """What a check does to a unit; several may be true together."""

    passed: bool
    pinned: bool = False
    broken: bool = False
    reduced: bool = False
    replaced: bool = False
    """By a unit of lower quality (5.1)."""
    eliminated: bool = False


class Loss(NamedTuple):
    """A leader who was eliminated or broke, as he was before it (3.2.3)."""

    leader: str
    side: str
    at: int
    morale: int
    leadership: int
    eliminated: bool


PASSED, PINNED = Verdict(True), Verdict(True, pinned=True)
FAILED_TASK = Verdict(False, pinned=True)
BROKEN, REPLACED = Verdict(False, broken=True), Verdict(False, broken=True, replaced=True)
REDUCED, ELIMINATED = Verdict(False, reduced=True), Verdict(False, eliminated=True)


# -- levels -----------------------------------------------------------------------------


def level(kind: UnitKind, unit: Unit) -> int:
    """Current morale level: the broken side of a broken unit, one less for a wounded leader (3.2.3)."""
    return (kind.broken_morale if unit.broken else kind.morale) - (1 if unit.wounded else 0)


def morale_level(state: SquadState, unit: Unit) -> int:
    """Current morale level of a unit (3.2.3)."""
    return level(setting_of(state).kinds[unit.group, unit.kind], unit)


def leadership(state: SquadState, unit: Unit) -> int:
    """Leadership DRM of a leader, worse by one if he is wounded (1.2.1, 3.2.3)."""
    return leadership_of(setting_of(state).kinds[unit.group, unit.kind], unit)


def leadership_of(kind: UnitKind, unit: Unit) -> int:
    """Leadership DRM by kind: worse by one if he is wounded (3.2.3)."""
    return kind.leadership + (1 if unit.wounded else 0)


def leads(setting: Setting, unit: Unit) -> bool:
    """Whether a unit is a leader who may use his leadership: unbroken, unpinned, not in Melee (1.2.1)."""
    if unit.broken or unit.pinned or unit.melee or (unit.marks and barred(setting, unit, "lead") is not None):
        return False
    return setting.kinds[unit.group, unit.kind].leads


def helper_of(setting: Setting, unit: Unit, leaders: Iterable[Unit]) -> Unit | None:
    """The leader whose DRM a unit's check gets; a leader is helped only by one of higher morale (3.2.3)."""
    kind = setting.kinds[unit.group, unit.kind]
    best: Unit | None = None
    value = 0
    for leader in leaders:
        if leader.id == unit.id or leader.side != unit.side or leader.at != unit.at or not leads(setting, leader):
            continue
        his = setting.kinds[leader.group, leader.kind]
        if kind.leads and level(his, leader) <= level(kind, unit):
            continue
        drm = leadership_of(his, leader)
        if best is None or drm < value:
            best, value = leader, drm
    return best


def leader_items(setting: Setting, leader: Unit | None) -> list[Item]:
    """The line of a tally for a leader's help with a check (3.2.3)."""
    if leader is None:
        return []
    kind = setting.kinds[leader.group, leader.kind]
    return [(f"leader {kind.name}", leadership_of(kind, leader), "3.2.3")]


# -- verdicts ---------------------------------------------------------------------------


def judge_check(setting: Setting, unit: Unit, original: int, final: int, *, pins_broken: bool = False) -> Verdict:
    """The verdict of a morale check for its original and final DR (3.2.3, 5.1)."""
    kind = setting.kinds[unit.group, unit.kind]
    rules = setting.rules
    margin = final - level(kind, unit)
    if unit.broken:
        if original == 12:
            return ELIMINATED
        if margin > 0:
            return REDUCED
        return PINNED if margin == 0 and pins_broken and rules.of(EffectRules).pin_on_morale_check else PASSED
    if original == 12:
        broken = margin > 0 or rules.of(EffectRules).original_12_breaks
        return Verdict(
            not broken, broken=broken, reduced=True, replaced=margin > 0 and _elr_fails(setting, unit, margin)
        )
    if margin > 0:
        return REPLACED if _elr_fails(setting, unit, margin) else BROKEN
    return PINNED if margin == 0 and rules.of(EffectRules).pin_on_morale_check and not unit.pinned else PASSED


def judge_task(setting: Setting, unit: Unit, final: int) -> Verdict:
    """The verdict of a Pin Task Check (3.2.3)."""
    return PASSED if final <= level(setting.kinds[unit.group, unit.kind], unit) else FAILED_TASK


def _elr_fails(setting: Setting, unit: Unit, margin: int) -> bool:
    """Whether an unbroken unit that fails by this margin is replaced by one of lower quality (5.1)."""
    if not setting.rules.of(EffectRules).elr or setting.kinds[unit.group, unit.kind].elr_exempt:
        return False
    rating = setting.elr.get(unit.group)
    return margin > (NO_ELR if rating is None else rating)


# -- what happens to units ----------------------------------------------------------------


def put_under_dm(play: Play[SquadState], unit: Unit) -> Unit:
    """A broken unit comes under Desperation Morale (3.2.3)."""
    if unit.dm or not unit.broken:
        return unit
    play.emit(MadeDesperate(unit=unit.id, at=name_of(play.state, unit.at)))
    return update(play, unit, dm=True)


def pin(play: Play[SquadState], unit: Unit) -> Unit:
    """A unit is pinned until the end of the CCPh, once a Player Turn (3.2.3)."""
    if unit.pinned:
        return unit
    unit = come_out(play, unit, "is pinned")
    if unit.id not in play.state.units:
        return unit
    play.emit(Pinned(unit=unit.id, at=name_of(play.state, unit.at)))
    return update(play, unit, pinned=True)


def break_unit(play: Play[SquadState], unit: Unit, *, losses: list[Loss] | None = None) -> Unit:
    """A unit breaks: inverted, under DM, no longer pinned; without unbroken units a Melee ends (3.2.3, 3.8, 6.10).

    With `losses` it is part of an attack, and who carries that out ends the Melee (ruling F-19).
    """
    state = play.state
    if unit.broken:
        return put_under_dm(play, unit)
    unit = come_out(play, unit, "breaks")
    if unit.id not in state.units:
        return unit
    _note_loss(state, unit, losses, eliminated=False)
    play.emit(Broke(unit=unit.id, at=name_of(state, unit.at)))
    lose_acquisitions(play, unit)
    update(play, unit, broken=True, dm=True, pinned=False)
    if unit.melee and losses is None:
        release_melee(play, unit.at)
    return state.units[unit.id]


def replace_unit(play: Play[SquadState], unit: Unit, kind: str, why: str) -> Unit:
    """Put another counter in a unit's place: same id, weapons and condition."""
    play.emit(Reduced(unit=unit.id, at=name_of(play.state, unit.at), now=kind, why=why, was=unit.kind))
    return update(play, unit, kind=kind)


def casualty_reduce(
    play: Play[SquadState], unit: Unit, why: str = "Casualty Reduction", *, losses: list[Loss] | None = None
) -> Unit | None:
    """A squad becomes a half-squad, a half-squad or crew is eliminated, a leader is wounded (3.2.3).

    Returns what is left of it. `losses` gathers leaders lost, for `leader_loss`; without it nobody checks.
    """
    setting = setting_of(play.state)
    unit = come_out(play, unit, "is reduced")
    if unit.id not in play.state.units:
        return None
    kind = setting.kinds[unit.group, unit.kind]
    if kind.smc and setting.rules.of(EffectRules).wounds:
        return wound(play, unit, losses=losses)
    if kind.reduced:
        left = replace_unit(play, unit, kind.reduced, why)
        score_reduction(play, unit, left)
        return left
    remove(play, unit, why, losses=losses)
    return None


def wound(play: Play[SquadState], unit: Unit, *, losses: list[Loss] | None = None) -> Unit | None:
    """A leader's wound severity dr: 1-4 a light wound, more eliminates; +1 if he was wounded before (3.2.3)."""
    items = [("wounded before", 1, "3.2.3")] if unit.wounded else []
    tally = Tally.of("Wound severity", items)
    (dr,) = play.roll(6, 1, "wound severity", by=unit.side, tally=tally)
    if dr + tally.total >= FATAL_WOUND:
        remove(play, unit, "mortal wound", losses=losses)
        return None
    play.emit(Wounded(unit=unit.id, at=name_of(play.state, unit.at)))
    return update(play, unit, wounded=True)


def remove(play: Play[SquadState], unit: Unit, why: str, *, losses: list[Loss] | None = None) -> None:
    """Eliminate a unit, noting the loss of a leader (3.2.3)."""
    _note_loss(play.state, unit, losses, eliminated=True)
    eliminate(play, unit, why, holds_melee=losses is not None)


def _note_loss(state: SquadState, unit: Unit, losses: list[Loss] | None, *, eliminated: bool) -> None:
    if losses is None:
        return
    kind = setting_of(state).kinds[unit.group, unit.kind]
    if kind.leads:
        losses.append(Loss(unit.id, unit.side, unit.at, level(kind, unit), leadership_of(kind, unit), eliminated))


# -- checks -----------------------------------------------------------------------------


def suffer(
    play: Play[SquadState], unit: Unit, verdict: Verdict, *, why: str = "", losses: list[Loss] | None = None
) -> Unit | None:
    """Carry out a verdict: Casualty Reduction first, then ELR, then breaking or the pin (3.2.3, 5.1)."""
    if verdict.eliminated:
        remove(play, unit, why or "original 12 while broken", losses=losses)
        return None
    left: Unit | None = unit
    if verdict.reduced:
        left = casualty_reduce(play, unit, losses=losses)
    if left is not None and verdict.replaced:
        lower = setting_of(play.state).kinds[left.group, left.kind].replaced
        if lower:
            left = replace_unit(play, left, lower, "failed by more than its ELR")
    if left is not None and verdict.broken:
        _note_loss(play.state, unit, losses, eliminated=False)
        left = break_unit(play, left, losses=None if losses is None else [])
    elif left is not None and verdict.pinned:
        left = pin(play, left)
    return left


def morale_check(
    play: Play[SquadState],
    unit: Unit,
    drm: int = 0,
    *,
    why: str = "morale check",
    leader: Unit | None = None,
    items: Sequence[Item] = (),
    pins_broken: bool = False,
    losses: list[Loss] | None = None,
) -> bool:
    """A unit takes a MC with a DRM, helped by a leader; returns whether it passed (3.2.3).

    `pins_broken`: a broken unit that passes exactly is pinned too (Interdiction, 3.6).
    Leaders lost go to `losses`; without it their units check at once (LLMC, LLTC).
    """
    state = play.state
    setting = setting_of(state)
    what = f"{drm}MC" if drm > 0 else "NMC"
    lines = [*items, *leader_items(setting, leader)]
    if drm:
        lines.insert(0, (f"{drm}MC", drm, "3.2.3"))
    tally = Tally.of(f"{why[0].upper()}{why[1:]}", lines)
    dice = play.roll(6, 2, f"{why} of {short(state, unit)}", by=unit.side, tally=tally)
    original = sum(dice)
    return apply_check(
        play, unit, original, original + int(tally.total), what=what, pins_broken=pins_broken, losses=losses
    )


def apply_check(
    play: Play[SquadState],
    unit: Unit,
    original: int,
    final: int,
    *,
    what: str = "NMC",
    pins_broken: bool = False,
    losses: list[Loss] | None = None,
) -> bool:
    """Carry out a MC whose DR is known, as after Final Protective Fire (3.2.3, 3.3.1)."""
    verdict = judge_check(setting_of(play.state), unit, original, final, pins_broken=pins_broken)
    lost: list[Loss] = [] if losses is None else losses
    play.emit(
        MoraleChecked(
            unit=unit.id,
            at=name_of(play.state, unit.at),
            what=what,
            passed=verdict.passed,
            dr=final,
            kind=unit.kind,
        )
    )
    suffer(play, unit, verdict, losses=lost)
    if losses is None:
        leader_loss(play, lost)
        if unit.melee:
            release_melee(play, unit.at)
    return verdict.passed


def pin_check(
    play: Play[SquadState],
    unit: Unit,
    *,
    why: str = "Pin Task Check",
    leader: Unit | None = None,
    items: Sequence[Item] = (),
) -> bool:
    """A unit takes a PTC; broken and pinned units have nothing to fear from it (3.2.3)."""
    setting = setting_of(play.state)
    if unit.broken or unit.pinned:
        return True
    tally = Tally.of(why, [*items, *leader_items(setting, leader)])
    final = sum(play.roll(6, 2, f"{why} of {short(play.state, unit)}", by=unit.side, tally=tally)) + int(tally.total)
    verdict = judge_task(setting, unit, final)
    where = name_of(play.state, unit.at)
    play.emit(MoraleChecked(unit=unit.id, at=where, what="PTC", passed=verdict.passed, dr=final, kind=unit.kind))
    suffer(play, unit, verdict)
    return verdict.passed


# -- the loss of leaders ------------------------------------------------------------------


def check_order(setting: Setting, units: Iterable[Unit]) -> list[Unit]:
    """Best leader first, then the other leaders, then the rest as they are stacked (3.2.3)."""
    leaders: list[Unit] = []
    others: list[Unit] = []
    for unit in units:
        (leaders if setting.kinds[unit.group, unit.kind].leads else others).append(unit)
    leaders.sort(key=lambda u: (-level(kind := setting.kinds[u.group, u.kind], u), leadership_of(kind, u)))
    return leaders + others


def leader_loss(play: Play[SquadState], losses: list[Loss]) -> None:
    """LLMC and LLTC of the units that were stacked with leaders lost, as long as that costs more leaders (3.2.3)."""
    state = play.state
    setting = setting_of(state)
    if not setting.rules.of(EffectRules).leader_loss:
        return
    while losses:
        loss = losses.pop(0)
        if loss.at < 0:
            continue
        concerned = [unit for unit in units_at(state, loss.at, loss.side) if shaken(setting, unit, loss)]
        if not concerned:
            continue
        play.emit(LeaderLost(leader=loss.leader, at=name_of(state, loss.at), eliminated=loss.eliminated))
        drm = max(0, -loss.leadership)
        items = [("leader lost", drm, "3.2.3")]
        waiting = {unit.id for unit in concerned}
        for unit in check_order(setting, concerned):
            waiting.discard(unit.id)
            if unit.id not in state.units:
                continue
            unit = state.units[unit.id]
            present = [other for other in units_at(state, loss.at, loss.side) if other.id not in waiting]
            leader = helper_of(setting, unit, present)
            if loss.eliminated:
                morale_check(play, unit, why="LLMC", leader=leader, items=items, losses=losses)
            else:
                pin_check(play, unit, why="LLTC", leader=leader, items=items)


def shaken(setting: Setting, unit: Unit, loss: Loss) -> bool:
    """Whether a unit stacked with a lost leader must check: lower current morale, not in Close Combat (3.2.3)."""
    if unit.id == loss.leader or unit.side != loss.side or unit.melee or hidden(unit):
        return False
    if not loss.eliminated and (unit.broken or unit.pinned):
        return False
    return level(setting.kinds[unit.group, unit.kind], unit) < loss.morale
