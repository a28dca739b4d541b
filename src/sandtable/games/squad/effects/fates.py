"""What may become of a squad, half-squad or crew under fire, as chances in a row of numbers (3.2.3).

A family is a unit with all that it can be turned into: half-squads, lower classes, broken, pinned, gone. What an
attack does to it is linear, so each step is a matrix. Rows are filled when they are needed first and then kept for
all units of the kind.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from sandtable.engine.odds import TWO_DICE
from sandtable.games.squad.effects.verdicts import (
    ELIMINATED,
    REDUCED,
    WOUNDED_BEFORE,
    Change,
    Verdict,
    changes,
    is_wounded,
    judge_check,
    judge_task,
    level,
    spared_by,
)
from sandtable.games.squad.ground.setting import Setting
from sandtable.games.squad.pieces.model import Unit
from sandtable.space.remembered import remembered

SUMS = TWO_DICE
"""The sums of two dice with their chances."""

Fate = dict[Unit | None, float]
"""What a unit may have become, None: eliminated, with chances."""
Row = npt.NDArray[np.float64]

MOST = 40
"""More forms than any unit of the game has."""
GONE = 0


# -- single steps -------------------------------------------------------------------------


def suffered(setting: Setting, unit: Unit, verdict: Verdict) -> Fate:
    """What a verdict makes of a unit; `hurt` marks a single man as hurt in this attack (3.2.3, 5.1)."""
    if not (verdict.reduced and is_wounded(setting, unit)):
        return {_changed(unit, changes(setting, unit, verdict)): 1.0}
    ways: dict[Unit | None, int] = {}
    worse = WOUNDED_BEFORE * unit.wounded + verdict.grave
    for dr in range(1, 7):
        left = _changed(unit, changes(setting, unit, verdict, dr + worse))
        left = None if left is None else replace(left, hurt=True)
        ways[left] = ways.get(left, 0) + 1
    return {left: count / 6 for left, count in ways.items()}


def _changed(unit: Unit, found: list[Change]) -> Unit | None:
    for change in found:
        if change.what == "eliminate":
            return None
        unit = replace(unit, **change.fields)
    return unit


def hit(setting: Setting, unit: Unit, kill: bool) -> Fate:
    """A unit selected for a KIA or a K (3.2.3)."""
    return suffered(setting, unit, ELIMINATED if kill else REDUCED)


def spared(setting: Setting, unit: Unit, kill: bool) -> Fate:
    """A unit not selected: after a KIA it breaks, or is reduced if it was broken (3.2.3)."""
    return suffered(setting, unit, spared_by(setting, unit)) if kill else {unit: 1.0}


def after_check(setting: Setting, unit: Unit, drm: int, task: bool) -> Fate:
    """What a MC, or a Pin Task Check, makes of a unit."""
    verdicts: dict[Verdict, float] = {}
    for total, chance in SUMS:
        verdict = judge_task(setting, unit, total + drm) if task else judge_check(setting, unit, total, total + drm)
        verdicts[verdict] = verdicts.get(verdict, 0.0) + chance
    found: Fate = {}
    for verdict, chance in verdicts.items():
        for left, part in suffered(setting, unit, verdict).items():
            found[left] = found.get(left, 0.0) + chance * part
    return found


# -- families -----------------------------------------------------------------------------


Chances = tuple[Row, int]
"""How likely each form of a family is, and a bit for each that is possible."""
Step = Callable[[Chances], Chances]


class Table:
    """The matrix of a step; rows are filled when they are needed."""

    def __init__(self, family: Family, step: Callable[[Unit], Fate]) -> None:
        self._family = family
        self._step = step
        self._matrix = np.zeros((MOST, MOST))
        self._matrix[GONE, GONE] = 1.0
        self._filled = 1
        self._reach = [1] + [0] * (MOST - 1)
        self._known: dict[int, int] = {}

    def after(self, before: Chances) -> Chances:
        """Chances after the step."""
        forms = before[1]
        reach = self._known.get(forms)
        if reach is None:
            if missing := forms & ~self._filled:
                self._fill(missing)
            reach = 0
            for place in _bits(forms):
                reach |= self._reach[place]
            self._known[forms] = reach
        return before[0] @ self._matrix, reach

    def _fill(self, missing: int) -> None:
        family = self._family
        for place in _bits(missing):
            reach = 0
            unit = family.forms[place]
            assert unit is not None
            for left, chance in self._step(unit).items():
                target = family.place(left)
                self._matrix[place, target] += chance
                reach |= 1 << target
            self._reach[place] = reach
        self._filled |= missing


@lru_cache(maxsize=4096)
def _bits(forms: int) -> tuple[int, ...]:
    return tuple([place for place in range(forms.bit_length()) if forms >> place & 1])


class Family:
    """All forms of a unit, by number, and the steps that lead from one to another."""

    def __init__(self, setting: Setting, group: str) -> None:
        self.setting = setting
        self.forms: list[Unit | None] = [None]
        self._places: dict[tuple[str, bool, bool, int, tuple[str, ...]], int] = {}
        self._group = group
        self._tables: dict[tuple[str | int, ...], Table] = {}

    def place(self, unit: Unit | None) -> int:
        """The number of a form."""
        if unit is None:
            return GONE
        key = (unit.kind, unit.broken, unit.pinned, unit.lifted, unit.marks)
        found = self._places.get(key)
        if found is None:
            found = self._places[key] = len(self.forms)
            form = Unit("", "", unit.kind, group=self._group, broken=unit.broken, pinned=unit.pinned)
            self.forms.append(replace(form, lifted=unit.lifted, marks=unit.marks))
        return found

    def start(self, unit: Unit) -> Chances:
        """A unit as it is."""
        place = self.place(unit)
        row = np.zeros(MOST)
        row[place] = 1.0
        return row, 1 << place

    def _table(self, key: tuple[str | int, ...], step: Callable[[Unit], Fate]) -> Step:
        found = self._tables.get(key)
        if found is None:
            found = self._tables[key] = Table(self, step)
        return found.after

    def check(self, drm: int) -> Step:
        """A MC with a DRM."""
        return self._table(("check", drm), lambda unit: after_check(self.setting, unit, drm, False))

    def task(self, drm: int) -> Step:
        """A Pin Task Check; broken and pinned units take none."""
        return self._table(("task", drm), lambda unit: self._task(unit, drm))

    def _task(self, unit: Unit, drm: int) -> Fate:
        return {unit: 1.0} if unit.broken or unit.pinned else after_check(self.setting, unit, drm, True)

    def loss(self, morale: int, eliminated: bool, drm: int) -> Step:
        """The LLMC or LLTC for a leader of a morale, for forms of lower morale (3.2.3)."""

        def step(unit: Unit) -> Fate:
            kind = self.setting.kinds[unit.group, unit.kind]
            if level(kind, unit) >= morale:
                return {unit: 1.0}
            checks = eliminated and (unit.broken or not kind.unshaken)
            return after_check(self.setting, unit, drm, False) if checks else self._task(unit, drm)

        return self._table(("loss", drm, morale, eliminated), step)

    def selection(self, chance: float, kill: bool) -> Step:
        """Random Selection for a KIA or a K, selected with a chance (3.2.3)."""
        if not chance:
            return self._table(("spared", kill), lambda unit: spared(self.setting, unit, kill))
        chosen = self._table(("hit", kill), lambda unit: hit(self.setting, unit, kill))
        if chance >= 1:
            return chosen
        others = self._table(("spared", kill), lambda unit: spared(self.setting, unit, kill))

        def both(before: Chances) -> Chances:
            (one, some), (other, more) = chosen(before), others(before)
            return chance * one + (1 - chance) * other, some | more

        return both


@remembered(512)
def family_of(setting: Setting, group: str, kind: str) -> Family:
    """The family of a kind of unit under the rules and ELR of a scenario; each kind has its own."""
    return Family(setting, group)


def listed(family: Family, chances: Chances) -> list[tuple[Unit | None, float]]:
    """The forms that are possible, with their chances."""
    values = chances[0].tolist()
    return [(family.forms[place], values[place]) for place in _bits(chances[1]) if values[place]]
