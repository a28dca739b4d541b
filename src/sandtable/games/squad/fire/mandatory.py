"""Mandatory Fire Groups: whoever fires from a hex at a target binds the rest of the hex (3.2.2, 4.1, G13, G34)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sandtable.games.squad.fire.switches import FireRules
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.model import FIRST_FIRE, NO_MARKER, SquadState, Unit, Weapon


class Earlier(NamedTuple):
    """What was fired along a line before, in this phase or at these MF."""

    fired: tuple[str, ...] = ()
    """Units and machine guns that have fired."""
    left_out: tuple[str, ...] = ()
    """Those of them that a later attack did without."""


NOTHING = Earlier()


def line_key(source: int, target: int) -> str:
    """The key of a line in `state.fired_along` and `state.left_out`."""
    return f"{source}-{target}"


def earlier_fire(state: SquadState, source: int, target: int) -> Earlier:
    """What was fired from a hex at a target before."""
    key = line_key(source, target)
    fired = state.fired_along.get(key)
    return Earlier(fired, state.left_out.get(key, ())) if fired else NOTHING


def keeps_rate(weapon: Weapon | None) -> bool:
    """Whether a weapon has fired in this phase and kept its Rate of Fire (1.2.4.1)."""
    return weapon is not None and weapon.shots > 0 and weapon.marker == NO_MARKER


def is_bound(state: SquadState, unit: Unit, weapon: Weapon | None, earlier: Earlier, mode: str) -> bool:
    """Whether a unit or machine gun had to fire in an earlier attack, and so may not fire in one of its own."""
    if not earlier.fired or keeps_rate(weapon):
        return False
    name = unit.id if weapon is None else weapon.id
    if name in earlier.fired and name not in earlier.left_out:
        return False
    return weapon is not None or not fires_apart(state, unit, earlier, mode)


def fires_apart(state: SquadState, unit: Unit, earlier: Earlier, mode: str) -> bool:
    """Whether a unit uses Subsequent First Fire at what only its own machine guns have fired at (4.1)."""
    if mode != "first" or unit.marker != FIRST_FIRE or not setting_of(state).rules.of(FireRules).subsequent_fire_apart:
        return False
    return all(name in unit.weapons for name in earlier.fired)


def free_firers(state: SquadState, units: Iterable[str], weapons: Iterable[str], target: int, mode: str) -> list[str]:
    """Firers of an attack whom no earlier one binds and who bind nobody with a shot apart (4.1)."""
    free = [name for name in weapons if keeps_rate(state.weapons[name])]
    for name in units:
        unit = state.units[name]
        earlier = earlier_fire(state, unit.at, target)
        if earlier.fired and fires_apart(state, unit, earlier, mode):
            free.append(name)
    return free


def note_attack(
    state: SquadState, key: str, firers: Sequence[str], *, kept: Iterable[str], free: Iterable[str]
) -> None:
    """Units and machine guns of a hex have fired along a line; `kept`: weapons that keep their Rate of Fire."""
    before = state.fired_along.get(key)
    if not before:
        # a machine gun that keeps its rate binds nobody
        if any(name not in kept for name in firers):
            state.fired_along[key] = tuple(firers)
        return
    if any(name not in free for name in firers):
        state.left_out[key] = tuple([name for name in before if name not in firers])
    state.fired_along[key] = (*before, *(name for name in firers if name not in before and name not in state.weapons))
