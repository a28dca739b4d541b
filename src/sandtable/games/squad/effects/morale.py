"""Morale: checks, pins, breaking, Casualty Reduction, wounds, ELR and the loss of leaders (3.2.3, 5.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sandtable.engine import Play, Tally
from sandtable.games.squad.effects.switches import EffectRules
from sandtable.games.squad.effects.verdicts import (
    BROKEN,
    ELIMINATED,
    PINNED,
    REDUCED,
    WOUNDED_BEFORE,
    Change,
    Verdict,
    changes,
    felt_as,
    help_of,
    is_wounded,
    judge_check,
    judge_task,
    leadership_of,
    level,
)
from sandtable.games.squad.ground.doors import averted, barred, befallen, rolled, settled
from sandtable.games.squad.ground.guns import lose_acquisitions
from sandtable.games.squad.ground.knowledge import hidden
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import Setting, setting_of
from sandtable.games.squad.ground.stacks import eliminate, name_of, release_melee, units_at, update
from sandtable.games.squad.part import Item, Roll
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
from sandtable.games.squad.pieces.model import SquadState, Unit


class Loss(NamedTuple):
    """A leader who was eliminated or broke, as he was before it (3.2.3)."""

    leader: str
    side: str
    at: int
    morale: int
    leadership: int
    eliminated: bool


# -- levels -----------------------------------------------------------------------------


def morale_level(state: SquadState, unit: Unit) -> int:
    """Current morale level of a unit (3.2.3)."""
    return level(setting_of(state).kinds[unit.group, unit.kind], unit)


def leadership(state: SquadState, unit: Unit) -> int:
    """Leadership DRM of a leader, worse by one if he is wounded (1.2.1, 3.2.3)."""
    return leadership_of(setting_of(state).kinds[unit.group, unit.kind], unit)


def leads(setting: Setting, unit: Unit) -> bool:
    """Whether a unit is a leader who may use his leadership: unbroken, unpinned, not in Melee (1.2.1)."""
    if unit.broken or unit.pinned or unit.melee or (unit.marks and barred(setting, unit, "lead") is not None):
        return False
    return setting.kinds[unit.group, unit.kind].leads


def helper_of(setting: Setting, unit: Unit, leaders: Iterable[Unit]) -> Unit | None:
    """The leader whose DRM a unit's check gets; a leader is helped only by one of higher morale (3.2.3)."""
    if unit.marks and barred(setting, unit, "led") is not None:
        return None
    kind = setting.kinds[unit.group, unit.kind]
    if kind.superior:
        return None
    best: Unit | None = None
    value = 0
    for leader in leaders:
        if leader.id == unit.id or leader.side != unit.side or leader.at != unit.at or not leads(setting, leader):
            continue
        his = setting.kinds[leader.group, leader.kind]
        if his.superior:
            return leader
        if kind.leads and level(his, leader) <= level(kind, unit):
            continue
        drm = help_of(his, leader)
        if best is None or drm < value:
            best, value = leader, drm
    return best


def leader_items(state: SquadState, leader: Unit | None) -> list[Item]:
    """The line of a tally for a leader's help with a check (3.2.3)."""
    if leader is None:
        return []
    items: list[Item] = [(f"leader {short(state, leader)}", leadership(state, leader), "3.2.3")]
    if inspires := setting_of(state).kinds[leader.group, leader.kind].inspires:
        items.append(("he raises their morale", -inspires, "A25.221"))
    return items


def part_items(state: SquadState, unit: Unit, what: str) -> list[Item]:
    """Lines of the parts in the tally of a check."""
    return [item for lines in setting_of(state).points.morale for item in lines(state, unit, what)]


# -- what happens to units ----------------------------------------------------------------


def put_under_dm(play: Play[SquadState], unit: Unit) -> Unit:
    """A broken unit comes under Desperation Morale (3.2.3)."""
    if unit.dm or not unit.broken:
        return unit
    play.emit(MadeDesperate(unit=unit.id, at=name_of(play.state, unit.at)))
    return update(play, unit, dm=True)


def pin(play: Play[SquadState], unit: Unit) -> Unit | None:
    """A unit is pinned until the end of the CCPh, once a Player Turn (3.2.3)."""
    return suffer(play, unit, PINNED)


def break_unit(play: Play[SquadState], unit: Unit, *, losses: list[Loss] | None = None) -> Unit | None:
    """A unit breaks: inverted, under DM, no longer pinned; without unbroken units a Melee ends (3.2.3, 3.8, 6.10)."""
    return put_under_dm(play, unit) if unit.broken else suffer(play, unit, BROKEN, losses=losses)


def casualty_reduce(
    play: Play[SquadState], unit: Unit, why: str = "", *, losses: list[Loss] | None = None
) -> Unit | None:
    """A squad becomes a half-squad, a half-squad or crew is eliminated, a leader is wounded (3.2.3)."""
    return suffer(play, unit, REDUCED, why=why, losses=losses)


def remove(play: Play[SquadState], unit: Unit, why: str, *, losses: list[Loss] | None = None) -> None:
    """Eliminate a unit, noting the loss of a leader (3.2.3)."""
    suffer(play, unit, ELIMINATED, why=why, losses=losses)


