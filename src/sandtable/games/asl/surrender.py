"""Giving up: who never does, who can take prisoners, and what becomes of a unit that surrenders (A20)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from sandtable.engine import Event, Play
from sandtable.engine.part import Field
from sandtable.games.asl.prisoners.model import Freed, GuardChanged
from sandtable.games.asl.strength import us_number
from sandtable.games.squad.effects.morale import put_under_dm
from sandtable.games.squad.ground.knowledge import concealed
from sandtable.games.squad.ground.marks import mark
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import (
    come_out,
    drop,
    eliminate,
    leave_map,
    name_of,
    put,
    release_melee,
    units_at,
    update,
)
from sandtable.games.squad.pieces.model import OFF_MAP, SquadState, Unit

UNARMED, DISRUPTED = "unarmed", "disrupted"
PER_US = 5
"""A guard holds prisoners of five times its US# (A20.5)."""
NEVER = ("partisan", "japanese")


class Captive(msgspec.Struct, frozen=True, omit_defaults=True):
    """A prisoner: the unit that it was, and who guards it; a guard that has left the map took it along."""

    unit: Unit
    guard: str = ""
    passed: str = ""
    """The Player Turn in which it changed guards: once is enough."""


CAPTIVES: Field[dict[str, Captive]] = Field("captives", dict[str, Captive], {})
NO_QUARTER: Field[tuple[str, ...]] = Field("no_quarter", tuple[str, ...], ())
"""Sides that give No Quarter: their enemies surrender to them no more (A20.3)."""


class Captured(Event, frozen=True):
    """A unit is a prisoner now (A20.2)."""

    unit: str
    guard: str
    at: str
    side: str


class Disrupted(Event, frozen=True):
    """A unit is Disrupted (A19.12)."""

    unit: str
    at: str


# -- asking -----------------------------------------------------------------------------


def takes_prisoners(state: SquadState) -> bool:
    """Whether the game has prisoners at all."""
    return hasattr(state, CAPTIVES.name)


def never_surrenders(state: SquadState, unit: Unit) -> bool:
    """Who does not give up: by nationality, Fanatics, berserk units, whoever faces No Quarter (A20.21, A15.5)."""
    kind = unit_kind(state, unit)
    setting = setting_of(state)
    other = setting.others[unit.side]
    if takes_prisoners(state) and other in NO_QUARTER.of(state):
        return True
    if kind.nation in NEVER or "ommissar" in kind.name or "Gurkha" in kind.name:
        return True
    if kind.nation == "german_ss" and "russian" in setting.nations_of(other):
        return True
    return "fanatic" in unit.marks or "berserk" in unit.marks


def held_by(state: SquadState, guard: str) -> list[Captive]:
    """The prisoners of a guard."""
    if not takes_prisoners(state):
        return []
    return [captive for captive in CAPTIVES.of(state).values() if captive.guard == guard]


def held_us(state: SquadState, guard: str) -> int:
    """US# of the prisoners of a guard."""
    return sum([us_number(state, captive.unit) for captive in held_by(state, guard)])


def may_guard(state: SquadState, guard: Unit, units: Sequence[Unit]) -> bool:
    """Whether a unit can take these prisoners beside those that it has (A20.5)."""
    kind = unit_kind(state, guard)
    if not kind.personnel or guard.broken or "berserk" in guard.marks or UNARMED in guard.marks:
        return False
    total = held_us(state, guard.id) + sum([us_number(state, unit) for unit in units])
    return total <= PER_US * us_number(state, guard)


def captors(state: SquadState, cell: int, side: str, units: Sequence[Unit]) -> list[Unit]:
    """Known Good Order armed Infantry in or beside a Location that can take its broken units prisoner (A20.21)."""
    found = []
    for near in (cell, *setting_of(state).ground.beside[cell]):
        for unit in units_at(state, near):
            if unit.side == side or not unit.good_order or concealed(state, unit) or not may_guard(state, unit, units):
                continue
            if near == cell or sees(state, near, cell):
                found.append(unit)
    return found


# -- doing ------------------------------------------------------------------------------


def capture(play: Play[SquadState], unit: Unit, guard: Unit, why: str) -> None:
    """A unit drops its weapons and goes into captivity (A20.2, A20.5)."""
    state = play.state
    unit = come_out(play, unit, "is captured")
    if unit.id not in state.units:
        return
    for name in unit.weapons:
        drop(play, state.weapons[name])
    unit = state.units[unit.id]
    where, cell = name_of(state, unit.at), unit.at
    leave_map(play, unit, "captured")
    kept = Unit(unit.id, unit.side, unit.kind, group=unit.group, wounded=unit.wounded, marks=_lasting(unit))
    CAPTIVES.of(state)[unit.id] = Captive(kept, guard.id)
    play.emit(Captured(unit=unit.id, guard=guard.id, at=where, side=guard.side))
    guard_lost(play, unit, why)
    if unit.melee:
        release_melee(play, cell)


def _lasting(unit: Unit) -> tuple[str, ...]:
    return tuple([name for name in unit.marks if name in ("heroic", "fanatic")])


def pass_on(state: SquadState, guard: str, to: str) -> None:
    """The prisoners of a guard have another one."""
    for captive in held_by(state, guard):
        CAPTIVES.of(state)[captive.unit.id] = replace(captive, guard=to)


def guard_lost(play: Play[SquadState], unit: Unit, why: str) -> None:
    """A guard is gone: another unit of its Location takes over, or the prisoners are free (A20.5)."""
    state = play.state
    for captive in held_by(state, unit.id):
        here = [other for other in units_at(state, unit.at, unit.side) if may_guard(state, other, [captive.unit])]
        if here:
            CAPTIVES.of(state)[captive.unit.id] = replace(captive, guard=here[0].id)
            where = name_of(state, unit.at)
            play.emit(GuardChanged(unit=captive.unit.id, guard=here[0].id, at=where))
        elif unit.at >= 0:
            free(play, captive, unit.at, "its guard is gone")


def free(play: Play[SquadState], captive: Captive, cell: int, why: str) -> Unit:
    """A prisoner is back on the map; a MMC has no arms (A20.5, A20.551)."""
    state = play.state
    del CAPTIVES.of(state)[captive.unit.id]
    state.gone.pop(captive.unit.id, None)
    state.units[captive.unit.id] = captive.unit
    unit = put(state, captive.unit, cell)
    if unit_kind(state, unit).mmc:
        unit = mark(play, unit, UNARMED)
    play.emit(Freed(unit=unit.id, at=name_of(state, cell), why=why))
    return unit


def disrupt(play: Play[SquadState], unit: Unit) -> Unit:
    """A unit is broken and Disrupted (A19.12)."""
    unit = update(play, unit, broken=True, pinned=False)
    unit = mark(play, put_under_dm(play, unit), DISRUPTED)
    play.emit(Disrupted(unit=unit.id, at=name_of(play.state, unit.at)))
    return unit


def give_up(play: Play[SquadState], unit: Unit, captor: str, why: str, *, guards: Sequence[str] = ()) -> None:
    """A unit surrenders to a side: to one of the guards, else to somebody in or beside its Location (A20.2).

    With nobody there to take it, it is Disrupted; in a game without prisoners it counts as eliminated.
    """
    state = play.state
    if not takes_prisoners(state):
        eliminate(play, unit, why)
        return
    if unit.at == OFF_MAP:
        return
    able = [state.units[name] for name in guards if name in state.units]
    able = [guard for guard in able if may_guard(state, guard, [unit])] or captors(state, unit.at, unit.side, [unit])
    if able:
        capture(play, unit, able[0], why)
    else:
        disrupt(play, unit)
