"""What each side hears of an event: units that it does not know are a "?" to it, and nothing else of them is told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from sandtable.engine import Action, Event
from sandtable.engine.events import OBSERVER, Rolled
from sandtable.games.squad.ground.knowledge import UNKNOWN, secret_pieces
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.model import SquadState, Unit, Weapon

TELLING = ("kind", "now", "was", "group")
"""Fields that tell what a unit is."""


def heard(event: Event, state: SquadState) -> Sequence[Event]:
    """The event as each side may hear it; those who hear the same share one."""
    if event.to is not None:
        return (event,)
    unsure = [unit for unit in state.units.values() if unit.concealed or unit.hip]
    if not unsure or not _mentions(event, state, {name for unit in unsure for name in (unit.id, *unit.weapons)}):
        return (event,)
    versions: dict[Event, list[str]] = {}
    for listener in (*setting_of(state).sides, None):
        told = _redacted(event, state, secret_pieces(state, listener, unsure))
        versions.setdefault(told, []).append(OBSERVER if listener is None else listener)
    if len(versions) == 1:
        return tuple(versions)
    return [msgspec.structs.replace(told, to=tuple(to)) for told, to in versions.items()]


def _mentions(event: Event, state: SquadState, names: set[str]) -> bool:
    """Whether an event names any of some units and weapons: most do not, and everybody hears those alike."""
    if isinstance(event, Rolled):
        told = event.why if event.tally is None else f"{event.why}\n{event.tally}"
        return any([_named(short(state, name), told) for name in names])
    for field in event.__struct_fields__:
        value = getattr(event, field)
        if isinstance(value, str) and (value in names or (field == "why" and _told_in(value, state, names))):
            return True
        if isinstance(value, tuple) and _list(value, names) != value:
            return True
    return False


def _named(words: str, text: str) -> bool:
    """Whether a text has what a piece is called: `8-1 A` is not in `8-1 AB`."""
    return words in text and re.search(_whole(words), text) is not None


def _without(words: str, text: str) -> str:
    """A text that does not tell what a piece is called."""
    return re.sub(_whole(words), "a concealed unit", text) if words in text else text


def _whole(words: str) -> str:
    return rf"(?<![\w-]){re.escape(words)}(?!\w)"


def _told_in(why: str, state: SquadState, names: set[str]) -> list[str]:
    """What units and weapons that a reason names are called, the longest first."""
    if not why:
        return []
    return sorted({words for name in names if _named(words := short(state, name), why)}, key=len, reverse=True)


def _redacted(event: Event, state: SquadState, secret: set[str]) -> Event:
    """The event without what the listener may not know."""
    if not secret:
        return event
    if isinstance(event, Rolled):
        return _roll(event, sorted(_names(event, state, secret), key=lambda words: (-len(words), words)))
    changes: dict[str, Any] = {}
    for field in event.__struct_fields__:
        value = getattr(event, field)
        if isinstance(value, str) and value in secret:
            changes[field] = UNKNOWN
        elif isinstance(value, tuple) and (known := _list(value, secret)) != value:
            changes[field] = known
    if changes:
        changes |= {field: "" for field in TELLING if isinstance(getattr(event, field, None), str)}
    why = told = getattr(event, "why", "")
    for words in _told_in(why, state, secret):
        told = _without(words, told)
    if told != why:
        changes["why"] = told
    return msgspec.structs.replace(event, **changes)


def as_known(action: Action, state: SquadState, side: str) -> Action:
    """An action with a "?" in place of pieces that the side does not know: no refusal tells that they are there."""
    unsure = [unit for unit in state.units.values() if (unit.concealed or unit.hip) and unit.side != side]
    secret = secret_pieces(state, side, unsure)
    changes: dict[str, Any] = {}
    for field in action.__struct_fields__ if secret else ():
        value = getattr(action, field)
        if isinstance(value, str) and value in secret:
            changes[field] = UNKNOWN
        elif isinstance(value, tuple) and (known := _list(value, secret)) != value:
            changes[field] = known
    return msgspec.structs.replace(action, **changes) if changes else action


def _list(values: tuple[Any, ...], secret: set[str]) -> tuple[Any, ...]:
    """Units in a row; however many are not known, there is one "?" for them."""
    told: list[Any] = []
    for value in values:
        if isinstance(value, tuple):
            if not any(isinstance(part, str) and part in secret for part in value):
                told.append(value)
        elif not (isinstance(value, str) and value in secret):
            told.append(value)
        elif UNKNOWN not in told:
            told.append(UNKNOWN)
    return tuple(told)


def _names(event: Rolled, state: SquadState, secret: set[str]) -> set[str]:
    """What secret units and weapons are called; not what a known one of the side that rolls is called as well."""
    pieces: list[Unit | Weapon] = [*state.units.values(), *state.weapons.values()]
    known = {short(state, piece) for piece in pieces if piece.side == event.by and piece.id not in secret}
    unknown = [piece for piece in pieces if piece.id in secret]
    return {words for piece in unknown if (words := short(state, piece)) not in known or piece.side == event.by}


def _roll(event: Rolled, secret: list[str]) -> Event:
    """A roll whose reason names a unit is told without the name, and without modifiers that tell more."""
    why = event.why
    for words in secret:
        why = _without(words, why)
    told = str(event.tally) if event.tally is not None else ""
    if why == event.why and not any([_named(words, told) for words in secret]):
        return event
    return msgspec.structs.replace(event, why=why, tally=None)
