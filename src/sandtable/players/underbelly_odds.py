"""Odds of a battle in Soft Underbelly, quick enough to weigh every attack: the exact odds of standard conduct (13.2).

Under standard conduct the next hit always falls on the same unit, so that only the number of hits matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.games.underbelly.combat import deploy, in_city
from sandtable.games.underbelly.model import AttackDraft, Battle, UnderbellyState
from sandtable.games.underbelly.modifiers import BOMBER_HIT, DIE, can_fire, hit_tally
from sandtable.games.underbelly.zones import UNITS

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


class _Force:
    """One side of the board: who fires how well after so many hits."""

    def __init__(self, state: UnderbellyState, battle: Battle, units: Sequence[str]) -> None:
        self.steps = {u: state.steps[u] for u in units if state.steps[u] > 0}
        kept = dict(self.steps)
        self.needs: dict[tuple[str, int], float] = {}
        for unit, steps in kept.items():
            for left in range(1, steps + 1):
                state.steps[unit] = left
                need = hit_tally(state, battle, unit).total if can_fire(battle, unit) else 0
                self.needs[unit, left] = max(0.0, min(float(DIE), need)) / DIE
            state.steps[unit] = steps
        self.order = _order_of_hits(kept)

    def after(self, hits: int) -> dict[str, int]:
        """Steps left after so many hits."""
        left = dict(self.steps)
        for unit in self.order[:hits]:
            left[unit] -= 1
        return left

    def shots(self, left: dict[str, int], *, divisions: bool, support: bool) -> Chances:
        """The chances of the hits that units with so many steps score."""
        found = [1.0]
        for unit, steps in left.items():
            division = UNITS[unit].division
            if steps and (divisions if division else support):
                p = self.needs[unit, steps]
                for _ in range(steps):
                    found = _one_more(found, p)
        return found


def _order_of_hits(steps: dict[str, int]) -> list[str]:
    """Whom the hits strike one after the other: reduced units first, the strongest first, divisions before support."""
    left = dict(steps)
    order: list[str] = []
    while any(left.values()):
        living = [u for u, n in left.items() if n]
        aimed = [u for u in living if UNITS[u].division] or living
        unit = min(aimed, key=lambda u: (left[u], -_factor(u, left[u]), UNITS[u].order))
        order.append(unit)
        left[unit] -= 1
    return order


def _factor(unit: str, steps: int) -> int:
    kind = UNITS[unit]
    return kind.full if steps >= kind.steps else kind.reduced


def _one_more(chances: Chances, p: float) -> Chances:
    if p <= 0:
        return chances
    found = [0.0] * (len(chances) + 1)
    for hits, chance in enumerate(chances):
        found[hits] += chance * (1 - p)
        found[hits + 1] += chance * p
    return found


def forecast(state: UnderbellyState, battle: Battle) -> Forecast:
    """Work the battle out step by step; the state is left as it was."""
    attack, defence = _Force(state, battle, battle.attackers), _Force(state, battle, battle.defenders)
    total = len(defence.order)
    if not total:
        return Forecast(0.0, 0.0, 1.0, 0.0)
    barrage = attack.shots(attack.steps, divisions=False, support=True)
    if battle.bombers:
        barrage = _one_more(barrage, BOMBER_HIT / DIE)
    lost = killed = cleared = broken = 0.0
    city = in_city(battle)
    for struck, p in enumerate(barrage):
        struck = min(struck, total)
        fire = defence.shots(defence.after(struck), divisions=True, support=True)
        for hits, q in enumerate(fire):
            hits = min(hits, len(attack.order))
            left = attack.after(hits)
            fighting = any(n and UNITS[u].division for u, n in left.items())
            chance = p * q
            if not fighting:
                broken += chance
                gone = hits - 1 if any(left.values()) and not city and hits else hits
                lost += chance * gone
                killed += chance * struck
                cleared += chance * (struck == total)
                continue
            lost += chance * hits
            for more, r in enumerate(attack.shots(left, divisions=True, support=False)):
                dead = min(total, struck + more)
                killed += chance * r * dead
                if dead == total:
                    cleared += chance * r
    return Forecast(lost, killed, cleared, broken)


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
