"""Positions as small files that a person can write: units and weapons as lines, hexes by name."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from sandtable.engine import Frame
from sandtable.games.squad.fire_model import FirePhaseFrame
from sandtable.games.squad.kinds import printed_unit, printed_weapon
from sandtable.games.squad.model import OFF_MAP, Gone, SquadState, Unit, Weapon
from sandtable.games.squad.phases import FRAMES
from sandtable.games.squad.setting import Setting, setting
from sandtable.games.squad.stacks import give, put

_HEX_FIELDS = ("at", "beside", "frm")
_PLAIN = ("turn", "attacker", "phase", "serial")
_TABLES = ("control", "points", "halves", "entered")
_KEYS = {*_PLAIN, *_TABLES, "units", "weapons", "gone", "smoke", "residual", "charges", "outcome"}
_EXACT = ("moving", "shots", "volleys", "stack")
"""Written only in the middle of something, in the program's own form."""


def write(state: SquadState) -> dict[str, Any]:
    """A position file's data for a state."""
    names = setting(state).ground.names
    data: dict[str, Any] = {name: getattr(state, name) for name in _PLAIN}
    data["units"] = [_line(unit, names, leave=("weapons",)) for unit in _in_order(state)]
    data["weapons"] = [_line(weapon, names) for weapon in state.weapons.values()]
    if state.gone:
        data["gone"] = [msgspec.to_builtins(gone) for gone in state.gone.values()]
    if state.smoke:
        data["smoke"] = {names[cell]: msgspec.to_builtins(smoke) for cell, smoke in state.smoke.items()}
    if state.residual:
        data["residual"] = {names[cell]: fp for cell, fp in state.residual.items()}
    if state.charges:
        data["charges"] = [_line(charge, names) for charge in state.charges]
    for name in _TABLES:
        if getattr(state, name):
            data[name] = dict(getattr(state, name))
    if state.outcome is not None:
        data["outcome"] = msgspec.to_builtins(state.outcome)
    plain = len(state.stack) == 1 and state.phase in FRAMES and _is_start(state.stack[0], FRAMES[state.phase])
    if not plain or state.moving is not None or state.shots or state.volleys:
        data |= {name: msgspec.to_builtins(getattr(state, name), str_keys=True) for name in _EXACT}
    return {key: value for key, value in data.items() if value is not None}


def _is_start(frame: Frame, kind: type[Frame]) -> bool:
    """Whether a phase stands where reading its name alone would put it."""
    return frame == kind() or (type(frame) is kind and isinstance(frame, FirePhaseFrame))


def _in_order(state: SquadState) -> list[Unit]:
    """Units with those of one hex in the order of their stack."""
    placed = {name for stack in state.stacks.values() for name in stack}
    stacked = [state.units[name] for stack in state.stacks.values() for name in stack]
    return stacked + [unit for unit in state.units.values() if unit.id not in placed]


def _line(item: msgspec.Struct, names: tuple[str, ...], leave: tuple[str, ...] = ()) -> dict[str, Any]:
    line: dict[str, Any] = msgspec.to_builtins(item)
    for name in _HEX_FIELDS:
        if name in line:
            line[name] = names[line[name]]
    if "acquired" in line:
        line["acquired"]["at"] = names[line["acquired"]["at"]]
    return {key: value for key, value in line.items() if key not in leave}


