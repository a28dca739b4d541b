"""Words for actions and events that several rule files share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.engine.view import Description
from sandtable.games.squad.model import SquadState
from sandtable.games.squad.move_model import EndPhase
from sandtable.games.squad.part import Part
from sandtable.games.squad.phase_model import PhaseBegan, TurnBegan


def not_now(state: SquadState, prompts: Mapping[Any, Any]) -> tuple[str, str]:
    """Why something unknown is not possible: what is asked for now."""
    frame = state.stack[-1]
    prompt = prompts.get(type(frame))
    if prompt is None:
        return "This is not possible now", ""
    words, rule = prompt(state, frame)
    return f"This is not possible now: {words[0].lower()}{words[1:]}", rule


PART = Part(
    describe={EndPhase: lambda state, side, action: Description("End the phase", "done", key="Enter")},
    words={
        PhaseBegan: lambda state, event: f"{event.phase}",
        TurnBegan: lambda state, event: f"Turn {event.turn}: {event.side} to move",
    },
)
