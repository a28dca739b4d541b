"""The battlefield as the regular of PBI sees it: who can shoot where, what that costs, what a square is worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from heapq import heappop, heappush
from typing import Any, NamedTuple

from sandtable.games.pbi.catalogue import KINDS, Kind
from sandtable.games.pbi.table import Ground, ground
from sandtable.players import pbi_weights as w

OWN_HIT, REACTION_HIT = 1 / 2, 1 / 3
BOMB, ON_TARGET = 11 / 36, 4 / 6
"""A mortar shot hits a base under it, and falls where it was aimed."""
OTHER = {"attacker": "defender", "defender": "attacker"}
Fact = Mapping[str, Any]


class Weapon(NamedTuple):
    """Small arms in a square that are ready to shoot."""

    dice: int
    reach: int
    answers: bool
    """They may still shoot in the enemy's turn."""


def ready_dice(piece: Fact, kind: Kind) -> int:
    """Small-arms dice of a piece that is ready to shoot."""
    if kind.vehicle:
        return kind.mg
    return kind.dice if piece["deployed"] or not kind.deploys else 0


@lru_cache(maxsize=2048)
def ways(key: str, goal: str, blocked: frozenset[str]) -> Mapping[str, int]:
    """Action points from every square of a table to a goal; kept, since enemies seldom move between two decisions."""
    g = ground(key)
    found: dict[str, int] = {}
    heap = [(0, goal)]
    while heap:
        cost, at = heappop(heap)
        if at in found:
            continue
        found[at] = cost
        if at in blocked and at != goal:
            continue
        for other in g.steps[at]:
            if other not in found:
                heappush(heap, (cost + (2 if other in g.difficult else 1), other))
    return found


