"""FRIENDLY Command Control: who has orders in a FRIENDLY Player Turn, and what Panic forbids (S16)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sandtable.engine import Event, Play, Tally
from sandtable.engine.part import Bar, Words
from sandtable.games.asl.heat.model import BERSERK
from sandtable.games.sasl.model import FRIENDLY, NOTHING, ORDERS, PANIC, Order
from sandtable.games.sasl.tables import general
from sandtable.games.squad.effects.verdicts import level
from sandtable.games.squad.ground.knowledge import hidden
from sandtable.games.squad.ground.names import names, short, verb
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.pieces.model import SquadState, Unit

IN_COMMAND = "in command"
RANGE, PINNED_RANGE = 2, 1
"""Command Influence Range in hexes; a pinned leader's is shorter (S16.4, SA-56)."""
HELPED = ("american", "italian", "axis_minor", "chinese")
"""Nations whose MMC have -1 on the Command DR (S16.2)."""


class Panicked(Event, frozen=True):
    """FRIENDLY units failed their Command DR (S16.3)."""

    units: tuple[str, ...]
    at: str


class Commanded(Event, frozen=True):
    """A leader passed his Command DR, or was commanded, and commands units around him (S16.4)."""

    leader: str
    at: str
    units: tuple[str, ...]


def command_number(state: SquadState, unit: Unit) -> int:
    """The CMD# of a unit: its Morale Level, one more for leaders and crews (S16.2)."""
    kind = unit_kind(state, unit)
    return level(kind, unit) + int(kind.smc or kind.crew)


def command_tally(state: SquadState, unit: Unit) -> Tally:
    """The DRM of a Command DR (S16.2)."""
    found = [one for one in general.command_modifiers() if one.when in HELPS and HELPS[one.when](state, unit)]
    return Tally.of("Command DR", [(one.when, one.drm, "S16.2") for one in found])


HELPS: dict[str, Callable[[SquadState, Unit], bool]] = {
    "Acquired Target": lambda state, unit: any(state.weapons[name].acquired is not None for name in unit.weapons),
    "U.S. Army, Italian, Axis Minor or Chinese MMC": lambda state, unit: (
        unit_kind(state, unit).mmc and unit_kind(state, unit).nation in HELPED
    ),
    "Japanese leader": lambda state, unit: unit_kind(state, unit).leads and unit_kind(state, unit).nation == "japanese",
}
"""The DRM of the table that this step plays, by its words, and when each counts."""


def asks(state: SquadState, unit: Unit) -> bool:
    """Whether a unit needs a Command DR: Good Order on the map; who enters comes with his orders (S16.32, SA-56)."""
    return (
        unit.side == FRIENDLY
        and unit.at >= 0
        and unit.good_order
        and not (unit_kind(state, unit).smc and unit_kind(state, unit).fires)
    )


def checks(play: Play[SquadState]) -> None:
    """At the start of the FRIENDLY PFPh: leaders first, then those whom none commands (S16.1)."""
    state = play.state
    setting = setting_of(state)
    if state.attacker != FRIENDLY or setting.options.get("command", "on") != "on":
        return
    orders = ORDERS.of(state)
    waiting = [unit for unit in state.units.values() if asks(state, unit)]
    leaders = [unit for unit in waiting if unit_kind(state, unit).leads]
    leaders.sort(key=lambda unit: (-level(unit_kind(state, unit), unit), unit.id))
    failed: dict[int, list[str]] = {}
    for unit in (*leaders, *[unit for unit in waiting if unit not in leaders]):
        if unit.id in orders:
            continue
        if not _passes(play, unit):
            failed.setdefault(unit.at, []).append(unit.id)
        elif unit_kind(state, unit).leads:
            _lead(play, unit, waiting)
    for cell, failing in failed.items():
        for name in failing:
            orders[name] = Order(PANIC)
        play.emit(Panicked(units=tuple(failing), at=name_of(state, cell), to=listeners(state)))


