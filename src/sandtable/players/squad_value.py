"""What it is worth to a unit to stand in a hex, under the plan of its side."""

from __future__ import annotations

from sandtable.players.squad_danger import Fields
from sandtable.players.squad_men import Board, Man
from sandtable.players.squad_plan import Plan
from sandtable.players.squad_table import FAR

PULL = 0.1
"""What half an MF nearer to the goal is worth to an attacker who is in no hurry."""
FEAR = 0.4
HOPE = 0.55
SHARE = 3.5
"""How much the fire that a hex draws and the fire that it allows count."""


class Value:
    """Judges hexes for the units of one side in one position."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.plan = Plan(board)
        self.fields = Fields(board)
        self.ground = board.ground
        ready = sum(man.kind.mmc and man.good for men in board.own.values() for man in men)
        self.share = min(1.0, max(SHARE / max(ready, 1), 0.25))
        """How much of the enemy's fire one unit gets: the more targets there are, the less."""
        self.exposure: float = self.share**0.5
        """The same for units that stand: the enemy picks the exposed ones."""

    def urgency(self, cell: int) -> float:
        """How much the way to the goal counts for a unit of this hex."""
        # to stand about in the enemy's sight costs more than to come up to him
        return min(max(1.4 * self.plan.late(cell), self.plan.closing), 4.0)

    def stand(self, man: Man, cell: int, start: int, *, moved: bool = True) -> float:
        """Worth of a hex at the end of a move that began in `start`."""
        plan, fields = self.plan, self.fields
        far = min(plan.far[cell], FAR // 10)
        exposed = fields.standing(cell)
        value = -FEAR * self.exposure * exposed * max(man.size, 0.5)
        if man.kind.mmc:
            hits = fields.punch(man, cell, factor=0.5 if moved and plan.attacking else 1.0)
            value += HOPE * hits
            crowd = sum(other.kind.size for other in self.board.own.get(cell, ()) if other.id != man.id)
            value -= 0.2 * self.exposure * exposed * crowd
        else:
            value += self._lead(man, cell)
        if plan.attacking:
            value -= PULL * self.urgency(start) * far
        else:
            value -= 0.02 * min(far, 30)
            if cell in plan.area:
                value += 0.1
        if self.ground.cover[cell]:
            value += 0.05
        return value

    def _lead(self, man: Man, cell: int) -> float:
        """A leader belongs to his men, most of all to broken ones (3.1)."""
        value = -0.5
        for other in self.board.own.get(cell, ()):
            if other.kind.mmc:
                value = max(value, 0.0) + (0.35 if other.broken else 0.2) * (1 - 0.2 * man.kind.leadership)
            elif other.id != man.id:
                value -= 0.4
        return min(value, 0.9)
