"""Zones of control and hex control (7.0): who stands where, and what follows from it at once."""

from __future__ import annotations

from functools import cached_property

from sandtable.games.underbelly.atlas import BIT, INDEX, NAMES, PLACE_BITS, ZONE, hexes_of
from sandtable.games.underbelly.data import ALLIED, GERMAN, roster
from sandtable.games.underbelly.model import UnderbellyState

UNITS = roster()
_KEPT = 1024


class Field:
    """What follows from where the ground units stand; the same for every state with the same places."""

    __slots__ = ("__dict__", "allied", "allied_zoc", "german", "german_zoc", "stacks")

    def __init__(self, at: dict[str, str]) -> None:
        stacks: dict[str, list[str]] = {}
        allied = german = allied_zoc = german_zoc = 0
        index, units = INDEX, UNITS
        for unit, place in at.items():
            h = index.get(place)
            if h is None:
                continue
            here = stacks.get(place)
            if here is None:
                stacks[place] = [unit]
            else:
                here.append(unit)
            kind = units[unit]
            if kind.side == ALLIED:
                allied |= BIT[h]
                if kind.division:
                    allied_zoc |= ZONE[h]
            else:
                german |= BIT[h]
                if kind.division:
                    german_zoc |= ZONE[h]
        self.stacks = stacks
        self.allied = allied
        self.german = german
        self.allied_zoc = allied_zoc
        self.german_zoc = german_zoc

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
    def ezoc_sets(self) -> dict[str, frozenset[int]]:
        """The enemy zones of each side as sets of hex numbers, for path searches."""
        return {ALLIED: frozenset(hexes_of(self.german_zoc)), GERMAN: frozenset(hexes_of(self.allied_zoc))}

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
        found = _fields[key] = Field(state.at)
    return found


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
    control = state.control
    changes: list[tuple[str, str]] = []
    for bits, side in ((ours, ALLIED), (theirs, GERMAN)):
        for h in hexes_of(bits):
            name = NAMES[h]
            if control[name] != side:
                changes.append((name, side))
    return changes
