"""Zones of control and hex control (7.0): who stands where, and what follows from it at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

from sandtable.games.underbelly.atlas import BIT, INDEX, NAMES, PLACE_BITS, ZONE, bits_of, hexes_of
from sandtable.games.underbelly.data import ALLIED, GERMAN, roster
from sandtable.games.underbelly.model import UnderbellyState

UNITS = roster()
Force = tuple[str, int, int, int, str, list[str]]
_KEPT = 1024


def _roster_order(unit: str) -> int:
    return UNITS[unit].order


class Field:
    """What follows from where the ground units stand; the same for every state with the same places."""

    __slots__ = ("__dict__", "allied", "allied_zoc", "german", "german_zoc", "stacks")

    def __init__(self, stacks: dict[str, list[str]]) -> None:
        self.stacks = stacks
        self.allied = self.german = self.allied_zoc = self.german_zoc = 0
        self._count(ALLIED)
        self._count(GERMAN)

    @classmethod
    def of(cls, at: dict[str, str]) -> Field:
        """The field of units in places."""
        stacks: dict[str, list[str]] = {}
        for unit, place in at.items():
            if place in INDEX:
                stacks.setdefault(place, []).append(unit)
        return cls(dict(sorted(stacks.items())))

    def after(self, units: Sequence[str], origin: str, to: str) -> Field:
        """The field when units have gone from one place to another."""
        new = Field.__new__(Field)
        stacks = new.stacks = self.stacks.copy()
        if origin in INDEX:
            left = [u for u in stacks[origin] if u not in units]
            if left:
                stacks[origin] = left
            else:
                del stacks[origin]
        if to in INDEX:
            fresh = to not in stacks
            stacks[to] = sorted([*stacks.get(to, ()), *units], key=_roster_order)
            if fresh:  # the order of hexes must not depend on how the field came about
                stacks = new.stacks = dict(sorted(stacks.items()))
        new.allied, new.german = self.allied, self.german
        new.allied_zoc, new.german_zoc = self.allied_zoc, self.german_zoc
        new._count(UNITS[units[0]].side)
        return new

    def _count(self, side: str) -> None:
        here = zone = 0
        for place, stack in self.stacks.items():
            if UNITS[stack[0]].side == side:
                h = INDEX[place]
                here |= BIT[h]
                for unit in stack:
                    if UNITS[unit].division:
                        zone |= ZONE[h]
                        break
        if side == ALLIED:
            self.allied, self.allied_zoc = here, zone
        else:
            self.german, self.german_zoc = here, zone

    def stack(self, at: str) -> list[str]:
        """The ground units in a hex, in the order of the roster."""
        return self.stacks.get(at, [])

    def occupied(self, side: str) -> int:
        """Hexes with ground units of a side, as bits."""
        return self.allied if side == ALLIED else self.german

    def zoc(self, side: str) -> int:
        """Hexes into which the divisions of a side exert their zone of control (7.1, 7.2)."""
        return self.allied_zoc if side == ALLIED else self.german_zoc

    def ezoc(self, side: str) -> int:
        """Hexes in the zone of control of the side's enemy."""
        return self.german_zoc if side == ALLIED else self.allied_zoc

    def in_ezoc(self, side: str, at: str) -> bool:
        """Whether a hex lies in the zone of control of the side's enemy; friends negate nothing here (7.5)."""
        h = INDEX.get(at)
        return h is not None and bool(self.ezoc(side) & BIT[h])

    @cached_property
    def forces(self) -> dict[str, list[Force]]:
        """The stacks of each side with their bit, divisions, corps support and organisation."""
        found: dict[str, list[Force]] = {ALLIED: [], GERMAN: []}
        for at, stack in self.stacks.items():
            divisions = 0
            for unit in stack:
                if UNITS[unit].division:
                    divisions += 1
            first = UNITS[stack[0]]
            found[first.side].append((at, BIT[INDEX[at]], divisions, len(stack) - divisions, first.group, stack))
        return found

    @cached_property
    def reach_cache(self) -> dict[Any, Any]:
        """Moves already searched on this field (12.0)."""
        return {}

    @cached_property
    def supply_cache(self) -> dict[tuple[object, ...], int]:
        """Supply networks already traced on this field (11.3)."""
        return {}


_fields: dict[tuple[str, ...], Field] = {}


def field(state: UnderbellyState) -> Field:
    """The field of a state, made once for each arrangement of units."""
    key = tuple(state.at.values())
    found = _fields.get(key)
    if found is None:
        if len(_fields) >= _KEPT:
            _fields.clear()
        found = _fields[key] = Field.of(state.at)
    return found


def put(state: UnderbellyState, units: Sequence[str], to: str) -> None:
    """Set where units of one stack are, and bring the field up to date the short way."""
    at = state.at
    before = _fields.get(tuple(at.values()))
    origin = at[units[0]]
    for unit in units:
        at[unit] = to
    if before is not None and origin != to:
        key = tuple(at.values())
        if key not in _fields:
            _fields[key] = before.after(units, origin, to)


def control_changes(state: UnderbellyState) -> list[tuple[str, str]]:
    """Towns and cities whose control switches now: entered, or in an uncontested zone (7.7).

    A hex with a port supply marker falls only by entry.
    """
    now = field(state)
    ports = 0
    for at in state.ports:
        ports |= BIT[INDEX[at]]
    ours = PLACE_BITS & ((now.allied | ports | (now.allied_zoc & ~now.german_zoc)) & ~now.german)
    theirs = PLACE_BITS & ((now.german | (now.german_zoc & ~now.allied_zoc)) & ~now.allied & ~ports)
    held = _held(tuple(state.control.items()))
    gained, lost = ours & ~held, theirs & held
    if not gained and not lost:
        return []
    return [*((NAMES[h], ALLIED) for h in hexes_of(gained)), *((NAMES[h], GERMAN) for h in hexes_of(lost))]


@lru_cache(maxsize=256)
def _held(control: tuple[tuple[str, str], ...]) -> int:
    """Towns and cities that the Allies control, as bits."""
    return bits_of([INDEX[name] for name, side in control if side == ALLIED])
