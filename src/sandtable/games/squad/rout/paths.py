"""Where a broken unit may rout: forbidden directions, the nearest building or woods, where it must stop (3.6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

from msgspec.structs import replace

from sandtable.games.squad.cards.charts import figures
from sandtable.games.squad.ground.counters import costs_more
from sandtable.games.squad.ground.doors import part_bar
from sandtable.games.squad.ground.knowledge import concealed
from sandtable.games.squad.ground.map import BLOCKED, Way
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.sight import hindered, sees
from sandtable.games.squad.ground.stacks import fits
from sandtable.games.squad.movement.steps import step_cost
from sandtable.games.squad.movement.switches import MovementRules
from sandtable.games.squad.phases.switches import PhaseRules
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.games.squad.rout.interdiction import interdictors
from sandtable.games.squad.rout.model import Rout, RoutOption
from sandtable.games.squad.rout.switches import RoutRules

ROUT_MF, WOUNDED_ROUT_MF = [2 * int(figures("mf")[name]) for name in ("rout_mf", "wounded_mf")]
"""Half MF of a rout, and of one with a wounded leader (3.6, 3.2.3)."""

Seen = frozenset[int]
"""Hexes of enemies in whose sight a unit has been in this RtPh."""


class Foes:
    """The enemies whom a side knows, as its broken units see them: their hexes, and lines of sight from these."""

    def __init__(self, state: SquadState, side: str) -> None:
        self.state = state
        self.side = side
        units = state.units
        hexes: list[int] = []
        unbroken: list[int] = []
        knows = setting_of(state).points.knows
        for cell, names in state.stacks.items():
            known = False
            for name in names:
                unit = units[name]
                if unit.side == side or unit.hip or unit.concealed or (knows and concealed(state, unit)):
                    continue
                known = True
                if not unit.broken:
                    unbroken.append(cell)
                    break
            if known:
                hexes.append(cell)
        self.hexes = tuple(hexes)
        self.unbroken = tuple(unbroken)
        """Hexes with an unbroken unit, beside which nobody may end a rout."""
        self.ground = setting_of(state).ground
        self._hindered = hindered(state)
        self._views: dict[int, Seen] = {}
        self._beside: dict[int, bool] = {}

    def view(self, cell: int) -> Seen:
        """Hexes of enemies that see a hex."""
        found = self._views.get(cell)
        if found is None:
            # the lines of the enemy's hexes are known already, those of hexes on the way need not be
            line = self.ground.line
            foes = [foe for foe in self.hexes if line(foe, cell) != BLOCKED]
            if self._hindered:
                foes = [foe for foe in foes if sees(self.state, foe, cell)]
            found = self._views[cell] = frozenset(foes)
        return found

    def beside_unbroken(self, cell: int) -> bool:
        """Whether an unbroken known enemy is in or beside a hex (3.6)."""
        found = self._beside.get(cell)
        if found is None:
            ranges = self.ground.ranges[cell]
            near = [foe for foe in self.unbroken if ranges[foe] <= 1]
            if near and self._hindered:
                near = near if cell in near or not self.view(cell).isdisjoint(near) else []
            found = self._beside[cell] = bool(near)
        return found


class Enemy:
    """The enemy for units that rout together: where they may go, and where there is room for them."""

    def __init__(self, state: SquadState, movers: list[Unit], foes: Foes | None = None) -> None:
        self.state = state
        self.movers = movers
        self.names = tuple([unit.id for unit in movers])
        self.side = movers[0].side
        foes = foes or Foes(state, self.side)
        self.view = foes.view
        self.beside_unbroken = foes.beside_unbroken
        setting = setting_of(state)
        self.ground = setting.ground
        self.rules = setting.rules
        ranges = self.ground.ranges[movers[0].at]
        self.close = tuple([foe for foe in foes.hexes if ranges[foe] <= ROUT_MF // 2 + 1])
        """Hexes beside which the rout could lead."""
        rules = setting.rules.of(MovementRules)
        points = setting.points
        self.plain = not (rules.elevation_mf or points.cost or points.their_cost or costs_more(state))
        """Whether a step costs what the map says."""
        self.cover: Sequence[bool] = self.ground.cover
        """Hexes that a rout may make for: buildings, woods, and what parts add to them."""
        if havens := {cell for ask in setting.points.havens for cell in ask(state, movers)}:
            self.cover = [found or cell in havens for cell, found in enumerate(self.ground.cover)]
        self._never = setting.rules.of(RoutRules).never_rout_adjacent
        self._crowds = setting.rules.of(PhaseRules).stacking_at_phase_end
        self._barred = "enter" in setting.points.barred
        self._room: dict[int, bool] = {}
        self._near: dict[int, tuple[int, ...]] = {}
        self._allowed: dict[tuple[int, int, Seen], bool] = {}

    def room(self, cell: int) -> bool:
        """Whether the routing units fit into a hex (3.3)."""
        if cell not in self.state.stacks and cell not in self.ground.twins:
            return True
        found = self._room.get(cell)
        if found is None:
            found = self._room[cell] = fits(self.state, cell, self.side, self.movers)
        return found

    def beside_any(self, cell: int) -> bool:
        """Whether any known enemy is in or beside a hex (3.6)."""
        ranges = self.ground.ranges[cell]
        return any([ranges[foe] <= 1 for foe in self.close])

    def allows(self, frm: int, to: int, seen: Seen) -> bool:
        """Whether a step breaks no rule: not toward an enemy in whose sight it has been, nor along an adjacent one.

        The guide never lets it come adjacent; leaving an enemy's own hex is free of this (3.6).
        """
        key = (frm, to, seen)
        found = self._allowed.get(key)
        if found is None:
            found = self._allowed[key] = self._judge(frm, to, seen)
        return found

    def _judge(self, frm: int, to: int, seen: Seen) -> bool:
        before, after = self.ground.ranges[frm], self.ground.ranges[to]
        for foe in seen:
            if after[foe] < before[foe]:
                return False
        near = self._near.get(to)
        if near is None:
            near = self._near[to] = tuple([foe for foe in self.close if after[foe] <= 1])
        for foe in near:
            if after[foe] == 0 or before[foe] == 1 or (self._never and before[foe] != 0):
                return False
        if self._barred and part_bar(self.state, "enter", self.movers, frm, to) is not None:
            return False
        return self._crowds or self.room(to)


def routing_units(state: SquadState, rout: Rout) -> list[Unit]:
    """The broken unit and the leaders who rout along."""
    return [state.units[name] for name in (rout.unit, *rout.leaders) if name in state.units]


def rout_mf(movers: list[Unit]) -> int:
    """Half MF of a rout: six MF, never more; three with a wounded leader (3.6, 3.2.3)."""
    return WOUNDED_ROUT_MF if any([unit.wounded for unit in movers]) else ROUT_MF


# -- searching --------------------------------------------------------------------------


def reach(enemy: Enemy, cell: int, seen: Seen, left: int) -> Iterator[tuple[int, int]]:
    """Hexes that can be reached by legal steps with the half MF they take, the nearest first.

    What is forbidden depends on the way taken, because enemies seen on it count from then on.
    """
    state, ways, view, allows = enemy.state, enemy.ground.ways, enemy.view, enemy.allows
    plain, names = enemy.plain, enemy.names
    met: set[int] = set()
    done: set[tuple[int, Seen]] = set()
    heap: list[tuple[int, int, int, Seen]] = [(0, 0, cell, seen)]
    serial = 0
    while heap:
        cost, _, here, known = heappop(heap)
        if (here, known) in done:
            continue
        done.add((here, known))
        if here not in met:
            met.add(here)
            yield here, cost
        for way in ways[here]:
            if plain:
                total = cost + (way.road if 0 < way.road < way.cost else way.cost)
            else:
                total = cost + cheapest(state, way, names)
            if total <= left and allows(here, way.to, known):
                after = known | view(way.to)
                if (way.to, after) not in done:
                    serial += 1
                    heappush(heap, (total, serial, way.to, after))


def cheapest(state: SquadState, way: Way, units: Sequence[str]) -> int:
    """Half MF for units to enter a hex, along the road where that is cheaper."""
    cost = step_cost(state, way, road=False, units=units)
    return min(cost, step_cost(state, way, road=True, units=units)) if way.road else cost


def can_rout(state: SquadState, unit: Unit, foes: Foes | None = None) -> bool:
    """Whether a unit has a legal rout that does not end beside an unbroken enemy (3.6)."""
    enemy = Enemy(state, [unit], foes)
    seen, left = enemy.view(unit.at), rout_mf([unit])
    if enemy.plain:  # most find a hex beside their own
        for way in enemy.ground.ways[unit.at]:
            free = way.cost <= left and not enemy.beside_unbroken(way.to) and enemy.room(way.to)
            if free and enemy.allows(unit.at, way.to, seen):
                return True
    for cell, _ in reach(enemy, unit.at, seen, left):
        if cell != unit.at and not enemy.beside_unbroken(cell) and enemy.room(cell):
            return True
    return False


# -- nearest building or woods ----------------------------------------------------------


def ignorable(enemy: Enemy, cell: int, present: int) -> bool:
    """A building or woods hex no farther from a Known enemy than the present hex may be ignored (3.6)."""
    here, there = enemy.ground.ranges[present], enemy.ground.ranges[cell]
    return any([there[foe] <= here[foe] for foe in enemy.view(present)])


def own_building(enemy: Enemy, cell: int, start: int) -> bool:
    """A unit may always rout out of the building in which it begins (3.6)."""
    building = enemy.ground.building[start]
    return bool(building) and enemy.ground.building[cell] == building


def goals_of(enemy: Enemy, cell: int, seen: Seen, left: int, start: int) -> tuple[int, ...]:
    """Buildings and woods that a unit may rout to: no other that it may not ignore is nearer in MF (3.6).

    Empty: none can be reached or all may be ignored, and any hex will do. `start`: where the rout began (ruling P-10).
    """
    cover = enemy.cover
    found: list[int] = []
    nearest = left + 1
    bound = False
    for to, cost in reach(enemy, cell, seen, left):
        if cost > nearest:
            break
        if to in (cell, start) or not cover[to] or enemy.beside_unbroken(to) or not enemy.room(to):
            continue
        found.append(to)
        if not ignorable(enemy, to, start) and not own_building(enemy, to, start):
            nearest, bound = cost, True
    return tuple(found) if bound else ()


# -- what a routing unit may do next ----------------------------------------------------


def options(state: SquadState, rout: Rout) -> Rout:
    """The rout with the steps that it may take now (3.6)."""
    movers = routing_units(state, rout)
    enemy = Enemy(state, movers)
    cell = movers[0].at
    left = rout_mf(movers) - rout.spent
    seen = frozenset(rout.seen) | enemy.view(cell)
    goals = rout.goals if rout.hexes else goals_of(enemy, cell, seen, left, cell)
    reached = rout.reached or cell in goals
    if rout.hexes and goals and not reached and not _leads_on(enemy, cell, seen, left, goals):
        # a leader wounded on the way has fewer MF than at the start, and a Gun revealed may bar the way (ruling P-13)
        goals = goals_of(enemy, cell, seen, left, rout.start)
    stops = rout.hexes > 0 and must_stop(enemy, rout, cell)
    chains = rout.hexes > 0 and enemy.cover[cell] and (reached or not goals)
    steps: list[RoutOption] = []
    for way in enemy.ground.ways[cell]:
        if not enemy.allows(cell, way.to, seen):
            continue
        for road in (True, False):
            if (road and not way.road) or (not road and way.road and not way.choice):
                continue
            cost = step_cost(state, way, road=road, units=enemy.names)
            if cost > left:
                continue
            legal = chains and enemy.cover[way.to] and not enemy.beside_unbroken(way.to)
            if not legal and not stops:
                legal = _leads_on(enemy, way.to, seen | enemy.view(way.to), left - cost, goals)
            if legal:
                steps.append(RoutOption(way.to, road, cost))
    return replace(
        rout,
        seen=tuple(sorted(seen)),
        goals=goals,
        reached=reached,
        steps=tuple(steps),
        crawls=_crawls(enemy, cell, steps) if not rout.hexes else (),
        can_stop=_may_stop(enemy, rout.hexes, cell, goals, reached=reached),
    )


def _leads_on(enemy: Enemy, cell: int, seen: Seen, left: int, goals: tuple[int, ...]) -> bool:
    """Whether a goal can be reached from a hex, or without goals a place away from unbroken enemies (3.6)."""
    for other, _ in reach(enemy, cell, seen, left):
        if other in goals if goals else not enemy.beside_unbroken(other) and enemy.room(other):
            return True
    return False


def must_stop(enemy: Enemy, rout: Rout, cell: int) -> bool:
    """In a building or woods not beside an enemy it must stop, unless the hex may be ignored (3.6)."""
    if not enemy.cover[cell] or enemy.beside_any(cell) or own_building(enemy, cell, rout.start):
        return False
    return not ignorable(enemy, cell, rout.start)


def _may_stop(enemy: Enemy, hexes: int, cell: int, goals: tuple[int, ...], *, reached: bool) -> bool:
    """A routing unit stops in a building or woods that it may rout to, or anywhere if there is none (3.6)."""
    if not hexes or enemy.beside_unbroken(cell):
        return False
    return not goals or (reached and enemy.cover[cell])


def _crawls(enemy: Enemy, cell: int, steps: list[RoutOption]) -> tuple[int, ...]:
    """Hexes into which a unit may Low Crawl: the first hex of a legal rout, with all its MF (3.6, G27)."""
    found: dict[int, None] = {}
    wet = enemy.ground.no_crawl
    for step in steps if cell not in wet else ():
        if (
            step.to not in wet
            and not enemy.beside_unbroken(step.to)
            and enemy.room(step.to)
            and _leads_away(enemy, cell, step.to)
        ):
            found[step.to] = None
    return tuple(found)


def _leads_away(enemy: Enemy, cell: int, to: int) -> bool:
    """The guide's Low Crawl into the open in sight must lead away from the nearest Known enemy (G27)."""
    if not enemy.rules.of(RoutRules).low_crawl_away or next(interdictors(enemy.state, to, enemy.side), None) is None:
        return True
    known = enemy.view(cell)
    if not known:
        return True
    before, after = enemy.ground.ranges[cell], enemy.ground.ranges[to]
    return min([after[foe] for foe in known]) > min([before[foe] for foe in known])
