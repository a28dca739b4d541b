"""Odds of a battle in Soft Underbelly, quick enough to weigh every attack: the exact odds of standard conduct (13.2).

Under standard conduct the next hit always falls on the same unit, so that only the number of hits matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.games.underbelly.combat import deploy, in_city
from sandtable.games.underbelly.model import SUPPLIED, AttackDraft, Battle, UnderbellyState
from sandtable.games.underbelly.modifiers import BOMBER_HIT, DIE, can_fire, hit_tally
from sandtable.games.underbelly.zones import UNITS, field

Chances = list[float]
"""The chance of each number of hits."""


class Forecast(NamedTuple):
    """What a battle will probably come to."""

    lost: float
    """Steps that the attacker loses."""
    killed: float
    """Steps that the defender loses."""
    cleared: float
    """The chance that no defender is left."""
    broken: float
    """The chance that no attacking division is left."""


class _Unit(NamedTuple):
    """A unit on the board: what it has, and its chance to hit with one step and with two."""

    steps: int
    division: bool
    factors: tuple[int, int]
    hits: tuple[float, float]


Force = tuple[_Unit, ...]


def _force(state: UnderbellyState, battle: Battle, units: Sequence[str]) -> Force:
    found = []
    for unit in units:
        steps = state.steps[unit]
        if not steps:
            continue
        kind = UNITS[unit]
        whole = steps >= kind.steps
        need = hit_tally(state, battle, unit).total if can_fire(battle, unit) else -DIE
        weak = need - (kind.full - kind.reduced) if whole and kind.steps == 2 else need
        factors = (kind.reduced, kind.full) if kind.steps == 2 else (kind.full, kind.full)
        found.append(_Unit(steps, kind.division, factors, (_chance(weak), _chance(need))))
    return tuple(found)


def _chance(need: float) -> float:
    return max(0.0, min(float(DIE), need)) / DIE


def _order_of_hits(force: Force) -> list[int]:
    """Whom the hits strike one after the other: reduced units first, the strongest first, divisions before support."""
    left = [unit.steps for unit in force]
    order: list[int] = []
    while any(left):
        living = [n for n, steps in enumerate(left) if steps]
        aimed = [n for n in living if force[n].division] or living
        struck = min(aimed, key=lambda n: (left[n], -force[n].factors[left[n] - 1], n))
        order.append(struck)
        left[struck] -= 1
    return order


def _after(force: Force, order: list[int], hits: int) -> list[int]:
    left = [unit.steps for unit in force]
    for struck in order[:hits]:
        left[struck] -= 1
    return left


def _shots(force: Force, left: Sequence[int], *, divisions: bool, support: bool) -> Chances:
    """The chances of the hits that units with so many steps score."""
    found = [1.0]
    for unit, steps in zip(force, left, strict=True):
        if steps and (divisions if unit.division else support):
            for _ in range(steps):
                found = _one_more(found, unit.hits[min(steps, 2) - 1])
    return found


def _one_more(chances: Chances, p: float) -> Chances:
    if p <= 0:
        return chances
    found = [0.0] * (len(chances) + 1)
    for hits, chance in enumerate(chances):
        found[hits] += chance * (1 - p)
        found[hits + 1] += chance * p
    return found


@lru_cache(maxsize=20_000)
def _odds(attack: Force, defence: Force, bombers: bool, city: bool) -> Forecast:
    attacked, defended = _order_of_hits(attack), _order_of_hits(defence)
    total = len(defended)
    barrage = _shots(attack, [unit.steps for unit in attack], divisions=False, support=True)
    if bombers:
        barrage = _one_more(barrage, BOMBER_HIT / DIE)
    lost = killed = cleared = broken = 0.0
    for struck, p in enumerate(barrage):
        struck = min(struck, total)
        fire = _shots(defence, _after(defence, defended, struck), divisions=True, support=True)
        for hits, q in enumerate(fire):
            hits = min(hits, len(attacked))
            left = _after(attack, attacked, hits)
            chance = p * q
            if not any(steps and unit.division for unit, steps in zip(attack, left, strict=True)):
                broken += chance
                saved = bool(any(left) and not city and hits)
                lost += chance * (hits - saved)
                killed += chance * struck
                cleared += chance * (struck == total)
                continue
            lost += chance * hits
            for more, r in enumerate(_shots(attack, left, divisions=True, support=False)):
                dead = min(total, struck + more)
                killed += chance * r * dead
                if dead == total:
                    cleared += chance * r
    return Forecast(lost, killed, cleared, broken)


def forecast(state: UnderbellyState, battle: Battle) -> Forecast:
    """Work the battle out step by step."""
    defence = _force(state, battle, battle.defenders)
    if not defence:
        return Forecast(0.0, 0.0, 1.0, 0.0)
    return _odds(_force(state, battle, battle.attackers), defence, battle.bombers, in_city(battle))


def imagined_battle(
    state: UnderbellyState,
    side: str,
    at: str,
    target: str,
    units: Sequence[str],
    *,
    defenders: Sequence[str] | None = None,
    tac: bool = False,
) -> Battle:
    """A battle that is only thought of: whoever is not there yet fights in full supply."""
    there = tuple(field(state).stack(target)) if defenders is None else tuple(defenders)
    supply = tuple((u, SUPPLIED) for u in (*units, *there))
    return Battle(side, "attack", at, target, tuple(units), there, tuple(units), supply, tac=tac)


def forecast_attack(
    state: UnderbellyState,
    side: str,
    at: str,
    target: str,
    units: Sequence[str],
    *,
    tac: bool = False,
    bombers: bool = False,
) -> Forecast:
    """The odds of an attack that is only thought of."""
    draft = AttackDraft(side, "attack", at, target, tuple(units), tuple(units), tac=tac, bombers=bombers)
    battle = deploy(state, draft)
    return forecast(state, replace(battle, tac=tac, bombers=bombers))
