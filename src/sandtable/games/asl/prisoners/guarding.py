"""Guards and their prisoners: change, escape, fire at them, and what unarmed units can do (A20.4-A20.55)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.engine.part import Bar
from sandtable.games.asl.prisoners.model import (
    AbandonPrisoners,
    ChangeGuard,
    EscapeFailed,
    Escaping,
    GuardChanged,
    Massacre,
    PrisonerHit,
    Rearmed,
    StayCaptive,
    TryEscape,
)
from sandtable.games.asl.prisoners.taking import refuse
from sandtable.games.asl.strength import us_number
from sandtable.games.asl.surrender import (
    CAPTIVES,
    UNARMED,
    Captive,
    free,
    guard_lost,
    held_by,
    held_us,
    may_guard,
)
from sandtable.games.squad.combat.model import AdvancePhase
from sandtable.games.squad.effects.aftermath import Attack
from sandtable.games.squad.fire.ending import list_firers_anew
from sandtable.games.squad.fire.model import PrepFirePhase
from sandtable.games.squad.ground.marks import unmark
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import other_side, setting_of, unit_kind
from sandtable.games.squad.ground.stacks import name_of, units_at, update
from sandtable.games.squad.movement.model import MovementPhase
from sandtable.games.squad.part import Item
from sandtable.games.squad.pieces.counters import Mmc, all_counters
from sandtable.games.squad.pieces.kinds import printed_unit
from sandtable.games.squad.pieces.model import PREP_FIRE, SquadState, Unit, Weapon

MASSACRES = ("german_ss", "japanese", "partisan", "russian")
"""Whose Infantry may kill prisoners (A20.4)."""
MEEK = ("italian", "japanese", "axis_minor")
"""Who does not try to escape (A20.55)."""
TRY, STAY = TryEscape(), StayCaptive()


# -- the guard ------------------------------------------------------------------------------


def guards(state: SquadState, side: str = "") -> list[Unit]:
    """Units on the map that guard prisoners, of one side or of both."""
    names = dict.fromkeys([captive.guard for captive in CAPTIVES.of(state).values()])
    found = [state.units[name] for name in names if name in state.units]
    return [unit for unit in found if not side or unit.side == side]


def fire_bar(state: SquadState, unit: Unit, weapon: Weapon | None, mode: str) -> Bar | None:
    """Too many prisoners keep their guard busy; unarmed units do not fire (A20.5, A20.54)."""
    if not CAPTIVES.of(state) or held_us(state, unit.id) <= us_number(state, unit):
        return None
    return "It guards more prisoners than it has men: it fires nothing while it has them", "A20.5"


def interdict_bar(state: SquadState, unit: Unit) -> Bar | None:
    """Who may not fire for all his prisoners does not interdict either (A20.5)."""
    return fire_bar(state, unit, None, "")


def combat_factor(state: SquadState, attackers: Sequence[Unit], targets: Sequence[Unit]) -> list[Item]:
    """A guard attacks others with half its FP (A20.5)."""
    busy = [unit.id for unit in attackers if held_by(state, unit.id)] if CAPTIVES.of(state) else []
    if not busy:
        return []
    strengths = {unit.id: 1 if unit_kind(state, unit).smc else unit_kind(state, unit).fp for unit in attackers}
    whole = sum(strengths.values())
    left = whole - sum([strengths[name] for name in busy]) / 2
    return [("guards prisoners", left / whole, "A20.5")] if whole else []


# -- what a guard may do ---------------------------------------------------------------------


def change_bar(state: SquadState, side: str, action: ChangeGuard) -> Bar | None:
    """Why a prisoner cannot be handed over (A20.5)."""
    captive, to = CAPTIVES.of(state).get(action.prisoner), state.units.get(action.guard)
    guard = state.units.get(captive.guard) if captive is not None else None
    if captive is None or to is None or guard is None:
        return "Nobody of that name guards or is guarded on the map", "A20.5"
    if captive.passed == player_turn(state):
        return "It has changed guards in this Player Turn", "A20.5"
    if guard.side != side or to.side != side or guard.at != to.at or to.id == guard.id or not to.good_order:
        return "Prisoners go to another Good Order unit in the Location of their guard", "A20.5"
    return None if may_guard(state, to, [captive.unit]) else ("It cannot guard so many: five times its US#", "A20.5")


def player_turn(state: SquadState) -> str:
    """A name for the Player Turn that is being played."""
    return f"{state.turn} {state.attacker}"


def advance_actions(state: SquadState, frame: AdvancePhase, side: str) -> list[Action]:
    """Prisoners change guards in the APh (A20.5, ruling P-3)."""
    if not CAPTIVES.of(state):
        return []
    found: list[Action] = []
    for guard in guards(state, side):
        for captive in held_by(state, guard.id):
            choices = [ChangeGuard(captive.unit.id, other.id) for other in units_at(state, guard.at, side)]
            found += [choice for choice in choices if change_bar(state, side, choice) is None]
    return found


def change_guard(play: Play[SquadState], frame: AdvancePhase, side: str, action: ChangeGuard) -> None:
    """A prisoner is handed over."""
    state = play.state
    captive = CAPTIVES.of(state)[action.prisoner]
    CAPTIVES.of(state)[action.prisoner] = replace(captive, guard=action.guard, passed=player_turn(state))
    where = name_of(state, state.units[action.guard].at)
    play.emit(GuardChanged(unit=action.prisoner, guard=action.guard, at=where))


def move_actions(state: SquadState, frame: MovementPhase, side: str) -> list[Action]:
    """A guard that has not moved may let its prisoners go (A20.5)."""
    if not CAPTIVES.of(state):
        return []
    return [AbandonPrisoners(guard.id) for guard in guards(state, side) if not guard.moved and not guard.melee]


def abandon(play: Play[SquadState], frame: MovementPhase, side: str, action: AbandonPrisoners) -> None:
    """All prisoners of a guard are free where they are."""
    state = play.state
    for captive in held_by(state, action.guard):
        free(play, captive, state.units[action.guard].at, "abandoned")


def massacre_actions(state: SquadState, frame: PrepFirePhase, side: str) -> list[Action]:
    """Who may kill prisoners (A20.4)."""
    if not CAPTIVES.of(state):
        return []
    able = [guard for guard in guards(state, side) if guard.good_order and not guard.used and not guard.marker]
    return [Massacre(guard.id) for guard in able if unit_kind(state, guard).nation in MASSACRES]


def massacre(play: Play[SquadState], frame: PrepFirePhase, side: str, action: Massacre) -> None:
    """All prisoners of a guard are killed: No Quarter from now on (A20.4)."""
    state = play.state
    guard = update(play, state.units[action.guard], marker=PREP_FIRE)
    where = name_of(state, guard.at)
    for captive in held_by(state, guard.id):
        kill(play, captive, where)
    refuse(play, side, where)
    list_firers_anew(play)


# -- fire at the guard's Location ---------------------------------------------------------------


def kill(play: Play[SquadState], captive: Captive, where: str, *, by: str = "") -> None:
    """A prisoner is dead: he counts once, by fire of his own side twice (A26.222)."""
    state = play.state
    del CAPTIVES.of(state)[captive.unit.id]
    gone = state.gone[captive.unit.id]
    points = gone.points * (2 if by == captive.unit.side else 1)
    state.gone[captive.unit.id] = replace(gone, how="eliminated", points=points)
    play.emit(PrisonerHit(unit=captive.unit.id, at=where, killed=True))


def fire_hits(play: Play[SquadState], attack: Attack) -> None:
    """An attack on a guard's Location hits its prisoners: a failed MC costs them men, they never break (A20.54)."""
    state = play.state
    if not CAPTIVES.of(state):
        return
    by = attack.roll.side if attack.roll is not None else ""
    for impact in attack.impacts:
        for captive in held_by(state, impact.unit):
            guard = state.units[impact.unit]
            if impact.result.kind == "KIA":
                _lose_men(play, captive, name_of(state, guard.at), by)
            elif impact.result.kind in ("K", "MC"):
                _prisoner_check(play, captive, impact.result.number, guard, by)


