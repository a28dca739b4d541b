"""What a computer player of the squad-level games looks at: the map, the pieces of its view, goals and dangers."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from typing import Any

from sandtable.games.squad.cards.scenario import VictoryCondition
from sandtable.games.squad.ground.map import BLOCKED, Ground
from sandtable.games.squad.ground.setting import Setting, find_setting
from sandtable.games.squad.part import Aim
from sandtable.space.remembered import remembered

FAR = 10_000
EFFECTIVE = 8
"""Hexes within which enemy fire is taken seriously."""


def setting_of(view: Mapping[str, Any]) -> Setting:
    """The scenario card on its map: printed matter, known to both players."""
    return find_setting(view["extra"]["setting"])


class Table:
    """The pieces of one view, by hex number."""

    def __init__(self, setting: Setting, side: str, view: dict[str, Any]) -> None:
        self.setting = setting
        self.side = side
        self.ground: Ground = setting.ground
        self.pieces: dict[str, dict[str, Any]] = {}
        self.at: dict[str, int] = {}
        self.friends: dict[int, int] = {}
        self.enemies: dict[int, float] = {}
        """Enemy hexes with their firepower, half for what is far or broken."""
        self.enemy_units: dict[int, int] = {}
        self.broken_enemies: dict[int, int] = {}
        self.guns: dict[str, list[int]] = {}
        self.leaders: set[str] = set()
        done = next((track["at"] for track in view.get("tracks", ()) if track["id"] == "turn"), 0)
        self.turns_left = max(setting.turns - done, 1)
        """Turns still to play, the present one included."""
        index = self.ground.index
        self.held = {
            index(mark["at"]): mark.get("side", "")
            for mark in view.get("marks", ())
            if mark["face"].startswith("marker/control")
        }
        """Buildings that victory asks about, by their first hex, with who controls them."""
        for piece in view.get("pieces", ()):
            self.pieces[piece["id"]] = piece
            if piece["at"].startswith(("off-", "gone-")):
                continue
            cell = index(piece["at"])
            self.at[piece["id"]] = cell
            facts = dict(piece.get("facts", ()))
            owner = piece.get("side", "")
            if "Leadership" in facts:
                self.leaders.add(piece["id"])
            if "Type" in facts:
                if facts["Type"] in ("AT", "AA", "ART", "MTR", "INF"):
                    self.guns.setdefault(owner, []).append(cell)
                if owner != side:
                    self.enemies[cell] = self.enemies.get(cell, 0) + float(facts.get("Firepower", "4") or 4)
                continue
            if owner == side:
                self.friends[cell] = self.friends.get(cell, 0) + 1
            elif piece["face"].endswith("/broken"):
                self.broken_enemies[cell] = self.broken_enemies.get(cell, 0) + 1
            else:
                self.enemy_units[cell] = self.enemy_units.get(cell, 0) + 1
                self.enemies[cell] = self.enemies.get(cell, 0) + float(facts.get("Firepower", "0") or 0)

    def danger(self, cell: int) -> float:
        """How much enemy fire a hex may draw, less for cover."""
        row, ranges = self.ground.los_row(cell), self.ground.ranges[cell]
        fire = 0.0
        for enemy, strength in self.enemies.items():
            far = ranges[enemy]
            if far <= 2 * EFFECTIVE and row[enemy] != BLOCKED:
                weight = 2.0 if far <= 1 else 1.0 if far <= EFFECTIVE else 0.4
                fire += weight * strength / (1 + 0.5 * row[enemy])
        return fire * (0.75 ** max(self.ground.tem[cell], 0) if self.ground.tem[cell] else 1.5)

    @property
    def far(self) -> tuple[int, ...]:
        """Half MF to the nearest goal, around the enemies."""
        goals, _ = self.goals()
        return distances(self.setting, goals, frozenset(self.enemy_units) - goals)

    def goals(self) -> tuple[frozenset[int], bool]:
        """Hexes that decide the game, and whether this side must take them."""
        cells: set[int] = set()
        attacking = False
        for condition, aim in self.setting.aims:
            attacking = attacking or condition.winner == self.side
            cells |= self._cells(condition, aim)
        return frozenset(cells or self.enemies), attacking

    @property
    def marching(self) -> bool:
        """Whether this side has far to go: off the map, or all over an area."""
        return any(aim.what in ("leave", "clear") for one, aim in self.setting.aims if one.winner == self.side)

    def _cells(self, condition: VictoryCondition, aim: Aim) -> set[int]:
        setting = self.setting
        if aim.what == "leave":
            return set(aim.cells)
        if aim.what == "clear":
            area = aim.cells
            held = {cell for cell in area if cell in self.enemy_units} if condition.winner == self.side else set()
            return held or {cell for cell in area if self.ground.in_building[cell]} or set(area)
        if aim.what == "guns":
            others = [side for side in setting.sides if side != condition.winner]
            return {cell for side in others for cell in self.guns.get(side, ())}
        if aim.what == "hold":
            mine = condition.winner == self.side
            buildings = [setting.ground.buildings[name] for name in (aim.wanted if mine else aim.buildings)]
            open_ = [cells for cells in buildings if self.held.get(cells[0]) != self.side]
            return {cell for cells in (open_ if mine and open_ else buildings) for cell in cells}
        return set(self.enemies)


@remembered(512)
def distances(setting: Setting, goals: frozenset[int], closed: frozenset[int] = frozenset()) -> tuple[int, ...]:
    """Half MF from every hex to the nearest goal, around the closed ones."""
    ground = setting.ground
    found = [FAR] * ground.places
    queue = [(0, cell) for cell in goals]
    for _, cell in queue:
        found[cell] = 0
    heapq.heapify(queue)
    while queue:
        spent, cell = heapq.heappop(queue)
        if spent > found[cell]:
            continue
        for way in ground.ways[cell]:
            # Costs are those of going the other way: near enough for a plan.
            total = spent + (way.road or way.cost)
            if total < found[way.to] and way.to not in closed:
                found[way.to] = total
                heapq.heappush(queue, (total, way.to))
    return tuple(found)