def read(card: Setting, data: Mapping[str, Any]) -> SquadState:
    """The state that a position file describes; raises ValueError with a sentence."""
    if unknown := [key for key in data if key not in _KEYS and key not in _EXACT]:
        raise ValueError(f"a position has no {unknown[0]!r}; it has {', '.join(sorted(_KEYS))}")
    state = SquadState(setting=card.key, phase="RPh", attacker=card.first)
    for name in _PLAIN:
        if name in data:
            setattr(state, name, data[name])
    if state.phase not in FRAMES and state.phase != "set-up":
        raise ValueError(f"{state.phase!r} is no phase; the phases are {', '.join(FRAMES)}")
    if state.attacker not in card.sides:
        raise ValueError(f"the attacker is one of {', '.join(card.sides)}, not {state.attacker!r}")
    for line in data.get("units", ()):
        _read_unit(state, card, dict(line))
    for line in data.get("weapons", ()):
        _read_weapon(state, card, dict(line))
    index = card.ground.index
    for name in ("smoke", "residual"):
        given = {index(cell): value for cell, value in data.get(name, {}).items()}
        setattr(state, name, msgspec.convert(given, _types()[name]))
    charges = [_hexes(card, dict(line)) for line in data.get("charges", ())]
    state.charges = msgspec.convert(charges, _types()["charges"])
    gone = msgspec.convert(list(data.get("gone", ())), list[Gone])
    state.gone = {item.id: item for item in gone}
    for name in (*_TABLES, "outcome", *_EXACT):
        if name in data:
            setattr(state, name, msgspec.convert(data[name], _types()[name], str_keys=True, strict=False))
    if not state.stack:
        state.stack = [FRAMES[state.phase]()]  # type: ignore[list-item]
    return state


@cache
def _types() -> dict[str, Any]:
    return typing.get_type_hints(SquadState)


def _hexes(card: Setting, line: dict[str, Any]) -> dict[str, Any]:
    for name in _HEX_FIELDS:
        if isinstance(line.get(name), str):
            line[name] = card.ground.index(line[name])
    if isinstance(held := line.get("acquired"), dict):
        line["acquired"] = _hexes(card, dict(held))
    return line


def _side_of(card: Setting, line: dict[str, Any], nation: str) -> None:
    """A side and a group may be left out where the nationality tells them."""
    for group in card.groups.values():
        if group.nation == nation and line.get("side", group.side) == group.side:
            line.setdefault("side", group.side)
            line.setdefault("group", group.id)
            return
    if "side" not in line:
        for side in card.scenario.sides:
            if nation in side.nations:
                line["side"] = side.id
        if "side" not in line:
            raise ValueError(f"{line['id']}: say its side, one of {', '.join(card.sides)}")
    for group in card.groups.values():
        if group.side == line["side"]:
            line.setdefault("group", group.id)


def _read_unit(state: SquadState, card: Setting, line: dict[str, Any]) -> None:
    line.setdefault("id", f"u{len(state.units) + 1}")
    kind = printed_unit(str(line.get("kind", "")))
    _side_of(card, line, kind.nation)
    unit = msgspec.convert(_hexes(card, line), Unit)
    if unit.id in state.units:
        raise ValueError(f"two units are called {unit.id}")
    cell = unit.at
    state.units[unit.id] = unit = msgspec.structs.replace(unit, at=OFF_MAP)
    if cell >= 0:
        put(state, unit, cell)


def _read_weapon(state: SquadState, card: Setting, line: dict[str, Any]) -> None:
    line.setdefault("id", f"w{len(state.weapons) + 1}")
    kind = printed_weapon(str(line.get("kind", "")))
    _side_of(card, line, kind.nation)
    weapon = msgspec.convert(_hexes(card, line), Weapon)
    if weapon.id in state.weapons or weapon.id in state.units:
        raise ValueError(f"{weapon.id} is the name of two things")
    owner, cell = weapon.owner, weapon.at
    state.weapons[weapon.id] = msgspec.structs.replace(weapon, owner="", at=OFF_MAP)
    if owner:
        if owner not in state.units:
            raise ValueError(f"{weapon.id} belongs to {owner}, but there is no such unit")
        give(state, state.weapons[weapon.id], owner)
    elif cell >= 0:
        state.weapons[weapon.id] = weapon
        state.loose[cell] = (*state.loose.get(cell, ()), weapon.id)
    else:
        raise ValueError(f"{weapon.id} needs an owner or a hex")
