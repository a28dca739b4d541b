"""Reinforcements and Allied withdrawals (10.0)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.engine.part import Part
from sandtable.games.underbelly.actions import Substitute
from sandtable.games.underbelly.atlas import INDEX
from sandtable.games.underbelly.commands import begin_german_phase, begin_phase
from sandtable.games.underbelly.data import ALLIED, GERMAN, turn_record
from sandtable.games.underbelly.events import Arrived, Withdrawn
from sandtable.games.underbelly.model import (
    ALLIED_BOX,
    ASIDE,
    GERMAN_BOX,
    GONE,
    HISTORICAL,
    WAT,
    Opening,
    Reinforcing,
    Substitution,
    UnderbellyState,
)
from sandtable.games.underbelly.places import relocate
from sandtable.games.underbelly.supply import OVERLAND, supply_state
from sandtable.games.underbelly.zones import UNITS

State = UnderbellyState


def withdrawable(state: State, unit: str) -> bool:
    """Whether a unit can itself be withdrawn: in play and in regular supply (10.4)."""
    at = state.at[unit]
    return at == ALLIED_BOX or (at in INDEX and supply_state(state, unit) in OVERLAND)


def substitutes(state: State, unit: str) -> list[str]:
    """On-map units of the same grouping with regular overland supply (10.4)."""
    group = UNITS[unit].group
    return [u for u, at in state.at.items() if UNITS[u].group == group and at in INDEX and withdrawable(state, u)]


def withdraw(play: Play[State], unit: str, instead_of: str = "") -> None:
    """Take a unit out of play for good (10.4)."""
    relocate(play, (unit,), GONE)
    play.state.corps = tuple(u for u in play.state.corps if u != unit)
    play.emit(Withdrawn(unit=unit, instead_of=instead_of))


class ReinforcingProcedure(Procedure[State, Reinforcing]):
    """Withdrawals first, then new units reach their holding box (10.1, 10.2, 10.3, 10.4)."""

    def run(self, play: Play[State], frame: Reinforcing) -> None:
        state = play.state
        row = turn_record()[state.turn - 1]
        if frame.side == ALLIED and state.scenario == HISTORICAL and frame.withdrawn < len(row.withdrawals):
            unit = row.withdrawals[frame.withdrawn]
            play.replace(replace(frame, withdrawn=frame.withdrawn + 1))
            if withdrawable(state, unit):
                withdraw(play, unit)
            elif state.at[unit] not in (ASIDE, GONE) and substitutes(state, unit):
                play.push(Substitution(unit))
            return
        if frame.side == ALLIED:
            units = row.allied + (row.wat_only if state.scenario == WAT else ())
            self._arrive(play, units, ALLIED_BOX)
            begin_phase(play, ALLIED)
            play.replace(Opening())
        else:
            self._arrive(play, row.german, GERMAN_BOX)
            begin_german_phase(play)

    def _arrive(self, play: Play[State], units: Sequence[str], box: str) -> None:
        arriving = tuple(u for u in units if play.state.at.get(u) == ASIDE)
        for unit in arriving:
            play.state.at[unit] = box
        if arriving:
            play.emit(Arrived(units=arriving, box=box))


class SubstitutionProcedure(Procedure[State, Substitution]):
    """The German picks who goes instead; for this he may look into the Allied stacks (10.4)."""

    def to_act(self, state: State, frame: Substitution) -> tuple[str, ...]:
        return (GERMAN,)

    def actions(self, state: State, frame: Substitution, side: str) -> Sequence[Action]:
        return [Substitute(u) for u in substitutes(state, frame.unit)]

    def apply(self, play: Play[State], frame: Substitution, side: str, action: Substitute) -> None:
        play.pop()
        withdraw(play, action.unit, frame.unit)


PART: Part[UnderbellyState] = Part(
    procedures={
        Reinforcing: ReinforcingProcedure(),
        Substitution: SubstitutionProcedure(),
    }
)
