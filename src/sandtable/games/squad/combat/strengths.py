"""Close combat in figures: groups, firepower, odds, modifiers and ambush (3.8)."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from sandtable.engine import Tally
from sandtable.games.squad.cards.charts import AMBUSH_DRM, figures
from sandtable.games.squad.cards.tables import CC_DRM, CCT, PINNED_CC, SMC_CC
from sandtable.games.squad.combat.switches import CombatRules
from sandtable.games.squad.effects.morale import leadership, leads
from sandtable.games.squad.ground.doors import barred, part_bar
from sandtable.games.squad.ground.knowledge import concealed
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.stacks import inexperienced, units_at
from sandtable.games.squad.part import Item
from sandtable.games.squad.pieces.model import SquadState, Unit

Pairs = tuple[tuple[str, str], ...]
"""Leaders with the MMC that they are stacked on."""

AMBUSH_MARGIN = int(figures("ambush")["margin"])


class Block(NamedTuple):
    """What attacks and is attacked as one: a MMC with the leaders on it, or a leader alone (3.8)."""

    base: Unit
    leaders: tuple[Unit, ...] = ()

    @property
    def units(self) -> tuple[Unit, ...]:
        """All its units, the MMC first."""
        return (self.base, *self.leaders)

    @property
    def able(self) -> bool:
        """Only unbroken units attack; the leaders on a MMC attack with it (3.8)."""
        return not self.base.broken


class Assault(NamedTuple):
    """A CC attack in figures."""

    attackers: tuple[Unit, ...]
    targets: tuple[Unit, ...]
    attack: Tally
    defence: Tally
    column: int
    drm: Tally

    @property
    def odds(self) -> str:
        """The odds as the table prints them."""
        return CCT.odds[self.column]

    @property
    def kill(self) -> int:
        """The kill number (3.8)."""
        return CCT.kill_numbers[self.column]


# -- groups -----------------------------------------------------------------------------


def blocks_of(state: SquadState, cell: int, side: str, pairs: Pairs) -> dict[str, Block]:
    """The groups of a side in a hex, by their first unit (3.8, G31)."""
    present = units_at(state, cell, side)
    here = {unit.id: unit for unit in present}
    on: dict[str, list[Unit]] = {}
    riding: set[str] = set()
    for leader, base in pairs:
        if leader in here and base in here:
            on.setdefault(base, []).append(here[leader])
            riding.add(leader)
    return {unit.id: Block(unit, tuple(on.get(unit.id, ()))) for unit in present if unit.id not in riding}


def default_pairs(state: SquadState, cell: int, side: str, among: Collection[str] | None = None) -> Pairs:
    """Leaders on the strongest unbroken MMC; broken ones on any, unbroken ones alone without one (3.8).

    `among`: the units that are looked at, if not all.
    """
    present = [unit for unit in units_at(state, cell, side) if among is None or unit.id in among]
    bases = [unit for unit in present if unit_kind(state, unit).mmc]
    found: list[tuple[str, str]] = []
    for leader in [unit for unit in present if unit_kind(state, unit).smc]:
        able = [base for base in bases if may_pair(state, leader, base)]
        if able:
            best = max(able, key=lambda base: (not base.broken, unit_kind(state, base).fp))
            if leader.broken or not best.broken:
                found.append((leader.id, best.id))
    return tuple(found)


def may_pair(state: SquadState, leader: Unit, base: Unit) -> bool:
    """Whether no part keeps a leader from being stacked on a MMC (3.8)."""
    return "pair" not in setting_of(state).points.barred or part_bar(state, "pair", leader, base) is None


def may_attack(state: SquadState, block: Block) -> bool:
    """Only unbroken units attack, if no part bars them (3.8)."""
    if not block.able:
        return False
    return "combat" not in setting_of(state).points.barred or part_bar(state, "combat", block.base) is None


def combat_cells(state: SquadState) -> list[int]:
    """Hexes with units of both sides, some of them unbroken (3.8)."""
    units = state.units
    found = []
    for cell, names in state.stacks.items():
        if len(names) > 1:
            first = units[names[0]].side
            mixed = any([units[name].side != first for name in names])
            if mixed and not all([units[name].broken for name in names]):
                found.append(cell)
    return found


# -- figures ----------------------------------------------------------------------------


def _fp(state: SquadState, unit: Unit) -> int:
    kind = unit_kind(state, unit)
    if unit.marks:
        table = setting_of(state).points.marks
        for name in unit.marks:
            if name in table and table[name].combat_fp:
                return table[name].combat_fp
    return SMC_CC if kind.smc else kind.fp


def attack_tally(state: SquadState, attackers: Sequence[Unit], targets: Sequence[Unit]) -> Tally:
    """FP of a CC attack; pinned units attack with half of theirs, weapons do not count (3.8)."""
    items: list[Item] = []
    factors = [line for lines in setting_of(state).points.combat_fp for line in lines(state, attackers, targets)]
    factor = math.prod([value for _, value, _ in factors])
    reasons = [label for label, _, _ in factors]
    for unit in attackers:
        fp = _fp(state, unit) * factor
        why = [*(["pinned"] if unit.pinned else ()), *reasons]
        words = f" ({', '.join(why)})" if why else ""
        items.append((short(state, unit) + words, fp * PINNED_CC if unit.pinned else fp, "3.8"))
    return Tally.of("Attacking FP", items)


def defence_tally(state: SquadState, targets: Iterable[Unit]) -> Tally:
    """FP of the units attacked; broken and pinned ones defend with all of theirs (3.8)."""
    return Tally.of("Defending FP", [(short(state, unit), _fp(state, unit), "3.8") for unit in targets])


def drm_items(state: SquadState, attack: Sequence[Block], targets: Sequence[Unit], ambusher: str) -> list[Item]:
    """DRM of a CC attack: ambush, broken and CX units, leadership (3.8)."""
    attackers = [unit for block in attack for unit in block.units if not unit.broken]
    side = attackers[0].side
    items: list[Item] = []
    if ambusher:
        which = "ambusher" if ambusher == side else "ambushed"
        items.append(("ambush", CC_DRM[which].value or 0, "3.8"))
    if any(unit.broken for unit in targets):
        items.append(("against a broken unit", setting_of(state).rules.of(CombatRules).broken_cc_drm, "3.8"))
    if any(unit.cx for unit in attackers):
        items.append(("by a CX unit", CC_DRM["by_cx"].value or 0, "3.3"))
    if any(unit.cx for unit in targets):
        items.append(("against a CX unit", CC_DRM["against_cx"].value or 0, "3.3"))
    leaders = [
        unit
        for block in attack
        if unit_kind(state, block.base).mmc
        for unit in block.leaders
        if unit_kind(state, unit).leads and not unit.broken and not unit.pinned
    ]
    if leaders:
        foreign = setting_of(state).foreign_drm
        troops = [unit for unit in attackers if unit_kind(state, unit).mmc]
        extra = {leader.id: max([foreign(leader, unit) for unit in troops], default=0) for leader in leaders}
        best = min(leaders, key=lambda unit: leadership(state, unit) + extra[unit.id])
        # he may direct: nobody is made to use a poor modifier
        if leadership(state, best) + extra[best.id] < 0:
            items.append((f"leader {unit_kind(state, best).name}", leadership(state, best), "3.8"))
            if extra[best.id]:
                items.append(("leader of another nationality", extra[best.id], "SSR"))
    return items + [line for lines in setting_of(state).points.combat for line in lines(state, attackers, targets)]


def column_of(attack: float, defence: float) -> int:
    """The odds column, rounded down in favour of the defence (3.8)."""
    return CCT.column(Fraction(attack), Fraction(defence))


def assault_of(state: SquadState, attack: Sequence[Block], defence: Sequence[Block], ambusher: str = "") -> Assault:
    """A CC attack of groups on groups in figures (3.8, G30)."""
    attackers = tuple([unit for block in attack for unit in block.units if not unit.broken])
    targets = tuple([unit for block in defence for unit in block.units])
    fp, against = attack_tally(state, attackers, targets), defence_tally(state, targets)
    column = column_of(fp.total, against.total)
    title = f"Close combat at {CCT.odds[column]}, kill number {CCT.kill_numbers[column]}"
    drm = Tally.of(title, drm_items(state, attack, targets, ambusher))
    return Assault(attackers, targets, fp, against, column, drm)


def result_of(kill: int, final: int) -> str:
    """What a final DR does: less than the kill number eliminates, equal reduces one (3.8)."""
    return "eliminated" if final < kill else "reduced" if final == kill else "none"


# -- ambush -----------------------------------------------------------------------------


def ambush_possible(state: SquadState, cell: int) -> bool:
    """Infantry advanced into CC in woods or a building, and no Melee was going on there (3.8)."""
    setting = setting_of(state)
    units = units_at(state, cell)
    unseen = any([concealed(state, unit) for unit in units])
    if not setting.rules.of(CombatRules).ambush or not (setting.ground.cover[cell] or unseen):
        return False
    return any(unit.engaged for unit in units) and not any(unit.melee for unit in units)


def ambush_tally(state: SquadState, cell: int, side: str) -> Tally:
    """Ambush drm of a side; one unit that qualifies is enough for each (3.8)."""
    units = units_at(state, cell, side)
    items: list[Item] = []
    if any(unit_kind(state, unit).mmc and inexperienced(state, unit) for unit in units):
        items.append(("Inexperienced", AMBUSH_DRM["inexperienced"].value or 0, "3.8"))
    if any(unit.pinned for unit in units):
        items.append(("pinned", AMBUSH_DRM["pinned"].value or 0, "3.8"))
    if any(unit.cx for unit in units):
        items.append(("CX", AMBUSH_DRM["cx"].value or 0, "3.8"))
    setting = setting_of(state)
    leaders = [leadership(state, unit) for unit in units if leads(setting, unit)]
    if leaders and len(units) > 1 and not any([barred(setting, unit, "led") for unit in units]):
        items.append(("leadership", min(leaders), "3.8"))
    items += [line for lines in setting.points.ambush for line in lines(state, cell, side)]
    return Tally.of("Ambush", items)
