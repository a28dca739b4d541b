"""What a fire attack would come to before it is fired: its tallies and exact odds (3.2.2, 3.2.3)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from sandtable.engine.odds import PAIRS
from sandtable.engine.view import OddsLine, Preview
from sandtable.games.squad.cards.tables import IFT, FireResult, on_column
from sandtable.games.squad.effects.fates import MOST, Family, Row, listed
from sandtable.games.squad.effects.morale import leadership, part_items
from sandtable.games.squad.effects.odds import SUMS, AttackOdds, Memory, Path, gun_lost, guns_judged
from sandtable.games.squad.effects.results import Impact
from sandtable.games.squad.effects.verdicts import judge_check
from sandtable.games.squad.fire.announcing import MODE_WORDS, manner
from sandtable.games.squad.fire.drafting import attack_of
from sandtable.games.squad.fire.eligibility import firer_of
from sandtable.games.squad.fire.firepower import Target, Volley, firing_units, volley
from sandtable.games.squad.fire.group import bundle
from sandtable.games.squad.fire.model import AddDirector, AddFirer, AimAt, FireAttack, FireDraft, ResolveFire
from sandtable.games.squad.fire.resolution import (
    NOBODY_FIRES,
    breakdown_number,
    fire_impact,
    may_keep_rate,
    rate_of_fire,
    residual_left,
    uses_final_protective_fire,
)
from sandtable.games.squad.fire.switches import FireRules
from sandtable.games.squad.fire.throwing import FACES
from sandtable.games.squad.fire.thrown import left_after_throw
from sandtable.games.squad.ground.knowledge import hidden, known_units
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import Setting, setting_of
from sandtable.games.squad.ground.stacks import name_of, units_at
from sandtable.games.squad.part import Part
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.space.remembered import remembered

NO_EFFECT = FireResult(kind="-")
FATES = ("eliminated", "reduced and broken", "wounded and broken", "reduced", "wounded", "broken", "pinned", "unharmed")

UNHURT = ("pinned", "unharmed")
HARM = "somebody breaks, is reduced or eliminated"


def fate_of(setting: Setting, before: Unit, now: Unit | None) -> str:
    """What became of a unit, in the words of the odds."""
    if now is None:
        return "eliminated"
    breaks = now.broken and not before.broken
    if now.hurt and not before.hurt:
        return "wounded and broken" if breaks else "wounded"
    lower = (
        now.kind != before.kind
        and setting.kinds[now.group, now.kind].size < setting.kinds[before.group, before.kind].size
    )
    if lower and not breaks:
        return "reduced"
    if breaks:
        return "reduced and broken" if lower else "broken"
    return "pinned" if now.pinned and not before.pinned else "unharmed"


class Led:
    """What may have become of a leader, and how likely it is."""

    __slots__ = ("chance", "name", "now", "unhurt")

    def __init__(self, name: str, now: Unit | None, unhurt: bool) -> None:
        self.name, self.now, self.unhurt = name, now, unhurt
        self.chance = 0.0


def _escaped(before: Unit, now: Unit | None) -> bool:
    """Whether a leader has come through, at most pinned."""
    return now is not None and not now.hurt and (before.broken or not now.broken)


def dice_outcomes(figures: Volley) -> list[tuple[int, int, float]]:
    """Original DR, columns lost by cowering, chance."""
    if not figures.cowering:
        return [(total, 0, chance) for total, chance in SUMS]
    found = []
    for total, chance in SUMS:
        doubles = 1 / 36 if total % 2 == 0 else 0.0
        if doubles:
            found.append((total, figures.cowering, doubles))
        if chance > doubles:
            found.append((total, 0, chance - doubles))
    return found


Parts = dict[tuple[str, str], float]
"""Chances of what becomes of units, by unit and words."""


class StackOdds:
    """What results of the IFT do to a stack; kept between previews, as one attack is looked at in many forms."""

    def __init__(self, setting: Setting, units: dict[str, Unit], added: Mapping[str, int]) -> None:
        self.setting = setting
        self.units = units
        self.added = added
        self.memory = Memory()
        self._found: dict[tuple[tuple[str, FireResult, bool], ...], tuple[float, Parts]] = {}
        self._kept: list[AttackOdds] = []
        """What they found stays, so that identities tell outcomes apart."""
        self._safe: dict[str, tuple[int, Row]] = {}

    def after(self, impacts: Sequence[Impact]) -> tuple[float, Parts]:
        """The chance that nobody is hurt, and what becomes of each unit (3.2.3, 6.7)."""
        if not any([impact.saved for impact in impacts]):
            return self._after(impacts)
        calm = 0.0
        chances: Parts = {}
        for judged, chance in guns_judged(impacts):
            quiet, parts = self._after(judged)
            calm += chance * quiet
            for slot, part in parts.items():
                chances[slot] = chances.get(slot, 0.0) + chance * part
        return calm, chances

    def _after(self, impacts: Sequence[Impact]) -> tuple[float, Parts]:
        key = tuple([(impact.unit, impact.result, impact.apart) for impact in impacts])
        found = self._found.get(key)
        if found is None:
            if all(impact.result.kind == "-" for impact in impacts):
                found = 1.0, {(name, "unharmed"): 1.0 for name in self.units}
            else:
                found = self._work_out(impacts)
            self._found[key] = found
        return found

    def _work_out(self, impacts: Sequence[Impact]) -> tuple[float, Parts]:
        setting, units = self.setting, self.units
        casualties = any(impact.result.kind in ("KIA", "K") for impact in impacts)
        odds = AttackOdds(setting, units, impacts, self.memory, self.added)
        self._kept.append(odds)
        chances: Parts = {}
        calm = 0.0
        led: dict[tuple[str, int], Led] = {}
        paths: dict[Path, list[float]] = {}
        for part, leaders, path, _ in odds.worlds:
            unhurt = True
            for name, now in leaders.items():
                entry = led.get((name, id(now)))
                if entry is None:
                    entry = led[name, id(now)] = Led(name, now, _escaped(units[name], now))
                entry.chance += part
                unhurt = unhurt and entry.unhurt
            sums = paths.get(path)
            if sums is None:
                sums = paths[path] = [0.0, 0.0]
            sums[0] += part
            sums[1] += part if unhurt else 0.0
        quiets = np.array([quiet for _, quiet in paths.values()])
        for name, family in odds.families.items():
            held = [odds.fates(path)[name] for path in paths]
            forms = 0
            for _, possible in held:
                forms |= possible
            rows = np.array([row for row, _ in held])
            totals = np.array([total for total, _ in paths.values()]) @ rows
            for now, share in listed(family, (totals, forms)):
                slot = (name, fate_of(setting, units[name], now))
                chances[slot] = chances.get(slot, 0.0) + share
            if not casualties:
                quiets *= rows @ self._unhurt(name, family)
        if not casualties:
            calm = float(quiets.sum())
        for entry in led.values():
            for way, share in self.memory.variants(entry.now):
                slot = (entry.name, fate_of(setting, units[entry.name], way))
                chances[slot] = chances.get(slot, 0.0) + entry.chance * share
        return calm, chances

    def _unhurt(self, name: str, family: Family) -> Row:
        """1 for the forms of a unit that has come through."""
        known = self._safe.get(name)
        if known is None or known[0] < len(family.forms):
            row = np.zeros(MOST)
            for place, form in enumerate(family.forms):
                row[place] = form is not None and fate_of(self.setting, self.units[name], form) in UNHURT
            known = self._safe[name] = (len(family.forms), row)
        return known[1]


@remembered(32)
def _stack_odds(setting: Setting, units: tuple[Unit, ...], added: tuple[tuple[str, int], ...]) -> StackOdds:
    return StackOdds(setting, {unit.id: unit for unit in units}, dict(added))


def stack_odds(state: SquadState, units: Iterable[Unit]) -> StackOdds:
    """The odds of a stack, kept for the stacks that were looked at last."""
    units = tuple(units)
    added: list[tuple[str, int]] = []
    if setting_of(state).points.morale:
        added = [(unit.id, int(sum([line[1] for line in part_items(state, unit, "morale check")]))) for unit in units]
    return _stack_odds(setting_of(state), units, tuple(added))


class Course(NamedTuple):
    """One way in which an attack may go, with its rolls: original DR, columns lost by cowering, chance."""

    figures: Volley
    outcomes: Sequence[tuple[int, int, float]]


def courses_of(state: SquadState, attack: FireAttack) -> list[Course]:
    """How an attack may go if something is thrown: its check may fail, and the coloured die may spoil it (A22.61)."""
    if not attack.thrown:
        return []
    chance = math.prod([one.chance(state, attack) for one in setting_of(state).points.throws])
    courses = [_course(state, replace(attack, thrown=False), 1 - chance, FACES)] if chance < 1 else []
    left: dict[FireAttack, list[int]] = {}
    for coloured in FACES:
        left.setdefault(left_after_throw(state, attack, coloured), []).append(coloured)
    return [*courses, *[_course(state, one, chance, faces) for one, faces in left.items()]]


def _course(state: SquadState, attack: FireAttack, chance: float, faces: Sequence[int]) -> Course:
    """The attack as it goes if the coloured die shows one of some faces."""
    figures = volley(state, attack) if firing_units(state, attack) else NOBODY_FIRES
    if not figures.fp.total:
        figures = NOBODY_FIRES
    found: dict[tuple[int, int], float] = {}
    for coloured, white in PAIRS:
        if coloured in faces:
            roll = coloured + white, figures.cowering if coloured == white else 0
            found[roll] = found.get(roll, 0.0) + chance / 36
    return Course(figures, [(original, cowered, part) for (original, cowered), part in found.items()])


def _known_stack(state: SquadState, figures: Volley) -> tuple[list[Target], dict[str, Unit]]:
    """The known targets of an attack, and all known units of their Location whom it concerns."""
    known = [target for target in figures.targets if not target.hidden]
    if not known:
        return [], {}
    cell = state.units[known[0].unit].at
    sides = {state.units[target.unit].side for target in known}
    units = {unit.id: unit for unit in known_units(state, units_at(state, cell)) if unit.side in sides}
    units |= {target.unit: state.units[target.unit] for target in known}
    return known, units


def fire_odds(state: SquadState, figures: Volley, courses: Sequence[Course] = ()) -> list[OddsLine]:
    """Exact chances: results of the attack, and what becomes of each known unit in the target hex (3.2.3).

    `courses`: the ways in which it may go, where it is not the dice alone that decide.
    """
    courses = courses or [Course(figures, dice_outcomes(figures))]
    known, units = _known_stack(state, figures)
    if not known:
        return _unknown_odds(state, figures, courses)
    stack = stack_odds(state, units.values())
    results: dict[FireResult, float] = {}
    outcomes: dict[tuple[tuple[FireResult, float], ...], float] = {}
    example = {}
    for course in courses:
        struck = [target for target in course.figures.targets if not target.hidden]
        for original, cowered, chance in course.outcomes:
            impacts = [fire_impact(target, original, cowered) for target in struck]
            key = tuple([(impact.result, gun_lost(impact)) for impact in impacts])
            outcomes[key] = outcomes.get(key, 0.0) + chance
            result = key[0][0] if key else NO_EFFECT
            results[result] = results.get(result, 0.0) + chance
            example[key] = impacts
    chances: dict[tuple[str, str], float] = {}
    calm = 0.0
    for key, chance in outcomes.items():
        quiet, parts = stack.after(example[key])
        calm += chance * quiet
        for slot, part in parts.items():
            chances[slot] = chances.get(slot, 0.0) + chance * part
    lines = _result_lines(results)
    lines.append(OddsLine(HARM, max(0.0, 1 - calm), decides=True))
    for name in units:
        lines += [OddsLine(fate, chances[name, fate], name) for fate in FATES if chances.get((name, fate))]
    return lines


def _unknown_odds(state: SquadState, figures: Volley, courses: Sequence[Course]) -> list[OddsLine]:
    """Chances of the results against units under a "?": what it does to them is not for the firer to know."""
    if all(hidden(state.units[target.unit]) for target in figures.targets):
        return []
    results: dict[FireResult, float] = {}
    for course in courses:
        full, drm = course.figures.column, int(course.figures.drm.total)
        for original, cowered, chance in course.outcomes:
            column = IFT.shift(full, cowered) if cowered else full
            result = IFT.result(column, original + drm) if course.figures.shares else NO_EFFECT
            results[result] = results.get(result, 0.0) + chance
    shown = sum([chance for result, chance in results.items() if result.kind != "-"])
    return [*_result_lines(results), OddsLine("a result that shows concealed units", shown, decides=True)]


def _result_lines(results: Mapping[FireResult, float]) -> list[OddsLine]:
    """The chances of the results of an attack, the worst result first."""
    order = sorted(results, key=lambda result: (("KIA", "K", "MC", "PTC", "-").index(result.kind), -result.number))
    return [OddsLine("no effect" if result.kind == "-" else str(result), results[result]) for result in order]


def both_odds(state: SquadState, cells: Sequence[int], volleys: Sequence[Volley]) -> list[OddsLine]:
    """The odds of one DR in each of two Locations, and of harm in either of them (A7.34).

    Given the DR, what befalls one Location has no bearing on the other.
    """
    calm: dict[tuple[int, int], float] = {}
    anybody = False
    for figures in volleys:
        known, units = _known_stack(state, figures)
        if known:
            anybody = True
            stack = stack_odds(state, units.values())
            for original, cowered, _ in dice_outcomes(figures):
                quiet = stack.after([fire_impact(target, original, cowered) for target in known])[0]
                calm[original, cowered] = calm.get((original, cowered), 1.0) * quiet
    lines = []
    if anybody:
        quiet = sum([calm[original, cowered] * chance for original, cowered, chance in dice_outcomes(volleys[0])])
        lines.append(OddsLine(HARM, max(0.0, 1 - quiet), decides=True))
    for cell, figures in zip(cells, volleys, strict=True):
        for line in fire_odds(state, figures):
            label = line.label if line.piece else f"{line.label} in {name_of(state, cell)}"
            lines.append(line if line.piece else OddsLine(label, line.chance, decides=line.decides and not anybody))
    return lines


def firer_odds(state: SquadState, attack: FireAttack, figures: Volley) -> list[OddsLine]:
    """Chances of the firers: cowering, breakdown, Rate of Fire, their own NMC (3.2.2, 3.3.1, 4.1)."""
    setting = setting_of(state)
    lines = []
    if figures.cowering:
        rolls = [roll for course in courses_of(state, attack) for roll in course.outcomes]
        doubles = sum([chance for _, lost, chance in rolls if lost]) if attack.thrown else 1 / 6
        lines.append(OddsLine(f"cowers ({figures.cowering} column{'s' if figures.cowering > 1 else ''})", doubles))
    for name in attack.weapons:
        weapon = state.weapons[name]
        number = breakdown_number(state, weapon)[0] if setting.rules.of(FireRules).breakdown else 13
        if number <= 12:
            lines.append(OddsLine("breaks down", sum(p for total, p in SUMS if total >= number), name))
        if may_keep_rate(state, attack, weapon):
            rate = rate_of_fire(state, weapon)
            kept = sum(a <= rate and a + b < number and not (figures.cowering and a == b) for a, b in PAIRS)
            lines.append(OddsLine("keeps Rate of Fire", kept / 36, name))
    if attack.thrown:
        lines += throw_odds(state, attack)
    drm = max([leadership(state, state.units[name]) for name in attack.leaders], default=0)
    last = [name for name in firing_units(state, attack) if uses_final_protective_fire(state, attack, name)]
    for name in (*(attack.leaders if last else ()), *last):
        mod = 0 if name in attack.leaders else drm
        passed = sum(p for total, p in SUMS if judge_check(setting, state.units[name], total, total + mod).passed)
        lines.append(OddsLine("fails its own NMC", 1 - passed, name))
    return lines


def throw_odds(state: SquadState, attack: FireAttack) -> Iterator[OddsLine]:
    """Chances of the check of what is thrown, and that it is spoilt in the hands of the thrower (A22.61, A22.611)."""
    for one in setting_of(state).points.throws:
        chance = one.chance(state, attack)
        spoilt = sum([one.left(state, attack, coloured) != attack for coloured in FACES]) / len(FACES)
        yield OddsLine(f"{one.what} check fails", 1 - chance, attack.thrower)
        yield OddsLine(f"{one.what} thrown", chance * (1 - spoilt), attack.thrower)
        yield OddsLine("breaks by its own hand", chance * spoilt, attack.thrower)


def preview_draft(state: SquadState, draft: FireDraft, *, forgo: bool = False) -> Preview | None:
    """The preview of a draft as it stands."""
    if draft.target < 0:
        return None
    attack = attack_of(draft, forgo=forgo)
    if not setting_of(state).rules.of(FireRules).free_los and not draft.checked:
        return Preview(
            f"Fire at {name_of(state, draft.target)}", notes=("The lines of sight are not checked yet (3.2.1)",)
        )
    if attack.also >= 0:
        return _both(state, attack)
    figures = volley(state, attack)
    title = f"{MODE_WORDS[manner(state, attack)]} at {name_of(state, draft.target)} {on_column(figures.column)}"
    notes = _differing(state, figures)
    if draft.mode == "first":
        notes.append(_residual_note(state, attack, figures))
    lines = [*fire_odds(state, figures, courses_of(state, attack)), *firer_odds(state, attack, figures)]
    checks = [one.tally(state, attack) for one in setting_of(state).points.throws] if attack.thrown else []
    return Preview(title, (figures.fp, figures.drm, *checks), tuple(lines), tuple(notes))


def _residual_note(state: SquadState, attack: FireAttack, figures: Volley) -> str:
    """The Residual FP that an attack leaves, and what it leaves if nothing is thrown after all (3.3.1, A22.61)."""
    reduced = setting_of(state).rules.of(FireRules).residual_reduced
    left = residual_left(figures, 0, (), reduced=reduced)
    without = ""
    if attack.thrown:
        less = residual_left(volley(state, replace(attack, thrown=False)), 0, (), reduced=reduced)
        what = " and ".join([one.what for one in setting_of(state).points.throws])
        without = f", or {less} if the {what} check fails"
    return f"leaves {left} Residual FP{without}, unless it cowers, breaks down or keeps Rate of Fire"


def _differing(state: SquadState, figures: Volley) -> list[str]:
    """Targets whose column or DRM is not that of the attack."""
    return [
        f"{short(state, target.unit)}: DRM {target.drm:+d} {on_column(target.column)}"
        for target in figures.targets
        if not target.hidden and (target.drm != int(figures.drm.total) or target.column != figures.column)
    ]


def _both(state: SquadState, attack: FireAttack) -> Preview:
    """The preview of an attack on two Locations."""
    attacks = attack.by_location()
    cells = [one.target for one in attacks]
    volleys = [volley(state, one) for one in attacks]
    where = [name_of(state, cell) for cell in cells]
    aims = [f"{name} {on_column(figures.column)}" for name, figures in zip(where, volleys, strict=True)]
    tallies, notes, left = [], [], []
    reduced = setting_of(state).rules.of(FireRules).residual_reduced
    for name, figures in zip(where, volleys, strict=True):
        tallies += [replace(figures.fp, title=f"Firepower at {name}"), figures.drm]
        notes += _differing(state, figures)
        left.append(f"{residual_left(figures, 0, (), reduced=reduced, area=name != where[0])} in {name}")
    if attack.mode == "first":
        notes.append(f"leaves Residual FP, {', '.join(left)}, unless it cowers, breaks down or keeps Rate of Fire")
    lines = [*both_odds(state, cells, volleys), *firer_odds(state, attack, volleys[0])]
    how = MODE_WORDS[manner(state, attack)]
    return Preview(f"{how} at {' and '.join(aims)}", tuple(tallies), tuple(lines), tuple(notes))


def _draft(state: SquadState, side: str) -> FireDraft | None:
    frame = state.stack[-1]
    return frame if isinstance(frame, FireDraft) and frame.side == side else None


def _resolve(state: SquadState, side: str, action: ResolveFire) -> Preview | None:
    draft = _draft(state, side)
    return preview_draft(state, draft, forgo=action.forgo) if draft is not None else None


def preview_changed(state: SquadState, side: str, **changes: Any) -> Preview | None:
    """The preview of the draft of a side with something about it changed, as by an action of a part."""
    draft = _draft(state, side)
    return preview_draft(state, replace(draft, **changes)) if draft is not None else None


def _aim(state: SquadState, side: str, action: AimAt) -> Preview | None:
    return preview_changed(state, side, target=action.at)


def _add(state: SquadState, side: str, action: AddFirer) -> Preview | None:
    draft = _draft(state, side)
    if draft is None:
        return None
    units, weapons = bundle(state, firer_of(state, action.firer), draft.mode, draft.weapons)
    wider = replace(
        draft,
        units=tuple(dict.fromkeys([*draft.units, *units])),
        weapons=tuple(dict.fromkeys([*draft.weapons, *weapons])),
    )
    return preview_draft(state, wider)


def _direct(state: SquadState, side: str, action: AddDirector) -> Preview | None:
    draft = _draft(state, side)
    return preview_draft(state, replace(draft, leaders=(*draft.leaders, action.leader))) if draft is not None else None


PART = Part(preview={ResolveFire: _resolve, AimAt: _aim, AddFirer: _add, AddDirector: _direct})