def _prisoner_check(play: Play[SquadState], captive: Captive, number: int, guard: Unit, by: str) -> None:
    state = play.state
    dice = play.roll(6, 2, f"MC of prisoners: {short(state, captive.unit)}", by=guard.side)
    where = name_of(state, guard.at)
    if sum(dice) + number <= unit_kind(state, captive.unit).morale:
        play.emit(PrisonerHit(unit=captive.unit.id, at=where, killed=False, passed=True))
    else:
        _lose_men(play, captive, where, by)


def _lose_men(play: Play[SquadState], captive: Captive, where: str, by: str) -> None:
    state = play.state
    reduced = unit_kind(state, captive.unit).reduced
    if not reduced:
        kill(play, captive, where, by=by)
        return
    unit = replace(captive.unit, kind=reduced)
    CAPTIVES.of(state)[unit.id] = replace(captive, unit=unit)
    gone = state.gone[unit.id]
    state.gone[unit.id] = replace(gone, kind=reduced, points=max(gone.points - 1, 0))
    other = setting_of(state).others[unit.side]
    state.halves[other] = state.halves.get(other, 0) + (2 if by == unit.side else 1)
    play.emit(PrisonerHit(unit=unit.id, at=where, killed=False))


# -- escape -------------------------------------------------------------------------------------


