"""Fire phases and the drafting of fire attacks (3.2.2, 3.2.5, 3.4, 3.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.engine import Action, Play, Procedure
from sandtable.games.squad.fire_model import AdvancingFirePhase, DefensiveFirePhase, PrepFirePhase
from sandtable.games.squad.model import SquadState
from sandtable.games.squad.move_model import EndPhase
from sandtable.games.squad.part import Part
from sandtable.games.squad.phases import end_phase
from sandtable.games.squad.setting import defender


class FirePhase(Procedure[SquadState, Any]):
    """A phase in which one side fires (3.2.5, 3.4, 3.5)."""

    def to_act(self, state: SquadState, frame: Any) -> tuple[str, ...]:
        return (defender(state) if isinstance(frame, DefensiveFirePhase) else state.attacker,)

    def actions(self, state: SquadState, frame: Any, side: str) -> Sequence[Action]:
        return [EndPhase()]

    def apply(self, play: Play[SquadState], frame: Any, side: str, action: Action) -> None:
        end_phase(play)


PART = Part(
    procedures={PrepFirePhase: FirePhase(), DefensiveFirePhase: FirePhase(), AdvancingFirePhase: FirePhase()},
    prompts={
        PrepFirePhase: lambda state, frame: ("Prep Fire: pick who fires", "3.2.5"),
        DefensiveFirePhase: lambda state, frame: ("Final Fire: pick who fires", "3.4"),
        AdvancingFirePhase: lambda state, frame: ("Advancing Fire: pick who fires", "3.5"),
    },
)
