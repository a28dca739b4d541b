"""Fire groups: who may join, who may direct, and when a group may fire (3.2.2, 3.3.1, 4.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from sandtable.engine.part import Bar
from sandtable.games.squad.fire.direction import director_bar
from sandtable.games.squad.fire.eligibility import (
    Firer,
    aim_of,
    elements,
    firer_of,
    in_sight,
    may_join_use,
    reach_bar,
    unit_bar,
    weapon_bar,
)
from sandtable.games.squad.fire.model import FireDraft
from sandtable.games.squad.fire.switches import FireRules
from sandtable.games.squad.fire.throwing import THROWN
from sandtable.games.squad.ground.doors import part_bar
from sandtable.games.squad.ground.movers import shots_left
from sandtable.games.squad.ground.setting import setting_of, weapon_kind
from sandtable.games.squad.ground.stacks import units_at
from sandtable.games.squad.pieces.model import FINAL_FIRE, NO_MARKER, SquadState, Unit

Bundle = tuple[tuple[str, ...], tuple[str, ...]]
"""Units and weapons that fire together."""


def bundle(state: SquadState, firer: Firer, mode: str, picked: Iterable[str] = ()) -> Bundle:
    """What fires with a firer: itself; in Final Protective Fire all the FP and usable MG of its unit (3.3.1, G20).

    Usable is what has a shot left at these movers. `picked` are weapons that fire already. The guide leaves it to the
    player what joins in.
    """
    alone: Bundle = ((firer.id,), ()) if firer.weapon is None else ((), (firer.id,))
    if mode != "first" or firer.marker < FINAL_FIRE or firer.alone:
        return alone
    setting = setting_of(state)
    unit = firer.unit
    kind = setting.kinds[unit.group, unit.kind]
    if not setting.rules.of(FireRules).protective_fire_uses_all or not kind.squad:
        return alone
    forfeited = unit_bar(setting, state, unit, mode) is not None
    own = not forfeited and shots_left(state, unit.id) > 0
    usable = [
        name
        for name in unit.weapons
        if weapon_kind(state.weapons[name]).mg
        and weapon_bar(setting, state, state.weapons[name], mode) is None
        and shots_left(state, name) > 0
    ]
    first = {firer.id, *picked}
    usable.sort(key=lambda name: (name not in first, name not in unit.used, -weapon_kind(state.weapons[name]).fp))
    return ((unit.id,) if own else (), tuple(usable[: 2 if forfeited else 1]))


def firers_in(state: SquadState, draft: FireDraft) -> list[Firer]:
    """The firers of a draft."""
    return [firer_of(state, name) for name in (*draft.units, *draft.weapons)]


def sources_of(state: SquadState, draft: FireDraft) -> list[int]:
    """The hexes that a draft fires from."""
    return list(dict.fromkeys([firer.unit.at for firer in firers_in(state, draft)]))


def hangs_together(state: SquadState, sources: Iterable[int]) -> bool:
    """Whether the hexes of a fire group are linked by adjacency (3.2.2)."""
    left = list(sources)
    near = setting_of(state).ground.beside
    reached = [left.pop()]
    while left:
        touching = [cell for cell in left if any([cell in near[other] for other in reached])]
        if not touching:
            return False
        reached += touching
        left = [cell for cell in left if cell not in touching]
    return True


def joiners(state: SquadState, draft: FireDraft, firing: Sequence[Firer] | None = None) -> list[str]:
    """Units and weapons that may join the group: in or beside its hexes, in sight of the target (3.2.2, G13)."""
    present = firing or firers_in(state, draft)
    if any([firer.alone for firer in present]):
        return []
    setting = setting_of(state)
    sources = list(dict.fromkeys([firer.unit.at for firer in present]))
    near = setting.ground.beside
    limit = setting.rules.of(FireRules).mg_range_limit
    hexes = dict.fromkeys([*sources, *(cell for source in sources for cell in near[source])])
    taken = {*draft.units, *draft.weapons}
    found = []
    for cell in hexes:
        if cell == draft.target or cell not in state.stacks or not in_sight(setting, state, cell, draft.target):
            continue
        aim = aim_of(setting, state, draft.side, cell, draft.target, draft.mode)
        for unit in units_at(state, cell, draft.side):
            if unit.broken or unit.melee or unit.id in draft.leaders:
                continue
            for firer in elements(setting, state, unit, draft.mode):
                if firer.id in taken or firer.alone or reach_bar(state, firer, aim, draft.mode, limit):
                    continue
                if together_bar(state, draft, firer) is None and join_bar(state, draft, firer) is None:
                    found.append(firer.id)
    found += [unit.id for unit in gunners(state, draft) if unit.id not in taken]
    return found


def together_bar(state: SquadState, draft: FireDraft, firer: Firer) -> Bar | None:
    """Why a unit may not fire this along with what it fires in the draft already (4.0)."""
    units, weapons = bundle(state, firer, draft.mode, draft.weapons)
    if firer.id not in (*units, *weapons):
        return "In Final Protective Fire a squad fires one machine gun beside its own FP", "3.3.1"
    setting = setting_of(state)
    own = firer.unit.id in (*draft.units, *units)
    fired = [name for name in (*draft.weapons, *weapons) if state.weapons[name].owner == firer.unit.id]
    fired += [THROWN] if firer.unit.id == draft.thrower else []
    return may_join_use(
        setting, firer.unit, own=own and setting.kinds[firer.unit.group, firer.unit.kind].fires, weapons=fired
    )


def join_bar(state: SquadState, draft: FireDraft, firer: Firer) -> Bar | None:
    """Why a part keeps a firer, or what must fire along with it, out of the group (3.2.2)."""
    if "join" not in setting_of(state).points.barred:
        return None
    units, weapons = bundle(state, firer, draft.mode, draft.weapons)
    for name in (*units, *weapons):
        one = firer_of(state, name)
        if bar := part_bar(state, "join", one.unit, one.weapon, draft):
            return bar
    return None


def gunners(state: SquadState, draft: FireDraft) -> Iterator[Unit]:
    """Leaders who may help another one of their hex to serve a machine gun at full FP (4.1)."""
    setting = setting_of(state)
    for name in draft.weapons:
        owner = state.units[state.weapons[name].owner]
        if not setting.kinds[owner.group, owner.kind].smc:
            continue
        here = units_at(state, owner.at, owner.side)
        if any(unit.id in draft.units and not setting.kinds[unit.group, unit.kind].fires for unit in here):
            continue
        for unit in here:
            free = not (unit.broken or unit.melee or unit.used or unit.directed) and unit.marker == NO_MARKER
            firing = unit.id == owner.id or any(name in draft.weapons for name in unit.weapons)
            kind = setting.kinds[unit.group, unit.kind]
            if free and not firing and kind.smc and not kind.fires and unit.id not in draft.leaders:
                yield unit


def directors(state: SquadState, draft: FireDraft, firing: Sequence[Firer] | None = None) -> list[str]:
    """Leaders who may direct the attack: one in each of its hexes (3.2.2, G14)."""
    firing = firing or firers_in(state, draft)
    kinds = setting_of(state).kinds
    found = []
    for cell in dict.fromkeys([firer.unit.at for firer in firing]):
        here = units_at(state, cell, draft.side)
        if draft.leaders and any([unit.id in draft.leaders for unit in here]):
            continue
        for unit in here:
            if not kinds[unit.group, unit.kind].leads:
                continue
            serves = unit.id in draft.units or any(name in draft.weapons for name in unit.weapons)
            if not serves and director_bar(state, unit, firing, draft.mode) is None:
                found.append(unit.id)
    return found


def without(state: SquadState, draft: FireDraft, name: str) -> FireDraft:
    """The draft without a firer; Final Protective Fire goes with all its unit has, idle helpers too (3.3.1, 4.1)."""
    gone = {name, *_protective(state, draft, firer_of(state, name).unit)}
    left = replace(
        draft,
        units=tuple([other for other in draft.units if other not in gone]),
        weapons=tuple([other for other in draft.weapons if other not in gone]),
    )
    kinds = setting_of(state).kinds
    served = {state.units[state.weapons[other].owner].at for other in left.weapons}
    kept = [
        other
        for other in left.units
        if kinds[(unit := state.units[other]).group, unit.kind].fires or state.units[other].at in served
    ]
    sources = {state.units[other].at for other in kept} | served
    leaders = [other for other in left.leaders if state.units[other].at in sources]
    firing = {*kept, *(state.weapons[other].owner for other in left.weapons)}
    thrower = draft.thrower if draft.thrower in firing else ""
    return replace(left, units=tuple(kept), leaders=tuple(leaders), thrower=thrower)


def _protective(state: SquadState, draft: FireDraft, unit: Unit) -> list[str]:
    """What a unit fires in Final Protective Fire: it cannot do so without all the rest that it fires (3.3.1)."""
    if draft.mode != "first" or not setting_of(state).rules.of(FireRules).protective_fire_uses_all:
        return []
    own = [firer for firer in firers_in(state, draft) if firer.unit.id == unit.id and not firer.alone]
    return [firer.id for firer in own if firer.marker >= FINAL_FIRE]


def leaves_whole(state: SquadState, draft: FireDraft, name: str) -> bool:
    """Whether something is left that hangs together if a firer is taken out; parts may part once lines are known."""
    left = without(state, draft, name)
    sources = sources_of(state, left)
    return bool(sources) and (draft.checked or hangs_together(state, sources))


def not_ready(state: SquadState, draft: FireDraft, firing: Sequence[Firer] | None = None) -> Bar | None:
    """Why the draft cannot be fired as it is (3.2.2, 4.1)."""
    firing = firing or firers_in(state, draft)
    sources = dict.fromkeys([firer.unit.at for firer in firing])
    if len(sources) > 1 and not hangs_together(state, sources):
        return ("Each hex of a fire group must touch another one of it", "3.2.2")
    if draft.leaders:
        led = {state.units[name].at for name in draft.leaders}
        if any(source not in led for source in sources):
            return ("A leader must direct in every hex of the fire group, or none may", "3.2.2")
        for name in draft.leaders:
            bar = director_bar(state, state.units[name], firing, draft.mode)
            if bar is not None:
                return bar
    setting = setting_of(state)
    limit = setting.rules.of(FireRules).mg_range_limit
    if limit and not draft.leaders:
        aimed = [setting.ground.ranges[cell] for cell in (draft.target, draft.also) if cell >= 0]
        if any([firer.kind is not None and any([row[firer.unit.at] > limit for row in aimed]) for firer in firing]):
            return ("Beyond 16 hexes a machine gun needs a leader to direct it", "4.1")
    return None
