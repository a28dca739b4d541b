"""Rout Phase (3.6)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action, Play, Procedure
from sandtable.games.squad.model import SquadState
from sandtable.games.squad.move_model import EndPhase
from sandtable.games.squad.part import Part
from sandtable.games.squad.phase_model import RoutPhase
from sandtable.games.squad.phases import end_phase


class Rout(Procedure[SquadState, RoutPhase]):
    """The Rout Phase (3.6)."""

    def to_act(self, state: SquadState, frame: RoutPhase) -> tuple[str, ...]:
        return (state.attacker,)

    def actions(self, state: SquadState, frame: RoutPhase, side: str) -> Sequence[Action]:
        return [EndPhase()]

    def apply(self, play: Play[SquadState], frame: RoutPhase, side: str, action: Action) -> None:
        end_phase(play)


PART = Part(
    procedures={RoutPhase: Rout()},
    prompts={RoutPhase: lambda state, frame: ("Broken units rout", "3.6")},
)
