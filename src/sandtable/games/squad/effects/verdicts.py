"""Verdicts: what a check finds, and what that does to a unit; for play, odds and estimates alike (3.2.3, 5.1)."""

from __future__ import annotations

from typing import Any, NamedTuple

from sandtable.games.squad.cards.charts import figures, wound_effect
from sandtable.games.squad.effects.switches import EffectRules
from sandtable.games.squad.ground.setting import NO_ELR, Setting
from sandtable.games.squad.pieces.kinds import UnitKind
from sandtable.games.squad.pieces.model import Unit

FATAL_WOUND = next(dr for dr in range(1, 8) if wound_effect(dr) == "eliminated")
"""A wound severity dr of this or more eliminates (3.2.3)."""
ALL_FEEL = 99
"""Above every morale level."""
WOUNDED_BEFORE = int(figures("wounds")["already_wounded"])
"""What an earlier wound adds to the severity of the next (3.2.3)."""


class Verdict(NamedTuple):
    """What a check does to a unit; several may be true together."""

    passed: bool
    pinned: bool = False
    broken: bool = False
    reduced: bool = False
    replaced: bool = False
    """By a unit of lower quality (5.1)."""
    eliminated: bool = False
    grave: bool = False
    """A wound is worse by one (A10.31)."""


PASSED, PINNED = Verdict(True), Verdict(True, pinned=True)
FAILED_TASK = Verdict(False, pinned=True)
BROKEN, REPLACED = Verdict(False, broken=True), Verdict(False, broken=True, replaced=True)
REDUCED, ELIMINATED = Verdict(False, reduced=True), Verdict(False, eliminated=True)


# -- levels -----------------------------------------------------------------------------


def level(kind: UnitKind, unit: Unit) -> int:
    """Current morale level: the broken side of a broken unit, one less for a wounded leader (3.2.3)."""
    printed = kind.broken_morale if unit.broken else kind.morale
    return printed - 1 + unit.lifted if unit.wounded else printed + unit.lifted


def leadership_of(kind: UnitKind, unit: Unit) -> int:
    """Leadership DRM by kind: worse by one if he is wounded (3.2.3)."""
    return kind.leadership + (1 if unit.wounded else 0)


def help_of(kind: UnitKind, unit: Unit) -> int:
    """What a leader's presence changes in a check: his DRM, and the morale that he inspires (3.2.3, A25.221)."""
    return leadership_of(kind, unit) - kind.inspires


def felt_as(kind: UnitKind, unit: Unit) -> int:
    """The morale below which units feel the loss of a leader; of some all do (3.2.3, A25.221)."""
    return ALL_FEEL if kind.superior else level(kind, unit)


# -- what a check finds -----------------------------------------------------------------


def judge_check(setting: Setting, unit: Unit, original: int, final: int, *, pins_broken: bool = False) -> Verdict:
    """The verdict of a morale check for its original and final DR (3.2.3, 5.1)."""
    return _as_parts_have_it(setting, unit, original, _judge(setting, unit, original, final, pins_broken=pins_broken))


def _as_parts_have_it(setting: Setting, unit: Unit, original: int, verdict: Verdict) -> Verdict:
    for judge in setting.points.judges:
        verdict = judge(setting, unit, original, verdict)
    return verdict


def _judge(setting: Setting, unit: Unit, original: int, final: int, *, pins_broken: bool) -> Verdict:
    kind = setting.kinds[unit.group, unit.kind]
    rules = setting.rules
    margin = final - level(kind, unit)
    if unit.broken:
        if original == 12:
            return ELIMINATED
        if margin > 0:
            return REDUCED
        return PINNED if margin == 0 and pins_broken and rules.of(EffectRules).pin_on_morale_check else PASSED
    if original == 12:
        broken = margin > 0 or rules.of(EffectRules).original_12_breaks
        return Verdict(
            not broken, broken=broken, reduced=True, replaced=margin > 0 and _elr_fails(setting, unit, margin)
        )
    if margin > 0:
        return REPLACED if _elr_fails(setting, unit, margin) else BROKEN
    return PINNED if margin == 0 and rules.of(EffectRules).pin_on_morale_check and not unit.pinned else PASSED


def judge_task(setting: Setting, unit: Unit, final: int) -> Verdict:
    """The verdict of a Pin Task Check (3.2.3)."""
    verdict = PASSED if final <= level(setting.kinds[unit.group, unit.kind], unit) else FAILED_TASK
    return _as_parts_have_it(setting, unit, 0, verdict)


def _elr_fails(setting: Setting, unit: Unit, margin: int) -> bool:
    """Whether an unbroken unit that fails by this margin is replaced by one of lower quality (5.1)."""
    if not setting.rules.of(EffectRules).elr or setting.kinds[unit.group, unit.kind].elr_exempt:
        return False
    rating = setting.elr.get(unit.group)
    return margin > (NO_ELR if rating is None else rating)


# -- what a verdict does ------------------------------------------------------------------


class Change(NamedTuple):
    """One thing that a verdict does to a unit."""

    what: str
    """`eliminate`, `wound`, `reduce`, `replace`, `break` or `pin`."""
    fields: dict[str, Any]
    """What is different about the unit then."""
    why: str = ""


def is_wounded(setting: Setting, unit: Unit) -> bool:
    """Whether Casualty Reduction of a unit is a wound, with a dr for its severity (3.2.3)."""
    return setting.kinds[unit.group, unit.kind].smc and setting.rules.of(EffectRules).wounds


def changes(setting: Setting, unit: Unit, verdict: Verdict, severity: int = 0) -> list[Change]:
    """What a verdict does, in its order: Casualty Reduction, then ELR, then breaking or the pin (3.2.3, 5.1).

    `severity`: the final dr of a wound, where `is_wounded`.
    """
    if verdict.eliminated:
        return [Change("eliminate", {}, "original 12 while broken")]
    found: list[Change] = []
    kind = unit.kind
    if verdict.reduced:
        if is_wounded(setting, unit):
            if severity >= FATAL_WOUND:
                return [Change("eliminate", {}, "mortal wound")]
            found.append(Change("wound", {"wounded": True}))
        else:
            kind = setting.kinds[unit.group, kind].reduced
            if not kind:
                return [Change("eliminate", {}, "Casualty Reduction")]
            found.append(Change("reduce", {"kind": kind}, "Casualty Reduction"))
    if verdict.replaced and (lower := setting.kinds[unit.group, kind].replaced):
        found.append(Change("replace", {"kind": lower}, "failed by more than its ELR"))
    if verdict.broken and not unit.broken and (left := setting.kinds[unit.group, kind].steps_to):
        found.append(Change("reduce", {"kind": left}, "instead of breaking"))
    elif verdict.broken:
        found.append(Change("break", {"dm": True} if unit.broken else {"broken": True, "dm": True, "pinned": False}))
    elif verdict.pinned and not unit.pinned:
        found.append(Change("pin", {"pinned": True}))
    return found


def spared_by(setting: Setting, unit: Unit) -> Verdict:
    """Under a KIA that selects others: it breaks, or is reduced if it was broken (3.2.3)."""
    return _as_parts_have_it(setting, unit, 0, REDUCED if unit.broken else BROKEN)
