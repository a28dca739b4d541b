"""The DEFENDER's windows: after each expenditure of MF he may fire at the moving units (3.3.1)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.engine.view import Description
from sandtable.games.squad.defensive_fire import moving_units
from sandtable.games.squad.guns import hidden_units
from sandtable.games.squad.model import SquadState
from sandtable.games.squad.move_model import Pass, Reaction, Spent
from sandtable.games.squad.moving import charge_lies
from sandtable.games.squad.part import Part
from sandtable.games.squad.setting import defender
from sandtable.games.squad.steps import end_movers

PASS = Pass()


def firers(state: SquadState, side: str, cell: int) -> list[Action]:
    """What the DEFENDER may start to fire with at the movers."""
    return []


class AfterSpending(Procedure[SquadState, Spent]):
    """Residual FP attacks first, then the window, then what the MF were spent for (3.3.1)."""

    def run(self, play: Play[SquadState], frame: Spent) -> None:
        state = play.state
        movers = moving_units(state)
        if frame.step == 0:
            play.replace(replace(frame, step=1))
            return
        if frame.step == 1:
            play.replace(replace(frame, step=2))
            if movers and _window(state):
                play.push(Reaction())
            return
        play.pop()
        if frame.charge is not None:
            charge_lies(play, frame.charge)
        if frame.ends and state.moving is not None:
            end_movers(play, movers)


def _window(state: SquadState) -> bool:
    """Whether the DEFENDER is asked: somebody can fire, or hidden Guns may be anywhere."""
    side = defender(state)
    if hidden_units(state, side):
        return True
    cell = state.units[moving_units(state)[0]].at
    return bool(firers(state, side, cell))


class Reacting(Procedure[SquadState, Reaction]):
    """The DEFENDER fires at the movers, as often as he can and likes (3.3.1)."""

    def to_act(self, state: SquadState, frame: Reaction) -> tuple[str, ...]:
        movers = moving_units(state)
        if not movers or not _window(state):
            return ()
        return (defender(state),)

    def run(self, play: Play[SquadState], frame: Reaction) -> None:
        play.pop()

    def actions(self, state: SquadState, frame: Reaction, side: str) -> Sequence[Action]:
        cell = state.units[moving_units(state)[0]].at
        return [*firers(state, side, cell), PASS]

    def apply(self, play: Play[SquadState], frame: Reaction, side: str, action: Action) -> None:
        if isinstance(action, Pass):
            play.pop()


PART = Part(
    procedures={Spent: AfterSpending(), Reaction: Reacting()},
    describe={Pass: lambda state, side, action: Description("Hold fire", "done", key="Enter", rule="3.3.1")},
    prompts={Reaction: lambda state, frame: ("Fire at the moving units, or hold fire", "3.3.1")},
)
