"""The course of a battle (13.2 to 13.6): who fires in which step, at whom, and what the shots can come to.

Play, the exact odds and the computer players go by it. Under standard conduct every shot goes at the target that
`priority` names; so the next hit always falls on the same unit, and only the number of hits matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

from sandtable.games.underbelly.modifiers import BOMBER_HIT, DIE, RUBBLE, RUBBLE_SHARE

N = TypeVar("N", float, Fraction)
T = TypeVar("T")


class Step(NamedTuple):
    """A step of fire: which side fires, and with what."""

    attacking: bool
    divisions: bool
    support: bool


BARRAGE = Step(attacking=True, divisions=False, support=True)
DEFENSIVE_FIRE = Step(attacking=False, divisions=True, support=True)
OFFENSIVE_FIRE = Step(attacking=True, divisions=True, support=False)


def firing(step: Step, units: Sequence[T], division: Callable[[T], bool]) -> list[T]:
    """The units of the firing side that fire in a step (13.2)."""
    return [unit for unit in units if (step.divisions if division(unit) else step.support)]


def aimed_at(living: Sequence[T], division: Callable[[T], bool]) -> Sequence[T]:
    """Whom ground units may fire at: divisions, and corps support only when no division is left (13.5)."""
    return [unit for unit in living if division(unit)] or living


def only_support(living: Sequence[T], division: Callable[[T], bool]) -> bool:
    """Whether no division of a force is left: an attack is then broken off (13.2, step 4)."""
    return bool(living) and not any([division(unit) for unit in living])


def priority(steps: int, factor: int, order: int) -> tuple[int, int, int]:
    """Standard conduct: a target that the shot can eliminate, and of those the strongest."""
    return steps, -factor, order


# -- standard conduct ---------------------------------------------------------------------


class Fighter(NamedTuple):
    """A unit on the Battle Board: its steps, its combat factors and its to-hit numbers with one step and with two."""

    steps: int
    division: bool
    factors: tuple[int, int]
    needs: tuple[int, int]


Force = tuple[Fighter, ...]
Left = Sequence[int]
"""The steps that each unit of a force has left."""


def chance(need: int) -> float:
    """The chance of a shot."""
    return max(0.0, min(float(DIE), need)) / DIE


def exact_chance(need: int) -> Fraction:
    """The chance of a shot as a fraction."""
    return Fraction(max(0, min(DIE, need)), DIE)


class Exchange(NamedTuple, Generic[N]):
    """What the defensive fire has come to, and the offensive fire that follows."""

    chance: N
    lost: int
    """Steps that the attacker loses for good: a forced break-off gives one back (13.2, step 4)."""
    broken: bool
    """Whether no attacking division is left."""
    struck: int
    """Steps that the defender has lost so far."""
    hits: Sequence[N]
    """The chance of each number of further hits."""


def order_of_hits(force: Force, left: Left) -> list[int]:
    """Whom the hits strike one after the other."""
    now = list(left)
    order: list[int] = []
    while any(now):
        struck = _target(force, now, anybody=False)
        order.append(struck)
        now[struck] -= 1
    return order


def _target(force: Force, left: Left, *, anybody: bool) -> int:
    living = [n for n, steps in enumerate(left) if steps]
    choices = living if anybody else aimed_at(living, lambda n: force[n].division)
    return min(choices, key=lambda n: priority(left[n], force[n].factors[left[n] - 1], n))


def _after(left: Left, order: Sequence[int], hits: int) -> list[int]:
    now = list(left)
    for struck in order[:hits]:
        now[struck] -= 1
    return now


class Course(Generic[N]):
    """A battle under standard conduct, worked out step by step in numbers of one sort."""

    def __init__(self, attack: Force, defence: Force, number: Callable[[int], N]) -> None:
        self._attack = attack
        self._defence = defence
        self._number: Callable[[int], N] = number
        self._one: N = number(DIE)
        self._nothing: N = number(0)
        self._attack_left = [unit.steps for unit in attack]
        self._attacked = order_of_hits(attack, self._attack_left)
        self.steps = sum(unit.steps for unit in defence)
        """The steps of the defender."""

    def exchanges(self, *, bombers: bool, shelter: bool, city: bool) -> Iterator[Exchange[N]]:
        """Everything that the battle can come to; `shelter`: bombs may bury their target in rubble (13.6)."""
        for left, buried, p in self._barrage(bombers=bombers, shelter=shelter):
            struck = self.steps - sum(left)
            order = order_of_hits(self._defence, left)
            covered = [n for n, unit in enumerate(order) if unit == buried]
            for number, q in enumerate(self._volley(DEFENSIVE_FIRE, self._defence, left)):
                hits = min(number, len(self._attacked))
                ours = _after(self._attack_left, self._attacked, hits)
                living = [unit for unit, steps in zip(self._attack, ours, strict=True) if steps]
                if any(unit.division for unit in living):
                    fire = self._volley(OFFENSIVE_FIRE, self._attack, ours, covered)
                    yield Exchange(p * q, hits, False, struck, fire)
                else:
                    saved = bool(living and not city and hits)
                    yield Exchange(p * q, hits - saved, True, struck, (self._one,))

    def _barrage(self, *, bombers: bool, shelter: bool) -> Iterator[tuple[list[int], int, N]]:
        """What support and bombers leave of the defender, and who lies in rubble (-1: nobody)."""
        defence = self._defence
        whole = [unit.steps for unit in defence]
        order = order_of_hits(defence, whole)
        for hits, p in enumerate(self._volley(BARRAGE, self._attack, self._attack_left)):
            left = _after(whole, order, hits)
            if not bombers or not any(left):
                yield left, -1, p
                continue
            target = _target(defence, left, anybody=True)
            hit = self._number(BOMBER_HIT)
            cover = self._number(RUBBLE_SHARE) if shelter else self._nothing
            for after, q in ((left, self._one - hit), (_after(left, (target,), 1), hit)):
                for buried, share in ((-1, self._one - cover), (target, cover)):
                    if share:
                        yield after, buried, p * q * share

    def _volley(self, step: Step, force: Force, left: Left, covered: Sequence[int] = ()) -> list[N]:
        """The chances of the hits of a step; hits at the numbers that are covered fall on somebody in rubble."""
        found = [self._one]
        armed = [n for n, steps in enumerate(left) if steps]
        for n in firing(step, armed, lambda n: force[n].division):
            need = force[n].needs[min(left[n], 2) - 1]
            if need > 0:
                for _ in range(left[n]):
                    found = self._shot(found, need, covered)
        return found

    def _shot(self, chances: list[N], need: int, covered: Sequence[int]) -> list[N]:
        p, harder = self._number(need), self._number(need + RUBBLE)
        found = [self._nothing] * (len(chances) + 1)
        for hits, before in enumerate(chances):
            now = harder if hits in covered else p
            found[hits] += before * (self._one - now)
            found[hits + 1] += before * now
        return found
