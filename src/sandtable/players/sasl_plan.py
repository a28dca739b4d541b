"""What the FRIENDLY side goes for in each mission of `sasl` (S12.6)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sandtable.games.sasl.compass import distances as hexes_from
from sandtable.games.sasl.compass import edge_cells
from sandtable.games.sasl.roads import network
from sandtable.games.squad.ground.setting import Setting
from sandtable.players.sasl_sheet import Sheet
from sandtable.players.squad_men import Man
from sandtable.players.squad_plan import CROWD, PACE, Plan
from sandtable.players.squad_table import distances
from sandtable.space.remembered import remembered

NEAR_ROAD = 4
"""Hexes from the road within which the ENEMY counts (Mission 5)."""
AHEAD, POINT = 14, 5
"""Hexes of the road before the last own one that are looked at, and the farthest of them, which are gone for."""
MOST_BOARDS, SEEN_FROM = 3, 4
"""Boards of Mission 1, and the hexes from the EBE within which the next one is likely to join."""
ONE_EACH = 16
"""Half MF that a hex of the road seems farther if somebody goes there already."""
APART = 8
"""Half MF that a S? or ENEMY seems farther for each squad too many on the way to it, where many are to be found."""
CREW = 1.0
"""What is at stake with a crew, in squads: it counts as many VP as a squad (A26.211)."""
LATER, WOODS = 4, 12
"""Half MF that a S? seems farther while a fortification is still to be taken, and one that is in no building."""
ENOUGH = 3
"""Squads for each fortification that is to be taken, beyond which there are some for S?."""
TOO_LATE = 2
"""Turns left from which on what is found is hardly taken any more."""
WATCHED = 4
"""Hexes from an ENEMY within which a fortification is guarded."""
CAUTIOUS, POCKETS, EXPLORING, BUNKERS, ROAD, MEETING, ESCAPE = (1,), (2,), (3,), (4,), (5,), (8,), (19,)


class MissionPlan(Plan):
    """The goals of the FRIENDLY side; by the mission VPO, all enemies, the road, the east, the west."""

    sparing = True

    def __init__(self, board: Sheet) -> None:
        self.board = board
        self.sheet = board
        self.setting = board.setting
        self.attacking = True
        self.exits = frozenset()
        self.clearing = board.mission in (*POCKETS, *BUNKERS, *ROAD, *MEETING)
        self.early = self.holding = False
        self.fleeing = None
        self.area = set(board.wanted | board.kept)
        self.spare = 0
        self.crowd = ONE_EACH if board.mission in ROAD else APART if board.mission in BUNKERS else CROWD
        if board.mission in ESCAPE:
            self.exits = frozenset(edge_cells(self.setting, "west"))
        self.guards = frozenset(self._guards())
        self.wary = board.mission in CAUTIOUS
        self.keen = board.mission in BUNKERS
        if self._content():
            self.wary = self.attacking = self.clearing = False
            self.goals = frozenset(board.kept)
            return
        self.goals = frozenset(self._wanted() or board.foes or board.own or (0,))

    def _guards(self) -> Iterator[str]:
        """One squad in each VPO that is held; in a fortification if an ENEMY is near."""
        ranges = self.setting.ground.ranges
        for cell in self.sheet.kept:
            if self.sheet.mission in BUNKERS and all(ranges[cell][one] > WATCHED for one in self._known):
                continue
            here = [man for man in self.board.own.get(cell, ()) if man.good and man.kind.mmc]
            if here:
                yield min(here, key=lambda man: (man.kind.fp, man.id)).id

    def _content(self) -> bool:
        """Whether it is ahead and holds what it has: more would cost more than it brings (Missions 1 and 4)."""
        board = self.sheet
        return board.mission in (*CAUTIOUS, *BUNKERS) and bool(board.kept) and board.lead > 0

    @cached_property
    def _known(self) -> set[int]:
        """Hexes with ENEMY units."""
        return {cell for cell, men in self.board.foes.items() if not all(man.suspected for man in men)}

    def _wanted(self) -> set[int]:
        board = self.sheet
        if board.mission in ESCAPE:
            return set(self.exits)
        if board.mission in ROAD:
            return self._along_the_road()
        if board.mission in EXPLORING:
            # what a new board brings is worth less than a VPO at hand
            return set(board.wanted) or self._east()
        if board.mission in BUNKERS:
            return self._bunkers()
        if board.mission in POCKETS:
            return board.wanted | set(board.foes)
        return set(board.wanted)

    def _bunkers(self) -> set[int]:
        """What has been found is taken before more is found, which would be the ENEMY's to begin with (Mission 4)."""
        board = self.sheet
        found = board.wanted | self._known
        squads = sum(man.good and man.kind.mmc for men in board.own.values() for man in men)
        if board.wanted and (board.turns_left <= TOO_LATE or squads <= ENOUGH * len(board.wanted)):
            return found
        return found | set(board.foes)

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
        lost = self._lost
        if not lost:
            return {c for c in board.foes if any(ranges[c][one] <= NEAR_ROAD for one in road)}
        ahead = [cell for cell in road[lost[0] : lost[0] + AHEAD] if cell not in board.road]
        about = {c for c in board.foes if any(ranges[c][one] <= NEAR_ROAD for one in road[: lost[0] + AHEAD])}
        return {ahead[0], *ahead[-POINT:]} | about

    @cached_property
    def _lost(self) -> list[int]:
        """The hexes of the road that are still to be taken, by their number."""
        return [number for number, cell in enumerate(network(self.setting)) if cell not in self.sheet.road]

    def _east(self) -> set[int]:
        """Where the next board joins the map."""
        return {cell for cell in edge_cells(self.setting, "east") if cell not in self.board.foes}

    def stake(self, man: Man) -> float:
        return CREW if man.kind.crew else super().stake(man)

    def spared(self, man: Man) -> bool:
        """Crews fire from behind: they are worth little in the first line, and as many VP as squads."""
        return man.kind.crew and not self.exits

    def late(self, cell: int) -> float:
        board = self.sheet
        if board.mission in ROAD and self._lost:
            whole = 2 * (len(network(self.setting)) - self._lost[0])
            return max(self.far[cell], whole) / (PACE * board.turns_left)
        return super().late(cell)

    def _aside(self, goal: int) -> int:
        if self.sheet.mission not in BUNKERS or goal in self._known or goal in self.sheet.wanted:
            return super()._aside(goal)
        later = LATER if self.sheet.wanted else 0
        return later + (0 if self.setting.ground.in_building[goal] else WOODS)

    @cached_property
    def far(self) -> tuple[int, ...]:
        if self.clearing and len(self.goals) > 1:
            return self._spread(self._closed)
        return distances(self.setting, self.goals, self._closed)

    @cached_property
    def _closed(self) -> frozenset[int]:
        return frozenset((*self.board.foes, *self.sheet.mines)) - self.goals | self._shunned()

    def _least(self, ways: dict[int, tuple[int, ...]], extra: dict[int, int]) -> tuple[int, ...]:
        # dozens of S? may be goals: all ways at once
        table = _table(self.setting, tuple(ways), self._closed)
        return tuple((table + np.array([extra[goal] for goal in ways])[:, None]).min(axis=0).tolist())


@remembered(16)
def _table(setting: Setting, goals: tuple[int, ...], closed: frozenset[int]) -> NDArray[np.integer]:
    """Half MF from every hex to each goal."""
    return np.array([distances(setting, frozenset((goal,)), closed) for goal in goals])
