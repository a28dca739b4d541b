"""Positions as small files that a person can write: units and weapons as lines, hexes by name."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from sandtable.engine import Frame
from sandtable.games.squad.fire.model import FirePhaseFrame
from sandtable.games.squad.ground.counters import CHARGE, RESIDUAL, lay
from sandtable.games.squad.ground.setting import Setting, setting_of
from sandtable.games.squad.ground.stacks import give, put
from sandtable.games.squad.ordnance.special_weapons import NON_ELITE
from sandtable.games.squad.pieces.kinds import printed_unit, printed_weapon
from sandtable.games.squad.pieces.model import OFF_MAP, Counter, Gone, SquadState, Unit, Weapon
from sandtable.games.squad.scenario.placing import fortify
from sandtable.reading import convert

_HEX_FIELDS = ("at", "beside", "frm")
_PLAIN = ("turn", "attacker", "phase", "serial")
_TABLES = ("control", "points", "halves", "entered")
_KEYS = {*_PLAIN, *_TABLES, "units", "weapons", "gone", "counters", "outcome"}
_SHORT = ("smoke", "residual", "charges")
"""Other ways to write counters: Smoke and Residual FP by hex, Demolition Charges as lines."""
_FORTIFIED_ENTRY = "fortified"
"""Older positions name the fortified building among the groups that have entered."""
_EXACT = ("moving", "shots", "fired_along", "left_out", "only_smoke", "fire_begun", "stack")
"""Written only in the middle of something, in the program's own form."""


MOST_IN_HEX = 40
"""Units that a position may put into one hex: many more than may stand there, few enough to play with."""


def write(state: SquadState) -> dict[str, Any]:
    """A position file's data for a state."""
    names = setting_of(state).ground.names
    data: dict[str, Any] = {name: getattr(state, name) for name in _PLAIN}
    data["units"] = [_line(unit, names, leave=("weapons",)) for unit in _in_order(state)]
    data["weapons"] = [_line(weapon, names) for weapon in state.weapons.values()]
    if state.gone:
        data["gone"] = [msgspec.to_builtins(gone) for gone in state.gone.values()]
    if state.counters:
        data["counters"] = {
            names[place]: [_line(counter, names) for counter in counters] for place, counters in state.counters.items()
        }
    for name in _TABLES:
        if getattr(state, name):
            data[name] = dict(getattr(state, name))
    for field in setting_of(state).fields:
        if field.of(state) != field.start:
            data[field.name] = msgspec.to_builtins(field.of(state), str_keys=True)
    if state.outcome is not None:
        data["outcome"] = msgspec.to_builtins(state.outcome)
    frames = setting_of(state).points.frames
    plain = len(state.stack) == 1 and state.phase in frames and _is_start(state.stack[0], frames[state.phase])
    if (
        not plain
        or state.moving is not None
        or state.shots
        or state.fired_along
        or state.only_smoke
        or state.fire_begun
    ):
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


def read(setting: Setting, data: Mapping[str, Any]) -> SquadState:
    """The state that a position file describes; raises ValueError with a sentence."""
    added = [field.name for field in setting.fields]
    if unknown := [key for key in data if key not in (*_KEYS, *_SHORT, *_EXACT, *added)]:
        raise ValueError(f"a position has no {unknown[0]!r}; it has {', '.join(sorted([*_KEYS, *added]))}")
    state = setting.state_type(setting=setting.key, phase="RPh", attacker=setting.first)
    for name in _PLAIN:
        if name in data:
            setattr(state, name, data[name])
    if state.phase not in setting.points.frames and state.phase != "set-up":
        raise ValueError(f"{state.phase!r} is no phase; the phases are {', '.join(setting.points.frames)}")
    if state.attacker not in setting.sides:
        raise ValueError(f"the attacker is one of {', '.join(setting.sides)}, not {state.attacker!r}")
    for line in data.get("units", ()):
        _read_unit(state, setting, dict(line))
    for line in data.get("weapons", ()):
        _read_weapon(state, setting, dict(line))
    gone = convert(list(data.get("gone", ())), list[Gone])
    state.gone = {item.id: item for item in gone}
    for name in (*_TABLES, "outcome", *added, *_EXACT):
        if name in data:
            setattr(state, name, convert(data[name], _types(setting.state_type)[name], str_keys=True, strict=False))
    _read_counters(state, setting, data)
    if not state.stack:
        state.stack = [setting.points.frames[state.phase]()]
    return state


