"""Retreat after combat (13.9): where a beaten force may go."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.games.underbelly.actions import RetreatTo
from sandtable.games.underbelly.atlas import ADJACENT, BIT, BLOCKED, CITY, INDEX, NAMES, SF_HEX, side
from sandtable.games.underbelly.data import ALLIED, GERMAN, OTHER
from sandtable.games.underbelly.model import AIRBORNE, Battle, UnderbellyState
from sandtable.games.underbelly.stacking import one_organisation, within_limits
from sandtable.games.underbelly.zones import UNITS, Field, field


def may_cross(unit: str, one: str, other: str) -> bool:
    """Only mountain units go over a blocked hexside (12.10)."""
    return side(INDEX[one], INDEX[other]) not in BLOCKED or UNITS[unit].mobility == "mountain"


def _havens(state: UnderbellyState, now: Field, battle: Battle) -> tuple[list[str], list[str]]:
    """(entirely empty hexes free of enemy zones, hexes with friends) next to the battle (7.6, 13.9)."""
    losing = battle.defender
    enemy, own = now.occupied(OTHER[losing]), now.occupied(losing)
    ezoc = now.ezoc(losing)
    empty: list[str] = []
    friendly: list[str] = []
    for h in ADJACENT[INDEX[battle.target]]:
        name, bit = NAMES[h], BIT[h]
        if enemy & bit or (losing == GERMAN and (name in state.ports or (state.sf and name == SF_HEX))):
            continue
        if own & bit:
            friendly.append(name)
        elif not ezoc & bit:
            empty.append(name)
    return empty, friendly


def retreat_options(state: UnderbellyState, battle: Battle, units: Sequence[str]) -> list[RetreatTo]:
    """Every way to begin the retreat of these units (13.9, points 3 to 5); none: they must stay."""
    now = field(state)
    empty, friendly = _havens(state, now, battle)
    here = battle.target

    def fits(name: str, movers: Sequence[str]) -> bool:
        everybody = [*now.stack(name), *movers]
        return (
            all(may_cross(u, here, name) for u in movers) and within_limits(everybody) and one_organisation(everybody)
        )

    whole = [name for name in empty if fits(name, units)] or [name for name in friendly if fits(name, units)]
    if whole:
        return [RetreatTo(name) for name in whole]
    if len(units) == 1:
        return []
    options: list[RetreatTo] = []
    for unit in units:
        for havens in (empty, friendly):  # an empty hex first (point 4), as long as the others still find room
            found = [
                RetreatTo(name, unit)
                for name in havens
                if fits(name, (unit,)) and _rest_can_go(now, battle, units, unit, name, empty, friendly)
            ]
            if found:
                options += found
                break
    return options


def _rest_can_go(
    now: Field, battle: Battle, units: Sequence[str], first: str, to: str, empty: list[str], friendly: list[str]
) -> bool:
    """Whether the others still find room after one unit has gone (13.9, point 7)."""
    load: dict[str, list[str]] = {name: list(now.stack(name)) for name in (*empty, *friendly)}
    load[to].append(first)

    def place(rest: list[str]) -> bool:
        if not rest:
            return True
        unit = rest[0]
        for name, there in load.items():
            everybody = [*there, unit]
            if may_cross(unit, battle.target, name) and within_limits(everybody) and one_organisation(everybody):
                there.append(unit)
                if place(rest[1:]):
                    return True
                there.pop()
        return False

    return place([u for u in units if u != first])


def alive(state: UnderbellyState, units: Sequence[str]) -> list[str]:
    """The units that have steps left."""
    return [unit for unit in units if state.steps[unit] > 0]


def retreat_barred(state: UnderbellyState, battle: Battle) -> tuple[str, str] | None:
    """Why the defender may not call a retreat, whatever the ground: (reason, rule)."""
    if CITY[INDEX[battle.target]]:
        return "Nobody retreats out of a city", "13.11"
    if battle.defender == ALLIED and battle.target in state.ports:
        return "The port supply marker must be held", "13.2"
    if AIRBORNE in battle.defenders and state.dropped == state.turn:
        return "The 82nd may not retreat in the turn of its drop", "12.9"
    return None


def restorable(state: UnderbellyState, battle: Battle) -> list[str]:
    """Units whose lost step can be taken back so that the whole force can then retreat (13.9, 13.10)."""
    if not battle.defender_losses or battle.extra_hit or retreat_barred(state, battle):
        return []
    found = []
    for unit in dict.fromkeys(battle.defender_losses):
        force = [u for u in battle.defenders if state.steps[u] > 0 or u == unit]
        if retreat_options(state, battle, force):
            found.append(unit)
    return found
