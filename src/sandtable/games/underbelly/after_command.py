"""What follows each command (6.8, 8.6, 12.9): forced commitments, stacking, and the interruption of the 82nd."""

from __future__ import annotations

from sandtable.engine import Play
from sandtable.games.underbelly.airpower import can_drop
from sandtable.games.underbelly.data import GERMAN
from sandtable.games.underbelly.model import Interruption, OverStacked, UnderbellyState
from sandtable.games.underbelly.stacking import violations
from sandtable.games.underbelly.watch import settle_obligations
from sandtable.games.underbelly.zones import field


def finish_command(play: Play[UnderbellyState]) -> None:
    """After each command: stacking is looked at (6.8), and the Allied player may interrupt (12.9)."""
    state = play.state
    if state.outcome is not None:
        return
    settle_obligations(state)
    if state.side == GERMAN and can_drop(state):
        play.push(Interruption())
    for side, at in violations(field(state)):
        play.push(OverStacked(side, at))
