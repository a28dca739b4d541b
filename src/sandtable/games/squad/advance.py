"""Advance Phase (3.7)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action, Play, Procedure
from sandtable.games.squad.model import SquadState
from sandtable.games.squad.move_model import EndPhase
from sandtable.games.squad.part import Part
from sandtable.games.squad.phase_model import AdvancePhase
from sandtable.games.squad.phases import end_phase


class Advance(Procedure[SquadState, AdvancePhase]):
    """The Advance Phase (3.7)."""

    def to_act(self, state: SquadState, frame: AdvancePhase) -> tuple[str, ...]:
        return (state.attacker,)

    def actions(self, state: SquadState, frame: AdvancePhase, side: str) -> Sequence[Action]:
        return [EndPhase()]

    def apply(self, play: Play[SquadState], frame: AdvancePhase, side: str, action: Action) -> None:
        end_phase(play)


PART = Part(
    procedures={AdvancePhase: Advance()},
    prompts={AdvancePhase: lambda state, frame: ("Advance units into adjacent hexes", "3.7")},
)
