"""Words that several rule files share: names of units and weapons, ends of phases, events of effects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sandtable.engine.view import Description
from sandtable.games.squad.charts import PHASES
from sandtable.games.squad.counters import nations
from sandtable.games.squad.model import SquadState, Unit, Weapon
from sandtable.games.squad.move_model import EndPhase
from sandtable.games.squad.part import Part
from sandtable.games.squad.phase_model import ControlChanged, MarkersRemoved, PhaseBegan, TurnBegan
from sandtable.games.squad.setting import setting

_PHASE_NAMES = {phase.id: phase.name for phase in PHASES}


def short(state: SquadState, what: Unit | Weapon | str) -> str:
    """A unit or weapon in few words: `4-6-7 g3`; ids of those that left play are known too."""
    name = what if isinstance(what, str) else what.id
    found = what if not isinstance(what, str) else state.units.get(name) or state.weapons.get(name)
    kind = found.kind if found is not None else state.gone[name].kind if name in state.gone else ""
    return f"{kind.partition(' ')[2]} {name}".strip()


def full(state: SquadState, what: Unit | Weapon) -> str:
    """A unit or weapon with its nationality: `German 4-6-7`."""
    nation, _, name = what.kind.partition(" ")
    return f"{nations()[nation].title if nation in nations() else nation} {name}"


def names(state: SquadState, ids: Iterable[str]) -> str:
    """Several units or weapons in a row."""
    return ", ".join(short(state, name) for name in ids)


def mf_words(mf: float) -> str:
    """MF as people write them: `1½ MF`."""
    whole, half = int(mf), mf != int(mf)
    return f"{whole if whole or not half else ''}{'½' if half else ''} MF"


def phase_name(phase: str) -> str:
    """The name of a phase: `Rally Phase`."""
    return _PHASE_NAMES.get(phase, "Set-up")


def not_now(state: SquadState, prompts: Mapping[Any, Any]) -> tuple[str, str]:
    """Why something unknown is not possible: what is asked for now."""
    frame = state.stack[-1]
    prompt = prompts.get(type(frame))
    if prompt is None:
        return "This is not possible now", ""
    words, rule = prompt(state, frame)
    return f"This is not possible now. {words}", rule


def _phase_began(state: SquadState, event: PhaseBegan) -> str:
    return f"{phase_name(event.phase)} of {setting(state).titles[event.side]}, turn {event.turn}"


def _turn_began(state: SquadState, event: TurnBegan) -> str:
    return f"Turn {event.turn}: {setting(state).titles[event.side]} Player Turn"


def _control(state: SquadState, event: ControlChanged) -> str:
    return f"{setting(state).titles[event.side]} controls {event.place}"


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
        MarkersRemoved: lambda state, event: f"{event.what} removed from {names(state, event.units)}",
    },
)
