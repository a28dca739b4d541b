"""Putting units into places, with everything that happens at once: tops, forts, ports, the SF unit, control."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sandtable.engine import Play
from sandtable.games.underbelly.atlas import BIT, INDEX, LAND_BITS, NEAR, SF_HEX, ZONE
from sandtable.games.underbelly.data import ALLIED, GERMAN
from sandtable.games.underbelly.events import Captured, Died, FortLost, Moved, Named, PortLost, SfLeft, Shown
from sandtable.games.underbelly.model import DEAD, LOST, UnderbellyState
from sandtable.games.underbelly.supply import OVERLAND
from sandtable.games.underbelly.victory import judge_control
from sandtable.games.underbelly.zones import UNITS, Field, control_changes, field, put, switches_in_passing


def relocate(play: Play[UnderbellyState], units: Sequence[str], *way: str) -> Field:
    """Take units of one stack along a way to its end (6.1), and see at each place what that changes (7.7).

    Returns the field as it is then.
    """
    state = play.state
    now = field(state)
    side = UNITS[units[0]].side
    origin = state.at[units[0]]
    top = state.top.get(origin) if side == ALLIED else None
    home = INDEX.get(origin)
    control = state.control
    # only places of the enemy's next to the way, or our own that the step uncovers, can change hands on the way
    exposed = home is not None and any([control[p] == side for p in NEAR[home]])
    last = len(way)
    others: tuple[int, int] | None = None
    for n, to in enumerate(way, 1):
        h = INDEX.get(to)
        gain = h is not None and NEAR[h] and any([control[p] != side for p in NEAR[h]])
        marker = to in state.ports or to in state.forts or to == SF_HEX
        if n < last and (gain or exposed) and not marker and h is not None:
            exposed = any([control[p] == side for p in NEAR[h]])
            if others is None:
                others = now.without(units, origin)
            if not switches_in_passing(state, now, units, others, h):
                continue
            gain = True
        if n == last or gain or exposed or marker:
            now = put(state, units, to, now)
            if marker:
                _enter(play, units[0], to)
            if gain or exposed or marker:
                settle_control(play, now)
                if state.outcome is not None:
                    break
            exposed = h is not None and any([control[p] == side for p in NEAR[h]])
    to = state.at[units[0]]
    seen = tuple(units) if side == GERMAN else _restack(play, now, units, origin, to, top)
    play.emit(Moved(side=side, origin=origin, at=to, count=len(units), units=seen))
    if len(seen) < len(units):
        play.emit(Named(units=tuple(units), to=(ALLIED,)))
    return now


def matters(state: UnderbellyState, side: str, origin: str) -> int:
    """Hexes in which something may happen to a side that only passes: towns of the enemy's near by, markers (7.7)."""
    home = INDEX.get(origin)
    if home is not None and any([state.control[p] == side for p in NEAR[home]]):
        return LAND_BITS
    found = _near_enemy_places(side, tuple(state.control), tuple(state.control.values()))
    for at in (*state.ports, *state.forts, SF_HEX):
        found |= BIT[INDEX[at]]
    return found


@lru_cache(maxsize=256)
def _near_enemy_places(side: str, places: tuple[str, ...], owners: tuple[str, ...]) -> int:
    found = 0
    for at, owner in zip(places, owners, strict=True):
        if owner != side:
            found |= BIT[INDEX[at]] | ZONE[INDEX[at]]
    return found


def _restack(
    play: Play[UnderbellyState], now: Field, units: Sequence[str], origin: str, to: str, top: str | None
) -> tuple[str, ...]:
    """Keep the top units of Allied stacks (6.9): a moving top stays on top, an occupied hex keeps its own.

    Returns the units that the German can see moving.
    """
    state = play.state
    if origin in INDEX and origin != to:
        left = now.stack(origin)
        if not left:
            state.top.pop(origin, None)
        elif top in units:
            state.top[origin] = left[0]
            play.emit(Shown(unit=left[0], at=origin))
    if to in INDEX and to not in state.top:
        state.top[to] = top if top is not None and top in units else units[0]
        if state.top[to] != top:
            play.emit(Shown(unit=state.top[to], at=to))
    return tuple([u for u in units if u == top or state.top.get(to) == u])


def _enter(play: Play[UnderbellyState], unit: str, to: str) -> None:
    """Entering a hex destroys the enemy's lone markers there (3.6, 9.8, 12.3)."""
    state = play.state
    if UNITS[unit].side == GERMAN:
        if to in state.ports:
            lose_port(play, to, "entered by a German unit")
        return
    if to in state.forts:
        state.forts.remove(to)
        play.emit(FortLost(at=to))
    if to == SF_HEX and state.sf:
        state.sf = False
        play.emit(SfLeft(why="an Allied unit entered the hex"))


def lose_port(play: Play[UnderbellyState], at: str, why: str) -> None:
    """A port supply marker leaves play for good (9.16, 11.11, 13.7)."""
    del play.state.ports[at]
    play.emit(PortLost(at=at, why=why))


def settle_control(play: Play[UnderbellyState], now: Field | None = None) -> None:
    """Switch the control of towns and cities, and see whether that ends the game (7.7, 4.0)."""
    state = play.state
    changes = control_changes(state, now)
    for at, side in changes:
        state.control[at] = side
        play.emit(Captured(at=at, side=side))
    if changes:
        judge_control(state)


def bury(play: Play[UnderbellyState], unit: str, supply: str, why: str) -> None:
    """Put an eliminated unit into the dead pile (2.13); out of regular supply it is lost for good (9.16)."""
    state = play.state
    at = state.at[unit]
    put(state, (unit,), DEAD if supply in OVERLAND else LOST)
    state.steps[unit] = 0
    state.corps = tuple(u for u in state.corps if u != unit)
    if state.top.get(at) == unit:
        left = field(state).stack(at)
        if left:
            state.top[at] = left[0]
            play.emit(Shown(unit=left[0], at=at))
        else:
            del state.top[at]
    play.emit(Died(unit=unit, why=why, at=at))