class Field:
    """Everything from one view."""

    def __init__(self, side: str, view: Mapping[str, Any]) -> None:
        extra = view["extra"]
        self.side, self.enemy = side, OTHER[side]
        self.frame: Fact = extra["frame"]
        self.step: str = view["phase"]
        self.active: str = view["active"]
        self.turn = int(str(view["turn"]).rpartition(" ")[2])
        self._key: str = extra["ground"]
        self.g: Ground = ground(self._key)
        self.pieces: Mapping[str, Fact] = extra["pieces"]
        self.units: Mapping[str, Fact] = extra["units"]
        self.objectives: Mapping[str, int] = extra["objectives"]
        self.control: Mapping[str, str] = extra["control"]
        self.smoke: Mapping[str, str] = extra["smoke"]
        self.turns_left = max(0.3, extra["countdown"] / 3.5)
        self.ends = min(1.0, max(0.0, (7 - extra["countdown"]) / 6))
        """The chance that the defender's next die ends the battle."""
        self.late = min(1.0, max(0.3, 1.15 - 0.13 * self.turns_left, 0.4 + self.ends))
        """From 0.3 early in the battle to 1 at its end: what is held then is what counts."""
        self.bases: dict[str, int] = {}
        self.mine: dict[str, list[Fact]] = {}
        self.theirs: dict[str, list[Fact]] = {}
        self.weapons: dict[str, list[Weapon]] = {}
        for piece in self.pieces.values():
            at = piece["at"]
            if KINDS[piece["kind"]].foot:
                self.bases[piece["unit"]] = self.bases.get(piece["unit"], 0) + 1
            if not at:
                continue
            (self.mine if piece["side"] == side else self.theirs).setdefault(at, []).append(piece)
            kind = KINDS[piece["kind"]]
            dice = ready_dice(piece, kind)
            if dice:
                reach = 99 if kind.vehicle else kind.reach
                answers = not piece["reacted"] and not piece["pinned"]
                self.weapons.setdefault(at, []).append(Weapon(dice, reach, answers))
        self._eyes = {
            who: [p["at"] for p in self.pieces.values() if p["side"] == who and p["at"] and p["officer"]]
            for who in OTHER
        }
        self._threats: dict[str, float] = {}
        self._views: dict[str, int] = {}
        self._mortars = [p for p in self.pieces.values() if p["at"] and KINDS[p["kind"]].mortar]
        self._ways: dict[tuple[str, str], Mapping[str, int]] = {}

    # -- who acts ---------------------------------------------------------------------------

    def acting(self) -> list[Fact]:
        """The pieces that act now."""
        frame = self.frame
        ids = frame["teams"][0] if frame["type"] == "Acting" else frame.get("pieces", ())[:1]
        return [self.pieces[id] for id in ids if id in self.pieces]

    def foot_in(self, squares: Mapping[str, list[Fact]], at: str) -> list[Fact]:
        """The foot and guns of a side in a square."""
        return [piece for piece in squares.get(at, ()) if not KINDS[piece["kind"]].vehicle]

    # -- shooting ---------------------------------------------------------------------------

    def sees(self, start: str, end: str) -> bool:
        """Line of sight with smoke."""
        if end not in self.g.sees[start]:
            return False
        smoke = self.smoke
        if not smoke:
            return True
        return start not in smoke and end not in smoke and not any(at in smoke for at in self.g.between[start][end])

    def fails(self, piece: Fact, at: str, *, moved: bool, near: bool) -> float:
        """The chance that a base dies of a hit by small arms."""
        if piece["within"]:
            return 0.4
        quality = self.units[piece["unit"]]["quality"]
        need: int = 4 + (quality == "raw") - (quality == "veteran" or piece["officer"]) - (not moved) + near
        need -= 2 if at in self.g.difficult else 1 if at in self.g.partial else 0
        return (min(6, max(2, need)) - 1) / 6

    def fire(self, source: str, target: str, *, answering: bool = False) -> int:
        """Small-arms dice from one square into another."""
        weapons = self.weapons.get(source)
        if not weapons or not self.sees(source, target):
            return 0
        distance = self.g.range[source][target]
        return sum(one.dice for one in weapons if one.reach >= distance and (one.answers or not answering))

    def loss(self, dice: float, chance: float, fails: float, number: int) -> float:
        """Bases lost on average to so many dice: never more than there are, and later hits find fewer."""
        expected = dice * chance * fails
        return expected if expected < 0.3 * number else number * (1 - (1 - fails / number) ** (dice * chance))

    def danger(self, at: str, team: list[Fact], *, moved: bool) -> float:
        """Bases that a group in a square loses on average before its next turn."""
        if not team:
            return 0.0
        total = 0.0
        near = self.g.near[at]
        for square in self.theirs:
            dice = self.fire(square, at)
            if dice:
                fails = self.fails(team[0], at, moved=moved, near=square in near)
                total += self.attention(square, at) * self.loss(dice, OWN_HIT, fails, len(team))
            for piece in self.theirs[square]:
                he = KINDS[piece["kind"]].he
                if he and self.sees(square, at):
                    total += 0.3 * he / 3
        return min(len(team) * 0.85, total + self.bombs(at, team, moved=moved))

    def attention(self, source: str, at: str) -> float:
        """How many volleys from an enemy square a square must expect, with other targets in its view."""
        if source not in self._views:
            self._views[source] = sum(self.sees(source, square) for square in self.mine)
        targets = self._views[source] + (at not in self.mine)
        return w.VOLLEYS / targets**w.SHARING if targets > 1 else w.VOLLEYS

    def bombs(self, at: str, team: list[Fact], *, moved: bool) -> float:
        """Bases that a group loses on average to mortars: they look for squares that are full."""
        number = len([p for p in self._mortars if p["side"] == self.enemy and self.falls(p, at)])
        if not number:
            return 0.0
        crowd = len(self.foot_in(self.mine, at)) + (0 if team[0]["at"] == at else len(team))
        found = min(0.8, crowd / 10) * 1.5 * ON_TARGET
        return number * found * len(team) * BOMB * self.fails(team[0], at, moved=moved, near=False)

    def falls(self, mortar: Fact, at: str) -> bool:
        """Whether a mortar can shoot at a square: it or an officer of its side sees it."""
        kind = KINDS[mortar["kind"]]
        if not kind.nearest <= self.g.range[mortar["at"]][at] <= kind.reach:
            return False
        return any(self.sees(eye, at) for eye in (mortar["at"], *self._eyes[mortar["side"]]))

    def bombed(self, at: str, shots: int) -> float:
        """What mortar shots on a square of the enemy's are worth."""
        value = 0.0
        there = self.foot_in(self.theirs, at)
        for n, piece in enumerate(there):
            fails = self.fails(piece, at, moved=piece["moved"] > 0, near=False)
            value += ON_TARGET * shots * BOMB * fails * self.price(piece) * self.mark_value(piece["unit"], n // 3)
        unpinned = sum(not piece["pinned"] for piece in there)
        return value + ON_TARGET * w.PIN * unpinned * (1 - (25 / 36) ** (len(there) * shots))

    def reaction(self, at: str, team: list[Fact]) -> float:
        """Bases lost on average when a group steps into a square in view of the enemy."""
        total = 0.0
        near = self.g.near[at]
        for square in self.theirs:
            dice = self.fire(square, at, answering=True)
            if dice:
                fails = self.fails(team[0], at, moved=True, near=square in near)
                total += self.loss(dice, REACTION_HIT, fails, len(team))
        return min(float(len(team)), w.REACTION * total)

    def answer(self, start: str, target: str, team: list[Fact]) -> float:
        """Bases lost to return shooting when the shot at a square has not pinned it."""
        dice = self.fire(target, start, answering=True)
        if not dice:
            return 0.0
        fails = self.fails(team[0], start, moved=team[0]["moved"] > 0, near=target in self.g.near[start])
        return self.loss(dice, REACTION_HIT, fails, len(team))

    def can_hurt(self, at: str, team: list[Fact]) -> float:
        """What one volley of a group from a square would cost the enemy, at its best target."""
        best = 0.0
        for square, there in self.theirs.items():
            if not self.sees(at, square):
                continue
            distance = self.g.range[at][square]
            dice = 0
            for piece in team:
                kind = KINDS[piece["kind"]]
                if kind.reach >= distance:
                    dice += ready_dice(piece, kind)
            soft = self.foot_in(self.theirs, square)
            if not dice or not soft:
                continue
            fails = self.fails(soft[-1], square, moved=there[0]["moved"] > 0, near=square in self.g.near[at])
            value = self.loss(dice, OWN_HIT, fails, len(soft)) * self.mark_value(soft[0]["unit"])
            unpinned = sum(not piece["pinned"] for piece in soft)
            value += w.PIN * unpinned * (1 - 0.5**dice)
            best = max(best, value)
        return best

    def price(self, piece: Fact) -> float:
        """What a base is worth by itself."""
        kind = KINDS[piece["kind"]]
        rank = w.COMMANDER if piece["kind"] == "commander" else 2.0 if piece["officer"] else 0.0
        return 0.5 + kind.points / 10 + rank

    def mark_value(self, unit: str, more: int = 0) -> float:
        """What a base lost by a unit is worth: the marks that bring it to a morale roll count more."""
        it = self.units[unit]
        marks = it["casualties"] + more
        if it["kind"] not in ("platoon", "weapons"):
            return 1.0
        if self.bases.get(unit, 9) - more == 3 < it["strength"]:
            return 3.0  # units of two bases are removed (turn-morale)
        if it["officer"] == "dead":
            return 2.6 if marks == 1 else 1.6
        return (1.2, 1.5, 1.5, 2.6, 2.0, 1.7)[marks] if marks < 6 else 1.4

    def dear(self, team: list[Fact]) -> float:
        """What a base of a team is worth to us on average, officers and heavy weapons more."""
        value = sum(self.price(piece) for piece in team)
        return (value / len(team) + self.mark_value(team[0]["unit"])) / 2

    # -- moving -----------------------------------------------------------------------------

    def distances(self, goal: str, side: str) -> Mapping[str, int]:
        """Action points from every square to a goal, around the enemies of a side (not counting the goal)."""
        key = goal, side
        if key not in self._ways:
            blocked = self.theirs if side == self.side else self.mine
            self._ways[key] = ways(self._key, goal, frozenset(blocked))
        return self._ways[key]

    def threat(self, square: str) -> float:
        """How near enemy foot are to an objective."""
        if square not in self._threats:
            ways = self.distances(square, self.enemy)
            foot = [at for at, there in self.theirs.items() if any(KINDS[p["kind"]].foot for p in there)]
            nearest = min((ways.get(at, 30) for at in foot), default=30)
            self._threats[square] = 1.0 if nearest <= 4 else 0.6 if nearest <= 7 else 0.25
        return self._threats[square]

    def reachable(self, start: str, points: int, number: int) -> dict[str, tuple[int, str]]:
        """Squares that a group can step to with its points: what is left of them, and the first step."""
        found: dict[str, tuple[int, str]] = {start: (points, "")}
        heap = [(-points, start, "")]
        while heap:
            minus, at, first = heappop(heap)
            left = -minus - (2 if at in self.g.difficult else 1)
            if left < 0 or found[at][0] > -minus:
                continue
            for to in self.g.steps[at]:
                if to in self.theirs or len(self.foot_in(self.mine, to)) + number > 8:
                    continue
                if to not in found or found[to][0] < left:
                    found[to] = left, first or to
                    heappush(heap, (-left, to, first or to))
        return found

    def adjacent_enemies(self, at: str) -> Iterable[str]:
        """Squares with enemies that can be assaulted from a square."""
        return [square for square in self.g.assaults[at] if square in self.theirs]
