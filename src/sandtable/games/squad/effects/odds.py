"""Exact chances of a fire attack for each unit attacked, by the rules' own verdicts (3.2.3).

Leaders are followed together, because others lean on them; every other unit then stands by itself, given what
became of the leaders. So all figures are exact sums over the dice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import comb
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.games.squad.cards.tables import IFT, FireResult
from sandtable.games.squad.effects.fates import SUMS, Chances, Fate, after_check, family_of, hit, listed, spared
from sandtable.games.squad.effects.morale import Loss, check_order, helper_of, shaken
from sandtable.games.squad.effects.results import Impact, by_result
from sandtable.games.squad.effects.switches import EffectRules
from sandtable.games.squad.effects.verdicts import felt_as, help_of, leadership_of
from sandtable.games.squad.ground.setting import Setting
from sandtable.games.squad.pieces.model import Unit
from sandtable.space.remembered import remembered

__all__ = ["LOST", "SUMS", "AttackOdds", "Memory", "Path", "gun_lost", "guns_judged", "subset_chance"]


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
        self.losses: dict[tuple[tuple[int, ...], Loss], tuple[Leaders, list[World]]] = {}
        self._checks: dict[tuple[int, int], Fate] = {}
        self._losses: dict[tuple[int, bool], tuple[Loss, ...]] = {}
        self._units: list[Unit] = []
        """Units and fates are told apart by their identity here, and so all of them are kept."""
        self._mixes: dict[int, tuple[Unit, list[tuple[Unit, float]]]] = {}
        self._lumps: dict[int, tuple[Fate, list[tuple[Unit | None, float]]]] = {}

    def check(self, setting: Setting, unit: Unit, drm: int) -> Fate:
        """After a morale check."""
        key = (id(unit), drm)
        found = self._checks.get(key)
        if found is None:
            found = _after_check(setting, unit, drm, False)
            self._checks[key] = found
            self._units.append(unit)
        return found

    def task(self, setting: Setting, unit: Unit, drm: int) -> Fate:
        """After a Pin Task Check; broken and pinned units take none."""
        return {unit: 1.0} if unit.broken or unit.pinned else _after_check(setting, unit, drm, True)

    def after_loss(self, setting: Setting, unit: Unit, loss: Loss, drm: int) -> Fate:
        """A LLMC or LLTC, if the unit must take one (3.2.3)."""
        if not shaken(setting, unit, loss):
            return {unit: 1.0}
        checks = loss.eliminated and (unit.broken or not setting.kinds[unit.group, unit.kind].unshaken)
        return self.check(setting, unit, drm) if checks else self.task(setting, unit, drm)

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

    def loss(self, setting: Setting, unit: Unit, gone: bool) -> tuple[Loss, ...]:
        """The loss of a leader who breaks or is eliminated."""
        found = self._losses.get((id(unit), gone))
        if found is None:
            found = self._losses[id(unit), gone] = _loss(setting, unit, gone)
            self._units.append(unit)
        return found

    def number(self, step: Step) -> int:
        """The number of a step."""
        found = self._numbers.get(step)
        if found is None:
            found = self._numbers[step] = len(self.steps)
            self.steps.append(step)
        return found


Leaders = dict[str, Unit | None]
"""What has become of the leaders."""


World = tuple[float, Leaders, Path, tuple[Loss, ...]]
"""One thing that may have become of the leaders: its chance, the leaders, the path of all others, losses left."""


# -- single steps -------------------------------------------------------------------------


@remembered(5000)
def _after_check(setting: Setting, unit: Unit, drm: int, task: bool) -> Fate:
    """What a check makes of a leader; such fates are shared and never changed."""
    return {
        None if now is None else _same(now): chance for now, chance in after_check(setting, unit, drm, task).items()
    }


@lru_cache(maxsize=5000)
def _same(unit: Unit) -> Unit:
    """One object for all equal units."""
    return unit


def subset_chance(n: int, count: int, size: int, *, ties: bool) -> float:
    """The chance that Random Selection of `count` of n picks just one given set of a size (3.2.3, ruling D-15)."""
    if n <= count or not count:
        return 1.0 if size == min(n, count) else 0.0
    if not ties:
        return 1 / comb(n, count) if size == count else 0.0
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


def _loss(setting: Setting, unit: Unit, gone: bool) -> tuple[Loss, ...]:
    """The loss of a leader who breaks or is eliminated (3.2.3)."""
    kind = setting.kinds[unit.group, unit.kind]
    if not kind.leads:
        return ()
    return (Loss(unit.id, unit.side, unit.at, felt_as(kind, unit), leadership_of(kind, unit), gone),)


def _branch(
    worlds: Sequence[World],
    leader: str,
    setting: Setting,
    step: Callable[[Unit, World], Fate],
    memory: Memory,
    *,
    lumped: bool = False,
) -> list[World]:
    """Every world split by what a step makes of a leader; `lumped`: all ways of breaking are one."""
    found: list[World] = []
    for world in worlds:
        chance, leaders, path, losses = world
        unit = leaders[leader]
        if unit is None:
            found.append(world)
            continue
        fate = step(unit, world)
        for now, part in memory.lump(fate) if lumped and not unit.broken else fate.items():
            if now is unit:
                found.append((chance * part, leaders, path, losses))
            elif now is None or (now.broken and not unit.broken):
                lost = losses + memory.loss(setting, unit, now is None)
                found.append((chance * part, {**leaders, leader: now}, path, lost))
            else:
                found.append((chance * part, {**leaders, leader: now}, path, losses))
    return found


def _befalling(
    setting: Setting, befall: Callable[[Setting, Unit, bool], Fate], kill: bool
) -> Callable[[Unit, World], Fate]:
    return lambda unit, _: befall(setting, unit, kill)


def _drm(setting: Setting, unit: Unit, helpers: Sequence[Unit]) -> int:
    leader = helper_of(setting, unit, helpers)
    return 0 if leader is None else help_of(setting.kinds[leader.group, leader.kind], leader)


NOTHING: Mapping[str, int] = {}


class AttackOdds:
    """The odds of one result for each target: worlds of the leaders, and the fates of all others by their path."""

    def __init__(
        self,
        setting: Setting,
        units: dict[str, Unit],
        impacts: Sequence[Impact],
        memory: Memory | None = None,
        added: Mapping[str, int] = NOTHING,
    ) -> None:
        self.setting = setting
        self.added = added
        """What parts add to the checks of a unit."""
        self.memory = memory or Memory()
        self.units = units
        kinds = setting.kinds
        self.others = [unit for unit in units.values() if not kinds[unit.group, unit.kind].smc]
        self.sample = {unit.side: unit for unit in self.others}
        self.numbers: dict[str, int | None] = {}
        self.families = {unit.id: family_of(setting, unit.group, unit.kind) for unit in self.others}
        self._taken: dict[int, list[tuple[str, Callable[[Chances], Chances]]]] = {}
        self._fates: dict[Path, dict[str, Chances]] = {
            (): {unit.id: self.families[unit.id].start(unit) for unit in self.others}
        }
        leaders = {u.id: u for u in units.values() if kinds[u.group, u.kind].smc}
        self.worlds: list[World] = [(1.0, dict(leaders), (), ())]
        for result, group in by_result(impacts):
            names = tuple([impact.unit for impact in group])
            if result.kind in ("KIA", "K"):
                kill = result.kind == "KIA"
                self.worlds = self._casualties(names, result.number if kill else 1, kill)
            if result.kind in ("K", "MC", "PTC"):
                self.numbers.update(dict.fromkeys(names, None if result.kind == "PTC" else result.number))
        self._check_everybody()
        if setting.rules.of(EffectRules).leader_loss:
            self._leader_losses()

    # -- leaders ------------------------------------------------------------------------

    def _casualties(self, names: tuple[str, ...], count: int, kill: bool) -> list[World]:
        """KIA or K of a group: which leaders are selected, and how likely each other unit is then (3.2.3)."""
        setting = self.setting
        leaders = [name for name in names if name in self.worlds[0][1]]
        rest = len(names) - len(leaders)
        ties = setting.rules.of(EffectRules).selection_ties
        weights = [subset_chance(len(names), count, size, ties=ties) for size in range(len(names) + 1)]
        found: list[World] = []
        for bits in range(2 ** len(leaders)):
            chosen = {name for place, name in enumerate(leaders) if bits >> place & 1}
            k = len(chosen)
            chance = sum([comb(rest, j) * weights[k + j] for j in range(rest + 1)])
            if not chance:
                continue
            both = sum([comb(rest - 1, j - 1) * weights[k + j] for j in range(1, rest + 1)]) if rest else 0.0
            step = self.memory.number(Step("kill" if kill else "reduce", names, both / chance))
            worlds = [(part * chance, now, (*path, step), losses) for part, now, path, losses in self.worlds]
            for name in leaders:
                befall = hit if name in chosen else spared
                worlds = _branch(worlds, name, setting, _befalling(setting, befall, kill), self.memory)
            found += worlds
        return found

    def _check_everybody(self) -> None:
        """MC and PTC in their order, the leaders first (3.2.3)."""
        setting, units, numbers, memory = self.setting, self.units, self.numbers, self.memory
        if not numbers:
            return
        order = [unit.id for unit in check_order(setting, [units[name] for name in numbers])]
        done: list[str] = []
        for name in [name for name in order if name in self.worlds[0][1]]:
            number, before = numbers[name], tuple(done)

            def step(unit: Unit, world: World, number: int | None = number, before: tuple[str, ...] = before) -> Fate:
                if unit.hurt:
                    return {unit: 1.0}
                drm = _drm(setting, unit, _helpers(world, before)) + self.added.get(unit.id, 0)
                return memory.task(setting, unit, drm) if number is None else memory.check(setting, unit, number + drm)

            self.worlds = _branch(self.worlds, name, setting, step, memory, lumped=True)
            done.append(name)
        rest = tuple([name for name in order if name not in done])
        if not rest:
            return
        found = []
        known: dict[tuple[int, ...], int] = {}
        for chance, leaders, path, losses in self.worlds:
            helpers = [now for name in done if (now := leaders[name]) is not None and not (now.hurt or now.broken)]
            key = tuple([id(unit) for unit in helpers])
            step_number = known.get(key)
            if step_number is None:
                drm = tuple([(side, _drm(setting, unit, helpers)) for side, unit in self.sample.items()])
                step_number = known[key] = memory.number(Step("check", rest, drm=drm))
            found.append((chance, leaders, (*path, step_number), losses))
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
        loss = losses[0]
        if loss.eliminated:
            key = (tuple([id(unit) for unit in leaders.values()]), loss)
        else:
            # a LLTC leaves broken leaders alone, however they broke
            key = (tuple([1 if unit is not None and unit.broken else id(unit) for unit in leaders.values()]), loss)
        found = self.memory.losses.get(key)
        if found is None:
            found = self.memory.losses[key] = leaders, self._loss_worlds(leaders, loss)
        rest = losses[1:]
        return [
            (chance * c, {**leaders, **now} if now else leaders, path + steps, rest + lost)
            for c, now, steps, lost in found[1]
        ]

    def _loss_worlds(self, leaders: Leaders, loss: Loss) -> list[World]:
        """What the loss of a leader comes to; of the leaders only those whom it changed."""
        setting, memory = self.setting, self.memory
        drm = max(0, -loss.leadership)
        touched = [unit for unit in leaders.values() if unit is not None and shaken(setting, unit, loss)]
        worlds = self._told_apart((1.0, leaders, (), ())) if loss.eliminated else [(1.0, leaders, (), ())]
        order = [unit.id for unit in check_order(setting, touched)] if touched else []
        for place, name in enumerate(order):
            pending = set(order[place:])

            def step(unit: Unit, now: World, pending: set[str] = pending) -> Fate:
                helpers = [u for u in now[1].values() if u is not None and u.id not in pending]
                help_ = _drm(setting, unit, helpers) + self.added.get(unit.id, 0)
                return memory.after_loss(setting, unit, loss, drm + help_)

            worlds = _branch(worlds, name, setting, step, memory)
        sample = self.sample.get(loss.side)
        if sample is None:
            return [(chance, _changed(leaders, now), (), lost) for chance, now, _, lost in worlds]
        found: list[World] = []
        # for all others it does not matter which leader it was
        felt = loss._replace(leader="", leadership=0)
        for chance, now, _, lost in worlds:
            total = drm + _drm(setting, sample, [unit for unit in now.values() if unit is not None])
            number = self.memory.number(Step("loss", (), 0.0, ((loss.side, total),), felt))
            found.append((chance, _changed(leaders, now), (number,), lost))
        return found

    def _told_apart(self, world: World) -> list[World]:
        """A world for each way in which its leaders broke: their own checks depend on it."""
        worlds = [world]
        for name, unit in world[1].items():
            ways = self.memory.variants(unit)
            if len(ways) > 1:
                worlds = [(w[0] * part, {**w[1], name: way}, (), ()) for w in worlds for way, part in ways]
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
                for now, share in listed(self.families[name], fate):
                    yield name, now, chance * share

    # -- others -------------------------------------------------------------------------

    def fates(self, path: Path) -> dict[str, Chances]:
        """What becomes of all units that are not leaders on a path; each is worked out once."""
        found = self._fates.get(path)
        if found is None:
            taken = self._taken.get(path[-1])
            if taken is None:
                taken = self._taken[path[-1]] = self._takes(self.memory.steps[path[-1]])
            found = self.fates(path[:-1]).copy()
            for name, step in taken:
                found[name] = step(found[name])
            self._fates[path] = found
        return found

    def _takes(self, step: Step) -> list[tuple[str, Callable[[Chances], Chances]]]:
        """The units that a step befalls, each with what it does to it."""
        units, drm = self.units, dict(step.drm)
        if step.loss is not None:
            loss = step.loss
            total = drm[loss.side]
            return [
                (name, family.loss(loss.morale, loss.eliminated, total + self.added.get(name, 0)))
                for name, family in self.families.items()
                if units[name].side == loss.side and not units[name].melee
            ]
        found = []
        for name in [name for name in step.names if name in self.families]:
            family = self.families[name]
            if step.kind != "check":
                found.append((name, family.selection(step.chance, step.kind == "kill")))
                continue
            number, help_ = self.numbers[name], drm[units[name].side] + self.added.get(name, 0)
            found.append((name, family.task(help_) if number is None else family.check(number + help_)))
        return found


def _changed(before: Leaders, now: Leaders) -> Leaders:
    return {name: unit for name, unit in now.items() if unit is not before[name]}


def _helpers(world: World, names: Sequence[str]) -> list[Unit]:
    """Leaders who have come through unharmed."""
    return [now for name in names if (now := world[1][name]) is not None and not now.hurt]
