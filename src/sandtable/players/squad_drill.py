"""The opponent of the lessons of the squad-level games: it walks where it can be shot at, however well others play."""

from __future__ import annotations

import random

from sandtable.engine import Action, Seat
from sandtable.games.squad.movement.model import BeginMove, StartMove, Step, Stop
from sandtable.games.squad.phases.model import EndPhase
from sandtable.players.squad import Recruit
from sandtable.players.squad_table import Table, distances, setting_of


class Drill(Recruit):
    """Walks straight at the enemy, squad by squad, so that a newcomer has something to shoot at."""

    def __init__(self) -> None:
        super().__init__()
        self._moves = ""
        self._walked: set[str] = set()

    def choose(self, seat: Seat, source: random.Random) -> Action:
        actions: list[Action] = list(seat.actions().all)
        if not any(isinstance(action, StartMove | BeginMove | Step) for action in actions):
            return super().choose(seat, source)
        self.explanation = ""
        view = seat.view()
        table = Table(setting_of(view), seat.side, view)
        if self._moves != f"{view['turn']} {view['active']}":
            self._moves, self._walked = f"{view['turn']} {view['active']}", set()
        for action in actions:
            if isinstance(action, BeginMove) and not action.assault:
                return action
        stops = [action for action in actions if isinstance(action, Stop)]
        if stops:
            steps = [action for action in actions if isinstance(action, Step)]
            return self._nearer(table, seat.describe(stops[0]).pieces, steps) or stops[0]
        for action in actions:
            if isinstance(action, StartMove) and action.unit not in self._walked | table.leaders:
                self._walked.add(action.unit)
                return action
        ends = [action for action in actions if isinstance(action, EndPhase)]
        return ends[0] if ends else super().choose(seat, source)

    def _nearer(self, table: Table, movers: tuple[str, ...], steps: list[Step]) -> Step | None:
        far = distances(table.setting, frozenset(table.enemy_units))
        here = min((far[table.at[name]] for name in movers if name in table.at), default=0)
        closer = [step for step in steps if far[step.to] < here]
        return min(closer, key=lambda step: (far[step.to], step.to, step.road), default=None)