def begin_close_combat(play: Play[SquadState]) -> None:
    """Prisoners of a broken guard, or of one in Melee, may try to escape (A20.55)."""
    state = play.state
    if not CAPTIVES.of(state):
        return
    for guard in guards(state):
        if guard.broken or guard.melee:
            play.push(Escaping(guard.id, other_side(state, guard.side)))


def _willing(state: SquadState, guard: str) -> list[Captive]:
    return [one for one in held_by(state, guard) if unit_kind(state, one.unit).nation not in MEEK]


class Escape(Procedure[SquadState, Escaping]):
    """A task check frees them, none is needed in a Melee; then they fight their guard (A20.55)."""

    def to_act(self, state: SquadState, frame: Escaping) -> tuple[str, ...]:
        return (frame.side,) if frame.guard in state.units and _willing(state, frame.guard) else ()

    def actions(self, state: SquadState, frame: Escaping, side: str) -> Sequence[Action]:
        return [TRY, STAY]

    def apply(self, play: Play[SquadState], frame: Escaping, side: str, action: Action) -> None:
        state = play.state
        play.pop()
        if not isinstance(action, TryEscape):
            return
        guard = state.units[frame.guard]
        for captive in _willing(state, frame.guard):
            freed = guard.melee
            if not freed:
                dice = play.roll(6, 2, f"escape: {short(state, captive.unit)}", by=side)
                freed = sum(dice) <= unit_kind(state, captive.unit).morale
            if freed:
                unit = free(play, captive, guard.at, "escapes")
                if guard.melee:
                    update(play, unit, melee=True)
            else:
                play.emit(EscapeFailed(guard=guard.id, at=name_of(state, guard.at)))

    def run(self, play: Play[SquadState], frame: Escaping) -> None:
        play.pop()


# -- arms -----------------------------------------------------------------------------------------


def rearm(play: Play[SquadState], unit: Unit, why: str) -> None:
    """An enemy has fallen in close combat: one unarmed unit there takes up his arms (A20.551)."""
    state = play.state
    if state.phase != "CCPh" or unit.at < 0 or UNARMED in unit.marks:
        return
    for other in units_at(state, unit.at, other_side(state, unit.side)):
        if UNARMED in other.marks:
            now = poorest(other.kind)
            update(play, unmark(play, other, UNARMED), kind=now)
            play.emit(Rearmed(unit=other.id, at=name_of(state, unit.at), now=now))
            return


def poorest(kind: str) -> str:
    """The Green or Conscript counter of its size, else the weakest of its nationality (A20.551)."""
    unit = printed_unit(kind)
    found = []
    for (nation, name), counter in all_counters().items():
        if nation == unit.nation and isinstance(counter, Mmc) and " " not in name:
            other = printed_unit(f"{nation} {name}")
            if (other.squad, other.half_squad, other.crew) == (unit.squad, unit.half_squad, unit.crew):
                found.append((not (other.green or other.conscript), other.fp + other.range + other.morale, other.kind))
    return min(found)[2] if found else kind


def lost(play: Play[SquadState], unit: Unit, why: str) -> None:
    """A unit is eliminated: its prisoners, and arms for the unarmed."""
    guard_lost(play, unit, why)
    rearm(play, unit, why)
