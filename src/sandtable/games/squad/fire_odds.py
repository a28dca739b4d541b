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
from sandtable.games.squad.tables import IFT, FireResult

SUMS = tuple([(total, (6 - abs(7 - total)) / 36) for total in range(2, 13)])
"""The sums of two dice with their chances."""

Fate = dict[Unit | None, float]
"""What a unit may have become, None: eliminated, with chances."""


class Step(NamedTuple):
    """Something that befalls all units that are not leaders, in one of the worlds."""

    kind: str
    """`kill` or `reduce` (Random Selection), `check` (MC and PTC of the attack), `loss` (LLMC or LLTC)."""
    names: tuple[str, ...]
    chance: float = 0.0
    """Of being selected."""
    drm: tuple[tuple[str, int], ...] = ()
    """Help and hindrance by leaders, for each side."""
    loss: Loss | None = None


Path = tuple[int, ...]
"""Steps by their numbers in the memory."""


class Memory:
    """What several results of one attack share: steps by number, and what losses of leaders led to before."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._numbers: dict[Step, int] = {}
        self.losses: dict[tuple[tuple[int, ...], Loss], tuple[dict[str, Unit | None], list[World]]] = {}
        self._checks: dict[tuple[int, int], Fate] = {}
        self._units: list[Unit] = []
        """Units and fates are told apart by their identity here, and so all of them are kept."""
        self._grief: dict[tuple[int, int, bool, int], tuple[Fate, Fate]] = {}
        self._shocks: dict[tuple[int, int, bool, int], Fate] = {}
        self._mixes: dict[int, tuple[Unit, list[tuple[Unit, float]]]] = {}
        self._lumps: dict[int, tuple[Fate, list[tuple[Unit | None, float]]]] = {}

    def check(self, card: Setting, unit: Unit, drm: int) -> Fate:
        """After a morale check."""
        key = (id(unit), drm)
        found = self._checks.get(key)
        if found is None:
            found = _after_check(card, unit, drm, False)
            self._checks[key] = found
            self._units.append(unit)
        return found

    def task(self, card: Setting, unit: Unit, drm: int) -> Fate:
        """After a Pin Task Check; broken and pinned units take none."""
        return {unit: 1.0} if unit.broken or unit.pinned else _after_check(card, unit, drm, True)

    def after_loss(self, card: Setting, unit: Unit, loss: Loss, drm: int) -> Fate:
        """A LLMC or LLTC, if the unit must take one (3.2.3)."""
        if not shaken(card, unit, loss):
            return {unit: 1.0}
        return self.check(card, unit, drm) if loss.eliminated else self.task(card, unit, drm)

    def shock(self, card: Setting, unit: Unit, loss: Loss, drm: int) -> Fate:
        """The same for a unit of the leader's side that is none itself: only his morale and end count."""
        key = (id(unit), loss.morale, loss.eliminated, drm)
        found = self._shocks.get(key)
        if found is None:
            found = self._shocks[key] = self.after_loss(card, unit, loss, drm)
            self._units.append(unit)
        return found

    def grieve(self, card: Setting, fate: Fate, loss: Loss, drm: int) -> Fate:
        """What the loss of a leader makes of a fate (3.2.3)."""
        key = (id(fate), loss.morale, loss.eliminated, drm)
        known = self._grief.get(key)
        if known is None:
            spared = not loss.eliminated
            sums: dict[int, float] = {}
            found: dict[int, Unit | None] = {}
            for unit, chance in fate.items():
                if unit is None or (spared and (unit.broken or unit.pinned)):
                    sums[id(unit)] = sums.get(id(unit), 0.0) + chance
                    found[id(unit)] = unit
                    continue
                for left, part in self.shock(card, unit, loss, drm).items():
                    place = id(left)
                    sums[place] = sums.get(place, 0.0) + chance * part
                    found[place] = left
            after: Fate = {}
            for place, chance in sums.items():
                left = found[place]
                after[left] = after.get(left, 0.0) + chance
            known = self._grief[key] = fate, after
        return known[1]

    def lump(self, fate: Fate) -> list[tuple[Unit | None, float]]:
        """A leader's fate with all ways of breaking as one: he helps nobody any more, however he broke."""
        if id(fate) not in self._lumps:
            broken = [(unit, part) for unit, part in fate.items() if unit is not None and unit.broken]
            whole: list[tuple[Unit | None, float]] = list(fate.items())
            if len(broken) > 1:
                total = sum([part for _, part in broken])
                one = replace(broken[0][0])
                self._mixes[id(one)] = one, [(unit, part / total) for unit, part in broken]
                whole = [pair for pair in fate.items() if pair[0] is None or not pair[0].broken]
                whole.append((one, total))
            self._lumps[id(fate)] = fate, whole
        return self._lumps[id(fate)][1]

    def variants(self, unit: Unit | None) -> list[tuple[Unit | None, float]]:
        """What stands behind a leader of a world: mostly himself, or the ways in which he broke."""
        mix = self._mixes.get(id(unit))
        return [(unit, 1.0)] if mix is None else list(mix[1])

    def number(self, step: Step) -> int:
        """The number of a step."""
        found = self._numbers.get(step)
        if found is None:
            found = self._numbers[step] = len(self.steps)
            self.steps.append(step)
        return found


