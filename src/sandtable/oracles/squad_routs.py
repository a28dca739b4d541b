"""Rout by the text, read a second time: who must and may, and every hex that a rout may enter (3.6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sandtable.games.squad.ground.guns import can_interdict
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.sight import los, sees
from sandtable.games.squad.phases.switches import PhaseRules
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.games.squad.rout.switches import RoutRules
from sandtable.oracles.squad_march import has_room, is_cover, is_mmc, is_open, ways

Seen = frozenset[int]


@dataclass(frozen=True)
class Verdict:
    """What a routing unit may do next."""

    steps: frozenset[tuple[int, bool]]
    crawls: frozenset[int]
    may_stop: bool
    goals: frozenset[int]


# -- the enemy ----------------------------------------------------------------------------


def enemies(state: SquadState, side: str) -> list[Unit]:
    """Enemy units on the map that are not hidden."""
    return [unit for unit in state.units.values() if unit.side != side and unit.at >= 0 and not unit.hip]


def distance(state: SquadState, one: int, other: int) -> int:
    return int(setting_of(state).ground.ranges[one][other])


def seen_from(state: SquadState, cell: int, side: str) -> Seen:
    """Hexes of enemies who have a hex in sight."""
    return frozenset(enemy.at for enemy in enemies(state, side) if sees(state, enemy.at, cell))


def beside_unbroken(state: SquadState, cell: int, side: str) -> bool:
    """Whether an unbroken Known Enemy Unit is in the hex or adjacent to it."""
    for enemy in enemies(state, side):
        near = distance(state, cell, enemy.at)
        if not enemy.broken and (near == 0 or (near == 1 and sees(state, enemy.at, cell))):
            return True
    return False


def threatened(state: SquadState, unit: Unit) -> bool:
    """In Open Ground where somebody could interdict a unit that routs there."""
    wide = setting_of(state).rules.of(RoutRules).any_range_forces_rout
    return is_open(state, unit.at) and any(
        _interdicts(state, enemy, unit.at, pinned_too=wide) for enemy in enemies(state, unit.side)
    )


def _interdicts(state: SquadState, enemy: Unit, cell: int, *, pinned_too: bool = False) -> bool:
    """Unbroken, unpinned, not CX, not in Melee, in normal range, with an unhindered line and FFMO in force."""
    if enemy.broken or enemy.at == cell or los(state, enemy.at, cell) != 0:
        return False
    if not pinned_too and (enemy.pinned or enemy.cx or enemy.melee):
        return False
    levels = setting_of(state).ground.level
    if levels[cell] > levels[enemy.at]:
        # Height Advantage keeps FFMO away, except from mortars
        return _in_reach(state, enemy, cell) and can_interdict(state, enemy, cell, mortars_only=True)
    return _in_reach(state, enemy, cell)


def _in_reach(state: SquadState, enemy: Unit, cell: int) -> bool:
    """At least one FP within normal range, or Ordnance that could hit."""
    kind, away = unit_kind(state, enemy), distance(state, enemy.at, cell)
    if kind.fp and away <= kind.range:
        return True
    mates = [
        other
        for other in state.units.values()
        if other.at == enemy.at
        and other.side == enemy.side
        and other.id != enemy.id
        and not is_mmc(state, other)
        and not (other.broken or other.pinned or other.cx or other.melee)
    ]
    for name in enemy.weapons:
        weapon = state.weapons[name]
        printed = weapon_kind(weapon)
        if not weapon.broken and away <= printed.range:
            if printed.mg and (kind.mmc or mates):
                return True
            if printed.flamethrower and kind.mmc:
                return True
    return kind.mmc and can_interdict(state, enemy, cell)


# -- who routs ----------------------------------------------------------------------------


def must_rout(state: SquadState, unit: Unit) -> bool:
    return beside_unbroken(state, unit.at, unit.side) or threatened(state, unit)


def may_rout(state: SquadState, unit: Unit) -> bool:
    """Broken, under DM, not in Melee, and with somewhere to go."""
    if not unit.broken or not unit.dm or unit.melee or unit.at < 0:
        return False
    found = reachable(state, [unit], unit.at, seen_from(state, unit.at, unit.side), mf_of([unit]))
    return any(cell != unit.at and _may_end(state, [unit], cell) for cell in found)


def mf_of(units: Sequence[Unit]) -> float:
    """Six MF; three with a wounded leader (ruling P-13)."""
    return 3.0 if any(unit.wounded for unit in units) else 6.0


def _may_end(state: SquadState, units: Sequence[Unit], cell: int) -> bool:
    return not beside_unbroken(state, cell, units[0].side) and has_room(state, cell, units, drop_guns=True)


# -- ways ---------------------------------------------------------------------------------


def may_step(state: SquadState, units: Sequence[Unit], frm: int, to: int, seen: Seen) -> bool:
    """Not toward an enemy who has seen the unit, not along an adjacent one, not into a full hex or an enemy's."""
    rules = setting_of(state).rules
    if any(distance(state, to, foe) < distance(state, frm, foe) for foe in seen):
        return False
    for foe in {enemy.at for enemy in enemies(state, units[0].side)}:
        before, after = distance(state, frm, foe), distance(state, to, foe)
        if after == 0 or (after == 1 and before == 1):
            return False
        if rules.of(RoutRules).never_rout_adjacent and after == 1 and before != 0:
            return False
    return rules.of(PhaseRules).stacking_at_phase_end or has_room(state, to, units, drop_guns=True)


