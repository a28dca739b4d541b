"""The sequence of play: the eight phases, what happens at their ends, and the turn record (3.0, 3.9, G4)."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from sandtable.engine import Frame, Play
from sandtable.games.squad import guns, reinforcements, victory
from sandtable.games.squad.fire_model import AdvancingFirePhase, DefensiveFirePhase, FirePhaseFrame, PrepFirePhase
from sandtable.games.squad.model import (
    FIRST_FIRE,
    NO_MARKER,
    PREP_FIRE,
    Smoke,
    SquadState,
    Unit,
    Weapon,
)
from sandtable.games.squad.move_model import Excess, MovementPhase, SmokeRemoved
from sandtable.games.squad.phase_model import (
    AdvancePhase,
    CloseCombatPhase,
    PhaseBegan,
    RallyPhase,
    RoutPhase,
    TurnBegan,
)
from sandtable.games.squad.setting import defender, setting
from sandtable.games.squad.stacks import STACK_LEADERS, STACK_SQUADS, load

FRAMES: dict[str, type[Frame]] = {
    "RPh": RallyPhase,
    "PFPh": PrepFirePhase,
    "MPh": MovementPhase,
    "DFPh": DefensiveFirePhase,
    "AFPh": AdvancingFirePhase,
    "RtPh": RoutPhase,
    "APh": AdvancePhase,
    "CCPh": CloseCombatPhase,
}
ORDER = tuple(FRAMES)


def begin_play(play: Play[SquadState]) -> None:
    """Set-up is over: the side that moves first starts the first Player Turn."""
    look_for_hidden(play)
    play.state.turn = 0
    play.state.attacker = setting(play.state).second
    _next_player_turn(play)


def begin_phase(play: Play[SquadState], phase: str) -> None:
    """Start a phase of the present Player Turn; its frame becomes the only one."""
    state = play.state
    state.phase = phase
    state.stack[:] = [FRAMES[phase]()]  # type: ignore[list-item]
    play.emit(PhaseBegan(turn=state.turn, side=state.attacker, phase=phase))
    start = _START.get(phase)
    if start is not None:
        start(play)


def end_phase(play: Play[SquadState]) -> None:
    """End the present phase: markers come off, victory is looked at, the next phase starts."""
    state = play.state
    if setting(state).rules.stacking_at_phase_end and overstacked(play):
        return
    finish = _END.get(state.phase)
    if finish is not None:
        finish(play)
    _reset_shots(state)
    look_for_hidden(play)
    victory.update_control(play)
    victory.check_at_once(play)
    if state.outcome is not None:
        return
    place = ORDER.index(state.phase)
    if place + 1 < len(ORDER):
        begin_phase(play, ORDER[place + 1])
    else:
        _next_player_turn(play)


def overstacked(play: Play[SquadState]) -> bool:
    """Ask the enemy to remove units if a side has too many in a hex (guide)."""
    state = play.state
    for cell, names in state.stacks.items():
        if len(names) > 3:
            for side in setting(state).sides:
                size, leaders = load(state, [state.units[name] for name in names if state.units[name].side == side])
                if size > STACK_SQUADS or leaders > STACK_LEADERS:
                    play.push(Excess(cell, side))
                    return True
    return False


def look_for_hidden(play: Play[SquadState]) -> None:
    """Hidden Guns in the open that a Good Order enemy sees are revealed (6.4)."""
    for side in setting(play.state).sides:
        if guns.hidden_units(play.state, setting(play.state).others[side]):
            guns.check_hip(play, side, tuple(play.state.stacks))


def list_firers_anew(play: Play[SquadState]) -> None:
    """An attack changes who may fire: the fire phase at the bottom of the stack lists them again."""
    stack = play.state.stack
    if isinstance(stack[0], FirePhaseFrame):
        stack[0] = type(stack[0])()


def _next_player_turn(play: Play[SquadState]) -> None:
    """The DEFENDER becomes the ATTACKER; after the second side the turn counter moves on (3.9)."""
    state = play.state
    card = setting(state)
    if state.attacker == card.second:
        state.turn += 1
    over = state.turn > card.turns or (state.turn == card.turns and card.half and state.attacker == card.first)
    if over:
        victory.decide_at_end(play)
        return
    state.attacker = card.others[state.attacker]
    play.emit(TurnBegan(turn=state.turn, side=state.attacker))
    begin_phase(play, "RPh")


# -- markers ----------------------------------------------------------------------------


def change_units(state: SquadState, wanted: Callable[[Unit], bool], **changes: object) -> tuple[str, ...]:
    """Change all units that are wanted; returns their ids."""
    found = tuple([unit.id for unit in state.units.values() if wanted(unit)])
    for name in found:
        state.units[name] = replace(state.units[name], **changes)
    return found


def change_weapons(state: SquadState, wanted: Callable[[Weapon], bool], **changes: object) -> None:
    """Change all weapons that are wanted."""
    for name, weapon in list(state.weapons.items()):
        if wanted(weapon):
            state.weapons[name] = replace(weapon, **changes)


def _reset_shots(state: SquadState) -> None:
    """Rate of Fire, Covered Arc changes, recoveries and Mandatory Fire Groups count for one phase."""
    state.volleys.clear()
    change_weapons(state, lambda w: bool(w.shots or w.turned or w.recovered), shots=0, turned=0, recovered=False)


def _start_prep_fire(play: Play[SquadState]) -> None:
    """Ordnance Smoke of the ATTACKER thins: dispersed goes, full is flipped (1.2.5)."""
    state = play.state
    names = setting(state).ground.names
    thinner = {"smoke": "dispersed", "wp": "wp dispersed", "dispersed": "", "wp dispersed": ""}
    for cell, present in list(state.smoke.items()):
        kept = []
        for smoke in present:
            now = thinner.get(smoke.kind)
            if smoke.side != state.attacker or now is None:
                kept.append(smoke)
                continue
            play.emit(SmokeRemoved(at=names[cell], smoke=smoke.kind, now=now))
            if now:
                kept.append(Smoke(now, smoke.side))
        if kept:
            state.smoke[cell] = tuple(kept)
        else:
            del state.smoke[cell]


def _end_prep_fire(play: Play[SquadState]) -> None:
    """A weapon that kept its Rate of Fire has fired in the PFPh all the same (3.5)."""
    change_weapons(play.state, lambda w: w.shots > 0 and w.marker == NO_MARKER, marker=PREP_FIRE)


def _start_movement(play: Play[SquadState]) -> None:
    """CX counters come off at the start of the MPh, but forbid Double Time in it (3.3)."""
    state = play.state
    change_units(state, lambda u: u.cx and u.side == state.attacker, cx=False, exhausted=True)


def _end_movement(play: Play[SquadState]) -> None:
    """Residual FP and smoke grenades are removed (3.3, 3.3.1)."""
    state = play.state
    names = setting(state).ground.names
    state.moving = None
    state.shots.clear()
    state.residual.clear()
    for cell, present in list(state.smoke.items()):
        kept = tuple([smoke for smoke in present if smoke.kind != "grenade"])
        if len(kept) != len(present):
            play.emit(SmokeRemoved(at=names[cell], smoke="grenade"))
            if kept:
                state.smoke[cell] = kept
            else:
                del state.smoke[cell]


def _end_defensive_fire(play: Play[SquadState]) -> None:
    """First and Final Fire counters are removed at the end of the DFPh (3.4)."""
    state = play.state
    side = defender(state)
    change_units(state, lambda u: u.side == side and u.marker >= FIRST_FIRE, marker=NO_MARKER)
    _clear_weapons(state, side)


def _end_advancing_fire(play: Play[SquadState]) -> None:
    """Prep Fire counters are removed at the end of the AFPh (3.5)."""
    state = play.state
    change_units(state, lambda u: u.side == state.attacker and u.marker != NO_MARKER, marker=NO_MARKER)
    _clear_weapons(state, state.attacker)


def _clear_weapons(state: SquadState, side: str) -> None:
    units = state.units
    change_weapons(
        state,
        lambda w: w.marker != NO_MARKER and (units[w.owner].side if w.owner else w.side) == side,
        marker=NO_MARKER,
    )


def _end_advance(play: Play[SquadState]) -> None:
    """Who has not entered in his turn of entry is eliminated (3.3)."""
    reinforcements.remove_late(play)
    change_units(play.state, lambda u: u.advanced, advanced=False)


def _end_rally(play: Play[SquadState]) -> None:
    change_units(play.state, lambda u: u.tried, tried=False)


def _end_close_combat(play: Play[SquadState]) -> None:
    """Pin counters are removed at the end of the CCPh, and all that counted for the Player Turn (3.8)."""
    state = play.state
    change_units(
        state,
        lambda u: u.pinned or u.moved or u.hazardous or u.exhausted or u.engaged or bool(u.used or u.directed),
        pinned=False,
        moved=False,
        hazardous=False,
        exhausted=False,
        engaged=False,
        used=(),
        directed=(),
    )
    change_weapons(state, lambda w: w.moved, moved=False)
    # whoever is held in Melee is not in Good Order and loses what his weapons acquired (6.10)
    units = state.units
    change_weapons(state, lambda w: w.acquired is not None and units[w.owner].melee, acquired=None)


_START: dict[str, Callable[[Play[SquadState]], None]] = {
    "RPh": reinforcements.begin,
    "PFPh": _start_prep_fire,
    "MPh": _start_movement,
}
_END: dict[str, Callable[[Play[SquadState]], None]] = {
    "RPh": _end_rally,
    "PFPh": _end_prep_fire,
    "MPh": _end_movement,
    "DFPh": _end_defensive_fire,
    "AFPh": _end_advancing_fire,
    "APh": _end_advance,
    "CCPh": _end_close_combat,
}
