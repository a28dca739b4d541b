"""The guide's stacking limits: at the end of a phase the enemy eliminates what is too much in a hex (G17)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action, Play, Procedure
from sandtable.engine.view import Description
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import other_side, unit_kind
from sandtable.games.squad.ground.stacks import STACK_LEADERS, STACK_SQUADS, eliminate, name_of, stacking_of, units_at
from sandtable.games.squad.part import Part
from sandtable.games.squad.phases.model import Excess, RemoveExcess
from sandtable.games.squad.phases.sequence import end_phase
from sandtable.games.squad.pieces.model import SquadState, Unit


def too_many(state: SquadState, cell: int, side: str) -> list[Unit]:
    """Units of the kind of which a side has too many in a hex (G17)."""
    units = units_at(state, cell, side)
    size, leaders = stacking_of(state, units)
    found = []
    for unit in units:
        kind = unit_kind(state, unit)
        if (kind.mmc and size > STACK_SQUADS) or (kind.smc and leaders > STACK_LEADERS):
            found.append(unit)
    return found


class RemovingExcess(Procedure[SquadState, Excess]):
    """The enemy picks the units that are eliminated (G17)."""

    def to_act(self, state: SquadState, frame: Excess) -> tuple[str, ...]:
        return (other_side(state, frame.side),) if too_many(state, frame.at, frame.side) else ()

    def actions(self, state: SquadState, frame: Excess, side: str) -> Sequence[Action]:
        return [RemoveExcess(unit.id) for unit in too_many(state, frame.at, frame.side)]

    def apply(self, play: Play[SquadState], frame: Excess, side: str, action: RemoveExcess) -> None:
        eliminate(play, play.state.units[action.unit], "overstacked")

    def run(self, play: Play[SquadState], frame: Excess) -> None:
        play.pop()
        end_phase(play)


def _describe(state: SquadState, side: str, action: RemoveExcess) -> Description:
    unit = state.units[action.unit]
    where = name_of(state, unit.at)
    text = f"Eliminate {short(state, unit)}, too many in {where}"
    return Description(text, "remove", (), (where,), (unit.id,), "G17")


PART = Part(
    procedures={Excess: RemovingExcess()},
    describe={RemoveExcess: _describe},
    prompts={Excess: lambda state, frame: (f"Too many units in {name_of(state, frame.at)}: eliminate one", "G17")},
)
