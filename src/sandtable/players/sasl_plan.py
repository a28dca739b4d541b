"""What the FRIENDLY side goes for in each mission of `sasl` (S12.6)."""

from __future__ import annotations

from functools import cached_property

from sandtable.games.sasl.compass import distances as hexes_from
from sandtable.games.sasl.compass import edge_cells
from sandtable.games.sasl.model import FRIENDLY
from sandtable.games.sasl.roads import network
from sandtable.players.sasl_sheet import Sheet
from sandtable.players.squad_plan import CROWD, Plan
from sandtable.players.squad_table import FAR, distances

NEAR_ROAD = 4
"""Hexes from the road within which the ENEMY counts (Mission 5)."""
AHEAD = 14
"""Hexes of the road before the last own one that are gone for."""
IN_SIGHT = 3
"""Hexes from the EBE at which a board joins the map (Mission 3)."""
EASTWARD = 8
"""Half MF that a VPO may lie aside of the way east (Mission 3)."""
MOST_BOARDS, SEEN_FROM = 3, 4
"""Boards of Mission 1, and the hexes from the EBE within which the next one is likely to join."""
ONE_EACH = 16
"""Half MF that a hex of the road seems farther if somebody goes there already."""
CLEARING, EXPLORING, ROAD, MEETING, ESCAPE = (2, 4), (3,), (5,), (8,), (19,)


class MissionPlan(Plan):
    """The goals of the FRIENDLY side; by the mission VPO, all enemies, the road, the east, the west."""

    def __init__(self, board: Sheet) -> None:
        self.board = board
        self.sheet = board
        self.setting = board.setting
        self.attacking = True
        self.exits = frozenset()
        self.clearing = board.mission in (*CLEARING, *ROAD, *MEETING)
        self.early = self.holding = False
        self.fleeing = None
        self.area = set(board.wanted | board.kept)
        self.spare = 0
        self.crowd = ONE_EACH if board.mission in ROAD else CROWD
        if board.mission in ESCAPE:
            self.exits = frozenset(edge_cells(self.setting, "west"))
        self.goals = frozenset(self._wanted() or board.foes or board.own or (0,))

    def _wanted(self) -> set[int]:
        board = self.sheet
        if board.mission in ESCAPE:
            return set(self.exits)
        if board.mission in ROAD:
            return self._along_the_road()
        if board.mission in EXPLORING:
            return board.wanted | self._east()
        if board.mission in CLEARING:
            return board.wanted | set(board.foes)
        return set(board.wanted)

    def _shunned(self) -> frozenset[int]:
        """Hexes in which one more board may join the map, with VPO of the ENEMY (Mission 1)."""
        board = self.sheet
        if board.mission != 1 or len(board.rolled.boards) >= MOST_BOARDS:
            return frozenset()
        near = self.setting.ground.near
        needed = {c for one in board.wanted for c in (one, *near[one])} | board.own.keys()
        far = hexes_from(self.setting, "east")
        return frozenset([cell for cell, hexes in enumerate(far) if hexes < SEEN_FROM and cell not in needed])

    def _along_the_road(self) -> set[int]:
        """The next hexes of the road, and the enemies about them."""
        board, ranges = self.sheet, self.setting.ground.ranges
        road = network(self.setting)
        lost = [number for number, cell in enumerate(road) if cell not in board.road]
        if not lost:
            return {c for c in board.foes if any(ranges[c][one] <= NEAR_ROAD for one in road)}
        ahead = road[lost[0] : lost[0] + AHEAD]
        about = {c for c in board.foes if any(ranges[c][one] <= NEAR_ROAD for one in road[: lost[0] + AHEAD])}
        return {cell for cell in ahead if cell not in board.road} | about

    def _east(self) -> set[int]:
        ranges = self.setting.ground.ranges
        edge = edge_cells(self.setting, "east")
        return {c for c in edge if c not in self.board.foes} or {c for one in edge for c in ranges[one][:1]}

    @cached_property
    def far(self) -> tuple[int, ...]:
        closed = frozenset(self.board.foes) - self.goals | self._shunned()
        if self.clearing and len(self.goals) > 1:
            return self._spread(closed)
        return distances(self.setting, self.goals, closed)

    def late(self, cell: int) -> float:
        return super().late(cell) if self.far[cell] < FAR else 1.0


__all__ = ["FRIENDLY", "MissionPlan"]
