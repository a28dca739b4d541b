"""The plan of a side: what the victory conditions ask for, where that is, and how much time is left (1.3)."""

from __future__ import annotations

from functools import cached_property

from sandtable.games.squad.ground.setting import Setting
from sandtable.games.squad.part import Aim
from sandtable.players.squad_men import Board, Man
from sandtable.players.squad_table import FAR, distances
from sandtable.space.remembered import remembered

PACE = 9
"""Half MF that a unit covers in a turn on average, its advance included."""

AHEAD = 4
"""Hexes before the enemy in which a defender of an edge stands."""
FIGHT = 6
"""Half MF for which the fight at the goal counts, ..."""
BEATEN = 3
"""... and the same for each squad that is to be beaten there."""
CROWD = 3
"""Half MF that a goal seems farther for each squad too many on the way to it."""
RETURN = 4
"""Hexes outside an area from which an enemy is back in it with one move."""
LAST = 2
"""Turns at the end in which hardly any broken enemy comes back in time."""


class Plan:
    """Goals of one side in one position."""

    sparing = False
    """Whether losses count to the very end."""
    guards: frozenset[str] = frozenset()
    """Units that stay where they are."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.setting = board.setting
        self.attacking = any(condition.winner == board.side for condition in self.setting.scenario.conditions)
        self.exits: frozenset[int] = frozenset()
        aims = self.setting.aims
        self.clearing = any(aim.what == "clear" and one.winner == board.side for one, aim in aims)
        # Guns must be reached early; enemies who count only at the end are worn down first
        self.early = any(aim.what == "guns" for _, aim in aims)
        # who must hold places at the end, or bring his men away, needs them for it
        self.holding = any(aim.what == "hold" for _, aim in aims)
        self.fleeing: tuple[tuple[int, ...], int] | None = None
        """Half MF to the edge by which the enemies leave, and how far most of them have got."""
        cells: set[int] = set()
        self.area: set[int] = set()
        """Hexes in which presence counts for a victory condition."""
        for condition, aim in aims:
            cells |= self._goals(aim, mine=condition.winner == board.side)
        self.goals = frozenset(cells or board.foes or board.own)
        self.crowd = CROWD
        self.spare = 0
        """Half MF that a hex with broken enemies only seems farther in the last turns."""

    @cached_property
    def far(self) -> tuple[int, ...]:
        """Half MF from every hex to the goals."""
        # the enemy's hexes are in the way unless they are what it is about
        closed = frozenset(self.board.foes) - self.goals
        spread = self.clearing and self.goals <= self.board.foes.keys()
        return self._spread(closed) if spread else distances(self.setting, self.goals, closed)

    @cached_property
    def fight(self) -> float:
        """Half MF for which the fight at the goals counts."""
        foes = [man for men in self.board.foes.values() for man in men if man.good and man.kind.mmc]
        return FIGHT + BEATEN * sum(man.size for man in foes if self.far[man.cell] < 8)

    @property
    def last(self) -> bool:
        """Whether the last turns have come."""
        return self.board.turns_left <= LAST

    def _spread(self, closed: frozenset[int]) -> tuple[int, ...]:
        """Half MF to the nearest goal; one for which enough are on the way seems farther to the others."""
        board = self.board
        ways = {goal: distances(self.setting, frozenset((goal,)), closed) for goal in sorted(self.goals)}
        if len(ways) == 1:
            return next(iter(ways.values()))
        need = {goal: 0.5 + 1.5 * sum(m.size for m in board.foes.get(goal, ()) if not m.broken) for goal in ways}
        base = {goal: self._aside(goal) for goal in ways}
        extra = dict(base)
        own = [man for men in board.own.values() for man in men if man.good and man.kind.mmc]
        own.sort(key=lambda man: min(way[man.cell] for way in ways.values()))
        for man in own:
            goal = min(ways, key=lambda one: ways[one][man.cell] + extra[one])
            need[goal] -= man.size
            if need[goal] < 0:
                extra[goal] = base[goal] + min(int(-self.crowd * need[goal]), FAR // 100)
        return self._least(ways, extra)

    def _least(self, ways: dict[int, tuple[int, ...]], extra: dict[int, int]) -> tuple[int, ...]:
        """For each hex the way to the goal that is nearest with what it seems farther."""
        lists = [[far + extra[goal] for far in way] for goal, way in ways.items()]
        return tuple(map(min, *lists))

    def stake(self, man: Man) -> float:
        """What is at stake with a unit under fire, in squads."""
        return max(man.size, 0.5)

    def spared(self, man: Man) -> bool:
        """Whether a unit is kept out of the fight."""
        return False

    def _aside(self, goal: int) -> int:
        """Half MF that a goal seems farther than it is."""
        return self.spare if self.last and self._beaten(goal) else 0

    def _beaten(self, cell: int) -> bool:
        """Whether all enemy squads of a hex are broken."""
        return all(man.broken for man in self.board.foes.get(cell, ()) if man.kind.mmc)

    @property
    def haste(self) -> float:
        """How pressing the time is for the side as a whole."""
        return 1.0 / max(self.board.turns_left, 1)

    def late(self, cell: int) -> float:
        """Above one: a unit in this hex does not get to the goal in time at an easy pace."""
        far = self.far[cell]
        # to take a place needs a fight at the end of the way
        need = far if self.exits else far + self.fight
        return need / (PACE * max(self.board.turns_left, 1)) if far < FAR else 1.0

    def behind(self, cell: int) -> bool:
        """Whether the enemies who are to be kept on the map have passed this hex."""
        return self.fleeing is not None and self.fleeing[0][cell] > self.fleeing[1]

    def _goals(self, aim: Aim, *, mine: bool) -> set[int]:
        board, setting = self.board, self.setting
        if aim.what == "leave":
            exits = aim.cells
            if mine:
                self.exits = exits
                return set(exits)
            return self._in_the_way(exits) or set(exits)
        if aim.what == "clear":
            area = aim.cells
            self.area |= area
            if mine:
                # broken ones and those just outside too: who is left alone comes back
                near = _near(setting, area)
                held = {c for c, men in board.foes.items() if c in near and any(m.kind.mmc for m in men)}
                return held or self._built(area)
            return self._built(area)
        if aim.what == "guns":
            loser = board.enemy if mine else board.side
            guns = {arm.cell for arm in board.arms.values() if arm.kind.gun and arm.side == loser and arm.cell >= 0}
            self.area |= guns
            return guns
        if aim.what == "hold":
            return self._buildings(aim.wanted if mine else aim.buildings, mine)
        return set()

    def _in_the_way(self, exits: frozenset[int]) -> set[int]:
        """Hexes on the ways of the enemies to the edge: there they are met."""
        far = distances(self.setting, exits)
        found: set[int] = set()
        leaving = sorted(far[man.cell] for men in self.board.foes.values() for man in men if man.good and man.kind.mmc)
        if leaving:
            self.fleeing = far, leaving[len(leaving) // 2]
        for cell, men in self.board.foes.items():
            if any(man.good and man.kind.mmc for man in men):
                for _ in range(AHEAD):
                    cell = min(self.setting.ground.near[cell], key=lambda near: far[near])
                    found.add(cell)
        return found

    def _built(self, area: frozenset[int]) -> set[int]:
        ground = self.setting.ground
        return {cell for cell in area if ground.in_building[cell]} or set(area)

    def _buildings(self, names: tuple[str, ...], mine: bool) -> set[int]:
        board, buildings = self.board, self.setting.ground.buildings
        wanted: set[int] = set()
        for name in names:
            cells = buildings[name]
            self.area.update(cells)
            enemies = any(cell in board.foes for cell in cells)
            holder = board.control.get(cells[0], "")
            held = any(m.kind.mmc and m.good for c in cells for m in board.own.get(c, ())) and not enemies
            if not mine or not (held or holder == board.side):
                wanted.update(cells)
        return wanted or set(self.area)


@remembered(64)
def _near(setting: Setting, area: frozenset[int]) -> frozenset[int]:
    """An area and the hexes from which one move leads into it."""
    ground = setting.ground
    return frozenset(c for c in range(ground.places) if any(ground.ranges[c][one] <= RETURN for one in area))