class World(NamedTuple):
    """One thing that may have become of the leaders, and what it means for all others."""

    chance: float
    leaders: dict[str, Unit | None]
    path: Path = ()
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
            same = None if left is None else _same(left)
            found[same] = found.get(same, 0.0) + chance * part
    return found


Sums = dict[int, tuple[Unit | None, float]]
"""A fate being summed up by identity: equal units are the same object mostly, and hashing them is slow."""


def _add(sums: Sums, unit: Unit | None, chance: float) -> None:
    key = id(unit)
    sums[key] = (unit, sums[key][1] + chance) if key in sums else (unit, chance)


def _fate(sums: Sums) -> Fate:
    fate: Fate = {}
    for unit, chance in sums.values():
        fate[unit] = fate[unit] + chance if unit in fate else chance
    return fate


@lru_cache(maxsize=5000)
def _same(unit: Unit) -> Unit:
    """One object for all equal units."""
    return unit


def _then(fate: Fate, step: Callable[[Unit], Fate]) -> Fate:
    """A further step for all that is left of a unit."""
    if len(fate) == 1:
        (only,) = fate
        return fate if only is None else step(only)
    sums: Sums = {}
    for unit, chance in fate.items():
        if unit is None:
            _add(sums, None, chance)
            continue
        for left, part in step(unit).items():
            _add(sums, left, chance * part)
    return _fate(sums)


def subset_chance(n: int, count: int, size: int) -> float:
    """The chance that Random Selection of `count` of n picks just one given set of a size, ties included (3.2.3)."""
    if n <= count or not count:
        return 1.0 if size == min(n, count) else 0.0
    if size < count:
        return 0.0
    ways: int = 0
    for lowest in range(1, 7):
        for higher in range(count):
            if higher < size:
                ways += comb(size, higher) * (6 - lowest) ** higher * (lowest - 1) ** (n - size)
    return float(ways / 6**n)


# -- the attack ---------------------------------------------------------------------------

LOST = FireResult("KIA", 99)
"""Stands for what takes a unit away for certain, as a Direct Hit on its Gun (6.7)."""


def gun_lost(impact: Impact) -> float:
    """The chance that a Gun under a KIA is destroyed although its shield saved the crew (6.7)."""
    if not impact.saved:
        return 0.0
    drm = impact.drm if impact.gun_drm is None else impact.gun_drm
    return sum([IFT.result(impact.column, die + drm).kind == "KIA" for die in range(1, 7)]) / 6


def guns_judged(impacts: Sequence[Impact]) -> list[tuple[list[Impact], float]]:
    """What an attack comes to after the drs for Guns whose shields saved their crews, with chances (6.7)."""
    found: list[tuple[list[Impact], float]] = [([], 1.0)]
    for impact in impacts:
        chance = gun_lost(impact)
        plain = impact._replace(saved=False) if impact.saved else impact
        after = [([*before, plain], part * (1 - chance)) for before, part in found if chance < 1]
        if chance:
            gone = impact._replace(result=LOST, apart=True, saved=False)
            after += [([*before, gone], part * chance) for before, part in found]
        found = after
    return found


def _loss(card: Setting, unit: Unit, now: Unit | None) -> tuple[Loss, ...]:
    """The loss of a leader between two moments (3.2.3)."""
    if now is not None and (unit.broken or not now.broken):
        return ()
    kind = card.kinds[unit.group, unit.kind]
    return (Loss(unit.id, unit.side, unit.at, level(kind, unit), leadership_of(kind, unit), now is None),)


def _branch(
    worlds: Sequence[World],
    leader: str,
    card: Setting,
    step: Callable[[Unit, World], Fate],
    memory: Memory | None = None,
) -> list[World]:
    """Every world split by what a step makes of a leader; with a memory all ways of breaking are one."""
    found = []
    for world in worlds:
        chance, leaders, path, losses = world
        unit = leaders[leader]
        if unit is None:
            found.append(world)
            continue
        fate = step(unit, world)
        for now, part in fate.items() if memory is None or unit.broken else memory.lump(fate):
            if now is unit:
                found.append(World(chance * part, leaders, path, losses))
            else:
                lost = losses + _loss(card, unit, now)
                found.append(World(chance * part, {**leaders, leader: now}, path, lost))
    return found


