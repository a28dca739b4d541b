"""Close Combat Phase (3.8)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action, Play, Procedure
from sandtable.games.squad.model import SquadState
from sandtable.games.squad.move_model import EndPhase
from sandtable.games.squad.part import Part
from sandtable.games.squad.phase_model import CloseCombatPhase
from sandtable.games.squad.phases import end_phase


class CloseCombat(Procedure[SquadState, CloseCombatPhase]):
    """The Close Combat Phase (3.8)."""

    def to_act(self, state: SquadState, frame: CloseCombatPhase) -> tuple[str, ...]:
        return (state.attacker,)

    def actions(self, state: SquadState, frame: CloseCombatPhase, side: str) -> Sequence[Action]:
        return [EndPhase()]

    def apply(self, play: Play[SquadState], frame: CloseCombatPhase, side: str, action: Action) -> None:
        end_phase(play)


PART = Part(
    procedures={CloseCombatPhase: CloseCombat()},
    prompts={CloseCombatPhase: lambda state, frame: ("Resolve close combat", "3.8")},
)
