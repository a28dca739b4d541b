"""The sequence of play: the phases, what happens at their ends, and the turn record (3.0, 3.9, G4)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Play
from sandtable.games.squad.ground import guns
from sandtable.games.squad.ground.counters import expire
from sandtable.games.squad.ground.knowledge import faces_hidden_guns
from sandtable.games.squad.ground.markers import change_weapons
from sandtable.games.squad.ground.marks import expire_marks
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import STACK_LEADERS, STACK_SQUADS, stacking_of
from sandtable.games.squad.part import Hook
from sandtable.games.squad.phases import victory
from sandtable.games.squad.phases.model import Excess, PhaseBegan, TurnBegan
from sandtable.games.squad.phases.switches import PhaseRules
from sandtable.games.squad.pieces.model import SquadState


def begin_play(play: Play[SquadState]) -> None:
    """Set-up is over: the side that moves first starts the first Player Turn."""
    look_for_hidden(play)
    play.state.turn = 0
    play.state.attacker = setting_of(play.state).second
    _next_player_turn(play)


def begin_phase(play: Play[SquadState], phase: str) -> None:
    """Start a phase of the present Player Turn; its frame becomes the only one."""
    state = play.state
    points = setting_of(state).points
    state.phase = phase
    state.stack[:] = [points.frames[phase]()]
    play.emit(PhaseBegan(turn=state.turn, side=state.attacker, phase=phase))
    _expire(play, f"{phase} begins")
    _call(play, points.begins.get(phase, ()))


def end_phase(play: Play[SquadState]) -> None:
    """End the present phase: markers come off, victory is looked at, the next phase starts."""
    state = play.state
    setting = setting_of(state)
    if setting.rules.of(PhaseRules).stacking_at_phase_end and overstacked(play):
        return
    _expire(play, f"{state.phase} ends")
    _call(play, setting.points.ends.get(state.phase, ()))
    _reset_shots(state)
    look_for_hidden(play)
    victory.update_control(play)
    victory.check_at_once(play)
    if state.outcome is not None:
        return
    order = setting.points.phases
    place = order.index(state.phase)
    if place + 1 < len(order):
        begin_phase(play, order[place + 1])
    else:
        _next_player_turn(play)


def overstacked(play: Play[SquadState]) -> bool:
    """Ask the enemy to remove units if a side has too many in a hex (guide)."""
    state = play.state
    for cell, names in state.stacks.items():
        if len(names) > 3:
            for side in setting_of(state).sides:
                size, leaders = stacking_of(
                    state, [state.units[name] for name in names if state.units[name].side == side]
                )
                if size > STACK_SQUADS or leaders > STACK_LEADERS:
                    play.push(Excess(cell, side))
                    return True
    return False


def look_for_hidden(play: Play[SquadState]) -> None:
    """Hidden Guns in the open that a Good Order enemy sees are revealed (6.4)."""
    state = play.state
    if any([unit.hip for unit in state.units.values()]):
        for side in setting_of(state).sides:
            if faces_hidden_guns(state, side):
                guns.check_hip(play, side, tuple(state.stacks))


def _next_player_turn(play: Play[SquadState]) -> None:
    """The DEFENDER becomes the ATTACKER; after the second side the turn counter moves on (3.9)."""
    state = play.state
    setting = setting_of(state)
    points = setting.points
    last = state.attacker == setting.second
    if state.turn:
        _expire(play, "player turn ends")
        _call(play, points.ends.get("player turn", ()))
        if last:
            _expire(play, "turn ends")
            _call(play, points.ends.get("turn", ()))
        if state.outcome is not None:
            return
    if last:
        state.turn += 1
    over = state.turn > setting.turns or (
        state.turn == setting.turns and setting.half and state.attacker == setting.first
    )
    if over:
        victory.decide_at_end(play)
        return
    state.attacker = setting.others[state.attacker]
    play.emit(TurnBegan(turn=state.turn, side=state.attacker))
    if last:
        _expire(play, "turn begins")
        _call(play, points.begins.get("turn", ()))
    _expire(play, "player turn begins")
    _call(play, points.begins.get("player turn", ()))
    begin_phase(play, points.phases[0])


def _expire(play: Play[SquadState], moment: str) -> None:
    """Counters in Locations and on units whose time has come go."""
    expire(play, moment)
    expire_marks(play, moment)


def _call(play: Play[SquadState], hooks: Sequence[Hook]) -> None:
    for hook in hooks:
        hook(play)


def _reset_shots(state: SquadState) -> None:
    """Rate of Fire, Covered Arc changes, recoveries and Mandatory Fire Groups count for one phase."""
    state.fired_along.clear()
    state.only_smoke, state.fire_begun = (), False
    state.left_out.clear()
    used = [weapon for weapon in state.weapons.values() if weapon.shots or weapon.turned or weapon.recovered]
    change_weapons(state, used, shots=0, turned=0, recovered=False)