def _hit(card: Setting, unit: Unit, kill: bool) -> Fate:
    """A unit selected for a KIA or a K (3.2.3)."""
    return {None: 1.0} if kill else _reduced(card, unit)


def _spared(card: Setting, unit: Unit, kill: bool) -> Fate:
    """A unit not selected: after a KIA it breaks, or is reduced if it was broken (3.2.3)."""
    if not kill:
        return {unit: 1.0}
    return _reduced(card, unit) if unit.broken else {_broken(unit): 1.0}


def _drm(card: Setting, unit: Unit, helpers: Sequence[Unit]) -> int:
    leader = helper_of(card, unit, helpers)
    return 0 if leader is None else leadership_of(card.kinds[leader.group, leader.kind], leader)


class AttackOdds:
    """The odds of one result for each target: worlds of the leaders, and the fates of all others by their path."""

    def __init__(
        self, card: Setting, units: dict[str, Unit], impacts: Sequence[Impact], memory: Memory | None = None
    ) -> None:
        self.card = card
        self.memory = memory or Memory()
        self.units = units
        kinds = card.kinds
        self.others = [unit for unit in units.values() if kinds[unit.group, unit.kind].mmc]
        self.sample = {unit.side: unit for unit in self.others}
        self.numbers: dict[str, int | None] = {}
        self._fates: dict[Path, dict[str, Fate]] = {(): {unit.id: {unit: 1.0} for unit in self.others}}
        leaders = {u.id: u for u in units.values() if not kinds[u.group, u.kind].mmc}
        self.worlds = [World(1.0, dict(leaders))]
        for result, group in by_result(impacts):
            names = tuple([impact.unit for impact in group])
            if result.kind in ("KIA", "K"):
                kill = result.kind == "KIA"
                self.worlds = self._casualties(names, result.number if kill else 1, kill)
            if result.kind in ("K", "MC", "PTC"):
                self.numbers.update(dict.fromkeys(names, None if result.kind == "PTC" else result.number))
        self._check_everybody()
        if card.rules.leader_loss:
            self._leader_losses()

    # -- leaders ------------------------------------------------------------------------

    def _casualties(self, names: tuple[str, ...], count: int, kill: bool) -> list[World]:
        """KIA or K of a group: which leaders are selected, and how likely each other unit is then (3.2.3)."""
        card = self.card
        leaders = [name for name in names if name in self.worlds[0].leaders]
        rest = len(names) - len(leaders)
        weights = [subset_chance(len(names), count, size) for size in range(len(names) + 1)]
        found: list[World] = []
        for bits in range(2 ** len(leaders)):
            chosen = {name for place, name in enumerate(leaders) if bits >> place & 1}
            k = len(chosen)
            chance = sum([comb(rest, j) * weights[k + j] for j in range(rest + 1)])
            if not chance:
                continue
            both = sum([comb(rest - 1, j - 1) * weights[k + j] for j in range(1, rest + 1)]) if rest else 0.0
            step = self.memory.number(Step("kill" if kill else "reduce", names, both / chance))
            worlds = [World(w.chance * chance, w.leaders, (*w.path, step), w.losses) for w in self.worlds]
            for name in leaders:
                befall = _hit if name in chosen else _spared
                worlds = _branch(worlds, name, card, lambda unit, _, befall=befall: befall(card, unit, kill))  # type: ignore[misc]
            found += worlds
        return found

    def _check_everybody(self) -> None:
        """MC and PTC in their order, the leaders first (3.2.3)."""
        card, units, numbers, memory = self.card, self.units, self.numbers, self.memory
        if not numbers:
            return
        order = [unit.id for unit in check_order(card, [units[name] for name in numbers])]
        done: list[str] = []
        for name in [name for name in order if name in self.worlds[0].leaders]:
            number, before = numbers[name], tuple(done)

            def step(unit: Unit, world: World, number: int | None = number, before: tuple[str, ...] = before) -> Fate:
                if unit.tried:
                    return {unit: 1.0}
                drm = _drm(card, unit, _helpers(world, before))
                return memory.task(card, unit, drm) if number is None else memory.check(card, unit, number + drm)

            self.worlds = _branch(self.worlds, name, card, step, self.memory)
            done.append(name)
        rest = tuple([name for name in order if name not in done])
        if not rest:
            return
        found = []
        for chance, leaders, path, losses in self.worlds:
            helpers = [now for name in done if (now := leaders[name]) is not None and not now.tried]
            drm = tuple([(side, _drm(card, unit, helpers)) for side, unit in self.sample.items()])
            found.append(World(chance, leaders, (*path, self.memory.number(Step("check", rest, drm=drm))), losses))
        self.worlds = found

    def _leader_losses(self) -> None:
        """LLMC and LLTC, until no loss is left (3.2.3)."""
        done = []
        waiting = self.worlds
        while waiting:
            world = waiting.pop()
            if world[3]:
                waiting += self._after_first_loss(world)
            else:
                done.append(world)
        self.worlds = done

    def _after_first_loss(self, world: World) -> list[World]:
        """The leaders concerned by a loss check, then all others; the same leaders come to the same (3.2.3)."""
        chance, leaders, path, losses = world
        key = (tuple([id(unit) for unit in leaders.values()]), losses[0])
        found = self.memory.losses.get(key)
        if found is None:
            found = self.memory.losses[key] = leaders, self._loss_worlds(leaders, losses[0])
        rest = losses[1:]
        return [World(chance * c, now, path + steps, rest + lost) for c, now, steps, lost in found[1]]

    def _loss_worlds(self, leaders: dict[str, Unit | None], loss: Loss) -> list[World]:
        card, memory = self.card, self.memory
        drm = max(0, -loss.leadership)
        touched = [unit for unit in leaders.values() if unit is not None and shaken(card, unit, loss)]
        worlds = self._told_apart(World(1.0, leaders)) if loss.eliminated else [World(1.0, leaders)]
        order = [unit.id for unit in check_order(card, touched)] if touched else []
        for place, name in enumerate(order):
            pending = set(order[place:])

            def step(unit: Unit, now: World, pending: set[str] = pending) -> Fate:
                helpers = [u for u in now.leaders.values() if u is not None and u.id not in pending]
                return memory.after_loss(card, unit, loss, drm + _drm(card, unit, helpers))

            worlds = _branch(worlds, name, card, step)
        sample = self.sample.get(loss.side)
        if sample is None:
            return worlds
        found = []
        # for all others it does not matter which leader it was
        felt = loss._replace(leader="", leadership=0)
        for chance, now, _, lost in worlds:
            total = drm + _drm(card, sample, [unit for unit in now.values() if unit is not None])
            number = self.memory.number(Step("loss", (), 0.0, ((loss.side, total),), felt))
            found.append(World(chance, now, (number,), lost))
        return found

    def _told_apart(self, world: World) -> list[World]:
        """A world for each way in which its leaders broke: their own checks depend on it."""
        worlds = [world]
        for name, unit in world.leaders.items():
            ways = self.memory.variants(unit)
            if len(ways) > 1:
                worlds = [World(w.chance * part, {**w.leaders, name: way}) for w in worlds for way, part in ways]
        return worlds

    def outcomes(self) -> Iterator[tuple[str, Unit | None, float]]:
        """What each unit may become, with chances; the same outcome may come several times."""
        paths: dict[Path, float] = {}
        for chance, leaders, path, _ in self.worlds:
            paths[path] = paths.get(path, 0.0) + chance
            for name, now in leaders.items():
                for way, part in self.memory.variants(now):
                    yield name, way, chance * part
        for path, chance in paths.items():
            for name, fate in self.fates(path).items():
                for now, share in fate.items():
                    yield name, now, chance * share

    # -- others -------------------------------------------------------------------------

    def fates(self, path: Path) -> dict[str, Fate]:
        """What becomes of all units that are not leaders on a path; each is worked out once."""
        found = self._fates.get(path)
        if found is None:
            found = self._fates[path] = self._walk(self.fates(path[:-1]), self.memory.steps[path[-1]])
        return found

    def _walk(self, fates: dict[str, Fate], step: Step) -> dict[str, Fate]:
        card, units, drm = self.card, self.units, dict(step.drm)
        found = dict(fates)
        if step.loss is not None:
            loss = step.loss
            total = drm[loss.side]
            for name, fate in fates.items():
                if units[name].side == loss.side:
                    found[name] = self.memory.grieve(card, fate, loss, total)
            return found
        for name in [name for name in step.names if name in fates]:
            if step.kind == "check":
                found[name] = self._checked(fates[name], self.numbers[name], drm[units[name].side])
            else:
                found[name] = self._selected(fates[name], step)
        return found

    def _checked(self, fate: Fate, number: int | None, drm: int) -> Fate:
        if number is None:
            return _then(fate, lambda unit: self.memory.task(self.card, unit, drm))
        return _then(fate, lambda unit: self.memory.check(self.card, unit, number + drm))

    def _selected(self, fate: Fate, step: Step) -> Fate:
        kill = step.kind == "kill"
        found: Fate = {}
        for part, befall in ((step.chance, _hit), (1 - step.chance, _spared)):
            if not part:
                continue
            for left, chance in _then(fate, lambda unit, befall=befall: befall(self.card, unit, kill)).items():  # type: ignore[misc]
                found[left] = found.get(left, 0.0) + chance * part
        return found


def _helpers(world: World, names: Sequence[str]) -> list[Unit]:
    """Leaders who have come through unharmed."""
    return [now for name in names if (now := world.leaders[name]) is not None and not now.tried]
