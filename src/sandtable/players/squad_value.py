"""What it is worth to a unit to stand in a hex, under the plan of its side."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.players.squad_danger import Fields
from sandtable.players.squad_fight import combat_value, exchange
from sandtable.players.squad_habits import Habits
from sandtable.players.squad_men import Board, Man
from sandtable.players.squad_plan import Plan
from sandtable.players.squad_route import FULL
from sandtable.players.squad_table import FAR

ENDGAME = 3
"""Turns before the end from which on an attacker minds his losses less and less."""


class Value:
    """Judges hexes for the units of one side in one position."""

    def __init__(self, board: Board, habits: Callable[[Plan], Habits], plan: Plan | None = None) -> None:
        self.board = board
        self.plan = plan or Plan(board)
        self.habits = habits(self.plan)
        self.plan.spare = self.habits.spare
        self.fields = Fields(board)
        self.ground = board.ground
        ready = sum(man.kind.mmc and man.good for men in board.own.values() for man in men)
        self.share = min(1.0, max(self.habits.share / max(ready, 1), 0.25))
        """How much of the enemy's fire one unit gets: the more targets there are, the less."""
        foes = [man for men in board.foes.values() for man in men if man.kind.mmc and man.good]
        against = sum([man.suspected or 1.0 for man in foes])
        if not self.plan.holding and not self.plan.exits:
            self.share *= min(1.0, ((against + 1) / (ready + 1)) ** self.habits.odds)
        if self.plan.attacking and not self.plan.exits and not self.plan.sparing:
            # what is spared at the end has been spared for nothing
            self.share *= min(1.0, board.turns_left / ENDGAME)
        if self.plan.exits and self.habits.dash:
            self.share *= min(1.0, max(board.turns_left - 1, 0) / self.habits.dash)
        self._stands: dict[tuple[str, int, int, bool, int], float] = {}
        self.exposure: float = self.share**0.5
        """The same for units that stand: the enemy picks the exposed ones."""
        self._assaults: dict[tuple[str, int], float] = {}

    def urgency(self, cell: int) -> float:
        """How much the way to the goal counts for a unit of this hex."""
        if not self.plan.attacking:
            return self.habits.chase if self.plan.behind(cell) else 0.0
        # to stand about in the enemy's sight costs more than to come up to him
        habits = self.habits
        least = habits.closing if self.plan.early else habits.patient
        pressing: float = habits.lateness * self.plan.late(cell) ** habits.steep
        return min(max(pressing, least), 4.0)

    def stand(self, man: Man, cell: int, start: int, *, moved: bool = True, mates: int = 0) -> float:
        """Worth of a hex at the end of a move that began in `start`; `mates` are squads that come along."""
        key = (man.id, cell, start, moved, mates if man.kind.leads else 0)
        found = self._stands.get(key)
        if found is None:
            found = self._stands[key] = self._stand(man, cell, start, moved, mates)
        return found

    def _stand(self, man: Man, cell: int, start: int, moved: bool, mates: int) -> float:
        plan, fields, habits = self.plan, self.fields, self.habits
        far = min(plan.far[cell], FAR // 10)
        exposed = fields.standing(cell)
        value = -habits.fear * self.exposure * exposed * plan.stake(man)
        if not man.kind.leads:
            hits = fields.punch(man, cell, factor=0.5 if moved and plan.attacking else 1.0)
            value += habits.hope * hits
            crowd = sum(other.kind.size for other in self.board.own.get(cell, ()) if other.id != man.id)
            value -= 0.2 * self.exposure * exposed * crowd
            if habits.storm and plan.attacking:
                value += habits.storm * self.storm(man, cell)
        else:
            value += self._lead(man, cell, mates)
        if plan.attacking:
            follow = habits.follow if man.kind.leads or plan.spared(man) else 1.0
            value -= habits.pull * follow * self.urgency(start) * far
        else:
            value -= 0.02 * min(far, 30) + habits.pull * self.urgency(start) * far
            if cell in plan.area:
                value += 0.1
        if self.ground.cover[cell]:
            value += 0.05 + habits.cover * self.ground.tem[cell]
        return value

    def storm(self, man: Man, cell: int) -> float:
        """What a unit in this hex would add to the best close combat that it may advance into (3.7, 3.8)."""
        best = 0.0
        for to in self.ground.near[cell]:
            if to in self.board.foes and to in self.plan.goals:
                key = (man.id, to)
                if key not in self._assaults:
                    self._assaults[key] = self._assault(man, to)
                best = max(best, self._assaults[key])
        return best

    def _assault(self, man: Man, to: int) -> float:
        """The worth of close combat in a hex with this unit, less what the others around can do without it."""
        board = self.board
        others = [other for other in board.own.get(to, ()) if not other.broken]
        for near in self.ground.near[to]:
            if near not in board.foes:
                others += [other for other in board.own.get(near, ()) if other.good and not other.pinned]
        room, party = FULL - man.kind.size, []
        for other in sorted(others, key=lambda one: -one.size):
            if other.id != man.id and other.kind.size <= room:
                room -= other.kind.size
                party.append(other)
        foes = board.foes[to]
        if exchange([man, *party], foes) < 0:
            return 0.0
        without = max(combat_value(self, party, foes), 0.0) if party else 0.0
        return combat_value(self, [man, *party], foes) - without

    def _lead(self, man: Man, cell: int, mates: int) -> float:
        """A leader belongs to his men, most of all to broken ones (3.1)."""
        habits = self.habits
        good, broken, others = mates, 0, 0
        for other in self.board.own.get(cell, ()):
            if other.kind.leads:
                others += other.id != man.id
            elif other.broken:
                broken += 1
            else:
                good += 1
        if not good and not broken:
            return -0.5 - 0.4 * others
        value = (habits.leading * min(good, 2) + habits.rallying * min(broken, 3)) * (1 - 0.2 * man.kind.leadership)
        return value - 0.4 * others
