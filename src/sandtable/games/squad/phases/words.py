"""Words for the ends and beginnings of phases, and for control (2.0, 3.0)."""

from __future__ import annotations

from sandtable.engine.view import Description
from sandtable.games.squad.ground.names import names, phase_name
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.part import Part
from sandtable.games.squad.phases.model import EndPhase, MarkersRemoved, PhaseBegan, TurnBegan
from sandtable.games.squad.pieces.events import ControlChanged
from sandtable.games.squad.pieces.model import SquadState


def _phase_began(state: SquadState, event: PhaseBegan) -> str:
    return f"Turn {event.turn}, {setting_of(state).titles[event.side]} Player Turn: {phase_name(event.phase)}"


def _turn_began(state: SquadState, event: TurnBegan) -> str:
    return f"Turn {event.turn}: the {setting_of(state).titles[event.side]} Player Turn begins"


def _control(state: SquadState, event: ControlChanged) -> str:
    return f"{setting_of(state).titles[event.side]} controls {event.place}"


PART = Part(
    describe={
        EndPhase: lambda state, side, action: Description(
            f"End the {phase_name(state.phase)}", "done", key="Enter", rule="3.0"
        )
    },
    words={
        PhaseBegan: _phase_began,
        TurnBegan: _turn_began,
        ControlChanged: _control,
        MarkersRemoved: lambda state, event: f"{event.what} counters are removed from {names(state, event.units)}",
    },
)
