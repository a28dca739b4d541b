"""Automatic actions: what certain ENEMY units do whatever the Action DR says, in the printed order (6.301 to 6.317)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sandtable.games.sasl.enemy import facts
from sandtable.games.sasl.model import ADVANCE, ENEMY, FIRE, MOVE, NOTHING
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.stacks import STACK_LEADERS, STACK_SQUADS, stacking_of, units_at
from sandtable.games.squad.pieces.model import SquadState, Unit

GUN_REACH = 6
"""Hexes within which a crew goes for a Gun that nobody mans (S6.310)."""
FLAME_REACH = 2
"""Long range of a flamethrower, in hexes."""


class Automatic(NamedTuple):
    """An automatic action: what is done, by which rule, and why."""

    what: str
    rule: str
    why: str


Rule = Callable[[SquadState, int, Sequence[Unit], bool], Automatic | None]
"""(state, Location, units, whether they have a Target)."""


def flamethrower(state: SquadState, cell: int, units: Sequence[Unit], target: bool) -> Automatic | None:
    """A unit with a flamethrower fires at a Target in long range, else it moves (S6.306)."""
    if not any(weapon_kind(state.weapons[name]).flamethrower for unit in units for name in unit.weapons):
        return None
    ranges = setting_of(state).ground.ranges[cell]
    near = [unit for unit in facts.seen_from(state, cell) if ranges[unit.at] <= FLAME_REACH]
    if near and target:
        return Automatic(FIRE, "S6.306", "flamethrower with a Target in range")
    return Automatic(MOVE, "S6.306", "flamethrower without a Target in range")


def overstacked(state: SquadState, cell: int, units: Sequence[Unit], target: bool) -> Automatic | None:
    """Too many in a Location: it moves apart (S6.307)."""
    size, leaders = stacking_of(state, units_at(state, cell, ENEMY))
    if size <= STACK_SQUADS and leaders <= STACK_LEADERS:
        return None
    return Automatic(MOVE, "S6.307", "overstacked")


def to_gun(state: SquadState, cell: int, units: Sequence[Unit], target: bool) -> Automatic | None:
    """A crew without a HW goes to a Gun that nobody mans (S6.310)."""
    if not all(unit_kind(state, unit).crew and not unit.weapons for unit in units):
        return None
    return Automatic(MOVE, "S6.310", "crew to an unpossessed Gun") if loose_guns(state, cell) else None


def loose_guns(state: SquadState, cell: int) -> list[int]:
    """Locations of working Guns of the ENEMY that nobody mans, within reach of a crew."""
    ranges = setting_of(state).ground.ranges[cell]
    return [
        weapon.at
        for weapon in state.weapons.values()
        if weapon.side == ENEMY
        and not weapon.owner
        and weapon.at >= 0
        and not weapon.broken
        and weapon_kind(weapon).gun
        and 0 < ranges[weapon.at] <= GUN_REACH
    ]


def self_preservation(state: SquadState, cell: int, units: Sequence[Unit], target: bool) -> Automatic | None:
    """FRIENDLY units ADJACENT or in the Location: Prep Fire (S6.311)."""
    near = setting_of(state).ground.near[cell]
    if target and any(facts.foes_at(state, other) for other in (cell, *near)):
        return Automatic(FIRE, "S6.311", "FRIENDLY unit ADJACENT")
    return None


def improved_position(state: SquadState, cell: int, units: Sequence[Unit], target: bool) -> Automatic | None:
    """MMC in an IP fire; without a Target those in Hold Attitude do nothing, the others roll (S6.312)."""
    if not any(unit.within and unit_kind(state, unit).mmc for unit in units):
        return None
    if target:
        return Automatic(FIRE, "S6.312", "in an improved position, with a Target")
    if facts.attitude(state, units[0]) != ADVANCE:
        return Automatic(NOTHING, "S6.312", "in an improved position, without a Target")
    return None


def acquired(state: SquadState, cell: int, units: Sequence[Unit], target: bool) -> Automatic | None:
    """A weapon with an Acquired Target fires (S6.314)."""
    if target and any(state.weapons[name].acquired is not None for unit in units for name in unit.weapons):
        return Automatic(FIRE, "S6.314", "Acquired Target")
    return None


def leaders(state: SquadState, cell: int, units: Sequence[Unit], target: bool) -> Automatic | None:
    """Leaders alone go to broken units that cannot self-rally (S6.3173), else do nothing (S6.3175) (S6.317)."""
    if not all(unit_kind(state, unit).smc for unit in units):
        return None
    if any(unit.broken for unit in units_at(state, cell, ENEMY)):
        return Automatic(NOTHING, "S6.3173", "leader with broken units")
    if broken_near(state, cell):
        return Automatic(MOVE, "S6.3173", "leader to a broken unit")
    return Automatic(NOTHING, "S6.3175", "leader with nothing to do")


def broken_near(state: SquadState, cell: int) -> list[int]:
    """Locations of broken ENEMY MMC that cannot rally by themselves, within six hexes."""
    ranges = setting_of(state).ground.ranges[cell]
    return [
        unit.at
        for unit in state.units.values()
        if unit.side == ENEMY
        and unit.broken
        and unit.at >= 0
        and unit_kind(state, unit).mmc
        and not unit_kind(state, unit).self_rally
        and 0 < ranges[unit.at] <= GUN_REACH
    ]


ORDER: tuple[Rule, ...] = (
    flamethrower,
    overstacked,
    to_gun,
    self_preservation,
    improved_position,
    acquired,
    leaders,
)
"""In the order of their numbers; berserk, unarmed units, guards, flames, waves and vehicles join with their parts."""


def automatic(state: SquadState, cell: int, units: Sequence[Unit], *, target: bool) -> Automatic | None:
    """The first automatic action that applies to the units of a Location (S6.3)."""
    for rule in ORDER:
        found = rule(state, cell, units, target)
        if found is not None:
            return found
    return None


def goal(state: SquadState, cell: int, units: Sequence[Unit]) -> tuple[str, list[int]]:
    """Where an automatic Move leads instead of a Move Command: its rule and Locations; none: the table decides."""
    if all(unit_kind(state, unit).crew and not unit.weapons for unit in units) and loose_guns(state, cell):
        return "S6.310", loose_guns(state, cell)
    if all(unit_kind(state, unit).smc for unit in units) and broken_near(state, cell):
        return "S6.3173", broken_near(state, cell)
    return "", []
