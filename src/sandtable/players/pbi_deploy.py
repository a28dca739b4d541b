"""The regular's set-up: units together around the objectives, foot in cover, heavy weapons with a view."""

from __future__ import annotations

from sandtable.games.pbi.catalogue import KINDS
from sandtable.players.pbi_field import Fact, Field

TOGETHER = 0.5
"""What every square between a section and the others of its unit costs: they have one officer."""
COVER = 0.9
FIELD_OF_FIRE = 0.05
FULL = 4


class Deployment:
    """What the squares of the zone are worth to the section that is set up next."""

    def __init__(self, field: Field) -> None:
        self.field = field
        waiting = [p for p in field.pieces.values() if p["side"] == field.side and not p["at"] and not p["within"]]
        self.piece: Fact = next(p for p in waiting if not field.units[p["unit"]]["off"])
        self.kind = KINDS[self.piece["kind"]]
        self.mates = [p["at"] for p in field.pieces.values() if p["unit"] == self.piece["unit"] and p["at"]]

    def worth(self, at: str) -> float:
        """How good it is to set up in a square."""
        field, g = self.field, self.field.g
        value = self.goal(at) - 0.3 * max(0, len(field.mine.get(at, ())) + 2 - FULL)
        value -= TOGETHER * sum(max(0, g.range[at][mate] - 1) for mate in self.mates) / max(1, len(self.mates))
        if self.kind.vehicle:
            return value - (1.5 if at in g.difficult else 0.0)
        cover = 2 if at in g.difficult else 1 if at in g.partial else 0
        value += COVER * cover - 0.5 * field.danger(at, [{**self.piece, "at": at}], moved=False)
        if self.piece["kind"] == "commander":
            return value - 0.3 * self.front(at)
        if self.kind.deploys or self.kind.form == "gun":
            ahead = [square for square in g.sees[at] if (g.row[square] > g.row[at]) == (field.side == "defender")]
            value += FIELD_OF_FIRE * len(ahead)
        return value

    def goal(self, at: str) -> float:
        """Near objectives: the defender's that few hold yet, the attacker's by the shortest way."""
        field, best = self.field, 0.0
        for square, points in field.objectives.items():
            way = field.distances(square, field.side).get(at, 30)
            if field.side == "attacker":
                best = max(best, points * 2.0 * 0.85**way)
            else:
                holders = sum(len(field.foot_in(field.mine, near)) for near in field.g.near[square])
                best = max(best, (1 + points) * 1.2 * 0.75**way / (1 + 0.15 * holders))
        return best

    def front(self, at: str) -> int:
        """Rows from the own edge."""
        rows = self.field.g.row
        edge = rows[self.field.g.edge[self.field.side][0]]
        return abs(rows[at] - edge)
