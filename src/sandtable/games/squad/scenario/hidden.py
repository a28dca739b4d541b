"""What is hidden dealt anew, for tests and for players who must imagine what they cannot see (6.4)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.games.squad.ground.guns import HIP_RANGE
from sandtable.games.squad.ground.knowledge import hidden_from, known_to
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.setting import Setting, setting_of, unit_kind
from sandtable.games.squad.ground.stacks import put
from sandtable.games.squad.part import ALL, CONCEALED
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.games.squad.scenario.placing import gun_may_stand, gun_of


def reshuffle(state: SquadState, side: str | None, source: random.Random) -> SquadState | None:
    """A state in which what is hidden from a side stands elsewhere; None: nothing is hidden from it.

    Hidden are Guns with HIP, what lies under a "?", and what enemy stacks hold while a scenario is set up in secret.
    """
    if state.phase == "set-up" and setting_of(state).secret_setup:
        return _secret_setup(state, side, source)
    unknown = hidden_from(state, side)
    concealed = _exchangeable(state, side)
    if not unknown and not concealed:
        return None
    new = state.clone()
    setting = setting_of(state)
    for units in concealed:
        _exchange(new, units, source.sample(units, len(units)))
    for unit in unknown:
        cells = [cell for cell in setting.setup_areas.get(unit.group, ()) if _may_hide(new, setting, unit, cell)]
        moved = put(new, new.units[unit.id], source.choice([unit.at, *cells]))
        gun = gun_of(new, moved)
        if gun is not None:
            new.weapons[gun.id] = replace(gun, facing=source.randrange(6))
    return new


CONTENTS = ("kind", "group", "weapons", "used", "directed", "pinned", "wounded", "marks", "marker")
"""What a "?" keeps from its enemies; where it lies, and whether it has moved at Double Time, they see."""


def _exchangeable(state: SquadState, side: str | None) -> list[list[Unit]]:
    """Enemy units under a "?" that may be each other for all that a side knows, by side; Guns stay where they are.

    Units that are about to do something together are left alone: the frames on the stack name them.
    """
    busy = {word for frame in state.stack for word in _words(msgspec.to_builtins(frame))}
    moving = {mover.id for mover in state.moving.movers} if state.moving is not None else set()
    found: dict[str, list[Unit]] = {}
    for unit in state.units.values():
        if not unit.concealed or unit.at < 0 or known_to(state, side, unit) != CONCEALED:
            continue
        if unit.id not in busy | moving and not busy.intersection(unit.weapons) and gun_of(state, unit) is None:
            found.setdefault(unit.side, []).append(unit)
    return [units for units in found.values() if len(units) > 1]


def _words(data: Any) -> Iterator[str]:
    """All strings in plain data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list | tuple):
        for part in data.values() if isinstance(data, dict) else data:
            yield from _words(part)


def _exchange(state: SquadState, units: Sequence[Unit], others: Sequence[Unit]) -> None:
    """Each of these units becomes what another one was."""
    for unit, other in zip(units, others, strict=True):
        state.units[unit.id] = replace(unit, **{name: getattr(other, name) for name in CONTENTS})
        for name in other.weapons:
            state.weapons[name] = replace(state.weapons[name], owner=unit.id)


def _secret_setup(state: SquadState, side: str | None, source: random.Random) -> SquadState | None:
    """Enemies already placed change places with their like: where stacks stand is seen, what is in them not (G37)."""
    floors = setting_of(state).ground.floors
    alike: dict[tuple[str, bool, int, int, str], list[Unit]] = {}
    for unit in state.units.values():
        if unit.at >= 0 and (known := known_to(state, side, unit)) != ALL:
            kind = unit_kind(state, unit)
            stays = unit.id if unit.at in floors else ""  # which way units at a Crest look is seen
            alike.setdefault((unit.group, kind.mmc, kind.size, known, stays), []).append(unit)
    if not alike:
        return None
    new = state.clone()
    for units in [units for (*_, stays), units in alike.items() if not stays]:
        for unit, cell in zip(units, source.sample([unit.at for unit in units], len(units)), strict=True):
            put(new, new.units[unit.id], cell)
    return new


def _may_hide(state: SquadState, setting: Setting, unit: Unit, cell: int) -> bool:
    """Whether a hidden Gun could be in a hex for all that its enemy knows."""
    ground = setting.ground
    gun = gun_of(state, unit)
    if state.stacks.get(cell) or ground.paved[cell] or gun is None:
        return False
    if not gun_may_stand(state, setting.groups[unit.group], gun, cell):
        return False
    if not ground.open[cell]:
        return True
    row, ranges = ground.los_row(cell), ground.ranges[cell]
    return not any(
        enemy.side != unit.side and enemy.at >= 0 and row[enemy.at] != BLOCKED and ranges[enemy.at] <= HIP_RANGE
        for enemy in state.units.values()
    )
