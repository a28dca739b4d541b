"""Odds of a battle under standard conduct, from the same tallies and the same course that decide it (13.2 to 13.6).

Standard conduct: every shot goes at the target that `pick_target` names, the attacker breaks off only when he
must, the defender stands and commits no TAC unit. A player may of course do better.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from sandtable.games.underbelly.combat import buries, in_city
from sandtable.games.underbelly.course import Course, Exchange, Fighter, Force, chance, exact_chance, priority
from sandtable.games.underbelly.model import Battle, UnderbellyState
from sandtable.games.underbelly.modifiers import DIE, can_fire, combat_factor, hit_tally
from sandtable.games.underbelly.zones import UNITS


def pick_target(state: UnderbellyState, choices: Sequence[str]) -> str:
    """The target of standard conduct: one that the shot can eliminate, and of those the strongest."""
    return min(choices, key=lambda u: priority(state.steps[u], combat_factor(state, u), UNITS[u].order))


def force_of(state: UnderbellyState, battle: Battle, units: Sequence[str]) -> Force:
    """The living units of a force as the course of a battle needs them."""
    found = []
    for unit in units:
        steps = state.steps[unit]
        if not steps:
            continue
        kind = UNITS[unit]
        need = int(hit_tally(state, battle, unit).total) if can_fire(battle, unit) else -DIE
        weak = need - (kind.full - kind.reduced) if steps >= kind.steps == 2 else need
        factors = (kind.reduced, kind.full) if kind.steps == 2 else (kind.full, kind.full)
        found.append(Fighter(steps, kind.division, factors, (weak, need)))
    return tuple(found)


# -- exact --------------------------------------------------------------------------------


class BattleOdds:
    """The chances of what both sides lose, as fractions."""

    def __init__(self, state: UnderbellyState, battle: Battle) -> None:
        attack, defence = (force_of(state, battle, units) for units in (battle.attackers, battle.defenders))
        course = Course(attack, defence, exact_chance)
        found = course.exchanges(bombers=battle.bombers, shelter=buries(state, battle), city=in_city(battle))
        self._exchanges: list[Exchange[Fraction]] = list(found)
        self._steps = course.steps

    def losses(self, *, attacker: bool) -> dict[int, Fraction]:
        """The chances of each number of steps lost by a side.

        A forced break-off gives one step back (13.2, step 4).
        """
        found: dict[int, Fraction] = {}
        for one in self._exchanges:
            if attacker:
                found[one.lost] = found.get(one.lost, Fraction(0)) + one.chance
                continue
            for more, p in enumerate(one.hits):
                lost = min(self._steps, one.struck + more)
                found[lost] = found.get(lost, Fraction(0)) + one.chance * p
        return {lost: p for lost, p in sorted(found.items()) if p}

    def cleared(self) -> Fraction:
        """The chance that no defender is left."""
        return self.losses(attacker=False).get(self._steps, Fraction(0))


# -- quick --------------------------------------------------------------------------------


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


@lru_cache(maxsize=20_000)
def _forecast(attack: Force, defence: Force, bombers: bool, city: bool) -> Forecast:
    course = Course(attack, defence, chance)
    lost = killed = cleared = broken = 0.0
    for one in course.exchanges(bombers=bombers, shelter=False, city=city):
        lost += one.chance * one.lost
        if one.broken:
            broken += one.chance
        for more, p in enumerate(one.hits):
            dead = min(course.steps, one.struck + more)
            killed += one.chance * p * dead
            if dead == course.steps:
                cleared += one.chance * p
    return Forecast(lost, killed, cleared, broken)


def forecast(state: UnderbellyState, battle: Battle) -> Forecast:
    """The odds in round numbers, quick enough to weigh every attack; what rubble spares the defender is left out."""
    defence = force_of(state, battle, battle.defenders)
    attack = force_of(state, battle, battle.attackers)
    return _forecast(attack, defence, battle.bombers, in_city(battle))