def suffer(
    play: Play[SquadState], unit: Unit, verdict: Verdict, *, why: str = "", losses: list[Loss] | None = None
) -> Unit | None:
    """Carry out what a verdict does to a unit; returns what is left of it (3.2.3, 5.1).

    `losses` gathers leaders lost, for `leader_loss`, and whoever carries out the attack ends the Melee then (ruling
    F-19); without it nobody checks, and the Melee ends at once.
    """
    state = play.state
    setting = setting_of(state)
    severity = _severity(play, unit, grave=verdict.grave) if verdict.reduced and is_wounded(setting, unit) else 0
    for change in changes(setting, unit, verdict, severity):
        if unit.id not in state.units:
            return None
        now = state.units[unit.id]
        if change.what == "eliminate":
            if _eliminated(play, unit, why if why and change.why != "mortal wound" else change.why, losses):
                return None
            continue
        if averted(play, change.what, now, why or change.why):
            continue
        _tell(play, now, change, why)
        if change.what == "break":
            _note_loss(state, unit, losses, eliminated=False)
            lose_acquisitions(play, now)
            now = state.units[unit.id]
        left = update(play, now, **change.fields)
        if change.what == "reduce":
            score_reduction(play, now, left)
        elif change.what == "break" and unit.melee and losses is None:
            release_melee(play, unit.at)
        befallen(play, change.what, now, why or change.why)
    return state.units.get(unit.id)


def _eliminated(play: Play[SquadState], unit: Unit, why: str, losses: list[Loss] | None) -> bool:
    """Whether a unit is gone: a part may have prevented it."""
    noted: list[Loss] = []
    _note_loss(play.state, unit, None if losses is None else noted, eliminated=True)
    eliminate(play, unit, why, holds_melee=losses is not None)
    if unit.id in play.state.units:
        return False
    if losses is not None:
        losses += noted
    return True


def _severity(play: Play[SquadState], unit: Unit, *, grave: bool) -> int:
    """A leader's wound severity dr: 1-4 a light wound, more eliminates; +1 if he was wounded before (3.2.3)."""
    lines = [("wounded before", WOUNDED_BEFORE, "3.2.3")] if unit.wounded else []
    if grave:
        lines.append(("original 12", 1, "A10.31"))
    tally = Tally.of("Wound severity", lines)
    (dr,) = play.roll(6, 1, "wound severity", by=unit.side, tally=tally)
    return dr + int(tally.total)


def _tell(play: Play[SquadState], unit: Unit, change: Change, why: str) -> None:
    where = name_of(play.state, unit.at)
    if change.what == "wound":
        play.emit(Wounded(unit=unit.id, at=where))
    elif change.what in ("reduce", "replace"):
        play.emit(Reduced(unit=unit.id, at=where, now=change.fields["kind"], why=why or change.why, was=unit.kind))
    elif change.what == "break":
        play.emit(Broke(unit=unit.id, at=where))
    else:
        play.emit(Pinned(unit=unit.id, at=where))


def _note_loss(state: SquadState, unit: Unit, losses: list[Loss] | None, *, eliminated: bool) -> None:
    if losses is None:
        return
    kind = setting_of(state).kinds[unit.group, unit.kind]
    if kind.leads:
        losses.append(Loss(unit.id, unit.side, unit.at, felt_as(kind, unit), leadership_of(kind, unit), eliminated))


# -- checks -----------------------------------------------------------------------------


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
    what = f"{drm}MC" if drm > 0 else "NMC"
    lines = [*items, *part_items(state, unit, why), *leader_items(state, leader)]
    if drm:
        lines.insert(0, (f"{drm}MC", drm, "3.2.3"))
    tally = Tally.of(f"{why[0].upper()}{why[1:]}", lines)
    dice = play.roll(6, 2, f"{why} of {short(state, unit)}", by=unit.side, tally=tally)
    roll = rolled(play, Roll("morale", unit.side, dice, (unit.id,), unit.at))
    final = roll.original + int(tally.total)
    passed = apply_check(play, unit, roll.original, final, what=what, pins_broken=pins_broken, losses=losses)
    settled(play, roll)
    return passed


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
    """A unit takes a PTC; broken and pinned units, and those never pinned, have nothing to fear from it (3.2.3)."""
    setting = setting_of(play.state)
    if unit.broken or unit.pinned or averted(play, "pin", unit):
        return True
    tally = Tally.of(why, [*items, *part_items(play.state, unit, why), *leader_items(play.state, leader)])
    dice = play.roll(6, 2, f"{why} of {short(play.state, unit)}", by=unit.side, tally=tally)
    roll = rolled(play, Roll("task", unit.side, dice, (unit.id,), unit.at))
    final = roll.original + int(tally.total)
    verdict = judge_task(setting, unit, final)
    where = name_of(play.state, unit.at)
    play.emit(MoraleChecked(unit=unit.id, at=where, what="PTC", passed=verdict.passed, dr=final, kind=unit.kind))
    suffer(play, unit, verdict)
    settled(play, roll)
    return verdict.passed


# -- the loss of leaders ------------------------------------------------------------------


def check_order(setting: Setting, units: Iterable[Unit]) -> list[Unit]:
    """Best leader first, then the other leaders, then the rest as they are stacked (3.2.3)."""
    leaders: list[Unit] = []
    others: list[Unit] = []
    for unit in units:
        (leaders if setting.kinds[unit.group, unit.kind].leads else others).append(unit)
    leaders.sort(key=lambda u: (-felt_as(kind := setting.kinds[u.group, u.kind], u), leadership_of(kind, u)))
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
            if loss.eliminated and (unit.broken or not setting.kinds[unit.group, unit.kind].unshaken):
                morale_check(play, unit, why="LLMC", leader=leader, items=items, losses=losses)
            else:
                pin_check(play, unit, why="LLTC", leader=leader, items=items)


def shaken(setting: Setting, unit: Unit, loss: Loss) -> bool:
    """Whether a unit stacked with a lost leader must check: lower current morale, not in Close Combat (3.2.3)."""
    if unit.id == loss.leader or unit.side != loss.side or unit.melee or hidden(unit):
        return False
    if not loss.eliminated and (unit.broken or unit.pinned):
        return False
    kind = setting.kinds[unit.group, unit.kind]
    return level(kind, unit) < loss.morale and not kind.superior
