"""Rally Phase (3.1)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action, Play, Procedure
from sandtable.games.squad.model import SquadState
from sandtable.games.squad.move_model import EndPhase
from sandtable.games.squad.part import Part
from sandtable.games.squad.phase_model import RallyPhase
from sandtable.games.squad.phases import end_phase


class Rally(Procedure[SquadState, RallyPhase]):
    """The steps of the Rally Phase in their order (3.1)."""

    def to_act(self, state: SquadState, frame: RallyPhase) -> tuple[str, ...]:
        return (state.attacker,)

    def actions(self, state: SquadState, frame: RallyPhase, side: str) -> Sequence[Action]:
        return [EndPhase()]

    def apply(self, play: Play[SquadState], frame: RallyPhase, side: str, action: Action) -> None:
        end_phase(play)


PART = Part(
    procedures={RallyPhase: Rally()},
    prompts={RallyPhase: lambda state, frame: ("Rally your units", "3.1")},
)
