"""Spraying Fire of the ENEMY: which Targets it can spray together, and with what (A3a, S6.311)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sandtable.games.asl.spraying import firer_bar, kind_bar, pair_bar, partners
from sandtable.games.sasl.model import ENEMY, ORDERS
from sandtable.games.sasl.readings import reading
from sandtable.games.sasl.tables import general
from sandtable.games.sasl.tables.general import Command
from sandtable.games.squad.fire.eligibility import Firer, firer_of
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.model import SquadState

POSSIBLE = "Spraying Fire possible"
SPRAYING, OTHER = "spraying FP", "other FP"
"""What the two halves of the first row of A3a fire."""


class Pair(NamedTuple):
    """Two Locations with Targets that share a hexside."""

    first: int
    second: int


Pairs = dict[Pair, list[str]]
"""The firers that can spray each pair."""


def pairs_of(state: SquadState, reach: Mapping[str, Sequence[int]], cells: Sequence[int], mode: str) -> Pairs:
    """The Targets that firers of a Location can spray together, in both orders (A9.5)."""
    ground = setting_of(state).ground
    found: Pairs = {}
    for first in cells:
        for second in [cell for cell in partners(ground, first) if cell in cells]:
            if pair_bar(state, ENEMY, mode, first, second):
                continue
            names = [name for name in reach if first in reach[name] and second in reach[name]]
            able = [name for name in names if sprays(state, firer_of(state, name), mode, Pair(first, second))]
            if able:
                found[Pair(first, second)] = able
    return found


def sprays(state: SquadState, firer: Firer, mode: str, pair: Pair) -> bool:
    """Whether a firer that reaches both Locations of a pair can spray them."""
    return kind_bar(state, firer) is None and firer_bar(state, firer, mode, *pair) is None


def at_closest(state: SquadState, source: int, pairs: Pairs, cells: Sequence[int]) -> Pairs:
    """The pairs that the first row of A3a allows: any, or those of a closest Target (SA-112)."""
    if reading(state, "spraying") == "pair" or not pairs:
        return pairs
    ranges = setting_of(state).ground.ranges[source]
    least = min([ranges[cell] for cell in cells])
    return {pair: names for pair, names in pairs.items() if ranges[pair.first] == least}


def in_defence(state: SquadState, source: int, pairs: Pairs, mode: str) -> Pairs:
    """The pairs of an ADJACENT Target, for units that fire in self-preservation; none for others (S6.311, SA-114)."""
    if mode != "prep" or reading(state, "self_preservation") == "DR":
        return {}
    orders, near = ORDERS.of(state), setting_of(state).ground.near[source]
    owners = {firer_of(state, name).unit.id for names in pairs.values() for name in names}
    if not any(name in orders and orders[name].rule == "S6.311" for name in owners):
        return {}
    return {pair: names for pair, names in pairs.items() if pair.first in near}


def both_halves() -> list[Command]:
    """The two halves of the first row of A3a."""
    return [row for row in general.fire_commands("A3a") if row.when == POSSIBLE]


def not_sprayed(state: SquadState, cells: Sequence[int], pair: Pair | None) -> Sequence[int]:
    """Targets for FP that does not spray: any of them, or others than those sprayed if there are any (SA-113)."""
    if pair is None or reading(state, "spray_groups") == "combined":
        return cells
    return [cell for cell in cells if cell not in pair] or cells