def _read_counters(state: SquadState, setting: Setting, data: Mapping[str, Any]) -> None:
    index = setting.ground.index
    given = [(index(cell), line) for cell, lines in data.get("counters", {}).items() for line in lines]
    given += [(index(cell), line) for cell, lines in data.get("smoke", {}).items() for line in lines]
    given += [(index(cell), {"kind": RESIDUAL, "value": fp}) for cell, fp in data.get("residual", {}).items()]
    given += [_charge(setting, dict(line)) for line in data.get("charges", ())]
    for place, line in given:
        counter = convert(_hexes(setting, dict(line)), Counter)
        if counter.kind not in setting.points.counters:
            raise ValueError(f"no counter is called {counter.kind!r}; there are {', '.join(setting.points.counters)}")
        lay(state, place, counter)
    fortify(state, state.entered.pop(_FORTIFIED_ENTRY, ""))


def _charge(setting: Setting, line: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """A Demolition Charge by the weapon that it was and who placed it, as a counter with its X# (4.3)."""
    number = printed_weapon(str(line.get("kind", ""))).removal - int(line.get("lowered", 0))
    if not line.get("elite", True):
        number -= NON_ELITE
    counter = {"kind": CHARGE, "value": number, "id": line["weapon"], "frm": line.get("frm", OFF_MAP)}
    return setting.ground.index(line["at"]), counter | {"cx": line.get("cx", False)}


@cache
def _types(state_type: type[SquadState]) -> dict[str, Any]:
    return typing.get_type_hints(state_type)


def _hexes(setting: Setting, line: dict[str, Any]) -> dict[str, Any]:
    for name in _HEX_FIELDS:
        if isinstance(line.get(name), str):
            line[name] = setting.ground.index(line[name])
    if isinstance(held := line.get("acquired"), dict):
        line["acquired"] = _hexes(setting, dict(held))
    return line


def _side_of(setting: Setting, line: dict[str, Any], nation: str) -> None:
    """A side and a group may be left out where the nationality tells them."""
    for group in setting.groups.values():
        if group.nation == nation and line.get("side", group.side) == group.side:
            line.setdefault("side", group.side)
            line.setdefault("group", group.id)
            return
    if "side" not in line:
        for side in setting.scenario.sides:
            if nation in side.nations:
                line["side"] = side.id
        if "side" not in line:
            raise ValueError(f"{line['id']}: say its side, one of {', '.join(setting.sides)}")
    for group in setting.groups.values():
        if group.side == line["side"]:
            line.setdefault("group", group.id)


def _read_unit(state: SquadState, setting: Setting, line: dict[str, Any]) -> None:
    line.setdefault("id", f"u{len(state.units) + 1}")
    kind = printed_unit(str(line.get("kind", "")))
    _side_of(setting, line, kind.nation)
    unit = convert(_hexes(setting, line), Unit)
    if unit.id in state.units:
        raise ValueError(f"two units are called {unit.id}")
    cell = unit.at
    state.units[unit.id] = unit = msgspec.structs.replace(unit, at=OFF_MAP)
    if cell >= 0:
        put(state, unit, cell)
        state.units[unit.id] = msgspec.structs.replace(state.units[unit.id], within=unit.within)
        if len(state.stacks[cell]) > MOST_IN_HEX:
            raise ValueError(f"{setting.ground.names[cell]} holds more than {MOST_IN_HEX} units")


def _read_weapon(state: SquadState, setting: Setting, line: dict[str, Any]) -> None:
    line.setdefault("id", f"w{len(state.weapons) + 1}")
    kind = printed_weapon(str(line.get("kind", "")))
    _side_of(setting, line, kind.nation)
    weapon = convert(_hexes(setting, line), Weapon)
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
