"""What a side knows of a piece: nothing, that something is there, or all (6.4, G37)."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.engine.events import OBSERVER
from sandtable.games.squad.ground.setting import setting_of, weapon_kind
from sandtable.games.squad.part import ALL, CONCEALED, NOTHING
from sandtable.games.squad.pieces.model import SquadState, Unit, Weapon

UNKNOWN = "?"
"""What stands in an event for a unit or weapon that the listener does not know."""
SHOWN = "shown"
"""The mark of a unit under a "?" that had to show what it is for a while."""


def known_to(state: SquadState, side: str | None, unit: Unit) -> int:
    """What a side knows of a unit: NOTHING, CONCEALED or ALL; side None: an observer."""
    if unit.side == side:
        return ALL
    if unit.hip:
        return NOTHING
    setting = setting_of(state)
    if state.phase == "set-up":
        if setting.secret_setup:
            return CONCEALED
        if _undecided(state, unit):
            return NOTHING
    if unit.concealed and SHOWN not in unit.marks:
        return CONCEALED
    return min([knows(state, side, unit) for knows in setting.points.knows], default=ALL)


def _undecided(state: SquadState, unit: Unit) -> bool:
    """Whether a unit stands with a Gun that has no Covered Arc yet: it may still be hidden in that hex (6.4)."""
    if unit.at < 0:
        return False
    weapons = [state.weapons[name] for name in unit.weapons]
    return any([weapon.facing < 0 and weapon_kind(weapon).gun for weapon in weapons])


def hidden(piece: Unit | Weapon) -> bool:
    """Whether its enemies know nothing of a piece (6.4)."""
    return piece.hip


def concealed(state: SquadState, unit: Unit) -> bool:
    """Whether its enemies do not know all of a unit: it is no Known unit, and fire at it is Area Fire (6.4)."""
    if unit.hip or unit.concealed:
        return True
    setting = setting_of(state)
    return setting.points.knows != () and known_to(state, setting.others[unit.side], unit) != ALL


def under_question(state: SquadState, unit: Unit) -> bool:
    """Whether its enemies see that something is there, but not what."""
    return not unit.hip and concealed(state, unit)


def onlookers(state: SquadState, side: str) -> tuple[str, ...]:
    """All who look on but one side."""
    return (*[other for other in setting_of(state).sides if other != side], OBSERVER)


def hidden_units(state: SquadState, side: str) -> list[str]:
    """Units of a side of which its enemies know nothing."""
    return [unit.id for unit in state.units.values() if unit.hip and unit.side == side]


def unsure_units(state: SquadState, side: str) -> list[str]:
    """Units of a side that are hidden or lie under a "?": what they can do is not for its enemy to know."""
    return [unit.id for unit in state.units.values() if (unit.hip or unit.concealed) and unit.side == side]


def secret_pieces(state: SquadState, side: str | None, units: Iterable[Unit]) -> set[str]:
    """Ids of those of some units, and of their weapons, of which a side does not know all."""
    found: set[str] = set()
    for unit in units:
        if known_to(state, side, unit) != ALL:
            found.update((unit.id, *unit.weapons))
    return found


def hidden_from(state: SquadState, side: str | None) -> list[Unit]:
    """Units of other sides of which a side knows nothing; side None: an observer."""
    return [unit for unit in state.units.values() if unit.hip and unit.side != side]


def faces_hidden_guns(state: SquadState, side: str) -> bool:
    """Whether enemy Guns are hidden somewhere."""
    return any([unit.hip and unit.side != side for unit in state.units.values()])


def known_units(state: SquadState, units: Iterable[Unit]) -> list[Unit]:
    """Those of these units of which their enemies know all."""
    seen = [unit for unit in units if not (unit.hip or unit.concealed)]
    if seen and setting_of(state).points.knows:
        return [unit for unit in seen if not concealed(state, unit)]
    return seen


def seems_empty(state: SquadState, cell: int) -> bool:
    """Whether a hex holds at most hidden units."""
    units = state.units
    return not any([not units[name].hip for name in state.stacks.get(cell, ())])


def enemy_hexes(state: SquadState, side: str) -> list[int]:
    """Hexes with an enemy of whom a side knows at least that he is there."""
    units = state.units
    found = []
    for cell, names in state.stacks.items():
        for name in names:
            unit = units[name]
            if unit.side != side and not unit.hip:
                found.append(cell)
                break
    return found
