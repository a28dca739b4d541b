"""Exact chances of a fire attack for each unit attacked, by the rules' own verdicts (3.2.3).

Leaders are followed together, because others lean on them; every other unit then stands by itself, given what
became of the leaders. So all figures are exact sums over the dice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import comb
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.games.squad.effects import Impact, by_result
from sandtable.games.squad.model import Unit
from sandtable.games.squad.morale import (
    FATAL_WOUND,
    Loss,
    Verdict,
    check_order,
    helper_of,
    judge_check,
    judge_task,
    leadership_of,
    level,
    shaken,
)
from sandtable.games.squad.setting import Setting

SUMS = tuple([(total, (6 - abs(7 - total)) / 36) for total in range(2, 13)])
"""The sums of two dice with their chances."""

Fate = dict[Unit | None, float]
"""What a unit may have become, None: eliminated, with chances."""


class World(NamedTuple):
    """One thing that may have become of the leaders, and the chances of all others then."""

    chance: float
    leaders: dict[str, Unit | None]
    others: dict[str, Fate]
    losses: tuple[Loss, ...] = ()


# -- single steps -------------------------------------------------------------------------


def _reduced(card: Setting, unit: Unit) -> Fate:
    """Casualty Reduction, with the wound severity dr of a leader; `tried` marks him as hurt in this attack (3.2.3)."""
    kind = card.kinds[unit.group, unit.kind]
    if not kind.mmc and card.rules.wounds:
        fatal = (7 - FATAL_WOUND + (1 if unit.wounded else 0)) / 6
        return {None: fatal, replace(unit, wounded=True, tried=True): 1 - fatal}
    return {replace(unit, kind=kind.reduced) if kind.reduced else None: 1.0}


def _broken(unit: Unit) -> Unit:
    return unit if unit.broken else replace(unit, broken=True, dm=True, pinned=False)


def _suffered(card: Setting, unit: Unit, verdict: Verdict) -> Fate:
    """What a verdict makes of a unit (3.2.3, 5.1)."""
    if verdict.eliminated:
        return {None: 1.0}
    fate: Fate = _reduced(card, unit) if verdict.reduced else {unit: 1.0}
    result: Fate = {}
    for left, chance in fate.items():
        if left is not None:
            lower = card.kinds[left.group, left.kind].replaced if verdict.replaced else ""
            left = replace(left, kind=lower) if lower else left
            left = _broken(left) if verdict.broken else replace(left, pinned=True) if verdict.pinned else left
        result[left] = result.get(left, 0.0) + chance
    return result


class Checks:
    """Fates of units after checks; what has been worked out once is kept for the whole attack."""

    def __init__(self, card: Setting) -> None:
        self.card = card
        self._steps: dict[tuple[int, int | None, int, int], Fate] = {}
        self._kept: list[Fate] = []
        """Fates are told apart by their identity and so must stay."""

    def check(self, unit: Unit, drm: int) -> Fate:
        """After a morale check."""
        return _after_check(self.card, unit, drm, False)

    def task(self, unit: Unit, drm: int) -> Fate:
        """After a Pin Task Check; broken and pinned units take none."""
        return {unit: 1.0} if unit.broken or unit.pinned else _after_check(self.card, unit, drm, True)

    def checked(self, fate: Fate, number: int | None, drm: int) -> Fate:
        """What a MC (a number) or PTC (None) makes of a fate."""
        key = (id(fate), number, drm, -1)
        found = self._steps.get(key)
        if found is None:
            if number is None:
                found = _then(fate, lambda unit: self.task(unit, drm))
            else:
                total = number + drm
                found = _then(fate, lambda unit: self.check(unit, total))
            self._steps[key] = found
            self._kept.append(fate)
        return found

    def shaken(self, fate: Fate, loss: Loss, drm: int) -> Fate:
        """What the loss of a leader makes of a fate (3.2.3)."""
        key = (id(fate), 0 if loss.eliminated else None, drm, loss.morale)
        found = self._steps.get(key)
        if found is None:
            found = self._steps[key] = _then(fate, lambda unit: self.after_loss(unit, loss, drm))
            self._kept.append(fate)
        return found

    def after_loss(self, unit: Unit, loss: Loss, drm: int) -> Fate:
        """A LLMC or LLTC, if the unit must take one (3.2.3)."""
        if not shaken(self.card, unit, loss):
            return {unit: 1.0}
        return self.check(unit, drm) if loss.eliminated else self.task(unit, drm)


@lru_cache(maxsize=5000)
def _after_check(card: Setting, unit: Unit, drm: int, task: bool) -> Fate:
    """What a check makes of a unit; such fates are shared and never changed."""
    verdicts: dict[Verdict, float] = {}
    for total, chance in SUMS:
        verdict = judge_task(card, unit, total + drm) if task else judge_check(card, unit, total, total + drm)
        verdicts[verdict] = verdicts.get(verdict, 0.0) + chance
    found: Fate = {}
    for verdict, chance in verdicts.items():
        for left, part in _suffered(card, unit, verdict).items():
            found[left] = found.get(left, 0.0) + chance * part
    return found


def _then(fate: Fate, step: Callable[[Unit], Fate]) -> Fate:
    """A further step for all that is left of a unit."""
    if len(fate) == 1:
        (only,) = fate
        return fate if only is None else step(only)
    result: Fate = {}
    for unit, chance in fate.items():
        for left, part in ({None: 1.0} if unit is None else step(unit)).items():
            result[left] = result.get(left, 0.0) + chance * part
    return result


def subset_chance(n: int, count: int, size: int) -> float:
    """The chance that Random Selection of `count` of n picks just one given set of a size, ties included (3.2.3)."""
    if n <= count:
        return 1.0 if size == n else 0.0
    if size < count:
        return 0.0
    ways: int = 0
    for lowest in range(1, 7):
        for higher in range(count):
            if higher < size:
                ways += comb(size, higher) * (6 - lowest) ** higher * (lowest - 1) ** (n - size)
    return float(ways / 6**n)


# -- the attack ---------------------------------------------------------------------------


def _loss(card: Setting, unit: Unit, now: Unit | None) -> tuple[Loss, ...]:
    """The loss of a leader between two moments (3.2.3)."""
    if now is not None and (unit.broken or not now.broken):
        return ()
    kind = card.kinds[unit.group, unit.kind]
    return (Loss(unit.id, unit.side, unit.at, level(kind, unit), leadership_of(kind, unit), now is None),)


def _branch(worlds: Sequence[World], leader: str, card: Setting, step: Callable[[Unit, World], Fate]) -> list[World]:
    """Every world split by what a step makes of a leader."""
    found = []
    for world in worlds:
        chance, leaders, others, losses = world
        unit = leaders[leader]
        if unit is None:
            found.append(world)
            continue
        for now, part in step(unit, world).items():
            if now is unit:
                found.append(World(chance * part, leaders, others, losses))
            else:
                lost = losses + _loss(card, unit, now)
                found.append(World(chance * part, {**leaders, leader: now}, others, lost))
    return found


def _selected(card: Setting, world: World, names: Sequence[str], count: int) -> Iterator[tuple[World, set[str], float]]:
    """Worlds by which leaders are selected, with the chance of each other unit to be selected too."""
    leaders = [name for name in names if name in world.leaders]
    rest = len(names) - len(leaders)
    weights = [subset_chance(len(names), count, size) for size in range(len(names) + 1)]
    for bits in range(2 ** len(leaders)):
        chosen = {name for place, name in enumerate(leaders) if bits >> place & 1}
        k = len(chosen)
        chance = sum(comb(rest, j) * weights[k + j] for j in range(rest + 1))
        if chance:
            both = sum(comb(rest - 1, j - 1) * weights[k + j] for j in range(1, rest + 1)) if rest else 0.0
            yield world._replace(chance=world.chance * chance), chosen, both / chance


def _casualties(card: Setting, worlds: list[World], names: list[str], count: int, kill: bool) -> list[World]:
    """KIA or K of a group: Random Selection, elimination or reduction, and what befalls the rest of a KIA (3.2.3)."""

    def hit(unit: Unit) -> Fate:
        return {None: 1.0} if kill else _reduced(card, unit)

    def spared(unit: Unit) -> Fate:
        if not kill:
            return {unit: 1.0}
        return _reduced(card, unit) if unit.broken else {_broken(unit): 1.0}

    found: list[World] = []
    for world in worlds:
        for split, chosen, other in _selected(card, world, names, count):
            others = dict(split.others)
            for name in names:
                if name in others:
                    fate: Fate = {}
                    for part, step in ((other, hit), (1 - other, spared)):
                        for left, chance in _then(others[name], step).items():
                            fate[left] = fate.get(left, 0.0) + chance * part
                    others[name] = fate
            branches = [split._replace(others=others)]
            for name in names:
                if name in split.leaders:
                    step = hit if name in chosen else spared
                    branches = _branch(branches, name, card, lambda unit, _, step=step: step(unit))  # type: ignore[misc]
            found += branches
    return found


def _drm(card: Setting, unit: Unit, helpers: Sequence[Unit]) -> int:
    leader = helper_of(card, unit, helpers)
    return 0 if leader is None else leadership_of(card.kinds[leader.group, leader.kind], leader)


def _check_everybody(
    card: Setting, checks: Checks, worlds: list[World], numbers: dict[str, int | None], units: dict[str, Unit]
) -> list[World]:
    """MC (a number) and PTC (None) in their order, the leaders first (3.2.3)."""
    order = [unit.id for unit in check_order(card, [units[name] for name in numbers])]
    done: list[str] = []
    for name in [name for name in order if worlds and name in worlds[0].leaders]:
        worlds = _branch(worlds, name, card, _leader_check(card, checks, numbers[name], units, tuple(done)))
        done.append(name)
    rest = [name for name in order if name not in done]
    sample = {units[name].side: units[name] for name in rest}
    found = []
    for world in worlds:
        helpers = [now for name in done if (now := world.leaders[name]) is not None and not now.tried]
        others = dict(world.others)
        drms = {side: _drm(card, unit, helpers) for side, unit in sample.items()}
        for name in rest:
            others[name] = checks.checked(others[name], numbers[name], drms[units[name].side])
        found.append(World(world.chance, world.leaders, others, world.losses))
    return found


def _leader_check(
    card: Setting, checks: Checks, number: int | None, units: dict[str, Unit], done: tuple[str, ...]
) -> Callable[[Unit, World], Fate]:
    def step(unit: Unit, world: World) -> Fate:
        if unit.tried:
            return {unit: 1.0}
        helpers = [now for name in done if (now := world.leaders[name]) is not None and not now.tried]
        drm = _drm(card, unit, helpers)
        return checks.task(unit, drm) if number is None else checks.check(unit, number + drm)

    return step


def _leader_losses(card: Setting, checks: Checks, units: dict[str, Unit], worlds: list[World]) -> list[World]:
    """LLMC and LLTC, until no loss is left (3.2.3)."""
    if not card.rules.leader_loss:
        return worlds
    done = []
    waiting = list(worlds)
    while waiting:
        world = waiting.pop()
        if world[3]:
            waiting += _after_loss(card, checks, units, world)
        else:
            done.append(world)
    return done


def _after_loss(card: Setting, checks: Checks, units: dict[str, Unit], world: World) -> list[World]:
    """The first loss of a world: the leaders concerned check, then all others (3.2.3)."""
    chance, leaders, others, losses = world
    loss = losses[0]
    drm = max(0, -loss.leadership)
    touched = [unit for unit in leaders.values() if unit is not None and shaken(card, unit, loss)]
    worlds = [World(chance, leaders, others, losses[1:])]
    if touched:
        order = [unit.id for unit in check_order(card, touched)]
        for place, name in enumerate(order):
            pending = set(order[place:])

            def step(unit: Unit, now: World, pending: set[str] = pending) -> Fate:
                helpers = [u for u in now.leaders.values() if u is not None and u.id not in pending]
                return checks.after_loss(unit, loss, drm + _drm(card, unit, helpers))

            worlds = _branch(worlds, name, card, step)
    mine = [name for name in others if units[name].side == loss.side]
    if not mine:
        return worlds
    found = []
    for chance, leaders, others, left in worlds:
        total = drm + _drm(card, units[mine[0]], [unit for unit in leaders.values() if unit is not None])
        others = dict(others)
        for name in mine:
            others[name] = checks.shaken(others[name], loss, total)
        found.append(World(chance, leaders, others, left))
    return found


def attack_worlds(card: Setting, units: dict[str, Unit], impacts: Sequence[Impact], checks: Checks) -> list[World]:
    """All that may come of the results of one DR on the units attacked and those stacked with them (3.2.3)."""
    leaders: dict[str, Unit | None] = {}
    others: dict[str, Fate] = {}
    for unit in units.values():
        if card.kinds[unit.group, unit.kind].mmc:
            others[unit.id] = {unit: 1.0}
        else:
            leaders[unit.id] = replace(unit, tried=False)
    worlds = [World(1.0, leaders, others)]
    numbers: dict[str, int | None] = {}
    for result, group in by_result(impacts):
        names = [impact.unit for impact in group]
        if result.kind == "KIA":
            worlds = _casualties(card, worlds, names, result.number, True)
        elif result.kind == "K":
            worlds = _casualties(card, worlds, names, 1, False)
            numbers.update(dict.fromkeys(names, result.number))
        elif result.kind == "MC":
            numbers.update(dict.fromkeys(names, result.number))
        elif result.kind == "PTC":
            numbers.update(dict.fromkeys(names, None))
    worlds = _check_everybody(card, checks, worlds, numbers, units)
    return _leader_losses(card, checks, units, worlds)
