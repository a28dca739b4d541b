"""The DEFENDER's windows: after each expenditure of MF he may fire at the moving units (3.3.1)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.engine.view import Description, Refusal
from sandtable.games.squad.fire.drafting import fire_draft, first_firers, residual_attack
from sandtable.games.squad.fire.model import StartFire
from sandtable.games.squad.fire.words import aim_bar, firer_bar, is_ordnance, refusal, start_bar, wanted
from sandtable.games.squad.ground.knowledge import hidden_units
from sandtable.games.squad.ground.movers import moving_units
from sandtable.games.squad.ground.setting import defender, setting_of, unit_kind
from sandtable.games.squad.ground.sight import unsure_in_sight
from sandtable.games.squad.movement.going import charge_lies
from sandtable.games.squad.movement.model import Pass, Reaction, Spent
from sandtable.games.squad.movement.steps import end_movers
from sandtable.games.squad.ordnance.model import StartShot
from sandtable.games.squad.ordnance.shooting import first_shooters, shot_draft
from sandtable.games.squad.ordnance.words import shooter_refusals
from sandtable.games.squad.part import Part
from sandtable.games.squad.pieces.model import SquadState

PASS = Pass()


class AfterSpending(Procedure[SquadState, Spent]):
    """Residual FP attacks first, then the window, then what the MF were spent for (3.3.1)."""

    def run(self, play: Play[SquadState], frame: Spent) -> None:
        state = play.state
        movers = moving_units(state)
        if frame.step == 0:
            play.replace(replace(frame, step=1))
            for hook in setting_of(state).points.spent if movers else ():
                hook(play)
            movers = moving_units(state)
            if movers:
                residual_attack(play, state.units[movers[0]].at)
            movers = moving_units(state)
            if movers:
                window = open_window(state)
                if window is not None:
                    play.push(window)
            return
        play.pop()
        if frame.charge is not None:
            charge_lies(play, frame.charge)
        ends = [name for name in frame.ends if name in movers]
        if ends and state.moving is not None:
            end_movers(play, ends)


def open_window(state: SquadState) -> Reaction | None:
    """The DEFENDER's window, if somebody can fire or hidden Guns may be anywhere."""
    side = defender(state)
    cell = state.units[moving_units(state)[0]].at
    window = Reaction(tuple(first_firers(state, side, cell)), tuple(first_shooters(state, side, cell)))
    if window.firers or window.shooters or hidden_units(state, side) or unsure_in_sight(state, cell, side):
        return window
    return None


class Reacting(Procedure[SquadState, Reaction]):
    """The DEFENDER fires at the movers, as often as he can and likes (3.3.1)."""

    def to_act(self, state: SquadState, frame: Reaction) -> tuple[str, ...]:
        return () if frame.stale else (defender(state),)

    def run(self, play: Play[SquadState], frame: Reaction) -> None:
        """After an attack: go on while there is somebody to fire, and somebody to fire at."""
        window = open_window(play.state) if moving_units(play.state) else None
        if window is None:
            play.pop()
        else:
            play.replace(window)

    def actions(self, state: SquadState, frame: Reaction, side: str) -> Sequence[Action]:
        found: list[Action] = [StartFire(name) for name in frame.firers]
        found += [StartShot(name) for name in frame.shooters]
        found.append(PASS)
        return found

    def apply(self, play: Play[SquadState], frame: Reaction, side: str, action: Action) -> None:
        if isinstance(action, Pass):
            play.pop()
            return
        state = play.state
        cell = state.units[moving_units(state)[0]].at
        play.replace(Reaction(stale=True))
        if isinstance(action, StartFire):
            play.push(fire_draft(state, side, "first", action.firer, cell))
        elif isinstance(action, StartShot):
            play.push(shot_draft(side, "first", action.weapon, cell))


def _refusals(state: SquadState, side: str, frame: Reaction) -> list[Refusal]:
    """Units in sight of the movers that may not fire at them, with the reason."""
    cells = wanted(state, side, "first")
    if not cells or cells[0] < 0:
        return []
    found = []
    for unit in [unit for unit in state.units.values() if unit.side == side and unit.at >= 0]:
        for name in (unit.id, *unit.weapons):
            if is_ordnance(state, name) or (name == unit.id and not unit_kind(state, unit).fires):
                continue
            bar = firer_bar(state, name, "first") or aim_bar(state, side, name, cells[0], "first")
            if bar is not None:
                found.append(refusal(state, "Fire", name, bar))
    return [*found, *shooter_refusals(state, side, "first")]


PART = Part(
    procedures={Spent: AfterSpending(), Reaction: Reacting()},
    describe={Pass: lambda state, side, action: Description("Hold fire", "done", key="Enter", rule="3.3.1")},
    why_not={(Reaction, StartFire): start_bar},
    refusals={Reaction: _refusals},
    prompts={Reaction: lambda state, frame: ("Fire at the moving units, or hold fire", "3.3.1")},
)