def listeners(state: SquadState) -> tuple[str, ...] | None:
    """Who hears of Command: everybody, or the side alone while some of it are concealed, for it tells who leads."""
    secret = any(unit.side == FRIENDLY and (unit.concealed or hidden(unit)) for unit in state.units.values())
    return (FRIENDLY,) if secret else None


def _passes(play: Play[SquadState], unit: Unit) -> bool:
    """A Command DR; a leader who fails it Panics as well."""
    state = play.state
    tally = command_tally(state, unit)
    roll = sum(play.roll(6, 2, f"command: {short(state, unit)}", by=FRIENDLY, tally=tally, to=listeners(state)))
    passed = roll + int(tally.total) <= command_number(state, unit)
    if passed:
        ORDERS.of(state)[unit.id] = Order(IN_COMMAND)
    return passed


def _lead(play: Play[SquadState], leader: Unit, waiting: Sequence[Unit]) -> None:
    """A leader in command commands units of lower morale within his range; leaders among them pass it on.

    A pinned leader's range is shorter (S16.41, S16.42).
    """
    state = play.state
    orders = ORDERS.of(state)
    reach = PINNED_RANGE if leader.pinned else RANGE
    ranges = setting_of(state).ground.ranges[leader.at]
    own = level(unit_kind(state, leader), leader)
    led = [
        unit
        for unit in waiting
        if unit.id not in orders and ranges[unit.at] <= reach and level(unit_kind(state, unit), unit) < own
    ]
    for unit in led:
        orders[unit.id] = Order(IN_COMMAND)
    if led:
        commanded = tuple([unit.id for unit in led])
        play.emit(Commanded(leader=leader.id, at=name_of(state, leader.at), units=commanded, to=listeners(state)))
    for unit in led:
        if unit_kind(state, unit).leads:
            _lead(play, unit, waiting)


def panicked(state: SquadState, name: str) -> bool:
    """Whether a unit has Panicked in this Player Turn (S6.21, S16.3)."""
    order = ORDERS.of(state).get(name)
    if order is None or order.what != PANIC:
        return False
    # it ends when the unit breaks or goes berserk (S6.21)
    unit = state.units.get(name)
    return unit is None or not (unit.broken or BERSERK in unit.marks)


def steadied(play: Play[SquadState], unit: Unit, why: str) -> None:
    """Battle Hardening ends Panic (S6.21)."""
    state = play.state
    if panicked(state, unit.id):
        ORDERS.of(state)[unit.id] = Order(IN_COMMAND if unit.side == FRIENDLY else NOTHING)


def panic_bar(state: SquadState, unit: Unit, *asked: Any) -> Bar | None:
    """Panic keeps a FRIENDLY unit from fire, movement and advance in its Player Turn: it is like TI (S6.21, S16.3)."""
    if unit.side == FRIENDLY == state.attacker and panicked(state, unit.id):
        return "It has Panicked: it may not fire, move or advance in this Player Turn", "S16.3"
    return None


def combat_lines(state: SquadState, attackers: Sequence[Unit], targets: Sequence[Unit]) -> list[tuple[str, float, str]]:
    """Panicked units fight at +1, and are fought at -1 (S6.213)."""
    found: list[tuple[str, float, str]] = []
    if any(panicked(state, unit.id) for unit in attackers):
        found.append(("Panicked attacker", 1, "S6.21"))
    if any(panicked(state, unit.id) for unit in targets):
        found.append(("Panicked target", -1, "S6.21"))
    return found


def ambush_lines(state: SquadState, cell: int, side: str) -> list[tuple[str, float, str]]:
    """Panicked units are ambushed more easily (S6.213)."""
    here = [name for name in state.stacks.get(cell, ()) if state.units[name].side == side]
    return [("Panicked", 2, "S6.21")] if any(panicked(state, name) for name in here) else []


WORDS: dict[type[Event], Words] = {
    Panicked: lambda state, event: (
        f"{names(state, event.units)} in {event.at} {verb(event.units, 'fails its', 'fail their')} Command DR:"
        " Panicked for this Player Turn (S16.3)"
    ),
    Commanded: lambda state, event: (
        f"{short(state, event.leader)} in {event.at} commands {names(state, event.units)} (S16.4)"
    ),
}
