"""Putting units into places, with everything that happens at once: tops, forts, ports, the SF unit, control."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Play
from sandtable.games.underbelly.atlas import BIT, INDEX, NAMES, SF_HEX
from sandtable.games.underbelly.data import ALLIED, GERMAN
from sandtable.games.underbelly.events import Appeared, Captured, Died, FortLost, Moved, Named, PortLost, SfLeft, Shown
from sandtable.games.underbelly.model import DEAD, LOST, UnderbellyState
from sandtable.games.underbelly.supply import OVERLAND
from sandtable.games.underbelly.victory import judge_control
from sandtable.games.underbelly.zones import UNITS, Field, Passing, control_changes, field, put


def relocate(
    play: Play[UnderbellyState], units: Sequence[str], to: str, way: Sequence[int] = (), now: Field | None = None
) -> Field:
    """Take units of one stack to a place (6.1), past other hexes, and see at each what that changes (7.7).

    Returns the field as it is then.
    """
    state = play.state
    now = now or field(state)
    side = UNITS[units[0]].side
    origin = state.at[units[0]]
    top = state.top.get(origin) if side == ALLIED else None
    passing = Passing(state, now, units, origin)
    marked = _marked(state, side)
    home = INDEX.get(origin)
    exposed = home is not None and bool(passing.uncovers & BIT[home])
    for h in way:
        bit = BIT[h]
        if bit & marked or ((exposed or bit & passing.gains) and passing.switches(h)):
            now = put(state, units, NAMES[h], now)
            if bit & marked:
                _enter(play, units[0], NAMES[h])
            settle_control(play, now)
            if state.outcome is not None:
                to = NAMES[h]
                break
            passing = Passing(state, now, units, NAMES[h])
        exposed = bool(passing.uncovers & bit)
    else:
        now = put(state, units, to, now)
        end = INDEX.get(to)
        bit = 0 if end is None else BIT[end]
        if bit & marked:
            _enter(play, units[0], to)
        if bit & marked or ((exposed or bit & passing.gains) and passing.settles(now)):
            settle_control(play, now)
    seen = tuple(units) if side == GERMAN else _restack(play, now, units, origin, to, top)
    kind = Appeared if side == ALLIED and any([u != top for u in seen]) else Moved
    play.emit(kind(side=side, origin=origin, at=to, count=len(units), units=seen))
    if len(seen) < len(units):
        play.emit(Named(units=tuple(units), to=(ALLIED,)))
    return now


def _marked(state: UnderbellyState, side: str) -> int:
    """Hexes with markers that a side destroys or relieves by entering, as bits (3.6, 9.8, 12.3)."""
    found = 0
    if side == GERMAN:
        for at in state.ports:
            found |= BIT[INDEX[at]]
        return found
    for at in state.forts:
        found |= BIT[INDEX[at]]
    return found | BIT[INDEX[SF_HEX]] if state.sf else found


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
