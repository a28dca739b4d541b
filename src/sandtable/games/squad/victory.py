"""Victory conditions and points (1.3): which hold now, which at the end."""

from __future__ import annotations

from sandtable.engine import Outcome, Play
from sandtable.games.squad.model import SquadState, Unit
from sandtable.games.squad.setting import setting


def worth(state: SquadState, unit: Unit) -> int:
    """Victory points of a unit by the scenario's values."""
    return 0


def check_at_once(play: Play[SquadState]) -> None:
    """End the match if a condition that wins immediately holds."""


def update_control(play: Play[SquadState]) -> None:
    """Buildings and hexes change hands (2, Control)."""


def decide_at_end(play: Play[SquadState]) -> None:
    """The game has run its turns: say who won (1.3)."""
    state = play.state
    card = setting(state).scenario
    state.outcome = Outcome(card.otherwise, "no victory condition was met", "1.3")
