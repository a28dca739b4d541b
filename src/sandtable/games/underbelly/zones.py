"""Zones of control and hex control (7.0): who stands where, and what follows from it at once."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sandtable.games.underbelly.atlas import (
    BIT,
    INDEX,
    NAMES,
    PLACE_BITS,
    PLACES,
    ZONE,
    forget_floods,
    hexes_of,
)
from sandtable.games.underbelly.data import ALLIED, GERMAN, roster
from sandtable.games.underbelly.model import UnderbellyState

UNITS = roster()
Force = tuple[str, int, int, int, str, list[str], int]
"""Hex, bit, divisions, corps support, organisation of the first unit, units, zone of control."""
_KEPT = 128


def _roster_order(unit: str) -> int:
    return UNITS[unit].order


def _force(at: str, stack: list[str]) -> Force:
    """One stack with everything that is asked of it often."""
    h = INDEX[at]
    divisions = 0
    for unit in stack:
        if UNITS[unit].division:
            divisions += 1
    zone = ZONE[h] if divisions else 0
    return at, BIT[h], divisions, len(stack) - divisions, UNITS[stack[0]].group, stack, zone


class Field:
    """What follows from where the ground units stand; the same for every state with the same places.

    The stacks of each side are in the order of their hexes, however the field came about.
    """

    __slots__ = (
        "_stacks",
        "allied",
        "allied_zoc",
        "forces",
        "german",
        "german_zoc",
        "reach_cache",
        "supply_cache",
    )
    reach_cache: dict[Any, Any]
    """Moves already searched on this field (12.0)."""
    supply_cache: dict[tuple[object, ...], int]
    """Supply networks already traced on it (11.3)."""
    _stacks: dict[str, list[str]] | None

    def __init__(self, allied: list[Force], german: list[Force]) -> None:
        self.forces = {ALLIED: allied, GERMAN: german}
        self.allied, self.allied_zoc = _sum(allied)
        self.german, self.german_zoc = _sum(german)
        self._stacks, self.reach_cache, self.supply_cache = None, {}, {}

    @classmethod
    def of(cls, at: dict[str, str]) -> Field:
        """The field of units in places."""
        stacks: dict[str, list[str]] = {}
        for unit, place in at.items():
            if place in INDEX:
                stacks.setdefault(place, []).append(unit)
        forces: dict[str, list[Force]] = {ALLIED: [], GERMAN: []}
        for place, stack in sorted(stacks.items()):
            forces[UNITS[stack[0]].side].append(_force(place, stack))
        return cls(forces[ALLIED], forces[GERMAN])

    def after(self, units: Sequence[str], origin: str, to: str) -> Field:
        """The field when units have gone from one place to another."""
        if origin == to:
            return self
        side = UNITS[units[0]].side
        forces: list[Force] = []
        there: list[str] = []
        here = zone = 0
        for force in self.forces[side]:
            at = force[0]
            if at == to:
                there = force[5]
                continue
            if at == origin:
                left = [u for u in force[5] if u not in units]
                if not left:
                    continue
                force = _force(origin, left)
            forces.append(force)
            here |= force[1]
            zone |= force[6]
        if to in INDEX:
            both = [*there, *units]
            force = _force(to, sorted(both, key=_roster_order) if len(both) > 1 else both)
            insort(forces, force)
            here |= force[1]
            zone |= force[6]
        new = Field.__new__(Field)
        new._stacks, new.reach_cache, new.supply_cache = None, {}, {}
        if side == ALLIED:
            new.forces = {ALLIED: forces, GERMAN: self.forces[GERMAN]}
            new.allied, new.allied_zoc, new.german, new.german_zoc = here, zone, self.german, self.german_zoc
        else:
            new.forces = {ALLIED: self.forces[ALLIED], GERMAN: forces}
            new.allied, new.allied_zoc, new.german, new.german_zoc = self.allied, self.allied_zoc, here, zone
        return new

    def without(self, units: Sequence[str], origin: str) -> tuple[int, int]:
        """(hexes occupied, zones of control) of a side when these units of one of its stacks are left out, as bits."""
        here = zone = 0
        for at, bit, _, _, _, stack, exerted in self.forces[UNITS[units[0]].side]:
            if at != origin:
                here |= bit
                zone |= exerted
            elif len(stack) > len(units):
                here |= bit
                if any([UNITS[u].division for u in stack if u not in units]):
                    zone |= exerted
        return here, zone

    @property
    def stacks(self) -> dict[str, list[str]]:
        """The ground units in each hex, in the order of hexes and of the roster."""
        if self._stacks is None:
            both = sorted([*self.forces[ALLIED], *self.forces[GERMAN]])
            self._stacks = {force[0]: force[5] for force in both}
        return self._stacks

    def stack(self, at: str) -> list[str]:
        """The ground units in a hex, in the order of the roster."""
        for forces in self.forces.values():
            for force in forces:
                if force[0] == at:
                    return force[5]
        return []

    def occupied(self, side: str) -> int:
        """Hexes with ground units of a side, as bits."""
        return self.allied if side == ALLIED else self.german

    def zoc(self, side: str) -> int:
        """Hexes into which the divisions of a side exert their zone of control (7.1, 7.2, 7.3)."""
        return self.allied_zoc if side == ALLIED else self.german_zoc

    def ezoc(self, side: str) -> int:
        """Hexes in the zone of control of the side's enemy."""
        return self.german_zoc if side == ALLIED else self.allied_zoc

    def in_ezoc(self, side: str, at: str) -> bool:
        """Whether a hex lies in the zone of control of the side's enemy; friends negate nothing here (7.5)."""
        h = INDEX.get(at)
        return h is not None and bool(self.ezoc(side) & BIT[h])


