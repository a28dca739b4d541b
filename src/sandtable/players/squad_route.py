"""Ways of a party through the map: where its MF take it, and what fire it draws on the way (3.3, 3.3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

from sandtable.games.squad.ground.entry import rate_from_off_board, road_leads_off
from sandtable.games.squad.ground.map import Ground
from sandtable.games.squad.movement.portage import DOUBLE_TIME, INEXPERIENCED_MF, LEADER_BONUS, MMC_MF, SMC_MF
from sandtable.games.squad.movement.switches import MovementRules
from sandtable.players.squad_danger import Fields
from sandtable.players.squad_men import Board, Man
from sandtable.space.remembered import remembered

EXIT = -2
"""Stands for leaving the map."""
FULL = 6
"""Half-squads that fit into a hex (3.3)."""


class End(NamedTuple):
    """A hex within reach."""

    to: int
    """EXIT: off the map."""
    last: int
    """The last hex on the map."""
    spent: int
    """Half MF up to it."""
    risk: float
    assault: bool


class Route(NamedTuple):
    """A way to a hex and what it costs."""

    to: int
    path: tuple[int, ...]
    risk: float
    assault: bool


class Reach:
    """The hexes within reach of a party, and the safest way to each."""

    def __init__(self, start: int, layers: list[dict[int, tuple[float, int, int]]]) -> None:
        self.ends: list[End] = []
        self._start = start
        self._layers = layers

    def route(self, end: End) -> Route:
        """The way to one of them."""
        path = [EXIT] if end.to == EXIT else []
        cell, spent = end.last, end.spent
        while cell not in (self._start, EXIT):
            path.append(cell)
            _, cell, spent = self._layers[spent][cell]
        return Route(end.to, tuple(reversed(path)), end.risk, end.assault)


def half_mf(party: Sequence[Man], *, double: bool = False) -> int:
    """Half MF that a party has together, near enough for a plan (3.3, 4.0)."""
    leaders = [man for man in party if man.kind.leads]
    allowed = []
    for man in party:
        kind = man.kind
        if kind.mmc:
            half = INEXPERIENCED_MF if (kind.conscript or kind.green) and not leaders else MMC_MF
            half += LEADER_BONUS if leaders else 0
            spare = 3 + len(leaders) - int(man.cx or double)
            half -= 2 * max(sum(arm.kind.pp for arm in man.arms) - spare, 0)
        else:
            half = SMC_MF
        allowed.append(max(half + (DOUBLE_TIME if double else 0), 0))
    return min(allowed, default=0)


def drawn(total: float) -> float:
    """Expected harm of all the fire along a way: who has fired at one hex rarely fires at the next as well."""
    return 1.3 * (1 - exp(-0.75 * total))


@remembered(64)
def _steps(ground: Ground, slope: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """From each hex the next ones and their cost in half MF."""
    found = []
    for ways in ground.ways:
        row = []
        for way in ways:
            cost = way.road if way.road and way.road < way.cost else way.cost
            if slope and way.change and not (way.road and way.paved):
                cost += slope * abs(way.change)
            row.append((way.to, cost))
        found.append(tuple(row))
    return tuple(found)


def reach(
    board: Board, fields: Fields, party: Sequence[Man], allowed: int, exits: frozenset[int] = frozenset()
) -> Reach:
    """The safest way to every hex within reach, and off the map where that wins points."""
    ground, rules = board.ground, board.setting.rules
    first = party[0]
    size = sum(man.kind.size for man in party)
    steps = _steps(ground, 2 * rules.of(MovementRules).elevation_mf if rules.of(MovementRules).elevation_mf else 0)
    layers: list[dict[int, tuple[float, int, int]]] = [{} for _ in range(allowed + 1)]
    """By half MF spent: hex -> (fire drawn, hex before, MF before)."""
    if first.off:
        cost = rate_from_off_board(ground, first.cell, road=road_leads_off(ground, first.cell))
        if cost > allowed or not _room(board, first.cell, size):
            return Reach(EXIT, layers)
        layers[cost][first.cell] = (fields.moving(first.cell), EXIT, 0)
    else:
        layers[0][first.cell] = (0.0, EXIT, 0)
    best: dict[int, float] = {}
    final: dict[int, tuple[float, int]] = {}
    room: dict[int, bool] = {}
    moving: dict[int, float] = {}
    for spent, layer in enumerate(layers):
        for cell, (risk, _, _) in layer.items():
            if best.get(cell, 9.0) <= risk:
                continue
            best[cell] = risk
            final[cell] = (risk, spent)
            for to, cost in steps[cell]:
                now = spent + cost + (2 if to in board.smoke else 0)
                if now > allowed:
                    continue
                if to not in room:
                    room[to] = to not in board.foes and _room(board, to, size)
                    moving[to] = fields.moving(to) if room[to] else 0.0
                if not room[to]:
                    continue
                total = risk + moving[to]
                known = layers[now].get(to)
                if known is None or total < known[0]:
                    layers[now][to] = (total, cell, spent)
    start = EXIT if first.off else first.cell
    found = Reach(start, layers)
    for cell, (risk, spent) in final.items():
        if cell != start:
            one = layers[spent][cell][1] == start and spent < allowed and not first.off
            harm = fields.moving(cell, assault=True) if one else risk
            found.ends.append(End(cell, cell, spent, drawn(harm), one))
        if cell in exits and spent + 2 <= allowed:
            found.ends.append(End(EXIT, cell, spent, drawn(risk), False))
    return found


def _room(board: Board, cell: int, size: int) -> bool:
    return sum(man.kind.size for man in board.own.get(cell, ())) + size <= FULL