def reachable(state: SquadState, units: Sequence[Unit], cell: int, seen: Seen, left: float) -> dict[int, float]:
    """Hexes that legal steps lead to, with the fewest MF; every way is followed, since what was seen forbids more."""
    side = units[0].side
    best: dict[tuple[int, Seen], float] = {(cell, seen): 0.0}
    waiting = [(cell, seen)]
    while waiting:
        spot = waiting.pop()
        frm, known = spot
        for to, _, cost in ways(state, frm):
            total = best[spot] + cost
            if total > left or not may_step(state, units, frm, to, known):
                continue
            after = (to, known | seen_from(state, to, side))
            if total < best.get(after, left + 1):
                best[after] = total
                waiting.append(after)
    found: dict[int, float] = {}
    for (spot_cell, _), cost in best.items():
        found[spot_cell] = min(cost, found.get(spot_cell, cost))
    return found


def may_ignore(state: SquadState, cell: int, start: int, side: str) -> bool:
    """No farther from a Known enemy than where the rout began, or part of the building it began in (ruling P-10)."""
    buildings = setting_of(state).ground.building
    if buildings[start] and buildings[cell] == buildings[start]:
        return True
    return any(distance(state, cell, foe) <= distance(state, start, foe) for foe in seen_from(state, start, side))


def goals_from(
    state: SquadState, units: Sequence[Unit], cell: int, seen: Seen, left: float, start: int
) -> frozenset[int]:
    """The cover that it may make for: none that it may not ignore is nearer (ruling P-9); empty: any hex will do."""
    reach = reachable(state, units, cell, seen, left)
    cover = {
        spot: mf
        for spot, mf in reach.items()
        if spot not in (cell, start) and is_cover(state, spot) and _may_end(state, units, spot)
    }
    binding = [mf for spot, mf in cover.items() if not may_ignore(state, spot, start, units[0].side)]
    if not binding:
        return frozenset()
    return frozenset(spot for spot, mf in cover.items() if mf <= min(binding))


def judge(
    state: SquadState,
    units: Sequence[Unit],
    *,
    start: int,
    seen: Seen,
    spent: float,
    moved: bool,
    goals: frozenset[int] | None,
    reached: bool,
) -> Verdict:
    """What the text lets a routing unit do next; `goals` are those of its start, None: to be worked out."""
    side, cell = units[0].side, units[0].at
    left = mf_of(units) - spent
    seen = seen | seen_from(state, cell, side)
    if goals is None:
        goals = goals_from(state, units, cell, seen, left, start)
    reached = reached or cell in goals
    if moved and goals and not reached and goals.isdisjoint(reachable(state, units, cell, seen, left)):
        goals = goals_from(state, units, cell, seen, left, start)
    stop_here = moved and is_cover(state, cell) and not may_ignore(state, cell, start, side)
    beside_any = any(distance(state, cell, enemy.at) <= 1 for enemy in enemies(state, side))
    stop_here = stop_here and not beside_any
    in_refuge = moved and is_cover(state, cell) and (reached or not goals)
    steps = set()
    for to, road, cost in ways(state, cell):
        if cost > left or not may_step(state, units, cell, to, seen):
            continue
        onward = reachable(state, units, to, seen | seen_from(state, to, side), left - cost)
        leads = not goals.isdisjoint(onward) if goals else any(_may_end(state, units, spot) for spot in onward)
        from_cover = in_refuge and is_cover(state, to) and not beside_unbroken(state, to, side)
        if from_cover or (leads and not stop_here):
            steps.add((to, road))
    crawls = frozenset(
        to for to, _ in steps if not moved and _may_end(state, units, to) and _leads_away(state, cell, to, side)
    )
    may_stop = moved and not beside_unbroken(state, cell, side) and (not goals or (reached and is_cover(state, cell)))
    return Verdict(frozenset(steps), crawls, may_stop, goals)


def _leads_away(state: SquadState, cell: int, to: int, side: str) -> bool:
    """The guide's Low Crawl into danger leads away from the nearest Known enemy (G27)."""
    if not setting_of(state).rules.of(RoutRules).low_crawl_away or not is_open(state, to):
        return True
    if not any(_interdicts(state, enemy, to) for enemy in enemies(state, side)):
        return True
    known = seen_from(state, cell, side)
    if not known:
        return True
    return min(distance(state, to, foe) for foe in known) > min(distance(state, cell, foe) for foe in known)