def _sum(forces: list[Force]) -> tuple[int, int]:
    """(hexes occupied, zones of control) of stacks, as bits."""
    here = zone = 0
    for force in forces:
        here |= force[1]
        zone |= force[6]
    return here, zone


_fields: dict[tuple[str, ...], Field] = {}
_last: list[tuple[tuple[str, ...], Any]] = [((), None)]
"""The arrangement that was asked for last, and its field: replaced as one, for other threads ask as well."""


def field(state: UnderbellyState) -> Field:
    """The field of a state, made once for each arrangement of units."""
    key = tuple(state.at.values())
    last, found = _last[0]
    if key == last:  # asked again and again between two changes
        return found  # type: ignore[no-any-return]
    found = _fields.get(key)
    if found is None:
        if len(_fields) >= _KEPT:
            _fields.clear()
        found = _fields[key] = Field.of(state.at)
    _last[0] = key, found
    return found


def forget() -> None:
    """Drop all fields and floods (measurements start from nothing)."""
    forget_floods()
    _fields.clear()
    _last[0] = (), None


def put(state: UnderbellyState, units: Sequence[str], to: str, before: Field | None = None) -> Field:
    """Set where units of one stack are, and return the field, brought up to date the short way."""
    at = state.at
    before = before or field(state)
    origin = at[units[0]]
    for unit in units:
        at[unit] = to
    if origin == to:
        return before
    key = tuple(at.values())
    found = _fields.get(key)
    if found is None:
        if len(_fields) >= _KEPT:
            _fields.clear()
        found = _fields[key] = before.after(units, origin, to)
    _last[0] = key, found
    return found


def control_changes(state: UnderbellyState, now: Field | None = None) -> list[tuple[str, str]]:
    """Towns and cities whose control switches now: entered, or in an uncontested zone (7.7)."""
    now = now or field(state)
    gained, lost = _switches(state, now.allied, now.allied_zoc, now.german, now.german_zoc)
    if not gained and not lost:
        return []
    return [*((NAMES[h], ALLIED) for h in hexes_of(gained)), *((NAMES[h], GERMAN) for h in hexes_of(lost))]


def _switches(state: UnderbellyState, allied: int, allied_zoc: int, german: int, german_zoc: int) -> tuple[int, int]:
    """Places that the Allies gain and lose, as bits (7.7); a hex with a port supply marker falls only by entry."""
    held = _held(tuple(state.control.values()))[0]
    return _gained_and_lost(held, _port_bits(state), allied, allied_zoc, german, german_zoc)


def _gained_and_lost(
    held: int, ports: int, allied: int, allied_zoc: int, german: int, german_zoc: int
) -> tuple[int, int]:
    ours = PLACE_BITS & ((allied | ports | (allied_zoc & ~german_zoc)) & ~german)
    theirs = PLACE_BITS & ((german | (german_zoc & ~allied_zoc)) & ~allied & ~ports)
    return ours & ~held, theirs & held


def _port_bits(state: UnderbellyState) -> int:
    ports = 0
    for at in state.ports:
        ports |= BIT[INDEX[at]]
    return ports


@lru_cache(maxsize=256)
def _held(owners: tuple[str, ...]) -> tuple[int, int, int]:
    """Places that the Allies control, hexes in or next to one of these, hexes in or next to a German one, as bits."""
    held = near_allied = near_german = 0
    for name, side in zip(PLACES, owners, strict=True):
        h = INDEX[name]
        if side == ALLIED:
            held |= BIT[h]
            near_allied |= BIT[h] | ZONE[h]
        else:
            near_german |= BIT[h] | ZONE[h]
    return held, near_allied, near_german


class Passing:
    """Units on their way past hexes: where control may switch at once, though they go on (7.7)."""

    __slots__ = ("_division", "_held", "_now", "_others", "_ports", "_side", "_units", "gains", "origin", "uncovers")
    gains: int
    """Hexes from which a place of the enemy's can be taken."""
    uncovers: int
    """Hexes that a place of our own may be lost by leaving."""

    def __init__(self, state: UnderbellyState, now: Field, units: Sequence[str], origin: str) -> None:
        self._now, self._units, self.origin = now, units, origin
        self._side = UNITS[units[0]].side
        self._held, near_allied, near_german = _held(tuple(state.control.values()))
        allied = self._side == ALLIED
        self.gains, self.uncovers = (near_german, near_allied) if allied else (near_allied, near_german)
        self._ports = _port_bits(state)
        self._others: tuple[int, int] | None = None
        self._division = False

    def switches(self, h: int) -> bool:
        """Whether control would switch anywhere with the units in a hex and all others where they are."""
        if self._others is None:
            self._others = self._now.without(self._units, self.origin)
            self._division = any([UNITS[u].division for u in self._units])
        here, zone = self._others
        here |= BIT[h]
        if self._division:
            zone |= ZONE[h]
        now = self._now
        if self._side == ALLIED:
            gained, lost = _gained_and_lost(self._held, self._ports, here, zone, now.german, now.german_zoc)
        else:
            gained, lost = _gained_and_lost(self._held, self._ports, now.allied, now.allied_zoc, here, zone)
        return bool(gained or lost)

    def settles(self, now: Field) -> bool:
        """Whether control switches anywhere when the units have arrived."""
        gained, lost = _gained_and_lost(self._held, self._ports, now.allied, now.allied_zoc, now.german, now.german_zoc)
        return bool(gained or lost)
