"""Running into concealed units: Detection, showing oneself, and the start of close combat (A12.15, A11.19)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action, Play, Procedure
from sandtable.games.asl.concealment.losing import lose, put_under_question, vanish
from sandtable.games.asl.concealment.model import (
    Bumped,
    Detected,
    Disclosing,
    KeepConcealed,
    ShowUnit,
    StrengthShown,
)
from sandtable.games.asl.concealment.seen import real
from sandtable.games.squad.ground.knowledge import SHOWN, hidden
from sandtable.games.squad.ground.marks import mark
from sandtable.games.squad.ground.setting import other_side, setting_of
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import name_of, units_at
from sandtable.games.squad.part import Item
from sandtable.games.squad.pieces.model import SquadState, Unit

KEEP = KeepConcealed()
AMBUSH_DRM = -2


def meets(play: Play[SquadState], cell: int, side: str, names: tuple[str, ...]) -> str:
    """Detection: at least one concealed unit is shown and the movers are thrown back; Dummies vanish (A12.15)."""
    state = play.state
    _out_of_hiding(play, cell, side)
    unseen = [unit for unit in units_at(state, cell, other_side(state, side)) if unit.concealed]
    there = [unit for unit in unseen if real(state, unit)]
    movers = [state.units[name] for name in names]
    if not any([real(state, mover) for mover in movers]):
        # asked for proof, there is nobody (A12.14)
        for mover in movers:
            vanish(play, mover)
        return "back"
    if not there:
        for dummy in unseen:
            vanish(play, dummy)
        return "on"
    play.emit(Bumped(units=names, at=name_of(state, cell)))
    for mover in movers:
        if mover.concealed:
            lose(play, mover, "is thrown back")
    play.push(Detected(other_side(state, side), cell))
    return "spent"


def _out_of_hiding(play: Play[SquadState], cell: int, side: str) -> None:
    """Hidden enemies of a side in a hex are put under a "?" first (A12.15, A11.19)."""
    for unit in units_at(play.state, cell):
        if unit.side != side and hidden(unit):
            put_under_question(play, unit, "found")


def concealed_there(state: SquadState, frame: Detected) -> list[Unit]:
    """Real units of whom one at least must be shown."""
    return [unit for unit in units_at(state, frame.at, frame.side) if unit.concealed and real(state, unit)]


class Detection(Procedure[SquadState, Detected]):
    """The owner shows one of the units that enemies ran into (A12.15)."""

    def to_act(self, state: SquadState, frame: Detected) -> tuple[str, ...]:
        return (frame.side,) if len(concealed_there(state, frame)) > 1 else ()

    def actions(self, state: SquadState, frame: Detected, side: str) -> Sequence[Action]:
        return [ShowUnit(unit.id) for unit in concealed_there(state, frame)]

    def apply(self, play: Play[SquadState], frame: Detected, side: str, action: ShowUnit) -> None:
        play.pop()
        lose(play, play.state.units[action.unit], "is detected")

    def run(self, play: Play[SquadState], frame: Detected) -> None:
        play.pop()
        for unit in concealed_there(play.state, frame):
            lose(play, unit, "is detected")


# -- showing oneself --------------------------------------------------------------------


def show_actions(state: SquadState, frame: object, side: str) -> list[Action]:
    """A "?" may be taken off at any time (A12.14)."""
    own = [unit for unit in state.units.values() if unit.side == side and unit.concealed and unit.at >= 0]
    return [ShowUnit(unit.id) for unit in own if real(state, unit)]


def show(play: Play[SquadState], frame: object, side: str, action: ShowUnit) -> None:
    """A unit takes its "?" off."""
    lose(play, play.state.units[action.unit], "shows itself")


def before_rout(play: Play[SquadState]) -> None:
    """Both sides may show concealed units, the DEFENDER last, to bend the ways of routing units (A10.533)."""
    state = play.state
    for side in (other_side(state, state.attacker), state.attacker):
        if any([unit.concealed and unit.side == side for unit in state.units.values()]):
            play.push(Disclosing(side))


def bending(state: SquadState, side: str) -> list[Unit]:
    """Concealed units, Dummies too, that see a broken enemy."""
    broken = {unit.at for unit in state.units.values() if unit.side != side and unit.broken and unit.at >= 0}
    own = [unit for unit in state.units.values() if unit.side == side and unit.concealed and unit.at >= 0]
    return [unit for unit in own if any(sees(state, unit.at, cell) for cell in broken)]


class Disclosure(Procedure[SquadState, Disclosing]):
    """A side shows who shall be Known when the enemy routs (A10.533)."""

    def to_act(self, state: SquadState, frame: Disclosing) -> tuple[str, ...]:
        return (frame.side,) if bending(state, frame.side) else ()

    def actions(self, state: SquadState, frame: Disclosing, side: str) -> Sequence[Action]:
        return [*(ShowUnit(unit.id) for unit in bending(state, side) if real(state, unit)), KEEP]

    def apply(self, play: Play[SquadState], frame: Disclosing, side: str, action: Action) -> None:
        if isinstance(action, ShowUnit):
            lose(play, play.state.units[action.unit], "shows itself")
        else:
            play.pop()

    def run(self, play: Play[SquadState], frame: Disclosing) -> None:
        play.pop()


# -- close combat -----------------------------------------------------------------------


def joins(play: Play[SquadState], cell: int) -> None:
    """A close combat begins: Dummies go, hidden units appear, concealed ones show their strength (A11.19)."""
    state = play.state
    for side in setting_of(state).sides:
        _out_of_hiding(play, cell, side)
    for unit in units_at(state, cell):
        if unit.concealed and not real(state, unit):
            vanish(play, unit)
    if len({unit.side for unit in units_at(state, cell)}) < 2:
        return
    shown = [unit for unit in units_at(state, cell) if unit.concealed]
    for unit in shown:
        mark(play, unit, SHOWN)
    if shown:
        play.emit(StrengthShown(units=tuple([unit.id for unit in shown]), at=name_of(state, cell)))


def halves(state: SquadState, attackers: Sequence[Unit], targets: Sequence[Unit]) -> list[Item]:
    """An attack on concealed units has half FP (A12.13, ruling C-6)."""
    return [("concealed target", 0.5, "A12.13")] if any([unit.concealed for unit in targets]) else []


def ambush(state: SquadState, cell: int, side: str) -> list[Item]:
    """Concealed units ambush more easily (A11.4)."""
    units = units_at(state, cell, side)
    return [("concealed", AMBUSH_DRM, "A11.4")] if any([unit.concealed for unit in units]) else []
