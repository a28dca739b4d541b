"""Victory: points for objectives and for enemy units, and sides that have nobody left."""

from __future__ import annotations

from sandtable.engine import Outcome
from sandtable.games.pbi.model import Fight, PbiState
from sandtable.games.pbi.table import ATTACKER, DEFENDER, OTHER, SIDES


def victory_points(state: PbiState, side: str) -> int:
    """Objectives held and enemy units that are gone."""
    held = sum([worth for square, worth in state.objectives.items() if state.control.get(square) == side])
    return held + state.points.get(side, 0)


def final_outcome(state: PbiState, reason: str) -> Outcome:
    """Most victory points; the ruling `tie` decides equal ones."""
    attack, defence = victory_points(state, ATTACKER), victory_points(state, DEFENDER)
    winner = ATTACKER if attack > defence else DEFENDER if defence > attack else _even(state)
    return Outcome(winner, f"{reason}: attacker {attack}, defender {defence} victory points", "turn-countdown")


def _even(state: PbiState) -> str:
    return DEFENDER if state.rules.tie == "defender" else ""


def judge(state: PbiState, *, turn_ends: bool = False) -> None:
    """A side without any unit but its commander has lost (ruling annihilation).

    The casualties of one assault fall together: nobody has lost before it is over.
    """
    late = state.rules.annihilation == "end of turn" and not turn_ends
    if state.outcome is not None or late or any([isinstance(frame, Fight) for frame in state.stack]):
        return
    fighting = {unit.side for unit in state.units.values() if unit.kind != "command" and not unit.gone}
    beaten = [side for side in SIDES if side not in fighting]
    if len(beaten) == 1:
        state.outcome = Outcome(OTHER[beaten[0]], f"The {beaten[0]} has no unit left", "turn-countdown")
    elif beaten:
        state.outcome = Outcome(_even(state), "Neither side has a unit left", "turn-countdown")
