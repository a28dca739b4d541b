"""Crowds by lot for the answers of the rules: all kinds of units, weapons and works within a few hexes."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.games.asl.works import model as works
from sandtable.games.squad.ground.counters import SMOKE, lay
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.stacks import put
from sandtable.games.squad.pieces.counters import Gun, SupportWeapon, all_counters
from sandtable.games.squad.pieces.model import Acquired, Counter, Mover, Moving, SquadState, Unit, Weapon

STACKS = 9
"""Hexes that a side stands in; two more are shared."""
FLAGS = ("broken", "pinned", "cx", "wounded", "concealed", "hip", "moved", "advanced", "rally_tried", "exhausted")
OFTEN = {"broken": 0.25, "concealed": 0.3}
SELDOM = 0.1
MARKS = ("berserk", "fanatic", "unarmed", "disrupted")
"""Conditions that parts give to units."""


def crowd(
    base: SquadState, lot: random.Random, nations: Mapping[str, Sequence[str]], middles: Sequence[int]
) -> SquadState:
    """A crowd about one of these hexes, in place of everybody else."""
    state = base.clone()
    for held in (state.units, state.weapons, state.stacks, state.loose, state.counters, state.hinders):
        held.clear()
    ground = setting_of(state).ground
    centre = lot.choice(middles)
    passable = [cell for cell in range(len(ground.kinds)) if ground.kinds[cell].mf is not None]
    places = sorted(passable, key=lambda cell: (ground.ranges[centre][cell], lot.random()))[: 3 * STACKS]
    shared = lot.sample(places, 2)
    for side, names in nations.items():
        for cell in [*lot.sample(places, STACKS), *shared]:
            for _ in range(lot.choice((1, 1, 2, 3))):
                _man(state, lot, side, lot.choice(names), cell)
    for cell in lot.sample(places, 8):
        _work(state, lot, cell, lot.choice(list(nations)))
    _shelter(state, lot)
    _move(state, lot)
    return state


def _man(state: SquadState, lot: random.Random, side: str, nation: str, cell: int) -> None:
    """A unit of any kind, half of them with a weapon."""
    counters = [one for (whose, _), one in all_counters().items() if whose == nation]
    men = [one for one in counters if not isinstance(one, SupportWeapon | Gun)]
    arms = [one for one in counters if isinstance(one, SupportWeapon | Gun)]
    number = len(state.units)
    unit = Unit(f"u{number}", side, f"{nation} {lot.choice(men).name}", group=lot.choice(["", _group(state, side)]))
    flags: dict[str, Any] = {name: lot.random() < OFTEN.get(name, SELDOM) for name in FLAGS}
    flags["dm"] = flags["broken"] and lot.random() < 0.5
    flags["concealed"] = flags["concealed"] and not flags["broken"]
    flags["marker"] = lot.choice((0, 0, 0, 1, 2, 3))
    flags["marks"] = tuple([mark for mark in MARKS if lot.random() < SELDOM])
    unit = replace(put(state, unit, cell), **flags)
    state.units[unit.id] = unit
    if arms and lot.random() < 0.5:
        _arm(state, lot, unit, f"{nation} {lot.choice(arms).name}")


def _group(state: SquadState, side: str) -> str:
    return next((group.id for group in setting_of(state).scenario.groups if group.side == side), "")


def _arm(state: SquadState, lot: random.Random, unit: Unit, kind: str) -> None:
    """A weapon in its hands, or one that lies beside it."""
    weapon = Weapon(
        f"w{len(state.weapons)}",
        unit.side,
        kind,
        group=unit.group,
        broken=lot.random() < SELDOM,
        marker=lot.choice((0, 0, 0, 1, 2, 3)),
        moved=lot.random() < SELDOM,
        shots=lot.choice((0, 0, 0, 1)),
    )
    if weapon_kind(weapon).gun:
        weapon = replace(weapon, facing=lot.randrange(6), emplaced=lot.random() < 0.5, hip=unit.hip)
    if weapon_kind(weapon).ordnance and lot.random() < 0.5:
        weapon = replace(weapon, acquired=Acquired(lot.choice(list(state.stacks)), -lot.randrange(1, 3)))
    if lot.random() < 0.2:
        state.weapons[weapon.id] = replace(weapon, at=unit.at)
        state.loose[unit.at] = (*state.loose.get(unit.at, ()), weapon.id)
        return
    state.weapons[weapon.id] = replace(weapon, owner=unit.id)
    state.units[unit.id] = replace(unit, weapons=(*unit.weapons, weapon.id))


def _work(state: SquadState, lot: random.Random, cell: int, side: str) -> None:
    """A work, Smoke or mines."""
    made = lot.choice(("foxhole", "foxhole", "trench", "pillbox", "wire", "mines", "smoke", "fortified"))
    if made == "smoke" or works.FOXHOLE not in setting_of(state).points.counters:
        lay(state, cell, Counter(SMOKE, side, value=lot.choice((2, 3))))
    elif made == "foxhole":
        works.lay_foxhole(state, cell, side, lot.randrange(1, 4))
    elif made == "trench":
        works.lay_trench(state, cell, side)
    elif made == "pillbox":
        works.lay_pillbox(state, cell, side, lot.choice(((1, 3, 5), (2, 3, 5), (3, 5, 7))), lot.randrange(6))
    elif made == "wire":
        works.lay_wire(state, cell, side)
    elif made == "mines":
        works.lay_mines(state, cell, side, lot.choice((6, 8, 12)), known=lot.random() < 0.5)
    else:
        works.fortify(state, cell, side)


def _shelter(state: SquadState, lot: random.Random) -> None:
    """Some are in the works of their hex."""
    for unit in list(state.units.values()):
        found = [one for one in state.counters.get(unit.at, ()) if one.kind in (*works.SHELTERS, works.WIRE)]
        if found and lot.random() < 0.6:
            state.units[unit.id] = replace(unit, within=lot.choice(found).id)


def _move(state: SquadState, lot: random.Random) -> None:
    """Some of the attacker's stack are moving."""
    able = [unit for unit in state.units.values() if unit.side == state.attacker and not unit.broken]
    if not able or lot.random() < 0.3:
        return
    first = lot.choice([unit for unit in able if unit.at in state.counters and lot.random() < 0.7] or able)
    movers = [unit for unit in able if unit.at == first.at and unit_kind(state, unit).personnel] or [first]
    near = setting_of(state).ground.near[first.at]
    active = [unit.id for unit in movers if lot.random() < 0.8] or [movers[0].id]
    state.moving = Moving(
        tuple(
            [
                Mover(unit.id, lot.choice(near), spent=lot.randrange(9), here=lot.randrange(3), hexes=lot.randrange(3))
                for unit in movers
            ]
        ),
        tuple(active),
    )
