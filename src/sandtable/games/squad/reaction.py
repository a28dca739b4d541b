"""The DEFENDER's windows: after each expenditure of MF he may fire at the moving units (3.3.1)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.engine.view import Description
from sandtable.games.squad.defensive_fire import moving_units
from sandtable.games.squad.fire import fire_draft, first_firers, residual_attack
from sandtable.games.squad.fire_model import StartFire
from sandtable.games.squad.guns import hidden_units
from sandtable.games.squad.model import SquadState
from sandtable.games.squad.move_model import Pass, Reaction, Spent
from sandtable.games.squad.moving import charge_lies
from sandtable.games.squad.ordnance import first_shooters, shot_draft
from sandtable.games.squad.ordnance_model import StartShot
from sandtable.games.squad.part import Part
from sandtable.games.squad.setting import defender
from sandtable.games.squad.steps import end_movers

PASS = Pass()


class AfterSpending(Procedure[SquadState, Spent]):
    """Residual FP attacks first, then the window, then what the MF were spent for (3.3.1)."""

    def run(self, play: Play[SquadState], frame: Spent) -> None:
        state = play.state
        movers = moving_units(state)
        if frame.step == 0:
            play.replace(replace(frame, step=1))
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
    if window.firers or window.shooters or hidden_units(state, side):
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


PART = Part(
    procedures={Spent: AfterSpending(), Reaction: Reacting()},
    describe={Pass: lambda state, side, action: Description("Hold fire", "done", key="Enter", rule="3.3.1")},
    prompts={Reaction: lambda state, frame: ("Fire at the moving units, or hold fire", "3.3.1")},
)
