"""Movement Phase (3.3)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action, Play, Procedure
from sandtable.games.squad.model import SquadState
from sandtable.games.squad.move_model import EndPhase, MovementPhase
from sandtable.games.squad.part import Part
from sandtable.games.squad.phases import end_phase


class Movement(Procedure[SquadState, MovementPhase]):
    """The ATTACKER picks units to move (3.3)."""

    def to_act(self, state: SquadState, frame: MovementPhase) -> tuple[str, ...]:
        return (state.attacker,)

    def actions(self, state: SquadState, frame: MovementPhase, side: str) -> Sequence[Action]:
        return [EndPhase()]

    def apply(self, play: Play[SquadState], frame: MovementPhase, side: str, action: Action) -> None:
        end_phase(play)


PART = Part(
    procedures={MovementPhase: Movement()},
    prompts={MovementPhase: lambda state, frame: ("Pick a unit to move", "3.3")},
)
